"""JustLogic's evaluation: its table of systems, accuracy by group, and what makes an answer wrong."""

"""LogiQA 2.0: multiple-choice logical reasoning from civil service examinations (Liu et al., 2023)."""

"""Other people's environments, measured as our own are: what no reasoning earns, and whether the labels are right."""

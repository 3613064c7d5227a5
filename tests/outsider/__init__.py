"""What a stranger brings and what must come of it, written by people who know the truth and not the code."""

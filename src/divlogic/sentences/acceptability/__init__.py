"""How usual the words and articles of a sentence are in the corpora themselves."""

"""Sentences: filter, negate, resolve and group the sentences of natural-language-inference corpora."""

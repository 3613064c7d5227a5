"""Diversity: vocabulary, distance to Wikipedia, readability and label audit of every benchmark."""

"""The part-of-speech tagger: its training, its files, and where the one of a run comes from."""

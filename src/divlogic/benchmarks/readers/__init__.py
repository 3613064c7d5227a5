"""Readers: every published benchmark, in its own format, as the one record."""

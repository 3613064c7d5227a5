"""The corpora that sentences come from."""

PAIR_CORPORA = frozenset({"multinli", "xnli", "genres"})
"""Corpora whose premises seldom pass: there each pair is a group (DivLogicEval, Section 2.1), if need be of its
hypothesis alone."""

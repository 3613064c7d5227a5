"""Which corpora are made of pairs, each of them a group of sentences."""

from __future__ import annotations

PAIR_CORPORA = frozenset({"multinli", "xnli", "genres"})
"""Corpora whose premises seldom pass: there each pair is a group (DivLogicEval, Section 2.1), if need be of its
hypothesis alone."""

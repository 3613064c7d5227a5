"""Hardening with models: five roles rewrite items that are too easy; a solver stands between proposal and review."""

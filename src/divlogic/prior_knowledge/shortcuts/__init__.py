"""Shortcuts: how far a benchmark can be answered without reasoning, by listwise probes."""

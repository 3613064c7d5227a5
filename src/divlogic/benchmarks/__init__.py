"""Benchmarks: generation of our own, and readers of published ones."""

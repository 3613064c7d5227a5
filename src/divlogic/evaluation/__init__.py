"""Evaluation phase: rotations, model runs, replay of recorded answers, and the papers' result tables."""

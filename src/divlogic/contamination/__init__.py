"""Contamination: what training on a benchmark's sources, or on the benchmark itself, does to its scores.

Source: DivLogicEval, Section 3.3; Deng et al. 2024 (TS-Guessing); Shi et al. 2024 (Min-K % Prob).
"""

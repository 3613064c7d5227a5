"""LLMEval-Logic: Chinese logic puzzles with solver-verified formalisations (Fudan NLP Lab, 2026)."""

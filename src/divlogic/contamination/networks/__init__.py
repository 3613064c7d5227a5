"""Learners that need torch and `transformers` (the extra ``learner``): encoders and causal language models."""

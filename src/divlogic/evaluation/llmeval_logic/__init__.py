"""Evaluating models on LLMEval-Logic: answers, and formalizations with free or given symbols."""

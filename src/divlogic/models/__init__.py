"""Asking models: how questions are worded and answers read, who answers, and the store that no answer is lost from.

Shared by the phases that ask (prior_knowledge, evaluation); it imports none of them.
"""

"""ILogicEval: DivLogicEval's predecessor, the same instances in splits of its own (2023)."""

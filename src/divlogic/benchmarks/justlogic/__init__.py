"""JustLogic: deductive arguments of an exact depth, worded with generic statements (Chen et al., 2025)."""

"""LogicNLI: statements judged by facts and first-order rules, published and generated (Tian et al., 2021)."""

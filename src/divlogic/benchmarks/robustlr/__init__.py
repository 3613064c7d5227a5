"""RobustLR: statements judged by rules with logical perturbations (Sanyal et al., 2022)."""

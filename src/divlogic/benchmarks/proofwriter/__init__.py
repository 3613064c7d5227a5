"""ProofWriter: statements judged by facts and rules under an open world (Tafjord et al., 2021)."""

"""RuleTaker: statements judged by facts and rules under a closed world (Clark et al., 2020)."""

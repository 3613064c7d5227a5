"""CLUTRR: kinship relations that stories imply (Sinha et al., 2019)."""

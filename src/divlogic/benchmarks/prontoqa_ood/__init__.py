"""PrOntoQA-OOD: proofs in made-up ontologies (Saparov et al., 2023)."""

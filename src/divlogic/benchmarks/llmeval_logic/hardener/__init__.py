"""The symbolic hardener: operators on verified theories, sub-questions, gates, a panel of shallow solvers."""

"""A trained classifier of natural language inference checks the sentences that word the benchmarks."""

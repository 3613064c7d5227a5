"""Networks that torch and `transformers` run (the extra ``learner``): where weights are, training, pairs of texts."""

# Which files a benchmark of a run has: its shards, splits, reports and releases. Read by workflow/phases/benchmarks.smk,
# which says which benchmarks are generated (GENERATORS), released (RELEASED), and in how many shards (SHARDS).


def drawn_shards(name):
    """Return the symbolic shards of a benchmark, in order."""
    return expand("data/interim/benchmarks/{name}/drawn/{shard}.jsonl.gz", name=name, shard=SHARDS[name])


def realised_shards(name):
    """Return the worded shards of a benchmark, in order."""
    return expand("data/interim/benchmarks/{name}/realised/{shard}.jsonl.gz", name=name, shard=SHARDS[name])


def realised_counts(name):
    """Return how the wording of each shard of a benchmark went."""
    return expand(
        "data/interim/benchmarks/{name}/realised/{shard}.counts.json", name=name, shard=SHARDS[name]
    )


def splits_of(name):
    """Return the splits of a benchmark."""
    return expand("data/benchmarks/{name}/{split}.jsonl", name=name, split=GENERATORS[name].splits)


def released_splits(wildcards):
    """Return the splits of every configuration of a release."""
    configs, splits = RELEASED[wildcards.benchmark].configs, GENERATORS[wildcards.benchmark].splits
    return expand("data/benchmarks/{config}/{split}.jsonl", config=configs, split=splits)


def released_reports(wildcards):
    """Return the reports that a release shows, and the solver's on its labels."""
    files = ["z3.json", *RELEASED[wildcards.benchmark].reports.values()]
    return expand("results/benchmarks/{name}/{file}", name=wildcards.benchmark, file=files)


def released_corpora(wildcards):
    """Return the corpora that the sentences of a release come from."""
    role = RELEASED[wildcards.benchmark].role
    return [f"{RAW}/{name}" for name in CORPORA[role]] if role else []


def room_of(wildcards):
    """Return the code that makes a benchmark."""
    return code_of("benchmarks.shards", f"benchmarks.{wildcards.benchmark}")

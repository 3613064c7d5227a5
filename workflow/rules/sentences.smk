# Sentences: from NLI pairs to groups of clean sentences with their negations.
#
# Inputs   data/interim/corpora/nli.jsonl.gz, data/interim/tagger/, data/recorded/checker/
# Outputs  data/sentences/groups.jsonl.gz, results/sentences/{filter.csv,summary.json,checker.csv}


if "PARAMS" not in globals():

    include: "../common.smk"


from divlogic.sentences.parameters import least_acceptability

SENTENCE_SHARDS = range(PARAMS.sentences.shards)
# With `sentences.min_entailment` a trained checker stands between the merge and what later phases read.
CHECKED = PARAMS.sentences.min_entailment is not None
MERGED = {
    "groups": "data/interim/sentences/merged.jsonl.gz" if CHECKED else "data/sentences/groups.jsonl.gz",
    "counts": "data/interim/sentences/merged.csv" if CHECKED else "results/sentences/filter.csv",
    "summary": "data/interim/sentences/merged.json" if CHECKED else "results/sentences/summary.json",
}
MERGED_COUNTS = MERGED["counts"] if CHECKED else reported(MERGED["counts"], "Data")
CHECKER_CORPUS = PARAMS.sentences.checker.corpus or "data/interim/corpora/nli.jsonl.gz"
CHECKER_RECORDED = sources("data/recorded/checker", "*.json")
# Sentences are judged by how all of them use words, which is counted first.
JUDGED = least_acceptability(PARAMS.sentences, PARAMS.corpus_source) > 0
USAGE = "data/interim/sentences/usage.jsonl.gz"
SHARDED = ["pairs/", *(["usage/"] if JUDGED else []), ""]
# What neither the filter nor the merge reads: a change of it filters nothing again.
FILTER_KEYS = [
    f"sentences.{key}" for key in VALUES["sentences"] if key not in ("shards", "min_entailment", "checker")
]


rule sentences:
    """All outputs of the phase."""
    input:
        expand("data/interim/sentences/{folder}{shard}.jsonl.gz", folder=SHARDED, shard=SENTENCE_SHARDS),
        [USAGE] if JUDGED else [],
        [MERGED["groups"], "data/interim/sentences/checker"] if CHECKED else [],
        "data/sentences/groups.jsonl.gz",
        "results/sentences/filter.csv",
        "results/sentences/summary.json",
        "results/sentences/checker.csv",


rule partition_pairs:
    """Divide the pairs by premise, so that each shard of the filter reads its own."""
    input:
        "data/interim/corpora/nli.jsonl.gz",
    output:
        expand("data/interim/sentences/pairs/{shard}.jsonl.gz", shard=SENTENCE_SHARDS),
    log:
        "logs/sentences/partition_pairs.log",
    benchmark:
        "logs/sentences/partition_pairs.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("sentences partition"),
        shards=PARAMS.sentences.shards,
        out=subpath(output[0], parent=True),
    shell:
        """
        divlogic sentences partition \
            --in {input:q} \
            --shards {params.shards:q} \
            --out {params.out:q} \
            2> {log:q}
        """


if JUDGED:

    rule count_usage:
        """Count how the sentences of one shard use words and articles."""
        input:
            pairs="data/interim/sentences/pairs/{shard}.jsonl.gz",
            weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json",
            tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json",
            classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json",
        output:
            "data/interim/sentences/usage/{shard}.jsonl.gz",
        log:
            "logs/sentences/count_usage/{shard}.log",
        benchmark:
            "logs/sentences/count_usage/{shard}.tsv"
        conda:
            "../envs/divlogic.yaml"
        params:
            code=code_of("sentences count"),
            tagger=subpath(input.weights, parent=True),
        shell:
            """
            divlogic sentences count \
                --in {input.pairs:q} \
                --tagger {params.tagger:q} \
                --out {output:q} \
                2> {log:q}
            """

    rule sum_usage:
        """Add up what was counted in each shard."""
        input:
            expand("data/interim/sentences/usage/{shard}.jsonl.gz", shard=SENTENCE_SHARDS),
        output:
            USAGE,
        log:
            "logs/sentences/sum_usage.log",
        benchmark:
            "logs/sentences/sum_usage.tsv"
        conda:
            "../envs/divlogic.yaml"
        params:
            code=code_of("sentences sum"),
            files=lambda wildcards, input: shard_names(input),
        shell:
            """
            divlogic sentences sum \
                {params.files:q} \
                --out {output:q} \
                2> {log:q}
            """


rule filter_sentences:
    """Filter one shard of the pairs, put missing auxiliaries back, negate, and group by premise."""
    input:
        pairs="data/interim/sentences/pairs/{shard}.jsonl.gz",
        weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json",
        tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json",
        classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json",
        usage=[USAGE] if JUDGED else [],
    output:
        groups="data/interim/sentences/{shard}.jsonl.gz",
        counts="data/interim/sentences/{shard}.counts.csv",
    log:
        "logs/sentences/filter_sentences/{shard}.log",
    benchmark:
        "logs/sentences/filter_sentences/{shard}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("sentences filter"),
        tagger=subpath(input.weights, parent=True),
        shards=PARAMS.sentences.shards,
        usage=lambda wildcards, input: ["--usage", *input.usage] if input.usage else [],
        config=params_of("corpus_source", *FILTER_KEYS),
    shell:
        """
        divlogic sentences filter \
            --in {input.pairs:q} \
            --tagger {params.tagger:q} \
            --shard {wildcards.shard:q} \
            --shards {params.shards:q} \
            {params.usage:q} \
            --params {params.config:q} \
            --out {output.groups:q} \
            --counts {output.counts:q} \
            2> {log:q}
        """


rule merge_sentences:
    """Merge the shards into one file sorted by group id, and sum up what was dropped and why."""
    input:
        groups=expand("data/interim/sentences/{shard}.jsonl.gz", shard=SENTENCE_SHARDS),
        counts=expand("data/interim/sentences/{shard}.counts.csv", shard=SENTENCE_SHARDS),
    output:
        groups=MERGED["groups"],
        counts=MERGED_COUNTS,
        summary=MERGED["summary"],
    log:
        "logs/sentences/merge_sentences.log",
    benchmark:
        "logs/sentences/merge_sentences.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("sentences merge"),
        groups=lambda wildcards, input: shard_names(input.groups),
        counts=lambda wildcards, input: shard_names(input.counts),
        config=params_of(*FILTER_KEYS),
    shell:
        """
        divlogic sentences merge \
            {params.groups:q} \
            {params.counts:q} \
            --params {params.config:q} \
            --out {output.groups:q} \
            --counts-out {output.counts:q} \
            --summary-out {output.summary:q} \
            2> {log:q}
        """


if CHECKED:

    rule train_checker:
        """Train a classifier of natural language inference on pairs whose premises word nothing (`make env-learner`)."""
        input:
            pairs=CHECKER_CORPUS,
            groups=MERGED["groups"],
        output:
            directory("data/interim/sentences/checker"),
        log:
            "logs/sentences/train_checker.log",
        benchmark:
            "logs/sentences/train_checker.tsv"
        conda:
            "../envs/divlogic.yaml"
        params:
            code=code_of("sentences train-checker"),
            config=params_of("seed", "sentences.checker"),
            work=".divlogic/checker",
        shell:
            """
            divlogic sentences train-checker \
                --pairs {input.pairs:q} \
                --without {input.groups:q} \
                --work {params.work:q} \
                --params {params.config:q} \
                --out {output:q} \
                2> {log:q}
            """

    rule check_sentences:
        """Give each hypothesis its probabilities, and leave entailed ones out that the checker doubts."""
        input:
            groups=MERGED["groups"],
            counts=MERGED["counts"],
            checker="data/interim/sentences/checker",
        output:
            groups="data/sentences/groups.jsonl.gz",
            counts=reported("results/sentences/filter.csv", "Data"),
            summary="results/sentences/summary.json",
        log:
            "logs/sentences/check_sentences.log",
        benchmark:
            "logs/sentences/check_sentences.tsv"
        conda:
            "../envs/divlogic.yaml"
        params:
            code=code_of("sentences check"),
            config=params_of("seed", "sentences.checker", "sentences.min_entailment"),
        shell:
            """
            divlogic sentences check \
                --in {input.groups:q} \
                --checker {input.checker:q} \
                --counts {input.counts:q} \
                --params {params.config:q} \
                --out {output.groups:q} \
                --counts-out {output.counts:q} \
                --summary-out {output.summary:q} \
                2> {log:q}
            """


rule tabulate_checker:
    """Tabulate what a trained checker would refuse, and how often readers agreed with it (recorded)."""
    input:
        recordings=CHECKER_RECORDED,
    output:
        reported("results/sentences/checker.csv", "Data"),
        multiext("results/sentences/checker", ".md", ".tex", ".json"),
    log:
        "logs/sentences/tabulate_checker.log",
    benchmark:
        "logs/sentences/tabulate_checker.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("sentences tabulate-check"),
        base=subpath(output[0], strip_suffix=".csv"),
    shell:
        """
        divlogic sentences tabulate-check \
            {input.recordings:q} \
            --out {params.base:q} \
            2> {log:q}
        """

# Sentences: from NLI pairs to groups of clean sentences with their negations.
#
# Inputs   data/interim/corpora/nli.jsonl.gz, data/interim/tagger/
# Outputs  data/sentences/groups.jsonl.gz, results/sentences/{filter.csv,summary.json}


if "PARAMS" not in globals():

    include: "../common.smk"


from divlogic.sentences.parameters import least_acceptability

SENTENCE_SHARDS = range(PARAMS.sentences.shards)
# Sentences are judged by how all of them use words, which is counted first.
JUDGED = least_acceptability(PARAMS.sentences, PARAMS.corpus_source) > 0
USAGE = "data/interim/sentences/usage.jsonl.gz"
SHARDED = ["pairs/", *(["usage/"] if JUDGED else []), ""]
# What neither the filter nor the merge reads: a change of it filters nothing again.
FILTER_KEYS = [f"sentences.{key}" for key in VALUES["sentences"] if key != "shards"]


rule sentences:
    """All outputs of the phase."""
    input:
        expand("data/interim/sentences/{folder}{shard}.jsonl.gz", folder=SHARDED, shard=SENTENCE_SHARDS),
        [USAGE] if JUDGED else [],
        "data/sentences/groups.jsonl.gz",
        "results/sentences/filter.csv",
        "results/sentences/summary.json",


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
            weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json.gz",
            tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json.gz",
            classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json.gz",
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
        weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json.gz",
        tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json.gz",
        classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json.gz",
        usage=[USAGE] if JUDGED else [],
    output:
        groups="data/interim/sentences/{shard}.jsonl.gz",
        counts="data/interim/sentences/{shard}.counts.csv.gz",
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
        counts=expand("data/interim/sentences/{shard}.counts.csv.gz", shard=SENTENCE_SHARDS),
    output:
        groups="data/sentences/groups.jsonl.gz",
        counts=reported("results/sentences/filter.csv", "Data"),
        summary="results/sentences/summary.json",
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

# Sentences: from NLI pairs to groups of clean sentences with their negations.
#
# Inputs   data/interim/corpora/nli.jsonl.gz, data/interim/tagger/
# Outputs  data/sentences/groups.jsonl.gz, results/sentences/{filter.csv,summary.json}


include: "../common.smk"


SENTENCE_SHARDS = range(PARAMS.sentences.shards)


rule sentences:
    """All outputs of the phase."""
    input:
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
        code=code_of("sentences.partition"),
        shards=PARAMS.sentences.shards,
        out=subpath(output[0], parent=True),
    message:
        "Dividing the pairs by premise"
    shell:
        """
        divlogic sentences partition \
            --in {input:q} \
            --shards {params.shards:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule filter_sentences:
    """Filter one shard of the pairs, put missing auxiliaries back, negate, and group by premise."""
    input:
        pairs="data/interim/sentences/pairs/{shard}.jsonl.gz",
        weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json",
        tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json",
        classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json",
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
        code=code_of(
            "corpora.tagging.perceptron",
            "sentences.filtering",
            "sentences.groups",
            "sentences.quick_tagger",
            "sentences.tokens",
        ),
        tagger=subpath(input.weights, parent=True),
        shards=PARAMS.sentences.shards,
        config=params_of("sentences"),
    message:
        "Filtering and negating sentences, shard {wildcards.shard}"
    shell:
        """
        divlogic sentences filter \
            --in {input.pairs:q} \
            --tagger {params.tagger:q} \
            --shard {wildcards.shard:q} \
            --shards {params.shards:q} \
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
        code=code_of("sentences.merging"),
        groups=lambda wildcards, input: shard_names(input.groups),
        counts=lambda wildcards, input: shard_names(input.counts),
        config=params_of("sentences"),
    message:
        "Merging sentence groups"
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

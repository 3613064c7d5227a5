# What JustLogic alone has: the table of generic statements that words its arguments. Included by ../benchmarks.smk.
#
# Inputs   data/interim/corpora/generics.jsonl.gz, data/interim/tagger/
# Outputs  results/benchmarks/justlogic/statements.csv, data/interim/benchmarks/justlogic/fresh/


REALISE_INPUTS["justlogic"] = {"statements": "data/interim/benchmarks/justlogic/statements.jsonl.gz"}
TARGETS["justlogic"] = [
    *expand(
        "data/interim/benchmarks/justlogic/{folder}/{shard}.jsonl.gz",
        folder=["generics", "statements"],
        shard=SHARDS["justlogic"],
    ),
    "results/benchmarks/justlogic/statements.csv",
    "data/interim/benchmarks/justlogic/fresh/worded.jsonl.gz",
]


rule partition_statements:
    """Divide the generic statements by term, so that each shard of the filter reads its own."""
    input:
        "data/interim/corpora/generics.jsonl.gz",
    output:
        expand("data/interim/benchmarks/justlogic/generics/{shard}.jsonl.gz", shard=SHARDS["justlogic"]),
    log:
        "logs/benchmarks/partition_statements.log",
    benchmark:
        "logs/benchmarks/partition_statements.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks justlogic partition"),
        shards=PARAMS.benchmarks.justlogic.shards,
        out=subpath(output[0], parent=True),
    shell:
        """
        divlogic benchmarks justlogic partition \
            --in {input:q} \
            --shards {params.shards:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule filter_statements:
    """Filter one shard of the generic statements, and negate them where that is certain."""
    input:
        statements="data/interim/benchmarks/justlogic/generics/{shard}.jsonl.gz",
        weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json.gz",
        tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json.gz",
        classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json.gz",
    output:
        statements="data/interim/benchmarks/justlogic/statements/{shard}.jsonl.gz",
        counts="data/interim/benchmarks/justlogic/statements/{shard}.counts.csv.gz",
    log:
        "logs/benchmarks/filter_statements/{shard}.log",
    benchmark:
        "logs/benchmarks/filter_statements/{shard}.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks justlogic statements"),
        tagger=subpath(input.weights, parent=True),
        shards=PARAMS.benchmarks.justlogic.shards,
        config=params_of("benchmarks.justlogic.statements"),
    shell:
        """
        divlogic benchmarks justlogic statements \
            --in {input.statements:q} \
            --tagger {params.tagger:q} \
            --shard {wildcards.shard:q} \
            --shards {params.shards:q} \
            --params {params.config:q} \
            --out {output.statements:q} \
            --counts {output.counts:q} \
            2> {log:q}
        """


rule tabulate_statements:
    """Merge the shards of statements into one table, and sum up what was dropped and why."""
    input:
        statements=expand(
            "data/interim/benchmarks/justlogic/statements/{shard}.jsonl.gz", shard=SHARDS["justlogic"]
        ),
        counts=expand(
            "data/interim/benchmarks/justlogic/statements/{shard}.counts.csv.gz", shard=SHARDS["justlogic"]
        ),
    output:
        table="data/interim/benchmarks/justlogic/statements.jsonl.gz",
        counts=reported("results/benchmarks/justlogic/statements.csv", "Data"),
        described="results/benchmarks/justlogic/statements.json",
    log:
        "logs/benchmarks/tabulate_statements.log",
    benchmark:
        "logs/benchmarks/tabulate_statements.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks justlogic table"),
        statements=lambda wildcards, input: shard_names(input.statements),
        counts=lambda wildcards, input: shard_names(input.counts),
        config=params_of("benchmarks.justlogic.statements.structured_share"),
    shell:
        """
        divlogic benchmarks justlogic table \
            {params.statements:q} \
            {params.counts:q} \
            --params {params.config:q} \
            --out {output.table:q} \
            --counts-out {output.counts:q} \
            2> {log:q}
        """


rule draw_fresh_arguments:
    """Draw and word fresh instances of JustLogic for the probes that look for shortcuts."""
    input:
        "data/interim/benchmarks/justlogic/statements.jsonl.gz",
    output:
        "data/interim/benchmarks/justlogic/fresh/worded.jsonl.gz",
    log:
        "logs/benchmarks/draw_fresh_arguments.log",
    benchmark:
        "logs/benchmarks/draw_fresh_arguments.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks justlogic fresh"),
        config=params_of("corpus_source", "seed", "benchmarks.justlogic"),
    shell:
        """
        divlogic benchmarks justlogic fresh \
            --statements {input:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """

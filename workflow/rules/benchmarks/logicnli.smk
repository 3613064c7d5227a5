# What LogicNLI alone has: many sets in one pass, and Z3's verdict on all of its test sets. Included by ../benchmarks.smk.
#
# Inputs   data/profiles/logicnli_release.json, logicnli_as_published.json; in full runs data/raw/full/logicnli
# Outputs  data/benchmarks/logicnli/<set>.jsonl[.zst], results/benchmarks/logicnli/{z3.json,sets,depths,floors}


from divlogic.benchmarks.logicnli.set_names import is_test

PLANS["logicnli"] = ["data/interim/benchmarks/logicnli/sets.json.gz"]
ASSEMBLED.add("logicnli")
VERIFIED.add("logicnli")
TARGETS["logicnli"] = [
    *expand("data/interim/benchmarks/logicnli/confirmed/{shard}.json.gz", shard=SHARDS["logicnli"]),
    *expand("results/benchmarks/logicnli/{table}.csv", table=["sets", "depths", "floors"]),
]
LOGICNLI_RELEASE = (
    [f"{RAW}/logicnli"] if PARAMS.corpus_source == "full" and "logicnli" in CORPORA["all"] else []
)


rule assemble_logicnli:
    """Put the shards of LogicNLI together: one file per set."""
    input:
        realised=realised_shards("logicnli"),
        counts=realised_counts("logicnli"),
    output:
        sets=splits_of("logicnli"),
        statistics="data/interim/benchmarks/logicnli/sets.json.gz",
    log:
        "logs/benchmarks/assemble_logicnli.log",
    benchmark:
        "logs/benchmarks/assemble_logicnli.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks logicnli sets"),
        config=params_of("corpus_source", "seed", "benchmarks.logicnli"),
        realised=lambda wildcards, input: shard_names(input.realised),
        counts=lambda wildcards, input: shard_names(input.counts),
        out=subpath(output[0], parent=True),
    shell:
        """
        divlogic benchmarks logicnli sets \
            {params.realised:q} \
            {params.counts:q} \
            --statistics {output.statistics:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule describe_logicnli:
    """Tabulate the sets of LogicNLI, the depths of random theories next to the release's, and what needs no reasoning."""
    input:
        statistics="data/interim/benchmarks/logicnli/sets.json.gz",
        profile=source("data/profiles/logicnli_release.json"),
        drawn=source("data/profiles/logicnli_as_published.json"),
        release=LOGICNLI_RELEASE,
    output:
        [
            reported(f"results/benchmarks/logicnli/{table}.csv", "Data", f"logicnli_{table}")
            for table in ("sets", "depths", "floors")
        ],
        expand(
            "results/benchmarks/logicnli/{table}.{suffix}",
            table=["sets", "depths", "floors"],
            suffix=["md", "tex", "json"],
        ),
    log:
        "logs/benchmarks/describe_logicnli.log",
    benchmark:
        "logs/benchmarks/describe_logicnli.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks logicnli describe"),
        out=subpath(output[0], parent=True),
        release=options("release"),
        config=params_of("corpus_source", "seed", "benchmarks.logicnli"),
    shell:
        """
        divlogic benchmarks logicnli describe \
            --statistics {input.statistics:q} \
            {params.release:q} \
            --profile {input.profile:q} \
            --drawn {input.drawn:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule confirm_logicnli:
    """Read a share of the texts of LogicNLI's test sets back, and confirm their labels with Z3, in every reading claimed."""
    input:
        records=splits_of("logicnli", is_test),
    output:
        "data/interim/benchmarks/logicnli/confirmed/{shard}.json.gz",
    log:
        "logs/benchmarks/confirm_logicnli/{shard}.log",
    benchmark:
        "logs/benchmarks/confirm_logicnli/{shard}.tsv"
    priority: 10
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks logicnli confirm"),
        shards=len(SHARDS["logicnli"]),
    shell:
        """
        divlogic benchmarks logicnli confirm \
            {input.records:q} \
            --shard {wildcards.shard:q} \
            --shards {params.shards:q} \
            --out {output:q} \
            2> {log:q}
        """


rule report_logicnli:
    """Put the reports on all shares of LogicNLI's test sets together."""
    input:
        confirmed=expand(
            "data/interim/benchmarks/logicnli/confirmed/{shard}.json.gz", shard=SHARDS["logicnli"]
        ),
    output:
        "results/benchmarks/logicnli/z3.json",
    log:
        "logs/benchmarks/report_logicnli.log",
    benchmark:
        "logs/benchmarks/report_logicnli.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks logicnli confirmed"),
        confirmed=lambda wildcards, input: shard_names(input.confirmed),
    shell:
        """
        divlogic benchmarks logicnli confirmed \
            {params.confirmed:q} \
            --out {output:q} \
            2> {log:q}
        """

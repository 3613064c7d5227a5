# What LogicNLI alone has: many sets in one pass, and Z3's verdict on all of its test sets. Included by ../benchmarks.smk.
#
# Inputs   data/profiles/logicnli_release.json; in full runs data/raw/full/logicnli
# Outputs  data/benchmarks/logicnli/<set>.jsonl, results/benchmarks/logicnli/{z3.json,sets,depths,floors}


from divlogic.benchmarks.logicnli.set_names import is_test

TARGETS["logicnli"] = expand("results/benchmarks/logicnli/{table}.csv", table=["sets", "depths", "floors"])
LOGICNLI_RELEASE = (
    [f"{RAW}/logicnli"] if PARAMS.corpus_source == "full" and "logicnli" in CORPORA["all"] else []
)


ruleorder: assemble_logicnli > assemble_split
ruleorder: confirm_logicnli > verify_labels


rule assemble_logicnli:
    """Put the shards of LogicNLI together: one file per set."""
    input:
        realised=realised_shards("logicnli"),
    output:
        sets=splits_of("logicnli"),
        statistics="data/interim/benchmarks/logicnli/sets.json",
    log:
        "logs/benchmarks/assemble_logicnli.log",
    benchmark:
        "logs/benchmarks/assemble_logicnli.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks.logicnli.build", "benchmarks.logicnli.cli"),
        realised=lambda wildcards, input: shard_names(input.realised),
        out=subpath(output[0], parent=True),
    message:
        "Assembling the sets of LogicNLI"
    shell:
        """
        divlogic benchmarks logicnli sets \
            {params.realised:q} \
            --statistics {output.statistics:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule describe_logicnli:
    """Tabulate the sets of LogicNLI, the depths of random theories beside the release's, and what needs no reasoning."""
    input:
        statistics="data/interim/benchmarks/logicnli/sets.json",
        profile="data/profiles/logicnli_release.json",
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
        code=code_of("benchmarks.logicnli.describe", "benchmarks.logicnli.cli"),
        out=subpath(output[0], parent=True),
        release=[f"--release={folder}" for folder in LOGICNLI_RELEASE],
        config=params_of("corpus_source", "seed", "benchmarks.logicnli"),
    message:
        "Describing the sets of LogicNLI"
    shell:
        """
        divlogic benchmarks logicnli describe \
            --statistics {input.statistics:q} \
            {params.release:q} \
            --profile {input.profile:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule confirm_logicnli:
    """Read every text of LogicNLI's test sets back, and confirm its label with Z3, twice where it holds in both readings."""
    input:
        records=expand(
            "data/benchmarks/logicnli/{set}.jsonl",
            set=[name for name in GENERATORS["logicnli"].splits if is_test(name)],
        ),
    output:
        "results/benchmarks/logicnli/z3.json",
    log:
        "logs/benchmarks/confirm_logicnli.log",
    benchmark:
        "logs/benchmarks/confirm_logicnli.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks.logicnli", "logic"),
    message:
        "Confirming the labels of LogicNLI with Z3"
    shell:
        """
        divlogic benchmarks logicnli confirm \
            {input.records:q} \
            --out {output:q} \
            2> {log:q}
        """

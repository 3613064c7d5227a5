# Hardening: models in five roles rewrite own seeds that are too easy; off by default (hardening.enabled), then the files are empty.
#
# Inputs   data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz
# Outputs  data/hardening/{accepted,trace}.jsonl, results/hardening/outcomes.csv


if "PARAMS" not in globals():

    include: "../common.smk"


HARDENING_HOW = params_of("hardening.limits")


rule hardening:
    """All outputs of the phase."""
    input:
        "results/hardening/outcomes.csv",


rule harden_with_models:
    """Lead the seeds through Decider, Proposal, solver, Review, Answering and Verification."""
    input:
        seeds="data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz",
    output:
        accepted="data/hardening/accepted.jsonl",
        trace="data/hardening/trace.jsonl",
        outcomes=reported("results/hardening/outcomes.csv", "Data", "hardening_outcomes"),
    log:
        "logs/hardening/harden_with_models.log",
    benchmark:
        "logs/hardening/harden_with_models.tsv"
    conda:
        "../envs/divlogic.yaml"
    resources:
        how=HARDENING_HOW,
    params:
        code=code_of("hardening run"),
        stores=".divlogic/responses/hardening",
        config=params_of("seed", "hardening"),
    shell:
        """
        divlogic hardening run \
            --in {input.seeds:q} \
            --stores {params.stores:q} \
            --params {params.config:q} \
            --params {resources.how:q} \
            --out {output.accepted:q} \
            --trace {output.trace:q} \
            --table {output.outcomes:q} \
            2> {log:q}
        """

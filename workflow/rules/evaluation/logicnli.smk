# What LogicNLI alone has: learners on its sets, and four diagnoses. Included by ../evaluation.smk.
#
# Inputs   data/benchmarks/logicnli/, data/recorded/logicnli/
# Outputs  data/interim/evaluation/logicnli/networks/<network>.jsonl.gz where networks are named,
#          results/evaluation/logicnli/{diagnosis,curves,connectives}.{csv,md,tex}


from divlogic.models.parameters import slug_of_name

LOGICNLI_TABLES = ["diagnosis", "curves", "connectives"]
LOGICNLI_NETWORKS = {slug_of_name(one.label): one for one in PARAMS.evaluation.logicnli.networks}
LOGICNLI_RECORDED = sources("data/recorded/logicnli", "*.json")
LOGICNLI_ANSWERS = [
    *PARAMS.evaluation.logicnli.predictions,
    *ASKED_ANSWERS["logicnli"],
    *expand("data/interim/evaluation/logicnli/networks/{network}.jsonl.gz", network=LOGICNLI_NETWORKS),
]


rule train_logicnli_network:
    """Train one network on LogicNLI's training sets, and answer the sets that go with each."""
    input:
        splits_of("logicnli"),
    output:
        "data/interim/evaluation/logicnli/networks/{network}.jsonl.gz",
    log:
        "logs/evaluation/train_logicnli_network/{network}.log",
    benchmark:
        "logs/evaluation/train_logicnli_network/{network}.tsv"
    wildcard_constraints:
        network=r"[A-Za-z0-9.-]+",
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("evaluation logicnli train"),
        sets=lambda wildcards, input: Path(input[0]).parent,
        options=lambda wildcards: LOGICNLI_NETWORKS[wildcards.network].options,
        config=params_of("seed"),
    shell:
        """
        divlogic evaluation logicnli train \
            {params.options:q} \
            --sets {params.sets:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule diagnose_logicnli:
    """Train LogicNLI's learners, answer its sets, and tabulate the four diagnoses."""
    input:
        sets=splits_of("logicnli"),
        predictions=LOGICNLI_ANSWERS,
        recordings=ASKED_REPORTS["logicnli"],
        recorded=LOGICNLI_RECORDED,
    output:
        [
            reported(f"results/evaluation/logicnli/{table}.csv", "Evaluation", f"logicnli_{table}")
            for table in LOGICNLI_TABLES
        ],
        expand(
            "results/evaluation/logicnli/{table}.{suffix}",
            table=LOGICNLI_TABLES,
            suffix=["md", "tex", "json"],
        ),
        answers="data/interim/evaluation/logicnli/answers.jsonl.gz",
    log:
        "logs/evaluation/diagnose_logicnli.log",
    benchmark:
        "logs/evaluation/diagnose_logicnli.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("evaluation logicnli diagnose"),
        sets=lambda wildcards, input: Path(input.sets[0]).parent,
        out=subpath(output[0], parent=True),
        recordings=options("recordings"),
        recorded=options("recorded"),
        config=params_of("seed", "evaluation.logicnli.learners", "evaluation.resamples"),
    shell:
        """
        divlogic evaluation logicnli diagnose \
            {input.predictions:q} \
            --sets {params.sets:q} \
            --answers {output.answers:q} \
            {params.recordings:q} \
            {params.recorded:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """

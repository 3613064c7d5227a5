# What LogicNLI alone has: learners on its sets, and four diagnoses. Included by ../evaluation.smk.
#
# Inputs   data/benchmarks/logicnli/
# Outputs  results/evaluation/logicnli/{diagnosis,curves,connectives}.{csv,md,tex}


from divlogic.benchmarks.logicnli.set_names import SETS as LOGICNLI_SETS

LOGICNLI_TABLES = ["diagnosis", "curves", "connectives"]
LOGICNLI_ANSWERS = [*PARAMS.evaluation.logicnli.predictions, *ASKED_ANSWERS["logicnli"]]


rule diagnose_logicnli:
    """Train LogicNLI's learners, answer its sets, and tabulate the four diagnoses."""
    input:
        sets=expand("data/benchmarks/logicnli/{set}.jsonl", set=LOGICNLI_SETS),
        predictions=LOGICNLI_ANSWERS,
        recordings=ASKED_REPORTS["logicnli"],
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
        code=code_of("evaluation.logicnli.diagnose", "evaluation.logicnli.cli"),
        sets=lambda wildcards, input: Path(input.sets[0]).parent,
        out=subpath(output[0], parent=True),
        recordings=[f"--recordings={path}" for path in ASKED_REPORTS["logicnli"]],
        config=params_of("seed", "evaluation.logicnli.learners", "evaluation.resamples"),
    message:
        "Diagnosing LogicNLI"
    shell:
        """
        divlogic evaluation logicnli diagnose \
            {input.predictions:q} \
            --sets {params.sets:q} \
            --answers {output.answers:q} \
            {params.recordings:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """

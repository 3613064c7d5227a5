# What JustLogic alone has: recorded labels, a word-overlap baseline, its table of systems, and what makes an answer
# wrong. Included by ../evaluation.smk.
#
# Inputs   data/benchmarks/justlogic/, recorded labels in data/recorded/ or data/raw/
# Outputs  results/evaluation/{label_accuracy,justlogic_groups,justlogic_regression}.{csv,md,tex}


JUSTLOGIC_ANSWERS = [
    "data/interim/evaluation/justlogic/recorded.jsonl.gz",
    "data/interim/evaluation/justlogic/overlap.jsonl.gz",
    *ASKED_ANSWERS["justlogic"],
]
LABEL_REPORTS = [
    "data/interim/evaluation/justlogic/recorded_report.json.gz",
    "data/interim/evaluation/justlogic/listed_report.json.gz",
    *ASKED_REPORTS["justlogic"],
]


rule answer_by_overlap:
    """Answer JustLogic's questions by word overlap with the context: the baseline of the error analysis."""
    input:
        records="data/benchmarks/justlogic/test.jsonl",
    output:
        "data/interim/evaluation/justlogic/overlap.jsonl.gz",
    log:
        "logs/evaluation/answer_by_overlap.log",
    benchmark:
        "logs/evaluation/answer_by_overlap.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("evaluation overlap"),
    shell:
        """
        divlogic evaluation overlap \
            {input.records:q} \
            --out {output:q} \
            2> {log:q}
        """


rule read_label_recordings:
    """Read recorded labels with context as predictions: those of JustLogic's authors, and those of the parameters."""
    input:
        folders=recorded_folders(),
        files=[source(replay.file) for replay in LABEL_REPLAYS],
    output:
        predictions="data/interim/evaluation/justlogic/recorded.jsonl.gz",
        questions="data/interim/evaluation/justlogic/recorded_questions.jsonl.gz",
        listed="data/interim/evaluation/justlogic/listed.jsonl.gz",
        report="data/interim/evaluation/justlogic/recorded_report.json.gz",
        listed_report="data/interim/evaluation/justlogic/listed_report.json.gz",
    log:
        "logs/evaluation/read_label_recordings.log",
    benchmark:
        "logs/evaluation/read_label_recordings.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("recordings", "evaluation recorded-questions"),
        replays=[as_json(replay) for replay in LABEL_REPLAYS],
        listed=lambda wildcards, input: copied_replays(LABEL_REPLAYS, input.files),
    shell:
        """
        divlogic recordings \
            {input.folders:q} \
            --reader recorded:justlogic \
            --out {output.predictions:q} \
            --report {output.report:q} \
            2> {log:q}
        divlogic recordings \
            {params.listed:q} \
            --out {output.listed:q} \
            --report {output.listed_report:q} \
            2>> {log:q}
        divlogic evaluation recorded-questions \
            {input.folders:q} \
            --out {output.questions:q} \
            2>> {log:q}
        """


rule tabulate_label_accuracy:
    """Write JustLogic's table of systems."""
    input:
        answers=[*JUSTLOGIC_ANSWERS, "data/interim/evaluation/justlogic/listed.jsonl.gz"],
        records="data/benchmarks/justlogic/test.jsonl",
        pool="data/benchmarks/justlogic/train.jsonl",
        recordings=LABEL_REPORTS,
    output:
        reported("results/evaluation/label_accuracy.csv", "Evaluation"),
        multiext("results/evaluation/label_accuracy", ".md", ".tex", ".json"),
    log:
        "logs/evaluation/tabulate_label_accuracy.log",
    benchmark:
        "logs/evaluation/tabulate_label_accuracy.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("evaluation label-accuracy"),
        base=subpath(output[0], strip_suffix=".csv"),
        recordings=options("recordings"),
        config=params_of("seed", "evaluation.resamples"),
    shell:
        """
        divlogic evaluation label-accuracy \
            {input.answers:q} \
            --records {input.records:q} \
            --pool {input.pool:q} \
            {params.recordings:q} \
            --params {params.config:q} \
            --out {params.base:q} \
            2> {log:q}
        """


rule analyse_errors:
    """Write what makes JustLogic's instances hard: accuracy by depth, form and label, and a logistic regression."""
    input:
        answers=JUSTLOGIC_ANSWERS,
        records=[
            "data/benchmarks/justlogic/test.jsonl",
            "data/interim/evaluation/justlogic/recorded_questions.jsonl.gz",
        ],
        pool="data/benchmarks/justlogic/train.jsonl",
    output:
        groups=[
            reported("results/evaluation/justlogic_groups.csv", "Evaluation"),
            *multiext("results/evaluation/justlogic_groups", ".md", ".tex", ".json"),
        ],
        regression=[
            reported("results/evaluation/justlogic_regression.csv", "Evaluation"),
            *multiext("results/evaluation/justlogic_regression", ".md", ".tex", ".json"),
        ],
    log:
        "logs/evaluation/analyse_errors.log",
    benchmark:
        "logs/evaluation/analyse_errors.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("evaluation error-analysis"),
        groups=subpath(output[0], strip_suffix=".csv"),
        regression=subpath(output[4], strip_suffix=".csv"),
        config=params_of("seed", "evaluation.resamples"),
    shell:
        """
        divlogic evaluation error-analysis \
            {input.answers:q} \
            --records {input.records[0]:q} \
            --records {input.records[1]:q} \
            --pool {input.pool:q} \
            --groups {params.groups:q} \
            --regression {params.regression:q} \
            --params {params.config:q} \
            2> {log:q}
        """

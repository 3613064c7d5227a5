# Evaluation: every prompt as a file, every configured model's answers, their scores, the papers' tables and Figure 2.
#
# Inputs   data/benchmarks/, data/sentences/groups.jsonl.gz, data/published/; in full runs the recorded answers in data/raw/
# Outputs  data/evaluation/rotations/, results/evaluation/{predictions.jsonl,scores.csv,pairs.csv,published_audit.csv},
#          results/evaluation/table{1,2,3,6,8}.{csv,md,tex}, results/evaluation/figure2.{svg,png}
#
# Answers are kept for good in .divlogic/responses/, outside the rules' outputs: they may have cost money.


from divlogic.evaluation.justlogic import is_asked as answers_justlogic


include: "../common.smk"


MODELS = {model_slug(model): model_label(model) for model in PARAMS.evaluation.models}
JUSTLOGIC_MODELS = [
    model_slug(model) for model in PARAMS.evaluation.models if answers_justlogic(model, PARAMS.evaluation)
]
JUSTLOGIC_ANSWERS = [
    "data/interim/evaluation/justlogic/recorded.jsonl",
    "data/interim/evaluation/justlogic/overlap.jsonl",
    *expand("data/interim/evaluation/justlogic/models/{model}.jsonl", model=JUSTLOGIC_MODELS),
]
PAPER_TABLES = ["table1", "table2", "table3", "table6", "table8"]


rule evaluation:
    """All outputs of the phase."""
    input:
        "results/evaluation/predictions.jsonl",
        "results/evaluation/scores.csv",
        "results/evaluation/pairs.csv",
        "results/evaluation/published_audit.csv",
        expand("results/evaluation/{table}.csv", table=PAPER_TABLES),
        "results/evaluation/figure2.svg",
        "results/evaluation/label_accuracy.csv",
        "results/evaluation/justlogic_groups.csv",
        "results/evaluation/justlogic_regression.csv",


rule rotate_benchmark:
    """Write the four rotations of every instance as prompts of one style."""
    input:
        records="data/benchmarks/{benchmark}/test.jsonl",
        pool="data/benchmarks/{benchmark}/unpolished.jsonl",
        code=code_of("evaluation/rotations.py", "models/letters.py", "models/prompts.py", "models/styles.py"),
    output:
        "data/evaluation/rotations/{benchmark}/{prompt}.jsonl.gz",
    log:
        "logs/evaluation/rotate_benchmark/{benchmark}/{prompt}.log",
    benchmark:
        "logs/evaluation/rotate_benchmark/{benchmark}/{prompt}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("evaluation"),
    message:
        "Rotating {wildcards.benchmark}, {wildcards.prompt}"
    shell:
        """
        divlogic evaluation rotate \
            --in {input.records:q} \
            --pool {input.pool:q} \
            --prompt {wildcards.prompt} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule run_model:
    """Ask one model for every answer that the store lacks, and export its answers in a fixed order."""
    input:
        rotations=expand(
            "data/evaluation/rotations/{benchmark}/{prompt}.jsonl.gz",
            benchmark=PARAMS.evaluation.benchmarks,
            prompt=PARAMS.evaluation.prompts,
        ),
        train="data/benchmarks/divlogiceval/unpolished.jsonl",
        records=expand("data/benchmarks/{benchmark}/test.jsonl", benchmark=PARAMS.evaluation.benchmarks),
        groups="data/sentences/groups.jsonl.gz",
        code=code_of("evaluation", "models", "benchmarks/templates", "logic"),
    output:
        "data/interim/evaluation/{model}.jsonl",
    log:
        "logs/evaluation/run_model/{model}.log",
    benchmark:
        "logs/evaluation/run_model/{model}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        label=lambda wildcards: MODELS[wildcards.model],
        records=expand(
            "--records data/benchmarks/{benchmark}/test.jsonl", benchmark=PARAMS.evaluation.benchmarks
        ),
        store=".divlogic/responses/{model}.jsonl",
        summary="logs/evaluation/run_model/{model}.json",
        config=params_of("evaluation"),
    message:
        "Running {wildcards.model}"
    shell:
        """
        divlogic evaluation run \
            {input.rotations:q} \
            --model {params.label:q} \
            --store {params.store:q} \
            --train {input.train:q} \
            {params.records} \
            --groups {input.groups:q} \
            --summary {params.summary:q} \
            --params {params.config:q} \
            2> {log:q}
        divlogic evaluation export \
            {input.rotations:q} \
            --model {params.label:q} \
            --store {params.store:q} \
            --train {input.train:q} \
            {params.records} \
            --groups {input.groups:q} \
            --params {params.config:q} \
            --out {output:q} \
            2>> {log:q}
        """


rule replay_recorded:
    """Read the answers that the papers' authors recorded, as far as the corpora of the run hold them."""
    input:
        folders=expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA.get("recorded", [])),
        code=code_of(
            "evaluation/replay.py",
            "evaluation/recorded.py",
            "evaluation/predictions.py",
            "corpora/manifest.py",
            "models/letters.py",
        ),
    output:
        "data/interim/evaluation/recorded/predictions.jsonl",
    log:
        "logs/evaluation/replay_recorded.log",
    benchmark:
        "logs/evaluation/replay_recorded.tsv"
    conda:
        "../envs/divlogic.yaml"
    message:
        "Replaying recorded answers"
    shell:
        """
        divlogic evaluation recorded \
            {input.folders:q} \
            --out {output:q} \
            2> {log:q}
        """


rule replay_files:
    """Read the recordings that the parameters list."""
    input:
        files=[replay.file for replay in PARAMS.evaluation.replays],
        code=code_of("evaluation", "models"),
    output:
        predictions="data/interim/evaluation/replays/predictions.jsonl",
        labels="data/interim/evaluation/replays/labels.jsonl",
    log:
        "logs/evaluation/replay_files.log",
    benchmark:
        "logs/evaluation/replay_files.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("evaluation"),
    message:
        "Replaying the recordings of the parameters"
    shell:
        """
        divlogic evaluation replays \
            --params {params.config:q} \
            --out {output.predictions:q} \
            --labels {output.labels:q} \
            2> {log:q}
        """


rule gather_predictions:
    """Put the predictions of all models together, in the order of the parameters."""
    input:
        models=expand("data/interim/evaluation/{model}.jsonl", model=MODELS),
        recorded="data/interim/evaluation/recorded/predictions.jsonl",
        replays="data/interim/evaluation/replays/predictions.jsonl",
        code=code_of("evaluation/recorded.py"),
    output:
        "results/evaluation/predictions.jsonl",
    log:
        "logs/evaluation/gather_predictions.log",
    benchmark:
        "logs/evaluation/gather_predictions.tsv"
    conda:
        "../envs/divlogic.yaml"
    message:
        "Gathering predictions"
    shell:
        """
        divlogic evaluation gather \
            {input.models:q} \
            {input.recorded:q} \
            {input.replays:q} \
            --out {output:q} \
            2> {log:q}
        """


rule score_predictions:
    """Score every model: ACC, CIR and PC per question type and overall, with intervals and paired tests."""
    input:
        predictions="results/evaluation/predictions.jsonl",
        code=code_of("evaluation/metrics.py", "evaluation/scoring.py", "evaluation/steps.py", "intervals.py"),
    output:
        scores=reported("results/evaluation/scores.csv", "Evaluation"),
        pairs=reported("results/evaluation/pairs.csv", "Evaluation"),
    log:
        "logs/evaluation/score_predictions.log",
    benchmark:
        "logs/evaluation/score_predictions.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("evaluation"),
    message:
        "Scoring predictions"
    shell:
        """
        divlogic evaluation score \
            {input.predictions:q} \
            --params {params.config:q} \
            --out {output.scores:q} \
            --pairs {output.pairs:q} \
            2> {log:q}
        """


rule write_evaluation_tables:
    """Write Tables 1, 2, 3, 6 and 8 of DivLogicEval: printed rows, and measured ones beside them."""
    input:
        predictions="results/evaluation/predictions.jsonl",
        published=published_files(),
        code=code_of("evaluation", "intervals.py", "tables.py"),
    output:
        [reported(f"results/evaluation/{table}.csv", "Evaluation") for table in PAPER_TABLES],
        expand("results/evaluation/{table}.{suffix}", table=PAPER_TABLES, suffix=["md", "tex"]),
    log:
        "logs/evaluation/write_evaluation_tables.log",
    benchmark:
        "logs/evaluation/write_evaluation_tables.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        out=subpath(output[0], parent=True),
        config=params_of("evaluation"),
    message:
        "Writing the evaluation tables"
    shell:
        """
        divlogic evaluation tables \
            {input.predictions:q} \
            --published "$(dirname {input.published[0]:q})" \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule draw_figure2:
    """Draw Figure 2 of DivLogicEval: models by shots, metric and question type."""
    input:
        predictions="results/evaluation/predictions.jsonl",
        published=published_files(),
        code=code_of("evaluation", "intervals.py", "figures.py"),
    output:
        svg=reported("results/evaluation/figure2.svg", "Evaluation"),
        png="results/evaluation/figure2.png",
    log:
        "logs/evaluation/draw_figure2.log",
    benchmark:
        "logs/evaluation/draw_figure2.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        base=subpath(output.svg, strip_suffix=".svg"),
        config=params_of("evaluation"),
    message:
        "Drawing Figure 2"
    shell:
        """
        divlogic evaluation figure \
            {input.predictions:q} \
            --published "$(dirname {input.published[0]:q})" \
            --params {params.config:q} \
            --out {params.base:q} \
            2> {log:q}
        """


rule audit_published:
    """List every printed cell that breaks a rule of arithmetic or of the metrics."""
    input:
        published=published_files(),
        code=code_of("evaluation/audit.py", "evaluation/published.py"),
    output:
        reported("results/evaluation/published_audit.csv", "Evaluation"),
    log:
        "logs/evaluation/audit_published.log",
    benchmark:
        "logs/evaluation/audit_published.tsv"
    conda:
        "../envs/divlogic.yaml"
    message:
        "Auditing the published tables"
    shell:
        """
        divlogic evaluation audit-published \
            --in "$(dirname {input.published[0]:q})" \
            --out {output:q} \
            > {log:q} 2>&1
        """


rule answer_by_overlap:
    """Answer JustLogic's questions by word overlap with the context: the baseline of the error analysis."""
    input:
        records="data/benchmarks/justlogic/test.jsonl",
        code=code_of("evaluation/depth.py", "models/closed_answers.py"),
    output:
        "data/interim/evaluation/justlogic/overlap.jsonl",
    log:
        "logs/evaluation/answer_by_overlap.log",
    benchmark:
        "logs/evaluation/answer_by_overlap.tsv"
    conda:
        "../envs/divlogic.yaml"
    message:
        "Answering JustLogic by word overlap"
    shell:
        """
        divlogic evaluation overlap \
            {input.records:q} \
            --out {output:q} \
            2> {log:q}
        """


rule ask_justlogic:
    """Ask one model JustLogic's questions with their context, those that the store holds no answer to."""
    input:
        records="data/benchmarks/justlogic/test.jsonl",
        pool="data/benchmarks/justlogic/train.jsonl",
        code=code_of("evaluation/justlogic.py", "models"),
    output:
        "data/interim/evaluation/justlogic/models/{model}.jsonl",
    log:
        "logs/evaluation/ask_justlogic/{model}.log",
    benchmark:
        "logs/evaluation/ask_justlogic/{model}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        label=lambda wildcards: MODELS[wildcards.model],
        store=".divlogic/responses/justlogic/{model}.jsonl",
        config=params_of("evaluation"),
    message:
        "Asking {wildcards.model} JustLogic's questions"
    shell:
        """
        divlogic evaluation ask-justlogic \
            --in {input.records:q} \
            --pool {input.pool:q} \
            --model {params.label:q} \
            --store {params.store:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule replay_labels:
    """Read the answers with context that JustLogic's authors recorded, as far as the run's corpora hold them."""
    input:
        folders=expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA.get("recorded", [])),
        code=code_of(
            "evaluation/justlogic.py",
            "benchmarks/readers",
            "corpora/manifest.py",
            "models/closed_answers.py",
            "models/label_recordings.py",
            "models/labels.py",
        ),
    output:
        answers="data/interim/evaluation/justlogic/recorded.jsonl",
        records="data/interim/evaluation/justlogic/recorded_questions.jsonl",
    log:
        "logs/evaluation/replay_labels.log",
    benchmark:
        "logs/evaluation/replay_labels.tsv"
    conda:
        "../envs/divlogic.yaml"
    message:
        "Replaying recorded answers to JustLogic"
    shell:
        """
        divlogic evaluation recorded-labels \
            {input.folders:q} \
            --out {output.answers:q} \
            --records {output.records:q} \
            2> {log:q}
        """


rule tabulate_label_accuracy:
    """Write JustLogic's table of systems: printed rows, and measured ones beside them."""
    input:
        answers=[*JUSTLOGIC_ANSWERS, "data/interim/evaluation/replays/labels.jsonl"],
        published=published_files(),
        code=code_of("evaluation", "models", "intervals.py", "tables.py"),
    output:
        reported("results/evaluation/label_accuracy.csv", "Evaluation"),
        multiext("results/evaluation/label_accuracy", ".md", ".tex"),
    log:
        "logs/evaluation/tabulate_label_accuracy.log",
    benchmark:
        "logs/evaluation/tabulate_label_accuracy.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        base=subpath(output[0], strip_suffix=".csv"),
        config=params_of("evaluation"),
    message:
        "Tabulating accuracy on JustLogic"
    shell:
        """
        divlogic evaluation label-accuracy \
            {input.answers:q} \
            --published "$(dirname {input.published[0]:q})" \
            --params {params.config:q} \
            --out {params.base:q} \
            2> {log:q}
        """


rule analyse_errors:
    """Say what makes JustLogic's items hard: accuracy by depth, form and label, and a logistic regression."""
    input:
        answers=JUSTLOGIC_ANSWERS,
        records=[
            "data/benchmarks/justlogic/test.jsonl",
            "data/interim/evaluation/justlogic/recorded_questions.jsonl",
        ],
        code=code_of("evaluation", "models", "intervals.py", "tables.py", "figures.py"),
    output:
        groups=[
            reported("results/evaluation/justlogic_groups.csv", "Evaluation"),
            reported("results/evaluation/justlogic_groups.svg", "Evaluation"),
            *multiext("results/evaluation/justlogic_groups", ".md", ".tex", ".png"),
        ],
        regression=[
            reported("results/evaluation/justlogic_regression.csv", "Evaluation"),
            *multiext("results/evaluation/justlogic_regression", ".md", ".tex"),
        ],
    log:
        "logs/evaluation/analyse_errors.log",
    benchmark:
        "logs/evaluation/analyse_errors.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        groups=subpath(output[0], strip_suffix=".csv"),
        regression=subpath(output[5], strip_suffix=".csv"),
        config=params_of("evaluation"),
    message:
        "Analysing errors on JustLogic"
    shell:
        """
        divlogic evaluation error-analysis \
            {input.answers:q} \
            --records {input.records[0]:q} \
            --records {input.records[1]:q} \
            --groups {params.groups:q} \
            --figure {params.groups:q} \
            --regression {params.regression:q} \
            --params {params.config:q} \
            2> {log:q}
        """

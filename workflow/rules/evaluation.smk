# Evaluation: every prompt as a file, every configured model's answers, their scores, the papers' tables and Figure 2.
#
# Inputs   data/benchmarks/, data/sentences/groups.jsonl.gz; data/published/ (its audit alone); data/recorded/ (of others'
#          answers the letters and labels) or, in full runs, the recorded answers in data/raw/
# Outputs  data/evaluation/rotations/, results/evaluation/{predictions.jsonl,scores.csv,pairs.csv,published_audit.csv},
#          results/evaluation/table{1,2,3,6,8}.{csv,md,tex},
#          results/evaluation/answers.{csv,md,tex}, results/evaluation/logicnli/{diagnosis,curves,connectives}
#
# Answers are kept for good in .divlogic/responses/, outside the rules' outputs: they may have cost money.


from divlogic.evaluation.asked import is_asked
from divlogic.evaluation.parameters import ROTATED_SETS
from divlogic.evaluation.tables import SCORE_TABLES
from divlogic.models.recordings.formats import LABEL_FORMATS

if "PARAMS" not in globals():

    include: "../common.smk"


MODELS = {model_slug(model): model_label(model) for model in PARAMS.evaluation.models}
BASELINES = [model_slug(model) for model in PARAMS.evaluation.models if model.name.startswith("baseline/")]
RECORDED_MODELS = recorded_models(PARAMS.evaluation.models)
RECORDED_FILES = [source(f"{folder}/{STORE}") for folder in RECORDED_MODELS]
# Of each benchmark that is asked with one prompt per record, the files of answers, and what was met in recorded ones.
ASKED_ANSWERS = {
    benchmark: [
        *(
            f"data/interim/evaluation/{benchmark}/models/{model_slug(model)}.jsonl.gz"
            for model in PARAMS.evaluation.models
            if is_asked(benchmark, model, PARAMS.evaluation)
        ),
        *([f"data/interim/evaluation/{benchmark}/recorded_models.jsonl.gz"] if RECORDED_MODELS else []),
    ]
    for benchmark in ASKED_BENCHMARKS
}
ASKED_REPORTS = {
    benchmark: [f"data/interim/evaluation/{benchmark}/recorded_models.json.gz"] if RECORDED_MODELS else []
    for benchmark in ASKED_BENCHMARKS
}
REPLAYS = [replay for replay in PARAMS.evaluation.replays if replay.format not in LABEL_FORMATS]
LABEL_REPLAYS = [replay for replay in PARAMS.evaluation.replays if replay.format in LABEL_FORMATS]
OWN_ROTATED = {name: ROTATED_SETS[name] for name in PARAMS.evaluation.benchmarks if name in ROTATED_SETS}
MODEL_KEYS = ("seed", *(f"evaluation.{key}" for key in ("benchmarks", "prompts", "runs", "sampling")))
EVALUATION_LIMITS = params_of("evaluation.limits")
PROMPTED = expand(
    "data/evaluation/rotations/{{benchmark}}/{prompt}.jsonl.gz", prompt=PARAMS.evaluation.prompts
)
ROTATIONS = expand(PROMPTED, benchmark=PARAMS.evaluation.benchmarks)
RECORDING_REPORTS = [
    "data/interim/evaluation/recorded/report.json.gz",
    *(["data/interim/evaluation/recorded/models.json.gz"] if RECORDED_MODELS else []),
]


rule evaluation:
    """All outputs of the phase."""
    input:
        ROTATIONS,
        expand("data/interim/evaluation/{model}.jsonl.gz", model=MODELS),
        RECORDING_REPORTS,
        lambda wildcards: [*JUSTLOGIC_ANSWERS, *LOGICNLI_ANSWERS, *LLMEVAL_OUTCOMES],
        "results/evaluation/predictions.jsonl",
        "results/evaluation/scores.csv",
        "results/evaluation/pairs.csv",
        "results/evaluation/published_audit.csv",
        expand("results/evaluation/{table}.csv", table=SCORE_TABLES),
        "results/evaluation/justlogic_groups.svg",
        "results/evaluation/logicnli/logicnli_curves.svg",
        "results/evaluation/answers.csv",
        "results/evaluation/label_accuracy.csv",
        "results/evaluation/justlogic_groups.csv",
        "results/evaluation/justlogic_regression.csv",
        "results/evaluation/llmeval_logic/scores.csv",
        "results/evaluation/logicnli/diagnosis.csv",


rule rotate_benchmark:
    """Write the four rotations of every instance as prompts, a file for each style."""
    input:
        records="data/benchmarks/{benchmark}/test.jsonl",
        pool=lambda wildcards: f"data/benchmarks/{wildcards.benchmark}/{ROTATED_SETS[wildcards.benchmark]}.jsonl",
    output:
        PROMPTED,
    log:
        "logs/evaluation/rotate_benchmark/{benchmark}.log",
    benchmark:
        "logs/evaluation/rotate_benchmark/{benchmark}.tsv"
    wildcard_constraints:
        benchmark="|".join(ROTATED_SETS),
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation rotate"),
        config=params_of("seed"),
        prompts=prompt_options,
    shell:
        """
        divlogic evaluation rotate \
            --in {input.records:q} \
            --pool {input.pool:q} \
            {params.prompts:q} \
            --params {params.config:q} \
            2> {log:q}
        """


rule rotate_collected:
    """Write the rotations of a benchmark of the collection, but for the records that are shown as examples."""
    input:
        collection="data/interim/collection/benchmarks",
    output:
        PROMPTED,
    log:
        "logs/evaluation/rotate_collected/{benchmark}.log",
    benchmark:
        "logs/evaluation/rotate_collected/{benchmark}.tsv"
    wildcard_constraints:
        benchmark=f"(?!(?:{'|'.join(ROTATED_SETS)})/)[^/]+",
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation rotate"),
        config=params_of("seed"),
        examples=example_options,
        prompts=prompt_options,
    shell:
        """
        divlogic evaluation rotate \
            --in {input.collection:q}/{wildcards.benchmark:q}.jsonl.gz \
            --benchmark {wildcards.benchmark:q} \
            {params.examples:q} \
            --hold-out 20 \
            {params.prompts:q} \
            --params {params.config:q} \
            2> {log:q}
        """


if BASELINES:

    rule run_baselines:
        """Let the baselines answer, all in one process: each takes less time than to start one."""
        input:
            rotations=ROTATIONS,
            train="data/benchmarks/divlogiceval/unpolished.jsonl",
            records=expand("data/benchmarks/{benchmark}/test.jsonl", benchmark=OWN_ROTATED),
            groups="data/sentences/groups.jsonl.gz",
        output:
            expand("data/interim/evaluation/{model}.jsonl.gz", model=BASELINES),
        log:
            "logs/evaluation/run_baselines.log",
        benchmark:
            "logs/evaluation/run_baselines.tsv"
        priority: 10
        conda:
            "../envs/divlogic.yaml"
        resources:
            how=EVALUATION_LIMITS,
        params:
            code=code_of(
                "evaluation run-baselines",
                *[entry.partition(":")[0] for one in BENCHMARKS for entry in one.baselines.values()],
            ),
            records=options("records"),
            stores=".divlogic/responses",
            out=subpath(output[0], parent=True),
            config=params_of_baselines("evaluation", *MODEL_KEYS),
        shell:
            """
            divlogic evaluation run-baselines \
                {input.rotations:q} \
                --stores {params.stores:q} \
                --train {input.train:q} \
                {params.records:q} \
                --groups {input.groups:q} \
                --params {params.config:q} \
                --params {resources.how:q} \
                --out {params.out:q} \
                2> {log:q}
            """


rule run_model:
    """Ask one model for every answer that the store lacks, and export its answers in a fixed order."""
    input:
        rotations=ROTATIONS,
    output:
        "data/interim/evaluation/{model}.jsonl.gz",
    log:
        "logs/evaluation/run_model/{model}.log",
    benchmark:
        "logs/evaluation/run_model/{model}.tsv"
    wildcard_constraints:
        model="|".join(re.escape(model) for model in MODELS if model not in BASELINES) or "(?!)",
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    resources:
        how=EVALUATION_LIMITS,
    params:
        code=code_of("evaluation run"),
        label=lambda wildcards: MODELS[wildcards.model],
        store=".divlogic/responses/{model}.sqlite",
        summary="logs/evaluation/run_model/{model}.json",
        inspect_logs=".divlogic/inspect/{model}",
        config=lambda wildcards: params_of_model("evaluation", MODELS[wildcards.model], *MODEL_KEYS),
    shell:
        """
        divlogic evaluation run \
            {input.rotations:q} \
            --model {params.label:q} \
            --store {params.store:q} \
            --summary {params.summary:q} \
            --inspect-logs {params.inspect_logs:q} \
            --params {params.config:q} \
            --params {resources.how:q} \
            --out {output:q} \
            2> {log:q}
        """


rule read_recordings:
    """Read recorded letters as predictions: those of the run's corpora, and those that the parameters list."""
    input:
        folders=recorded_folders(),
        files=[source(replay.file) for replay in REPLAYS],
    output:
        predictions="data/interim/evaluation/recorded/predictions.jsonl.gz",
        report="data/interim/evaluation/recorded/report.json.gz",
    log:
        "logs/evaluation/read_recordings.log",
    benchmark:
        "logs/evaluation/read_recordings.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("recordings"),
        replays=[as_json(replay) for replay in REPLAYS],
        listed=lambda wildcards, input: copied_replays(REPLAYS, input.files),
    shell:
        """
        divlogic recordings \
            {input.folders:q} \
            {params.listed:q} \
            --reader recorded:ilogiceval \
            --out {output.predictions:q} \
            --report {output.report:q} \
            2> {log:q}
        """


rule read_recorded_models:
    """Read what models answered when they were recorded, where the questions are still the same."""
    input:
        rotations=ROTATIONS,
        records=[
            f"data/benchmarks/{benchmark}/{split}.jsonl"
            for benchmark, pool in OWN_ROTATED.items()
            for split in ("test", pool)
        ],
        files=RECORDED_FILES,
    output:
        predictions="data/interim/evaluation/recorded/models.jsonl.gz",
        report="data/interim/evaluation/recorded/models.json.gz",
    log:
        "logs/evaluation/read_recorded_models.log",
    benchmark:
        "logs/evaluation/read_recorded_models.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation recorded-rotations"),
        folders=from_folders,
        benchmarks=lambda wildcards, input: str(Path(input.records[0]).parents[1]),
        config=params_of("seed"),
    shell:
        """
        divlogic evaluation recorded-rotations \
            {input.rotations:q} \
            {params.folders:q} \
            --benchmarks {params.benchmarks:q} \
            --params {params.config:q} \
            --out {output.predictions:q} \
            --report {output.report:q} \
            2> {log:q}
        """


rule score_predictions:
    """Score every model once, with intervals and paired tests; write the tables and all predictions in one file."""
    input:
        models=expand("data/interim/evaluation/{model}.jsonl.gz", model=MODELS),
        recorded=[
            "data/interim/evaluation/recorded/predictions.jsonl.gz",
            *(["data/interim/evaluation/recorded/models.jsonl.gz"] if RECORDED_MODELS else []),
        ],
        due=ROTATIONS,
        recordings=RECORDING_REPORTS,
    output:
        tables=[reported(f"results/evaluation/{table}.csv", "Evaluation") for table in SCORE_TABLES],
        described=expand(
            "results/evaluation/{table}.{suffix}", table=SCORE_TABLES, suffix=["md", "tex", "json"]
        ),
        predictions="results/evaluation/predictions.jsonl",
        scores=reported("results/evaluation/scores.csv", "Evaluation"),
        pairs=reported("results/evaluation/pairs.csv", "Evaluation"),
        metrics="results/evaluation/metrics.json",
    log:
        "logs/evaluation/score_predictions.log",
    benchmark:
        "logs/evaluation/score_predictions.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation score"),
        due=options("due"),
        recordings=options("recordings"),
        tables=subpath(output.scores, parent=True),
        config=params_of(
            "seed",
            "evaluation.models",
            "evaluation.none_outcome",
            "evaluation.prompts",
            "evaluation.resamples",
            "evaluation.runs",
        ),
    shell:
        """
        divlogic evaluation score \
            {input.models:q} \
            {input.recorded:q} \
            {params.due:q} \
            {params.recordings:q} \
            --params {params.config:q} \
            --out {output.scores:q} \
            --pairs {output.pairs:q} \
            --metrics {output.metrics:q} \
            --tables {params.tables:q} \
            --together {output.predictions:q} \
            2> {log:q}
        """


rule draw_evaluation_figures:
    """Draw JustLogic's accuracy by depth and form, and LogicNLI's by noise and depth."""
    input:
        groups="results/evaluation/justlogic_groups.json",
        curves="results/evaluation/logicnli/curves.json",
    output:
        reported("results/evaluation/justlogic_groups.svg", "Evaluation"),
        reported("results/evaluation/logicnli/logicnli_curves.svg", "Evaluation"),
        "results/evaluation/justlogic_groups.png",
        "results/evaluation/logicnli/logicnli_curves.png",
    log:
        "logs/evaluation/draw_evaluation_figures.log",
    benchmark:
        "logs/evaluation/draw_evaluation_figures.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation figures"),
        groups=subpath(input.groups, strip_suffix=".json"),
        curves=subpath(input.curves, strip_suffix=".json"),
        out=subpath(output[0], parent=True),
    shell:
        """
        divlogic evaluation figures \
            --groups {params.groups:q} \
            --curves {params.curves:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule audit_published:
    """List every printed cell that breaks a rule of arithmetic or of the metrics."""
    input:
        published=published_files(),
    output:
        table=reported("results/evaluation/published_audit.csv", "Evaluation"),
        described="results/evaluation/published_audit.json",
    log:
        "logs/evaluation/audit_published.log",
    benchmark:
        "logs/evaluation/audit_published.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation audit-published"),
    shell:
        """
        divlogic evaluation audit-published \
            --in "$(dirname {input.published[0]:q})" \
            --out {output.table:q} \
            > {log:q} 2>&1
        """


rule ask_benchmark:
    """Ask one model a benchmark's questions with their context, those that the store holds no answer to."""
    input:
        records=asked_file("split"),
        pool=asked_file("pool"),
    output:
        "data/interim/evaluation/{benchmark}/models/{model}.jsonl.gz",
    log:
        "logs/evaluation/ask_benchmark/{benchmark}/{model}.log",
    benchmark:
        "logs/evaluation/ask_benchmark/{benchmark}/{model}.tsv"
    wildcard_constraints:
        benchmark="|".join(ASKED_BENCHMARKS),
    conda:
        "../envs/divlogic.yaml"
    resources:
        how=EVALUATION_LIMITS,
    params:
        code=code_of("evaluation ask"),
        label=lambda wildcards: MODELS[wildcards.model],
        store=".divlogic/responses/{benchmark}/{model}.sqlite",
        config=lambda wildcards: params_of_model(
            "evaluation", MODELS[wildcards.model], *asked_keys(wildcards.benchmark)
        ),
    shell:
        """
        divlogic evaluation ask {wildcards.benchmark:q} \
            --in {input.records:q} \
            --pool {input.pool:q} \
            --model {params.label:q} \
            --store {params.store:q} \
            --params {params.config:q} \
            --params {resources.how:q} \
            --out {output:q} \
            2> {log:q}
        """


rule read_recorded_benchmark:
    """Read what models answered to a benchmark when they were recorded, where the questions are still the same."""
    input:
        records=asked_file("split"),
        pool=asked_file("pool"),
        files=RECORDED_FILES,
    output:
        predictions="data/interim/evaluation/{benchmark}/recorded_models.jsonl.gz",
        report="data/interim/evaluation/{benchmark}/recorded_models.json.gz",
    log:
        "logs/evaluation/read_recorded_benchmark/{benchmark}.log",
    benchmark:
        "logs/evaluation/read_recorded_benchmark/{benchmark}.tsv"
    wildcard_constraints:
        benchmark="|".join(ASKED_BENCHMARKS),
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation recorded"),
        folders=from_folders,
        config=lambda wildcards: params_of("seed", f"evaluation.{wildcards.benchmark}.prompts"),
    shell:
        """
        divlogic evaluation recorded {wildcards.benchmark:q} \
            --in {input.records:q} \
            --pool {input.pool:q} \
            {params.folders:q} \
            --params {params.config:q} \
            --out {output.predictions:q} \
            --report {output.report:q} \
            2> {log:q}
        """


rule tabulate_answers:
    """Write one table of accuracies for all benchmarks that models are asked with one prompt per record."""
    input:
        answers=[file for files in ASKED_ANSWERS.values() for file in files],
        records=asked_files("split"),
        pools=asked_files("pool"),
        recordings=[file for files in ASKED_REPORTS.values() for file in files],
    output:
        reported("results/evaluation/answers.csv", "Evaluation"),
        multiext("results/evaluation/answers", ".md", ".tex", ".json"),
    log:
        "logs/evaluation/tabulate_answers.log",
    benchmark:
        "logs/evaluation/tabulate_answers.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation answers"),
        base=subpath(output[0], strip_suffix=".csv"),
        records=options("records"),
        pools=options("pool", "pools"),
        recordings=options("recordings"),
        config=params_of("seed", "evaluation.resamples"),
    shell:
        """
        divlogic evaluation answers \
            {input.answers:q} \
            {params.records:q} \
            {params.pools:q} \
            {params.recordings:q} \
            --params {params.config:q} \
            --out {params.base:q} \
            2> {log:q}
        """


# Of some benchmarks there is more to say than how many answers are right.
include: "evaluation/justlogic.smk"
include: "evaluation/llmeval_logic.smk"
include: "evaluation/logicnli.smk"

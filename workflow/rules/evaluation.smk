# Evaluation: every prompt as a file, every configured model's answers, their scores, the papers' tables and Figure 2.
#
# Inputs   data/benchmarks/, data/sentences/groups.jsonl.gz, data/published/; data/recorded/ (of others' answers the letters
#          and labels) or, in full runs, the recorded answers in data/raw/
# Outputs  data/evaluation/rotations/, results/evaluation/{predictions.jsonl,scores.csv,pairs.csv,published_audit.csv},
#          results/evaluation/table{1,2,3,6,8}.{csv,md,tex}, results/evaluation/figure2.{svg,png},
#          results/evaluation/answers.{csv,md,tex}, results/evaluation/logicnli/{diagnosis,curves,connectives}
#
# Answers are kept for good in .divlogic/responses/, outside the rules' outputs: they may have cost money.


from divlogic.evaluation.asked import is_asked
from divlogic.evaluation.parameters import ROTATED_SETS
from divlogic.models.recordings.formats import LABEL_FORMATS

if "PARAMS" not in globals():

    include: "../common.smk"


MODELS = {model_slug(model): model_label(model) for model in PARAMS.evaluation.models}
BASELINES = [model_slug(model) for model in PARAMS.evaluation.models if model.name.startswith("baseline/")]
RECORDED_MODELS = recorded_models(PARAMS.evaluation.models)
RECORDED_FILES = [file for folder in RECORDED_MODELS for file in sources(folder, "[!.]*")]
# Of each benchmark that is asked with one prompt per record, the files of answers, and what was met in recorded ones.
ASKED_ANSWERS = {
    benchmark: [
        *(
            f"data/interim/evaluation/{benchmark}/models/{model_slug(model)}.jsonl"
            for model in PARAMS.evaluation.models
            if is_asked(benchmark, model, PARAMS.evaluation)
        ),
        *([f"data/interim/evaluation/{benchmark}/recorded_models.jsonl"] if RECORDED_MODELS else []),
    ]
    for benchmark in ASKED_BENCHMARKS
}
ASKED_REPORTS = {
    benchmark: [f"data/interim/evaluation/{benchmark}/recorded_models.json"] if RECORDED_MODELS else []
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
    "data/interim/evaluation/recorded/report.json",
    *(["data/interim/evaluation/recorded/models.json"] if RECORDED_MODELS else []),
]
PAPER_TABLES = ["table1", "table2", "table3", "table6", "table8"]


rule evaluation:
    """All outputs of the phase."""
    input:
        ROTATIONS,
        expand("data/interim/evaluation/{model}.jsonl", model=MODELS),
        RECORDING_REPORTS,
        lambda wildcards: [*JUSTLOGIC_ANSWERS, *LOGICNLI_ANSWERS, *LLMEVAL_OUTCOMES],
        "results/evaluation/predictions.jsonl",
        "results/evaluation/scores.csv",
        "results/evaluation/pairs.csv",
        "results/evaluation/published_audit.csv",
        expand("results/evaluation/{table}.csv", table=PAPER_TABLES),
        "results/evaluation/figure2.svg",
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
        prompts=prompt_options,
    shell:
        """
        divlogic evaluation rotate \
            --in {input.collection:q}/{wildcards.benchmark:q}.jsonl.gz \
            --benchmark {wildcards.benchmark:q} \
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
            expand("data/interim/evaluation/{model}.jsonl", model=BASELINES),
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
        "data/interim/evaluation/{model}.jsonl",
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
        predictions="data/interim/evaluation/recorded/predictions.jsonl",
        report="data/interim/evaluation/recorded/report.json",
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
        predictions="data/interim/evaluation/recorded/models.jsonl",
        report="data/interim/evaluation/recorded/models.json",
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


rule gather_predictions:
    """Put the predictions of all models together, in the order of the parameters."""
    input:
        rotations=ROTATIONS,
        models=expand("data/interim/evaluation/{model}.jsonl", model=MODELS),
        recorded=[
            "data/interim/evaluation/recorded/predictions.jsonl",
            *(["data/interim/evaluation/recorded/models.jsonl"] if RECORDED_MODELS else []),
        ],
    output:
        "results/evaluation/predictions.jsonl",
    log:
        "logs/evaluation/gather_predictions.log",
    benchmark:
        "logs/evaluation/gather_predictions.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation gather"),
        rotations=options("rotations"),
    shell:
        """
        divlogic evaluation gather \
            {input.models:q} \
            {input.recorded:q} \
            {params.rotations:q} \
            --out {output:q} \
            2> {log:q}
        """


rule score_predictions:
    """Score every model: ACC, CIR and PC per question type and overall, with intervals and paired tests."""
    input:
        predictions="results/evaluation/predictions.jsonl",
        due=ROTATIONS,
    output:
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
            {input.predictions:q} \
            {params.due:q} \
            --params {params.config:q} \
            --out {output.scores:q} \
            --pairs {output.pairs:q} \
            --metrics {output.metrics:q} \
            2> {log:q}
        """


rule write_evaluation_tables:
    """Write Tables 1, 2, 3, 6 and 8 of DivLogicEval: printed rows, and measured ones next to them."""
    input:
        predictions="results/evaluation/predictions.jsonl",
        recordings=RECORDING_REPORTS,
        published=published_files(),
    output:
        [reported(f"results/evaluation/{table}.csv", "Evaluation") for table in PAPER_TABLES],
        expand("results/evaluation/{table}.{suffix}", table=PAPER_TABLES, suffix=["md", "tex", "json"]),
    log:
        "logs/evaluation/write_evaluation_tables.log",
    benchmark:
        "logs/evaluation/write_evaluation_tables.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("evaluation tables"),
        out=subpath(output[0], parent=True),
        recordings=options("recordings"),
        config=params_of("seed", "evaluation.resamples"),
    shell:
        """
        divlogic evaluation tables \
            {input.predictions:q} \
            --published "$(dirname {input.published[0]:q})" \
            {params.recordings:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule draw_evaluation_figures:
    """Draw Figure 2 of DivLogicEval, JustLogic's accuracy by depth and form, and LogicNLI's by noise and depth."""
    input:
        table8="results/evaluation/table8.json",
        groups="results/evaluation/justlogic_groups.json",
        curves="results/evaluation/logicnli/curves.json",
    output:
        reported("results/evaluation/figure2.svg", "Evaluation"),
        reported("results/evaluation/justlogic_groups.svg", "Evaluation"),
        reported("results/evaluation/logicnli/logicnli_curves.svg", "Evaluation"),
        "results/evaluation/figure2.png",
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
        table8=subpath(input.table8, strip_suffix=".json"),
        groups=subpath(input.groups, strip_suffix=".json"),
        curves=subpath(input.curves, strip_suffix=".json"),
        out=subpath(output[0], parent=True),
        config=params_of("evaluation.none_outcome"),
    shell:
        """
        divlogic evaluation figures \
            --table8 {params.table8:q} \
            --groups {params.groups:q} \
            --curves {params.curves:q} \
            --params {params.config:q} \
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
        "data/interim/evaluation/{benchmark}/models/{model}.jsonl",
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
        predictions="data/interim/evaluation/{benchmark}/recorded_models.jsonl",
        report="data/interim/evaluation/{benchmark}/recorded_models.json",
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

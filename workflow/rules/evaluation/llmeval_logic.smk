# What LLMEval-Logic alone has: three tracks, and replies that a solver and judges score. Included by ../evaluation.smk.
#
# Inputs   data/benchmarks/llmeval_logic/; in full runs data/raw/full/llmeval_logic
# Outputs  results/evaluation/llmeval_logic/


LLMEVAL_SOURCES = [
    "data/benchmarks/llmeval_logic/base.jsonl",
    "data/benchmarks/llmeval_logic/hard.jsonl",
    *(
        [f"{RAW}/llmeval_logic"]
        if PARAMS.corpus_source == "full" and "llmeval_logic" in CORPORA["all"]
        else []
    ),
]
LLMEVAL_TABLES = ["table1", "table2", "table3", "ranks"]
LLMEVAL_FIGURES = ["failures", "composition"]
LLMEVAL_MODELS = {model_slug(model): model_label(model) for model in PARAMS.evaluation.llmeval_logic.models}
LLMEVAL_OUTCOMES = [
    "data/interim/evaluation/llmeval_logic/baselines.jsonl.gz",
    *expand("data/interim/evaluation/llmeval_logic/models/{model}.jsonl.gz", model=LLMEVAL_MODELS),
]


rule score_llmeval_logic:
    """Score gold, majority verdict and first model on LLMEval-Logic (generated; in full runs published), in every track."""
    input:
        sources=LLMEVAL_SOURCES,
    output:
        outcomes="data/interim/evaluation/llmeval_logic/baselines.jsonl.gz",
    log:
        "logs/evaluation/score_llmeval_logic.log",
    benchmark:
        "logs/evaluation/score_llmeval_logic.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("evaluation llmeval-logic baselines"),
        config=params_of("seed", "evaluation.llmeval_logic"),
    shell:
        """
        divlogic evaluation llmeval-logic baselines \
            {input.sources:q} \
            --params {params.config:q} \
            --out {output.outcomes:q} \
            2> {log:q}
        """


rule ask_llmeval_logic:
    """Put LLMEval-Logic to one model in every track, let the judges decide what stays open."""
    input:
        sources=LLMEVAL_SOURCES,
    output:
        outcomes="data/interim/evaluation/llmeval_logic/models/{model}.jsonl.gz",
        verdicts="data/interim/evaluation/llmeval_logic/verdicts/{model}.jsonl.gz",
    log:
        "logs/evaluation/ask_llmeval_logic/{model}.log",
    benchmark:
        "logs/evaluation/ask_llmeval_logic/{model}.tsv"
    conda:
        "../../envs/divlogic.yaml"
    resources:
        how=EVALUATION_LIMITS,
    params:
        code=code_of("evaluation llmeval-logic run"),
        label=lambda wildcards: LLMEVAL_MODELS[wildcards.model],
        store=".divlogic/responses/llmeval_logic/{model}.sqlite",
        config=params_of("seed", "evaluation.llmeval_logic"),
    shell:
        """
        divlogic evaluation llmeval-logic run \
            {input.sources:q} \
            --model {params.label:q} \
            --store {params.store:q} \
            --params {params.config:q} \
            --params {resources.how:q} \
            --out {output.outcomes:q} \
            --verdicts {output.verdicts:q} \
            2> {log:q}
        """


rule tabulate_llmeval_logic:
    """Tabulate the scores of LLMEval-Logic's tracks as the paper does, where models fail, and how judges agree."""
    input:
        outcomes=LLMEVAL_OUTCOMES,
        verdicts=expand(
            "data/interim/evaluation/llmeval_logic/verdicts/{model}.jsonl.gz", model=LLMEVAL_MODELS
        ),
    output:
        table=reported("results/evaluation/llmeval_logic/scores.csv", "Evaluation", "llmeval_logic_scores"),
        errors=reported("results/evaluation/llmeval_logic/errors.csv", "Evaluation", "llmeval_logic_errors"),
        agreement=reported(
            "results/evaluation/llmeval_logic/agreement.csv", "Evaluation", "llmeval_logic_agreement"
        ),
        printed=[
            reported(f"results/evaluation/llmeval_logic/{table}.csv", "Evaluation", "llmeval_logic_tables")
            for table in LLMEVAL_TABLES
        ],
        figures=[
            reported(f"results/evaluation/llmeval_logic/{figure}.svg", "Evaluation")
            for figure in LLMEVAL_FIGURES
        ],
        pages=expand(
            "results/evaluation/llmeval_logic/{table}.{form}",
            table=["scores", "errors", "agreement", *LLMEVAL_TABLES],
            form=["md", "tex", "json"],
        ),
        png=expand("results/evaluation/llmeval_logic/{figure}.png", figure=LLMEVAL_FIGURES),
    log:
        "logs/evaluation/tabulate_llmeval_logic.log",
    benchmark:
        "logs/evaluation/tabulate_llmeval_logic.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("evaluation llmeval-logic tables"),
        verdicts=options("verdicts"),
        config=params_of("seed", "evaluation.llmeval_logic"),
    shell:
        """
        divlogic evaluation llmeval-logic tables \
            {input.outcomes:q} \
            {params.verdicts:q} \
            --params {params.config:q} \
            --out {output.table:q} \
            2> {log:q}
        """

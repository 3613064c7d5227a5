# Prior knowledge: can the questions be answered without their contexts, by models, by recorded answers, by a classifier?
#
# Inputs   data/interim/collection/benchmarks/, data/benchmarks/, data/published/; data/recorded/ (of others' answers
#          the letters and labels) or, in full runs, recorded answers in data/raw/
# Outputs  data/interim/prior_knowledge/, results/prior_knowledge/independence.{csv,md,tex,json},
#          results/prior_knowledge/shortcuts.{csv,md,tex,svg,png,json}, results/prior_knowledge/ladder.{csv,md,tex,json},
#          results/prior_knowledge/adversary.{csv,md,tex,json}


from divlogic.benchmarks.registry import BENCHMARKS

if "PARAMS" not in globals():

    include: "../common.smk"


PRIOR_KNOWLEDGE_LIMITS = params_of("prior_knowledge.limits")
PRIOR_KNOWLEDGE_KEYS = ("seed", *(f"prior_knowledge.{key}" for key in ("prompts", "sampling", "instances")))
GENERATED_SPLITS = [
    *expand("data/benchmarks/s-divlogiceval/{split}.jsonl", split=["test", "unpolished"]),
    *(file for one in BENCHMARKS if one.generator and one.answers for file in splits_of(one.name)),
]
# Generated benchmarks are probed in all splits; in further prompts examples are drawn from some of them.
PROBED_SPLITS = [*splits_of("divlogiceval"), *splits_of("justlogic")]
PRIOR_POOLS = ["data/benchmarks/divlogiceval/unpolished.jsonl", "data/benchmarks/justlogic/train.jsonl"]
PRIOR_RECORDED = recorded_models(PARAMS.prior_knowledge.models)
PRIOR_REPORTS = [
    "data/interim/prior_knowledge/recorded_report.json.gz",
    *(["data/interim/prior_knowledge/recorded_models.json.gz"] if PRIOR_RECORDED else []),
]
ASKED = {model_slug(model): model_label(model) for model in PARAMS.prior_knowledge.models}


rule prior_knowledge:
    """All outputs of the phase."""
    input:
        PRIOR_REPORTS,
        "data/interim/prior_knowledge/probe.jsonl.gz",
        expand("data/interim/prior_knowledge/models/{model}.jsonl.gz", model=ASKED),
        expand(
            "data/interim/prior_knowledge/shortcuts/{sample}.jsonl.gz",
            sample=["fresh", "benchmarks"],
        ),
        "results/prior_knowledge/independence.csv",
        "results/prior_knowledge/independence.csv",
        "results/prior_knowledge/shortcuts.csv",
        "results/prior_knowledge/shortcuts.svg",
        "results/prior_knowledge/ladder.csv",
        "results/prior_knowledge/adversary.csv",


rule probe_benchmarks:
    """Cross-validate a classifier that sees the questions alone: what it gets right is a leak."""
    input:
        collection="data/interim/collection/benchmarks",
        splits=PROBED_SPLITS,
    output:
        "data/interim/prior_knowledge/probe.jsonl.gz",
    log:
        "logs/prior_knowledge/probe_benchmarks.log",
    benchmark:
        "logs/prior_knowledge/probe_benchmarks.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("prior_knowledge probe-collection"),
        config=params_of("seed", "prior_knowledge.probe"),
    shell:
        """
        divlogic prior_knowledge probe-collection \
            {input.splits:q} \
            --in {input.collection:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule ask_without_context:
    """Ask one configured model every benchmark's questions without their contexts."""
    input:
        collection="data/interim/collection/benchmarks",
        pools=PRIOR_POOLS,
    output:
        "data/interim/prior_knowledge/models/{model}.jsonl.gz",
    log:
        "logs/prior_knowledge/ask_without_context/{model}.log",
    benchmark:
        "logs/prior_knowledge/ask_without_context/{model}.tsv"
    conda:
        "../envs/divlogic.yaml"
    resources:
        how=PRIOR_KNOWLEDGE_LIMITS,
    params:
        code=code_of("prior_knowledge ask-collection"),
        label=lambda wildcards: ASKED[wildcards.model],
        store=".divlogic/responses/prior_knowledge/{model}.sqlite",
        config=lambda wildcards: params_of_model(
            "prior_knowledge", ASKED[wildcards.model], *PRIOR_KNOWLEDGE_KEYS
        ),
    shell:
        """
        divlogic prior_knowledge ask-collection \
            --in {input.collection:q} \
            --pool {input.pools[0]:q} \
            --pool {input.pools[1]:q} \
            --model {params.label:q} \
            --store {params.store:q} \
            --params {params.config:q} \
            --params {resources.how:q} \
            --out {output:q} \
            2> {log:q}
        """


rule read_recordings_without_context:
    """Read the answers without context that JustLogic's authors recorded, as far as the run's corpora hold them."""
    input:
        folders=recorded_folders(),
    output:
        predictions="data/interim/prior_knowledge/recorded.jsonl.gz",
        report="data/interim/prior_knowledge/recorded_report.json.gz",
    log:
        "logs/prior_knowledge/read_recordings_without_context.log",
    benchmark:
        "logs/prior_knowledge/read_recordings_without_context.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("recordings"),
    shell:
        """
        divlogic recordings \
            {input.folders:q} \
            --reader recorded:justlogic_prior \
            --out {output.predictions:q} \
            --report {output.report:q} \
            2> {log:q}
        """


rule read_recorded_models_without_context:
    """Read what models answered without context when they were recorded, where the questions are still the same."""
    input:
        collection="data/interim/collection/benchmarks",
        pools=PRIOR_POOLS,
        files=[source(f"{folder}/{STORE}") for folder in PRIOR_RECORDED],
    output:
        predictions="data/interim/prior_knowledge/recorded_models.jsonl.gz",
        report="data/interim/prior_knowledge/recorded_models.json.gz",
    log:
        "logs/prior_knowledge/read_recorded_models_without_context.log",
    benchmark:
        "logs/prior_knowledge/read_recorded_models_without_context.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("prior_knowledge recorded"),
        folders=from_folders,
        config=params_of("seed", "prior_knowledge.prompts"),
    shell:
        """
        divlogic prior_knowledge recorded \
            --in {input.collection:q} \
            --pool {input.pools[0]:q} \
            --pool {input.pools[1]:q} \
            {params.folders:q} \
            --params {params.config:q} \
            --out {output.predictions:q} \
            --report {output.report:q} \
            2> {log:q}
        """


rule tabulate_independence:
    """Test every system's accuracy without context against guessing."""
    input:
        recorded="data/interim/prior_knowledge/recorded.jsonl.gz",
        recordings=PRIOR_REPORTS,
        probe="data/interim/prior_knowledge/probe.jsonl.gz",
        models=[
            *expand("data/interim/prior_knowledge/models/{model}.jsonl.gz", model=ASKED),
            *(["data/interim/prior_knowledge/recorded_models.jsonl.gz"] if PRIOR_RECORDED else []),
        ],
        collection="data/interim/collection/benchmarks",
        splits=PROBED_SPLITS,
        pools=PRIOR_POOLS,
    output:
        reported("results/prior_knowledge/independence.csv", "Prior knowledge"),
        multiext("results/prior_knowledge/independence", ".md", ".tex", ".json"),
    log:
        "logs/prior_knowledge/tabulate_independence.log",
    benchmark:
        "logs/prior_knowledge/tabulate_independence.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("prior_knowledge table"),
        base=subpath(output[0], strip_suffix=".csv"),
        splits=options("split", "splits"),
        pools=options("pool", "pools"),
        recordings=options("recordings"),
        config=params_of(
            "seed",
            "prior_knowledge.resamples",
            "prior_knowledge.level",
            "prior_knowledge.least_instances",
            "prior_knowledge.probe.folds",
        ),
    shell:
        """
        divlogic prior_knowledge table \
            {input.recorded:q} \
            {input.probe:q} \
            {input.models:q} \
            --in {input.collection:q} \
            {params.splits:q} \
            {params.pools:q} \
            {params.recordings:q} \
            --params {params.config:q} \
            --out {params.base:q} \
            2> {log:q}
        """


rule measure_fresh_shortcuts:
    """Run the listwise probes on fresh instances."""
    input:
        fresh=[
            *expand(
                "data/interim/benchmarks/divlogiceval/fresh/{sample}.jsonl.gz",
                sample=FRESH_SAMPLES,
            ),
            "data/interim/benchmarks/justlogic/fresh/worded.jsonl.gz",
        ],
    output:
        "data/interim/prior_knowledge/shortcuts/fresh.jsonl.gz",
    log:
        "logs/prior_knowledge/measure_fresh_shortcuts.log",
    benchmark:
        "logs/prior_knowledge/measure_fresh_shortcuts.tsv"
    priority: 20
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("prior_knowledge shortcuts-fresh"),
        config=params_of("seed", "prior_knowledge.shortcuts"),
    shell:
        """
        divlogic prior_knowledge shortcuts-fresh \
            {input.fresh:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule measure_shortcuts:
    """Run the listwise probes on every benchmark that is here, generated or published."""
    input:
        collection="data/interim/collection/benchmarks",
        splits=GENERATED_SPLITS,
        probe="data/interim/prior_knowledge/probe.jsonl.gz",
    output:
        "data/interim/prior_knowledge/shortcuts/benchmarks.jsonl.gz",
    log:
        "logs/prior_knowledge/measure_shortcuts.log",
    benchmark:
        "logs/prior_knowledge/measure_shortcuts.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("prior_knowledge shortcuts-benchmarks"),
        config=params_of("seed", "prior_knowledge.shortcuts"),
    shell:
        """
        divlogic prior_knowledge shortcuts-benchmarks \
            {input.splits:q} \
            --in {input.collection:q} \
            --probe {input.probe:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule tabulate_shortcuts:
    """Tabulate the shortcuts of all benchmarks, and accuracy by depth; stop where a balanced one exceeds a limit."""
    input:
        measured=expand(
            "data/interim/prior_knowledge/shortcuts/{sample}.jsonl.gz",
            sample=["fresh", "benchmarks"],
        ),
    output:
        reported("results/prior_knowledge/shortcuts.csv", "Prior knowledge"),
        multiext("results/prior_knowledge/shortcuts", ".md", ".tex", ".json"),
        reported("results/prior_knowledge/ladder.csv", "Prior knowledge"),
        multiext("results/prior_knowledge/ladder", ".md", ".tex", ".json"),
        summary="results/prior_knowledge/shortcuts_summary.json",
        metrics="results/prior_knowledge/metrics.json",
    log:
        "logs/prior_knowledge/tabulate_shortcuts.log",
    benchmark:
        "logs/prior_knowledge/tabulate_shortcuts.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("prior_knowledge shortcuts"),
        base=subpath(output[0], strip_suffix=".csv"),
        ladder=subpath(output[4], strip_suffix=".csv"),
        config=params_of("seed", "prior_knowledge.shortcuts"),
    shell:
        """
        divlogic prior_knowledge shortcuts \
            {input.measured:q} \
            --out {params.base:q} \
            --summary {output.summary:q} \
            --ladder {params.ladder:q} \
            --params {params.config:q} \
            2> {log:q}
        """


rule attack_benchmarks:
    """Let a learner loose on counts that are made from the formulas of what is generated here."""
    input:
        fresh=[
            "data/interim/benchmarks/divlogiceval/fresh/balanced.jsonl.gz",
            "data/interim/benchmarks/justlogic/fresh/worded.jsonl.gz",
            *splits_of("logicnli"),
        ],
    output:
        reported("results/prior_knowledge/adversary.csv", "Prior knowledge"),
        multiext("results/prior_knowledge/adversary", ".md", ".tex", ".json"),
    log:
        "logs/prior_knowledge/attack_benchmarks.log",
    benchmark:
        "logs/prior_knowledge/attack_benchmarks.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("prior_knowledge adversary"),
        base=subpath(output[0], strip_suffix=".csv"),
        config=params_of("seed", "prior_knowledge.adversary"),
    shell:
        """
        divlogic prior_knowledge adversary \
            {input.fresh:q} \
            --params {params.config:q} \
            --out {params.base:q} \
            2> {log:q}
        """


rule draw_prior_knowledge_figures:
    """Draw how far shortcuts get above guessing."""
    input:
        shortcuts="results/prior_knowledge/shortcuts.json",
    output:
        reported("results/prior_knowledge/shortcuts.svg", "Prior knowledge"),
        "results/prior_knowledge/shortcuts.png",
    log:
        "logs/prior_knowledge/draw_prior_knowledge_figures.log",
    benchmark:
        "logs/prior_knowledge/draw_prior_knowledge_figures.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("prior_knowledge figures"),
        shortcuts=subpath(input.shortcuts, strip_suffix=".json"),
        out=subpath(output[0], parent=True),
    shell:
        """
        divlogic prior_knowledge figures \
            --shortcuts {params.shortcuts:q} \
            --out {params.out:q} \
            2> {log:q}
        """

# Prior knowledge: can the questions be answered without their contexts, by models, by recorded answers, by a classifier?
#
# Inputs   data/interim/benchmarks/collection/, data/benchmarks/, data/published/; in full runs recorded answers in data/raw/
# Outputs  data/interim/prior_knowledge/, results/prior_knowledge/independence.{csv,md,tex,svg,png}


include: "../common.smk"


ASKED = {model_slug(model): model_label(model) for model in PARAMS.prior_knowledge.models}


rule prior_knowledge:
    """All outputs of the phase."""
    input:
        "results/prior_knowledge/independence.csv",


rule probe_benchmarks:
    """Cross-validate a classifier that sees the questions alone: what it gets right is a leak."""
    input:
        collection="data/interim/benchmarks/collection",
        splits=expand(
            "data/benchmarks/{split}.jsonl",
            split=[
                "divlogiceval/test",
                "divlogiceval/unpolished",
                "justlogic/train",
                "justlogic/validation",
                "justlogic/test",
            ],
        ),
        code=code_of("prior_knowledge", "models", "benchmarks/collection"),
    output:
        "data/interim/prior_knowledge/probe.jsonl",
    log:
        "logs/prior_knowledge/probe_benchmarks.log",
    benchmark:
        "logs/prior_knowledge/probe_benchmarks.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("prior_knowledge"),
    message:
        "Probing the questions alone"
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
        collection="data/interim/benchmarks/collection",
        pools=["data/benchmarks/divlogiceval/unpolished.jsonl", "data/benchmarks/justlogic/train.jsonl"],
        code=code_of("prior_knowledge", "models", "benchmarks/collection"),
    output:
        "data/interim/prior_knowledge/models/{model}.jsonl",
    log:
        "logs/prior_knowledge/ask_without_context/{model}.log",
    benchmark:
        "logs/prior_knowledge/ask_without_context/{model}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        label=lambda wildcards: ASKED[wildcards.model],
        store=".divlogic/responses/prior_knowledge/{model}.jsonl",
        config=params_of("prior_knowledge"),
    message:
        "Asking {wildcards.model} without context"
    shell:
        """
        divlogic prior_knowledge ask-collection \
            --in {input.collection:q} \
            --pool {input.pools[0]:q} \
            --pool {input.pools[1]:q} \
            --model {params.label:q} \
            --store {params.store:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule replay_without_context:
    """Read the answers without context that JustLogic's authors recorded, as far as the run's corpora hold them."""
    input:
        folders=expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA.get("recorded", [])),
        code=code_of("prior_knowledge", "models", "corpora/manifest.py"),
    output:
        "data/interim/prior_knowledge/recorded.jsonl",
    log:
        "logs/prior_knowledge/replay_without_context.log",
    benchmark:
        "logs/prior_knowledge/replay_without_context.tsv"
    conda:
        "../envs/divlogic.yaml"
    message:
        "Replaying answers without context"
    shell:
        """
        divlogic prior_knowledge recorded \
            {input.folders:q} \
            --out {output:q} \
            2> {log:q}
        """


rule tabulate_independence:
    """Test every system's accuracy without context against guessing, and draw it."""
    input:
        recorded="data/interim/prior_knowledge/recorded.jsonl",
        probe="data/interim/prior_knowledge/probe.jsonl",
        models=expand("data/interim/prior_knowledge/models/{model}.jsonl", model=ASKED),
        published="data/published/justlogic_prior_knowledge.csv",
        code=code_of(
            "prior_knowledge",
            "models",
            "benchmarks/collection/comparators.py",
            "intervals.py",
            "tables.py",
            "figures.py",
        ),
    output:
        reported("results/prior_knowledge/independence.csv", "Prior knowledge"),
        multiext("results/prior_knowledge/independence", ".md", ".tex", ".png"),
        reported("results/prior_knowledge/independence.svg", "Prior knowledge"),
    log:
        "logs/prior_knowledge/tabulate_independence.log",
    benchmark:
        "logs/prior_knowledge/tabulate_independence.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        base=subpath(output[0], strip_suffix=".csv"),
        config=params_of("prior_knowledge"),
    message:
        "Testing independence of prior knowledge"
    shell:
        """
        divlogic prior_knowledge table \
            {input.recorded:q} \
            {input.probe:q} \
            {input.models:q} \
            --published {input.published:q} \
            --params {params.config:q} \
            --out {params.base:q} \
            --figure {params.base:q} \
            2> {log:q}
        """

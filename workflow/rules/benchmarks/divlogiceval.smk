# What DivLogicEval alone has: groups of sentences in a drawn order, a plan, the polish of its splits, its symbolic twin,
# and what is said of it. Included by ../benchmarks.smk.
#
# Inputs   data/sentences/groups.jsonl.gz
# Outputs  data/benchmarks/{divlogiceval,s-divlogiceval}/{test,unpolished}.jsonl, results/benchmarks/divlogiceval/


REALISE_INPUTS["divlogiceval"] = {
    "groups": "data/interim/benchmarks/divlogiceval/groups.jsonl.gz",
    "plan": "data/interim/benchmarks/divlogiceval/plan.json.gz",
}
PLANS["divlogiceval"] = ["data/interim/benchmarks/divlogiceval/plan.json.gz"]
ASSEMBLED.add("divlogiceval")
TARGETS["divlogiceval"] = [
    "data/interim/benchmarks/divlogiceval/groups.jsonl.gz",
    "data/interim/benchmarks/divlogiceval/plan.json.gz",
    *expand("data/interim/benchmarks/divlogiceval/splits/{split}.jsonl.gz", split=["test", "unpolished"]),
    *expand("data/benchmarks/s-divlogiceval/{split}.jsonl", split=["test", "unpolished"]),
    "results/benchmarks/divlogiceval/verification.csv",
    "results/benchmarks/divlogiceval/english.csv",
    "results/benchmarks/divlogiceval/premises_needed.csv",
    *expand(
        "data/interim/benchmarks/divlogiceval/fresh/{sample}.jsonl.gz",
        sample=FRESH_SAMPLES,
    ),
]

POLISH = PARAMS.benchmarks.divlogiceval.polish
POLISH_HOW = params_of("benchmarks.divlogiceval.polish.concurrency")


rule draw_fresh:
    """Draw fresh symbolic instances of one preset, independent of the run's own, for the probes that look for shortcuts."""
    output:
        "data/interim/benchmarks/divlogiceval/fresh/{preset}.jsonl.gz",
    log:
        "logs/benchmarks/draw_fresh/{preset}.log",
    benchmark:
        "logs/benchmarks/draw_fresh/{preset}.tsv"
    wildcard_constraints:
        preset="as_published|balanced",
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval fresh"),
        config=params_of("corpus_source", "seed", "benchmarks.divlogiceval"),
    shell:
        """
        divlogic benchmarks divlogiceval fresh \
            --preset {wildcards.preset:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule word_fresh:
    """Word fresh instances of preset balanced, independent of the run's own, for the probes that read words."""
    input:
        "data/interim/benchmarks/divlogiceval/groups.jsonl.gz",
    output:
        "data/interim/benchmarks/divlogiceval/fresh/worded.jsonl.gz",
    log:
        "logs/benchmarks/word_fresh.log",
    benchmark:
        "logs/benchmarks/word_fresh.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval fresh-worded"),
        config=params_of("corpus_source", "seed", "benchmarks.divlogiceval"),
    shell:
        """
        divlogic benchmarks divlogiceval fresh-worded \
            --groups {input:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule shuffle_groups:
    """Put the sentence groups into the order in which instances receive them."""
    input:
        groups="data/sentences/groups.jsonl.gz",
    output:
        "data/interim/benchmarks/divlogiceval/groups.jsonl.gz",
    log:
        "logs/benchmarks/shuffle_groups.log",
    benchmark:
        "logs/benchmarks/shuffle_groups.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval shuffle"),
        config=params_of("seed", "benchmarks.divlogiceval"),
    shell:
        """
        divlogic benchmarks divlogiceval shuffle \
            --in {input.groups:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule plan_instances:
    """Decide how many instances the sentence groups allow and which groups each shard receives."""
    input:
        symbolic=drawn_shards("divlogiceval"),
        groups="data/interim/benchmarks/divlogiceval/groups.jsonl.gz",
    output:
        "data/interim/benchmarks/divlogiceval/plan.json.gz",
    log:
        "logs/benchmarks/plan_instances.log",
    benchmark:
        "logs/benchmarks/plan_instances.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval plan"),
        symbolic=lambda wildcards, input: shard_names(input.symbolic),
        config=params_of("benchmarks.divlogiceval.splits"),
    shell:
        """
        divlogic benchmarks divlogiceval plan \
            {params.symbolic:q} \
            --groups {input.groups:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule assemble_divlogiceval:
    """Put the splits together from their shards, to be polished."""
    input:
        realised=realised_shards("divlogiceval"),
    output:
        splits=expand(
            "data/interim/benchmarks/divlogiceval/splits/{split}.jsonl.gz", split=["test", "unpolished"]
        ),
    log:
        "logs/benchmarks/assemble_divlogiceval.log",
    benchmark:
        "logs/benchmarks/assemble_divlogiceval.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks assemble divlogiceval"),
        config=params_of("corpus_source", "seed", "benchmarks.divlogiceval"),
        realised=lambda wildcards, input: shard_names(input.realised),
        out=subpath(output[0], parent=True),
    shell:
        """
        divlogic benchmarks assemble divlogiceval \
            {params.realised:q} \
            --compressed \
            --out {params.out:q} \
            2> {log:q}
        """


rule finish_divlogiceval:
    """Correct the grammar of the test split with a language model if `polish` is enabled; write the symbolic twin."""
    input:
        splits=rules.assemble_divlogiceval.output.splits,
        # Written by the first run that is to be reviewed.
        review=[file for file in [POLISH.review] if file and Path(file).exists()],
    output:
        splits_of("divlogiceval"),
        twin=expand("data/benchmarks/s-divlogiceval/{split}.jsonl", split=["test", "unpolished"]),
    log:
        "logs/benchmarks/finish_divlogiceval.log",
    benchmark:
        "logs/benchmarks/finish_divlogiceval.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    resources:
        how=POLISH_HOW,
    params:
        code=code_of("benchmarks divlogiceval finish"),
        source=subpath(input[0], parent=True),
        out=subpath(output[0], parent=True),
        twin=subpath(output[2], parent=True),
        config=params_of("seed", "benchmarks.divlogiceval.polish"),
    shell:
        """
        divlogic benchmarks divlogiceval finish \
            --in {params.source:q} \
            --params {params.config:q} \
            --params {resources.how:q} \
            --out {params.out:q} \
            --twin {params.twin:q} \
            2> {log:q}
        """


rule describe_divlogiceval:
    """Tabulate what free wording would break, and how many premises answers need."""
    input:
        splits=splits_of("divlogiceval"),
        counts=realised_counts("divlogiceval"),
    output:
        [
            reported(f"results/benchmarks/divlogiceval/{table}.csv", "Data")
            for table in ("verification", "premises_needed")
        ],
        "results/benchmarks/divlogiceval/verification.json",
    log:
        "logs/benchmarks/describe_divlogiceval.log",
    benchmark:
        "logs/benchmarks/describe_divlogiceval.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval describe"),
        counts=shard_options("counts"),
        out=subpath(output[0], parent=True),
        config=params_of("benchmarks.divlogiceval.verification"),
    shell:
        """
        divlogic benchmarks divlogiceval describe \
            {input.splits:q} \
            {params.counts:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule audit_english:
    """Count how often the English of the test split says something else than its formulas."""
    input:
        records="data/interim/benchmarks/divlogiceval/splits/test.jsonl.gz",
        groups="data/sentences/groups.jsonl.gz",
        weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json.gz",
        tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json.gz",
        classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json.gz",
    output:
        reported("results/benchmarks/divlogiceval/english.csv", "Data"),
    log:
        "logs/benchmarks/audit_english.log",
    benchmark:
        "logs/benchmarks/audit_english.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval english"),
        tagger=subpath(input.weights, parent=True),
        config=params_of("benchmarks.divlogiceval.audited"),
    shell:
        """
        divlogic benchmarks divlogiceval english \
            --in {input.records:q} \
            --groups {input.groups:q} \
            --tagger {params.tagger:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """

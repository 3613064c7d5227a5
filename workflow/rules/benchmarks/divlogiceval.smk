# What DivLogicEval alone has: groups of sentences in a drawn order, a plan, the polish of its splits, its symbolic twin,
# and the report on freely worded instances. Included by ../benchmarks.smk.
#
# Inputs   data/sentences/groups.jsonl.gz
# Outputs  data/benchmarks/{divlogiceval,s-divlogiceval}/{test,unpolished}.jsonl, results/benchmarks/divlogiceval/


REALISE_INPUTS["divlogiceval"] = {
    "groups": "data/interim/benchmarks/divlogiceval/groups.jsonl",
    "plan": "data/interim/benchmarks/divlogiceval/plan.json",
}
PLANS["divlogiceval"] = ["data/interim/benchmarks/divlogiceval/plan.json"]
TARGETS["divlogiceval"] = [
    "data/interim/benchmarks/divlogiceval/groups.jsonl",
    "data/interim/benchmarks/divlogiceval/plan.json",
    *expand("data/interim/benchmarks/divlogiceval/splits/{split}.jsonl", split=["test", "unpolished"]),
    *expand("data/benchmarks/s-divlogiceval/{split}.jsonl", split=["test", "unpolished"]),
    "results/benchmarks/divlogiceval/verification.csv",
    "results/benchmarks/divlogiceval/english.csv",
    "results/benchmarks/divlogiceval/premises_needed.csv",
    "results/benchmarks/divlogiceval/yield.csv",
    *expand(
        "data/interim/benchmarks/divlogiceval/fresh/{sample}.jsonl.gz",
        sample=FRESH_SAMPLES,
    ),
]

POLISH = PARAMS.benchmarks.divlogiceval.polish
POLISH_HOW = params_of("benchmarks.divlogiceval.polish.concurrency")


ruleorder: polish_split > assemble_split


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
    priority: 10
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
        "data/interim/benchmarks/divlogiceval/groups.jsonl",
    output:
        "data/interim/benchmarks/divlogiceval/fresh/worded.jsonl.gz",
    log:
        "logs/benchmarks/word_fresh.log",
    benchmark:
        "logs/benchmarks/word_fresh.tsv"
    priority: 10
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


rule count_premises_needed:
    """Count how many premises the answers of each question type need."""
    input:
        splits=expand("data/benchmarks/divlogiceval/{split}.jsonl", split=["test", "unpolished"]),
    output:
        reported("results/benchmarks/divlogiceval/premises_needed.csv", "Data"),
    log:
        "logs/benchmarks/count_premises_needed.log",
    benchmark:
        "logs/benchmarks/count_premises_needed.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval premises"),
    shell:
        """
        divlogic benchmarks divlogiceval premises \
            {input.splits:q} \
            --out {output:q} \
            2> {log:q}
        """


rule shuffle_groups:
    """Put the sentence groups into the order in which instances receive them."""
    input:
        groups="data/sentences/groups.jsonl.gz",
    output:
        "data/interim/benchmarks/divlogiceval/groups.jsonl",
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
        groups="data/interim/benchmarks/divlogiceval/groups.jsonl",
    output:
        "data/interim/benchmarks/divlogiceval/plan.json",
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


rule tabulate_yield:
    """Tabulate what each step from sentence pairs to instances keeps; in full runs estimate it for the whole corpora."""
    input:
        symbolic=drawn_shards("divlogiceval"),
        counts="results/sentences/filter.csv",
        plan="data/interim/benchmarks/divlogiceval/plan.json",
    output:
        reported("results/benchmarks/divlogiceval/yield.csv", "Data"),
        multiext("results/benchmarks/divlogiceval/yield", ".md", ".tex", ".json"),
    log:
        "logs/benchmarks/tabulate_yield.log",
    benchmark:
        "logs/benchmarks/tabulate_yield.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval yield"),
        symbolic=lambda wildcards, input: shard_names(input.symbolic),
        base=subpath(output[0], strip_suffix=".csv"),
        config=params_of("sentences.mnli_share"),
    shell:
        """
        divlogic benchmarks divlogiceval yield \
            {params.symbolic:q} \
            --counts {input.counts:q} \
            --plan {input.plan:q} \
            --params {params.config:q} \
            --out {params.base:q} \
            2> {log:q}
        """


rule assemble_divlogiceval:
    """Put one split together from its shards, to be polished."""
    input:
        realised=realised_shards("divlogiceval"),
    output:
        "data/interim/benchmarks/divlogiceval/splits/{split}.jsonl",
    log:
        "logs/benchmarks/assemble_divlogiceval/{split}.log",
    benchmark:
        "logs/benchmarks/assemble_divlogiceval/{split}.tsv"
    priority: 20
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks assemble divlogiceval"),
        config=params_of("corpus_source", "seed", "benchmarks.divlogiceval"),
        realised=lambda wildcards, input: shard_names(input.realised),
    shell:
        """
        divlogic benchmarks assemble divlogiceval \
            {params.realised:q} \
            --split {wildcards.split:q} \
            --out {output:q} \
            2> {log:q}
        """


rule polish_split:
    """Correct the grammar of the test split with a language model if `polish` is enabled; else take it as it is."""
    input:
        records="data/interim/benchmarks/divlogiceval/splits/{split}.jsonl",
        # Written by the first run that is to be reviewed.
        review=[file for file in [POLISH.review] if file and Path(file).exists()],
    output:
        "data/benchmarks/divlogiceval/{split}.jsonl",
    log:
        "logs/benchmarks/polish_split/{split}.log",
    benchmark:
        "logs/benchmarks/polish_split/{split}.tsv"
    conda:
        "../../envs/divlogic.yaml"
    resources:
        how=POLISH_HOW,
    params:
        code=code_of("benchmarks divlogiceval polish"),
        config=params_of("seed", "benchmarks.divlogiceval.polish"),
    shell:
        """
        divlogic benchmarks divlogiceval polish \
            --in {input.records:q} \
            --params {params.config:q} \
            --params {resources.how:q} \
            --out {output:q} \
            2> {log:q}
        """


rule write_twin:
    """Write the symbolic twin of a split: formulas in the place of sentences."""
    input:
        records="data/benchmarks/{benchmark}/{split}.jsonl",
    output:
        "data/benchmarks/s-{benchmark}/{split}.jsonl",
    log:
        "logs/benchmarks/write_twin/{benchmark}/{split}.log",
    benchmark:
        "logs/benchmarks/write_twin/{benchmark}/{split}.tsv"
    wildcard_constraints:
        benchmark="divlogiceval|ilogiceval",
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval twin"),
    shell:
        """
        divlogic benchmarks divlogiceval twin \
            --in {input.records:q} \
            --out {output:q} \
            2> {log:q}
        """


rule report_verification:
    """Report how many instances, worded freely as in the paper, would fail at the nli level."""
    input:
        counts=realised_counts("divlogiceval"),
    output:
        table=reported("results/benchmarks/divlogiceval/verification.csv", "Data"),
        described="results/benchmarks/divlogiceval/verification.json",
    log:
        "logs/benchmarks/report_verification.log",
    benchmark:
        "logs/benchmarks/report_verification.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks divlogiceval verification"),
        counts=lambda wildcards, input: shard_names(input.counts),
        config=params_of("benchmarks.divlogiceval.verification"),
    shell:
        """
        divlogic benchmarks divlogiceval verification \
            {params.counts:q} \
            --params {params.config:q} \
            --out {output.table:q} \
            2> {log:q}
        """


rule audit_english:
    """Count how often the English of the test split says something else than its formulas."""
    input:
        records="data/interim/benchmarks/divlogiceval/splits/test.jsonl",
        groups="data/sentences/groups.jsonl.gz",
        weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json",
        tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json",
        classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json",
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

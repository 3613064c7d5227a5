# What LLMEval-Logic alone has: own seeds, the symbolic hardener. Included by ../benchmarks.smk.
#
# Inputs   data/embedded/scenarios/
# Outputs  data/benchmarks/llmeval_logic/{base,hard}.jsonl, results/benchmarks/llmeval_logic/{hardening.csv,panel.*,z3.json},
#          results/benchmarks/llmeval_logic/{verification,rubric_audit,sensitivity}.{csv,json}, sensitivity.{md,tex,svg,png}


HARDENER_SHARDS = range(PARAMS.benchmarks.llmeval_logic.hardener.shards)
PLANS["llmeval_logic"] = [
    "data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz",
    "results/benchmarks/llmeval_logic/hardening.json",
]
VERIFIED.add("llmeval_logic")
TARGETS["llmeval_logic"] = [
    "data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz",
    *expand("data/interim/benchmarks/llmeval_logic/hard/{shard}.jsonl.gz", shard=HARDENER_SHARDS),
    "results/benchmarks/llmeval_logic/z3.json",
    "results/benchmarks/llmeval_logic/hardening.csv",
    "results/benchmarks/llmeval_logic/panel.csv",
    "results/benchmarks/llmeval_logic/panel.svg",
    "results/benchmarks/llmeval_logic/verification.csv",
    "results/benchmarks/llmeval_logic/rubric_audit.csv",
    "results/benchmarks/llmeval_logic/sensitivity.csv",
    "results/benchmarks/llmeval_logic/sensitivity.svg",
]
PUBLISHED_HERE = PARAMS.corpus_source == "full" and "llmeval_logic" in CORPORA["all"]
if PUBLISHED_HERE:
    TARGETS["llmeval_logic"] += ["results/benchmarks/llmeval_logic/published/composition.csv"]


rule read_seeds:
    """Read the scenarios and check every answer with both deciders."""
    input:
        scenarios=embedded_folder("scenarios"),
    output:
        seeds="data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz",
        verification=reported(
            "results/benchmarks/llmeval_logic/verification.csv", "Data", "llmeval_logic_verification"
        ),
        counts="results/benchmarks/llmeval_logic/verification.json",
    log:
        "logs/benchmarks/read_seeds.log",
    benchmark:
        "logs/benchmarks/read_seeds.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks llmeval_logic seeds"),
        source=lambda wildcards, input: str(Path(input.scenarios[0]).parent),
    shell:
        """
        divlogic benchmarks llmeval_logic seeds \
            --in {params.source:q} \
            --out {output.seeds:q} \
            --verification {output.verification:q} \
            2> {log:q}
        """


rule harden_symbolic:
    """Draw one shard of hard items by operators on the seeds' theories."""
    input:
        seeds="data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz",
    output:
        hard="data/interim/benchmarks/llmeval_logic/hard/{shard}.jsonl.gz",
        counts="data/interim/benchmarks/llmeval_logic/hard/{shard}.counts.json.gz",
    log:
        "logs/benchmarks/harden_symbolic/{shard}.log",
    benchmark:
        "logs/benchmarks/harden_symbolic/{shard}.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks llmeval_logic harden"),
        shards=len(HARDENER_SHARDS),
        config=params_of("seed", "benchmarks.llmeval_logic.hardener"),
    shell:
        """
        divlogic benchmarks llmeval_logic harden \
            --in {input.seeds:q} \
            --shard {wildcards.shard:q} \
            --shards {params.shards:q} \
            --params {params.config:q} \
            --out {output.hard:q} \
            --counts {output.counts:q} \
            2> {log:q}
        """


rule assemble_llmeval_logic:
    """Put seeds and hard items together into splits, and tabulate gates and panel."""
    input:
        seeds="data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz",
        shards=expand("data/interim/benchmarks/llmeval_logic/hard/{shard}.jsonl.gz", shard=HARDENER_SHARDS),
        counts=expand(
            "data/interim/benchmarks/llmeval_logic/hard/{shard}.counts.json.gz", shard=HARDENER_SHARDS
        ),
    output:
        base="data/benchmarks/llmeval_logic/base.jsonl",
        hard="data/benchmarks/llmeval_logic/hard.jsonl",
        gates=reported("results/benchmarks/llmeval_logic/hardening.csv", "Data"),
        panel=reported("results/benchmarks/llmeval_logic/panel.csv", "Data", "hardening_panel"),
        page="results/benchmarks/llmeval_logic/panel.md",
        tex="results/benchmarks/llmeval_logic/panel.tex",
        described=multiext("results/benchmarks/llmeval_logic/", "hardening.json", "panel.json"),
    log:
        "logs/benchmarks/assemble_llmeval_logic.log",
    benchmark:
        "logs/benchmarks/assemble_llmeval_logic.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks llmeval_logic assemble"),
        shards=lambda wildcards, input: shard_names(input.shards),
        counts=lambda wildcards, input: shard_names(input.counts),
        out=subpath(output.base, parent=True),
        tables=subpath(output.gates, parent=True),
    shell:
        """
        divlogic benchmarks llmeval_logic assemble \
            {params.shards:q} \
            {params.counts:q} \
            --seeds {input.seeds:q} \
            --out {params.out:q} \
            --tables {params.tables:q} \
            2> {log:q}
        """


rule confirm_llmeval_logic:
    """Decide every question of the released splits by Z3, from what their records state."""
    input:
        splits=splits_of("llmeval_logic"),
    output:
        "results/benchmarks/llmeval_logic/z3.json",
    log:
        "logs/benchmarks/confirm_llmeval_logic.log",
    benchmark:
        "logs/benchmarks/confirm_llmeval_logic.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks llmeval_logic confirm"),
    shell:
        """
        divlogic benchmarks llmeval_logic confirm \
            {input.splits:q} \
            --out {output:q} \
            2> {log:q}
        """


rule audit_rubrics:
    """Tell which rubric atoms follow from the gold, and which do not."""
    input:
        seeds="data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz",
    output:
        table=reported(
            "results/benchmarks/llmeval_logic/rubric_audit.csv", "Data", "llmeval_logic_rubric_audit"
        ),
        counts="results/benchmarks/llmeval_logic/rubric_audit.json",
    log:
        "logs/benchmarks/audit_rubrics.log",
    benchmark:
        "logs/benchmarks/audit_rubrics.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks rubrics llmeval_logic"),
    shell:
        """
        divlogic benchmarks rubrics llmeval_logic \
            --in {input.seeds:q} \
            --out {output.table:q} \
            2> {log:q}
        """


rule measure_formal_sensitivity:
    """Measure how many wrong formalizations answer check, rubric and equivalence let through."""
    input:
        seeds="data/interim/benchmarks/llmeval_logic/seeds.jsonl.gz",
    output:
        table=reported("results/benchmarks/llmeval_logic/sensitivity.csv", "Data", "formal_sensitivity"),
        described="results/benchmarks/llmeval_logic/sensitivity.json",
        page="results/benchmarks/llmeval_logic/sensitivity.md",
        tex="results/benchmarks/llmeval_logic/sensitivity.tex",
    log:
        "logs/benchmarks/measure_formal_sensitivity.log",
    benchmark:
        "logs/benchmarks/measure_formal_sensitivity.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks sensitivity llmeval_logic"),
    shell:
        """
        divlogic benchmarks sensitivity llmeval_logic \
            --in {input.seeds:q} \
            --out {output.table:q} \
            2> {log:q}
        """


rule draw_llmeval_logic_figures:
    """Draw what solvers of the hardener's panel answer, and what formal signals let through."""
    input:
        panel="results/benchmarks/llmeval_logic/panel.json",
        sensitivity="results/benchmarks/llmeval_logic/sensitivity.json",
    output:
        reported("results/benchmarks/llmeval_logic/panel.svg", "Data", "hardening_panel"),
        reported("results/benchmarks/llmeval_logic/sensitivity.svg", "Data", "formal_sensitivity"),
        "results/benchmarks/llmeval_logic/panel.png",
        "results/benchmarks/llmeval_logic/sensitivity.png",
    log:
        "logs/benchmarks/draw_llmeval_logic_figures.log",
    benchmark:
        "logs/benchmarks/draw_llmeval_logic_figures.tsv"
    conda:
        "../../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks llmeval_logic figures"),
        panel=subpath(input.panel, strip_suffix=".json"),
        sensitivity=subpath(input.sensitivity, strip_suffix=".json"),
        out=subpath(output[0], parent=True),
    shell:
        """
        divlogic benchmarks llmeval_logic figures \
            --panel {params.panel:q} \
            --sensitivity {params.sensitivity:q} \
            --out {params.out:q} \
            2> {log:q}
        """


if PUBLISHED_HERE:

    rule measure_published_llmeval_logic:
        """Verify the published items, audit their rubrics, measure sensitivity, count what is there; evaluation only."""
        input:
            folder=f"{RAW}/llmeval_logic",
        output:
            composition=reported(
                "results/benchmarks/llmeval_logic/published/composition.csv",
                "Data",
                "llmeval_logic_composition",
            ),
            audit=reported(
                "results/benchmarks/llmeval_logic/published/rubric_audit.csv",
                "Data",
                "llmeval_logic_rubrics",
            ),
            table=reported(
                "results/benchmarks/llmeval_logic/published/sensitivity.csv", "Data", "formal_sensitivity"
            ),
            figure=reported(
                "results/benchmarks/llmeval_logic/published/sensitivity.svg", "Data", "formal_sensitivity"
            ),
            verification="results/benchmarks/llmeval_logic/published/verification.csv",
            counts=expand(
                "results/benchmarks/llmeval_logic/published/{name}.json",
                name=["rubric_audit", "sensitivity", "verification", "composition"],
            ),
            pages=expand(
                "results/benchmarks/llmeval_logic/published/{name}.{form}",
                name=["composition", "sensitivity"],
                form=["md", "tex"],
            ),
            picture="results/benchmarks/llmeval_logic/published/sensitivity.png",
        log:
            "logs/benchmarks/measure_published_llmeval_logic.log",
        benchmark:
            "logs/benchmarks/measure_published_llmeval_logic.tsv"
        conda:
            "../../envs/divlogic.yaml"
        params:
            code=code_of("benchmarks llmeval_logic published"),
            out=subpath(output.composition, parent=True),
        shell:
            """
            divlogic benchmarks llmeval_logic published \
                --in {input.folder:q} \
                --out {params.out:q} \
                2> {log:q}
            """

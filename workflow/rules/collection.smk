# Collection: every benchmark that is here, ours, yours and in full runs the published ones, as records; and their labels
# derived again. A phase of its own, so that a data set that you import makes no generator run.
#
# Inputs   data/benchmarks/<name>/, data/imported/ (your own data sets); in full runs data/raw/
# Outputs  data/interim/collection/, results/collection/label_disagreements.csv


if "PARAMS" not in globals():

    include: "../common.smk"


from divlogic.benchmarks.registry import BENCHMARKS, audits

# What tables are measured on: test splits of the generic rules, then splits of rules of a benchmark's own.
MADE = {one.name: one.generator for one in BENCHMARKS if one.generator}
TABLED = [
    *(f"data/benchmarks/{name}/test.jsonl" for name, made in MADE.items() if made.draw),
    *(f"data/benchmarks/{name}/{made.tabled}.jsonl" for name, made in MADE.items() if made.tabled),
]


# A published set may also lie in a corpus of recorded answers.
READ = {*CORPORA.get("comparator", []), *(part.corpus for one in published_sets() for part in one.parts)}


rule collection:
    """All outputs of the phase."""
    input:
        "data/interim/collection/benchmarks",
        "data/interim/collection/audit.json.gz",
        "results/collection/label_disagreements.csv",


rule collect_benchmarks:
    """Read every benchmark that is here into records: ours, imported ones, and in full runs the published ones."""
    input:
        generated=TABLED,
        imported=source("data/imported"),
        comparators=[f"{RAW}/{name}" for name in CORPORA["all"] if name in READ],
    output:
        directory("data/interim/collection/benchmarks"),
    log:
        "logs/collection/collect_benchmarks.log",
    benchmark:
        "logs/collection/collect_benchmarks.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("benchmarks collect", "benchmarks.readers.divlogiceval"),
        roots=lambda wildcards, input: f"--in={Path(input.comparators[0]).parent if input.comparators else RAW}",
        generated=options("generated"),
    shell:
        """
        divlogic benchmarks collect \
            {params.roots:q} \
            {params.generated:q} \
            --imported {input.imported:q} \
            --out {output:q} \
            2> {log:q}
        """


rule audit_labels:
    """Derive labels again from the symbolic forms that benchmarks carry, and list the disagreements with their reasons."""
    input:
        collection="data/interim/collection/benchmarks",
    output:
        summary="data/interim/collection/audit.json.gz",
        findings=reported("results/collection/label_disagreements.csv", "Data"),
    log:
        "logs/collection/audit_labels.log",
    benchmark:
        "logs/collection/audit_labels.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of(
            "benchmarks audit", *sorted({entry.partition(":")[0] for entry in audits().values() if entry})
        ),
        config=params_of("benchmarks.audit"),
    shell:
        """
        divlogic benchmarks audit \
            --in {input.collection:q} \
            --findings {output.findings:q} \
            --params {params.config:q} \
            --out {output.summary:q} \
            2> {log:q}
        """

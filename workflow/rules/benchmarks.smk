# Benchmarks: every generated benchmark is drawn, worded, put together and verified by the same rules over {benchmark};
# what one alone has is in benchmarks/<name>.smk.
#
# Inputs   data/sentences/groups.jsonl.gz, data/interim/corpora/generics.jsonl.gz, data/interim/tagger/; data/raw/ for the
#          data cards
# Outputs  data/benchmarks/<name>/, data/variants/<name>/ (none by default), data/interim/benchmarks/<name>/,
#          results/benchmarks/<name>/


if "PARAMS" not in globals():

    include: "../common.smk"


from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.io.imports import load

GENERATORS = {one.name: one for one in BENCHMARKS if one.generator}
GENERATED = [name for name, one in GENERATORS.items() if one.generator.draw]
RELEASED = {name: load(one.release) for name, one in GENERATORS.items() if one.release}
SHARDS = {name: range(getattr(PARAMS.benchmarks, name).shards) for name in GENERATED}

# Sets of the generators that are made beside the run's own.
VARIANTS = {variant.name: variant for variant in PARAMS.benchmarks.variants}

# What benchmarks/<name>.smk add by the benchmark's name: the files that its wording reads, those that say how many
# records its release must have, and further outputs.
REALISE_INPUTS = {name: {} for name in GENERATED}
PLANS = {name: [] for name in RELEASED}
TARGETS = {}
# And the names of those that have their own rule to put splits together, and to write the solver's report.
ASSEMBLED, VERIFIED = set(), set()


rule benchmarks:
    """All outputs of the phase."""
    input:
        [[*drawn_shards(name), *realised_shards(name)] for name in GENERATED],
        [splits_of(name) for name in GENERATORS],
        expand("results/benchmarks/{name}/z3.json", name=GENERATED),
        lambda wildcards: [path for paths in TARGETS.values() for path in paths],
        expand("data/benchmarks/{name}/release", name=RELEASED),
        expand("data/variants/{variant}", variant=VARIANTS),


for name in GENERATORS:
    if Path("workflow/rules/benchmarks", f"{name}.smk").is_file():

        include: f"benchmarks/{name}.smk"


rule draw_instances:
    """Draw one shard of a benchmark's symbolic instances."""
    output:
        "data/interim/benchmarks/{benchmark}/drawn/{shard}.jsonl.gz",
    log:
        "logs/benchmarks/draw_instances/{benchmark}/{shard}.log",
    benchmark:
        "logs/benchmarks/draw_instances/{benchmark}/{shard}.tsv"
    priority: 20
    conda:
        "../envs/divlogic.yaml"
    params:
        code=lambda wildcards: code_of("benchmarks draw", f"benchmarks.{wildcards.benchmark}"),
        shards=lambda wildcards: len(SHARDS[wildcards.benchmark]),
        config=shards_config,
    shell:
        """
        divlogic benchmarks draw {wildcards.benchmark:q} \
            --shard {wildcards.shard:q} \
            --shards {params.shards:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule realise_instances:
    """Word one shard of a benchmark's instances."""
    input:
        unpack(lambda wildcards: REALISE_INPUTS[wildcards.benchmark]),
        drawn="data/interim/benchmarks/{benchmark}/drawn/{shard}.jsonl.gz",
    output:
        records="data/interim/benchmarks/{benchmark}/realised/{shard}.jsonl.gz",
        counts="data/interim/benchmarks/{benchmark}/realised/{shard}.counts.json.gz",
    log:
        "logs/benchmarks/realise_instances/{benchmark}/{shard}.log",
    benchmark:
        "logs/benchmarks/realise_instances/{benchmark}/{shard}.tsv"
    priority: 20
    conda:
        "../envs/divlogic.yaml"
    params:
        code=lambda wildcards: code_of("benchmarks realise", f"benchmarks.{wildcards.benchmark}"),
        inputs=lambda wildcards, input: [f"{key}={input[key]}" for key in REALISE_INPUTS[wildcards.benchmark]],
        config=shards_config,
    shell:
        """
        divlogic benchmarks realise {wildcards.benchmark:q} \
            {params.inputs:q} \
            --in {input.drawn:q} \
            --shard {wildcards.shard:q} \
            --params {params.config:q} \
            --out {output.records:q} \
            --counts {output.counts:q} \
            2> {log:q}
        """


for name in GENERATED:
    if name not in ASSEMBLED:

        rule:
            """Put the splits of a benchmark together from its shards."""
            name:
                f"assemble_{name}"
            input:
                realised=realised_shards(name),
            output:
                splits_of(name),
            log:
                f"logs/benchmarks/assemble_{name}.log",
            benchmark:
                f"logs/benchmarks/assemble_{name}.tsv"
            priority: 20
            conda:
                "../envs/divlogic.yaml"
            params:
                code=code_of("benchmarks assemble"),
                benchmark=name,
                # Not an option of the command: what it writes is noted with the parameters of the shards.
                config=params_of("corpus_source", "seed", f"benchmarks.{name}"),
                realised=lambda wildcards, input: shard_names(input.realised),
                out=subpath(output[0], parent=True),
            shell:
                """
                divlogic benchmarks assemble {params.benchmark:q} \
                    {params.realised:q} \
                    --out {params.out:q} \
                    2> {log:q}
                """


rule verify_labels:
    """Confirm every label of a benchmark's test split with Z3, from what its records state."""
    input:
        records="data/benchmarks/{benchmark}/test.jsonl",
    output:
        "results/benchmarks/{benchmark}/z3.json",
    log:
        "logs/benchmarks/verify_labels/{benchmark}.log",
    benchmark:
        "logs/benchmarks/verify_labels/{benchmark}.tsv"
    wildcard_constraints:
        benchmark="|".join(name for name in GENERATORS if name not in VERIFIED),
    conda:
        "../envs/divlogic.yaml"
    params:
        code=lambda wildcards: code_of("benchmarks verify", f"benchmarks.{wildcards.benchmark}"),
    shell:
        """
        divlogic benchmarks verify {wildcards.benchmark:q} \
            --in {input.records:q} \
            --out {output:q} \
            2> {log:q}
        """


rule release_benchmark:
    """Write a benchmark's release: parquet files, data card and Croissant metadata, loadable with `datasets`."""
    input:
        splits=released_splits,
        reports=released_reports,
        plan=lambda wildcards: PLANS[wildcards.benchmark],
        corpora=released_corpora,
        registry=source("data/registry.yaml"),
    output:
        directory("data/benchmarks/{benchmark}/release"),
    log:
        "logs/benchmarks/release_benchmark/{benchmark}.log",
    benchmark:
        "logs/benchmarks/release_benchmark/{benchmark}.tsv"
    priority: 20
    conda:
        "../envs/divlogic.yaml"
    params:
        code=lambda wildcards: code_of("benchmarks release", f"benchmarks.{wildcards.benchmark}"),
        source=subpath(output[0], ancestor=2),
        results=lambda wildcards, input: str(Path(input.reports[0]).parent),
        plan=options("plan"),
        config=lambda wildcards: params_of(*RELEASED[wildcards.benchmark].parameters),
    shell:
        """
        divlogic benchmarks release {wildcards.benchmark:q} \
            {input.corpora:q} \
            --in {params.source:q} \
            --results {params.results:q} \
            --registry {input.registry:q} \
            {params.plan:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule draw_variant:
    """Draw a further set of one generator: items, records, card and the solver's report."""
    output:
        directory("data/variants/{variant}"),
    log:
        "logs/benchmarks/draw_variant/{variant}.log",
    benchmark:
        "logs/benchmarks/draw_variant/{variant}.tsv"
    wildcard_constraints:
        variant="[a-z0-9_-]+",
    conda:
        "../envs/divlogic.yaml"
    params:
        code=lambda wildcards: code_of("create", f"benchmarks.{VARIANTS[wildcards.variant].benchmark}"),
        arguments=lambda wildcards: create_arguments(VARIANTS[wildcards.variant]),
    shell:
        """
        divlogic create \
            {params.arguments:q} \
            --out {output:q} \
            2> {log:q}
        """

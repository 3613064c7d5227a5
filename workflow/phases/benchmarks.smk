# Benchmarks: DivLogicEval (symbolic instances, options, wording, release) and JustLogic (arguments, wording), Z3's verdict
# on their labels, and a collection of every benchmark that is here.
#
# Inputs   data/sentences/groups.jsonl.gz, data/interim/corpora/generics.jsonl.gz, data/interim/tagger/, data/imported/ (your
#          own data sets); data/raw/ for the data card and, in full runs, the published benchmarks
# Outputs  data/benchmarks/{divlogiceval,s-divlogiceval,ilogiceval,justlogic}/, data/interim/benchmarks/collection/,
#          results/benchmarks/{verification.csv,z3.json,justlogic_z3.json,statements.csv}


include: "../common.smk"


INSTANCE_SHARDS = range(PARAMS.benchmarks.divlogiceval.shards)
ARGUMENT_SHARDS = range(PARAMS.benchmarks.justlogic.shards)


rule benchmarks:
    """All outputs of the phase."""
    input:
        expand(
            "data/benchmarks/{name}/{split}.jsonl",
            name=["divlogiceval", "s-divlogiceval"],
            split=["test", "unpolished"],
        ),
        expand("data/benchmarks/ilogiceval/{split}.jsonl", split=["train", "validation", "test"]),
        "data/benchmarks/divlogiceval/README.md",
        "results/benchmarks/verification.csv",
        "results/benchmarks/z3.json",
        expand("data/benchmarks/justlogic/{split}.jsonl", split=["train", "validation", "test"]),
        "results/benchmarks/statements.csv",
        "results/benchmarks/justlogic_z3.json",
        "data/interim/benchmarks/collection",


rule draw_symbolic:
    """Draw one shard of symbolic instances: contexts by Algorithm 1, options, answers."""
    input:
        code=code_of("benchmarks/draws.py", "benchmarks/divlogiceval", "logic"),
    output:
        "data/interim/benchmarks/symbolic/{shard}.jsonl.gz",
    log:
        "logs/benchmarks/draw_symbolic/{shard}.log",
    benchmark:
        "logs/benchmarks/draw_symbolic/{shard}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        shards=PARAMS.benchmarks.divlogiceval.shards,
        config=params_of("benchmarks"),
    message:
        "Drawing symbolic instances, shard {wildcards.shard}"
    shell:
        """
        divlogic benchmarks symbolic \
            --shard {wildcards.shard} \
            --shards {params.shards} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule shuffle_groups:
    """Put the sentence groups into the order in which instances receive them."""
    input:
        groups="data/sentences/groups.jsonl.gz",
        code=code_of("benchmarks/divlogiceval/groups.py"),
    output:
        "data/interim/benchmarks/groups.jsonl",
    log:
        "logs/benchmarks/shuffle_groups.log",
    benchmark:
        "logs/benchmarks/shuffle_groups.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("benchmarks"),
    message:
        "Shuffling sentence groups"
    shell:
        """
        divlogic benchmarks shuffle \
            --in {input.groups:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule plan_instances:
    """Decide how many instances the sentence groups allow and which groups each shard receives."""
    input:
        symbolic=expand("data/interim/benchmarks/symbolic/{shard}.jsonl.gz", shard=INSTANCE_SHARDS),
        groups="data/interim/benchmarks/groups.jsonl",
        code=code_of("benchmarks/divlogiceval/build.py"),
    output:
        "data/interim/benchmarks/plan.json",
    log:
        "logs/benchmarks/plan_instances.log",
    benchmark:
        "logs/benchmarks/plan_instances.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("benchmarks"),
    message:
        "Planning instances"
    shell:
        """
        divlogic benchmarks plan \
            {input.symbolic:q} \
            --groups {input.groups:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule word_instances:
    """Word one shard of instances: a sentence for every literal, a template for every formula."""
    input:
        symbolic="data/interim/benchmarks/symbolic/{shard}.jsonl.gz",
        groups="data/interim/benchmarks/groups.jsonl",
        plan="data/interim/benchmarks/plan.json",
        code=code_of("benchmarks/draws.py", "benchmarks/divlogiceval", "benchmarks/templates", "logic"),
    output:
        records="data/interim/benchmarks/worded/{shard}.jsonl.gz",
        counts="data/interim/benchmarks/worded/{shard}.counts.json",
    log:
        "logs/benchmarks/word_instances/{shard}.log",
    benchmark:
        "logs/benchmarks/word_instances/{shard}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("benchmarks"),
    message:
        "Wording instances, shard {wildcards.shard}"
    shell:
        """
        divlogic benchmarks word \
            --in {input.symbolic:q} \
            --shard {wildcards.shard} \
            --groups {input.groups:q} \
            --plan {input.plan:q} \
            --params {params.config:q} \
            --out {output.records:q} \
            --counts {output.counts:q} \
            2> {log:q}
        """


rule assemble_splits:
    """Put the shards together: one file per split, of the benchmark and of its symbolic twin."""
    input:
        worded=expand("data/interim/benchmarks/worded/{shard}.jsonl.gz", shard=INSTANCE_SHARDS),
        code=code_of("benchmarks/divlogiceval/build.py", "benchmarks/divlogiceval/text.py"),
    output:
        test="data/interim/benchmarks/splits/test.jsonl",
        unpolished="data/interim/benchmarks/splits/unpolished.jsonl",
        twin_test="data/benchmarks/s-divlogiceval/test.jsonl",
        twin_unpolished="data/benchmarks/s-divlogiceval/unpolished.jsonl",
    log:
        "logs/benchmarks/assemble_splits.log",
    benchmark:
        "logs/benchmarks/assemble_splits.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        out=subpath(output.test, parent=True),
        twin=subpath(output.twin_test, parent=True),
    message:
        "Assembling the splits"
    shell:
        """
        divlogic benchmarks assemble \
            {input.worded:q} \
            --out {params.out:q} \
            --twin {params.twin:q} \
            2> {log:q}
        """


rule polish_split:
    """Correct the grammar of the test split with a language model if `polish` is enabled; else take it as it is."""
    input:
        records="data/interim/benchmarks/splits/{split}.jsonl",
        code=code_of("benchmarks/polish"),
    output:
        "data/benchmarks/divlogiceval/{split}.jsonl",
    log:
        "logs/benchmarks/polish_split/{split}.log",
    benchmark:
        "logs/benchmarks/polish_split/{split}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("benchmarks"),
    message:
        "Finishing the {wildcards.split} split"
    shell:
        """
        divlogic benchmarks polish \
            --in {input.records:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule cut_ilogiceval:
    """Cut the same instances into ILogicEval's train, validation and test splits."""
    input:
        test="data/benchmarks/divlogiceval/test.jsonl",
        unpolished="data/benchmarks/divlogiceval/unpolished.jsonl",
        code=code_of("benchmarks/divlogiceval/build.py"),
    output:
        train="data/benchmarks/ilogiceval/train.jsonl",
        validation="data/benchmarks/ilogiceval/validation.jsonl",
        test="data/benchmarks/ilogiceval/test.jsonl",
    log:
        "logs/benchmarks/cut_ilogiceval.log",
    benchmark:
        "logs/benchmarks/cut_ilogiceval.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        source=subpath(input.test, parent=True),
        out=subpath(output.test, parent=True),
        config=params_of("benchmarks"),
    message:
        "Cutting ILogicEval's splits"
    shell:
        """
        divlogic benchmarks ilogiceval \
            --in {params.source:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule report_verification:
    """Report how many instances, worded freely as in the paper, would fail at the nli level."""
    input:
        counts=expand("data/interim/benchmarks/worded/{shard}.counts.json", shard=INSTANCE_SHARDS),
        code=code_of("benchmarks/divlogiceval/build.py"),
    output:
        reported("results/benchmarks/verification.csv", "Data"),
    log:
        "logs/benchmarks/report_verification.log",
    benchmark:
        "logs/benchmarks/report_verification.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("benchmarks"),
    message:
        "Reporting verification"
    shell:
        """
        divlogic benchmarks verification \
            {input.counts:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule confirm_labels:
    """Confirm every label of the test split with Z3, from the formulas that its records state."""
    input:
        records="data/benchmarks/divlogiceval/test.jsonl",
        code=code_of("benchmarks/divlogiceval/verify.py", "logic"),
    output:
        "results/benchmarks/z3.json",
    log:
        "logs/benchmarks/confirm_labels.log",
    benchmark:
        "logs/benchmarks/confirm_labels.tsv"
    conda:
        "../envs/divlogic.yaml"
    message:
        "Confirming labels with Z3"
    shell:
        """
        divlogic benchmarks confirm \
            --in {input.records:q} \
            --out {output:q} \
            2> {log:q}
        """


rule release_divlogiceval:
    """Write the release: parquet files, data card and Croissant metadata, loadable with `datasets`."""
    input:
        test="data/benchmarks/divlogiceval/test.jsonl",
        unpolished="data/benchmarks/divlogiceval/unpolished.jsonl",
        twin_test="data/benchmarks/s-divlogiceval/test.jsonl",
        twin_unpolished="data/benchmarks/s-divlogiceval/unpolished.jsonl",
        corpora=expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA["nli"]),
        registry="data/registry.yaml",
        table="results/benchmarks/verification.csv",
        code=code_of("benchmarks/release", "corpora/manifest.py", "corpora/registry.py"),
    output:
        card="data/benchmarks/divlogiceval/README.md",
        croissant="data/benchmarks/divlogiceval/croissant.json",
        parquet=directory("data/benchmarks/divlogiceval/parquet"),
    log:
        "logs/benchmarks/release_divlogiceval.log",
    benchmark:
        "logs/benchmarks/release_divlogiceval.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        source=subpath(input.test, parent=True),
        twin=subpath(input.twin_test, parent=True),
        out=subpath(output.card, parent=True),
        config=params_of("benchmarks"),
    message:
        "Writing the release"
    shell:
        """
        divlogic benchmarks release \
            {input.corpora:q} \
            --in {params.source:q} \
            --twin {params.twin:q} \
            --registry {input.registry:q} \
            --verification {input.table:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule filter_statements:
    """Filter one shard of the generic statements, and negate them where that is certain."""
    input:
        statements="data/interim/corpora/generics.jsonl.gz",
        weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json",
        tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json",
        classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json",
        code=code_of("benchmarks/justlogic", "sentences", "corpora/tagger.py"),
    output:
        statements="data/interim/benchmarks/justlogic/statements/{shard}.jsonl.gz",
        counts="data/interim/benchmarks/justlogic/statements/{shard}.counts.csv",
    log:
        "logs/benchmarks/filter_statements/{shard}.log",
    benchmark:
        "logs/benchmarks/filter_statements/{shard}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        tagger=subpath(input.weights, parent=True),
        shards=PARAMS.benchmarks.justlogic.shards,
        config=params_of("benchmarks"),
    message:
        "Filtering generic statements, shard {wildcards.shard}"
    shell:
        """
        divlogic benchmarks justlogic-statements \
            --in {input.statements:q} \
            --tagger {params.tagger:q} \
            --shard {wildcards.shard} \
            --shards {params.shards} \
            --params {params.config:q} \
            --out {output.statements:q} \
            --counts {output.counts:q} \
            2> {log:q}
        """


rule tabulate_statements:
    """Merge the shards of statements into one table, and sum up what was dropped and why."""
    input:
        statements=expand(
            "data/interim/benchmarks/justlogic/statements/{shard}.jsonl.gz", shard=ARGUMENT_SHARDS
        ),
        counts=expand(
            "data/interim/benchmarks/justlogic/statements/{shard}.counts.csv", shard=ARGUMENT_SHARDS
        ),
        code=code_of("benchmarks/justlogic"),
    output:
        table="data/interim/benchmarks/justlogic/statements.jsonl",
        counts=reported("results/benchmarks/statements.csv", "Data"),
    log:
        "logs/benchmarks/tabulate_statements.log",
    benchmark:
        "logs/benchmarks/tabulate_statements.tsv"
    conda:
        "../envs/divlogic.yaml"
    message:
        "Tabulating generic statements"
    shell:
        """
        divlogic benchmarks justlogic-table \
            {input.statements:q} \
            {input.counts:q} \
            --out {output.table:q} \
            --counts-out {output.counts:q} \
            2> {log:q}
        """


rule draw_arguments:
    """Draw one shard of JustLogic's arguments: forms, depth, query, label."""
    input:
        code=code_of("benchmarks/draws.py", "benchmarks/justlogic", "logic"),
    output:
        "data/interim/benchmarks/justlogic/symbolic/{shard}.jsonl.gz",
    log:
        "logs/benchmarks/draw_arguments/{shard}.log",
    benchmark:
        "logs/benchmarks/draw_arguments/{shard}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        shards=PARAMS.benchmarks.justlogic.shards,
        config=params_of("benchmarks"),
    message:
        "Drawing arguments, shard {wildcards.shard}"
    shell:
        """
        divlogic benchmarks justlogic-symbolic \
            --shard {wildcards.shard} \
            --shards {params.shards} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule word_arguments:
    """Word one shard of arguments by generic statements."""
    input:
        symbolic="data/interim/benchmarks/justlogic/symbolic/{shard}.jsonl.gz",
        statements="data/interim/benchmarks/justlogic/statements.jsonl",
        code=code_of("benchmarks/draws.py", "benchmarks/justlogic", "logic"),
    output:
        "data/interim/benchmarks/justlogic/worded/{shard}.jsonl.gz",
    log:
        "logs/benchmarks/word_arguments/{shard}.log",
    benchmark:
        "logs/benchmarks/word_arguments/{shard}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        config=params_of("benchmarks"),
    message:
        "Wording arguments, shard {wildcards.shard}"
    shell:
        """
        divlogic benchmarks justlogic-word \
            --in {input.symbolic:q} \
            --statements {input.statements:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule assemble_justlogic:
    """Put JustLogic's shards together: one file per split, 70/15/15 within each depth."""
    input:
        worded=expand("data/interim/benchmarks/justlogic/worded/{shard}.jsonl.gz", shard=ARGUMENT_SHARDS),
        code=code_of("benchmarks/justlogic"),
    output:
        train="data/benchmarks/justlogic/train.jsonl",
        validation="data/benchmarks/justlogic/validation.jsonl",
        test="data/benchmarks/justlogic/test.jsonl",
    log:
        "logs/benchmarks/assemble_justlogic.log",
    benchmark:
        "logs/benchmarks/assemble_justlogic.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        out=subpath(output.test, parent=True),
    message:
        "Assembling JustLogic"
    shell:
        """
        divlogic benchmarks justlogic-assemble \
            {input.worded:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule confirm_justlogic:
    """Read every text of JustLogic's test split back by the grammar, and confirm its label with Z3."""
    input:
        records="data/benchmarks/justlogic/test.jsonl",
        code=code_of("benchmarks/justlogic", "logic"),
    output:
        "results/benchmarks/justlogic_z3.json",
    log:
        "logs/benchmarks/confirm_justlogic.log",
    benchmark:
        "logs/benchmarks/confirm_justlogic.tsv"
    conda:
        "../envs/divlogic.yaml"
    message:
        "Confirming JustLogic's labels with Z3"
    shell:
        """
        divlogic benchmarks justlogic-confirm \
            --in {input.records:q} \
            --out {output:q} \
            2> {log:q}
        """


rule collect_benchmarks:
    """Read every benchmark that is here into records: ours, imported ones, and in full runs the published ones."""
    input:
        divlogiceval="data/benchmarks/divlogiceval/test.jsonl",
        justlogic="data/benchmarks/justlogic/test.jsonl",
        imported="data/imported",
        comparators=expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA.get("comparator", [])),
        code=code_of("benchmarks/collection", "benchmarks/readers"),
    output:
        directory("data/interim/benchmarks/collection"),
    log:
        "logs/benchmarks/collect_benchmarks.log",
    benchmark:
        "logs/benchmarks/collect_benchmarks.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        roots=f"--in {RAW}",
    message:
        "Collecting benchmarks"
    shell:
        """
        divlogic benchmarks collect \
            {params.roots} \
            --generated {input.divlogiceval:q} \
            --generated {input.justlogic:q} \
            --imported {input.imported:q} \
            --out {output:q} \
            2> {log:q}
        """

# Diversity: vocabulary, distance to Wikipedia, and readability of every benchmark that is here.
#
# Inputs   data/interim/collection/{benchmarks/,audit.json.gz}, data/benchmarks/divlogiceval/,
#          data/interim/corpora/wikipedia.jsonl.gz; in full runs punkt in data/raw/;
#          data/profiles/ (word counts of published benchmarks, for those that are not here)
# Outputs  results/diversity/{table4,table7,complexity,statistics,label_audit,kl_by_share}.{csv,md,tex}, figures/


if "PARAMS" not in globals():

    include: "../common.smk"


DIVERSITY_TABLES = ["table4", "table7", "splits", "complexity", "statistics", "label_audit"]
DIVERSITY_FIGURES = ["kl_sensitivity", "rank_frequency"]
DIVLOGICEVAL_SPLITS = expand("data/benchmarks/divlogiceval/{split}.jsonl", split=["test", "unpolished"])
SHIPPED_PROFILES = sources("data/profiles", "*.json.gz")
# The corpus with NLTK's sentence splitter, in a run that has it.
PUNKT = f"{RAW}/nltk_data" if PARAMS.corpus_source == "full" and "nltk_data" in PARAMS.corpora.full else []


rule diversity:
    """All outputs of the phase."""
    input:
        "data/interim/diversity/profiles",
        expand(
            "data/interim/diversity/{measure}.json.gz", measure=["divergence", "sensitivity", "readability"]
        ),
        expand("results/diversity/{table}.csv", table=DIVERSITY_TABLES),
        expand("results/diversity/figures/{figure}.svg", figure=DIVERSITY_FIGURES),


rule profile_benchmarks:
    """Count the tokens of every benchmark and of the Wikipedia sample."""
    input:
        collection="data/interim/collection/benchmarks",
        reference="data/interim/corpora/wikipedia.jsonl.gz",
        shipped=SHIPPED_PROFILES,
        punkt=PUNKT,
    output:
        directory("data/interim/diversity/profiles"),
    log:
        "logs/diversity/profile_benchmarks.log",
    benchmark:
        "logs/diversity/profile_benchmarks.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("diversity profile"),
        shipped=lambda wildcards, input: Path(input.shipped[0]).parent,
        punkt=punkt_option,
        config=params_of("corpus_source", "diversity.tokenizer", "diversity.type_token"),
    shell:
        """
        divlogic diversity profile \
            --in {input.collection:q} \
            --reference {input.reference:q} \
            --shipped {params.shipped:q} \
            {params.punkt:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule measure_divergence:
    """Measure KL divergence and Jensen-Shannon distance to the Wikipedia sample, in both presets."""
    input:
        collection="data/interim/collection/benchmarks",
        profiles="data/interim/diversity/profiles",
        reference="data/interim/corpora/wikipedia.jsonl.gz",
        punkt=PUNKT,
    output:
        "data/interim/diversity/divergence.json.gz",
    log:
        "logs/diversity/measure_divergence.log",
    benchmark:
        "logs/diversity/measure_divergence.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("diversity divergence"),
        punkt=punkt_option,
        config=params_of(
            "seed",
            "diversity.tokenizer",
            "diversity.as_published",
            "diversity.corrected",
            "diversity.minimum_tokens",
        ),
    shell:
        """
        divlogic diversity divergence \
            --in {input.collection:q} \
            --profiles {input.profiles:q} \
            --reference {input.reference:q} \
            {params.punkt:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule measure_sensitivity:
    """Measure how the divergence depends on the smoothing, the size of the subsample, and the share of MultiNLI."""
    input:
        collection="data/interim/collection/benchmarks",
        profiles="data/interim/diversity/profiles",
        splits=DIVLOGICEVAL_SPLITS,
    output:
        multiext("results/diversity/kl_by_share", ".md", ".tex", ".json"),
        grid="data/interim/diversity/sensitivity.json.gz",
        shares=reported("results/diversity/kl_by_share.csv", "Diversity"),
    log:
        "logs/diversity/measure_sensitivity.log",
    benchmark:
        "logs/diversity/measure_sensitivity.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("diversity sensitivity"),
        shares=subpath(output.shares, strip_suffix=".csv"),
        config=params_of(
            "seed", "diversity.as_published", "diversity.sensitivity", "diversity.minimum_tokens"
        ),
    shell:
        """
        divlogic diversity sensitivity \
            {input.splits:q} \
            --in {input.collection:q} \
            --profiles {input.profiles:q} \
            --params {params.config:q} \
            --out {output.grid:q} \
            --shares {params.shares:q} \
            2> {log:q}
        """


rule measure_readability:
    """Score Flesch-Kincaid grade and reading ease, as published and corrected."""
    input:
        collection="data/interim/collection/benchmarks",
        profiles="data/interim/diversity/profiles",
        punkt=PUNKT,
    output:
        "data/interim/diversity/readability.json.gz",
    log:
        "logs/diversity/measure_readability.log",
    benchmark:
        "logs/diversity/measure_readability.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("diversity readability"),
        punkt=punkt_option,
        config=params_of("diversity.readability"),
    shell:
        """
        divlogic diversity readability \
            --in {input.collection:q} \
            --profiles {input.profiles:q} \
            {params.punkt:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule write_diversity_tables:
    """Write Tables 4 and 7 of DivLogicEval, JustLogic's complexity table, word statistics and the label audit."""
    input:
        collection="data/interim/collection/benchmarks",
        profiles="data/interim/diversity/profiles",
        divergence="data/interim/diversity/divergence.json.gz",
        readability="data/interim/diversity/readability.json.gz",
        audit="data/interim/collection/audit.json.gz",
        corpora="results/corpora/corpora.json",
        domains=source("data/embedded/generics/domains.yaml"),
        punkt=PUNKT,
        splits=expand("data/benchmarks/ilogiceval/{split}.jsonl", split=["train", "validation", "test"]),
    output:
        [reported(f"results/diversity/{table}.csv", "Diversity") for table in DIVERSITY_TABLES],
        expand("results/diversity/{table}.{suffix}", table=DIVERSITY_TABLES, suffix=["md", "tex", "json"]),
        "results/diversity/metrics.json",
    log:
        "logs/diversity/write_diversity_tables.log",
    benchmark:
        "logs/diversity/write_diversity_tables.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("diversity tables"),
        out=subpath(output[0], parent=True),
        splits=options("split", "splits"),
        punkt=punkt_option,
        config=params_of("diversity"),
    shell:
        """
        divlogic diversity tables \
            --in {input.collection:q} \
            --profiles {input.profiles:q} \
            --divergence {input.divergence:q} \
            --readability {input.readability:q} \
            --audit {input.audit:q} \
            --corpora {input.corpora:q} \
            --domains {input.domains:q} \
            {params.splits:q} \
            {params.punkt:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule draw_diversity_figures:
    """Draw the sensitivity of the divergence, and rank against frequency."""
    input:
        profiles="data/interim/diversity/profiles",
        sensitivity="data/interim/diversity/sensitivity.json.gz",
        table4="results/diversity/table4.json",
    output:
        [reported(f"results/diversity/figures/{figure}.svg", "Diversity") for figure in DIVERSITY_FIGURES],
        expand("results/diversity/figures/{figure}.png", figure=DIVERSITY_FIGURES),
    log:
        "logs/diversity/draw_diversity_figures.log",
    benchmark:
        "logs/diversity/draw_diversity_figures.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("diversity figures"),
        table4=subpath(input.table4, strip_suffix=".json"),
        out=subpath(output[0], parent=True),
        config=params_of("diversity.as_published"),
    shell:
        """
        divlogic diversity figures \
            --profiles {input.profiles:q} \
            --table4 {params.table4:q} \
            --sensitivity {input.sensitivity:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """

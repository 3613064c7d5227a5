# Corpora: bring every corpus of the run here, read it into one form, make the tagger ready.
#
# Inputs   data/registry.yaml, data/embedded/, and with `corpus_source: full` the mirror or the network
# Outputs  data/raw/<corpus_source>/<corpus>/, data/interim/{corpora,tagger}/, results/corpora/{corpora.csv,tagger.json}


import shutil

if "PARAMS" not in globals():

    include: "../common.smk"


# Of a full run: whether it goes on without a corpus.
PLACED_BY = params_of("corpora.missing_comparators") if PARAMS.corpus_source == "full" else "{}"
MIRROR_FOLDER = params_of("mirror")
TAGGER_SOURCE = "data/embedded/tagger" if PARAMS.corpus_source == "embedded" else f"{RAW}/nltk_data"


if PARAMS.corpus_source == "full" and workflow.is_main_process:
    from divlogic.corpora.network import to_try_again

    # A corpus that was out of reach has a folder with nothing but a manifest, which Snakemake would take for done.
    for folder in to_try_again({name: Path(RAW, name) for name in CORPORA["all"]}, REGISTRY):
        print(f"divlogic: {folder.name}: out of reach in an earlier run, tried again", file=sys.stderr)
        shutil.rmtree(folder)


rule corpora:
    """All outputs of the phase."""
    input:
        expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA["all"]),
        expand("data/interim/corpora/{role}.jsonl.gz", role=["nli", "generics", "wikipedia"]),
        "results/corpora/corpora.csv",
        "results/corpora/tagger.json",


rule place_corpus:
    """Fill one corpus folder: copy an embedded corpus, fetch any other one."""
    input:
        registry=source("data/registry.yaml"),
        embedded=embedded_files,
    output:
        directory("data/raw/{source}/{corpus}"),
    log:
        "logs/corpora/place_corpus/{source}/{corpus}.log",
    benchmark:
        "logs/corpora/place_corpus/{source}/{corpus}.tsv"
    conda:
        "../envs/divlogic.yaml"
    resources:
        how=MIRROR_FOLDER,
    params:
        code=code_of("corpora place"),
        config=PLACED_BY,
    shell:
        """
        divlogic corpora place {wildcards.corpus:q} \
            --registry {input.registry:q} \
            --params {params.config:q} \
            --params {resources.how:q} \
            --out {output:q} \
            2> {log:q}
        """


rule normalise_corpora:
    """Read all corpora of one role into one form, of any layout."""
    input:
        folders=lambda wildcards: expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA[wildcards.role]),
    output:
        "data/interim/corpora/{role}.jsonl.gz",
    log:
        "logs/corpora/normalise_corpora/{role}.log",
    benchmark:
        "logs/corpora/normalise_corpora/{role}.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("corpora normalise"),
    shell:
        """
        divlogic corpora normalise \
            {input.folders:q} \
            --role {wildcards.role:q} \
            --out {output:q} \
            2> {log:q}
        """


rule make_tagger:
    """Take the part-of-speech tagger that is shipped, or NLTK's."""
    input:
        source=TAGGER_SOURCE,
        files=embedded_folder("tagger"),
    output:
        weights="data/interim/tagger/averaged_perceptron_tagger_eng.weights.json.gz",
        tagdict="data/interim/tagger/averaged_perceptron_tagger_eng.tagdict.json.gz",
        classes="data/interim/tagger/averaged_perceptron_tagger_eng.classes.json.gz",
        report="results/corpora/tagger.json",
    log:
        "logs/corpora/make_tagger.log",
    benchmark:
        "logs/corpora/make_tagger.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("corpora tagger"),
        out=subpath(output.weights, parent=True),
    shell:
        """
        divlogic corpora tagger \
            --in {input.source:q} \
            --out {params.out:q} \
            --report {output.report:q} \
            2> {log:q}
        """


rule summarise_corpora:
    """Write which corpora the run used: whole or part, from where, under which licence."""
    input:
        folders=expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA["all"]),
    output:
        table=reported("results/corpora/corpora.csv", "Data"),
        described="results/corpora/corpora.json",
    log:
        "logs/corpora/summarise_corpora.log",
    benchmark:
        "logs/corpora/summarise_corpora.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("corpora summarise"),
    shell:
        """
        divlogic corpora summarise \
            {input.folders:q} \
            --out {output.table:q} \
            2> {log:q}
        """

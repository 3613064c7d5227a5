# Contamination: what does training on a benchmark's sources, or on the benchmark itself, do to its scores?
#
# Inputs   data/interim/corpora/nli.jsonl.gz, data/benchmarks/divlogiceval/test.jsonl,
#          data/interim/benchmarks/divlogiceval/groups.jsonl.gz, data/recorded/{contamination,learnability,transfer}/
# Outputs  data/interim/contamination/, results/contamination/{table5,leak,guessing,transfer}.{csv,md,tex,json},
#          results/contamination/leak.{svg,png}, results/contamination/summary.json


from divlogic.models.parameters import slug_of_name

if "PARAMS" not in globals():

    include: "../common.smk"


LEARNERS = {slug_of_name(one.name): one.name for one in PARAMS.contamination.learners}
GUESSING = {model_slug(model): model_label(model) for model in PARAMS.contamination.models}
CONTAMINATION_RECORDED = sources("data/recorded/contamination", "*.json")
CURVES_RECORDED = sources("data/recorded/learnability", "*.json")
TRANSFER_RECORDED = sources("data/recorded/transfer", "*.json")
TRANSFER = PARAMS.contamination.transfer
TRANSFER_ANSWERS = "data/interim/contamination/transfer_answers.npy"
# Nothing is trained unless a set is named.
TRANSFER_MADE = ["data/interim/contamination/transfer.json.gz"] if TRANSFER.reading else []


rule contamination:
    """All outputs of the phase."""
    input:
        expand("data/interim/contamination/{learner}.jsonl.gz", learner=LEARNERS),
        expand("data/interim/contamination/guesses/{model}.jsonl.gz", model=GUESSING),
        "results/contamination/table5.csv",
        "results/contamination/transfer.csv",
        TRANSFER_MADE,


rule train_learner:
    """Train one learner on pairs and on leaked instances, and ask it before and after."""
    input:
        pairs="data/interim/corpora/nli.jsonl.gz",
        test="data/benchmarks/divlogiceval/test.jsonl",
        groups="data/interim/benchmarks/divlogiceval/groups.jsonl.gz",
    output:
        "data/interim/contamination/{learner}.jsonl.gz",
    log:
        "logs/contamination/train_learner/{learner}.log",
    benchmark:
        "logs/contamination/train_learner/{learner}.tsv"
    wildcard_constraints:
        learner=r"[A-Za-z0-9.-]+",
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("contamination run"),
        name=lambda wildcards: LEARNERS[wildcards.learner],
        work=".divlogic/contamination/{learner}",
        config=lambda wildcards: params_of_learner(LEARNERS[wildcards.learner]),
    shell:
        """
        divlogic contamination run \
            --learner {params.name:q} \
            --pairs {input.pairs:q} \
            --test {input.test:q} \
            --groups {input.groups:q} \
            --work {params.work:q} \
            --params {params.config:q} \
            --out {output:q} \
            2> {log:q}
        """


rule guess_options:
    """Ask one configured model to fill in a masked wrong option of each instance."""
    input:
        test="data/benchmarks/divlogiceval/test.jsonl",
    output:
        "data/interim/contamination/guesses/{model}.jsonl.gz",
    log:
        "logs/contamination/guess_options/{model}.log",
    benchmark:
        "logs/contamination/guess_options/{model}.tsv"
    conda:
        "../envs/divlogic.yaml"
    resources:
        how=params_of("contamination.limits"),
    params:
        code=code_of("contamination guess"),
        label=lambda wildcards: GUESSING[wildcards.model],
        store=".divlogic/responses/contamination/{model}.sqlite",
        config=lambda wildcards: params_of_model(
            "contamination",
            GUESSING[wildcards.model],
            "seed",
            "contamination.guessed",
            "contamination.sampling",
            "contamination.resamples",
        ),
    shell:
        """
        divlogic contamination guess \
            --model {params.label:q} \
            --test {input.test:q} \
            --store {params.store:q} \
            --params {params.config:q} \
            --params {resources.how:q} \
            --out {output:q} \
            2> {log:q}
        """


rule tabulate_contamination:
    """Tabulate Table 5, the scores before and after a leak and the methods that look for one; draw the leak."""
    input:
        outcomes=expand("data/interim/contamination/{learner}.jsonl.gz", learner=LEARNERS),
        guesses=expand("data/interim/contamination/guesses/{model}.jsonl.gz", model=GUESSING),
        recordings=CONTAMINATION_RECORDED,
        test="data/benchmarks/divlogiceval/test.jsonl",
    output:
        reported("results/contamination/table5.csv", "Contamination", "contamination_table5"),
        reported("results/contamination/leak.csv", "Contamination"),
        reported("results/contamination/guessing.csv", "Contamination"),
        reported("results/contamination/leak.svg", "Contamination"),
        multiext("results/contamination/table5", ".md", ".tex", ".json"),
        multiext("results/contamination/leak", ".md", ".tex", ".json", ".png"),
        multiext("results/contamination/guessing", ".md", ".tex", ".json"),
        "results/contamination/summary.json",
    log:
        "logs/contamination/tabulate_contamination.log",
    benchmark:
        "logs/contamination/tabulate_contamination.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("contamination tabulate"),
        recordings=options("recording", "recordings"),
        out=subpath(output[0], parent=True),
    shell:
        """
        divlogic contamination tabulate \
            {input.outcomes:q} \
            {input.guesses:q} \
            {params.recordings:q} \
            --test {input.test:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule run_transfer:
    """Train an encoder on ILogicEval's train split, then on questions on texts, and on the latter alone."""
    input:
        generated="data/benchmarks/ilogiceval/train.jsonl",
        reading=source(TRANSFER.reading) if TRANSFER.reading else [],
        test=source(TRANSFER.test) if TRANSFER.test else [],
        unlabelled=source(TRANSFER.unlabelled) if TRANSFER.unlabelled else [],
    output:
        recording="data/interim/contamination/transfer.json.gz",
        answers=TRANSFER_ANSWERS if TRANSFER.unlabelled else [],
    log:
        "logs/contamination/run_transfer.log",
    benchmark:
        "logs/contamination/run_transfer.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("contamination transfer"),
        test=lambda wildcards, input: [f"--test={input.test}"] if input.test else [],
        asked=lambda wildcards, input, output: (
            [f"--unlabelled={input.unlabelled}", f"--answers={output.answers}"] if input.unlabelled else []
        ),
        config=params_of("seed", "contamination.transfer", "contamination.resamples"),
    shell:
        """
        divlogic contamination transfer \
            --generated {input.generated:q} \
            --reading {input.reading:q} \
            {params.test:q} \
            {params.asked:q} \
            --work .divlogic/transfer \
            --params {params.config:q} \
            --out {output.recording:q} \
            2> {log:q}
        """


rule tabulate_transfer:
    """Tabulate what training on generated instances does to questions on texts."""
    input:
        recordings=TRANSFER_RECORDED + TRANSFER_MADE,
        generated=["data/benchmarks/divlogiceval/unpolished.jsonl"]
        + (["data/benchmarks/ilogiceval/train.jsonl"] if TRANSFER_MADE else []),
    output:
        reported("results/contamination/transfer.csv", "Contamination"),
        multiext("results/contamination/transfer", ".md", ".tex", ".json"),
    log:
        "logs/contamination/tabulate_transfer.log",
    benchmark:
        "logs/contamination/tabulate_transfer.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("contamination tabulate-transfer"),
        generated=options("generated"),
        base=subpath(output[0], strip_suffix=".csv"),
    shell:
        """
        divlogic contamination tabulate-transfer \
            {input.recordings:q} \
            {params.generated:q} \
            --out {params.base:q} \
            2> {log:q}
        """


rule draw_learnability:
    """Train light learners on more and more fresh instances of both presets; asked for by name only, as it takes minutes."""
    input:
        groups="data/interim/benchmarks/divlogiceval/groups.jsonl.gz",
        recordings=CURVES_RECORDED,
    output:
        reported("results/contamination/learnability.csv", "Contamination"),
        multiext("results/contamination/learnability", ".md", ".tex", ".json", ".png"),
        reported("results/contamination/learnability.svg", "Contamination"),
    log:
        "logs/contamination/draw_learnability.log",
    benchmark:
        "logs/contamination/draw_learnability.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("contamination learnability"),
        recordings=options("recording", "recordings"),
        base=subpath(output[0], strip_suffix=".csv"),
        config=params_of("seed", "benchmarks.divlogiceval", "contamination"),
    shell:
        """
        divlogic contamination learnability \
            --groups {input.groups:q} \
            {params.recordings:q} \
            --params {params.config:q} \
            --out {params.base:q} \
            2> {log:q}
        """

# Which files a run has: of a benchmark its shards, splits, reports and releases, of models their questions and answers.

# Inputs that no rule makes.
SOURCES = set()


def source(path):
    """Return the path of an input that no rule makes; stop the run if it is not there.

    Snakemake drops a job whose input is missing when its output exists, so that the job would be skipped in silence.
    """
    if not Path(path).exists():
        sys.exit(
            f"divlogic: {path}: there is no such file, and no rule makes it; restore it or correct the parameters."
        )
    SOURCES.add(str(path))
    return str(path)


def sources(folder, pattern="*"):
    """Return the files of a folder that no rule makes, sorted; stop the run if there is none."""
    found = sorted(source(file) for file in Path(source(folder)).glob(pattern) if file.is_file())
    return found or [source(Path(folder) / pattern)]


def embedded_folder(name):
    """Return the files of one embedded corpus."""
    return sources(f"data/embedded/{name}", "**/*")


def embedded_files(wildcards):
    """Return the files that an embedded corpus is made from; other corpora have none."""
    return embedded_folder(wildcards.corpus) if wildcards.source == "embedded" else []


# In embedded runs the benchmark's own instances are read for words; there are too few sentences for more.
FRESH_SAMPLES = ["as_published", "balanced", *(["worded"] if PARAMS.corpus_source == "full" else [])]


def published_files():
    """Return the tables printed in the papers, cell by cell."""
    return sources("data/published", "*.csv")


def drawn_shards(name):
    """Return the symbolic shards of a benchmark, in order."""
    return expand("data/interim/benchmarks/{name}/drawn/{shard}.jsonl.gz", name=name, shard=SHARDS[name])


def realised_shards(name):
    """Return the worded shards of a benchmark, in order."""
    return expand("data/interim/benchmarks/{name}/realised/{shard}.jsonl.gz", name=name, shard=SHARDS[name])


def realised_counts(name):
    """Return how the wording of each shard of a benchmark went."""
    return expand(
        "data/interim/benchmarks/{name}/realised/{shard}.counts.json.gz", name=name, shard=SHARDS[name]
    )


def splits_of(name, wanted=lambda split: True):
    """Return the files of a generated benchmark's splits, or of those that are wanted."""
    one = benchmark_named(name)
    return [f"data/benchmarks/{name}/{one.file_of(split)}" for split in one.splits if wanted(split)]


def create_arguments(variant):
    """Return what `divlogic create` is called with for a variant."""
    level = [] if variant.level is None else [f"--level={variant.level}"]
    settings = [f"--set={key}={orjson.dumps(value).decode()}" for key, value in variant.settings.items()]
    return [variant.benchmark, f"--size={variant.size}", f"--seed={variant.seed}", *level, *settings]


def released_splits(wildcards):
    """Return the splits of every configuration of a release; one that is a benchmark has its own."""
    return [
        f"data/benchmarks/{config}/{one.file_of(split)}"
        for config in RELEASED[wildcards.benchmark].configs
        for one in (GENERATORS.get(config, GENERATORS[wildcards.benchmark]),)
        for split in one.splits
    ]


def released_reports(wildcards):
    """Return the reports that a release shows, and the solver's on its labels."""
    files = ["z3.json", *RELEASED[wildcards.benchmark].reports.values()]
    return expand("results/benchmarks/{name}/{file}", name=wildcards.benchmark, file=files)


def released_corpora(wildcards):
    """Return the corpora that the sentences of a release come from."""
    role = RELEASED[wildcards.benchmark].role
    return [f"{RAW}/{name}" for name in CORPORA[role]] if role else []


def shards_config(wildcards):
    """Return the parameters of a benchmark's shards, and of what is put together from them without reading more."""
    return params_of("corpus_source", "seed", f"benchmarks.{wildcards.benchmark}")


def punkt_option(wildcards, input):
    """Return the option that names the sentence splitter, in a run that has it."""
    return [f"--punkt={input.punkt}/tokenizers/punkt_tab"] if input.punkt else []


def model_label(model):
    """Return the name under which a model stands in predictions and tables."""
    return model.label or model.name


def params_of_model(phase, label, *keys):
    """Return the named parameters of a phase as `params_of` does, and of its models only the one of that label."""
    return params_of_models(phase, lambda model: (model["label"] or model["name"]) == label, *keys)


def params_of_baselines(phase, *keys):
    """Return the named parameters of a phase as `params_of` does, and of its models only the baselines."""
    return params_of_models(phase, lambda model: model["name"].startswith("baseline/"), *keys)


def params_of_models(phase, chosen, *keys):
    """Return the named parameters of a phase, and of its models those that are chosen."""
    models = [model for model in VALUES[phase]["models"] if chosen(model)]
    values = VALUES | {phase: VALUES[phase] | {"models": models}}
    return params_of(*keys, f"{phase}.models", values=values)


def params_of_learner(name):
    """Return the parameters of the phase, and of its learners only the one of that name."""
    own = [one.model_dump(mode="json") for one in PARAMS.contamination.learners if one.name == name]
    values = VALUES | {"contamination": VALUES["contamination"] | {"learners": own, "models": []}}
    return params_of("seed", "benchmarks.divlogiceval", "contamination", values=values)


# The benchmarks that are asked with one prompt per record, by name, in alphabetical order.
ASKED_BENCHMARKS = {one.name: one.asked for one in sorted(BENCHMARKS, key=lambda one: one.name) if one.asked}


def asked_keys(benchmark):
    """Return the parameters on which the answers to a benchmark depend, but for the models."""
    asked = ASKED_BENCHMARKS[benchmark]
    own = [f"evaluation.{benchmark}.{key}" for key in ("prompts", "sampling", asked.number)]
    return ["seed", *([] if asked.once else ["evaluation.runs"]), *own]


def asked_files(part, benchmarks=tuple(ASKED_BENCHMARKS)):
    """Return the files of the splits that are asked (`split`), or that examples are drawn from (`pool`)."""
    return [
        f"data/benchmarks/{name}/{benchmark_named(name).file_of(getattr(ASKED_BENCHMARKS[name], part))}"
        for name in benchmarks
    ]


def asked_file(part):
    """Return what gives such a file of one benchmark."""
    return lambda wildcards: asked_files(part, [wildcards.benchmark])


def recorded_folders():
    """Return the folders of others' recorded answers: the run's corpora, or the letters and labels that are shipped."""
    if PARAMS.corpus_source == "full":
        return expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA.get("recorded", []))
    return sorted(source(folder) for folder in Path("data/recorded").glob("recorded_*"))


def recorded_models(models):
    """Return the folders of what models answered to this workflow's own questions, but for those that the run asks."""
    if PARAMS.corpus_source == "full":
        return []
    own = {model_slug(model).casefold() for model in models}
    shipped = sorted(store.parent for store in Path("data/recorded").glob(f"*/{STORE}"))
    return [str(folder) for folder in shipped if folder.name.casefold() not in own]


def options(name, inputs=None):
    """Return what gives an option with each file among the inputs of its name, or of the other one named."""
    return lambda wildcards, input: [f"--{name}={path}" for path in input[inputs or name]]


def shard_options(name):
    """Return what gives an option with each name that stands for the shards among the inputs of its name."""
    return lambda wildcards, input: [f"--{name}={path}" for path in shard_names(input[name])]


def prompt_options(wildcards, output):
    """Return the options that name the prompt styles and the file of each."""
    styles = zip(PARAMS.evaluation.prompts, output)
    return [option for style, path in styles for option in (f"--prompt={style}", f"--out={path}")]


def example_options(wildcards, input):
    """Return the option that names the records of the collection that examples are drawn from, where there are such."""
    pool = {one.name: one.pool for one in published_sets()}.get(wildcards.benchmark)
    return [f"--pool={input.collection}/{pool}.jsonl.gz"] if pool else []


def from_folders(wildcards, input):
    """Return the options that name the folders of the recorded answers that a job reads."""
    return [f"--from={folder}" for folder in dict.fromkeys(Path(file).parent for file in input.files)]


def copied_replays(replays, files):
    """Return the recordings that the parameters list, each with the file that a job has of it.

    Their rules have the parameters as they are, too: Snakemake compares only those that no input gives.
    """
    return [as_json(one.model_copy(update={"file": file})) for one, file in zip(replays, files, strict=True)]

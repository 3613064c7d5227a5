# What every phase shares: checked parameters, the package's code as a rule input, wildcard constraints.
# A phase file stands alone (`snakemake -s workflow/phases/sentences.smk sentences`), hence the configfile here too.
#
# A rule's `priority`: of the jobs that are ready those go first after which long chains come (20: instances, on which most
# waits; 10: what ends in a figure or in a long job of its own), so that no core is idle in the end. No result depends on it.
import os
import sys
from pathlib import Path

import orjson

from divlogic.benchmarks.divlogiceval.bound import Rows, bound_notice
from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.config.keys import HOW, KEYS
from divlogic.config.option import STRICT, read_mapping
from divlogic.config.root import validate
from divlogic.corpora.present import rows_at_hand
from divlogic.corpora.registry import load_registry
from divlogic.errors import DivLogicError
from divlogic.io.imports import code_digest
from divlogic.io.shards import shard_names
from divlogic.models.parameters import slug_of as model_slug

# Snakemake would take the last of two equal keys, in params.yaml as in what `--configfile` lays over it.
try:
    for parameter_file in (Path("params.yaml"), *workflow.overwrite_configfiles):
        read_mapping(parameter_file)
except DivLogicError as error:
    sys.exit(f"divlogic: {error}")


configfile: "params.yaml"


wildcard_constraints:
    shard=r"\d+",
    source="embedded|full",
    corpus=r"[a-z0-9_]+",
    role="nli|generics|wikipedia",
    split="train|validation|test|unpolished|base|hard",
    prompt="[a-z_]+",
    notebook="[0-9a-z_]+",
    model=r"[A-Za-z0-9.-]+",


# Absolute: a caption is looked for from the file of its rule, and these lie in two folders.
CAPTIONS = Path(str(workflow.current_basedir)) / "report"

try:
    PARAMS = validate(config, "params.yaml or --config")
except DivLogicError as error:
    sys.exit(f"divlogic: {error}")


# A step may read only the keys that its rule hands over; see `divlogic.config.option`.
os.environ[STRICT] = "1"
# One thread of linear algebra per job: jobs run side by side, and sums in another order would be other numbers.
os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}
# Pydantic would look through every installed package for plugins, at each start of a job.
os.environ |= {"PYDANTIC_DISABLE_PLUGINS": "1"}
VALUES = PARAMS.model_dump(mode="json")


def params_of(*keys, values=VALUES):
    """Return the named parameters ("seed", "evaluation.prompts") as the JSON text handed to `divlogic --params`.

    What says how the work is done, on which no result depends (HOW: shards, limits, concurrency, mirror) is left out unless it
    is named itself; a rule hands it over outside its `params`, so that a change of it runs nothing again.
    """
    chosen = {}
    for key in keys:
        *sections, last = key.split(".")
        source, target = values, chosen
        for section in sections:
            source, target = source[section], target.setdefault(section, {})
        target[last] = source[last] if last in HOW else without_how(source[last])
    return orjson.dumps(chosen).decode()


def without_how(value):
    """Return a section without the parameters that say how the work is done."""
    if not isinstance(value, dict):
        return value
    return {key: without_how(inner) for key, inner in value.items() if key not in HOW}


def params_of_model(phase, label, *keys):
    """Return the named parameters of a phase as `params_of` does, and of its models only the one of that label."""
    models = [model for model in VALUES[phase]["models"] if (model["label"] or model["name"]) == label]
    values = VALUES | {phase: VALUES[phase] | {"models": models}}
    return params_of(*keys, f"{phase}.models", values=values)


def params_of_learner(name):
    """Return the parameters of the phase, and of its learners only the one of that name."""
    own = [one.model_dump(mode="json") for one in PARAMS.contamination.learners if one.name == name]
    values = VALUES | {"contamination": VALUES["contamination"] | {"learners": own, "models": []}}
    return params_of("seed", "benchmarks.divlogiceval", "contamination", values=values)


def code_of(*modules):
    """Return the named modules of the package ("evaluation.rotations") and the digest of all that they run.

    A rule has it among its `params`, so that it runs again when its code changes. Hundreds of files among the inputs of each
    rule would do the same, and cost Snakemake more time than the jobs take.
    """
    return f"{' '.join(modules)} {code_digest(*modules)}"


def corpora_of(params):
    """Return the names of the run's corpora by role, and under "all" every one, in the registry's order."""
    registry = load_registry(Path("data/registry.yaml"))
    wanted = params.corpora.full if params.corpus_source == "full" else registry
    names = [name for name in registry if name in wanted and registry[name].source == params.corpus_source]
    roles = {
        role: [name for name in names if role in registry[name].roles] for role in registry_roles(registry)
    }
    return {"all": names, **roles}


def sentence_rows():
    """Return the rows of each corpus of sentence pairs: those that the run will have, and those of the whole corpus."""
    registry = load_registry(Path("data/registry.yaml"))
    mirror = Path(PARAMS.mirror) if PARAMS.mirror else None
    found = {}
    for name in CORPORA["nli"]:
        corpus, folder = registry[name], Path(RAW, name)
        rows = PARAMS.corpora.captions.groups
        if not any(file.composed for file in corpus.embedded):
            rows = rows_at_hand(name, corpus, folder, mirror)
        if rows is None and corpus.embedded:
            # Written by hand, a row per line.
            files = [Path("data/embedded", name, file.path) for file in corpus.embedded if file.reader]
            rows = sum(1 for file in files for _ in open(file, "rb"))
        found[name] = Rows(rows or 0, corpus.rows)
    return found


def registry_roles(registry):
    """Return every role that some corpus of the registry has."""
    return sorted({role for corpus in registry.values() for role in corpus.roles})


def embedded_folder(name):
    """Return the files of one embedded corpus."""
    return sorted(str(file) for file in Path("data/embedded", name).rglob("*") if file.is_file())


def embedded_files(wildcards):
    """Return the files that an embedded corpus is made from; other corpora have none."""
    return embedded_folder(wildcards.corpus) if wildcards.source == "embedded" else []


def published_files():
    """Return the tables printed in the papers, cell by cell."""
    return sorted(str(file) for file in Path("data/published").glob("*.csv"))


def reported(path, category, caption=None):
    """Return an output that `snakemake --report` shows, under the caption named, or the one that has its name."""
    name = Path(path).stem
    text = CAPTIONS / f"{caption or name}.rst"
    if not text.is_file():
        sys.exit(f"divlogic: {path} has no caption; write one as {text}")
    return report(
        path,
        caption=str(text),
        category=category,
        labels={"what": name.replace("_", " ").capitalize(), "kind": Path(path).suffix[1:]},
    )


def model_label(model):
    """Return the name under which a model stands in predictions and tables."""
    return model.label or model.name


def models_to_ask():
    """Return the models, other than baselines, that the jobs to be run ask; under `dvc repro` all that its stages will."""
    waiting = {(job.rule.name, getattr(job.wildcards, "model", "")) for job in workflow.dag.needrun_jobs()}
    slugs, rules_ = {model for _, model in waiting}, {rule for rule, _ in waiting}
    # DVC starts Snakemake once per stage, and the first one knows nothing of the jobs of those that ask models.
    whole = "DVC_STAGE" in os.environ
    section = PARAMS.evaluation
    found = [
        model
        for model in (*section.models, *section.llmeval_logic.models, *PARAMS.prior_knowledge.models)
        if whole or model_slug(model) in slugs
    ]
    if "ask_llmeval_logic" in rules_ or (whole and section.llmeval_logic.models):
        found += section.llmeval_logic.judges
    if (whole or "harden_with_models" in rules_) and PARAMS.hardening.enabled:
        found += [role for _, role in PARAMS.hardening.roles if role is not None]
    return [model for model in found if not model.name.startswith("baseline/")]


def check_models():
    """Stop before the first job if a model that will be asked cannot be."""
    if asked := models_to_ask():
        from divlogic.models.preflight import preflight

        problems = preflight(asked, Path(".divlogic/responses"), reach=not workflow.non_local_exec)
        if problems:
            sys.exit("\n".join(f"divlogic: {problem}" for problem in problems))


def say_bound():
    """Say before the work which instances the sentences cannot word, in a run that reads corpora or makes instances."""
    waiting = {(job.rule.name, getattr(job.wildcards, "role", "")) for job in workflow.dag.needrun_jobs()}
    if waiting & {("normalise_corpora", "nli"), ("plan_instances", "")}:
        benchmark, share = PARAMS.benchmarks.divlogiceval, PARAMS.sentences.mnli_share
        notice = bound_notice(benchmark, sentence_rows(), share, PARAMS.corpus_source)
        if notice:
            print(f"divlogic: {notice}", file=sys.stderr)


def end_at_once():
    """Lift the limit of 100 new jobs per second where jobs run on this machine, which start one per core anyway.

    Its timer keeps Snakemake from ending for a second after the last job: for nine seconds of `dvc repro`, which starts each
    phase by itself. The option of it, `--max-jobs-per-timespan`, takes neither "none" nor less than a second.
    """
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


# A phase by itself; the whole workflow has its own, which takes the place of this one.
onstart:
    say_bound()
    check_models()
    end_at_once()


def asked_keys(benchmark):
    """Return the parameters on which the answers to a benchmark depend, but for the models."""
    asked = ASKED_BENCHMARKS[benchmark]
    own = [f"evaluation.{benchmark}.{key}" for key in ("prompts", "sampling", asked.number)]
    return ["seed", *([] if asked.once else ["evaluation.runs"]), *own]


def asked_split(wildcards):
    """Return the file of the split that is asked."""
    return f"data/benchmarks/{wildcards.benchmark}/{ASKED_BENCHMARKS[wildcards.benchmark].split}.jsonl"


def asked_pool(wildcards):
    """Return the file of the split that solved examples are drawn from."""
    return f"data/benchmarks/{wildcards.benchmark}/{ASKED_BENCHMARKS[wildcards.benchmark].pool}.jsonl"


def inspect_logs(slug):
    """Return the option for a model's Inspect logs; baselines have none, they would only cost time."""
    asked = [model for model in PARAMS.evaluation.models if model_slug(model) == slug]
    shown = [model for model in asked if not model.name.startswith("baseline/")]
    return ["--inspect-logs", f"logs/evaluation/inspect/{slug}"] if shown else []


def recorded_folders():
    """Return the folders of others' recorded answers: the run's corpora, or the letters and labels that are shipped."""
    if PARAMS.corpus_source == "full":
        return expand("{raw}/{corpus}", raw=RAW, corpus=CORPORA.get("recorded", []))
    return sorted(str(folder) for folder in Path("data/recorded").glob("recorded_*"))


def recorded_models(models):
    """Return the folders of what models answered to this workflow's own questions, but for those that the run asks."""
    if PARAMS.corpus_source == "full":
        return []
    own = {model_slug(model).casefold() for model in models}
    folders = sorted(manifest.parent for manifest in Path("data/recorded").glob("*/MANIFEST.json"))
    shipped = [folder for folder in folders if not folder.name.startswith("recorded_")]
    return [str(folder) for folder in shipped if folder.name.casefold() not in own]


def punkt_folder():
    """Return the folder of NLTK's sentence splitter in a run that has it, else nothing."""
    has_punkt = PARAMS.corpus_source == "full" and "nltk_data" in PARAMS.corpora.full
    return "data/raw/full/nltk_data/tokenizers/punkt_tab" if has_punkt else ""


CORPORA = corpora_of(PARAMS)
# The benchmarks that are asked with one prompt per record, by name, in alphabetical order.
ASKED_BENCHMARKS = {one.name: one.asked for one in sorted(BENCHMARKS, key=lambda one: one.name) if one.asked}
RAW = f"data/raw/{PARAMS.corpus_source}"

# What every phase shares: checked parameters, the package's code as a rule input, wildcard constraints.
# A phase file stands alone (`snakemake -s workflow/phases/sentences.smk sentences`), hence the configfile here too.
import re
import sys
from pathlib import Path

import orjson

from divlogic.config import PHASE_KEYS, validate
from divlogic.corpora.registry import load_registry
from divlogic.errors import DivLogicError


configfile: "params.yaml"


wildcard_constraints:
    shard=r"\d+",
    source="embedded|full",
    corpus=r"[a-z0-9_]+",
    role="nli|generics|wikipedia",
    split="test|unpolished",
    prompt="[a-z_]+",
    notebook="[0-9a-z_]+",
    model=r"[A-Za-z0-9.-]+",


try:
    PARAMS = validate(config, "params.yaml or --config")
except DivLogicError as error:
    sys.exit(f"divlogic: {error}")


def params_of(phase):
    """Return the parameters that a phase reads, as the JSON text handed to `divlogic --params`."""
    values = PARAMS.model_dump(mode="json", include=set(PHASE_KEYS[phase]))
    return orjson.dumps(values, option=orjson.OPT_SORT_KEYS).decode()


def code_of(*parts):
    """Return the package's files under the given modules or subpackages: Snakemake does not see them otherwise."""
    package = Path("src/divlogic")
    shared = ["errors.py", "files.py", "progress.py", "records.py"]
    found = set()
    for part in [*shared, *parts]:
        path = package / part
        files = [path] if path.is_file() else path.rglob("*")
        found.update(str(file) for file in files if file.suffix in {".py", ".yaml"})
    return sorted(found)


def corpora_of(params):
    """Return the names of the run's corpora by role, and under "all" every one, in the registry's order."""
    registry = load_registry(Path("data/registry.yaml"))
    wanted = params.corpora.full if params.corpus_source == "full" else registry
    names = [name for name in registry if name in wanted and registry[name].source == params.corpus_source]
    roles = {
        role: [name for name in names if role in registry[name].roles] for role in registry_roles(registry)
    }
    return {"all": names, **roles}


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
    return report(
        path,
        caption=f"../report/{caption or name}.rst",
        category=category,
        labels={"what": name.replace("_", " ").capitalize(), "kind": Path(path).suffix[1:]},
    )


def model_label(model):
    """Return the name under which a model stands in predictions and tables."""
    return model.label or model.name


def model_slug(model):
    """Return a model's name as a file name."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", model_label(model))


def punkt_folder():
    """Return the folder of NLTK's sentence splitter in a run that has it, else nothing."""
    has_punkt = PARAMS.corpus_source == "full" and "nltk_data" in PARAMS.corpora.full
    return "data/raw/full/nltk_data/tokenizers/punkt_tab" if has_punkt else ""


CORPORA = corpora_of(PARAMS)
RAW = f"data/raw/{PARAMS.corpus_source}"

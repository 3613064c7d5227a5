# What every phase shares: checked parameters, the code and the sources that rules depend on, wildcard constraints.
# A phase file stands alone (`snakemake -s workflow/rules/sentences.smk sentences`), hence the configfile here too.
#
# A phase's target names a file of each of its jobs: Snakemake takes away what a failed or killed job was to write, and
# forgets the job where every file of the target is there from an earlier run.
#
# A rule's `priority`: jobs that start long chains get a higher one (20: instances, on which most waits, and the longest jobs
# of a full run, which are releases and the probes on fresh instances; 10: what ends in a figure or in a long job of its
# own), so that no core is idle in the end. No result depends on it.
import os
import re
import sys
from pathlib import Path

import orjson

from divlogic.benchmarks.registry import BENCHMARKS, benchmark_named, published_sets
from divlogic.cli import code_of
from divlogic.config.keys import EXECUTION_KEYS, KEYS
from divlogic.config.option import STRICT, configfiles, read_mapping
from divlogic.parameters import validate
from divlogic.corpora.registry import corpora_by_role, load_registry
from divlogic.errors import DivLogicError
from divlogic.io.shards import shard_names
from divlogic.models.parameters import slug_of as model_slug
from divlogic.models.recordings.model_answers import STORE

try:
    for file in (Path("params.yaml"), *configfiles(sys.argv)):
        read_mapping(file)  # names the line of a slip; Snakemake would take the last of two equal keys, too
except DivLogicError as error:
    sys.exit(f"divlogic: {error}")


configfile: "params.yaml"


wildcard_constraints:
    shard=r"\d+",
    source="embedded|full",
    corpus=r"[a-z0-9_]+",
    role="nli|generics|wikipedia",
    split="train|validation|test|unpolished|base|hard",
    notebook="[0-9a-z_]+",
    model=r"[A-Za-z0-9.-]+",


try:
    PARAMS = validate(config, "params.yaml or --config")
except DivLogicError as error:
    sys.exit(f"divlogic: {error}")

# Snakemake would import pandas to ask of each parameter whether it is a table of pandas; none is.
sys.modules.setdefault("pandas", None)
# A step may read only the keys that its rule hands over; see `divlogic.config.option`.
os.environ[STRICT] = "1"
# One thread of linear algebra per job: jobs run in parallel, and sums in another order would be other numbers.
os.environ |= {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}
# Pydantic would look through every installed package for plugins, at each start of a job.
os.environ |= {"PYDANTIC_DISABLE_PLUGINS": "1"}
# Jobs keep the bytecode of this checkout, which an edit or a pull makes stale: each would compile it again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
VALUES = PARAMS.model_dump(mode="json")
REGISTRY = load_registry(Path("data/registry.yaml"))
CORPORA = corpora_by_role(REGISTRY, PARAMS)
RAW = f"data/raw/{PARAMS.corpus_source}"
# Absolute: a caption is looked for from the file of its rule, and these are in two folders.
CAPTIONS = Path(str(workflow.current_basedir)) / "report"


def params_of(*keys, values=VALUES):
    """Return the named parameters ("seed", "evaluation.prompts") as the JSON text handed to `divlogic --params`.

    Execution keys, on which no result depends (shards, limits, concurrency, mirror), are left out unless they are named
    themselves; a rule hands them over outside its `params`, so that a change of them runs nothing again.
    """
    chosen = {}
    for key in keys:
        *sections, last = key.split(".")
        source, target = values, chosen
        for section in sections:
            source, target = source[section], target.setdefault(section, {})
        target[last] = source[last] if last in EXECUTION_KEYS else without_execution(source[last])
    return as_json(chosen)


def as_json(value):
    """Return JSON text in which Snakemake finds no wildcards: braces within the user's texts are escaped."""
    text = orjson.dumps(value, default=lambda section: section.model_dump(mode="json")).decode()
    return re.sub(r'\{(?=[^"}])', r"\\u007b", text)


def without_execution(value):
    """Return a section without its execution keys."""
    if not isinstance(value, dict):
        return value
    return {key: without_execution(inner) for key, inner in value.items() if key not in EXECUTION_KEYS}


def reported(path, category, caption=None):
    """Return an output that `snakemake --report` shows, under the caption named, or the one that has its name."""
    name = Path(path).stem
    text = source(CAPTIONS / f"{caption or name}.rst")
    labels = {"what": name.replace("_", " ").capitalize(), "kind": Path(path).suffix[1:]}
    return report(path, caption=text, category=category, labels=labels)


include: "paths.smk"
include: "start.smk"

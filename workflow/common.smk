# What every phase shares: checked parameters, the package's code as a rule input, wildcard constraints.
# A phase file stands alone (`snakemake -s workflow/phases/sentences.smk sentences`), hence the configfile here too.
import sys
from pathlib import Path

import orjson

from divlogic.config import PHASE_KEYS, validate
from divlogic.errors import DivLogicError


configfile: "params.yaml"


wildcard_constraints:
    shard=r"\d+",
    corpus=r"[a-z0-9_]+",
    split=r"[a-z]+",


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

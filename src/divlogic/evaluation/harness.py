"""Export of rotation files as a task folder that lm-evaluation-harness takes with ``--include_path``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.evaluation import harness_scores
from divlogic.evaluation.rotations import read_rotations
from divlogic.io.files import write_jsonl, write_text
from divlogic.models import letters

_TASK = """\
# Made by `divlogic evaluation harness`; run with: lm_eval --include_path <this folder> --tasks {name}
task: {name}
custom_dataset: !function utils.load_rotations
dataset_kwargs:
  file: {file}
test_split: test
output_type: generate_until
doc_to_text: "{{{{input}}}}"
doc_to_target: "Answer: {{{{gold}}}}"
process_results: !function utils.process_results
generation_kwargs:
  until: ["</s>", "<|im_end|>"]
  do_sample: false
  temperature: 0.0
  max_gen_toks: 64
metric_list:
{metrics}metadata:
  version: 1.0
"""
_METRICS = {
    "acc": "accuracy",
    "cir": "circular",
    "pc": "partial_circular",
    "answers_read": "answers_read",
}
_OWN_IMPORT = re.compile(r"^from (?:__future__|divlogic\S*) import .*\n", re.MULTILINE)


def write_harness(rotations: Sequence[Path], out: Path) -> list[str]:
    """Write one task per rotation file, ``<benchmark>_<prompt>``, and the scoring they share; return their names.

    Few-shot examples are part of the prompts already, so the tasks are run with no shots of the harness's own.

    Raises:
        DivLogicError: a file is missing or malformed, mixes prompts, or two files give one task name.
    """
    names: list[str] = []
    for path in rotations:
        rows = read_rotations(path)
        kinds = {(row.benchmark, row.prompt) for row in rows}
        if len(kinds) > 1:
            raise DivLogicError(
                f"{path}: rows of {len(kinds)} benchmarks or prompts; write one file for each."
            )
        name = re.sub(r"\W+", "_", "_".join(kinds.pop()))
        if name in names:
            raise DivLogicError(
                f"{path}: the task '{name}' was already written from another file; leave out either file."
            )
        names.append(name)
        write_jsonl(out / f"{name}.jsonl", (row.to_json() for row in rows))
        metrics = "".join(
            f"  - metric: {metric}\n    aggregation: !function utils.{function}\n    higher_is_better: true\n"
            for metric, function in _METRICS.items()
        )
        write_text(out / f"{name}.yaml", _TASK.format(name=name, file=f"{name}.jsonl", metrics=metrics))
    write_text(out / "utils.py", _scoring())
    return names


def _scoring() -> str:
    """Return one stand-alone module: the answer parser, then the scores; the harness imports single files only."""
    parts = [inspect.getsource(module) for module in (letters, harness_scores)]
    return "from __future__ import annotations\n\n" + "\n\n".join(_OWN_IMPORT.sub("", part) for part in parts)

"""LogicNLI's statements as prompts, and their export for lm-evaluation-harness."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from pathlib import Path

from divlogic.benchmarks.answers import answer_format
from divlogic.errors import DivLogicError
from divlogic.evaluation.diagnosis import group_of
from divlogic.evaluation.logicnli import harness_scores
from divlogic.io.files import write_jsonl, write_text
from divlogic.models import option_names
from divlogic.models.asking import ClosedQuestion, questions_of
from divlogic.models.styles import CLOSED
from divlogic.records import Record, read_records

_TASK = """\
# Made by `divlogic evaluation logicnli harness`; run with: lm_eval --include_path <this folder> --tasks {name}
task: {name}
custom_dataset: !function utils.load_statements
dataset_kwargs:
  file: {name}.jsonl
test_split: test
output_type: generate_until
doc_to_text: "{{{{input}}}}"
doc_to_target: "Answer: {{{{gold}}}}"
process_results: !function utils.process_results
generation_kwargs:
  until: ["</s>", "<|im_end|>"]
  do_sample: false
  temperature: 0.0
  max_gen_toks: {tokens}
metric_list:
{metrics}metadata:
  version: 1.0
"""
_METRICS = {"acc": "accuracy", "quartet_em": "quartet_em", "answers_read": "answers_read"}
_TOKENS = {False: 64, True: 4096}
_OWN_IMPORT = re.compile(r"^from (?:__future__|divlogic\S*) import .*\n", re.MULTILINE)


def asked_questions(
    source: Path, pool: Path | None, *, prompt: str, quartets: int | None, seed: int
) -> list[ClosedQuestion]:
    """Return the prompts of a set.

    Args:
        source: the set (jsonl).
        pool: records that solved examples are drawn from, for styles that show some.
        prompt: prompt style with context.
        quartets: number of quartets or theories, evenly spaced over the set; ``None``: all.
        seed: seed of the draw of examples.

    Raises:
        DivLogicError: a file is missing or malformed, the set is empty, or there is no such prompt.
    """
    styles = [name for name, style in CLOSED.items() if style.context]
    if prompt not in styles:
        raise DivLogicError(f"there is no prompt '{prompt}' with context; known are {', '.join(styles)}.")
    records = _spaced([record for record in read_records(source) if record.answer is not None], quartets)
    if not records:
        raise DivLogicError(f"{source}: there is no labelled statement in it; make the set again.")
    examples = list(read_records(pool)) if pool else []
    return list(questions_of(records, examples, CLOSED[prompt], seed, answer_format))


def write_harness(
    sources: Sequence[Path], out: Path, *, prompt: str, pool: Path | None, seed: int
) -> list[str]:
    """Write one task per set, ``logicnli_<set>_<prompt>``, and the scoring they share; return their names.

    Raises:
        DivLogicError: a file is missing or malformed, or two files give one task name.
    """
    names: list[str] = []
    for path in sources:
        name = re.sub(r"\W+", "_", f"logicnli_{path.name.partition('.')[0]}_{prompt}")
        if name in names:
            raise DivLogicError(
                f"{path}: the task '{name}' was already written from another file; leave out either file."
            )
        names.append(name)
        questions = asked_questions(path, pool, prompt=prompt, quartets=None, seed=seed)
        write_jsonl(out / f"{name}.jsonl", map(_row, questions))
        metrics = "".join(
            f"  - metric: {metric}\n    aggregation: !function utils.{function}\n    higher_is_better: true\n"
            for metric, function in _METRICS.items()
        )
        tokens = _TOKENS[CLOSED[prompt].reasoning]
        write_text(out / f"{name}.yaml", _TASK.format(name=name, metrics=metrics, tokens=tokens))
    parts = [inspect.getsource(module) for module in (option_names, harness_scores)]
    scoring = "\n\n".join(_OWN_IMPORT.sub("", part) for part in parts)
    write_text(out / "utils.py", f"from __future__ import annotations\n\n{scoring}")
    return names


def _row(question: ClosedQuestion) -> dict[str, object]:
    return {
        "instance": question.instance,
        "input": question.input,
        "gold": question.gold,
        "options": list(question.record.options),
        "quartet": question.record.metadata.get("quartet") or question.instance,
    }


def _spaced(records: Sequence[Record], groups: int | None) -> list[Record]:
    """Return the records of so many groups, evenly spaced over the set."""
    names = list(dict.fromkeys(map(group_of, records)))
    if groups is None or groups >= len(names):
        return list(records)
    chosen = {names[number * len(names) // groups] for number in range(groups)}
    return [record for record in records if group_of(record) in chosen]

"""The splits of the workflow's own files, where each sentence group serves one instance, on the embedded corpora."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from divlogic.benchmarks.generate import assemble, draw, realise
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.benchmarks.registry import benchmark_named
from divlogic.config.section import Section, check_section
from divlogic.errors import DivLogicError
from divlogic.library.sources import package_file
from divlogic.records import Record, read_records


def workflow_records(name: str, parameters: Section, seed: int, split: str) -> list[Record]:
    """Return the records of the file ``data/benchmarks/<name>/<split>.jsonl`` that a run with this seed makes.

    Raises:
        DivLogicError: the benchmark has no such split, or a run has no such seed.
    """
    splits = benchmark_named(name).splits
    if split not in splits:
        raise DivLogicError(f"{name} has no split '{split}'; its splits are {', '.join(splits)}.")
    room = "divlogiceval" if name == "ilogiceval" else name
    section: Any = {"hardener": parameters} if name == "llmeval_logic" else parameters
    values = {"seed": seed, "benchmarks": {room: section}}
    run: Any = check_section(
        BenchmarksRun, values, f"create('{name}', allotment='once')", ("seed",)
    )
    with TemporaryDirectory(prefix="divlogic-") as folder:
        return list(_MAKERS[name](Path(folder), run, split))


def _divlogiceval(folder: Path, run: Any, split: str) -> Iterator[Record]:
    from divlogic.benchmarks.divlogiceval.build import write_plan
    from divlogic.benchmarks.divlogiceval.groups import shuffle

    groups, plan, drawn = (folder / name for name in ("groups.jsonl", "plan.json", "drawn.jsonl"))
    if not plan.is_file():
        shuffle(package_file(groups.name), groups, run)
        draw("divlogiceval", shard=0, shards=1, out=drawn, params=run)
        write_plan((drawn,), groups, plan, run)
    return _generated("divlogiceval", {"groups": groups, "plan": plan}, folder, run, split)


def _ilogiceval(folder: Path, run: Any, split: str) -> Iterator[Record]:
    from divlogic.benchmarks.divlogiceval.build import write_ilogiceval

    _divlogiceval(folder, run, "test")
    write_ilogiceval(folder / "divlogiceval", folder, run)
    return read_records(folder / f"{split}.jsonl")


def _justlogic(folder: Path, run: Any, split: str) -> Iterator[Record]:
    return _generated(
        "justlogic", {"statements": package_file("statements.jsonl")}, folder, run, split
    )


def _logicnli(_: Path, run: Any, split: str) -> Iterator[Record]:
    from divlogic.benchmarks.logicnli.draw import plans
    from divlogic.benchmarks.logicnli.realise import realise as realised, resources
    from divlogic.benchmarks.logicnli.set_names import PROOF_SETS

    section, words = run.benchmarks.logicnli, resources({})
    for plan in plans(section, run.corpus_source):
        if split in (plan.name, PROOF_SETS.get(plan.name)):
            groups = (
                group for number in range(plan.blocks) for group in plan.block(number, run.seed)
            )
            records = (
                record for group in groups for record in realised(group, words, section, run.seed)
            )
            yield from (record for record in records if record.split == split)


def _llmeval_logic(folder: Path, run: Any, split: str) -> Iterator[Record]:
    from divlogic.benchmarks.llmeval_logic.realise import (
        hard_record,
        resources,
        seed_record,
        write_shard,
    )
    from divlogic.benchmarks.llmeval_logic.sets import merged

    seeds, out = package_file("seeds.jsonl"), folder / "hard.jsonl"
    if split == "base":
        return map(seed_record, resources({"seeds": seeds}))
    write_shard(seeds, shard=0, shards=1, out=out, counts=folder / "counts.json", params=run)
    return map(hard_record, merged([out]))


def _generated(
    name: str, inputs: Mapping[str, Path], folder: Path, run: Any, split: str
) -> Iterator[Record]:
    """Yield the records of a split by the generator's steps, in one shard."""
    drawn, realised, counts = (
        folder / part for part in ("drawn.jsonl", "realised.jsonl", "counts.json")
    )
    if not drawn.is_file():
        draw(name, shard=0, shards=1, out=drawn, params=run)
    if not realised.is_file():
        files = tuple(f"{key}={path}" for key, path in inputs.items())
        realise(name, files, source=drawn, shard=0, out=realised, counts=counts, params=run)
        assemble(name, (realised,), out=folder / name)
    return read_records(folder / name / f"{split}.jsonl")


_MAKERS: Mapping[str, Callable[[Path, Any, str], Iterator[Record]]] = {
    "divlogiceval": _divlogiceval,
    "ilogiceval": _ilogiceval,
    "justlogic": _justlogic,
    "llmeval_logic": _llmeval_logic,
    "logicnli": _logicnli,
}

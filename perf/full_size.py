"""How long the whole of DivLogicEval takes from composed captions, step by step, and what each step keeps.

    python -m perf.full_size [--premises 150736] [--instances 12589] [--cores 2] [--out FILE.json]

Captions are composed for as many premises as SNLI has, filtered in shards, put in order, worded as balanced instances
and confirmed by Z3, one step after the other. Per step: seconds on the clock, seconds of processor time over all its
processes (which other work on the machine changes less), peak memory of its largest process, and the rows that it
leaves.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from divlogic.benchmarks import generate
from divlogic.benchmarks.divlogiceval import build
from divlogic.benchmarks.divlogiceval.check import problems
from divlogic.benchmarks.divlogiceval.groups import shuffle_groups
from divlogic.io.files import row_count, write_jsonl
from divlogic.parameters import Parameters, validate
from divlogic.records import read_records
from perf.machine import machine


def main() -> None:
    """Run the steps, print the table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument(
        "--premises", type=int, default=150_736, help="captions composed (SNLI's training premises)"
    )
    options.add_argument("--instances", type=int, default=12_589, help="instances wanted")
    options.add_argument(
        "--cores", type=int, default=2, help="processes of the steps that are cut into shards"
    )
    options.add_argument(
        "--tagger", type=Path, default=Path("data/interim/tagger"), help="folder of the tagger"
    )
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = options.parse_args()
    print(machine())
    wanted = arguments.instances - arguments.instances % 3
    params = validate(
        {"benchmarks": {"divlogiceval": {"splits": {"test": wanted, "unpolished": 0}}}}
    )
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, step, shards in STEPS:
            started = time.perf_counter()
            jobs = [
                (step, folder, shard, arguments, params)
                for shard in range(arguments.cores if shards else 1)
            ]
            with multiprocessing.get_context("spawn").Pool(len(jobs), maxtasksperchild=1) as pool:
                results = pool.map(measured, jobs, chunksize=1)
            rows.append(
                {
                    "step": title,
                    "seconds": round(time.perf_counter() - started, 1),
                    "cpu_seconds": round(sum(spent for _, _, spent in results), 1),
                    "peak_mib": max(peak for _, peak, _ in results),
                    "rows": sum(count for count, _, _ in results),
                }
            )
            print(
                "{step:24}{seconds:>8.1f} s {cpu_seconds:>8.1f} CPU-s {peak_mib:>6} MiB {rows:>10,} rows".format(
                    **rows[-1]
                ),
                flush=True,
            )
    total = sum(row["seconds"] for row in rows)
    spent = sum(row["cpu_seconds"] for row in rows)
    print(f"{'total':24}{total:>8.1f} s {spent:>8.1f} CPU-s")
    if arguments.out:
        figures = {
            "premises": arguments.premises,
            "cores": arguments.cores,
            "seconds": round(total, 1),
            "cpu_seconds": round(spent, 1),
            "steps": rows,
        }
        arguments.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def measured(job: tuple[Callable[..., int], Path, int, Any, Parameters]) -> tuple[int, int, float]:
    """Run one step in a fresh process; return the rows that it wrote, its peak memory in MiB, its processor seconds."""
    step, folder, shard, arguments, params = job
    count = step(folder, shard, arguments, params)
    used = resource.getrusage(resource.RUSAGE_SELF)
    return count, used.ru_maxrss // 1024, used.ru_utime + used.ru_stime


def compose(folder: Path, shard: int, arguments: Any, params: Parameters) -> int:
    """Compose the captions, as pairs in the form of the sentences phase."""
    from tools.captions import LEXICON, compose_captions

    count = 0

    def rows() -> Any:
        nonlocal count
        for group in compose_captions(arguments.premises, params.seed, LEXICON):
            count += 1
            for row in group.rows():
                yield {
                    "corpus": "captions",
                    "genre": "captions",
                    "label": row["gold_label"],
                    "premise_id": f"captions:{row['captionID']}",
                    "pair_id": f"captions:{row['pairID']}",
                    "premise": row["sentence1"],
                    "hypothesis": row["sentence2"],
                }

    write_jsonl(folder / "nli.jsonl", rows())
    return count


def keep(folder: Path, shard: int, arguments: Any, params: Parameters) -> int:
    """Filter, negate and group one shard of the sentences."""
    from divlogic.corpora.tagger import load_tagger
    from divlogic.sentences.filtering import SentenceFilter
    from divlogic.sentences.groups import write_filtered
    from divlogic.sentences.tokens import Reader

    settings = params.sentences
    sentences = SentenceFilter(Reader(load_tagger(arguments.tagger)), settings)
    out, counts = folder / f"{shard}.jsonl.gz", folder / f"{shard}.csv"
    number, _ = write_filtered(folder / "nli.jsonl", sentences, shard, arguments.cores, out, counts)
    return number


def merge(folder: Path, shard: int, arguments: Any, params: Parameters) -> int:
    """Merge the shards."""
    from divlogic.sentences.merging import merge_sentences

    files = [
        folder / f"{number}.{end}"
        for number in range(arguments.cores)
        for end in ("jsonl.gz", "csv")
    ]
    merge_sentences(
        tuple(files),
        params=params,
        out=folder / "groups.jsonl.gz",
        counts_out=folder / "all.csv",
        summary_out=folder / "summary.json",
    )
    return row_count(folder / "groups.jsonl.gz")


def arrange(folder: Path, shard: int, arguments: Any, params: Parameters) -> int:
    """Put the groups into their order."""
    distance = params.benchmarks.divlogiceval.variables
    return shuffle_groups(
        folder / "groups.jsonl.gz", folder / "shuffled.jsonl", params.seed, distance
    )


def draw(folder: Path, shard: int, arguments: Any, params: Parameters) -> int:
    """Draw one shard of the symbolic instances."""
    out = folder / f"symbolic-{shard}.jsonl"
    generate.draw("divlogiceval", shard=shard, shards=arguments.cores, out=out, params=params)
    return row_count(out)


def plan(folder: Path, shard: int, arguments: Any, params: Parameters) -> int:
    """Plan which groups they receive."""
    symbolic = [folder / f"symbolic-{number}.jsonl" for number in range(arguments.cores)]
    return build.write_plan(symbolic, folder / "shuffled.jsonl", folder / "plan.json", params)[
        "made"
    ]["test"]


def word(folder: Path, shard: int, arguments: Any, params: Parameters) -> int:
    """Word one shard."""
    out = folder / f"worded-{shard}.jsonl"
    generate.realise(
        "divlogiceval",
        (f"groups={folder / 'shuffled.jsonl'}", f"plan={folder / 'plan.json'}"),
        source=folder / f"symbolic-{shard}.jsonl",
        shard=shard,
        out=out,
        counts=folder / f"counts-{shard}.json",
        params=params,
    )
    return row_count(out)


def confirm(folder: Path, shard: int, arguments: Any, params: Parameters) -> int:
    """Confirm every label of one shard by Z3."""
    records = list(read_records(folder / f"worded-{shard}.jsonl"))
    for record in records:
        found = problems(record)
        assert not found, found
    return len(records)


STEPS: tuple[tuple[str, Callable[..., int], bool], ...] = (
    ("compose captions", compose, False),
    ("filter sentences", keep, True),
    ("merge groups", merge, False),
    ("order groups", arrange, False),
    ("draw instances", draw, True),
    ("plan", plan, False),
    ("word instances", word, True),
    ("confirm with Z3", confirm, True),
)


if __name__ == "__main__":
    main()

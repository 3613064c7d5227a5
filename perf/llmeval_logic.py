"""How fast LLMEval-Logic's gold is decided, in one run with the engine that its authors released.

    python perf/llmeval_logic.py --in FOLDER --peer CHECKOUT --out speed.json

FOLDER has the published layout; CHECKOUT is a checkout of the authors' repository, which stays outside this one. Every
way starts from the published strings and ends with the answers: the released engine, Z3 alone, and truth tables with Z3
where they do not apply. Times are processor time of one core, the best of several rounds that take turns. Memory is
the growth of the process over many items.
"""

from __future__ import annotations

import importlib
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from divlogic.benchmarks.llmeval_logic.formal import formalization_of, published_answer
from divlogic.benchmarks.llmeval_logic.hard import read_rows
from divlogic.benchmarks.llmeval_logic.published import BASE, published_row
from divlogic.io.files import write_json
from divlogic.logic.by_tables import MAX_PROPOSITIONS, TableDecider
from divlogic.logic.by_z3 import Z3Decider
from divlogic.logic.theory import vocabulary

PEER = "code.fl_eval.z3_judge.core:solve_record"
"""The released entry: called with (record, data map, time limit in milliseconds), returns `answer_tokens`."""


@click.command()
@click.option(
    "--in", "folder", type=click.Path(path_type=Path), required=True, help="Folder of published layout."
)
@click.option("--peer", type=click.Path(path_type=Path), default=None, help="Checkout of the released code.")
@click.option("--entry", default=PEER, show_default=True, help="Its function, as module:function.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Rounds of each way.")
@click.option("--items", type=int, default=10_000, show_default=True, help="Items of the memory test.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Write the numbers as JSON.")
def main(folder: Path, peer: Path | None, entry: str, rounds: int, items: int, out: Path | None) -> None:
    """Time the ways against each other, and check that their answers agree."""
    rows = read_rows(folder / BASE)
    ways: dict[str, Callable[[Any], list[Any]]] = {"z3": by_z3, "tables and z3": by_tables}
    if peer is not None:
        ways = {"released engine": peer_way(peer, entry), **ways}
    times: dict[str, list[float]] = {name: [] for name in ways}
    answers: dict[str, list[Any]] = {}
    for each in ways.values():
        each(rows[0])  # loads what is loaded once
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.process_time()
            answers[name] = [way(row) for row in rows]
            times[name].append(time.process_time() - start)
    found: dict[str, Any] = {
        "items": len(rows),
        "queries": sum(len(row["formalization"]["question"]) for row in rows),
        "seconds": {name: min(each) for name, each in times.items()},
        "agree": {name: _agree(rows, given) for name, given in answers.items()},
    }
    if peer is not None:
        base = found["seconds"]["released engine"]
        found["times_faster"] = {
            name: base / found["seconds"][name] for name in ways if name != "released engine"
        }
    found["memory_growth_mib"] = _growth(rows, items)
    for name, seconds in found["seconds"].items():
        factor = found.get("times_faster", {}).get(name)
        shown = f"  {factor:5.1f} x" if factor else ""
        click.echo(
            f"{name:<16} {1000 * seconds:9.1f} ms  {found['agree'][name]} of {found['queries']} right{shown}"
        )
    click.echo(f"memory over {items:,} items: {found['memory_growth_mib']:+.1f} MiB")
    if out is not None:
        write_json(out, found)


def by_z3(row: Any) -> list[Any]:
    """Answer an item's queries by Z3 alone."""
    return [verdict.answer for verdict in Z3Decider().decide(formalization_of(published_row(row))).verdicts]


def by_tables(row: Any) -> list[Any]:
    """Answer an item's queries by tables, by Z3 where it is not propositional or too large."""
    theory = formalization_of(published_row(row))
    small = theory.propositional and len(vocabulary(theory.sentences()).propositions) <= MAX_PROPOSITIONS
    decider = TableDecider() if small else Z3Decider()
    return [verdict.answer for verdict in decider.decide(theory).verdicts]


def peer_way(checkout: Path, entry: str) -> Callable[[Any], list[Any]]:
    """Return the released engine as a way to answer an item."""
    module, _, name = entry.partition(":")
    package = module.split(".")[0]
    # The released package has the name of a module of the standard library, which may have been loaded.
    kept = {key: sys.modules.pop(key) for key in list(sys.modules) if key.split(".")[0] == package}
    sys.path.insert(0, str(checkout.resolve()))
    try:
        solve = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise click.ClickException(
            f"{checkout}: no function {entry} ({error}); name it with --entry module:function."
        ) from error
    finally:
        sys.path.pop(0)
        for key in [key for key in sys.modules if key.split(".")[0] == package]:
            del sys.modules[key]
        sys.modules.update(kept)

    def way(row: Any) -> list[Any]:
        record = {"sample_id": row["id"], "FL": row["formalization"]}
        return list(solve(record, {}, 5000)["answer_tokens"])

    return way


def _agree(rows: Sequence[Any], answers: Sequence[Sequence[Any]]) -> int:
    """Count the answers that are the gold's."""
    right = 0
    for row, given in zip(rows, answers, strict=True):
        theory = formalization_of(published_row(row))
        for text, query, answer in zip(row["formalization"]["answer"], theory.queries, given, strict=False):
            models = isinstance(answer, str) and answer.startswith("{")
            said = published_answer(answer, query, theory.constants) if models else answer
            right += said == published_answer(text, query, theory.constants)
    return right


def _growth(rows: Sequence[Any], items: int) -> float:
    """Return by how many MiB the process grows over so many items, after a first pass."""
    for row in rows:
        by_z3(row)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for place in range(items):
        by_z3(rows[place % len(rows)])
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


if __name__ == "__main__":
    main()

"""How fast LLMEval-Logic's gold is decided, in one run with the engine that its authors released.

    python -m perf.llmeval_logic --in FOLDER --peer CHECKOUT --out speed.json

FOLDER has the published layout; CHECKOUT is a checkout of the authors' repository, which stays outside this one. Every
way starts from the published strings and ends with the answers: the released engine, Z3 alone, and truth tables with Z3
where they do not apply. No formula or answer is remembered from one round to the next. Times are processor time of this
process and, for an engine that starts others, of its children; the best of several rounds that take turns. Memory is
the growth of the process over many items.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import resource
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from divlogic.benchmarks.llmeval_logic.formal import formalization_of, published_answer
from divlogic.benchmarks.llmeval_logic.published import BASE, read_rows
from divlogic.benchmarks.llmeval_logic.reader import base_item
from divlogic.io.files import write_json
from divlogic.logic.deciding import MAX_PROPOSITIONS, TableDecider, Z3Decider
from divlogic.logic.theory import Query, vocabulary
from perf.machine import machine

PEER = "code.fl_eval.z3_judge.core:solve_record"
"""The released entry: called with (record, data map, time limit in milliseconds), returns `answer_tokens`."""


@click.command()
@click.option(
    "--in",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder of published layout.",
)
@click.option(
    "--peer", type=click.Path(path_type=Path), default=None, help="Checkout of the released code."
)
@click.option("--entry", default=PEER, show_default=True, help="Its function, as module:function.")
@click.option(
    "--rounds", type=click.IntRange(1), default=5, show_default=True, help="Rounds of each way."
)
@click.option(
    "--items", type=int, default=10_000, show_default=True, help="Items of the memory test."
)
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="Write the numbers as JSON."
)
def main(
    folder: Path, peer: Path | None, entry: str, rounds: int, items: int, out: Path | None
) -> None:
    """Time the ways against each other, and check that their answers agree."""
    click.echo(machine())
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
            start = _processor_time()
            answers[name] = [way(row) for row in rows]
            times[name].append(_processor_time() - start)
    found: dict[str, Any] = {
        "items": len(rows),
        "queries": sum(len(base_item(row).queries) for row in rows),
        "seconds": {name: min(each) for name, each in times.items()},
        "agree": {name: _agree(rows, given) for name, given in answers.items()},
    }
    if peer is not None:
        base = found["seconds"]["released engine"]
        found["times_faster"] = {
            name: base / found["seconds"][name] for name in ways if name != "released engine"
        }
    whole, half = _growth(rows, items)
    found["memory_growth_mib"] = {"whole": whole, "second_half": half}
    for name, seconds in found["seconds"].items():
        factor = found.get("times_faster", {}).get(name)
        shown = f"  {factor:5.1f} x" if factor else ""
        click.echo(
            f"{name:<16} {1000 * seconds:9.1f} ms  {found['agree'][name]} of {found['queries']} right{shown}"
        )
    click.echo(
        f"milliseconds per item: {', '.join(f'{k} {1000 * v / len(rows):.2f}' for k, v in found['seconds'].items())}"
    )
    click.echo(
        f"memory over {items:,} items: {whole:+.1f} MiB, of these {half:+.1f} MiB over the second half"
    )
    if out is not None:
        write_json(out, found)


def _processor_time() -> float:
    """Return the seconds that this process and its finished children have computed."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def by_z3(row: Any) -> list[Any]:
    """Answer an item's queries by Z3 alone."""
    return [
        verdict.answer for verdict in Z3Decider().decide(formalization_of(base_item(row))).verdicts
    ]


def by_tables(row: Any) -> list[Any]:
    """Answer an item's queries by tables, by Z3 where it is not propositional or too large."""
    theory = formalization_of(base_item(row))
    small = (
        theory.propositional
        and len(vocabulary(theory.sentences()).propositions) <= MAX_PROPOSITIONS
    )
    decider = TableDecider() if small else Z3Decider()
    return [verdict.answer for verdict in decider.decide(theory).verdicts]


def peer_way(checkout: Path, entry: str) -> Callable[[Any], list[Any]]:
    """Return the released engine as a way to answer an item; what it fails at is no answer.

    Raises:
        ClickException: the checkout has no such function.
    """
    module, _, name = entry.partition(":")
    package = module.split(".")[0]
    peer: dict[str, Any] = {package: types.ModuleType(package)}
    # The released package has the name of a module of the standard library, and need not have an __init__.py.
    peer[package].__path__ = [str(checkout.resolve() / package)]
    with _modules(package, peer), _path(checkout.resolve()):
        try:
            solve = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise click.ClickException(
                f"{checkout}: no function {entry} ({error}); name it with --entry module:function."
            ) from error

    def way(row: Any) -> list[Any]:
        record = {"sample_id": row["id"], "FL": row["formalization"]}
        with _modules(package, peer), contextlib.redirect_stdout(io.StringIO()):
            try:
                return list(solve(record, {}, 5000)["answer_tokens"])
            except Exception as error:
                click.echo(f"item {row['id']}: the released engine fails ({error})", err=True)
                return []

    return way


@contextlib.contextmanager
def _modules(package: str, peer: dict[str, Any]) -> Iterator[None]:
    """Let the peer's modules stand for those of the same names; it may import more of them when it is called."""
    kept = {key: sys.modules.pop(key) for key in list(sys.modules) if key.split(".")[0] == package}
    sys.modules.update(peer)
    try:
        yield
    finally:
        peer |= {
            key: sys.modules.pop(key) for key in list(sys.modules) if key.split(".")[0] == package
        }
        sys.modules.update(kept)


@contextlib.contextmanager
def _path(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _agree(rows: Sequence[Any], answers: Sequence[Sequence[Any]]) -> int:
    """Count the answers that are the gold's."""
    right = 0
    for row, given in zip(rows, answers, strict=True):
        raw = base_item(row)
        theory = formalization_of(raw)
        for text, query, answer in zip(raw.answers, theory.queries, given, strict=False):
            right += _read(answer, query, theory.constants) == published_answer(
                text, query, theory.constants
            )
    return right


def _read(answer: Any, query: Query, constants: tuple[str, ...]) -> Any:
    """Return an answer in canonical form; the released engine gives its models as published text."""
    if not isinstance(answer, str):
        return answer
    try:
        return published_answer(answer, query, constants)
    except ValueError:
        return None


def _growth(rows: Sequence[Any], items: int) -> tuple[float, float]:
    """Return by how many MiB the process grows over so many items after one pass, and over the second half of them."""
    for row in rows:
        by_z3(row)
    peaks = [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]
    for half in range(2):
        for place in range(half * items // 2, (half + 1) * items // 2):
            by_z3(rows[place % len(rows)])
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return (peaks[2] - peaks[0]) / 1024, (peaks[2] - peaks[1]) / 1024


if __name__ == "__main__":
    main()

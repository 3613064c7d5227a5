"""How fast JustLogic is generated, against drawing every sentence from a pandas table, and how much memory it takes.

    python perf/justlogic.py [--statements FILE.jsonl] [--instances 2100] [--largest 70000] [--out FILE.json]

All figures come from one run and are seconds of processor time, so that other work on the machine does not enter.
Without a table of statements one is made up on the spot; GenericsKB-Best has about a million rows, which ``--rows``
imitates.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from divlogic.benchmarks.justlogic.build import write_symbolic, write_worded
from divlogic.benchmarks.justlogic.deciding import decide
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.symbolic import SymbolicItem, draw_item
from divlogic.benchmarks.justlogic.table import open_statements
from divlogic.benchmarks.justlogic.text import draw_statements
from divlogic.draws import Draws
from divlogic.io.files import read_jsonl, write_jsonl

ROUNDS = 5


def main() -> None:
    """Measure, print a table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--statements", type=Path, help="table of statements (default: made up)")
    options.add_argument("--rows", type=int, default=200_000, help="rows of a made-up table")
    options.add_argument("--instances", type=int, default=2_100, help="instances for the rates")
    options.add_argument("--largest", type=int, default=70_000, help="largest run of the memory curve")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = options.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        table = arguments.statements or Path(folder, "statements.jsonl")
        if arguments.statements is None:
            write_jsonl(table, made_up(arguments.rows))
        figures = generation_rates(table, arguments.instances, Path(folder))
        figures |= drawing_rates(table, items=200, by_pandas=20)
        sizes = [size for size in (700, 7_000, 70_000) if size <= arguments.largest]
        figures["peak_memory_mib"] = {str(size): in_fresh_process(peak, table, size) for size in sizes}
    for name, value in figures.items():
        print(f"{name:40} {value if isinstance(value, dict) else f'{value:,.4g}'}")
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def generation_rates(table: Path, instances: int, folder: Path) -> dict[str, Any]:
    """Return items per second of both passes, together, and of the solver alone: the best of some rounds.

    A neighbour on the same core slows processor time too, so that the best round says most about the code.
    """
    settings = JustLogicParameters(per_depth=instances // 7)
    symbolic = folder / "symbolic.jsonl"
    drawn, worded, decided = [], [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        count = write_symbolic(symbolic, 0, 1, seed=1, parameters=settings, corpus_source="full")
        middle = time.process_time()
        write_worded(symbolic, table, folder / "worded.jsonl", seed=1, parameters=settings)
        end = time.process_time()
        items = [SymbolicItem.from_json(row) for _, row in read_jsonl(symbolic)]
        before = time.process_time()
        for item in items:
            decide(item.premises, item.conclusion, item.query, item.atoms)
        decided.append(time.process_time() - before)
        drawn.append(middle - start)
        worded.append(end - middle)
    seconds = min(drawn) + min(worded)
    return {
        "items": count,
        "symbolic_items_per_s": count / min(drawn),
        "worded_items_per_s": count / min(worded),
        "items_per_s": count / seconds,
        "solver_share_of_time": min(decided) / seconds,
    }


def drawing_rates(table: Path, items: int, by_pandas: int) -> dict[str, float]:
    """Draw the statements of some items from the memory-mapped table and, for fewer, from a pandas frame."""
    import pandas as pd

    settings = JustLogicParameters(per_depth=1000)
    symbolic = [draw_item(1, index, settings, 1000) for index in range(items)]
    with open_statements(table) as statements:
        start = time.process_time()
        for index, item in enumerate(symbolic):
            draw_statements(item, statements, Draws(1, index), settings)
        ours = items / (time.process_time() - start)
    frame = pd.DataFrame([row for _, row in read_jsonl(table)])[["term", "text"]]
    start = time.process_time()
    for index, item in enumerate(symbolic[:by_pandas]):
        pandas_statements(frame, item, index)
    theirs = by_pandas / (time.process_time() - start)
    return {"draw_items_per_s": ours, "pandas_draw_items_per_s": theirs, "times_faster": ours / theirs}


def pandas_statements(frame: Any, item: SymbolicItem, seed: int) -> list[str]:
    """Draw one statement after the other from the whole frame, and the uncertain query's by its term."""
    texts: list[str] = []
    for atom in range(item.atoms):
        row = frame.sample(1, random_state=seed * 1000 + atom).iloc[0]
        texts.append(row["text"])
        if atom < len(item.pairs) and item.label == "uncertain":
            texts.append(frame[frame["term"] == row["term"]].sample(1, random_state=seed).iloc[0]["text"])
    return texts


def peak(table: Path, size: int) -> float:
    """Generate items in both passes; return this process's peak memory in MiB."""
    settings = JustLogicParameters(per_depth=size // 7)
    with tempfile.TemporaryDirectory() as folder:
        symbolic = Path(folder, "symbolic.jsonl")
        write_symbolic(symbolic, 0, 1, seed=1, parameters=settings, corpus_source="full")
        write_worded(symbolic, table, Path(folder, "worded.jsonl"), seed=1, parameters=settings)
    # Not getrusage, whose maximum a process takes over from the one that started it.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return round(int(status.split("VmHWM:")[1].split()[0]) / 1024, 1)


def in_fresh_process(function: Callable[..., float], *arguments: Any) -> float:
    """Call a function in a new process, so that its peak memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def made_up(rows: int) -> Iterator[dict[str, Any]]:
    """Yield statements, three on a term for the first third of them and one for the others."""
    for number in range(rows):
        grouped = number < rows // 9 * 3
        first = number - number % 3 if grouped else number
        kind = f"thing {number // 3 if grouped else number}"
        verb, noun = (("have", "value"), ("show", "colour"), ("need", "space"))[number % 3]
        yield {
            "id": f"{number:012x}",
            "term": kind,
            "text": f"{kind}s {verb} much {noun}",
            "negated": f"{kind}s don't {verb} much {noun}",
            "source": "made-up",
            "group": [first, 3 if grouped else 1],
        }


if __name__ == "__main__":
    main()

"""How fast DivLogicEval is generated, against asking Z3 for every entailment, and how much memory it takes.

    python -m perf.divlogiceval [--instances 3000] [--largest 100000] [--out FILE.json]

All figures come from one run of about four minutes; rates are per second of processor time (one core). Peak memory is
that of every pass in a process of its own, as the workflow runs it, on one shard. The sentence groups are made up on
the spot, row by row.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from divlogic.benchmarks import generate
from divlogic.benchmarks.divlogiceval import build
from divlogic.benchmarks.divlogiceval.draw import draw_context
from divlogic.benchmarks.divlogiceval.groups import shuffle_groups
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import candidates, formula
from divlogic.benchmarks.made import DIVLOGICEVAL
from divlogic.draws import Draws
from divlogic.io.files import write_jsonl
from divlogic.logic.smt import z3_entails
from divlogic.parameters import Parameters, validate
from perf.machine import machine


def main() -> None:
    """Measure, print a table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--instances", type=int, default=3000, help="instances for the rates")
    options.add_argument(
        "--largest", type=int, default=100_000, help="largest run of the memory curve; 0: none"
    )
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = options.parse_args()
    print(machine())

    figures = entailment_rates(contexts=150, with_z3=6)
    figures |= generation_rates(arguments.instances)
    for name, value in figures.items():
        print(f"{name:40} {value:,.1f}")
    sizes = [size for size in (1_000, 10_000, 100_000) if size <= arguments.largest]
    peaks = {f"{size:,}": peak_memory(size) for size in sizes}
    if peaks:
        print(
            f"\n{'peak memory, MiB':20}" + "".join(f"{size:>10}" for size in peaks) + "  instances"
        )
        for name in PASSES:
            print(f"{name:20}" + "".join(f"{peak[name]:10.1f}" for peak in peaks.values()))
    figures["peak_memory_mib"] = peaks
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def entailment_rates(contexts: int, with_z3: int) -> dict[str, Any]:
    """Decide every candidate of some contexts by truth table and by Z3; return decisions per second and the ratio."""
    settings = DivLogicEvalParameters()
    drawn = [
        context
        for index in range(contexts * 3)
        if (context := draw_context(Draws(1, index), settings))
    ]
    drawn = drawn[:contexts]

    start = time.process_time()
    decided = 0
    by_table: list[list[bool]] = []
    for context in drawn:
        verdicts = [not context.table & false for _, false in candidates(context.variables)]
        by_table.append(verdicts)
        decided += len(verdicts)
    table_rate = decided / (time.process_time() - start)

    start = time.process_time()
    decided = 0
    for context, verdicts in zip(drawn[:with_z3], by_table, strict=False):
        premises = [formula(proposition) for proposition in context.propositions]
        answers = [
            z3_entails(premises, formula(option)) for option, _ in candidates(context.variables)
        ]
        assert answers == verdicts
        decided += len(answers)
    z3_rate = decided / (time.process_time() - start)
    return {
        "entailments_per_second_truth_table": table_rate,
        "entailments_per_second_z3": z3_rate,
        "entailment_ratio": table_rate / z3_rate,
    }


def generation_rates(count: int) -> dict[str, Any]:
    """Return instances per second of the symbolic pass, of the wording pass, and of both together.

    Each pass is run three times and its shortest time counts: whatever else the machine does only adds to it.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_groups(folder, count)
        shuffle(folder, count)
        symbolic_seconds = shortest(draw, folder, count)
        plan(folder, count)
        worded_seconds = shortest(word, folder, count)
    return {
        "symbolic_instances_per_second": count / symbolic_seconds,
        "worded_instances_per_second": count / worded_seconds,
        "finished_instances_per_second": count / (symbolic_seconds + worded_seconds),
    }


def shortest(work: Callable[[Path, int], None], folder: Path, count: int) -> float:
    """Return the shortest processor time of three runs."""
    seconds = []
    for _ in range(3):
        start = time.process_time()
        work(folder, count)
        seconds.append(time.process_time() - start)
    return min(seconds)


def peak_memory(count: int) -> dict[str, float]:
    """Make ``count`` instances, every pass in a process of its own; return each one's peak memory in MiB."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_groups(folder, count)
        return {title: in_fresh_process(work, folder, count) for title, work in PASSES.items()}


def shuffle(folder: Path, count: int) -> None:
    """Put the groups into the order in which instances receive them."""
    shuffle_groups(folder / "groups.jsonl", folder / "shuffled.jsonl", 1)


def draw(folder: Path, count: int) -> None:
    """Draw the symbolic instances."""
    generate.draw(
        "divlogiceval", shard=0, shards=1, out=folder / "symbolic.jsonl", params=parameters(count)
    )


def plan(folder: Path, count: int) -> None:
    """Plan which groups they receive, and see that there are enough."""
    params = parameters(count)
    sources = ([folder / "symbolic.jsonl"], folder / "shuffled.jsonl")
    made = build.write_plan(*sources, folder / "plan.json", params)["made"]["test"]
    splits = params.benchmarks.divlogiceval.splits
    assert made == splits.test + splits.unpolished, made


def word(folder: Path, count: int) -> None:
    """Word them."""
    generate.realise(
        "divlogiceval",
        (f"groups={folder / 'shuffled.jsonl'}", f"plan={folder / 'plan.json'}"),
        source=folder / "symbolic.jsonl",
        shard=0,
        out=folder / "worded.jsonl",
        counts=folder / "counts.json",
        params=parameters(count),
    )


def assemble(folder: Path, count: int) -> None:
    """Write the splits and their symbolic twin."""
    generate.assemble(
        "divlogiceval", (folder / "worded.jsonl",), out=folder / "text", compressed=True
    )
    for split in DIVLOGICEVAL.splits:
        build.write_twin(folder / "text" / f"{split}.jsonl.gz", folder / "twin" / f"{split}.jsonl")


PASSES: dict[str, Callable[[Path, int], None]] = {
    "shuffle groups": shuffle,
    "draw symbolic": draw,
    "plan": plan,
    "word": word,
    "assemble": assemble,
}


def make_groups(folder: Path, count: int) -> None:
    """Write sentence groups enough for ``count`` instances, which take 3.2 on average."""
    write_jsonl(folder / "groups.jsonl", made_up_groups(count * 13 // 4 + 300))


def parameters(count: int) -> Parameters:
    """Return parameters that ask for ``count`` instances."""
    return validate(
        {"benchmarks": {"divlogiceval": {"splits": {"test": count + -count % 3, "unpolished": 0}}}}
    )


def made_up_groups(count: int) -> Iterator[dict[str, Any]]:
    """Yield sentence groups of a premise, up to two hypotheses and a contradiction."""
    for number in range(count):
        texts = [f"worker {number} is {verb} the {thing}" for verb, thing in VERBS]
        sentences = [
            {"text": text, "negated": text.replace(" is ", " isn't "), "source": "x"}
            for text in texts
        ]
        yield {
            "id": hashlib.blake2b(str(number).encode(), digest_size=6).hexdigest(),
            "corpus": "made_up",
            "genre": None,
            "source": str(number),
            "premise": sentences[0],
            "entailed": sentences[1 : 1 + number % 3],
            "contradicted": sentences[3:],
            "neutral": [],
        }


VERBS = (
    ("repairing", "oldest clock of the town hall"),
    ("repairing", "clock"),
    ("standing near", "clock"),
    ("asleep far from", "clock"),
)


def in_fresh_process(work: Callable[..., None], *arguments: Any) -> float:
    """Run ``work`` in a process of its own and return that process's peak memory in MiB."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_report_peak, args=(sender, work, arguments))
    process.start()
    peak = receiver.recv()
    process.join()
    return peak


def _report_peak(sender: Any, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    work(*arguments)
    # Not ru_maxrss: Linux lets a process start with the peak of the one that started it.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak_kib = next(
        int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")
    )
    sender.send(round(peak_kib / 1024, 1))


if __name__ == "__main__":
    main()

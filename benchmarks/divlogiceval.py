"""How fast DivLogicEval is generated, against asking Z3 for every entailment, and how much memory it takes.

    python benchmarks/divlogiceval.py [--instances 3000] [--largest 100000] [--out FILE.json]

All figures come from one run; rates are per second of processor time (one core). The sentence groups are made up
on the spot.
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

from divlogic.benchmarks.divlogiceval import build
from divlogic.benchmarks.divlogiceval.contexts import draw_context
from divlogic.benchmarks.divlogiceval.groups import shuffle_groups
from divlogic.benchmarks.divlogiceval.propositions import candidates, formula
from divlogic.benchmarks.draws import Draws
from divlogic.config import DivLogicEvalParameters, Parameters, validate
from divlogic.files import write_jsonl
from divlogic.logic.smt import z3_entails


def main() -> None:
    """Measure, print a table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--instances", type=int, default=3000, help="instances for the rates")
    options.add_argument("--largest", type=int, default=100_000, help="largest run of the memory curve")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = options.parse_args()

    figures = entailment_rates(contexts=150, with_z3=6)
    figures |= generation_rates(arguments.instances)
    sizes = [size for size in (1_000, 10_000, 100_000) if size <= arguments.largest]
    figures["peak_memory_mib"] = {str(size): in_fresh_process(generate, size) for size in sizes}
    for name, value in figures.items():
        print(f"{name:40} {value if isinstance(value, dict) else f'{value:,.1f}'}")
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def entailment_rates(contexts: int, with_z3: int) -> dict[str, float]:
    """Decide every candidate of some contexts by truth table and by Z3; return decisions per second and the ratio."""
    settings = DivLogicEvalParameters()
    drawn = [context for index in range(contexts * 3) if (context := draw_context(Draws(1, index), settings))]
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
        answers = [z3_entails(premises, formula(option)) for option, _ in candidates(context.variables)]
        assert answers == verdicts
        decided += len(answers)
    z3_rate = decided / (time.process_time() - start)
    return {
        "entailments_per_second_truth_table": table_rate,
        "entailments_per_second_z3": z3_rate,
        "entailment_ratio": table_rate / z3_rate,
    }


def generation_rates(count: int) -> dict[str, float]:
    """Return instances per second of the symbolic pass, of the wording pass, and of both together."""
    params = parameters(count)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_jsonl(folder / "groups.jsonl", made_up_groups(count * 8))
        groups = folder / "shuffled.jsonl"
        shuffle_groups(folder / "groups.jsonl", groups, 1)
        symbolic = folder / "symbolic.jsonl"
        build.write_symbolic(symbolic, 0, 1, parameters(30))  # fills the caches
        start = time.process_time()
        build.write_symbolic(symbolic, 0, 1, params)
        symbolic_seconds = time.process_time() - start
        plan = build.write_plan([symbolic], groups, folder / "plan.json", params)
        start = time.process_time()
        build.write_worded(symbolic, 0, groups, plan, folder / "worded.jsonl", folder / "counts.json", params)
        worded_seconds = time.process_time() - start
    return {
        "symbolic_instances_per_second": count / symbolic_seconds,
        "worded_instances_per_second": count / worded_seconds,
        "finished_instances_per_second": count / (symbolic_seconds + worded_seconds),
    }


def generate(count: int) -> None:
    """Run every pass for ``count`` instances."""
    params = parameters(count)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_jsonl(folder / "groups.jsonl", made_up_groups(count * 8))
        groups = folder / "shuffled.jsonl"
        shuffle_groups(folder / "groups.jsonl", groups, 1)
        symbolic = folder / "symbolic.jsonl"
        build.write_symbolic(symbolic, 0, 1, params)
        plan = build.write_plan([symbolic], groups, folder / "plan.json", params)
        build.write_worded(symbolic, 0, groups, plan, folder / "worded.jsonl", folder / "counts.json", params)
        build.write_splits([folder / "worded.jsonl"], folder / "text", folder / "twin", params)


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
            {"text": text, "negated": text.replace(" is ", " isn't "), "source": "x"} for text in texts
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
    peak_kib = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
    sender.send(round(peak_kib / 1024, 1))


if __name__ == "__main__":
    main()

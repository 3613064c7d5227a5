"""The hardener's steps: one shard of hard items, the merged sets, the tables of gates and of the panel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from divlogic.benchmarks.llmeval_logic.hardener.draft import draft_of
from divlogic.benchmarks.llmeval_logic.hardener.forge import GATES, Tally, forge
from divlogic.benchmarks.llmeval_logic.hardener.item import (
    HardItem,
    SubQuestion,
    item_json,
    read_hard_item,
)
from divlogic.benchmarks.llmeval_logic.hardener.operators import OPERATORS
from divlogic.benchmarks.llmeval_logic.hardener.panel import GATE, SOLVERS, Task, verdicts
from divlogic.benchmarks.llmeval_logic.hardener.questions import answer_in
from divlogic.benchmarks.llmeval_logic.hardener.space import Space
from divlogic.benchmarks.llmeval_logic.parameters import HardenerParameters
from divlogic.benchmarks.llmeval_logic.seeds import Seed, read_seeds
from divlogic.errors import DivLogicError
from divlogic.io.files import read_as, read_json, write_json, write_jsonl

STRATEGIES = {
    **{operator.name: operator.strategy for operator in OPERATORS},
    "bridge": "further",
    "set_valued": "set-valued",
    "counterfactual": "counterfactual",
}
"""Operator -> the paper's strategy, or ``further``."""


def write_shard(
    seeds: Path,
    out: Path,
    tally_out: Path,
    *,
    shard: int,
    shards: int,
    seed: int,
    parameters: HardenerParameters,
) -> int:
    """Draw the items whose number is ``shard`` modulo ``shards``, count the draws; return how many were accepted.

    Raises:
        DivLogicError: the file of seeds is missing or malformed, or none of its seeds is consistent.
    """
    sources = list(read_seeds(seeds))
    if all(source.item.contradictory for source in sources):
        raise DivLogicError(
            f"{seeds}: there is no seed without a contradiction; run the step that makes it again."
        )
    tally = Tally()
    items = (forge(i, sources, parameters, seed, tally) for i in range(shard, parameters.items, shards))
    count = write_jsonl(out, (item_json(item) for item in items if item is not None))
    write_json(tally_out, tally_row(tally))
    return count


def read_hard_items(path: Path) -> Iterator[HardItem]:
    """Yield the items of a shard or of a merged file.

    Raises:
        DivLogicError: the file is missing, or a row is no hard item; the message names file and row.
    """
    for _, item in read_as(path, read_hard_item, "a hard item"):
        yield item


def merged(shards: Iterable[Path]) -> list[HardItem]:
    """Return the items of all shards in the order of their numbers; of two with the same text the first.

    Raises:
        DivLogicError: two items have one id.
    """
    items = sorted((item for path in shards for item in read_hard_items(path)), key=lambda item: item.id)
    seen: set[tuple[str, ...]] = set()
    kept: list[HardItem] = []
    for item in items:
        if kept and kept[-1].id == item.id:
            raise DivLogicError(
                f"two shards hold the item {item.id}; make the shards again with one `shards`."
            )
        text = (item.background.zh, *sorted(premise.text.zh for premise in item.theory.premises))
        if text not in seen:
            seen.add(text)
            kept.append(item)
    return kept


def gate_rows(tallies: Iterable[Mapping[str, Any]], kept: Sequence[HardItem]) -> list[dict[str, Any]]:
    """Return one row for all draws and one per operator: draws, failures by gate, accepted, kept."""
    total: dict[str, dict[str, int]] = {}
    for tally in tallies:
        for name, counts in tally["operators"].items():
            sums = total.setdefault(name, {})
            for key, value in counts.items():
                sums[key] = sums.get(key, 0) + value
    rows = []
    for name in ("all", *STRATEGIES):
        counts = total.get(name, {})
        held = kept if name == "all" else [item for item in kept if name in item.operators]
        row: dict[str, Any] = {
            "operator": name,
            "strategy": "" if name == "all" else STRATEGIES[name],
            "drawn": counts.get("drawn", 0),
        }
        row |= {gate: counts.get(gate, 0) for gate in GATES}
        rows.append(row | {"duplicate": counts.get("accepted", 0) - len(held), "kept": len(held)})
    return rows


def panel_rows(
    seeds: Sequence[Seed], tallies: Iterable[Mapping[str, Any]], kept: Sequence[HardItem]
) -> list[dict[str, Any]]:
    """Return the shares that each solver answers: of the seeds, of draws before the panel's gate, of what was kept."""
    before = [found for seed in seeds if (found := seed_verdicts(seed)) is not None]
    drawn = {name: [0, 0, 0, 0] for name in SOLVERS}
    for tally in tallies:
        for name in SOLVERS:
            drawn[name] = [sum(pair) for pair in zip(drawn[name], tally["panel"][name], strict=True)]
    rows = []
    for name in SOLVERS:
        stages = {
            "seeds": _counts([found[name] for found in before]),
            "drawn": drawn[name],
            "kept": _counts([item.panel[name] for item in kept]),
        }
        for stage, (items_right, items, right, asked) in stages.items():
            rows.append(
                {
                    "solver": name,
                    "gate": "yes" if name in GATE else "no",
                    "set": stage,
                    "items": items,
                    "item_accuracy": items_right / items if items else None,
                    "questions": asked,
                    "question_accuracy": right / asked if asked else None,
                }
            )
    return rows


def seed_verdicts(seed: Seed) -> dict[str, list[bool]] | None:
    """Return what the panel answers of a seed's own queries; ``None`` for a seed that cannot be hardened."""
    draft = draft_of(seed)
    try:
        space = Space(draft.symbols)
    except ValueError:
        return None
    premises = tuple(premise.formula for premise in draft.premises)
    true = space.conjunction(premises)
    questions = []
    for query in seed.item.formalization.queries:
        bare = SubQuestion(query.id, query.type, "added", query.text, query, (), (), (), ())
        answer = answer_in(space, true, bare)
        if answer is None:
            return None
        questions.append(replace(bare, answer=answer))
    text = seed.item.background.zh + "".join(premise.text.zh for premise in draft.premises)
    return verdicts(Task(space, draft.symbols, draft.premises, premises, text), questions)


def tally_row(tally: Tally) -> dict[str, Any]:
    """Return the counts of a shard as JSON."""
    names = sorted(tally.drawn)
    return {
        "operators": {
            name: {
                "drawn": tally.drawn[name],
                **{gate: tally.failed[name, gate] for gate in GATES},
                "accepted": tally.accepted[name],
            }
            for name in names
        },
        "panel": tally.panel,
    }


def read_tally(path: Path) -> Mapping[str, Any]:
    """Return the counts of a shard.

    Raises:
        DivLogicError: the file is missing or holds none.
    """
    row = read_json(path)
    if not isinstance(row, dict) or not {"operators", "panel"} <= row.keys():
        raise DivLogicError(f"{path}: no counts of the hardener; make the file again.")
    return row


def _counts(right: Sequence[Sequence[bool]]) -> list[int]:
    return [sum(map(all, right)), len(right), sum(map(sum, right)), sum(map(len, right))]

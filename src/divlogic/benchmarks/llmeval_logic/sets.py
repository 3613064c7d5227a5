"""The sets of LLMEval-Logic (generated), merged from shards, and the tables of gates and of the panel."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.llmeval_logic.draw import GATES
from divlogic.benchmarks.llmeval_logic.hardener.draft import draft_of
from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem, SubQuestion, read_hard_item
from divlogic.benchmarks.llmeval_logic.hardener.operators import OPERATORS
from divlogic.benchmarks.llmeval_logic.hardener.panel import GATE, SOLVERS, PanelTask, verdicts
from divlogic.benchmarks.llmeval_logic.hardener.questions import answers_in
from divlogic.benchmarks.llmeval_logic.realise import hard_record, seed_record
from divlogic.benchmarks.llmeval_logic.schema import require_releasable
from divlogic.benchmarks.llmeval_logic.seeds import Seed, read_seeds
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import form_of, read_as, read_json, write_jsonl
from divlogic.io.shards import expanded
from divlogic.io.tables import declared_tables, write_listing

STRATEGIES = {
    **{operator.name: operator.strategy for operator in OPERATORS},
    "bridge": "further",
    "set_valued": "set-valued",
    "counterfactual": "counterfactual",
}
"""Operator -> the paper's strategy, or ``further``."""


GATE_COLUMNS = ("operator", "strategy", "drawn", *GATES, "duplicate", "kept")
_PANEL = declared_tables(Path(__file__).with_name("tables.yaml"))["panel"]


def write_sets(
    files: Annotated[tuple[Path, ...], ARGUMENT, "SHARD... COUNTS...", expanded],
    *,
    seeds: Annotated[Path, "Seeds (jsonl)."],
    out: Annotated[Path, FOLDER, "Folder of the splits base and hard."],
    tables: Annotated[Path, FOLDER, "Folder of the tables hardening and panel."],
) -> None:
    """Put the shards (jsonl.gz) and their counts (json) together: splits, tables of gates and of the panel."""
    sources = list(read_seeds(seeds))
    require_releasable(seed.item for seed in sources)
    items = merged(path for path in files if form_of(path) != ".json")
    tallies = [read_json(path) for path in files if form_of(path) == ".json"]
    write_jsonl(out / "base.jsonl", (seed_record(seed).to_json() for seed in sources))
    write_jsonl(out / "hard.jsonl", (hard_record(item).to_json() for item in items))
    write_listing(tables / "hardening", GATE_COLUMNS, gate_rows(tallies, items))
    _PANEL.write(tables / "panel", panel_rows(sources, tallies, items))


def merged(shards: Iterable[Path]) -> list[HardItem]:
    """Return the items of all shards in the order of their numbers; of two with the same text the first."""
    read = (item for path in shards for _, item in read_as(path, read_hard_item, "a hard item"))
    items = sorted(read, key=lambda item: item.id)
    seen: set[tuple[str, ...]] = set()
    kept: list[HardItem] = []
    last = ""
    for item in items:
        number = item.id.partition("-")[0]
        if number == last:
            raise DivLogicError(
                f"two shards hold the item {item.id}; make them again with one `shards`."
            )
        last = number
        text = (item.background.zh, *sorted(premise.text.zh for premise in item.theory.premises))
        if text not in seen:
            seen.add(text)
            kept.append(item)
    return kept


def gate_rows(
    tallies: Iterable[Mapping[str, Any]], kept: Sequence[HardItem]
) -> list[dict[str, Any]]:
    """Return one row for all draws and one per operator: draws, failures by gate, accepted, kept."""
    total: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for tally in tallies:
        for name, counts in tally["operators"].items():
            total[name].update(counts)
    rows = []
    for name in ("all", *STRATEGIES):
        counts = total[name]
        held = sum(name in ("all", *item.operators) for item in kept)
        row: dict[str, Any] = {"operator": name, "strategy": STRATEGIES.get(name, "")}
        row |= {key: counts[key] for key in ("drawn", *GATES)}
        rows.append(row | {"duplicate": counts["accepted"] - held, "kept": held})
    return rows


def panel_rows(
    seeds: Sequence[Seed], tallies: Sequence[Mapping[str, Any]], kept: Sequence[HardItem]
) -> list[dict[str, Any]]:
    """Return the shares that each solver answers: of the seeds, of draws before the panel's gate, of what was kept."""
    before = [found for seed in seeds if (found := seed_verdicts(seed)) is not None]
    rows = []
    for name in SOLVERS:
        drawn = zip([0] * 4, *(tally["panel"][name] for tally in tallies), strict=True)
        stages = {
            "seeds": _counts([found[name] for found in before]),
            "drawn": list(map(sum, drawn)),
            "kept": _counts([item.panel[name] for item in kept]),
        }
        for stage, (items_right, items, right, asked) in stages.items():
            shares = (items_right / items if items else None, right / asked if asked else None)
            cells = (
                name,
                "yes" if name in GATE else "no",
                stage,
                items,
                shares[0],
                asked,
                shares[1],
            )
            rows.append(_PANEL.row(*cells))
    return rows


def seed_verdicts(seed: Seed) -> dict[str, list[bool]] | None:
    """Return what the panel answers of a seed's own queries; ``None`` for a seed that cannot be hardened."""
    draft = draft_of(seed)
    try:
        space = draft.space()
    except ValueError:
        return None
    premises = tuple(premise.formula for premise in draft.premises)
    true = space.conjunction(premises)
    questions = []
    for query in seed.item.formalization.queries:
        bare = SubQuestion(query.id, query.type, "added", query.text, query)
        (answer,) = answers_in(space, [true], bare)
        if answer is None:
            return None
        questions.append(replace(bare, answer=answer))
    text = seed.item.background.zh + "".join(premise.text.zh for premise in draft.premises)
    return verdicts(PanelTask(space, draft.symbols, draft.premises, premises, text), questions)


def _counts(right: Sequence[Sequence[bool]]) -> list[int]:
    return [sum(map(all, right)), len(right), sum(map(sum, right)), sum(map(len, right))]

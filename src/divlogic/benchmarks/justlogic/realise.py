"""From a symbolic three to records: statements for its atoms, English for its propositions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.justlogic.draw import LABELS, SPLITS, Instance, Three, draw, groups
from divlogic.benchmarks.justlogic.parameters import FRESH, JustLogicParameters, JustLogicRun
from divlogic.benchmarks.justlogic.propositions import atom_names, atoms_of, notation
from divlogic.benchmarks.justlogic.table import Row, Statements
from divlogic.benchmarks.justlogic.wording import ArgumentTemplates, Wording, load_templates
from divlogic.draws import Draws
from divlogic.io.files import read_as, write_jsonl
from divlogic.io.log import track
from divlogic.records import Record

BENCHMARK = "justlogic_generated"
"""Not `justlogic`: that is the published data set, which stands next to this one in tables."""
OPTIONS = ("True", "False", "Uncertain")
"""As the reader of JustLogic's own files gives them."""
_WORDING_STREAM = 1
_OTHER_SEED = 1


@dataclass(frozen=True)
class Resources:
    """What wording reads: the table of statements and the templates."""

    statements: Statements
    templates: ArgumentTemplates


def resources(inputs: Mapping[str, Path]) -> Resources:
    """Open the table of statements, ``inputs["statements"]``, and load the templates.

    Raises:
        DivLogicError: the table is missing, empty, compressed, or not what was written.
    """
    return Resources(Statements(inputs["statements"]), load_templates())


def realise(three: Three, resources: Resources, parameters: JustLogicParameters, seed: int) -> list[Record]:
    """Word the instances of a three.

    Raises:
        DivLogicError: there are too few statements.
    """
    return [
        _record(one, three, place, resources, parameters, seed) for place, one in enumerate(three.instances)
    ]


def draw_statements(
    instance: Instance, number: int, statements: Statements, draws: Draws, parameters: JustLogicParameters
) -> list[Row]:
    """Draw a statement for every atom, of which no two have one subject, paraphrase or entail each other.

    The statements asked follow a fixed order of the table, so that each serves as often as any other. A partner of an
    asked atom gets the likest of a few.

    Args:
        instance: what the statements are for.
        number: that of the instance, which has its own place in the order.
        statements: the table.
        draws: the stream that decides.
        parameters: allowed overlap.
    """
    rows: dict[int, Row] = {}
    limit = parameters.statements.max_overlap
    for slot, (asked, partner) in enumerate(instance.pairs):
        rows[asked] = statements.in_turn(2 * number + slot, rows.values(), draws, limit)
        if partner not in rows:
            rows[partner] = statements.like(rows[asked], rows.values(), draws, limit)
    for atom in range(instance.atoms):
        if atom not in rows:
            rows[atom] = statements.draw(rows.values(), draws, limit)
    return [rows[atom] for atom in range(instance.atoms)]


def _record(
    instance: Instance,
    three: Three,
    place: int,
    resources: Resources,
    parameters: JustLogicParameters,
    seed: int,
) -> Record:
    draws = Draws(seed, three.index, place, _WORDING_STREAM)
    # The order of the table begins elsewhere with each seed.
    number = seed % 1_000_003 + len(OPTIONS) * three.index + place
    rows = draw_statements(instance, number, resources.statements, draws, parameters)
    wording = Wording(rows, resources.templates, draws, parameters.verb_negation)
    names = _names(instance)
    literals = [literal for name in names for literal in (name, f"¬{name}")]

    # A step concludes the argument's conclusion or a premise of another step.
    needed = 1 + sum(len(step.premises) - 1 for step in instance.steps)
    idle = len(instance.premises) - needed

    symbols = partial(notation, literals=literals)
    return Record(
        id=f"{BENCHMARK}-{instance.split}-{three.depth}-{instance.number:05d}",
        benchmark=BENCHMARK,
        split=instance.split,
        question=wording.query(instance.query),
        context=" ".join(map(wording.premise, instance.premises)),
        options=OPTIONS,
        answer=LABELS.index(instance.label),
        depth=three.depth,
        forms=tuple(step.form for step in instance.steps),
        formulas={
            "premises": list(map(symbols, instance.premises)),
            "conclusion": symbols(instance.conclusion),
            "query": symbols(instance.query),
            "argument": [
                {
                    "form": step.form,
                    "premises": list(map(symbols, step.premises)),
                    "conclusion": symbols(step.conclusion),
                }
                for step in instance.steps
            ],
        },
        sentences={
            name: {key: getattr(row, key) for key in ("text", "negated", "term", "source", "id")}
            for name, row in sorted(zip(names, rows, strict=True), key=lambda pair: (len(pair[0]), pair[0]))
        },
        metadata={
            "uncertain_query": parameters.uncertain_query,
            "three": three.index,
            **({"distractors": idle} if idle else {}),
        },
    )


def _names(instance: Instance) -> list[str]:
    """Name the atoms by their first occurrence, premises first, so that their names tell nothing."""
    order = dict.fromkeys(chain.from_iterable(map(atoms_of, (*instance.premises, instance.query))))
    names = [""] * instance.atoms
    for atom, name in zip(order, atom_names(instance.atoms), strict=True):
        names[atom] = name
    return names


def worded(
    run: JustLogicRun, drawn: Path, shard: int, inputs: Mapping[str, Path], counts: dict[str, Any]
) -> Iterator[Record]:
    """Yield the records of the threes of one shard, in the order of the splits."""
    threes = read_as(drawn, Three.from_json, "a symbolic three")
    found, parameters = resources(inputs), run.benchmarks.justlogic
    # Instances of a three lie apart in their split, and a split is merged of shards in its order.
    records = [record for _, three in threes for record in realise(three, found, parameters, run.seed)]
    yield from sorted(records, key=lambda record: in_order(record.to_json()))


def in_order(row: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return the place of a record: the depths take turns in each split.

    Raises:
        ValueError: the record has no depth, or its id does not end with a number.
    """
    if not isinstance(row.get("depth"), int):
        raise ValueError("it has no depth")
    return SPLITS.index(row["split"]), int(row["id"].rpartition("-")[2]), row["depth"]


def write_fresh(
    *,
    statements: Annotated[Path, "Table of statements (jsonl, not compressed)."],
    out: Annotated[Path, "Fresh worded instances (jsonl)."],
    params: JustLogicRun,
) -> None:
    """Draw fresh worded instances of each depth for the probes that look for shortcuts.

    A run with another seed could have made them of the same statements. Uncertain queries are open, even where the
    run's own are not.
    """
    settings = params.benchmarks.justlogic
    count = FRESH[params.corpus_source] if settings.fresh is None else settings.fresh
    rows = fresh_records(statements, settings, params.seed + _OTHER_SEED, count)
    write_jsonl(out, (record.to_json() for record in track(rows, "fresh instances")))


def fresh_records(statements: Path, settings: JustLogicParameters, seed: int, count: int) -> Iterator[Record]:
    """Yield ``count`` worded instances of each depth, in whole threes, with ``uncertain_query: open``.

    Raises:
        DivLogicError: the file of statements is missing or malformed, or there are too few.
    """
    whole = {"train": 1.0, "validation": 0.0, "test": 0.0}
    drawn_with = JustLogicParameters.model_validate(
        settings.model_dump()
        | {"uncertain_query": "open", "polarity": "query", "per_depth": count, "splits": whole}
    )
    found = resources({"statements": statements})
    for index in range(groups(drawn_with, "embedded")):
        for record in realise(draw(drawn_with, seed, index), found, drawn_with, seed):
            yield replace(record, metadata={**record.metadata, "preset": "balanced"})

"""From a symbolic three to records: statements for its atoms, English for its propositions."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.justlogic import propositions
from divlogic.benchmarks.justlogic.draw import LABELS, SPLITS, Instance, Three, draw, groups
from divlogic.benchmarks.justlogic.parameters import FRESH, JustLogicParameters, JustLogicRun
from divlogic.benchmarks.justlogic.table import Row, Statements
from divlogic.draws import Draws
from divlogic.io.files import read_as, read_yaml, write_jsonl
from divlogic.io.log import track
from divlogic.records import Record, content_hash

EXPRESSIONS = ("statement", "negation", "conditional", "disjunction")
CONJUNCTIONS = ("both", "but", "neither")
"""What words a denied conditional or disjunction, by which of its two parts is denied: none, the second, both."""
ADMITS: dict[str, tuple[str, ...]] = {
    "": ("open", "closed", "pair", "any"),
    "-": ("closed", "pair"),
    "|": ("closed",),
    ".": (),
}
"""Phrases that each kind of slot admits, as templates.yaml explains."""

_SLOT = re.compile(r"\{([AB])([.|-]?)\}")
_INNER = str.maketrans("“”‘’", "‘’“”")
"""The marks of a quotation inside another one alternate."""


@dataclass(frozen=True, slots=True)
class ExpressionFrame:
    """One way of wording one expression.

    Attributes:
        pieces: the fixed text around the slots, one more than there are slots.
        order: for each slot in order of appearance, the index of its part.
        kinds: for each part, the kind of its slot.
    """

    id: str
    text: str
    pieces: tuple[str, ...]
    order: tuple[int, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArgumentTemplates:
    """All wordings.

    Attributes:
        queries: the same, without the frames that speak of what is known.
        phrases: (expression, kind of slot) -> frames of a proposition in such a slot; empty where none is admitted.
        admitted: expression -> the kinds of slots that admit a phrase for it.
    """

    premises: Mapping[str, tuple[ExpressionFrame, ...]]
    queries: Mapping[str, tuple[ExpressionFrame, ...]]
    phrases: Mapping[tuple[str, str], tuple[ExpressionFrame, ...]]
    admitted: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Wording:
    """Words the propositions of one instance; negates atoms at their verbs, where it can, with a probability."""

    _clauses: Sequence[Row]
    _templates: ArgumentTemplates
    _draws: Draws
    _verb_negation: float

    def premise(self, proposition: propositions.Proposition) -> str:
        """Word a premise as one sentence, with its capital and its full stop."""
        return self._sentence(proposition, self._templates.premises)

    def query(self, proposition: propositions.Proposition) -> str:
        """Word a query as one sentence."""
        return self._sentence(proposition, self._templates.queries)

    def _sentence(
        self, p: propositions.Proposition, frames: Mapping[str, Sequence[ExpressionFrame]]
    ) -> str:
        if type(p) is int and (clause := self._plain(p)) is not None:
            frame = self._draws.pick(frames["statement"])
            text = f"{frame.pieces[0]}{clause}{frame.pieces[1]}"
        else:
            expression, parts = expressed(p)
            text = self._fill(frames[expression], parts)
        return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")

    def _plain(self, literal: int) -> str | None:
        """Return the plain clause of a literal; ``None`` if it is to be negated by a phrase."""
        clauses = self._clauses[literal >> 1]
        if not literal & 1:
            return clauses.text
        return (
            clauses.negated if clauses.negated and self._draws.chance(self._verb_negation) else None
        )

    def _phrase(self, p: propositions.Proposition, kind: str) -> str:
        """Word a proposition in a slot."""
        if type(p) is int and (clause := self._plain(p)) is not None:
            return clause
        expression, parts = expressed(p)
        return self._fill(self._templates.phrases[expression, kind], parts)

    def _fill(
        self, frames: Sequence[ExpressionFrame], parts: Sequence[propositions.Proposition]
    ) -> str:
        for at, part in enumerate(parts):
            if type(part) is not int or part & 1:  # no asserted statement
                admitted = self._templates.admitted[expressed(part)[0]]
                frames = [one for one in frames if one.kinds[at] in admitted]
        frame = self._draws.pick(frames)
        text = frame.pieces[0]
        for at, piece in zip(frame.order, frame.pieces[1:], strict=True):
            phrase = self._phrase(parts[at], frame.kinds[at])
            # Within one quotation, or three, the marks are those of an inner one.
            opened = sum(text.count(mark) for mark in "“‘")
            closed = sum(text.count(mark) for mark in "”’")
            text += (phrase.translate(_INNER) if (opened - closed) % 2 else phrase) + piece
        return text


def expressed(p: propositions.Proposition) -> tuple[str, tuple[propositions.Proposition, ...]]:
    """Return the expression that words a compound or a denied atom, and its parts.

    To deny that A implies B is to say A but not B, to deny that either holds is to say neither: no reader has to ask
    how far a "not" reaches.
    """
    if type(p) is int:
        return "negation", (p ^ 1,)
    if p[0] != propositions.NOT:
        return "conditional" if p[0] == propositions.IF else "disjunction", p[1:]
    connective, first, second = p[1]
    asserted_first = first if connective == propositions.IF else propositions.negated(first)
    parts = (asserted_first, propositions.negated(second))
    if any(type(part) is not int for part in parts):
        return "both", parts
    asserted = tuple(part & ~1 for part in sorted(parts, key=lambda part: part & 1))
    return CONJUNCTIONS[sum(part & 1 for part in parts)], asserted


@functools.lru_cache(maxsize=1)
def load_templates() -> ArgumentTemplates:
    """Return the templates of this package."""
    values = read_yaml(Path(__file__).with_name("templates.yaml"))
    queries = {
        name: _frames(name, values[name]["sentences"]) for name in (*EXPRESSIONS, *CONJUNCTIONS)
    }
    only = {name: _frames(name, values[name].get("premises_only", {})) for name in queries}
    phrases = {}
    for kind, headings in ADMITS.items():
        for name in (*EXPRESSIONS[1:], *CONJUNCTIONS):
            texts = [text for own in headings for text in values[name]["phrases"].get(own, ())]
            phrases[name, kind] = _frames(name, dict(enumerate(texts)))
    admitted = {
        name: frozenset(kind for kind in ADMITS if phrases.get((name, kind))) for name in queries
    }
    premises = {name: queries[name] + only[name] for name in queries}
    return ArgumentTemplates(premises, queries, phrases, admitted)


def _frames(expression: str, texts: Mapping[Any, str]) -> tuple[ExpressionFrame, ...]:
    frames = []
    for name, text in texts.items():
        parts = _SLOT.split(text)
        kinds = dict(sorted(zip(parts[1::3], parts[2::3], strict=True)))
        order = tuple(map("AB".index, parts[1::3]))
        frames.append(
            ExpressionFrame(
                f"{expression}.{name}", text, tuple(parts[0::3]), order, tuple(kinds.values())
            )
        )
    return tuple(frames)


BENCHMARK = "justlogic_generated"
"""Not `justlogic`: that is the published data set, which stands next to this one in tables."""
OPTIONS = ("True", "False", "Uncertain")
"""As the reader of JustLogic's own files gives them."""
_WORDING_STREAM = 1
_OTHER_SEED = 1


def resources(inputs: Mapping[str, Path]) -> Statements:
    """Open the table of statements, ``inputs["statements"]``."""
    return Statements(inputs["statements"])


def realise(
    three: Three, resources: Statements, parameters: JustLogicParameters, seed: int
) -> list[Record]:
    """Word the instances of a three."""
    count = range(len(three.instances))
    return [_record(three, place, resources, parameters, seed) for place in count]


def draw_statements(
    instance: Instance,
    number: int,
    statements: Statements,
    draws: Draws,
    parameters: JustLogicParameters,
) -> list[Row]:
    """Draw a statement for every atom, of which no two have one subject, paraphrase or entail each other.

    The statements asked follow a fixed order of the table, in which the instance has its own place, so that each serves
    as often as any other. A partner of an asked atom gets the likest of a few.
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
    three: Three, place: int, statements: Statements, parameters: JustLogicParameters, seed: int
) -> Record:
    instance = three.instances[place]
    draws = Draws(seed, three.index, place, _WORDING_STREAM)
    # The order of the table begins elsewhere with each seed.
    number = seed % 1_000_003 + len(OPTIONS) * three.index + place
    rows = draw_statements(instance, number, statements, draws, parameters)
    wording = Wording(rows, load_templates(), draws, parameters.verb_negation)
    names = _names(instance)
    literals = [literal for name in names for literal in (name, f"¬{name}")]

    # A step concludes the argument's conclusion or a premise of another step.
    needed = 1 + sum(len(step.premises) - 1 for step in instance.steps)
    idle = len(instance.premises) - needed

    symbols = partial(propositions.notation, literals=literals)
    argument = [
        {
            "form": step.form,
            "premises": list(map(symbols, step.premises)),
            "conclusion": symbols(step.conclusion),
        }
        for step in instance.steps
    ]
    question = wording.query(instance.query)
    context = " ".join(map(wording.premise, instance.premises))
    name = f"{BENCHMARK}-{instance.split}-{three.depth}-{instance.number:05d}"
    return Record(
        id=f"{name}-{content_hash(seed, instance.split, context, question)}",
        benchmark=BENCHMARK,
        split=instance.split,
        question=question,
        context=context,
        options=OPTIONS,
        answer=LABELS.index(instance.label),
        depth=three.depth,
        forms=tuple(step.form for step in instance.steps),
        formulas={
            "premises": list(map(symbols, instance.premises)),
            "conclusion": symbols(instance.conclusion),
            "query": symbols(instance.query),
            "argument": argument,
        },
        sentences={
            name: {key: getattr(row, key) for key in ("text", "negated", "term", "source", "id")}
            for name, row in sorted(
                zip(names, rows, strict=True), key=lambda pair: (len(pair[0]), pair[0])
            )
        },
        metadata={
            "uncertain_query": parameters.uncertain_query,
            "three": three.index,
            **({"distractors": idle} if idle else {}),
        },
    )


def _names(instance: Instance) -> list[str]:
    """Name the atoms by their first occurrence, premises first, so that their names tell nothing."""
    atoms = map(propositions.atoms_of, (*instance.premises, instance.query))
    named = zip(
        dict.fromkeys(chain.from_iterable(atoms)),
        propositions.atom_names(instance.atoms),
        strict=True,
    )
    return [name for _, name in sorted(named)]


def worded(
    run: JustLogicRun, drawn: Path, shard: int, inputs: Mapping[str, Path], counts: dict[str, Any]
) -> Iterator[Record]:
    """Yield the records of the threes of one shard, in the order of the splits."""
    threes = read_as(drawn, Three.from_json, "a symbolic three")
    found, parameters = resources(inputs), run.benchmarks.justlogic
    # Instances of a three lie apart in their split, and a split is merged of shards in its order.
    records = [
        record for _, three in threes for record in realise(three, found, parameters, run.seed)
    ]
    yield from sorted(records, key=lambda record: in_order(record.to_json()))


def in_order(row: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return the place of a record: the depths take turns in each split."""
    return SPLITS.index(row["split"]), int(row["id"].split("-")[-2]), row["depth"]


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


def fresh_records(
    statements: Path, settings: JustLogicParameters, seed: int, count: int
) -> Iterator[Record]:
    """Yield ``count`` worded instances of each depth, in whole threes, with ``uncertain_query: open``."""
    whole = {"train": 1.0, "validation": 0.0, "test": 0.0}
    drawn_with = JustLogicParameters.model_validate(
        settings.model_dump()
        | {"uncertain_query": "open", "polarity": "query", "per_depth": count, "splits": whole}
    )
    found = resources({"statements": statements})
    for index in range(groups(drawn_with, "embedded")):
        for record in realise(draw(drawn_with, seed, index), found, drawn_with, seed):
            yield replace(record, metadata={**record.metadata, "preset": "balanced"})

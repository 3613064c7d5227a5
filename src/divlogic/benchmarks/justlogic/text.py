"""From a symbolic instance to the record: statements for its atoms, English for its propositions."""

from __future__ import annotations

from typing import Any

from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import Proposition, atom_names, atoms_of, notation
from divlogic.benchmarks.justlogic.symbolic import SymbolicInstance
from divlogic.benchmarks.justlogic.table import Row, Statements
from divlogic.benchmarks.justlogic.wording import Clauses, Templates, Wording
from divlogic.draws import Draws
from divlogic.records import Record

BENCHMARK = "justlogic_generated"
"""Not `justlogic`: that is the published data set, which stands beside this one in tables."""
OPTIONS = ("True", "False", "Uncertain")
"""As the reader of JustLogic's own files gives them."""


def write_record(
    instance: SymbolicInstance,
    statements: Statements,
    templates: Templates,
    draws: Draws,
    parameters: JustLogicParameters,
) -> Record:
    """Word an instance.

    Args:
        instance: the symbolic instance.
        statements: where its statements are drawn from; each serves one atom at most.
        templates: the frames.
        draws: the instance's stream.
        parameters: negation at the verb, allowed overlap.
    """
    rows = draw_statements(instance, statements, draws, parameters)
    wording = Wording(
        [Clauses(row.text, row.negated) for row in rows], templates, draws, parameters.verb_negation
    )
    query = wording.query(instance.query)
    context = " ".join(map(wording.premise, instance.premises))
    names = _names(instance)
    literals = [literal for name in names for literal in (name, f"¬{name}")]

    def symbols(p: Proposition) -> str:
        return notation(p, literals)

    formulas: dict[str, Any] = {
        "premises": [symbols(premise) for premise in instance.premises],
        "conclusion": symbols(instance.conclusion),
        "query": symbols(instance.query),
        "argument": [
            {
                "form": form,
                "premises": [symbols(premise) for premise in premises],
                "conclusion": symbols(conclusion),
            }
            for form, premises, conclusion in instance.steps
        ],
    }
    place = instance.place
    return Record(
        id=f"{BENCHMARK}-{place.split}-{place.depth}-{place.number:05d}",
        benchmark=BENCHMARK,
        split=place.split,
        context=context,
        question=query,
        options=OPTIONS,
        answer=("true", "false", "uncertain").index(instance.label),
        depth=place.depth,
        forms=tuple(form for form, _, _ in instance.steps),
        formulas=formulas,
        sentences={
            names[atom]: {
                "text": row.text,
                "negated": row.negated,
                "term": row.term,
                "source": row.source,
                "id": row.id,
            }
            for atom, row in sorted(enumerate(rows), key=lambda pair: (len(names[pair[0]]), names[pair[0]]))
        },
        metadata={"uncertain_query": parameters.uncertain_query},
    )


def draw_statements(
    instance: SymbolicInstance, statements: Statements, draws: Draws, parameters: JustLogicParameters
) -> list[Row]:
    """Draw a statement for every atom: no text twice, and the query's terms in no other statement.

    Each atom of the query gets one of *two* statements on a term whatever the label; the other one words the
    conclusion of an uncertain instance, and is not used otherwise. So the queries of all labels are drawn alike.
    """
    texts: set[str] = set()
    terms: set[str] = set()
    rows: dict[int, Row] = {}

    def taken(row: Row) -> bool:
        return row.text in texts or row.term in terms

    for asked, concluded in instance.pairs:
        first, second = statements.draw_pair(draws, taken, parameters.statements.max_overlap)
        rows[asked] = first
        rows.setdefault(concluded, second)
        texts.update((first.text, second.text))
        terms.add(first.term)
    for atom in range(instance.atoms):
        if atom not in rows:
            rows[atom] = statements.draw(draws, taken)
            texts.add(rows[atom].text)
    return [rows[atom] for atom in range(instance.atoms)]


def _names(instance: SymbolicInstance) -> list[str]:
    """Name the atoms by their first occurrence, premises first, so that their names tell nothing."""
    order: dict[int, None] = {}
    for proposition in (*instance.premises, instance.query):
        order |= dict.fromkeys(atoms_of(proposition))
    names = [""] * instance.atoms
    for atom, name in zip(order, atom_names(instance.atoms), strict=True):
        names[atom] = name
    return names

"""The audit of rubrics: atoms that the gold itself fails. It needs no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.llmeval_logic.notation import print_formula
from divlogic.benchmarks.llmeval_logic.rubric import (
    PREFIX,
    Check,
    Named,
    Rubric,
    RubricAtom,
    align_check,
    same_targets,
    standings,
)
from divlogic.benchmarks.llmeval_logic.schema import Item
from divlogic.benchmarks.llmeval_logic.verify import read_any
from divlogic.errors import DivLogicError
from divlogic.io.files import write_csv, write_json
from divlogic.io.log import say
from divlogic.logic.deciding import open_premises
from divlogic.logic.theory import Formalization, target_name, vocabulary

COLUMNS = ("item", "atom", "group", "mode", "standing", "symbol")


def audit_rubrics(source: Path, out: Path, processes: int = 1) -> dict[str, Any]:
    """Write what the gold says of every rubric atom, one row per atom, and the counts as JSON.

    Args:
        source: a folder of published layout, or a jsonl file of own items, whose rubrics are their premises.
        out: the table (csv); the counts go into the same name with the suffix ``.json``.
        processes: of no use, as one suffices.

    Raises:
        DivLogicError: no item has a rubric.
    """
    items, problems = read_any(source)
    for problem in problems:
        say(f"left out: {problem}")
    rows = [row for item in items for row in audit(item)]
    if not rows:
        raise DivLogicError(f"{source}: no item has a rubric; give the folder that holds base/rubrics.")
    write_csv(out, COLUMNS, [[row[name] for name in COLUMNS] for row in rows])
    counts = audit_counts(rows)
    write_json(out.with_suffix(".json"), counts)
    say(
        f"{source}: {counts['atoms']:,} atoms, {counts['checked']:,} of them on premises with a check:"
        f" {counts['entailed']:,} follow from the gold, {counts['not_entailed']:,} do not,"
        f" {counts['unaligned']:,} name a symbol without counterpart."
    )
    return counts


def audit(item: Item) -> Iterable[dict[str, str]]:
    """Yield what an item's gold says of each atom of its rubric."""
    rubric = item.rubric or rubric_of(item)
    found = standings(rubric, item.formalization)
    for atom in rubric.atoms:
        standing, problem = found.get(atom.id) or query_standing(atom, item.formalization)
        yield {
            "item": item.id,
            "atom": atom.id,
            "group": atom.group,
            "mode": atom.z3_check.mode if atom.z3_check else "",
            "standing": standing,
            # The key alone: the gloss is the authors' text.
            "symbol": problem.split(":")[0] if standing == "unaligned" else "",
        }


def audit_counts(rows: Sequence[dict[str, str]]) -> dict[str, Any]:
    """Return the counts of an audit: by group, and the standings of the atoms on premises that carry a check."""
    premises = [row for row in rows if row["group"] != "query_alignment"]
    standing = Counter(row["standing"] for row in premises)
    return {
        "items": len({row["item"] for row in rows}),
        "atoms": len(rows),
        "groups": dict(sorted(Counter(row["group"] for row in rows).items())),
        "with_check": sum(row["mode"] != "" for row in rows),
        "checked": len(premises) - standing["no_check"],
        **{
            name: standing[name]
            for name in ("entailed", "not_entailed", "unaligned", "unreadable", "undecided")
        },
        "query_checks": sum(row["group"] == "query_alignment" and row["mode"] != "" for row in rows),
        "query_matches": sum(row["standing"] == "matches" for row in rows),
    }


def query_standing(atom: RubricAtom, theory: Formalization) -> tuple[str, str]:
    """Return whether a query check fits one of a formalization's queries: ``matches`` or ``differs``."""
    if atom.z3_check is None:
        return "no_check", ""
    aligned = align_check(atom.z3_check, theory)
    if not aligned.sentences:
        return aligned.standing, aligned.problem
    premises = open_premises(theory.axioms(), [*theory.sentences(), *aligned.sentences])
    kind = atom.z3_check.query_type
    asked = [query for query in theory.queries if query.type == kind]
    if kind == "enumerate_models":  # the published files call a query about objects so too
        asked += [query for query in theory.queries if query.type == "enumerate_objects"]
    # Several targets of a verdict are several queries of one type.
    singles = [query for query in asked if query.formula is not None and not query.variable]
    matches = any(same_targets(query, aligned.sentences, premises) for query in asked) or (
        bool(singles)
        and all(
            any(same_targets(query, (sentence,), premises) for query in singles)
            for sentence in aligned.sentences
        )
    )
    return ("matches" if matches else "differs"), ""


def rubric_of(item: Item) -> Rubric:
    """Return the rubric of an own item: one atom per premise, and one for its queries."""
    counts: Counter[str] = Counter()
    atoms = []
    for premise in item.formalization.premises:
        if premise.role == "distractor":
            continue
        group = "logical_relation" if premise.role == "rule" else "stated_constraint"
        counts[group] += 1
        names = _named(item.formalization, [premise.formula])
        check = Check("entails", names, print_formula(premise.formula))
        name = f"{PREFIX[group]}{counts[group]}"  # type: ignore[index]
        text = premise.text.zh or premise.text.en or print_formula(premise.formula)
        atoms.append(RubricAtom(name, group, f"应表示：{text}", f"premise {premise.id}", check))  # type: ignore[arg-type]
    kinds = list(dict.fromkeys(query.type for query in item.formalization.queries))
    query = item.formalization.queries[0]
    sentences = list(query.targets) if query.formula is None else [query.formula]
    asked: Check | None = None
    if len(item.formalization.queries) == 1:
        targets = tuple(map(target_name, query.targets)) or tuple(map(print_formula, sentences))
        names = _named(item.formalization, sentences)
        asked = Check("query_equiv", names, query_type=query.type, target=targets)
    reason = "" if asked else "z3_check omitted: several queries"
    atoms.append(RubricAtom("QA1", "query_alignment", f"查询类型：{'、'.join(kinds)}", reason, asked))
    return Rubric(item.id, tuple(atoms))


def _named(theory: Formalization, sentences: Sequence[Any]) -> tuple[Named, ...]:
    used = vocabulary(sentences)
    names = [*used.propositions, *(name for name, _ in used.predicates), *used.constants]
    declared = {symbol.name: symbol.gloss.zh or symbol.gloss.en for symbol in theory.symbols}
    return tuple(Named(name, declared[name]) for name in names if name in declared)

"""LogicNLI's theories: the file in English and, where it is there, the symbolic one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.columns import label, strings
from divlogic.benchmarks.logicnli.theories import LABELS
from divlogic.benchmarks.source import OnProblem, SourceFile, report, rows
from divlogic.records import Record


def logicnli_rows(file: SourceFile, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    """Yield (key, {language, logic}) of a `*_language.json` and, where there is one, its `*_logic.json`."""
    partner = file.sibling(file.name.replace("_language", "_logic"))
    symbolic = rows(partner) if partner.exists() else None
    for key, language in rows(file):
        logic = None
        if symbolic is not None:
            other, logic = next(symbolic, (None, None))
            if other != key:
                report(file, key, f"has no partner in {partner.name} (there: {other})", on_problem)
                return
        yield key, {"language": language, "logic": logic}


def logicnli(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a LogicNLI theory: one record per statement; `formulas` holds the theory's symbolic form."""
    language, logic = item["language"], item["logic"]
    statements, labels = (
        strings(language["statements"], "statements"),
        strings(language["labels"], "labels"),
    )
    if len(statements) != len(labels):
        raise ValueError(f"has {len(statements)} statements but {len(labels)} labels")
    context = " ".join(strings(language["facts"], "facts") + strings(language["rules"], "rules"))
    people = (
        sorted({claim[0] for claim in logic["statements"].values()}) if logic is not None else []
    )
    for number, (statement, verdict) in enumerate(zip(statements, labels, strict=True)):
        formulas = None
        if logic is not None:
            formulas = {
                "facts": [fact[:3] for fact in logic["facts"].values()],
                "rules": list(logic["rules"].values()),
                "statement": logic["statements"][str(number)][:3],
                "proofs": logic["statements"][str(number)][3],
                "people": people,
            }
        yield Record(
            id=f"{file.split}-{row}-{number}",
            benchmark="logicnli",
            split=file.split,
            context=context,
            question=statement,
            options=LABELS,
            answer=label(verdict, LABELS),
            formulas=formulas,
            metadata={"theory": f"{file.split}-{row}"},
        )

"""From a symbolic instance and its sentence groups to the record: text, formulas, provenance."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from divlogic.benchmarks.divlogiceval.draw import SymbolicInstance
from divlogic.benchmarks.divlogiceval.groups import GroupSentence, SentenceGroup
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import (
    VARIABLE_NAMES,
    formula,
    notation,
    write_out,
)
from divlogic.benchmarks.divlogiceval.wording import (
    CONTRADICTION,
    ChosenWording,
    choose_wording,
    lexical_steps,
)
from divlogic.benchmarks.templates import Frame, load_templates
from divlogic.draws import Draws
from divlogic.records import Record

# With fewer words vague sentences become more frequent than where no sentence is chosen; with more, texts get longer.
_WORDS_FOR_VAGUE = 5
_VAGUE = re.compile(r"\b(?:some|any|no)(?:thing|one|body|where)\b", re.IGNORECASE)

CONTRADICT = "contradict"
"""Formula of an option that is worded by an NLI contradiction, as in the paper's Figure 1."""

Contradicted = tuple[int, GroupSentence]
"""A variable, and the sentence that contradicts it."""

_QUESTION_STREAM = 5
_WORDING_STREAM = 1  # keeps the draws of the wording apart from those of the instance


def realise(
    instance: SymbolicInstance,
    groups: Sequence[SentenceGroup],
    settings: DivLogicEvalParameters,
    seed: int,
    place: int,
    *,
    id: str,
    split: str,
) -> tuple[Record, ChosenWording]:
    """Word an instance by its sentence groups, one for each of its variables in their order."""
    received = dict(zip(instance.variables, groups, strict=True))
    draws = Draws(seed, place, _WORDING_STREAM)
    sizes = {variable: len(group.clauses) for variable, group in received.items()}
    contradicted = frozenset(variable for variable, group in received.items() if group.contradicted)
    wording = choose_wording(
        instance,
        sizes,
        contradicted=contradicted,
        draws=draws,
        parameters=settings,
        plainest={variable: _plainest(group) for variable, group in received.items()},
    )
    templates = load_templates(denying=settings.preset == "as_published")
    # The members of a quartet ask alike, so that the wording of the question cannot go with an answer.
    asked = draws if instance.quartet is None else Draws(_QUESTION_STREAM, instance.quartet)
    used = _contradicting_clause(wording, received, draws)
    sentences: list[str] = []
    count = len(instance.premises)
    of_twins: dict[tuple[int, ...], Frame] = {}
    for number, (statement, row) in enumerate(
        zip(wording.statements, wording.choices, strict=True)
    ):
        chosen = zip(statement[1:], row, strict=True)
        clauses = [
            _clause(received[literal >> 1], literal, choice, used) for literal, choice in chosen
        ]
        shape = formula(statement)
        # Premises may speak of every case ("whenever ..."): what such a statement entails of the case at hand is what
        # its formula entails. In the paper options and conclusions may too, though they follow from the case at hand.
        universal = settings.preset == "as_published" or number < count
        if instance.conclusion is not None and number == count:
            choice, introducer = draws.uniform(), draws.uniform()
            sentences.append(
                templates.conclude(shape, clauses, choice, introducer, universal=universal)
            )
            continue
        # Two premises about the same are worded unlike each other.
        about = (statement[0], *[literal >> 1 for literal in statement[1:]])
        twin = of_twins.get(about) if number < count else None
        frame = templates.frame(shape, clauses, draws.uniform(), universal=universal, unlike=twin)
        of_twins[about] = frame
        sentences.append(frame.sentence(clauses))
    record = Record(
        id=id,
        benchmark="divlogiceval",
        split=split,
        context=" ".join(sentences[:-4]),
        question=templates.question(instance.question_type, asked.uniform()),
        options=tuple(sentences[-4:]),
        answer=instance.answer,
        question_type=instance.question_type,
        formulas=_formulas(instance, wording),
        sentences=_sentences(instance, received, used),
        metadata={
            "verification": settings.verification,
            "premises_needed": instance.depth,
            **_lexical_steps(instance, wording, settings),
            **instance.membership,
            "worded": _worded(instance, wording),
        },
    )
    return record, wording


def _lexical_steps(
    instance: SymbolicInstance, wording: ChosenWording, settings: DivLogicEvalParameters
) -> dict[str, int]:
    """Return on how many steps between sentences the key rests, where sentences are verified and drawn in quartets."""
    if instance.quartet is None or settings.verification != "nli":
        return {}
    return {"lexical_steps": lexical_steps(instance, wording)}


_OF_TWINS = ("premises_needed", "quartet", "construction")


def symbolic_twin(record: Record) -> Record:
    """Return the same instance in symbols (s-DivLogicEval, Table 6; s-ILogicEval, its Table 4).

    An option that is worded by a contradiction appears as the formula that was drawn for its place. What the
    contradiction amounts to, a literal negated, has a negation more than the other options, which would give it away.
    """
    formulas = dict(record.formulas or {})
    options = formulas.pop("drawn_options")
    formulas |= {"options": options, "symbolic_options": options}
    return replace(
        record,
        id=f"s-{record.id}",
        benchmark=f"s-{record.benchmark}",
        context=symbolic_context(formulas["premises"], formulas["conclusion"]),
        options=tuple(options),
        formulas=formulas,
        sentences=None,
        metadata={key: part for key, part in record.metadata.items() if key in _OF_TWINS},
    )


def symbolic_context(premises: Sequence[str], conclusion: str | None) -> str:
    """Return the passage of an instance in symbols."""
    return ", ".join(premises) + (f" ⊨ {conclusion}" if conclusion else "")


def _plainest(group: SentenceGroup) -> int:
    """Return the place of the shortest sentence of a group; *something* or *anyone* counts as five words more."""

    def cost(place: int) -> int:
        text = group.clauses[place].text
        return len(text.split()) + (_WORDS_FOR_VAGUE if _VAGUE.search(text) else 0)

    return min(range(len(group.clauses)), key=cost)


def _contradicting_clause(
    wording: ChosenWording, groups: Mapping[int, SentenceGroup], draws: Draws
) -> Contradicted | None:
    """Draw the sentence of the contradiction in use, with its variable."""
    if wording.contradiction is None:
        return None
    variable = wording.contradiction.proposition[wording.contradiction.slot + 1] >> 1
    return variable, draws.pick(groups[variable].contradicted)


def _clause(
    group: SentenceGroup, literal: int, choice: int, contradicted: Contradicted | None
) -> str:
    if choice == CONTRADICTION:
        assert contradicted is not None
        return contradicted[1].text
    clause = group.clauses[choice]
    return clause.negated if literal & 1 else clause.text


def _formulas(instance: SymbolicInstance, wording: ChosenWording) -> dict[str, Any]:
    """Return the symbolic form in the papers' notation."""
    drawn = [notation(option) for option in instance.options]
    options, symbolic = list(drawn), list(drawn)
    if wording.contradiction is not None:
        options[wording.contradiction.option] = CONTRADICT
        symbolic[wording.contradiction.option] = notation(wording.contradiction.symbolic)
    missing = instance.question_type == "missing_premise"
    return {
        "premises": [notation(premise) for premise in instance.premises],
        "options": options,
        "conclusion": notation(instance.conclusion) if instance.conclusion else None,
        "necessary": notation(instance.options[instance.answer]) if missing else None,
        "symbolic_options": symbolic,
        "drawn_options": drawn,
    }


def _worded(instance: SymbolicInstance, wording: ChosenWording) -> dict[str, Any]:
    """Return the formulas over sentences: ``A0`` is the premise of A, ``A1`` ... its hypotheses, ``Ac`` contradicts it.

    ``axioms`` are the relations between the sentences in use, as the NLI corpus labels them.
    """
    used: dict[tuple[int, int], None] = {}
    texts: list[str] = []
    for statement, row in zip(wording.statements, wording.choices, strict=True):
        parts: list[str] = []
        for literal, choice in zip(statement[1:], row, strict=True):
            used[literal >> 1, choice] = None
            parts.append("¬" * (literal & 1) + _atom(literal >> 1, choice))
        texts.append(write_out(statement[0], parts))
    count = len(instance.premises)
    return {
        "axioms": [axiom for key in sorted(used) if (axiom := _axiom(key, used))],
        "premises": texts[:count],
        "conclusion": texts[count] if instance.conclusion else None,
        "options": texts[-4:],
    }


def _atom(variable: int, choice: int) -> str:
    return VARIABLE_NAMES[variable] + ("c" if choice == CONTRADICTION else str(choice))


def _axiom(key: tuple[int, int], used: Mapping[tuple[int, int], None]) -> str | None:
    """State how a sentence relates to the premise of its variable, if that is in use too."""
    variable, choice = key
    if choice == 0 or (variable, 0) not in used:
        return None
    premise, other = _atom(variable, 0), _atom(variable, choice)
    return f"¬({premise}∧{other})" if choice == CONTRADICTION else f"({premise}→{other})"


def _sentences(
    instance: SymbolicInstance,
    groups: Mapping[int, SentenceGroup],
    contradicted: Contradicted | None,
) -> dict[str, Any]:
    """Return what each variable stands for and where its sentences come from."""
    result: dict[str, Any] = {}
    for variable in instance.variables:
        group = groups[variable]
        hypotheses = [clause.text for clause in group.entailed]
        entry: dict[str, Any] = {"premise": group.premise.text, "hypotheses": hypotheses}
        if contradicted is not None and contradicted[0] == variable:
            entry["contradiction"] = contradicted[1].text
        entry |= {"corpus": group.corpus, "source": group.source, "group": group.id}
        result[VARIABLE_NAMES[variable]] = entry
    return result

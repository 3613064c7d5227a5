"""JustLogic's own csv files: their records, and labels from the symbolic argument and the wording of the question."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from divlogic.benchmarks.columns import label
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.verdict import Verdict, judged
from divlogic.logic import Binary, Formula, Implies, Not, Or, Var, variables
from divlogic.logic.smt import z3_entails, z3_satisfiable
from divlogic.records import Record

LABELS = ("True", "False", "Uncertain")

# How the benchmark words a negation, without punctuation.
_DENIALS = re.compile(
    r"\b(?:(?:is|considered) (?:false|untrue|incorrect)|has no merit|are wrong|(?:common )?misconception|mistakenly"
    r"|does not (?:hold|reflect reality|correspond with reality)|it is not (?:true|the case))\b"
)
_DISJUNCTION = re.compile(r"\b(?:either|at least one of two things)\b")
_CONDITIONAL = re.compile(
    r"\b(?:if|provided that|should it be|whenever|given that|on the condition|when|assuming|so long as|once we know)\b"
)


def justlogic(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a JustLogic row; TRUE / True are folded, `arg` is the argument in symbols."""
    sentences = ast.literal_eval(item["statements"])
    if not isinstance(sentences, dict):
        raise ValueError("the field 'statements' is not a mapping from numbers to sentences")
    argument = item["arg"]
    forms = re.findall(r"^\s*([A-Z][A-Za-z ]+):\s*$", argument, re.MULTILINE)
    yield Record(
        id=item["id"],
        benchmark="justlogic",
        split=file.split,
        context=item["paragraph"],
        question=item["question"],
        options=LABELS,
        answer=label(item["label"], LABELS),
        depth=int(item["depth"]),
        forms=tuple(forms),
        formulas={"argument": argument},
        sentences={str(number): sentence for number, sentence in sentences.items()},
        metadata={"conclusion": item["conclusion"]},
    )


@dataclass(frozen=True, slots=True)
class ReadStep:
    """One inference: the form's name, what it uses, which of that is derived elsewhere, what it concludes."""

    form: str
    premises: tuple[Formula, ...]
    derived: tuple[bool, ...]
    conclusion: Formula


def parse_argument(text: str) -> list[ReadStep]:
    """Read JustLogic's `arg`: blocks of premises and a conclusion; sentence n is the variable ``sn``.

    A line that is not in the notation is a ValueError.
    """
    steps = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        if lines and re.fullmatch(r"\[SC\d+-\d+\]", lines[0]):
            lines = lines[1:]
        if len(lines) < 3 or not lines[0].endswith(":") or not lines[-1].startswith("Therefore, "):
            raise ValueError(
                f"the argument has a block without form, premises and conclusion: {block[:60]!r}"
            )
        premises = [re.subn(r"\s*\[SC\d+-\d+\]$", "", line) for line in lines[1:-1]]
        steps.append(
            ReadStep(
                lines[0].rstrip(":").strip(),
                tuple(_formula(line) for line, _ in premises),
                tuple(bool(marked) for _, marked in premises),
                _formula(lines[-1].removeprefix("Therefore, ")),
            )
        )
    return steps


def audit_justlogic(record: Record) -> Verdict | None:
    """Check the argument and derive the label of the question; ``None`` without a symbolic argument."""
    if not record.formulas or "argument" not in record.formulas:
        return None
    try:
        steps = parse_argument(record.formulas["argument"])
    except ValueError as error:
        return judged(record, None, "not parsed", str(error))
    if fault := _fault(steps):
        return judged(record, None, *fault)
    marked = [pair for step in steps for pair in zip(step.premises, step.derived, strict=True)]
    leaves = [premise for premise, derived in marked if not derived]
    if not z3_satisfiable(leaves):
        reason = "the premises contradict each other, so that every statement follows from them"
        return judged(record, None, "contradictory premises", reason)
    derived, why = _label(record, steps[0].conclusion, leaves)
    return judged(record, derived, "label", why)


def _fault(steps: list[ReadStep]) -> tuple[str, str] | None:
    """Name the first invalid step or the first premise that no step derives."""
    conclusions = [step.conclusion for step in steps]
    for step in steps:
        if not z3_entails(step.premises, step.conclusion):
            return "invalid step", f"the step '{step.form}' does not follow from its premises"
        for premise, derived in zip(step.premises, step.derived, strict=True):
            if derived and premise not in conclusions:
                return "missing step", f"the step '{step.form}' uses a premise that no step derives"
    return None


def _label(record: Record, conclusion: Formula, leaves: list[Formula]) -> tuple[str, str]:
    """Return the label that the wording of the question earns, and why."""
    rest, found = _without_sentences(record.question, record.sentences or {})
    denials = len(_DENIALS.findall(rest))
    if set(found) == set(variables(conclusion)):
        stated = _negations(conclusion)
        if (denials - stated) % 2 == 0:
            return "True", "the question words the conclusion, which the premises entail"
        return (
            "False",
            "the question words the opposite of the conclusion, which the premises entail",
        )
    known = _known_part(rest, found, leaves)
    if known is None:
        return "Uncertain", "the question is about a sentence of which the premises say nothing"
    truth = "True" if denials % 2 == 0 else "False"
    return truth, f"one part of the question, {known}, already decides it without the other part"


def _known_part(rest: str, found: list[str], leaves: list[Formula]) -> str | None:
    """Find a sentence of the question that settles it: a true disjunct, a true consequent, a false antecedent."""
    if len(found) != 1:
        return None
    name = Var(found[0])
    position = rest.index(found[0])
    if _DISJUNCTION.search(rest):
        return f"sentence {found[0][1:]} (a disjunct)" if z3_entails(leaves, name) else None
    if _CONDITIONAL.search(rest):
        unknown_first = len(rest[:position].split()) > 6
        if unknown_first and z3_entails(leaves, name):
            return f"sentence {found[0][1:]} (the consequent)"
        if not unknown_first and z3_entails(leaves, Not(name)):
            return f"sentence {found[0][1:]} (the antecedent, false)"
    return None


def _without_sentences(question: str, sentences: dict[str, str]) -> tuple[str, list[str]]:
    """Replace every sentence of the argument in the question by its variable; return the rest and the variables."""
    rest = _plain(question)
    found = []
    for number, sentence in sorted(sentences.items(), key=lambda item: (-len(item[1]), item[0])):
        plain = _plain(sentence)
        if plain and re.search(rf"\b{re.escape(plain)}\b", rest):
            rest = re.sub(rf"\b{re.escape(plain)}\b", f"s{number}", rest)
            found.append(f"s{number}")
    return rest, found


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _negations(formula: Formula) -> int:
    match formula:
        case Not(operand):
            return 1 + _negations(operand)
        case Binary("→" | "∨", left, right):
            return _negations(left) + _negations(right)
        case _:
            return 0


def _formula(text: str) -> Formula:
    formula, rest = _read(text.strip())
    if rest.strip(" ."):
        raise ValueError(f"unexpected {rest.strip()[:20]!r} after a formula")
    return formula


def _read(text: str) -> tuple[Formula, str]:
    """Read one formula from the front of ``text``; return it and what is left, without its full stop."""
    text = text.lstrip()
    sentence = re.match(r"\[(\d+)\]", text)
    if sentence:
        return Var(f"s{sentence[1]}"), text[sentence.end() :].removeprefix(".")
    if text.startswith("("):
        inner, rest = _read(text[1:])
        return inner, _after(rest, ")").removeprefix(".")
    if text.startswith("Not "):
        inner, rest = _read(text[4:])
        return Not(inner), rest.removeprefix(".")
    for start, middle, build in (("If ", ", then ", Implies), ("Either ", " or ", Or)):
        if text.startswith(start):
            left, rest = _read(text[len(start) :])
            right, rest = _read(_after(rest, middle))
            return build(left, right), rest.removeprefix(".")
    raise ValueError(f"{text[:30]!r} is not a formula")


def _after(text: str, expected: str) -> str:
    stripped = text.lstrip() if not expected.startswith(" ") else text
    if not stripped.startswith(expected):
        raise ValueError(f"found {text[:20]!r} where {expected.strip()!r} belongs")
    return stripped[len(expected) :]

"""An independent reading of LogicNLI's records: it imports nothing of the generator, nor of the package's logic.

Everything is derived from the rows of a set alone, by other means than the generator's and the verifier's: repeated
passes instead of premise counters and of a solver.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

Row = Mapping[str, Any]
Signed = tuple[str, str, str]

LABEL = {
    (True, False): "entailment",
    (False, True): "contradiction",
    (False, False): "neutral",
    (True, True): "self_contradiction",
}
_WORD = re.compile(r"[A-Za-z-]+")


def chain(
    facts: Iterable[Signed], rules: Sequence[Row], people: Sequence[str]
) -> dict[Signed, int]:
    """Return the first round of every literal that synchronous passes reach."""
    rounds = dict.fromkeys(facts, 0)
    for now in count(1):
        known = set(rounds)
        for rule in rules:
            for premise, conclusion in directions(rule):
                for literal in fired(premise, conclusion, known, people):
                    rounds.setdefault(literal, now)
        if len(rounds) == len(known):
            break
    return rounds


def directions(rule: Row) -> list[tuple[Row, Row]]:
    """Return the sides of a rule as it runs."""
    both = [(rule["p"], rule["q"])]
    return [*both, (rule["q"], rule["p"])] if rule["type"] == "equ" else both


def fired(premise: Row, conclusion: Row, known: set[Signed], people: Sequence[str]) -> set[Signed]:
    """Return what a rule concludes from what is known."""
    join = any if premise["conj"] == "or" else all

    def at(literal: Sequence[str], person: str) -> Signed:
        return (person if literal[0] in ("all", "exist") else literal[0], literal[1], literal[2])

    if conclusion["fact"][0][0] == "all":
        return {
            at(head, person)
            for person in people
            if join(at(literal, person) in known for literal in premise["fact"])
            for head in conclusion["fact"]
        }
    subject = premise["fact"][0][0]
    if subject == "all":
        holds = join(
            all(at(literal, person) in known for person in people) for literal in premise["fact"]
        )
    elif subject == "exist":
        holds = any(
            join(at(literal, person) in known for literal in premise["fact"]) for person in people
        )
    else:
        holds = join(at(literal, "") in known for literal in premise["fact"])
    return {at(head, "") for head in conclusion["fact"]} if holds else set()


def literals_of(rule: Row) -> list[Sequence[str]]:
    """Return the literals of both sides of a rule."""
    return [*rule["p"]["fact"], *rule["q"]["fact"]]


def opposite(literal: Sequence[str]) -> Signed:
    """Return the literal with the other sign."""
    return (literal[0], literal[1], "-" if literal[2] == "+" else "+")


def label_of(row: Row) -> str:
    """Return the label that a row claims."""
    return str(row["options"][row["answer"]])


def problems(row: Row, *, most_rounds: int | None = None) -> Iterator[str]:
    """Yield what is wrong with one row."""
    formulas = row["formulas"]
    facts = [tuple(fact) for fact in formulas["facts"]]
    rounds = chain(facts, formulas["rules"], formulas["people"])
    statement = tuple(formulas["statement"])
    sides = [rounds.get(statement), rounds.get(opposite(statement))]
    label = LABEL[sides[0] is not None, sides[1] is not None]
    if label != label_of(row):
        yield f"label {label_of(row)}, not {label}"
    reached = [side for side in sides if side is not None]
    if reached and row.get("depth") != max(reached):
        yield f"depth {row.get('depth')}, not {max(reached)}"
    if most_rounds is not None and max(rounds.values()) > most_rounds:
        yield f"{max(rounds.values())} rounds"
    if "proof" in formulas:
        yield from _proof_problems(formulas, rounds)
    if row.get("sentences"):
        yield from _text_problems(row)


def _proof_problems(formulas: Row, rounds: Mapping[Signed, int]) -> Iterator[str]:
    statement = tuple(formulas["statement"])
    for side, goal in (("statement", statement), ("opposite", opposite(statement))):
        steps = formulas["proof"][side]
        if (steps is None) != (goal not in rounds):
            yield f"the {side} has {'no' if steps is None else 'a'} proof"
        if not steps:
            continue
        if tuple(steps[-1]["literal"]) != goal:
            yield f"the proof of the {side} ends elsewhere"
        for number, step in enumerate(steps):
            literal = tuple(step["literal"])
            if step["round"] != rounds.get(literal):
                yield f"step {number} of the {side}: round {step['round']}"
            if "fact" in step:
                if tuple(formulas["facts"][step["fact"]]) != literal:
                    yield f"step {number} of the {side}: no such fact"
                continue
            given = {tuple(steps[place]["literal"]) for place in step["premises"] if place < number}
            rule = formulas["rules"][step["rule"]]
            if not any(
                literal in fired(p, q, given, formulas["people"]) for p, q in directions(rule)
            ):
                yield f"step {number} of the {side}: no instance of its rule"
            if any(
                literal in fired(p, q, given - {one}, formulas["people"])
                for p, q in directions(rule)
                for one in given
            ):
                yield f"step {number} of the {side}: a premise too many"


def _text_problems(row: Row) -> Iterator[str]:
    formulas, sentences = row["formulas"], list(row["sentences"].values())
    if " ".join(sentence["text"] for sentence in sentences) != row["context"]:
        yield "the context is not its sentences"
    stated: list[tuple[str, Sequence[Sequence[str]]]] = [(row["question"], [formulas["statement"]])]
    for sentence in sentences:
        if "fact" in sentence:
            stated.append((sentence["text"], [formulas["facts"][sentence["fact"]]]))
        elif "rule" in sentence:
            stated.append((sentence["text"], literals_of(formulas["rules"][sentence["rule"]])))
    if len(stated) - 1 != len(formulas["facts"]) + len(formulas["rules"]):
        yield "a formula has no sentence"
    for text, literals in stated:
        words = Counter(_WORD.findall(text))
        for name, adjective, _ in literals:
            if not words[adjective] or (name not in ("all", "exist") and not words[name]):
                yield f"{text!r} lacks the words of {name} {adjective}"
        denials = sum(words[word] for word in ("not", "Not", "nobody"))
        if denials != sum(sign == "-" for *_, sign in literals):
            yield f"{text!r} has {denials} times 'not' or 'nobody'"


def quartet_problems(rows: Sequence[Row], labels: int = 4) -> Iterator[str]:
    """Yield what is wrong with quartets: a label missing, other words, other rules, uneven labels per depth."""
    quartets: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        quartets[row["metadata"]["quartet"]].append(row)
    for name, items in quartets.items():
        if len({label_of(row) for row in items}) != labels or len(items) != labels:
            yield f"{name}: labels {sorted(map(label_of, items))}"
        if len({tuple(sorted(_WORD.findall(row["context"]))) for row in items}) > 1:
            yield f"{name}: different words"
        if len({row["question"] for row in items}) > 1 or len({row["depth"] for row in items}) > 1:
            yield f"{name}: different statements or depths"
        if any(row["formulas"]["rules"] != items[0]["formulas"]["rules"] for row in items):
            yield f"{name}: different rules"
        atom = items[0]["formulas"]["statement"][:2]
        if any(fact[:2] == atom for row in items for fact in row["formulas"]["facts"]):
            yield f"{name}: a fact about the statement's atom"
    counts = Counter((row["depth"], label_of(row)) for row in rows)
    if len(set(counts.values())) > 1:
        yield f"uneven labels or depths: {sorted(counts.items())}"


def words_of(rows: Iterable[Row]) -> tuple[set[str], set[str]]:
    """Return the names and the adjectives of rows."""
    formulas = [row["formulas"] for row in rows]
    literals = [literal for one in formulas for literal in (*one["facts"], one["statement"])]
    literals += [
        literal for one in formulas for rule in one["rules"] for literal in literals_of(rule)
    ]
    return {name for one in formulas for name in one["people"]}, {
        literal[1] for literal in literals
    }


def k_round_answer(row: Row, k: int = 1 << 30) -> str:
    """Return the label that a reader gives who stops after ``k`` rounds, or never."""
    formulas = row["formulas"]
    rounds = chain(map(tuple, formulas["facts"]), formulas["rules"], formulas["people"])
    statement = tuple(formulas["statement"])
    return LABEL[rounds.get(statement, k + 1) <= k, rounds.get(opposite(statement), k + 1) <= k]


def overlap_counts(row: Row) -> list[float]:
    """Return how often parts of the statement occur in facts and rules: what can be seen without chaining."""
    formulas = row["formulas"]
    name, adjective, sign = formulas["statement"]
    known = {tuple(fact) for fact in formulas["facts"]}
    person = [fact[2] == sign for fact in formulas["facts"] if fact[0] == name]
    own = [fact[2] == sign for fact in formulas["facts"] if fact[1] == adjective]
    counts: list[float] = [len(person), sum(person), len(own), sum(own)]
    counts += [
        (name, adjective, sign) in known,
        opposite((name, adjective, sign)) in known,
        sign == "+",
    ]
    for side in "pq":
        literals = [literal for rule in formulas["rules"] for literal in rule[side]["fact"]]
        for same in (True, False):
            of_sign = [literal for literal in literals if (literal[2] == sign) == same]
            counts += [
                sum(literal[1] == adjective for literal in of_sign),
                sum(literal[1] == adjective and literal[0] in (name, "all") for literal in of_sign),
            ]
    return counts


def matched_counts(row: Row) -> list[float]:
    """Return how many rules the facts make fire, and how many of those speak of the statement's property."""
    formulas = row["formulas"]
    known = {tuple(fact) for fact in formulas["facts"]}
    matched = [
        fired(premise, conclusion, known, formulas["people"])
        for rule in formulas["rules"]
        for premise, conclusion in directions(rule)
    ]
    adjective = formulas["statement"][1]
    return [
        sum(map(bool, matched)),
        sum(any(literal[1] == adjective for literal in found) for found in matched),
    ]

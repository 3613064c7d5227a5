"""Sets of known truth: syllogisms whose labels are those of the traditional table of moods, and texts with a cue."""

from __future__ import annotations

import random
from itertools import product

from divlogic.field.drawing import Item

UNCONDITIONAL = {
    1: ("AAA", "EAE", "AII", "EIO"),
    2: ("EAE", "AEE", "EIO", "AOO"),
    3: ("IAI", "AII", "OAO", "EIO"),
    4: ("AEE", "IAI", "EIO"),
}
"""Barbara, Celarent, Darii, Ferio; Cesare, Camestres, Festino, Baroco; Disamis, Datisi, Bocardo, Ferison; Calemes,
Dimatis, Fresison: by figure."""

WITH_MEMBERS = {
    1: ("AAI", "EAO"),
    2: ("EAO", "AEO"),
    3: ("AAI", "EAO"),
    4: ("AEO", "AAI", "EAO"),
}
"""Barbari, Celaront; Cesaro, Camestros; Darapti, Felapton; Calemos, Bamalip, Fesapo: valid where terms have members."""

_SENTENCES = {
    "A": "All {} are {}",
    "E": "No {} are {}",
    "I": "Some {} are {}",
    "O": "Some {} are not {}",
}
_ORDERS = {1: ("MP", "SM"), 2: ("PM", "SM"), 3: ("MP", "MS"), 4: ("PM", "MS")}
MOODS = [(figure, "".join(mood)) for figure in _ORDERS for mood in product("AEIO", repeat=3)]

_TERMS = ("herons", "bakers", "lamps", "rivers", "clerks", "stones", "tigers", "pilots", "violins")
_WORDS = ("river", "stone", "lamp", "window", "garden", "bread", "paper", "engine", "bridge")


def syllogism(figure: int, mood: str, terms: tuple[str, str, str]) -> str:
    """Return a syllogism in reasoning-gym's words; the terms are S, M and P."""
    named = dict(zip("SMP", terms, strict=True))
    major, minor, last = [
        _SENTENCES[kind].format(named[order[0]], named[order[1]])
        for kind, order in zip(mood, (*_ORDERS[figure], "SP"), strict=True)
    ]
    return (
        f"Consider these statements:\n1. {major}\n2. {minor}\n\nDoes it logically follow that:\n{last}?\n"
        "(Answer Yes or No)"
    )


def syllogisms(seed: int, size: int, wrong: float = 0.0) -> tuple[list[Item], set[int]]:
    """Return as many valid syllogisms as invalid ones, and the indices of those whose labels were turned round.

    Only moods with one label in either reading are drawn.
    """
    draw = random.Random(f"syllogisms {seed} {wrong}")
    valid = [one for one in MOODS if one[1] in UNCONDITIONAL[one[0]]]
    invalid = [
        one for one in MOODS if one[1] not in (*UNCONDITIONAL[one[0]], *WITH_MEMBERS[one[0]])
    ]
    turned = set(draw.sample(range(size), round(wrong * size)))
    items = []
    for index in range(size):
        follows = draw.random() < 0.5
        first, second, third = draw.sample(_TERMS, 3)
        text = syllogism(*draw.choice(valid if follows else invalid), (first, second, third))
        label = "Yes" if follows != (index in turned) else "No"
        items.append(Item(index, "", text, None, label, None))
    return items, turned


def cued(seed: int, size: int, strength: float = 0.5) -> list[Item]:
    """Return questions of random words and labels; the word `surely` goes with "Yes" as often as ``strength``."""
    draw = random.Random(f"cued {seed} {strength}")
    items = []
    for index in range(size):
        yes = draw.random() < 0.5
        words = draw.choices(_WORDS, k=8)
        if draw.random() < (strength if yes else 1 - strength):
            words.insert(draw.randrange(9), "surely")
        text = f"Number {draw.randrange(10**6)}: {' '.join(words)}?"
        items.append(Item(index, "", text, None, "Yes" if yes else "No", None))
    return items

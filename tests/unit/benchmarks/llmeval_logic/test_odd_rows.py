"""Odd rows of the published layout: each is read or named with its file, and none stops a run."""

import copy
import random

import pytest

from divlogic.benchmarks.llmeval_logic.published import read_published_items
from tests.unit.benchmarks.llmeval_logic import samples

ODD = [
    *(None, "", 0, -1, 1.5, True, [], {}, [None], [""], {"a": 1}, {"qid": 1, "answer": "x"}),
    *(
        "  ",
        "∅",
        "{}",
        "()",
        "(" * 2000 + "A",
        "\\",
        "possible()",
        "necessary(",
        "enumerate_models(A,,B)",
    ),
]
PIECES = [
    *(
        r"\land",
        r"\wedge",
        "&&",
        "与",
        "||",
        "~",
        r"\lnot",
        "=>",
        r"\Rightarrow",
        "<=>",
        r"\equiv",
        "⊕",
        "^",
    ),
    *("∀", r"\exists", "[", ")", "{", ",", ".", r"\text{A}", r"\neq", "≠", "\n", "。", "（", ""),
]


def places(value, place=()):
    """Yield the place of every part of a JSON value but the whole."""
    parts = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in parts:
        yield (*place, key)
        yield from places(part, (*place, key))


def changed(row, dice):
    """Return a row with one part gone, renamed, doubled, of another kind, or misspelled."""
    row = copy.deepcopy(row)
    *way, key = dice.choice(list(places(row)))
    holder = row
    for step in way:
        holder = holder[step]
    kind = dice.choice(["odd", "gone", "other", "text", "text"])
    if kind == "gone":
        holder.pop(key)
    elif kind == "other" and isinstance(holder, dict):
        holder[dice.choice(["answers", "premises", "FL"])] = holder.pop(key)
    elif kind == "other":
        holder.append(copy.deepcopy(holder[key]))
    elif kind == "text" and isinstance(text := holder[key], str):
        at = dice.randrange(len(text) + 1)
        holder[key] = text[:at] + dice.choice(PIECES) + text[at + dice.randrange(3) :]
    else:
        holder[key] = copy.deepcopy(dice.choice(ODD))
    return row


@pytest.mark.parametrize("seed", range(3))
def test_every_odd_row_is_read_or_named(tmp_path, seed):
    dice = random.Random(seed)
    items = [
        changed(dice.choice([samples.LAMP, samples.KEYS, samples.STAMPS]), dice) for _ in range(150)
    ]
    for number, item in enumerate(items):
        if "id" in item:
            item["id"] = number
    hard = [changed(samples.HARD[0], dice) | {"id": number} for number in range(50)]
    source = samples.folder(tmp_path, items, rubrics={}, hard=hard)
    for number in range(150):
        rubric = {"id": number, "title": "", "items": samples.RUBRICS[3 + number % 3]}
        samples.write(source / f"base/rubrics/{number:03}.json", changed(rubric, dice))
    found = read_published_items(source)
    assert 20 < len(found.items) < 150 and 5 < len(found.hard) < 50
    assert len(found.items) + len(found.hard) + len(found.problems) >= 200
    assert all(str(source) in problem for problem in found.problems)

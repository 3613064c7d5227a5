"""The generator and the checker against the authors' release."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.logicnli.describe import measure_release
from divlogic.benchmarks.logicnli.learners import learner_named
from divlogic.benchmarks.readers.formats import read_benchmark
from tests.support import MIRROR
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows

pytestmark = pytest.mark.mirror


def released(split: str) -> list[dict[str, Any]]:
    """Return the statements of a split with the rounds of their theory."""
    path = MIRROR / "logicnli" / "LogicNLI_sim" / f"{split}_logic.json"
    rows = []
    for theory in json.loads(path.read_text(encoding="utf-8")).values():
        facts = [tuple(fact[:3]) for fact in theory["facts"].values()]
        rules = list(theory["rules"].values())
        literals = [literal for rule in rules for literal in checker.literals_of(rule)]
        statements = [tuple(statement[:3]) for statement in theory["statements"].values()]
        people = sorted({one[0] for one in (*facts, *literals, *statements)} - {"all", "exist"})
        rounds = checker.chain(facts, rules, people)
        for statement, label in zip(statements, theory["labels"].values(), strict=True):
            sides = [rounds.get(statement), rounds.get(checker.opposite(statement))]
            rows.append({"label": label, "sides": sides, "closure": len(rounds)})
    return rows


def test_the_checker_names_ten_labels_of_dev() -> None:
    def label_of(row: dict[str, Any]) -> str:
        return checker.LABEL[row["sides"][0] is not None, row["sides"][1] is not None]

    assert sum(label_of(row) != row["label"] for row in released("dev")) == 10


def test_the_shipped_profile_is_what_the_release_gives() -> None:
    shipped = json.loads(
        (Path(__file__).parents[4] / "data/profiles/logicnli_release.json").read_text()
    )
    assert measure_release(MIRROR / "logicnli") == shipped


def test_learners_score_on_dev_what_the_docs_say() -> None:
    folder = MIRROR / "logicnli" / "LogicNLI_sim"
    files = (folder / f"{split}_language.json" for split in ("train", "dev"))
    train, dev = (list(read_benchmark(file, "logicnli")) for file in files)
    expected = {"majority": 25, "sign": 25.75, "lookup": 50.55, "overlap": 61.5, "bag_of_words": 25}
    expected |= {"reasoner_1": 76.25, "contraposing_reader": 36.3}
    found = {}
    for name in expected:
        learner = learner_named(name, 1)
        learner.fit(train)
        pairs = zip(learner.predict(dev), dev, strict=True)
        found[name] = (
            100 * sum(label == one.options[one.answer or 0] for label, one in pairs) / len(dev)
        )
    assert found == pytest.approx(expected, abs=0.5)


def test_random_theories_are_as_deep_as_the_released_ones() -> None:
    depths: dict[str, Counter[int]] = defaultdict(Counter)
    for row in released("train"):
        reached = [side for side in row["sides"] if side is not None]
        if reached:
            depths[row["label"]][max(reached)] += 1
    drawn: dict[str, Counter[int]] = defaultdict(Counter)
    for row in made_rows("train", 150, preset="as_published"):
        drawn[checker.label_of(row)][row["depth"]] += 1
    for label in ("entailment", "contradiction", "self_contradiction"):
        for depth in range(5):
            shares = [found[label][depth] / found[label].total() for found in (depths, drawn)]
            assert shares[0] == pytest.approx(shares[1], abs=0.06)

"""What the tables say of the sets: counts, depths beside the release's, floors."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from divlogic.benchmarks.logicnli.build import write_sets
from divlogic.benchmarks.logicnli.describe import (
    depths_of_random,
    floor_rows,
    measure_release,
    write_counts,
    write_description,
    write_profile,
)
from divlogic.benchmarks.logicnli.draw import plans
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.set_names import DRAWN_SETS
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from tests.generation import run_of, worded_shards
from tests.support import csv_rows
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows

RUN = BenchmarksRun(seed=1)
PROFILE = Path(__file__).parents[4] / "data" / "profiles" / "logicnli_release.json"
DRAWN = PROFILE.with_name("logicnli_as_published.json")


def release_of(folder: Path) -> Path:
    """Write a release of two random theories in the authors' form, in our own words."""
    rows = made_rows("dev", 2, preset="as_published")
    language, logic = {}, {}
    for number in range(2):
        own = [row for row in rows if row["metadata"]["theory"] == f"dev-{number}"]
        formulas = own[0]["formulas"]
        texts = [sentence["text"] for sentence in own[0]["sentences"].values()]
        facts = len(formulas["facts"])
        labels = {str(at): checker.label_of(row) for at, row in enumerate(own)}
        language[str(number)] = {
            "facts": texts[:facts],
            "rules": texts[facts:],
            "statements": [row["question"] for row in own],
            "labels": list(labels.values()),
        }
        logic[str(number)] = {
            "facts": {str(at): fact for at, fact in enumerate(formulas["facts"])},
            "rules": {str(at): rule for at, rule in enumerate(formulas["rules"])},
            "statements": {str(at): [*row["formulas"]["statement"], []] for at, row in enumerate(own)},
            "labels": labels,
        }
    folder.mkdir(parents=True)
    (folder / "dev_language.json").write_text(json.dumps(language))
    (folder / "dev_logic.json").write_text(json.dumps(logic))
    return folder


def test_a_release_is_measured_from_its_files(tmp_path: Path) -> None:
    found = measure_release(release_of(tmp_path / "LogicNLI_sim"))
    (row,) = found["sets"]
    assert (row["benchmark"], row["instances"], row["facts_and_rules"]) == ("LogicNLI Dev.", 40, 24)
    assert row["labels"] == "1:1:1:1" and row["average_length"] > 150
    rounds: Counter[tuple[str, int]] = Counter()
    for own in made_rows("dev", 2, preset="as_published"):
        if checker.label_of(own) != "neutral":
            rounds[checker.label_of(own), own["depth"]] += 1
    depths = found["depths"]["dev"]
    assert depths["theories"] == 2
    assert {
        (label, int(depth)): n for label, one in depths["counts"].items() for depth, n in one.items()
    } == rounds


def test_a_folder_without_the_release_and_one_without_formulas_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DivLogicError, match=r"no \*_language\.json of LogicNLI's release there"):
        write_profile(tmp_path / "empty", out=tmp_path / "p.json")
    folder = release_of(tmp_path / "LogicNLI_sim")
    (folder / "dev_logic.json").unlink()
    with pytest.raises(DivLogicError, match="theory 0: its formulas are missing or malformed"):
        measure_release(folder)


def test_a_release_with_a_torn_or_an_unknown_rule_is_named(tmp_path: Path) -> None:
    folder = release_of(tmp_path / "LogicNLI_sim")
    logic = json.loads((folder / "dev_logic.json").read_text())
    whole = dict(logic["1"]["rules"]["3"])
    logic["1"]["rules"]["3"].pop("q")
    (folder / "dev_logic.json").write_text(json.dumps(logic))
    with pytest.raises(DivLogicError, match="theory 1: its formulas are missing or malformed"):
        measure_release(folder)
    logic["1"]["rules"]["3"] = {**whole, "q": {"fact": [["exist", "kind", "+"]], "conj": "none"}}
    (folder / "dev_logic.json").write_text(json.dumps(logic))
    with pytest.raises(DivLogicError, match="record validation-1-0 of validation: rule 3 has no known form"):
        measure_release(folder)


def test_the_shipped_profile_has_the_papers_lengths() -> None:
    train, dev = json.loads(PROFILE.read_text())["sets"]
    assert (train["instances"], train["maximum_length"], round(train["average_length"])) == (16_000, 291, 246)
    assert (dev["instances"], dev["maximum_length"], round(dev["average_length"])) == (2_000, 279, 245)


def test_random_theories_are_as_deep_as_the_shipped_profile_says_of_the_release() -> None:
    drawn = depths_of_random(LogicNLIParameters(), 150, 5)
    counts = json.loads(PROFILE.read_text())["depths"]["train"]["counts"]
    for label in ("entailment", "contradiction", "self_contradiction"):
        released = {int(depth): count for depth, count in counts[label].items()}
        for depth in range(5):
            share = 100 * released.get(depth, 0) / sum(released.values())
            counted = drawn["counts"][label]
            assert 100 * counted.get(str(depth), 0) / sum(counted.values()) == pytest.approx(share, abs=6)
    assert 26 < drawn["literals"] / drawn["theories"] < 31


def test_the_sign_alone_is_right_in_two_of_three_on_sets_without_negation() -> None:
    rows = {row["system"]: row for row in floor_rows(LogicNLIParameters(), 4, 1, (0, 4))}
    sign = rows["sign of the statement"]
    for name in ("fol_and", "fol_or", "fol_implies", "fol_equivalent", "fol_all", "fol_exists"):
        assert sign[name] == pytest.approx(200 / 3)
    assert sign["fol_not"] < 60
    assert rows["4 rounds of chaining"]["test"] == 100 > rows["statement looked up in the facts"]["test"]


def test_the_tables_show_every_set_under_its_printed_name(tmp_path: Path) -> None:
    parameters = LogicNLIParameters()
    names = ("train", "d_test_r", "fol_not", "test_t")
    groups = [
        group.to_json()
        for plan in plans(parameters, "embedded")
        if plan.name in names
        for group in plan.block(0, 1)
    ]
    write_jsonl(tmp_path / "drawn.jsonl", groups)
    run = run_of("logicnli", parameters, seed=1)
    realised, counts = worded_shards("logicnli", tmp_path, run, [tmp_path / "drawn.jsonl"])
    write_sets((*realised, *counts), out=tmp_path / "sets", statistics=tmp_path / "sets.json")
    write_description(
        statistics=tmp_path / "sets.json", out=tmp_path / "out", profile=PROFILE, drawn=DRAWN, params=RUN
    )
    rows = {(row["source"], row["benchmark"]): row for row in csv_rows(tmp_path / "out" / "sets.csv")}
    assert rows["generated", "LogicNLI Train"]["instances"] == "4"
    assert rows["generated", "¬"]["fols"] == "2"
    assert rows["generated", "d-LogicNLI Test-R(s)"]["labels"] == "1:1:1"
    assert rows["generated", "LogicNLI Test-T"]["labels"] == "1:1:0:1"
    assert rows["release", "LogicNLI Dev."]["predicates"] == "95"


def test_the_shipped_counts_are_what_the_command_draws(tmp_path: Path) -> None:
    shipped = {row["benchmark"]: row for row in json.loads(DRAWN.read_text())["sets"]}
    write_counts(out=tmp_path / "counts.json", sets=("d_dev_r", "fol_not"), params=BenchmarksRun())
    for row in json.loads((tmp_path / "counts.json").read_text())["sets"]:
        assert shipped[row["benchmark"]] == row
    assert len(shipped) == len(DRAWN_SETS)

"""What the tables say of the sets: counts, depths beside the release's, floors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

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

PROFILE = Path(__file__).parents[4] / "data" / "profiles" / "logicnli_release.json"
DRAWN = PROFILE.with_name("logicnli_as_published.json")


def release_of(folder: Path) -> Path:
    """Write a release of two random theories in the authors' form, in our own words."""
    rows = made_rows("dev", 2, preset="as_published")
    language, logic = {}, {}
    for number in ("0", "1"):
        own = [row for row in rows if row["metadata"]["theory"] == f"dev-{number}"]
        formulas, facts = own[0]["formulas"], len(own[0]["formulas"]["facts"])
        texts = [sentence["text"] for sentence in own[0]["sentences"].values()]
        labels = [checker.label_of(row) for row in own]
        language[number] = {"facts": texts[:facts], "rules": texts[facts:], "labels": labels}
        language[number]["statements"] = [row["question"] for row in own]
        statements = [[*row["formulas"]["statement"], []] for row in own]
        parts = {
            "facts": formulas["facts"],
            "rules": formulas["rules"],
            "statements": statements,
            "labels": labels,
        }
        logic[number] = {
            name: dict(zip(map(str, count()), part, strict=False)) for name, part in parts.items()
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
    rows = [(checker.label_of(own), own) for own in made_rows("dev", 2, preset="as_published")]
    depths = found["depths"]["dev"]
    assert depths["theories"] == 2
    counted = {
        (label, depth): n for label, one in depths["counts"].items() for depth, n in one.items()
    }
    assert counted == Counter(
        (label, str(own["depth"])) for label, own in rows if label != "neutral"
    )


def test_a_folder_without_the_release_and_one_without_formulas_are_named(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match=r"no \*_language\.json of LogicNLI's release there"):
        write_profile(tmp_path, out=tmp_path / "p.json")
    (release_of(tmp_path / "LogicNLI_sim") / "dev_logic.json").unlink()
    with pytest.raises(DivLogicError, match="theory 0: its formulas are missing or malformed"):
        measure_release(tmp_path / "LogicNLI_sim")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda rule: rule.pop("q"), "theory 1: its formulas are missing or malformed"),
        (
            lambda rule: rule.update(q={"fact": [["exist", "kind", "+"]], "conj": "none"}),
            "record validation-1-0 of validation: rule 3 has no known form",
        ),
    ],
    ids=["torn", "unknown"],
)
def test_a_release_with_a_torn_or_an_unknown_rule_is_named(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], told: str
) -> None:
    path = release_of(tmp_path / "LogicNLI_sim") / "dev_logic.json"
    logic = json.loads(path.read_text())
    change(logic["1"]["rules"]["3"])
    path.write_text(json.dumps(logic))
    with pytest.raises(DivLogicError, match=told):
        measure_release(path.parent)


def test_the_shipped_profile_has_the_papers_lengths() -> None:
    train, dev = json.loads(PROFILE.read_text())["sets"]
    assert (train["instances"], train["maximum_length"], round(train["average_length"])) == (
        16_000,
        291,
        246,
    )
    assert (dev["instances"], dev["maximum_length"], round(dev["average_length"])) == (
        2_000,
        279,
        245,
    )


def test_random_theories_are_as_deep_as_the_shipped_profile_says_of_the_release() -> None:
    drawn = depths_of_random(LogicNLIParameters(), 150, 5)
    counts = json.loads(PROFILE.read_text())["depths"]["train"]["counts"]
    for label in ("entailment", "contradiction", "self_contradiction"):
        released = {int(depth): count for depth, count in counts[label].items()}
        for depth in range(5):
            share = 100 * released.get(depth, 0) / sum(released.values())
            counted = drawn["counts"][label]
            assert 100 * counted.get(str(depth), 0) / sum(counted.values()) == pytest.approx(
                share, abs=6
            )
    assert 26 < drawn["literals"] / drawn["theories"] < 31


def test_the_sign_alone_is_right_in_two_of_three_on_sets_without_negation() -> None:
    rows = {row["system"]: row for row in floor_rows(LogicNLIParameters(), 4, 1, (0, 4))}
    sign = rows["sign of the statement"]
    for name in ("fol_and", "fol_or", "fol_implies", "fol_equivalent", "fol_all", "fol_exists"):
        assert sign[name] == pytest.approx(200 / 3)
    assert sign["fol_not"] < 60
    assert (
        rows["4 rounds of chaining"]["test"]
        == 100
        > rows["statement looked up in the facts"]["test"]
    )


def test_the_tables_show_every_set_under_its_printed_name(tmp_path: Path) -> None:
    parameters = LogicNLIParameters()
    names = ("train", "d_test_r", "fol_not", "test_t")
    wanted = [plan for plan in plans(parameters, "embedded") if plan.name in names]
    write_jsonl(
        tmp_path / "drawn.jsonl", (group.to_json() for plan in wanted for group in plan.block(0, 1))
    )
    run = run_of("logicnli", parameters, seed=1)
    realised, counts = worded_shards("logicnli", tmp_path, run, [tmp_path / "drawn.jsonl"])
    statistics = tmp_path / "sets.json"
    write_sets((*realised, *counts), out=tmp_path / "sets", statistics=statistics)
    run = BenchmarksRun(seed=1)
    write_description(statistics=statistics, out=tmp_path, profile=PROFILE, drawn=DRAWN, params=run)
    rows = {(row["source"], row["benchmark"]): row for row in csv_rows(tmp_path / "sets.csv")}
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

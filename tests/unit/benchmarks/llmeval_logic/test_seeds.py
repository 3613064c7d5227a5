"""The own scenarios: complete, verified, and refused with file and item where they cannot be used."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
import yaml

from divlogic.benchmarks.llmeval_logic.seeds import (
    Seed,
    read_scenarios,
    read_seeds,
    seed_row,
    write_seeds,
)
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json

SCENARIOS = Path("data/embedded/scenarios")


@pytest.fixture(scope="module")
def seeds() -> tuple[Seed, ...]:
    return read_scenarios(SCENARIOS)


def test_each_file_has_two_propositional_scenarios_and_one_of_first_order(
    seeds: tuple[Seed, ...],
) -> None:
    found = Counter((seed.setting, seed.item.logic) for seed in seeds)
    names = {path.stem for path in SCENARIOS.glob("*.yaml")}
    assert found == {
        (name, logic): count for name in names for logic, count in (("pl", 2), ("fol", 1))
    }


def test_every_scenario_has_the_promised_size(seeds: tuple[Seed, ...]) -> None:
    for seed in seeds:
        theory = seed.item.formalization
        assert 4 <= len(theory.symbols) <= 9, seed.item.id
        assert 4 <= len(theory.premises) <= 8, seed.item.id


def test_the_readme_counts_scenarios_and_settings(seeds: tuple[Seed, ...]) -> None:
    text = (SCENARIOS / "README.md").read_text(encoding="utf-8")
    settings = {seed.setting for seed in seeds}
    assert f"\n{len(seeds)} scenarios " in text and f"\n{len(settings)} settings, " in text


def test_each_query_type_has_each_answer_three_times(seeds: tuple[Seed, ...]) -> None:
    found: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        for query, answer in zip(seed.item.formalization.queries, seed.item.answers, strict=True):
            kind = str(min(len(answer), 2)) if isinstance(answer, tuple) else str(answer)
            kind = "" if query.type in ("count_models", "enumerate_objects") else kind
            found[query.type, kind] += 1
    wanted = [
        *(
            (kind, answer)
            for kind in ("unique_solution", "has_alternative")
            for answer in ("yes", "no")
        ),
        *(("possible", answer) for answer in ("possible", "impossible")),
        *(("necessary", answer) for answer in ("necessary", "unnecessary")),
        *(("enumerate_models", models) for models in ("0", "1", "2")),
        ("count_models", ""),
        ("enumerate_objects", ""),
    ]
    assert {key: found[key] for key in wanted if found[key] < 3} == {}


def test_both_deciders_confirm_every_answer(seeds: tuple[Seed, ...], tmp_path: Path) -> None:
    write_seeds(SCENARIOS, out=tmp_path / "seeds.jsonl", verification=tmp_path / "verification.csv")
    counts = read_json(tmp_path / "verification.json")
    assert counts["agree"] == counts["queries"] == sum(len(seed.item.answers) for seed in seeds)
    again = list(read_seeds(tmp_path / "seeds.jsonl"))
    assert [seed.item.formalization for seed in again] == [
        seed.item.formalization for seed in seeds
    ]
    assert list(map(seed_row, again)) == list(map(seed_row, seeds))


def test_texts_are_sentences_in_both_languages(seeds: tuple[Seed, ...]) -> None:
    for seed in seeds:
        for premise in seed.item.formalization.premises:
            assert premise.text.zh.endswith("。") and premise.text.en.endswith("."), seed.item.id
        for query in seed.item.formalization.queries:
            assert query.text.zh.endswith(("？", "。")) and query.text.en.endswith(("?", ".")), (
                seed.item.id
            )
        for symbol in seed.item.formalization.symbols:
            assert not symbol.gloss.zh.endswith("。"), (seed.item.id, symbol.name)


def _changed(tmp_path: Path, change) -> Path:
    content = yaml.safe_load((SCENARIOS / "library.yaml").read_text(encoding="utf-8"))
    change(content)
    (tmp_path / "library.yaml").write_text(
        yaml.safe_dump(content, allow_unicode=True), encoding="utf-8"
    )
    return tmp_path


def _set(*path, value):
    """Return what sets a part of a scenario file, or takes it away (``None``)."""

    def change(content) -> None:
        *way, key = path
        for step in way:
            content = content[step]
        content[key] = value
        if value is None:
            del content[key]

    return change


_remove = partial(_set, value=None)


FIRST = ("scenarios", 0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_set("licence", value="CC-BY-4.0"), "CC0-1.0"),
        (
            _set(*FIRST, "premises", 0, "formula", value=["->", "Rare", "Lend"]),
            "premise P1.*'Lend'",
        ),
        (_set(*FIRST, "premises", 0, "formula", value=["implies", "Rare", "Loan"]), "'implies'"),
        (_set(*FIRST, "queries", 0, "type", value="certain"), "type"),
        (_remove(*FIRST, "queries", 0, "answer"), "'answer' is missing"),
        (_set(*FIRST, "queries", 0, "answer", value="yes"), "Q1"),
        (
            _set(*FIRST, "queries", 2, "targets", value=["Sign", ["not", "Copy"]]),
            "not a proposition",
        ),
        (_set(*FIRST, "symbols", 0, "gloss", "zh_not", value=""), "'Rare' lacks a gloss"),
        (_set(*FIRST, "symbols", 1, "name", value="Rare"), "declared twice"),
        (_set(*FIRST, "premises", 1, "id", value="P1"), "'P1'"),
        (_set(*FIRST, "aliases", 0, "zh", value=["那本书", "甲书"]), "alias"),
        (_set("spare", 0, "name", value="Rare"), "'Rare'"),
        (_remove("scenarios", 2, "things"), "`things` is missing"),
        (_set("asides", 0, 0, "formula", value="Rare"), "'Rare'"),
        (_set(*FIRST, "changes", 0, "premises", 0, "text", "en", value=""), "lacks its text"),
        (_set(*FIRST, "changes", 0, "operator", value="flip"), "changes.0.operator"),
        (_set(*FIRST, "changes", 0, "replaces", value="P9"), "a chain replaces the premise 'P9'"),
        (_set("scenarios", 1, "id", value="library-1"), "library-1"),
    ],
)
def test_a_scenario_that_cannot_be_used_is_named(tmp_path: Path, change, said: str) -> None:
    folder = _changed(tmp_path, change)
    with pytest.raises(DivLogicError, match=said) as caught:
        read_scenarios(folder)
    assert "library.yaml" in str(caught.value)


def test_a_wrong_answer_is_named_with_the_right_one(tmp_path: Path) -> None:
    folder = _changed(tmp_path, _set(*FIRST, "queries", 0, "answer", value="unnecessary"))
    with pytest.raises(DivLogicError, match=r"library-1, Q1: .*\"unnecessary\".*\"necessary\""):
        write_seeds(folder, out=tmp_path / "seeds.jsonl")


def test_contradictory_premises_have_to_be_announced(tmp_path: Path) -> None:
    folder = _changed(
        tmp_path, _set(*FIRST, "premises", 4, "formula", value=["and", "Loan", "Copy"])
    )
    with pytest.raises(
        DivLogicError, match="library-1: its premises contradict each other and it says"
    ):
        write_seeds(folder, out=tmp_path / "seeds.jsonl")


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="no scenario file"):
        read_scenarios(tmp_path)

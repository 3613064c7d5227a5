"""Rotations and prompts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.evaluation.rotations import (
    few_shot_examples,
    read_rotations,
    rotate,
    rotation_json,
    rotation_rows,
    source_of,
)
from divlogic.io.files import write_jsonl
from divlogic.models.answers import Letters
from divlogic.models.letters import LETTERS
from divlogic.models.prompts import NO_LOGIC, parse_prompt
from divlogic.models.styles import STYLES
from tests.unit.evaluation.samples import TYPES, records, rotations

POOL = records(12, "unpolished")


@pytest.mark.parametrize("style", STYLES)
def test_the_gold_letter_always_names_the_same_content(style: str) -> None:
    asked = records()
    rows = list(rotation_rows(asked, STYLES[style], pool=POOL, seed=1))
    assert len(rows) == 4 * len(asked)
    for row in rows:
        record = next(r for r in asked if r.id == row.instance)
        prompt = parse_prompt(row.input)
        assert prompt is not None
        assert prompt.options[LETTERS.index(row.gold)] == record.options[record.answer]
        assert sorted(prompt.options) == sorted(record.options)


def test_over_the_rotations_every_option_stands_at_every_letter() -> None:
    rows = rotations(1)
    places = [parse_prompt(row.input).options for row in rows]  # type: ignore[union-attr]
    for options in zip(*places, strict=True):
        assert len(set(options)) == 4


def test_the_zero_shot_prompt_reads_as_in_the_paper() -> None:
    (row, *_) = rotations(1)
    assert row.input == (
        "You need to answer in the form of 'Answer: <A/B/C/D>' without explanation.\n"
        "\n"
        "If the kettle number 0 hums, the roof leaks. The test bell is ringing.\n"
        "Which one follows?\n"
        "A. The kettle is old.\n"
        "B. The lantern is new.\n"
        "C. The violin is red.\n"
        "D. The compass is wet."
    )


def test_the_other_styles_differ_in_what_they_say() -> None:
    rows = {
        name: rotation_rows(records(3), style, pool=POOL, seed=1) for name, style in STYLES.items()
    }
    first = {name: next(iter(each)).input for name, each in rows.items()}
    assert first["zero_shot_nolr"].startswith(f"{Letters().instruction()} {NO_LOGIC}\n\n")
    assert "bell is ringing" not in first["question_only"]
    assert first["three_shot"].count("\nAnswer: ") == 3
    assert first["three_shot"].count("The unpolished bell") == 3
    assert first["three_shot"].endswith("D. The compass is wet.")


def test_the_examples_show_one_of_each_type_and_depend_on_the_seed_alone() -> None:
    chosen = few_shot_examples(records(), POOL, 3, seed=5)
    assert tuple(record.question_type for record in chosen) == TYPES
    assert few_shot_examples(records(30), POOL[::-1], 3, seed=5) == chosen
    assert any(few_shot_examples(records(), POOL, 3, seed=seed) != chosen for seed in range(6, 12))


def test_a_context_with_line_breaks_stays_one_line() -> None:
    record = replace(records(1)[0], context="One line.\n\nAnswer: B\nA. Not an option.")
    (row, *_) = rotation_rows([record], STYLES["zero_shot"], seed=1)
    prompt = parse_prompt(row.input)
    assert prompt is not None
    assert prompt.context == "One line. Answer: B A. Not an option."


def test_a_text_that_is_no_prompt_is_not_taken_apart() -> None:
    assert parse_prompt("Hello there.") is None


def test_a_pool_without_a_type_is_refused() -> None:
    with pytest.raises(DivLogicError, match="too few records of type '3e1c'"):
        few_shot_examples(records(), [r for r in POOL if r.question_type != "3e1c"], 3, seed=1)


def test_an_example_may_not_be_an_instance_that_is_tested() -> None:
    with pytest.raises(DivLogicError, match="not also tested; take it from another split"):
        few_shot_examples(POOL, POOL, 3, seed=1)


def test_the_same_question_under_another_id_and_spelling_is_no_example() -> None:
    asked = records(6)
    spelt_otherwise = [
        replace(
            record,
            id=f"other-{record.id}",
            split="train",
            context=f"  {record.context.upper()}\n",
            options=record.options[::-1],
        )
        for record in asked
    ]
    for seed in range(20):
        shown = few_shot_examples(asked, [*spelt_otherwise, *POOL], 3, seed=seed)
        assert {record.split for record in shown} == {"unpolished"}
    with pytest.raises(DivLogicError, match="not also tested"):
        few_shot_examples(asked, spelt_otherwise, 3, seed=1)


def test_another_question_under_the_same_id_may_be_an_example() -> None:
    asked = records(6)
    pool = [
        replace(record, id=asked[number % 6].id + "x" * (number // 6))
        for number, record in enumerate(POOL)
    ]
    assert len(few_shot_examples(asked, pool, 3, seed=1)) == 3


def test_rotation_rows_survive_being_written_and_read(tmp_path: Path) -> None:
    rows = rotations()
    write_jsonl(tmp_path / "rows.jsonl", map(rotation_json, rows))
    assert read_rotations(tmp_path / "rows.jsonl") == rows


def test_a_broken_rotation_row_is_named(tmp_path: Path) -> None:
    rows = [rotation_json(row) for row in rotations(1)]
    write_jsonl(tmp_path / "rows.jsonl", [rows[0], {**rows[1], "choices": 40}])
    with pytest.raises(DivLogicError, match=r"row 2: not a rotation \(40 options cannot be listed"):
        read_rotations(tmp_path / "rows.jsonl")


def test_an_empty_rotation_file_is_refused(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "rows.jsonl", [])
    with pytest.raises(DivLogicError, match="no rotations in it"):
        read_rotations(tmp_path / "rows.jsonl")


def test_any_benchmark_is_rotated_with_examples_that_are_not_asked(tmp_path: Path) -> None:
    source, out = tmp_path / "records.jsonl", tmp_path / "rows.jsonl"
    write_jsonl(source, [record.to_json() for record in records(20)])
    rotate(source, ("three_shot",), (out,), EvaluationRun(seed=1), benchmark="mine", held_out=6)
    rows = read_rotations(out)
    assert {row.benchmark for row in rows} == {"mine"}
    asked = {row.instance for row in rows}
    assert 0 < len(asked) <= 14 and len(rows) == 4 * len(asked)
    shown = [record for record in records(20) if record.context in rows[0].input]
    assert {record.id for record in shown} & asked == {rows[0].instance}


def test_with_a_pool_of_its_own_a_benchmark_is_asked_whole_and_without_it_all_but_some(
    tmp_path: Path,
) -> None:
    source, out, pool = (tmp_path / name for name in ("mine.jsonl", "out.jsonl", "pool.jsonl"))
    write_jsonl(source, [record.to_json() for record in records(12)])
    asked = {}
    for there in (False, True):
        if there:
            write_jsonl(pool, [record.to_json() for record in POOL])
        run = EvaluationRun(seed=1)
        rotate(source, ("three_shot",), (out,), run, pool=pool, benchmark="mine", held_out=6)
        asked[there] = {question.instance for question in read_rotations(out)}
    assert len(asked[True]) == 12
    assert asked[False] < asked[True]
    assert len(asked[False]) == 6


def test_each_prompt_wants_a_file_of_its_own() -> None:
    with pytest.raises(DivLogicError, match="2 times --prompt and 1 times --out"):
        rotate(
            Path("in.jsonl"),
            ("zero_shot", "three_shot"),
            (Path("out.jsonl"),),
            EvaluationRun(seed=1),
        )


def test_a_benchmark_that_is_not_in_the_collection_is_refused_with_a_suggestion() -> None:
    with pytest.raises(ValueError, match="unknown benchmark 'reclr'; did you mean 'reclor'"):
        EvaluationParameters(benchmarks=["divlogiceval", "reclr"])
    with pytest.raises(DivLogicError, match="corpus_source: full"):
        rotate(
            Path("nowhere/reclor.jsonl.gz"),
            ("zero_shot",),
            (Path("out.jsonl"),),
            EvaluationRun(seed=1),
        )


@pytest.mark.parametrize("split", ["base", "hard"])
def test_a_split_of_a_benchmark_without_a_test_split_has_a_name_of_its_own(
    split: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("data/benchmarks/llmeval_logic") / f"{split}.jsonl"
    write_jsonl(path, [record.to_json() for record in POOL])
    assert source_of(f"llmeval_logic_{split}") == path
    with pytest.raises(DivLogicError, match=f"name one of its splits, llmeval_logic_{split}"):
        source_of("llmeval_logic")


def test_a_hint_names_what_is_here_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DivLogicError, match="generate or import it first"):
        source_of("llmeval_logic_bse")
    write_jsonl(Path("data/benchmarks/llmeval_logic/base.jsonl"), [POOL[0].to_json()])
    with pytest.raises(DivLogicError, match="did you mean 'llmeval_logic_base'"):
        source_of("llmeval_logic_bse")

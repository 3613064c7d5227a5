"""JustLogic's questions with their context: a model behind a server, and recorded answers, from prompt to tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.cli import cli as main_cli, group
from divlogic.corpora.manifest import MANIFEST
from divlogic.evaluation.asked import is_asked
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.io.files import file_sha256, write_json, write_jsonl
from divlogic.models.parameters import ModelParameters
from divlogic.records import Record
from tests.integration.fault_server import rate_limited, serving
from tests.support import call, cases, csv_rows
from tests.unit.benchmarks.readers.samples import table

cli = group("evaluation")

pytestmark = pytest.mark.integration

LABELS = ("True", "False", "Uncertain")
FORMS = ("modus_ponens", "modus_tollens", "disjunctive_syllogism")
PROMPTS = ("zero_shot", "few_shot", "chain_of_thought")


def records(count: int, split: str) -> list[Record]:
    return [
        Record(
            f"{split}-{n}",
            "justlogic_generated",
            split,
            f"If kettle {n} hums, then lamp {n} glows. Kettle {n} hums.",
            f"Lamp {n} of the {split} part glows.",
            LABELS,
            n % 3,
            depth=1 + n % 4,
            forms=tuple(FORMS[(n + step) % 3] for step in range(1 + n % 4)),
        )
        for n in range(count)
    ]


def answered(prompt: str) -> str:
    """Answer rightly, but every fourth time wrongly, once in no words that can be read and once in none at all."""
    number = int(prompt.rpartition("Lamp ")[2].split()[0])
    label = LABELS[(number + (number % 4 == 0)) % 3]
    said = (
        f"The lamp glows if the kettle hums.\nAnswer: {label}."
        if "step by step" in prompt
        else f"**{label}**"
    )
    return {5: "Who can say?", 6: ""}.get(number, said)


@pytest.fixture()
def folder(tmp_path: Path) -> Path:
    for split, count in (("test", 24), ("train", 12)):
        write_jsonl(
            tmp_path / f"{split}.jsonl", (record.to_json() for record in records(count, split))
        )
    return tmp_path


def ask(folder: Path, address: str) -> None:
    limits = {"first_wait": 0.01, "concurrency": 4}
    model = {"name": "compatible/lamp", "base_url": address, "label": "lamp"}
    files = f"--in {folder}/test.jsonl --pool {folder}/train.jsonl --store {folder}/store.sqlite"
    params = {"evaluation": {"models": [model], "limits": limits}}
    call(cli, f"ask justlogic {files} --model lamp --out {folder}/lamp.jsonl", params)


def analyse(folder: Path, answers: str, records: str) -> None:
    out = f"--groups {folder}/groups --regression {folder}/regression"
    given = f"--records {folder / records} --pool {folder}/train.jsonl"
    call(cli, f"error-analysis {folder / answers} {given} {out}", {})


def test_a_configured_model_fills_the_table_in_every_prompt(folder: Path) -> None:
    with serving(rate_limited, answered) as (address, handler):
        ask(folder, address)
        first = (folder / "lamp.jsonl").read_bytes()
        asked = handler.asked.total()
        # Each first attempt meets a limit; the empty reply of each prompt is asked for twice, by each run.
        assert asked == 2 * 3 * 24 + 3
        ask(folder, address)
        assert handler.asked.total() == asked + 2 * 3
        prompts = list(handler.asked)
    assert (folder / "lamp.jsonl").read_bytes() == first
    assert sum("step by step" in prompt for prompt in prompts) == 24
    # One solved example per label, from the training part.
    assert sum(prompt.count("of the train part") == 3 for prompt in prompts) == 24
    assert all("of the test part" in prompt.rpartition("\n\n")[2] for prompt in prompts)

    call(cli, f"label-accuracy {folder}/lamp.jsonl --out {folder}/t", {})
    rows = [row for row in csv_rows(folder / "t.csv") if row["system"] == "lamp"]
    assert {row["setting"] for row in rows} == set(PROMPTS)
    # 24 questions: 6 answered wrongly, one unreadably (wrong), one not at all.
    counts = {(row["preset"], row["correct"], row["rows"]) for row in rows}
    assert counts == {("as_published", "16", "23"), ("corrected", "16", "24")}
    assert all(
        float(r["accuracy_low"]) < float(r["accuracy"]) < float(r["accuracy_high"]) for r in rows
    )


def test_what_makes_a_question_hard_is_told_by_depth_form_and_regression(folder: Path) -> None:
    with serving(answer=answered) as (address, _):
        ask(folder, address)
    analyse(folder, "lamp.jsonl", "test.jsonl")
    groups = csv_rows(folder / "groups.csv")
    zero = {(row["group"], row["value"]): row for row in groups if row["setting"] == "zero_shot"}
    assert {value for group, value in zero if group == "depth"} == {"1", "2", "3", "4"}
    assert {value for group, value in zero if group == "form"} == set(FORMS)
    # Every fourth question is answered wrongly: those of depth 1.
    assert float(zero["depth", "1"]["accuracy"]) == 0
    assert float(zero["depth", "4"]["accuracy"]) == 100
    terms = {row["term"] for row in csv_rows(folder / "regression.csv")}
    assert {"depth", "label: false", "label: uncertain"} <= terms
    call(cli, f"figures --groups {folder}/groups --out {folder}")
    assert (folder / "justlogic_groups.svg").stat().st_size > 0


def test_recorded_answers_are_scored_in_both_presets_and_analysed(folder: Path) -> None:
    """The form of JustLogic's eval files: the test set's columns, predicted, the whole completion; in ISO-8859-1."""
    corpus = folder / "recorded_justlogic"
    path = corpus / "eval" / "0_shot_llama8B_results.csv"
    path.parent.mkdir(parents=True)
    columns = "id premises paragraph conclusion question label arg statements depth predicted full_completion"
    written = []
    for number, (label, said) in enumerate(
        (("TRUE", "TRUE"), ("FALSE", "Uncertain"), ("Uncertain", ""))
    ):
        argument = "Modus Ponens: \nIf [0], then [1]. \n[0]. \nTherefore, [1]."
        text = f"If café {number} opens, then bell {number} rings. Café {number} opens."
        statements = str({0: f"Café {number} opens.", 1: f"Bell {number} rings."})
        words = [
            str(number),
            str([text]),
            text,
            f"Bell {number} rings.",
            f"Bell {number} rings.",
            label,
        ]
        row = [*words, argument, statements, "1", said, "¬H: so\nit follows."]
        written.append(dict(zip(columns.split(), row, strict=True)))
    table(path, *written, encoding="iso-8859-1")
    file = {"name": "eval/0_shot_llama8B_results.csv", "bytes": path.stat().st_size, "rows": 3}
    file |= {
        "sha256": file_sha256(path),
        "reader": "recorded:justlogic",
        "part": "whole",
        "origin": "by hand",
    }
    about = dict.fromkeys(("corpus", "title", "version", "licence", "source", "origin", "part"), "")
    write_json(corpus / MANIFEST, {**about, "roles": ["recorded"], "files": [file]})
    call(main_cli, f"recordings {corpus} --reader recorded:justlogic --out {folder}/answers.jsonl")
    call(cli, f"recorded-questions {corpus} --out {folder}/questions.jsonl")
    call(cli, f"label-accuracy {folder}/answers.jsonl --out {folder}/t", {})
    found = csv_rows(folder / "t.csv")
    assert {row["source"] for row in found} == {"recorded"}
    counts = {(r["system"], r["setting"], r["preset"], r["correct"], r["rows"]) for r in found}
    assert counts == {
        ("Llama3-8B", "zero_shot", "as_published", "1", "2"),
        ("Llama3-8B", "zero_shot", "corrected", "1", "3"),
    }
    analyse(folder, "answers.jsonl", "questions.jsonl")
    assert {r["value"] for r in csv_rows(folder / "groups.csv") if r["group"] == "form"} == {
        "modus_ponens"
    }


@pytest.mark.parametrize(("model", "asked"), cases(__file__, "models"))
def test_who_is_asked_justlogic_s_questions(model: dict[str, object], asked: bool) -> None:
    assert (
        is_asked("justlogic", ModelParameters.model_validate(model), EvaluationParameters())
        is asked
    )


def test_without_recordings_the_files_are_empty(tmp_path: Path) -> None:
    call(main_cli, f"recordings --reader recorded:justlogic --out {tmp_path}/a.jsonl")
    call(cli, f"recorded-questions --out {tmp_path}/r.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "r.jsonl").read_bytes() == b""

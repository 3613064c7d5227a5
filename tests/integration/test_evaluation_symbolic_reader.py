"""Generated instances, from the text back to the label."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from divlogic.benchmarks.answers import offer_baselines
from divlogic.benchmarks.divlogiceval.fresh import worded_records
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.realise import symbolic_twin
from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import answers_of, score_all
from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.io.files import write_jsonl
from divlogic.models.baselines import build
from divlogic.models.letters import LETTERS
from divlogic.models.prompts import parse_prompt
from divlogic.records import Record
from tests.unit.evaluation.samples import said

INSTANCES = 60

offer_baselines()


def sentence(number: int) -> dict[str, str]:
    told = f"carrying lamp {number} near the harbour"
    return {"text": f"a baker is {told}", "negated": f"a baker isn't {told}", "source": str(number)}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[Record]]:
    folder = tmp_path_factory.mktemp("made")
    groups = [
        {
            "id": f"{number:012x}",
            "corpus": "made_up",
            "source": str(number),
            "premise": sentence(4 * number),
            "entailed": [sentence(4 * number + 1), sentence(4 * number + 2)],
            "contradicted": [sentence(4 * number + 3)],
        }
        for number in range(INSTANCES * 8)
    ]
    write_jsonl(folder / "groups.jsonl", groups)
    settings = DivLogicEvalParameters()
    records = worded_records(folder / "groups.jsonl", settings.preset, settings, 7, INSTANCES)
    return folder, folder / "groups.jsonl", list(records)


def written(folder: Path, name: str, records: list[Record]) -> Path:
    path = folder / name
    write_jsonl(path, (record.to_json() for record in records))
    return path


@pytest.mark.parametrize("twin", [False, True])
def test_the_symbolic_reader_answers_every_rotation_of_every_instance(
    made: tuple[Path, Path, list[Record]], twin: bool
) -> None:
    folder, groups, records = made
    asked = [symbolic_twin(record) for record in records] if twin else records
    args = {"records": str(written(folder, f"{twin}.jsonl", asked))} | (
        {} if twin else {"groups": str(groups)}
    )
    reader = build("symbolic_reader", args)
    predictions = []
    for row in rotation_rows(asked, style_named("zero_shot"), seed=1):
        prompt = parse_prompt(row.input)
        assert prompt is not None
        chosen = reader.choose(prompt, np.random.default_rng(0))
        predictions.append(said(row, LETTERS[chosen] if chosen is not None else None))
    for score in score_all(answers_of(predictions), seed=1, resamples=100):
        assert score.estimate.value == 1.0, (score.question_type, score.metric)


def test_the_symbolic_reader_has_no_answer_to_a_text_that_the_templates_do_not_give(
    made: tuple[Path, Path, list[Record]],
) -> None:
    folder, groups, records = made
    other = replace(records[0], context=records[0].context + " More is less.")
    path = written(folder, "changed.jsonl", [other])
    reader = build("symbolic_reader", {"records": str(path), "groups": str(groups)})
    prompt = parse_prompt(
        next(iter(rotation_rows([other], style_named("zero_shot"), seed=1))).input
    )
    assert prompt is not None
    assert reader.choose(prompt, np.random.default_rng(0)) is None


def test_groups_of_another_benchmark_are_refused(made: tuple[Path, Path, list[Record]]) -> None:
    folder, groups, records = made
    (folder / "few.jsonl").write_bytes(groups.read_bytes().split(b"\n")[0] + b"\n")
    path = written(folder, "all.jsonl", records)
    with pytest.raises(DivLogicError, match="sentence groups of the benchmark are not in it"):
        build("symbolic_reader", {"records": str(path), "groups": str(folder / "few.jsonl")})
    with pytest.raises(DivLogicError, match="needs the sentence groups"):
        build("symbolic_reader", {"records": str(path)})

"""Generated instances, from the text back to the label."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import orjson
import pytest

from divlogic.benchmarks.answers import offer_baselines
from divlogic.benchmarks.divlogiceval.draw import draw_instance
from divlogic.benchmarks.divlogiceval.groups import SentenceGroup
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.realise import realise, symbolic_twin
from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import score_all
from divlogic.evaluation.predictions import answers_of
from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.models.baselines import build
from divlogic.models.letters import LETTERS
from divlogic.models.predictions import Prediction
from divlogic.models.prompts import parse_prompt
from divlogic.records import Record

INSTANCES = 60

offer_baselines()
WHO = ("a baker", "the old pilot", "a tall gardener", "the twin sister", "a violinist", "the night guard")
WHAT = ("carrying a lamp", "painting a fence", "feeding two goats", "mending a net", "reading aloud")
WHERE = ("near the harbour", "behind the mill", "in a quiet kitchen", "on the north stairs", "at the station")


def sentence(number: int) -> dict[str, str]:
    who, what, where = WHO[number % 6], WHAT[number // 6 % 5], WHERE[number // 30 % 5]
    tail = f"{what} {where} on day {number}"
    return {"text": f"{who} is {tail}", "negated": f"{who} isn't {tail}", "source": str(number)}


def group_rows(count: int) -> list[dict]:
    return [
        {
            "id": f"{number:012x}",
            "corpus": "made_up",
            "source": str(number),
            "premise": sentence(4 * number),
            "entailed": [sentence(4 * number + 1), sentence(4 * number + 2)],
            "contradicted": [sentence(4 * number + 3)],
        }
        for number in range(count)
    ]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[Record]]:
    folder = tmp_path_factory.mktemp("made")
    rows = group_rows(INSTANCES * 8)
    (folder / "groups.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    groups = iter([SentenceGroup.from_json(row, 2) for row in rows])
    settings, records = DivLogicEvalParameters(), []
    for index in range(INSTANCES):
        instance = draw_instance(7, index, settings)
        received = list(islice(groups, len(instance.variables)))
        records.append(realise(instance, received, settings, 7, index, id=str(index), split="test")[0])
    return folder, folder / "groups.jsonl", records


def written(folder: Path, name: str, records: list[Record]) -> Path:
    path = folder / name
    path.write_bytes(b"".join(orjson.dumps(record.to_json()) + b"\n" for record in records))
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
        predictions.append(
            Prediction(
                "b",
                "m",
                "p",
                row.instance,
                row.gold,
                LETTERS[chosen] if chosen is not None else None,
                rotation=row.rotation,
                question_type=row.question_type,
            )
        )
    for score in score_all(answers_of(predictions), seed=1, resamples=100):
        assert score.estimate.value == 1.0, (score.question_type, score.metric)


def test_the_symbolic_reader_has_no_answer_to_a_text_that_the_templates_do_not_give(
    made: tuple[Path, Path, list[Record]],
) -> None:
    folder, groups, records = made
    other = replace(records[0], context=records[0].context + " More is less.")
    path = written(folder, "changed.jsonl", [other])
    reader = build("symbolic_reader", {"records": str(path), "groups": str(groups)})
    prompt = parse_prompt(next(iter(rotation_rows([other], style_named("zero_shot"), seed=1))).input)
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

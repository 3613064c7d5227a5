"""What asking costs: the key of each request is computed once, and a store is read once, in every step that asks."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.divlogiceval.build import polish
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalRun
from divlogic.benchmarks.polish.run import fragments
from divlogic.evaluation.asked import BaselineFiles, export, run
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.evaluation.rotations import rotate
from divlogic.io.files import write_jsonl
from divlogic.models import requests
from divlogic.models.asking import AskingOptions, ask, read_questions
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.predictions import read_predictions
from tests.unit.evaluation.samples import records
from tests.unit.hardening import scripted

UNIFORM = ModelParameters(name="baseline/uniform", runs=2)
PARAMETERS = EvaluationParameters(prompts=["zero_shot", "zero_shot_nolr"], models=[UNIFORM])
RUN = EvaluationRun(seed=1, evaluation=PARAMETERS)
COUNT = 3


class Counted:
    """How often each key was computed, each store read from its beginning, and each stored answer decoded."""

    def __init__(self) -> None:
        self.keys, self.stores, self.answers = Counter[str](), Counter[str](), Counter[str]()


Begin, Asker = Callable[[], Counted], Callable[[Path], int]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Return a function that starts counting from zero."""
    found, key_of = Counted(), requests.request_key
    opened, decoded = requests.Responses.__init__, requests.Responses.__getitem__

    def counted_key(**asked: object) -> str:
        key = key_of(**asked)  # type: ignore[arg-type]
        found.keys[key] += 1
        return key

    def counted_opening(self: requests.Responses, connection: sqlite3.Connection) -> None:
        found.stores[connection.execute("PRAGMA database_list").fetchone()[2]] += 1
        opened(self, connection)

    def counted_decoding(self: requests.Responses, key: str) -> requests.Response:
        row = decoded(self, key)
        found.answers[key] += 1
        return row

    monkeypatch.setattr(requests, "request_key", counted_key)
    monkeypatch.setattr(requests.Responses, "__init__", counted_opening)
    monkeypatch.setattr(requests.Responses, "__getitem__", counted_decoding)

    def begin() -> Counted:
        found.__init__()  # type: ignore[misc]
        return found

    return begin


def source(folder: Path) -> Path:
    write_jsonl(folder / "test.jsonl", [record.to_json() for record in records(COUNT)])
    return folder / "test.jsonl"


def rotations(folder: Path) -> tuple[Path, ...]:
    return tuple(folder / f"{prompt}.jsonl.gz" for prompt in PARAMETERS.prompts)


def by_rotations(folder: Path) -> int:
    rotate(source(folder), tuple(PARAMETERS.prompts), rotations(folder), RUN)
    given = AskingOptions("baseline/uniform", folder / "s.sqlite")
    run(rotations(folder), given, BaselineFiles(), RUN, out=folder / "out.jsonl")
    return len(PARAMETERS.prompts) * COUNT * 4 * 2


def by_closed_questions(folder: Path) -> int:
    prompts = ["zero_shot", "chain_of_thought"]
    how = {"prompts": prompts, "instances": None, "seed": 1, "form_of": answer_format}
    questions = read_questions(source(folder), None, **how)  # type: ignore[arg-type]
    limits = LimitParameters()
    ask(
        [questions],
        folder / "s.sqlite",
        model=UNIFORM,
        sampling=SamplingParameters(),
        limits=limits,
        seed=1,
    )
    return len(prompts) * COUNT * 2


def by_polishing(folder: Path) -> int:
    how = {"divlogiceval": {"polish": {"enabled": True, "model": "baseline/uniform", "trials": 2}}}
    params = DivLogicEvalRun.model_validate({"seed": 1, "benchmarks": how})
    polish(source(folder), folder / "out.jsonl", params, folder / "s.sqlite")
    texts = {text for record in records(COUNT) for part in fragments(record) for text in part}
    return 2 * len(texts)


def by_hardening(folder: Path) -> int:
    scripted.made(folder, scripted.parameters("accept"))
    (path,) = (folder / "stores").glob("*.sqlite")
    connection = sqlite3.connect(path)
    return int(connection.execute("SELECT COUNT(*) FROM answers").fetchone()[0])


ASKERS = [by_rotations, by_closed_questions, by_polishing, by_hardening]


@pytest.mark.parametrize("asker", ASKERS, ids=lambda asker: asker.__name__)
def test_each_key_is_computed_once_and_the_store_is_read_once(
    tmp_path: Path, counted: Begin, asker: Asker
) -> None:
    for _ in ("asked", "taken from the store"):
        found = counted()
        wanted = asker(tmp_path)
        # An answer that is looked for before it is asked is looked for under a larger limit of tokens, too.
        assert len(found.keys) in (wanted, 2 * wanted) and set(found.keys.values()) == {1}
        assert set(found.stores.values()) == {1}


@pytest.mark.parametrize(
    "asker", [by_rotations, by_closed_questions], ids=lambda asker: asker.__name__
)
def test_an_answer_in_the_store_is_decoded_for_the_counts_and_for_the_prediction_only(
    tmp_path: Path, counted: Begin, asker: Asker
) -> None:
    asker(tmp_path)
    found = counted()
    assert len(found.answers) == 0 and asker(tmp_path) == len(found.answers)
    assert set(found.answers.values()) == {2}


def test_an_export_computes_each_key_once_and_decodes_each_answer_once(
    tmp_path: Path, counted: Begin
) -> None:
    wanted = by_rotations(tmp_path)
    found = counted()
    export(
        rotations(tmp_path),
        tmp_path / "s.sqlite",
        tmp_path / "exported.jsonl",
        BaselineFiles(),
        RUN,
    )
    assert len(list(read_predictions(tmp_path / "exported.jsonl"))) == wanted
    assert (
        set(found.keys.values()) == set(found.answers.values()) == set(found.stores.values()) == {1}
    )

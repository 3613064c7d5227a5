"""What asking costs: the key of each request is computed once, and a store is read once, whoever asks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.divlogiceval.cli import cli as divlogiceval
from divlogic.benchmarks.llmeval_logic.seeds import seed_row
from divlogic.benchmarks.polish.run import fragments
from divlogic.evaluation.llmeval_logic.asking import asked as open_questions
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.rotations import rotation_rows, style_named, write_rotations
from divlogic.evaluation.steps import export_predictions, run_into_store
from divlogic.hardening.run import write_hardened
from divlogic.io.files import write_jsonl
from divlogic.models import requests, store_index
from divlogic.models.asking import ask, read_questions
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from tests.unit.evaluation.samples import records
from tests.unit.hardening import scripted

UNIFORM = ModelParameters(name="baseline/uniform", runs=2)
PARAMETERS = EvaluationParameters(prompts=["zero_shot", "zero_shot_nolr"])
COUNT = 3


@dataclass
class Counted:
    """How often each key was computed, each store read from its beginning, and each stored answer decoded."""

    keys: Counter[str] = field(default_factory=Counter)
    stores: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Counted]:
    """Return a function that starts counting from zero."""
    found = Counted()
    key_of, rows = requests.request_key, store_index.Rows
    opened, decoded = rows.__init__, rows.__getitem__

    def counted_key(**asked: object) -> str:
        key = key_of(**asked)  # type: ignore[arg-type]
        found.keys[key] += 1
        return key

    def counted_opening(self: store_index.Rows, path: Path, *rest: frozenset[str]) -> None:
        found.stores[path.name] += 1
        opened(self, path, *rest)

    def counted_decoding(self: store_index.Rows, key: str) -> store_index.Row:
        row = decoded(self, key)
        found.answers[key] += 1
        return row

    monkeypatch.setattr(requests, "request_key", counted_key)
    monkeypatch.setattr(rows, "__init__", counted_opening)
    monkeypatch.setattr(rows, "__getitem__", counted_decoding)

    def begin() -> Counted:
        for counts in (found.keys, found.stores, found.answers):
            counts.clear()
        return found

    return begin


def rotations(folder: Path) -> list[Path]:
    files = [folder / f"{prompt}.jsonl.gz" for prompt in PARAMETERS.prompts]
    write_jsonl(folder / "records.jsonl", [record.to_json() for record in records(COUNT)])
    for path, prompt in zip(files, PARAMETERS.prompts, strict=True):
        write_rotations(folder / "records.jsonl", path, prompt=prompt, pool=None, seed=1)
    return files


def by_rotations(folder: Path) -> int:
    run_into_store(
        rotations(folder),
        folder / "s.jsonl",
        model=UNIFORM,
        parameters=PARAMETERS,
        seed=1,
        out=folder / "out.jsonl",
    )
    return len(PARAMETERS.prompts) * COUNT * 4 * 2


def by_closed_questions(folder: Path) -> int:
    write_jsonl(folder / "records.jsonl", [record.to_json() for record in records(COUNT)])
    prompts = ["zero_shot", "chain_of_thought"]
    questions = read_questions(
        folder / "records.jsonl", None, prompts=prompts, instances=None, seed=1, form_of=answer_format
    )
    limits = LimitParameters()
    ask(questions, folder / "s.jsonl", model=UNIFORM, sampling=SamplingParameters(), limits=limits, seed=1)
    return len(prompts) * COUNT * 2


def by_open_questions(folder: Path) -> int:
    questions = list(rotation_rows(records(COUNT), style_named("zero_shot"), seed=1))
    sampling, limits = SamplingParameters(), LimitParameters()
    open_questions(questions, UNIFORM, folder / "s.jsonl", 2, sampling, limits, 1)
    return COUNT * 4 * 2


def by_polishing(folder: Path) -> int:
    source = folder / "test.jsonl"
    write_jsonl(source, [record.to_json() for record in records(COUNT)])
    polish = {"enabled": True, "model": "baseline/uniform", "trials": 2}
    params = json.dumps({"benchmarks": {"divlogiceval": {"polish": polish}}})
    files = ["--in", source, "--store", folder / "s.jsonl", "--out", folder / "out.jsonl"]
    done = CliRunner().invoke(divlogiceval, ["polish", *map(str, files), "--params", params])
    assert done.exit_code == 0, done.output or done.exception
    texts = {text for record in records(COUNT) for part in fragments(record) for text in part}
    return 2 * len(texts)


def by_hardening(folder: Path) -> int:
    write_jsonl(folder / "seeds.jsonl", [seed_row(scripted.wiring())])
    names = ("accepted.jsonl", "trace.jsonl", "outcomes.csv")
    settings = scripted.parameters("accept")
    files = [folder / name for name in names]
    write_hardened(folder / "seeds.jsonl", folder / "stores", *files, settings, seed=0)
    (store,) = (folder / "stores").glob("*.jsonl")
    return len(store.read_text(encoding="utf-8").splitlines())


ASKERS = [by_rotations, by_closed_questions, by_open_questions, by_polishing, by_hardening]


@pytest.mark.parametrize("asker", ASKERS, ids=lambda asker: asker.__name__)
def test_each_key_is_computed_once_and_the_store_is_read_once(
    tmp_path: Path, counted: Callable[[], Counted], asker: Callable[[Path], int]
) -> None:
    for _ in ("asked", "taken from the store"):
        found = counted()
        wanted = asker(tmp_path)
        assert len(found.keys) == wanted and set(found.keys.values()) == {1}
        assert set(found.stores.values()) == {1}


@pytest.mark.parametrize("asker", [by_rotations, by_closed_questions], ids=lambda asker: asker.__name__)
def test_an_answer_in_the_store_is_decoded_for_the_counts_and_for_the_prediction_only(
    tmp_path: Path, counted: Callable[[], Counted], asker: Callable[[Path], int]
) -> None:
    asker(tmp_path)
    found = counted()
    assert len(found.answers) == 0 and asker(tmp_path) == len(found.answers)
    assert set(found.answers.values()) == {2}


def test_an_export_computes_each_key_once_and_decodes_each_answer_once(
    tmp_path: Path, counted: Callable[[], Counted]
) -> None:
    wanted = by_rotations(tmp_path)
    found = counted()
    files = [tmp_path / f"{prompt}.jsonl.gz" for prompt in PARAMETERS.prompts]
    store, out = tmp_path / "s.jsonl", tmp_path / "exported.jsonl"
    assert export_predictions(files, store, out, models=[UNIFORM], parameters=PARAMETERS) == wanted
    assert set(found.keys.values()) == set(found.answers.values()) == set(found.stores.values()) == {1}

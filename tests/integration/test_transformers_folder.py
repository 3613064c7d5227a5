"""A folder of `transformers` served by the run: a tiny network, made where the packages are."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction
from tests.integration.beside import beside
from tests.support import run_program
from tests.unit.evaluation.samples import answered, rotations

PYTHON = beside("learner", "python", "DIVLOGIC_LEARNER")

pytestmark = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON, reason="needs torch and transformers (make env-learner)"),
]

MAKE = """
import sys
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, decoders, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
torch.manual_seed(1)
tokens = Tokenizer(models.BPE())
tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokens.decoder = decoders.ByteLevel()
tokens.train_from_iterator(
    ["Answer: A", "Answer: B", "C", "D"],
    trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<s>", "</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    ),
)
PreTrainedTokenizerFast(tokenizer_object=tokens, bos_token="<s>", eos_token="</s>").save_pretrained(sys.argv[1])
config = LlamaConfig(
    vocab_size=len(tokens.get_vocab()), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
    num_attention_heads=2, max_position_embeddings=2048, bos_token_id=0, eos_token_id=1,
)
LlamaForCausalLM(config).save_pretrained(sys.argv[1])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("network")
    run_program([PYTHON, "-c", MAKE, path], path)
    return path


@pytest.fixture(autouse=True)
def _served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIVLOGIC_LEARNER", str(PYTHON))


def run(
    folder: Path,
    store: Path,
    prompt: str = "zero_shot",
    asked: slice = slice(None),
    *,
    temperature: float = 0.0,
    **args: int | str,
) -> list[Prediction]:
    model = ModelParameters(name=f"local/{folder}", args=args)
    sampling = SamplingParameters(max_tokens=8, temperature=temperature)
    return answered(rotations(2, prompt)[asked], model, store, sampling=sampling)[1]


def test_it_answers_and_says_the_same_again(folder: Path, store: Path) -> None:
    first = run(folder, store)
    assert len(first) == 8 and all(prediction.answer is not None for prediction in first)
    assert run(folder, store.with_name("again.jsonl")) == first


@pytest.mark.parametrize(
    ("settings", "answers"),
    [({"precision": "float32"}, 2), ({"precision": "bfloat16"}, 2), ({"temperature": 0.8}, 1)],
    ids=str,
)
def test_an_answer_chosen_or_drawn_does_not_depend_on_what_was_asked_before(
    folder: Path, store: Path, settings: dict[str, Any], answers: int
) -> None:
    together = run(folder, store, **settings)
    assert (
        run(folder, store.with_name("alone.jsonl"), asked=slice(5, 6), **settings) == together[5:6]
    )
    assert len({row.answer for row in together}) >= answers


def test_a_tokenizer_that_has_the_letters_far_from_the_likeliest_is_named(
    folder: Path, store: Path
) -> None:
    # An untrained network: none of the letters is among its 20 likeliest tokens.
    with pytest.raises(
        DivLogicError, match="none of the letters A, B, C, D was among the 20 likeliest"
    ):
        run(folder, store, "likelihood")


def test_a_question_longer_than_the_context_is_told(folder: Path, store: Path) -> None:
    with pytest.raises(DivLogicError, match="longer than its context"):
        run(folder, store, context=16)


def test_torn_weights_are_told(folder: Path, tmp_path: Path, store: Path) -> None:
    torn = shutil.copytree(folder, tmp_path / "torn")
    weights = torn / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(DivLogicError, match="torn: the model could not be loaded"):
        run(torn, store)

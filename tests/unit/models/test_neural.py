"""The learners of the extra ``neural``; skipped where torch is not installed."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from divlogic.benchmarks.logicnli.learners import numbered_tokens
from divlogic.errors import DivLogicError
from divlogic.models import learners as neural
from divlogic.models.learners import Encoder, Network, SmallTransformer, Training
from divlogic.records import Record
from tests.unit.benchmarks.logicnli.conftest import made_rows

SHORT = {"depths": [1], "facts": 4, "rules": 4}
# One item of each quartet: within a quartet only the places of "not" tell the labels apart.
RECORDS = [
    Record.from_json(row)
    for number, row in enumerate(made_rows("train", 32, balanced=SHORT))
    if number % 4 == number // 4 % 4
]


def accuracy(learner: Network, records: list[Record]) -> float:
    pairs = zip(learner.predict(records), records, strict=True)
    return sum(label == record.options[record.answer or 0] for label, record in pairs) / len(
        records
    )


def test_names_and_properties_become_numbered_tokens() -> None:
    context, statement = numbered_tokens(RECORDS[0])
    name, _, sign, *_ = [*statement, ""]
    assert name.startswith("<name ") and (sign == "not" or sign.startswith("<property "))
    numbered = {word for word in (*context, *statement) if word.startswith("<")}
    people, properties = (RECORDS[0].formulas or {})["people"], 12
    assert len(numbered) <= len(people) + properties
    assert not {word.lower() for word in context} & {person.lower() for person in people}


def test_without_torch_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(DivLogicError, match="needs the packages torch and transformers"):
        SmallTransformer(1, numbered_tokens)


class TestWithTorch:
    @pytest.fixture(autouse=True)
    def _torch(self) -> None:
        pytest.importorskip("torch")
        pytest.importorskip("safetensors")

    @pytest.fixture
    def encoder(self, tmp_path: Path) -> Path:
        """Write a random BERT of two layers, and a tokenizer of the records' own words."""
        transformers = pytest.importorskip("transformers")
        import torch
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

        texts = [f"{record.context} {record.question}".lower() for record in RECORDS]
        words = sorted({word.strip(".,") for text in texts for word in text.split()})
        special = [neural.PADDING, neural.UNKNOWN, neural.START, neural.END]
        vocabulary = {word: number for number, word in enumerate([*special, ".", ",", *words])}
        tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=neural.UNKNOWN))
        tokenizer.normalizer = normalizers.Lowercase()
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        tokenizer.post_processor = processors.BertProcessing((neural.END, 3), (neural.START, 2))
        folder = tmp_path / "bert"
        tokens = dict(
            zip(("pad_token", "unk_token", "cls_token", "sep_token"), special, strict=True)
        )
        words_of = transformers.PreTrainedTokenizerFast
        words_of(tokenizer_object=tokenizer, model_max_length=512, **tokens).save_pretrained(folder)
        torch.manual_seed(0)
        sizes = {
            "hidden_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "intermediate_size": 128,
        }
        sizes |= {"vocab_size": len(vocabulary), "max_position_embeddings": 512}
        still = dict.fromkeys(("hidden_dropout_prob", "attention_probs_dropout_prob"), 0.0)
        config = transformers.BertConfig(**sizes, **still)
        transformers.BertModel(config).save_pretrained(folder)
        return folder

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", ["encoder", "transformer"])
    def test_it_overfits_is_saved_and_loaded_and_gives_the_same_bytes(
        self, kind: str, encoder: Path, tmp_path: Path
    ) -> None:
        def made() -> Network:
            if kind == "encoder":
                fast = Training(epochs=40, rate=2e-3, batch=16, decay=0.98)
                return Encoder(5, str(encoder), training=fast)
            fast = Training(epochs=40, rate=3e-3, batch=16, decay=0.98, longest=400)
            return SmallTransformer(3, numbered_tokens, training=fast)

        for name in ("one", "two"):
            learner = made()
            learner.fit(RECORDS)
            assert len(RECORDS) == 32 and accuracy(learner, RECORDS) > 0.9
            learner.save(tmp_path / name)
        for name in ("weights.safetensors", "network.json"):
            assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
        loaded = (
            Encoder(0, "nowhere") if kind == "encoder" else SmallTransformer(0, numbered_tokens)
        )
        fresh = made()
        loaded.load(tmp_path / "one")
        fresh.load(tmp_path / "two")
        assert accuracy(loaded, RECORDS) > 0.9
        assert loaded.predict(RECORDS) == fresh.predict(RECORDS)

    def test_a_decoder_is_read_at_its_last_token_whatever_stands_beside_it(
        self, encoder: Path, tmp_path: Path
    ) -> None:
        transformers = pytest.importorskip("transformers")
        words = transformers.AutoTokenizer.from_pretrained(encoder)
        words.backend_tokenizer.post_processor = None
        folder = tmp_path / "llama"
        transformers.PreTrainedTokenizerFast(
            tokenizer_object=words.backend_tokenizer, unk_token=neural.UNKNOWN, eos_token=neural.END
        ).save_pretrained(folder)
        sizes = {
            "hidden_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 64,
        }
        config = transformers.LlamaConfig(vocab_size=len(words), **sizes)
        transformers.LlamaModel(config).save_pretrained(folder)
        learner = Encoder(
            1, str(folder), training=Training(epochs=20, batch=8, rate=1e-2, decay=0.98)
        )
        learner.fit(RECORDS)
        learner.save(tmp_path / "saved")
        loaded = Encoder(0, "nowhere")
        loaded.load(tmp_path / "saved")
        alone = [label for record in RECORDS for label in loaded.predict([record])]
        assert learner.predict(RECORDS) == alone and len({*alone}) > 1

    def test_an_encoder_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        pytest.importorskip("transformers")
        with pytest.raises(
            DivLogicError, match="nowhere: there is no such model; name a GGUF file"
        ):
            Encoder(1, str(tmp_path / "nowhere")).fit(RECORDS)
        (tmp_path / "network.json").write_text('{"labels": ["a"]}')
        with pytest.raises(DivLogicError, match="not a saved network of this learner"):
            SmallTransformer(1, numbered_tokens).load(tmp_path)
        with pytest.raises(DivLogicError, match="asked before it was trained"):
            SmallTransformer(1, numbered_tokens).predict(RECORDS)

    def test_training_stops_when_the_validation_set_gains_no_more(self) -> None:
        settings = Training(epochs=50, patience=2, rate=0.0, batch=16, longest=400)
        learner = SmallTransformer(3, numbered_tokens, training=settings, validation=RECORDS[:4])
        with patch("divlogic.models.learners.say") as said:
            learner.fit(RECORDS)
        assert said.call_count == 3

    def test_a_statement_longer_than_a_record_may_be_is_cut_too(self) -> None:
        settings = Training(epochs=1, batch=8, longest=5)
        learner = SmallTransformer(3, numbered_tokens, training=settings)
        learner.fit(RECORDS)
        assert len(learner.predict(RECORDS[:8])) == 8

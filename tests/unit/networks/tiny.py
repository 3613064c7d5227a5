"""Networks of a tiny random configuration, with a tokenizer that was trained on the texts of a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def tokenizer(texts: Sequence[str]) -> Any:
    """A tokenizer that knows the words of some texts, and every byte."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<pad>", "<eos>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(list(texts), trainer)
    found = PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<eos>", pad_token="<pad>")
    found.model_input_names = ["input_ids", "token_type_ids", "attention_mask"]
    return found


def encoder() -> Any:
    """An encoder with random weights, the same ones at each call."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=500,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
    )
    return BertModel(config)

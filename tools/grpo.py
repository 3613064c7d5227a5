"""``python -m tools.grpo --level 1 --steps 20 --out curve.csv``: train a small language model by GRPO on a generator.

Needs the environment of ``make env-learner``. Rewards are those of :mod:`divlogic.library.trl`: of items, of whole
groups, or both. What is written is the curve: a row per step.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import divlogic
from divlogic.library import trl as rewards
from divlogic.library.dataset import Item
from divlogic.networks.library import CAUSAL, load_causal

REWARDS = {
    "item": [rewards.item_reward],
    "group": [rewards.group_reward],
    "both": [rewards.item_reward, rewards.group_reward],
}
COLUMNS = (
    *("step", "reward", "reward_std", "rewards/item_reward/mean", "rewards/group_reward/mean"),
    *(
        "items_right",
        "groups_whole",
        "completions/mean_length",
        "loss",
        "kl",
        "entropy",
        "step_time",
    ),
)


def tiny(items: Iterable[Item]) -> tuple[Any, Any]:
    """Return a model of random weights that knows the answers and 40 words, and its tokenizer: a step takes a second.

    It cannot read; what it can learn is which answers pay.
    """
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    items = list(items)
    words = Counter(word for item in items for word in item["question"].split()).most_common(40)
    known = (
        "<pad>",
        "<unk>",
        "</s>",
        *(item["answer"] for item in items),
        *(word for word, _ in words),
    )
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys(known))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        unk_token="<unk>",
        eos_token="</s>",
        chat_template="{% for message in messages %}{{ message['content'] }} {% endfor %}",
    )
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
    )
    return LlamaForCausalLM(config), fast


def main() -> None:
    """Train, and write the curve."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--benchmark", default="justlogic", choices=divlogic.names())
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--model", default=CAUSAL, help="a folder of transformers, a GGUF file, a name, or tiny"
    )
    parser.add_argument("--reward", default="both", choices=REWARDS)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--groups", type=int, default=2, help="groups per step, each asked whole")
    parser.add_argument("--generations", type=int, default=4, help="completions per item")
    parser.add_argument("--tokens", type=int, default=12, help="most tokens of a completion")
    parser.add_argument("--rate", type=float, default=1e-5)
    parser.add_argument("--out", type=Path, required=True, help="the curve (csv)")
    asked = parser.parse_args()

    import torch
    from trl import GRPOConfig, GRPOTrainer

    size = divlogic.create(asked.benchmark, size=1)[0]["metadata"]["group_size"]
    prompts = asked.groups * size
    data = divlogic.create(
        asked.benchmark, size=asked.steps * prompts, seed=asked.seed, level=asked.level
    )
    if asked.model == "tiny":
        model, tokenizer = tiny(data)
    else:
        model, tokenizer = load_causal(asked.model)
    with tempfile.TemporaryDirectory() as folder:
        settings = GRPOConfig(
            output_dir=folder,
            max_steps=asked.steps,
            per_device_train_batch_size=prompts * asked.generations,
            num_generations=asked.generations,
            max_completion_length=asked.tokens,
            learning_rate=asked.rate,
            shuffle_dataset=False,  # the members of a group stay in one batch
            seed=asked.seed,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            use_cpu=not torch.cuda.is_available(),
            bf16=False,
        )
        trainer = GRPOTrainer(
            model=model,
            processing_class=tokenizer,
            reward_funcs=REWARDS[asked.reward],
            args=settings,
            train_dataset=rewards.dataset(data),
        )
        trainer.train()
    with asked.out.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for row in trainer.state.log_history if "reward" in row)


if __name__ == "__main__":
    main()

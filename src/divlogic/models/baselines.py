"""Baselines that need no key, as Inspect models (``baseline/NAME``): they see the prompt that any model sees."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Protocol

import numpy as np
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from divlogic.errors import DivLogicError
from divlogic.models.baseline_files import NEEDS, several
from divlogic.models.closed_prompts import parse_closed_prompt
from divlogic.models.letters import LETTERS
from divlogic.models.prompts import ParsedPrompt, parse_prompt
from divlogic.models.provider import OneAttemptAPI
from divlogic.records import Record, read_records


class Answerer(Protocol):
    """Chooses an option: its index, or ``None`` where the baseline has no answer."""

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        """Return the chosen position; ``rng`` is seeded by the prompt and the run."""


class Uniform:
    """Every option with the same probability."""

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        return int(rng.integers(len(prompt.options)))


class Position:
    """One letter with probability ``strength``, else every option with the same probability."""

    def __init__(self, letter: str = "A", strength: float = 1.0) -> None:
        if letter not in LETTERS or not letter or not 0 <= strength <= 1:
            raise DivLogicError(
                f"baseline/position: letter {letter!r} with strength {strength} is impossible; give a letter A to D and"
                " a probability."
            )
        self._position, self._strength = LETTERS.index(letter), strength

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        biased = rng.random() < self._strength
        chosen = self._position if biased else int(rng.integers(len(prompt.options)))
        return chosen if chosen < len(prompt.options) else None


class Majority:
    """The letter that is most often right in the training records; the first of several."""

    def __init__(self, records: Sequence[Record]) -> None:
        counts = Counter(record.answer for record in records if record.answer is not None)
        self._position = min(counts, key=lambda position: (-counts[position], position))

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        return self._position if self._position < len(prompt.options) else None


class Overlap:
    """The option with the largest share of its words in the content; the alphabetically first of several."""

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        context = set(words(prompt.context))

        def share(option: str) -> float:
            own = set(words(option))
            return len(own & context) / len(own) if own else 0.0

        best = min(prompt.options, key=lambda option: (-share(option), option))
        return prompt.options.index(best)


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text; symbols of formulas count as words."""
    return re.findall(r"[a-z']+|[^\w\s.,]", text.casefold())


def build(name: str, args: dict[str, Any]) -> Answerer:
    """Make the baseline with the given name.

    ``train`` names the records that the trained ones learn from; ``records`` and ``groups`` are what the symbolic
    reader is told about sentences.

    Raises:
        DivLogicError: there is no such baseline, or an argument that it needs is missing or unknown.
    """
    from divlogic.models.rankers import Ranker
    from divlogic.models.symbolic_reader import SymbolicReader

    makers: dict[str, Callable[..., Answerer]] = {
        "uniform": Uniform,
        "position": Position,
        "majority": lambda train: Majority(_training(train)),
        "overlap": Overlap,
        "ranker": lambda train: Ranker(_training(train), context=True),
        "hypothesis_only": lambda train: Ranker(_training(train), context=False),
        "symbolic_reader": lambda records, groups=None: SymbolicReader(
            [Path(path) for path in several(records)], Path(groups) if groups else None
        ),
    }
    if name not in makers:
        raise DivLogicError(f"unknown baseline 'baseline/{name}'; known are {', '.join(makers)}.")
    lacking = [file for file in NEEDS.get(name, ()) if file not in args and file != "groups"]
    if lacking:
        raise DivLogicError(
            f"baseline/{name} reads a file that was not named; give it with --{lacking[0]}, or as `args` in the"
            " parameters."
        )
    try:
        return makers[name](**args)
    except TypeError as error:
        raise DivLogicError(
            f"baseline/{name}: wrong arguments ({error}); see `args` in the parameters."
        ) from error


@modelapi(name="baseline")
class BaselineAPI(OneAttemptAPI):
    """Inspect provider of the baselines."""

    def __init__(self, model_name: str, **given: Any) -> None:
        super().__init__(model_name, **given)
        self._answerer = build(model_name, self.arguments)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        text = input[-1].text
        prompt = parse_closed_prompt(text) or parse_prompt(text)
        chosen = self._answerer.choose(prompt, _generator(text, config.seed)) if prompt else None
        if prompt is None or chosen is None:
            said = "I cannot read this question."
        else:
            said = f"Answer: {ascii_uppercase[chosen] if prompt.lettered else prompt.options[chosen]}"
        return ModelOutput.from_content(f"baseline/{self.model_name}", said)


def _generator(text: str, seed: int | None) -> np.random.Generator:
    """Return a generator that depends on prompt and run alone, not on the order in which prompts come."""
    word = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return np.random.default_rng([seed or 0, word])


def _training(path: str) -> list[Record]:
    records = [record for record in read_records(Path(path)) if record.answer is not None]
    if not records:
        raise DivLogicError(
            f"{path}: no record with an answer to learn from; generate a larger unpolished split."
        )
    return records

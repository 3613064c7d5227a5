"""What our Inspect tasks and providers share: data found outside the checkout, and errors shown as sentences."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from divlogic.errors import DivLogicError
from divlogic.models.parameters import THINKING_TOKENS, SamplingParameters

ROOT_VARIABLE = "DIVLOGIC_ROOT"
"""Environment variable with the folder that holds ``data/``, for ``inspect eval`` outside the checkout."""


class ShownError(click.ClickException, DivLogicError):
    """A :class:`DivLogicError` that Inspect's command line shows as one line instead of a traceback."""


@contextmanager
def shown_errors() -> Iterator[None]:
    """Turn each :class:`DivLogicError` into one that Inspect's command line shows as a sentence."""
    try:
        yield
    except ShownError:
        raise
    except DivLogicError as error:
        raise ShownError(str(error)) from error


def find_data(name: str, option: str) -> Path:
    """Return the path of a data file: as given, or below the folder that ``DIVLOGIC_ROOT`` names.

    Raises:
        DivLogicError: there is no such file.
    """
    given = Path(name)
    root = os.environ.get(ROOT_VARIABLE)
    for path in (given, *([Path(root, name)] if root and not given.is_absolute() else [])):
        if path.is_file():
            return path
    raise DivLogicError(
        f"{name}: there is no such file in {Path.cwd()}; generate the benchmark with `snakemake benchmarks`, name"
        f" another file with -T {option}=FILE, or set {ROOT_VARIABLE} to the folder that holds data/."
    )


def generate_config(sampling: SamplingParameters, *, thinking: bool = False) -> Any:
    """Return Inspect's configuration of a sampling; options of the command line come before it.

    Args:
        sampling: of the section.
        thinking: whether the model thinks first and needs longer answers.
    """
    from inspect_ai.model import GenerateConfig

    count_mock_tokens_offline()
    values = sampling.model_dump(exclude_none=True)
    return GenerateConfig(**values | ({"max_tokens": THINKING_TOKENS} if thinking else {}))


def count_mock_tokens_offline() -> None:
    """Let Inspect's model without a provider (``mockllm/model``) work offline.

    It estimates its usage with a vocabulary that tiktoken downloads; without a network every sample would fail.
    """
    from inspect_ai.model import get_model

    async def estimate(self: Any, text: str) -> int:
        return max(1, len(text) // 4)

    # The method that Inspect names for providers with a tokenizer of their own.
    type(get_model("mockllm/model").api).count_text_tokens = estimate  # type: ignore[method-assign]

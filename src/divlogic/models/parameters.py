"""Parameters of every section that asks models: which model, what sampling, what bounds."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, field_validator

from divlogic.config.section import Address, Label, Name, Section, check_address, is_secret
from divlogic.errors import DivLogicError, nearest
from divlogic.io.log import say
from divlogic.models.gguf import is_served
from divlogic.models.styles import STYLES, WITH_CONTEXT

GENERAL_BASELINES = ("uniform", "position", "majority", "overlap", "ranker", "hypothesis_only")
"""Baselines that serve every benchmark; `divlogic.models.baselines` makes them."""

THINKING_TOKENS = 8192
"""Tokens that a plan counts for an answer of a model that thinks first; the run itself sets no limit."""


URL_VARIABLE = "DIVLOGIC_BASE_URL"
"""Environment variable with the address of ``compatible/NAME``, where the parameters name none."""

CONCURRENCY, LOCAL_CONCURRENCY = 16, 1
TIMEOUT, LOCAL_TIMEOUT = 120.0, 600.0

BATCH, BATCH_TIMEOUT = 1000, 25 * 3600.0
"""Requests of a batch, and the seconds after which it is given up; vendors promise their answers within 24 hours."""

_SENT_BY = {
    "reasoning_tokens": ("anthropic", "google", "bedrock", "openrouter", "compatible", "local"),
    "batch": ("openai", "anthropic", "google", "together", "grok"),
}
"""Providers of Inspect (0.3.285) that send what a model's parameters name; others drop it without a word."""

_SEEDLESS = ("anthropic", "google")
"""Providers of Inspect that send no seed."""


def dropped_by_provider(model: ModelParameters) -> list[str]:
    """Return what the parameters name and the model's provider does not send."""
    provider = model.name.partition("/")[0]
    named = {"reasoning_tokens"} if model.sampling and model.sampling.reasoning_tokens else set()
    named |= {"batch"} if model.batch else set()
    dropped = {name for name in named if provider not in _SENT_BY[name]}
    if provider in _SEEDLESS and model.sampling and model.sampling.seed is not None:
        dropped.add("seed")
    return sorted(dropped)


def among(kind: str, known: Iterable[str]) -> AfterValidator:
    """Return the check of a list of names: of the unknown ones, each is said with the nearest."""
    return AfterValidator(partial(known_names, kind, known))


def known_names(kind: str, known: Iterable[str], names: list[str]) -> list[str]:
    """Return names as they are; a ValueError names the unknown ones, and pydantic tells where they stand."""
    if unknown := [name for name in names if name not in known]:
        raise ValueError(
            ", ".join(f"unknown {kind} '{name}'; {nearest(name, known)}" for name in unknown)
        )
    return names


class SamplingParameters(Section):
    """Sampling parameters of a model; ``null`` keeps the provider's default."""

    temperature: float | None = Field(0.0, ge=0, le=2, description="sampling temperature")
    top_p: float | None = Field(None, gt=0, le=1, description="nucleus sampling mass")
    max_tokens: int | None = Field(64, ge=1, description="maximum length of an answer, in tokens")


class ModelSamplingParameters(SamplingParameters):
    """Sampling of one model, where it differs from that of the section."""

    temperature: float | None = Field(None, ge=0, le=2, description="sampling temperature")
    max_tokens: int | None = Field(None, ge=1, description="maximum length of an answer, in tokens")
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = (
        Field(None, description="how long a reasoning model thinks, where its provider takes that")
    )
    reasoning_tokens: int | None = Field(
        None, ge=0, description="most tokens of thoughts, where the provider takes that"
    )
    seed: int | None = Field(
        None,
        ge=0,
        lt=2**31,
        description="seed that is sent with each request, plus the number of the run; null sends none",
    )


class ModelParameters(Section):
    """One model to be run."""

    name: Label = Field(
        description="Inspect's name, provider/model: openai/gpt-4o, compatible/NAME, local/FILE.gguf, baseline/uniform"
    )
    label: Label | None = Field(None, description="name in tables; the model's own if null")
    base_url: Address | None = Field(
        None, description="address of an OpenAI-compatible server, ending in /v1"
    )
    args: dict[str, Any] = Field({}, description="further arguments of Inspect's provider")
    sampling: ModelSamplingParameters | None = Field(
        None, description="sampling of this model; null keys keep those of the section"
    )
    thinking: bool = Field(
        False,
        description="whether it thinks before it answers: then answers have no limit, unless its sampling sets one",
    )
    thoughts: list[tuple[str, str]] = Field(
        [],
        description="pairs of tags between which this model thinks, besides the known ones, as [<ponder>, </ponder>]",
    )
    batch: bool | Annotated[int, Field(ge=1)] | None = Field(
        None,
        description="whether it is asked in batches, at half the price and within a day; a number: requests of a batch",
    )
    extra_body: dict[str, Any] = Field(
        {}, description="further fields of each request's body, as the provider takes them"
    )
    extra_headers: dict[str, str] = Field({}, description="further headers of each request")
    prompts: list[str] | None = Field(
        None, description="prompt styles; null for those of the section"
    )
    benchmarks: list[Name] | None = Field(
        None, description="benchmarks; null for those of the section"
    )
    runs: int | None = Field(
        None, ge=1, description="independent runs; null for those of the section"
    )
    instances: int | None = Field(
        None, ge=1, description="only the first instances of each benchmark (the papers' o1 saw 40)"
    )
    prompt_instances: dict[str, Annotated[int, Field(ge=1)]] = Field(
        {},
        description="numbers of first instances in single prompt styles, in place of `instances`",
    )

    input_price: float | None = Field(
        None, ge=0, description="price of a million tokens of prompts"
    )
    output_price: float | None = Field(
        None, ge=0, description="price of a million tokens of answers"
    )
    withdrawn: bool = Field(
        False, description="whether its provider has withdrawn it: it is listed, and not asked"
    )

    def sampling_within(self, section: SamplingParameters) -> dict[str, Any]:
        """Return how this model is sampled: its own values, then those of the section; without unset ones."""
        values = section.model_dump(exclude_none=True)
        if self.thinking:
            values.pop("max_tokens", None)
        return values | (self.sampling.model_dump(exclude_none=True) if self.sampling else {})

    def set_by_user(self, section: SamplingParameters) -> frozenset[str]:
        """Return the names of the sampling parameters that the user chose: no run leaves these out.

        The rest are defaults, such as the papers' temperature of 0, without which a server may be asked that takes
        no other than its own.
        """
        chosen = set(self.sampling.model_dump(exclude_none=True)) if self.sampling else set()
        if section.temperature != SamplingParameters().temperature:
            chosen.add("temperature")
        if section.top_p is not None:
            chosen.add("top_p")
        return frozenset(chosen)

    def most(self, prompt: str) -> int | None:
        """Return the number of instances of each benchmark that are asked in a prompt style; ``None``: all."""
        return self.prompt_instances.get(prompt, self.instances)

    @field_validator("args", "extra_body", "extra_headers")
    @classmethod
    def _holds_no_key(cls, value: dict[str, Any]) -> dict[str, Any]:
        if secret := [name for name in value if is_secret(name)]:
            raise ValueError(
                f"'{secret[0]}' would be printed and kept with the parameters; put it into the environment variable"
                " that the provider reads"
            )
        return value


class LimitParameters(Section):
    """Bounds of a run."""

    concurrency: int | None = Field(
        None,
        ge=1,
        le=1000,
        description="maximum number of concurrent requests; null: 16, or 1 for a server on this machine",
    )
    attempts: int = Field(
        5, ge=1, description="attempts per answer before it is left for the next run"
    )
    timeout: float | None = Field(
        None,
        gt=0,
        description="time limit of an attempt, in seconds; null: 120, or 600 for a server on this machine",
    )
    first_wait: float = Field(
        1.0,
        ge=0,
        description="wait before the second attempt, in seconds; each further wait is twice as long",
    )
    longest_wait: float = Field(
        60.0, ge=0, description="longest wait, in seconds, Retry-After included"
    )
    give_up_after: int = Field(
        20, ge=1, description="consecutive failed answers after which the run stops"
    )


class Limits(LimitParameters):
    """The bounds of one model's run: all of them are numbers."""

    concurrency: int
    timeout: float


def limits_for(model: ModelParameters, parameters: LimitParameters) -> Limits:
    """Return the bounds of a model's run, with the defaults that fit its server.

    A server on this machine computes one answer at a time, and slowly: more concurrent requests only run into the
    time-out.
    """
    local = is_local(address_of(model))
    concurrency, timeout = (LOCAL_CONCURRENCY, LOCAL_TIMEOUT) if local else (CONCURRENCY, TIMEOUT)
    servers = model.args.get("servers")
    # A value that is no number is reported when the model is opened.
    if is_served(model.name) and type(servers) is int and servers > 0:
        concurrency = servers
    if model.batch:
        # A provider sends a batch when it is full; its answers take up to a day.
        concurrency = model.batch if isinstance(model.batch, int) and model.batch > 1 else BATCH
        timeout = BATCH_TIMEOUT
    given = parameters.model_dump(exclude_none=True)
    return Limits.model_construct(**{"concurrency": concurrency, "timeout": timeout} | given)


def address_of(model: ModelParameters) -> str:
    """Return the address of a model's server; empty if it has none of its own.

    A model that the run serves is on this machine, on any port.
    """
    if is_served(model.name):
        return "http://127.0.0.1"
    if model.base_url:
        return model.base_url
    return os.environ.get(URL_VARIABLE, "") if model.name.startswith("compatible/") else ""


def is_local(address: str) -> bool:
    """Return whether an address is one of this machine."""
    try:
        host = urlsplit(address if "://" in address else f"//{address}").hostname or ""
        if host == "localhost" or host.endswith(".localhost"):
            return True
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    return found.is_loopback or found.is_unspecified


class ClosedQuestionParameters(Section):
    """Questions of a benchmark with their context, put to models that have it among their benchmarks or name none."""

    prompts: Annotated[list[str], among("prompt", WITH_CONTEXT)] = Field(
        ["zero_shot", "few_shot", "chain_of_thought"],
        description="prompt styles: zero_shot, few_shot, chain_of_thought; an empty list asks nothing",
    )
    sampling: SamplingParameters = SamplingParameters(max_tokens=2048)
    instances: int | None = Field(
        None,
        ge=1,
        description="number of instances asked, evenly spaced over question types and depths; null: all",
    )


def slug_of(model: ModelParameters) -> str:
    """Return what a model's files are called.

    >>> slug_of(ModelParameters(name="openai/gpt-4o")), slug_of(ModelParameters(name="m", label="../x (old)"))
    ('openai-gpt-4o', '-x-old-')
    """
    return slug_of_name(model.label or model.name)


def slug_of_name(name: str) -> str:
    """Return a name with a hyphen for all that a file's name should not have."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).lstrip(".") or "-"


def askable_models(
    models: Sequence[ModelParameters], prompts: Iterable[str], baselines: Iterable[str]
) -> list[ModelParameters]:
    """Return the models that can still be asked, say which were withdrawn, and refuse unknown styles and baselines."""
    distinct_names([model.label or model.name for model in models], "models")
    names = [model.name for model in models if model.name.startswith("baseline/")]
    known_names("baseline", [f"baseline/{name}" for name in baselines], names)
    known_names("prompt", prompts, [prompt for model in models for prompt in model.prompts or ()])
    for model in models:
        if model.withdrawn:
            say(f"{model.label or model.name}: withdrawn by its provider, and skipped")
    return [model for model in models if not model.withdrawn]


def askable(
    prompts: Iterable[str] = STYLES, baselines: Iterable[str] = GENERAL_BASELINES
) -> AfterValidator:
    """Return the check of a list of models: :func:`askable_models`."""
    return AfterValidator(partial(askable_models, prompts=prompts, baselines=baselines))


AskableModels = Annotated[list[ModelParameters], askable()]
"""Models that a section lists, without the withdrawn ones."""


def distinct_names(names: Iterable[str], kind: str) -> None:
    """Raise a ValueError for names of models or learners (``kind``) whose files would be one.

    Upper and lower case count as one: some file systems keep them so.
    """
    seen: dict[str, str] = {}
    for name in names:
        slug = slug_of_name(name).casefold()
        if seen.get(slug) == name:
            raise ValueError(f"two {kind} are called '{name}'; give each its own 'label'")
        if slug in seen:
            raise ValueError(
                f"the {kind} '{seen[slug]}' and '{name}' would share the files called '{slug}'; give one of them"
                " another 'label', with other letters a-z or digits"
            )
        seen[slug] = name


def model_named(
    models: Sequence[ModelParameters], name: str, base_url: str | None
) -> ModelParameters:
    """Return the model of that label or name, at the address if one is given.

    A name with a provider that is not listed makes a new model.
    """
    if base_url:
        try:
            check_address(base_url)
        except ValueError as error:
            raise DivLogicError(f"--base-url: {error}.") from error
    named = [model for model in models if name in (model.label, model.name)]
    if len(named) > 1:
        raise DivLogicError(
            f"the parameters have {len(named)} models named '{name}'; give them labels."
        )
    if named:
        return named[0].model_copy(update={"base_url": base_url}) if base_url else named[0]
    if "/" not in name:
        known = ", ".join(model.label or model.name for model in models) or "no model"
        raise DivLogicError(
            f"unknown model '{name}'; the parameters have {known}. Give a name of theirs, or provider/name as Inspect"
            " calls it (openai/gpt-4o, compatible/NAME, local/FILE.gguf, baseline/uniform)."
        )
    return ModelParameters(name=name, base_url=base_url)

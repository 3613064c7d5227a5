"""The base of every section of params.yaml, and the check that turns a mapping into one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeVar, get_args
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from divlogic.config.keys import KEYS
from divlogic.errors import DivLogicError, nearest

Name = Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,64}$")]
"""A name that becomes part of a path: of a benchmark, a corpus, a prompt style."""

Label = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""What stands for a model in tables: one line."""


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Section(BaseModel):
    """A section that refuses keys it does not know and cannot be changed once it is checked."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Called only for a field that `forget_defaults` removed, or a name that is no field.
            if name in type(self).model_fields:
                raise DivLogicError(
                    f"parameter '{name}' of {type(self).__name__} was not passed to this step; name it in the"
                    " `params_of` of its rule."
                )
            return super().__getattr__(name)

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        """Refuse a smallest value above the largest one: ``min_x`` and ``max_x`` of a section bound one thing."""
        given = {name: self.__dict__.get(name) for name in type(self).model_fields}
        for name, least in given.items():
            most = given.get(name.replace("min_", "max_", 1)) if name.startswith("min_") else None
            if least is not None and most is not None and least > most:
                raise ValueError(
                    f"{name} is {least} and max_{name[4:]} {most}; no value lies between them"
                )
        return self


class SectionsAside(Section):
    """Sections of which a step reads its own; it leaves others unread, which the whole run checks."""

    model_config = ConfigDict(extra="ignore")


class RunParameters(Section):
    """The parameters of the whole run. A phase adds its own section, and the root adds those of all phases."""

    corpus_source: Literal["embedded", "full"] = Field(
        "embedded",
        description="embedded: the small corpora of this repository; full: the real ones",
    )
    mirror: str | None = Field(
        None,
        description="folder of corpora that are already downloaded; searched before anything is downloaded",
    )
    seed: int = Field(20260101, ge=0, lt=2**63, description="seed of all random draws")

    @model_validator(mode="before")
    @classmethod
    def _read_null(cls, value: Any) -> Any:
        # `snakemake --config mirror=null` arrives as the word, not as YAML's null.
        if isinstance(value, dict) and value.get("mirror") in ("null", "None", ""):
            value = {**value, "mirror": None}
        return value


R = TypeVar("R", bound=RunParameters)
S = TypeVar("S", bound=Section)


def check(model: type[R], values: Mapping[str, Any], where: str = "params.yaml") -> R:
    """Check a configuration and fill in the defaults.

    Args:
        model: what to read; the sections of other phases are left unread.
        values: a mapping with the keys of params.yaml.
        where: the place of the values, for error messages.
    """
    others = set(KEYS) - set(model.model_fields)
    own = {key: value for key, value in values.items() if key not in others}
    return check_section(model, own, where, KEYS)


def check_section(
    model: type[S],
    values: Mapping[str, Any],
    where: str,
    known: Sequence[str] = (),
    what: str = "parameter",
) -> S:
    """Check the values of one section and fill in the defaults.

    Args:
        model: the section.
        values: a mapping with its keys.
        where: the place of the values, for error messages.
        known: what an unknown key may have meant; by default the keys of the section.
        what: what messages call a value.
    """
    for place, why in _unusable(values, ()):
        raise DivLogicError(f"{where}: {what} '{'.'.join(place)}' {why}")
    try:
        return model.model_validate(values)
    except ValidationError as error:
        names = known or tuple(model.model_fields)
        sentences = "; ".join(_sentence(model, found, names, what) for found in error.errors())
        raise DivLogicError(f"{where}: {sentences}") from error


def _unusable(value: Any, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what no parameter may be, wherever it stands: a number that is none, a text with control characters."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _unusable(inner, (*place, str(key)))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _unusable(inner, (*place, str(number)))
    elif isinstance(value, float) and not math.isfinite(value):
        yield place, f"is {value}: give a finite number"
    elif isinstance(value, str) and _CONTROL.search(value):
        yield place, f"has a control character ({value[:80]!r}): delete it"


def _sentence(model: type[BaseModel], error: Any, keys: Sequence[str], what: str) -> str:
    """Turn one pydantic error into a sentence with the full name of ``what`` was given."""
    place = [str(part) for part in error["loc"] if part != "[key]"]
    name = ".".join(place)
    if error["type"] == "extra_forbidden":
        known = _keys_of_section(model, place[:-1]) if len(place) > 1 else list(keys)
        return f"unknown {what} '{name}'; {nearest(place[-1], known)}"
    if isinstance(error["input"], Mapping):
        return f"section '{name}': {error['msg'].removeprefix('Value error, ')}".removeprefix(
            "section '': "
        )
    message = error["msg"].removeprefix("Value error, ")
    shown = "" if "credentials" in message else _shown(error["input"])
    return f"{what} '{name}'{shown}: {message[0].lower()}{message[1:]}"


def _shown(value: Any) -> str:
    """Return what was given, cut where it is long; a list would hide the message."""
    text = repr(value)
    if isinstance(value, (list, tuple)) and len(text) > 80:
        return ""
    return f" is {text}" if len(text) <= 160 else f" is {text[:120]}… ({len(text):,} characters)"


def _keys_of_section(model: type[BaseModel], place: list[str]) -> list[str]:
    """List the known keys of the section at ``place``, in which a number or a name stands for an item."""
    section: Any = model
    for part in place:
        if part in section.model_fields:
            annotation = section.model_fields[part].annotation
            kinds = (annotation, *get_args(annotation))
            section = next((kind for kind in kinds if hasattr(kind, "model_fields")), None)
        if section is None:
            return []
    return list(section.model_fields)


_SECRET = re.compile(
    r"(?:^|[_-])(?:api[_-]?key|key|token|secret|password|passwd|auth(?:orization)?)$", re.IGNORECASE
)


def is_secret(name: str) -> bool:
    """Return whether a name is one of keys, tokens and passwords."""
    return _SECRET.search(name) is not None


def check_address(address: str) -> str:
    """Return an address that may stand in parameters.

    Parameters are printed with the commands of rules, and kept with what the commands make: a secret does not belong
    there.

    Raises:
        ValueError: it is no address, or holds credentials.
    """
    if not re.fullmatch(r"https?://[^\s/]+\S*", address):
        raise ValueError("an address begins with http:// or https:// and holds no blanks")
    parts = urlsplit(address)
    _ = parts.port  # raises ValueError for one that is no number up to 65535
    if "@" in parts.netloc or any(is_secret(name) for name, _ in parse_qsl(parts.query)):
        raise ValueError(
            "the address holds credentials, which would be printed and kept with the parameters; put a key into the"
            " environment variable DIVLOGIC_API_KEY, or such an address as a whole into DIVLOGIC_BASE_URL"
        )
    return address


Address = Annotated[str, AfterValidator(check_address)]
"""An address of a server, ending in /v1."""

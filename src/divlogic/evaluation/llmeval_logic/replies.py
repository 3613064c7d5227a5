"""Reading replies: the first balanced JSON object, checked strictly; what cannot be read has its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from divlogic.benchmarks.llmeval_logic.notation import folded
from divlogic.benchmarks.llmeval_logic.schema import read_formalization
from divlogic.logic.theory import Formalization
from divlogic.models.answers import json_objects
from divlogic.models.letters import after_thinking

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"', "：": ":", "，": ","})


class UnreadableError(ValueError):
    """A reply that is no answer: counted wrong, and not asked again."""


def first_object(text: str) -> dict[str, Any]:
    """Return the first balanced JSON object of a reply; typographic quotes are tried where the plain text fails.

    Raises:
        UnreadableError: there is none.
    """
    text = after_thinking(text)
    for candidate in (text, text.translate(_QUOTES)):
        for value in json_objects(candidate):
            return value
    raise UnreadableError("the reply is empty" if not text.strip() else "no JSON object")


def read_answers(text: str, ids: Sequence[str]) -> dict[str, Any]:
    """Return the answers of a reply by question id; a question without an answer has ``None``.

    Raises:
        UnreadableError: there is no object with ``answers``.
    """
    given = first_object(text)
    answers = given.get("answers", given)
    if not isinstance(answers, dict):
        raise UnreadableError("`answers` is not an object")
    return {name: answers.get(name) for name in ids}


def read_candidate(text: str, fixed: Formalization | None = None) -> Formalization:
    """Return the formalization of a reply.

    Args:
        text: the reply.
        fixed: the reference whose symbols must be used; without it the reply declares its own.

    Raises:
        UnreadableError: there is no formalization, it has the wrong shape, or it uses a symbol that is not declared.
    """
    row = {"domain": "open", **first_object(text)}
    row = {key: row.get(key) for key in ("symbols", "premises", "queries", "domain")}
    if fixed is not None:
        row |= {"symbols": list(fixed.symbols), "domain": fixed.domain}
    for name in ("symbols", "premises", "queries"):
        if not isinstance(row.get(name), list):
            raise UnreadableError(f"`{name}` is not a list")
    for key, prefix in (("premises", "P"), ("queries", "Q")):
        row[key] = [_entry(each, f"{prefix}{number}", key) for number, each in enumerate(row[key], start=1)]
    try:
        return read_formalization(row)
    except ValueError as error:
        raise UnreadableError(str(error)) from error


def same_text(given: Any, expected: str) -> bool:
    """Return whether a free answer is the reference's own text, but for punctuation, width and case."""
    return isinstance(given, str) and bool(folded(given)) and folded(given) == folded(expected)


def _entry(value: Any, name: str, key: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        if key == "premises":
            return {"id": name, "formula": value}
        raise UnreadableError(f"an entry of `{key}` is not an object")
    known = ("formula", "type", "targets", "variable", "given", "role")
    return {"id": name, **{field: value[field] for field in known if value.get(field) is not None}}

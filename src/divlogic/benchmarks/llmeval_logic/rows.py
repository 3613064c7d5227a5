"""The JSON and YAML form of items, checked by pydantic: names and kinds of fields, not what formulas say."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from divlogic.logic.theory import Gloss, Kind, QueryType, Role


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TextRow(_Row):
    """A text in one language or two."""

    zh: str = ""
    en: str = ""
    zh_not: str = ""
    en_not: str = ""

    def gloss(self) -> Gloss:
        """Return the text as a dataclass."""
        return Gloss(self.zh, self.zh_not, self.en, self.en_not)


class SymbolRow(_Row):
    """A symbol's declaration."""

    name: str = Field(min_length=1)
    kind: Kind
    arity: int = Field(0, ge=0, le=9)
    sort: str = ""
    gloss: TextRow = TextRow()


class PremiseRow(_Row):
    """A premise; its formula is an S-expression."""

    id: str
    formula: Any
    text: TextRow = TextRow()
    role: Role = "rule"


class QueryRow(_Row):
    """A query; which fields it needs depends on its type."""

    id: str
    type: QueryType
    formula: Any = None
    targets: list[Any] = []
    variable: str = ""
    given: list[Any] | None = None
    text: TextRow = TextRow()


class FormalizationRow(_Row):
    """A formalization as JSON."""

    symbols: list[SymbolRow]
    premises: list[PremiseRow]
    queries: list[QueryRow]
    domain: Literal["open", "closed"] = "open"
    licence: str = ""
    source: str = ""


class ItemRow(FormalizationRow):
    """An own item: a formalization, its texts and its answers by query id."""

    premises: list[PremiseRow] = Field(min_length=1)
    queries: list[QueryRow] = Field(min_length=1)
    id: str
    title: TextRow = TextRow()
    logic: Literal["pl", "fol"] = "pl"
    contradictory: bool = False
    background: TextRow = TextRow()
    question: TextRow = TextRow()
    answer_text: TextRow = TextRow()
    answers: dict[str, Any]


def validated(kind: type[Any], value: Any) -> Any:
    """Return a value as a row of that kind.

    Raises:
        ValueError: a field is missing, unknown or of the wrong kind; the message says where.
    """
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the row"
        raise ValueError(f"{place}: {first['msg'][0].lower()}{first['msg'][1:]}") from error

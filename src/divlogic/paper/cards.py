"""The report's thesis and cards: a number and a sentence for each finding, with the words of ``cards.yaml``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from divlogic.io.files import read_yaml

_TEXTS: dict[str, Any] = read_yaml(Path(__file__).with_name("cards.yaml"))
_TEMPLATES = Environment(undefined=StrictUndefined)
_TEMPLATES.globals.update(number="{:,}".format, percent="{:.0f} %".format)


@dataclass(frozen=True)
class Card:
    """One finding: a number, what it counts, a sentence or two on it, and where the page goes on."""

    number: str
    head: str
    text: str
    link: str = ""
    target: str = ""


def thesis(found: dict[str, Any]) -> str:
    """Return what the report argues, in a sentence or two, from the run's own numbers."""
    made = found["shortcuts"]["made"] if found["shortcuts"] else []
    worst = max(made, key=lambda one: one["worst"]["accuracy"] - one["worst"]["chance"], default=None)
    return _rendered(_TEXTS["thesis"], {**found, "worst": worst})


def cards(found: dict[str, Any]) -> list[Card]:
    """Return the cards of the findings, the weightiest first; what a run lacks has none."""
    return [
        Card(**{name: _rendered(text, found) for name, text in card.items() if name != "when"})
        for card in _TEXTS["cards"]
        if _TEMPLATES.compile_expression(card.get("when", "true"))(found)
    ]


def _rendered(text: str, found: dict[str, Any]) -> str:
    return _TEMPLATES.from_string(_TEXTS["macros"] + text).render(found)

"""Own seeds: scenarios written by hand in Chinese, with English next to it (data/embedded/scenarios, CC0).

A seed is an item with what the hardener needs of its setting: the noun of its domain, second names, spare propositions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml

from divlogic.benchmarks.columns import read_typed
from divlogic.benchmarks.llmeval_logic.schema import Item, item_row, read_item
from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import read_as, read_yaml, write_jsonl
from divlogic.logic.expressions import read_expression
from divlogic.logic.theory import Gloss, Role, Symbol

LICENCE = "CC0-1.0"
_OWN = ("aliases", "things", "changes", "bridges")


@dataclass(frozen=True)
class Alias:
    """A name as the glosses have it, and a second name of the same thing, in each language."""

    zh: tuple[str, str]
    en: tuple[str, str]


@dataclass(frozen=True)
class Noun:
    """What the domain of a first-order scenario consists of, with the measure word that Chinese counts it by."""

    zh: str = ""
    en: str = ""
    counter: str = "个"


@dataclass(frozen=True)
class Stated:
    """A premise written for the hardener: an S-expression and its sentence."""

    formula: Any = field(hash=False)
    text: Gloss
    role: Role = "rule"


@dataclass(frozen=True)
class Change:
    """A change of a scenario that stays plausible in its setting.

    Attributes:
        operator: ``chain`` leads a premise over a further proposition, ``variant`` states it otherwise, ``condition``
            adds one.
        replaces: id of the premise that it takes out; empty for a condition.
    """

    operator: Literal["chain", "variant", "condition"]
    premises: tuple[Stated, ...]
    replaces: str = ""
    symbols: tuple[Symbol, ...] = ()


@dataclass(frozen=True)
class Bridge:
    """A premise that links a scenario to another one.

    Attributes:
        to: id of the other scenario; a bridge to one that is not there is not used.
        formula: over both; names of the other scenario end in ``_2``.
    """

    to: str
    background: Gloss
    formula: Any = field(hash=False)
    text: Gloss


@dataclass(frozen=True)
class Surroundings:
    """What the hardener knows of a scenario.

    Attributes:
        setting: which file the scenario belongs to.
        spare: glossed propositions of the setting that no scenario uses.
        things: the noun of its domain (first order); empty for propositional scenarios.
        asides: groups of premises over spare propositions.
    """

    setting: str
    spare: tuple[Symbol, ...]
    things: Noun = Noun()
    aliases: tuple[Alias, ...] = ()
    asides: tuple[tuple[Stated, ...], ...] = ()
    changes: tuple[Change, ...] = ()
    bridges: tuple[Bridge, ...] = ()


@dataclass(frozen=True)
class Seed(Surroundings):
    """A scenario: its item (texts, formalization and gold answers) with its surroundings."""

    item: Item = field(kw_only=True)


def read_scenarios(folder: Path) -> tuple[Seed, ...]:
    """Read every scenario of a folder of YAML files, in the order of file names."""
    files = sorted(Path(folder).glob("*.yaml"))
    if not files:
        raise DivLogicError(f"{folder}: no scenario file (*.yaml) is here; check the path.")
    seeds: list[Seed] = []
    known: dict[str, Path] = {}
    for path in files:
        for seed in _read_file(path):
            if seed.item.id in known:
                raise DivLogicError(
                    f"{path}, scenario {seed.item.id}: {known[seed.item.id].name} has a scenario of this id; rename one"
                    " of them."
                )
            known[seed.item.id] = path
            seeds.append(seed)
    return tuple(seeds)


def write_seeds(
    source: Annotated[Path, FOLDER, "--in", "Folder of scenarios (yaml)."],
    *,
    out: Annotated[Path, "Seeds (jsonl)."],
    verification: Annotated[
        Path | None, "Table of the answers (csv); their counts go next to it as json."
    ] = None,
) -> None:
    """Read the scenarios and check every answer with both deciders."""
    from divlogic.benchmarks.llmeval_logic.verify import write_verification

    seeds = read_scenarios(source)
    write_verification(source, [seed.item for seed in seeds], [], verification)
    write_jsonl(out, map(seed_row, seeds))


def read_seeds(path: Path) -> Iterator[Seed]:
    """Yield the seeds that :func:`write_seeds` has written."""
    rows = read_as(path, lambda row: _seed(row["item"], row, str(path)), "a seed")
    yield from (seed for _, seed in rows)


def seed_row(seed: Seed) -> dict[str, Any]:
    """Return a seed as JSON."""
    return {"item": item_row(seed.item), **{name: getattr(seed, name) for name in _SURROUNDING}}


def _read_file(path: Path) -> Iterator[Seed]:
    try:
        content = read_yaml(path)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        detail = " ".join(str(error).split())
        raise DivLogicError(
            f"{path}: not a YAML file in UTF-8 ({detail}); correct that place."
        ) from error
    if not isinstance(content, dict) or not isinstance(content.get("scenarios"), list):
        raise DivLogicError(
            f"{path}: `scenarios` is missing or no list; see the README of that folder."
        )
    if content.get("licence") != LICENCE:
        raise DivLogicError(
            f"{path}: the licence is {content.get('licence')!r}; scenarios are released and have to be {LICENCE}."
        )
    for place, scenario in enumerate(content["scenarios"], start=1):
        name = (
            scenario.get("id", f"number {place}")
            if isinstance(scenario, dict)
            else f"number {place}"
        )
        try:
            yield _seed(_item_value(scenario, content), {**content, **scenario}, path.name)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            said = f"the field {error} is missing" if isinstance(error, KeyError) else str(error)
            raise DivLogicError(
                f"{path}, scenario {name}: {said}; correct that scenario."
            ) from error


def _item_value(scenario: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scenario as the schema's item: answers by query id, nothing of the hardener's."""
    queries = [
        {key: part for key, part in query.items() if key != "answer"}
        for query in scenario["queries"]
    ]
    answers = {query["id"]: query["answer"] for query in scenario["queries"]}
    texts = [query["text"] for query in scenario["queries"]]
    question = {language: "\n".join(text[language] for text in texts) for language in ("zh", "en")}
    rest = {key: part for key, part in scenario.items() if key not in (*_OWN, "queries")}
    origin = {"licence": content["licence"], "source": "DivLogic scenarios"}
    return {**rest, "question": question, "queries": queries, "answers": answers, **origin}


def _seed(item_value: Mapping[str, Any], extras: Mapping[str, Any], where: str) -> Seed:
    item = read_item(dict(item_value), where)
    theory = item.formalization
    for symbol in theory.symbols:
        gloss = symbol.gloss
        if not (
            gloss.zh and gloss.en and (symbol.kind == "const" or (gloss.zh_not and gloss.en_not))
        ):
            raise ValueError(f"the symbol '{symbol.name}' lacks a gloss in a language or polarity")
    around = read_typed(
        Surroundings, {name: extras[name] for name in _SURROUNDING if name in extras}
    )
    if item.logic == "fol" and not (around.things.zh and around.things.en):
        raise ValueError("`things` is missing: the noun of the domain, in zh and en")
    for alias in around.aliases:
        for language, names in vars(alias).items():
            if not any(names[0] in getattr(symbol.gloss, language) for symbol in theory.symbols):
                raise ValueError(
                    f"the alias {list(names)} is no pair of names whose first one a gloss holds"
                )
    symbols = _named(theory.symbols)
    for symbol in (*around.spare, *(each for change in around.changes for each in change.symbols)):
        if symbol.name in symbols or symbol.kind != "prop":
            raise ValueError(
                f"the spare symbol '{symbol.name}' is no proposition, or a symbol has its name"
            )
    known = {"", *(premise.id for premise in theory.premises)}
    for change in around.changes:
        if (
            bool(change.replaces) == (change.operator == "condition")
            or change.replaces not in known
        ):
            raise ValueError(
                f"a {change.operator} replaces the premise '{change.replaces}'; name one of the scenario's premises"
                " (a condition replaces none)"
            )
    stated = [
        (each, symbols | _named(one.symbols)) for one in around.changes for each in one.premises
    ]
    stated += [(each, _named(around.spare)) for aside in around.asides for each in aside]
    for each, vocabulary in stated:
        read_expression(each.formula, vocabulary)
    texts = [(premise.id, premise.text) for premise in theory.premises]
    texts += [(query.id, query.text) for query in theory.queries]
    texts += [(f"the premise {each.formula}", each.text) for each, _ in stated]
    for name, text in texts:
        if not (text.zh and text.en):
            raise ValueError(f"{name} lacks its text in a language")
    return Seed(**vars(around), item=item)


def _named(symbols: Iterable[Symbol]) -> dict[str, Symbol]:
    return {symbol.name: symbol for symbol in symbols}


_SURROUNDING = [each.name for each in fields(Surroundings)]

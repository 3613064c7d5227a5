"""Own seeds: scenarios written by hand in Chinese, with English next to it (data/embedded/scenarios, CC0).

A seed is an item with what the hardener needs of its setting: the noun of its domain, second names, spare propositions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.llmeval_logic.schema import Item, item_row, read_item
from divlogic.errors import DivLogicError
from divlogic.logic.theory import Gloss, Symbol, answer_text

LICENCE = "CC0-1.0"
_OWN = ("aliases", "things")


@dataclass(frozen=True, slots=True)
class Alias:
    """A name as the glosses have it, and a second name of the same thing, in each language."""

    zh: tuple[str, str]
    en: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Noun:
    """What the domain of a first-order scenario consists of, with the measure word that Chinese counts it by."""

    zh: str = ""
    en: str = ""
    counter: str = "个"


@dataclass(frozen=True, slots=True)
class Seed:
    """A scenario.

    Attributes:
        item: texts, formalization and gold answers.
        setting: which file it belongs to.
        things: the noun of its domain (first order); empty for propositional seeds.
        aliases: second names.
        spare: glossed propositions of the setting that the scenario does not use.
    """

    item: Item
    setting: str
    things: Noun
    aliases: tuple[Alias, ...]
    spare: tuple[Symbol, ...]


def read_scenarios(folder: Path) -> tuple[Seed, ...]:
    """Read every scenario of a folder of YAML files, in the order of file names.

    Raises:
        DivLogicError: a file or scenario cannot be used; the message names both.
    """
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


def verify_seeds(seeds: Iterable[Seed]) -> None:
    """Check every gold answer with both deciders, and that contradictory premises are announced.

    Raises:
        DivLogicError: an answer is not what the premises say, or premises contradict each other unannounced.
    """
    from divlogic.logic.deciding import decide

    for seed in seeds:
        item = seed.item
        where = f"{item.source}, scenario {item.id}"
        decision = decide(item.formalization, where=where)
        if decision.satisfiable == item.contradictory:
            stated, found = (
                ("contradictory", "have a model") if item.contradictory else ("consistent", "have none")
            )
            raise DivLogicError(
                f"{where}: the premises are said to be {stated} and {found}; correct `contradictory` or the premises."
            )
        for verdict, gold in zip(decision.verdicts, item.answers, strict=True):
            if verdict.status != "decided" or verdict.answer != gold:
                raise DivLogicError(
                    f"{where}, query {verdict.query}: the answer is given as {answer_text(gold)}, and the premises say"
                    f" {answer_text(verdict.answer)} ({verdict.status}); correct the answer or the premises."
                )


def write_seeds(folder: Path, out: Path) -> int:
    """Read, verify and write the scenarios of a folder, one row each; return their number.

    Raises:
        DivLogicError: as :func:`read_scenarios` and :func:`verify_seeds`.
    """
    from divlogic.io.files import write_jsonl

    seeds = read_scenarios(folder)
    verify_seeds(seeds)
    return write_jsonl(out, map(seed_row, seeds))


def read_seeds(path: Path) -> Iterator[Seed]:
    """Yield the seeds that :func:`write_seeds` has written.

    Raises:
        DivLogicError: the file is missing, or a row is no seed.
    """
    from divlogic.io.files import read_as

    for _, seed in read_as(path, lambda row: _seed(row["item"], row, str(path)), "a seed"):
        yield seed


def seed_row(seed: Seed) -> dict[str, Any]:
    """Return a seed as JSON."""
    return {
        "item": item_row(seed.item),
        "setting": seed.setting,
        "things": {"zh": seed.things.zh, "en": seed.things.en, "counter": seed.things.counter},
        "aliases": [{"zh": list(alias.zh), "en": list(alias.en)} for alias in seed.aliases],
        "spare": [_symbol_row(symbol) for symbol in seed.spare],
    }


def _read_file(path: Path) -> Iterator[Seed]:
    import yaml

    try:
        # The parser in C takes a tenth of the time; not every build of PyYAML has it.
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        detail = " ".join(str(error).split())
        raise DivLogicError(f"{path}: not a YAML file in UTF-8 ({detail}); correct that place.") from error
    if not isinstance(content, dict) or not isinstance(content.get("scenarios"), list):
        raise DivLogicError(f"{path}: `scenarios` is missing or no list; see the README of that folder.")
    if content.get("licence") != LICENCE:
        raise DivLogicError(
            f"{path}: the licence is {content.get('licence')!r}; scenarios are released and have to be {LICENCE}."
        )
    for place, scenario in enumerate(content["scenarios"], start=1):
        name = scenario.get("id", f"number {place}") if isinstance(scenario, dict) else f"number {place}"
        try:
            yield _seed(_item_value(scenario, content), {**content, **scenario}, path.name)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            said = f"the field {error} is missing" if isinstance(error, KeyError) else str(error)
            raise DivLogicError(f"{path}, scenario {name}: {said}; correct that scenario.") from error


def _item_value(scenario: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scenario as the schema's item: answers by query id, nothing of the hardener's."""
    queries = [{key: part for key, part in query.items() if key != "answer"} for query in scenario["queries"]]
    answers = {query["id"]: query["answer"] for query in scenario["queries"]}
    question = {
        language: "\n".join(query["text"][language] for query in scenario["queries"])
        for language in ("zh", "en")
    }
    rest = {key: part for key, part in scenario.items() if key not in (*_OWN, "queries")}
    return {
        **rest,
        "question": question,
        "queries": queries,
        "answers": answers,
        "licence": content["licence"],
        "source": "DivLogic scenarios",
    }


def _seed(item_value: Mapping[str, Any], extras: Mapping[str, Any], where: str) -> Seed:
    item = read_item(dict(item_value), where)
    theory = item.formalization
    for symbol in theory.symbols:
        negative = symbol.kind == "const" or (symbol.gloss.zh_not and symbol.gloss.en_not)
        if not (symbol.gloss.zh and symbol.gloss.en and negative):
            raise ValueError(f"the symbol '{symbol.name}' lacks a gloss in a language or polarity")
    texts = [(each.id, each.text) for each in theory.premises] + [
        (each.id, each.text) for each in theory.queries
    ]
    for name, text in texts:
        if not (text.zh and text.en):
            raise ValueError(f"{name} lacks its text in a language")
    things = extras.get("things") or {}
    if item.logic == "fol" and not (things.get("zh") and things.get("en")):
        raise ValueError("`things` is missing: the noun of the domain, in zh and en")
    aliases = tuple(Alias(tuple(row["zh"]), tuple(row["en"])) for row in extras.get("aliases", ()))
    words = {
        language: [getattr(symbol.gloss, language) for symbol in theory.symbols] for language in ("zh", "en")
    }
    for alias in aliases:
        for language, names in (("zh", alias.zh), ("en", alias.en)):
            if len(names) != 2 or not any(names[0] in gloss for gloss in words[language]):
                raise ValueError(
                    f"the alias {list(names)} is not a pair of names whose first one a gloss holds"
                )
    spare = tuple(
        Symbol(row["name"], row["kind"], row.get("arity", 0), "", Gloss(**row["gloss"]))
        for row in extras["spare"]
    )
    taken = {symbol.name for symbol in theory.symbols}
    for symbol in spare:
        if symbol.name in taken or symbol.kind != "prop":
            raise ValueError(
                f"the spare symbol '{symbol.name}' is not a proposition, or a symbol has its name"
            )
    return Seed(item, extras["setting"], Noun(**things), aliases, spare)


def _symbol_row(symbol: Symbol) -> dict[str, Any]:
    gloss = symbol.gloss
    return {
        "name": symbol.name,
        "kind": symbol.kind,
        "gloss": {"zh": gloss.zh, "zh_not": gloss.zh_not, "en": gloss.en, "en_not": gloss.en_not},
    }

"""A draft: the theory that operators change, before it has sub-questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic.hardener.wording import (
    TEMPLATES,
    ChineseWording,
    Language,
    both,
    said,
)
from divlogic.benchmarks.llmeval_logic.seeds import Noun, Seed
from divlogic.logic.deciding import Space, ground_atoms
from divlogic.logic.expressions import read_expression
from divlogic.logic.syntax import Atom
from divlogic.logic.theory import Formalization, Gloss, Premise, Role, Symbol

MAX_ATOMS = 18
"""Largest number of (ground) atoms whose valuations are listed."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What operators work on.

    Attributes:
        symbols, premises: the theory; the domain counts as closed.
        core: names of the symbols that sub-questions may be about; distractors bring others.
    """

    seeds: tuple[Seed, ...]
    symbols: tuple[Symbol, ...]
    premises: tuple[Premise, ...]
    core: tuple[str, ...]
    things: Noun
    title: Gloss
    background: Gloss
    operators: tuple[str, ...] = ()

    @property
    def wording(self) -> ChineseWording:
        """The templates over the draft's symbols."""
        return ChineseWording({symbol.name: symbol for symbol in self.symbols}, self.things)

    @property
    def first_order(self) -> bool:
        """Whether it has constants."""
        return any(symbol.kind == "const" for symbol in self.symbols)

    def space(self) -> Space:
        """Return its valuations, among which the hardener searches; a ValueError if there are too many."""
        return Space(self.symbols, MAX_ATOMS)

    def core_atoms(self) -> list[Atom]:
        """Return the atoms that sub-questions may be about; those of one thing twice, as "R(a, a)", read oddly."""
        core = [
            symbol for symbol in self.symbols if symbol.name in self.core or symbol.kind == "const"
        ]
        return [atom for atom in ground_atoms(core) if len(set(atom.terms)) == len(atom.terms)]

    def made(
        self, expression: Any, role: Role, text: Gloss | None = None, name: str = ""
    ) -> Premise:
        """Return a premise for an expression, worded by the templates unless a text is given."""
        words = self.wording
        sentence = read_expression(expression, words.symbols)
        return Premise(
            name or self.fresh(), sentence, text or words.sentence(expression), role, expression
        )

    def fresh(self) -> str:
        """Return an id that no premise has."""
        used = {premise.id for premise in self.premises}
        return next(name for n in count(len(self.premises) + 1) if (name := f"P{n}") not in used)

    def replacing(self, old: Premise, *new: Premise) -> Draft:
        """Return the draft with a premise replaced; the new ones get ids of their own."""
        premises = [premise for premise in self.premises if premise is not old]
        return replace(self, premises=tuple(premises)).adding(*new)

    def adding(self, *new: Premise) -> Draft:
        """Return the draft with further premises; the new ones get ids of their own."""
        draft = self
        for premise in new:
            draft = replace(draft, premises=(*draft.premises, replace(premise, id=draft.fresh())))
        return draft

    def with_symbols(self, symbols: Iterable[Symbol], *, core: bool = True) -> Draft:
        """Return the draft with further symbols."""
        symbols = tuple(symbols)
        names = [symbol.name for symbol in symbols if symbol.kind != "const" and core]
        return replace(self, symbols=(*self.symbols, *symbols), core=(*self.core, *names))

    def theory(self) -> Formalization:
        """Return the theory."""
        licence = self.seeds[0].item.formalization.licence
        domain: Literal["closed", "open"] = "closed" if self.first_order else "open"
        return Formalization(self.symbols, self.premises, (), domain, licence, "DivLogic hardener")


def draft_of(seed: Seed) -> Draft:
    """Return a seed as a draft; an open first-order domain is closed, in words too."""
    item = seed.item
    theory = item.formalization
    background = item.background
    if theory.constants and theory.domain == "open":

        def closed(language: Language) -> str:
            constants = [symbol.gloss for symbol in theory.symbols if symbol.kind == "const"]
            *names, last = (getattr(gloss, language) for gloss in constants)
            before = [TEMPLATES["comma"][language].join(names)] if names else []
            listed = TEMPLATES["names"][language].join([*before, last])
            opening, things = getattr(background, language), getattr(seed.things, language)
            return said("closed domain", language, opening, things, listed)

        background = both(closed)
    core = tuple(symbol.name for symbol in theory.symbols if symbol.kind != "const")
    return Draft(
        (seed,), theory.symbols, theory.premises, core, seed.things, item.title, background
    )

"""A draft: the theory that operators change, before it has sub-questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from divlogic.benchmarks.llmeval_logic.hardener.wording import Wording
from divlogic.benchmarks.llmeval_logic.seeds import Noun, Seed
from divlogic.logic.expressions import read_expression
from divlogic.logic.theory import Formalization, Gloss, Premise, Role, Symbol


@dataclass(frozen=True, slots=True)
class Draft:
    """What operators work on.

    Attributes:
        seeds: what it is made from.
        symbols, premises: the theory; the domain counts as closed.
        core: names of the symbols that sub-questions may be about; distractors bring others.
        operators: names of the operators applied.
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
    def wording(self) -> Wording:
        """The templates over the draft's symbols."""
        return Wording({symbol.name: symbol for symbol in self.symbols}, self.things)

    @property
    def first_order(self) -> bool:
        """Whether it has constants."""
        return any(symbol.kind == "const" for symbol in self.symbols)

    def made(
        self, expression: Any, role: Role = "rule", text: Gloss | None = None, name: str = ""
    ) -> Premise:
        """Return a premise for an expression, worded by the templates unless a text is given."""
        sentence = read_expression(expression, {symbol.name: symbol for symbol in self.symbols})
        text = text or self.wording.sentence(expression)
        return Premise(name or self.fresh(), sentence, text, role, expression)

    def fresh(self) -> str:
        """Return an id that no premise has."""
        used = {premise.id for premise in self.premises}
        number = len(self.premises) + 1
        while f"P{number}" in used:
            number += 1
        return f"P{number}"

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
        names = tuple(symbol.name for symbol in symbols if symbol.kind != "const")
        return replace(
            self,
            symbols=(*self.symbols, *symbols),
            core=(*self.core, *names) if core else self.core,
        )

    def applied(self, name: str) -> Draft:
        """Return the draft with the name of an operator noted."""
        return replace(self, operators=(*self.operators, name))

    def theory(self) -> Formalization:
        """Return the theory."""
        return Formalization(
            self.symbols,
            self.premises,
            (),
            "closed" if self.first_order else "open",
            self.seeds[0].item.formalization.licence,
            "DivLogic hardener",
        )


def draft_of(seed: Seed) -> Draft:
    """Return a seed as a draft; an open first-order domain is closed, in words too."""
    item = seed.item
    theory = item.formalization
    background = item.background
    constants = [theory.symbol(name).gloss for name in theory.constants]
    if constants and theory.domain == "open":
        zh = "、".join(gloss.zh for gloss in constants[:-1])
        zh = f"{zh}和{constants[-1].zh}" if zh else constants[-1].zh
        en = " and ".join(gloss.en for gloss in constants)
        background = Gloss(
            zh=f"{background.zh}这里涉及的{seed.things.zh}只有{zh}，此外没有别的{seed.things.zh}。",
            en=f"{background.en} There is no {seed.things.en} here other than {en}.",
        )
    return Draft(
        (seed,),
        theory.symbols,
        theory.premises,
        tuple(symbol.name for symbol in theory.symbols if symbol.kind != "const"),
        seed.things,
        item.title,
        background,
    )

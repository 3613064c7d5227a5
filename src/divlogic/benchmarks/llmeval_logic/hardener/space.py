"""The valuations of a closed theory as bit sets: a theory with a premise taken out or added is one conjunction away.

First-order theories over a closed domain are grounded first. The hardener searches here; what it accepts is decided
again by both deciders on the theory as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from divlogic.logic.by_tables import sentence_table
from divlogic.logic.fol import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.tables import truth_space
from divlogic.logic.theory import Symbol, target_name

MAX_ATOMS = 18
"""Largest number of (ground) atoms whose valuations are listed."""


def ground_atoms(symbols: Iterable[Symbol]) -> tuple[Atom, ...]:
    """Return the propositions and the predicates of all constants, in the order of the symbols."""
    symbols = tuple(symbols)
    constants = [symbol.name for symbol in symbols if symbol.kind == "const"]
    atoms = []
    for symbol in symbols:
        if symbol.kind == "prop":
            atoms.append(Atom(symbol.name, ()))
        elif symbol.kind == "pred":
            atoms += [Atom(symbol.name, terms) for terms in product(constants, repeat=symbol.arity)]
    return tuple(atoms)


class Space:
    """All valuations of the ground atoms of closed theories over some symbols.

    Raises:
        ValueError: there are more than ``MAX_ATOMS`` atoms.
    """

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        symbols = tuple(symbols)
        self.constants = tuple(symbol.name for symbol in symbols if symbol.kind == "const")
        self.atoms = ground_atoms(symbols)
        if len(self.atoms) > MAX_ATOMS:
            raise ValueError(f"{len(self.atoms)} ground atoms are too many")
        self._space = truth_space(*[(target_name(atom),) for atom in self.atoms])
        self._tables: dict[Sentence, int] = {}
        self._models: dict[tuple[int, tuple[Atom, ...], int], tuple[tuple[int, ...], ...] | None] = {}
        self.full = self._space.full

    def table(self, sentence: Sentence) -> int:
        """Return the bit set of the valuations that make a sentence true."""
        found = self._tables.get(sentence)
        if found is None:
            ground = grounded(sentence, self.constants)
            whole = self.full if ground is True else 0
            found = whole if isinstance(ground, bool) else sentence_table(self._space, ground)
            self._tables[sentence] = found
        return found

    def conjunction(self, sentences: Iterable[Sentence]) -> int:
        """Return the bit set of the valuations that make every sentence true."""
        true = self.full
        for sentence in sentences:
            true &= self.table(sentence)
        return true

    def models(self, true: int, targets: Sequence[Atom], most: int) -> tuple[tuple[int, ...], ...] | None:
        """Return the models projected to targets, each as the places of those that hold; ``None`` above ``most``."""
        key = (true, tuple(targets), most)
        if key not in self._models:
            self._models[key] = self._projected(true, targets, most)
        return self._models[key]

    def _projected(self, true: int, targets: Sequence[Atom], most: int) -> tuple[tuple[int, ...], ...] | None:
        parts: list[tuple[tuple[int, ...], int]] = [((), true)] if true else []
        for place, target in enumerate(targets):
            mask = self._space.masks[target_name(target)]
            halves = []
            for row, part in parts:
                with_target = part & mask
                if with_target:
                    halves.append(((*row, place), with_target))
                if with_target != part:
                    halves.append((row, part ^ with_target))
            if len(halves) > most:
                return None
            parts = halves
        return tuple(sorted(row for row, _ in parts))

    def first(self, true: int) -> int:
        """Return the first of some valuations, as a bit set."""
        return true & -true


def grounded(sentence: Sentence, constants: Sequence[str]) -> Sentence | bool:
    """Return a sentence of a closed domain without quantifiers and terms: ``P(a)`` becomes a proposition."""
    return _ground(sentence, {}, constants)


def atoms_of(sentence: Sentence | bool) -> Iterator[str]:
    """Yield the names of a ground sentence's atoms."""
    match sentence:
        case Atom(name, _):
            yield name
        case Negation(operand):
            yield from atoms_of(operand)
        case Binary(_, left, right):
            yield from atoms_of(left)
            yield from atoms_of(right)


def _ground(sentence: Sentence, bound: dict[str, str], constants: Sequence[str]) -> Sentence | bool:
    match sentence:
        case Atom("=", (left, right)):
            return bound.get(left, left) == bound.get(right, right)
        case Atom(name, terms):
            return Atom(target_name(Atom(name, tuple(bound.get(term, term) for term in terms))), ())
        case Negation(operand):
            inner = _ground(operand, bound, constants)
            return (not inner) if isinstance(inner, bool) else Negation(inner)
        case Binary(sign, left, right):
            return _joined(sign, _ground(left, bound, constants), _ground(right, bound, constants))
        case Quantified(sign, variable, body):
            join, result = ("∧", True) if sign == "∀" else ("∨", False)
            total: Sentence | bool = result
            for constant in constants:
                total = _joined(join, total, _ground(body, {**bound, variable: constant}, constants))
            return total
    raise ValueError("not a sentence")


def _joined(sign: str, left: Sentence | bool, right: Sentence | bool) -> Sentence | bool:
    """Join two ground sentences; truth values are worked in."""
    if not isinstance(left, bool) and not isinstance(right, bool):
        return Binary(sign, left, right)
    if sign == "→":
        return _joined("∨", _opposite(left), right)
    if sign in ("↔", "⊕"):
        value, other = (left, right) if isinstance(left, bool) else (right, left)
        return other if value == (sign == "↔") else _opposite(other)
    value, other = (left, right) if isinstance(left, bool) else (right, left)
    return other if value == (sign == "∧") else value


def _opposite(sentence: Sentence | bool) -> Sentence | bool:
    return (not sentence) if isinstance(sentence, bool) else Negation(sentence)

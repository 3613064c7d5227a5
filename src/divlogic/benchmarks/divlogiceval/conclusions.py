"""Quartets of 3c1e and 3e1c: four options, and for each a passage in which it alone follows, or alone fails to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from divlogic.benchmarks.divlogiceval.matching import SIZE, Fits, all_but_one, kept_bits, one_each
from divlogic.benchmarks.divlogiceval.propositions import IMPLICATION, LITERAL, Proposition
from divlogic.benchmarks.divlogiceval.skeletons import (
    LITERALS,
    Bits,
    Skeletons,
    Whole,
    Wirings,
    fact_propositions,
    wire,
)
from divlogic.draws import Draws

BATCHES = {"3c1e": 48, "3e1c": 192}
_WIRINGS = {"3c1e": 32, "3e1c": 96}
_GLANCE = 16


@dataclass(frozen=True, slots=True)
class Found:
    """Four contexts and four options, each of which is right in the context at its place.

    Attributes:
        contexts: the four passages.
        conclusion: what follows once the right option is added; ``None``: the options themselves are conclusions.
        options: the four options.
    """

    contexts: tuple[tuple[Proposition, ...], ...]
    conclusion: Proposition | None
    options: tuple[Proposition, ...]


def find_conclusions(
    question_type: str, skeletons: Skeletons, draws: Draws, fits: Fits | None = None
) -> Iterator[Found]:
    """Find quartets of 3c1e or 3e1c, at most one for each skeleton; what follows must fit."""
    three = question_type == "3e1c"
    if three:
        # Few skeletons ever let three options follow; a glance at some wirings tells which.
        glance, _ = _verdicts(skeletons, wire(skeletons, _GLANCE))
        several = np.bitwise_count(glance).sum(axis=0) >= SIZE - 1
        skeletons = skeletons.take(several.sum(axis=1) >= 2)
    wirings = wire(skeletons, _WIRINGS[question_type])
    follows, fails = _verdicts(skeletons, wirings)
    # Cheap necessary conditions spare most skeletons the search.
    varied = np.bitwise_or.reduce(follows, axis=2) & np.bitwise_or.reduce(fails, axis=2)
    hopeful = np.bitwise_count(varied).sum(axis=0) >= SIZE
    enough = np.bitwise_count(follows).sum(axis=0) >= (3 if three else 1)
    hopeful &= enough.sum(axis=1) >= SIZE
    for row in np.flatnonzero(hopeful).tolist():
        kept = np.flatnonzero(enough[row])
        right, wrong = _packed(follows[:, row, kept]), _packed(fails[:, row, kept])
        facts = fact_propositions(int(skeletons.facts[row]))

        def context(
            wiring: int, row: int = row, kept: Whole = kept, facts: list[Proposition] = facts
        ) -> tuple[Proposition, ...]:
            return (*wirings.rules(skeletons, row, int(kept[wiring])), *facts)

        if fits is not None:
            right = [_fitting(bits, context(at), fits) for at, bits in enumerate(right)]
        choices = all_but_one(wrong, right, draws) if three else one_each(right, wrong, draws)
        if choices is not None:
            yield Found(
                tuple([context(wiring) for wiring, _ in choices]),
                None,
                tuple([_option(option, draws) for _, option in choices]),
            )


def _verdicts(skeletons: Skeletons, wirings: Wirings) -> tuple[Bits, Bits]:
    """Return what follows, and what does not, from each wiring; shape (16, B, W) each.

    Bit Y of row X stands for the implication from X to Y, bit X of row X for the literal X. Of an implication and its
    contrapositive only one is kept. What follows vacuously or from one proposition stands in neither.
    """
    sound = np.where(wirings.sound, np.uint16(0xFFFF), np.uint16(0))
    allowed = skeletons.options[:, None] & sound
    stated = skeletons.facts[:, None]
    follows, fails = np.zeros_like(wirings.reach), np.zeros_like(wirings.reach)
    for literal in range(LITERALS):
        own = np.uint16(1 << literal)
        there = _mask(allowed, literal)
        # An implication whose antecedent is known to be false, or whose consequent is known, is settled without it.
        useful = np.uint16(_FIRST[literal]) & allowed & ~wirings.known & ~_mask(wirings.known, literal ^ 1)
        follows[literal] = there & useful & wirings.reach[literal] & ~wirings.direct[literal]
        fails[literal] = there & useful & ~wirings.reach[literal]
        follows[literal] |= there & own & wirings.known & ~stated
        fails[literal] |= there & own & ~wirings.known
    return follows, fails


def _mask(bits: Bits, literal: int) -> Bits:
    """Return all ones where the literal is in the set, else nothing."""
    return np.uint16(0) - (bits >> np.uint16(literal) & np.uint16(1))


def _first_forms() -> list[int]:
    """Return for each literal X the literals Y such that X→Y, and not its contrapositive, stands for both."""
    masks = [0] * LITERALS
    for left in range(LITERALS):
        for right in range(LITERALS):
            if left >> 1 != right >> 1 and (left, right) < (right ^ 1, left ^ 1):
                masks[left] |= 1 << right
    return masks


_FIRST = _first_forms()


def _fitting(bits: int, context: tuple[Proposition, ...], fits: Fits) -> int:
    """Return those of a context's propositions, as bits, that fit it."""
    return kept_bits(bits, lambda number: fits(context, _proposition(number)))


def _packed(rows: Bits) -> list[int]:
    """Turn an array of shape (16, W) into one integer per wiring: bit ``16 * row + bit``."""
    data = np.ascontiguousarray(rows.T).astype("<u2").tobytes()
    step = 2 * LITERALS
    return [int.from_bytes(data[at : at + step], "little") for at in range(0, len(data), step)]


def _proposition(number: int) -> Proposition:
    """Return the option with a number of :func:`_packed`."""
    left, right = divmod(number, LITERALS)
    return (LITERAL, left) if left == right else (IMPLICATION, left, right)


def _option(number: int, draws: Draws) -> Proposition:
    """Return an option as it is shown: of an implication, or its contrapositive, either at random."""
    proposition = _proposition(number)
    if proposition[0] == LITERAL or draws.chance(0.5):
        return proposition
    _, left, right = proposition
    return (IMPLICATION, right ^ 1, left ^ 1)

"""Premises that say the same in other sentences, chosen so that the members of a three have equal counts.

*If A, then B* says what *if not B, then not A* and *not A or B* say. So passages whose premises join the same numbers
of statements can be put in sentences with the same connectives, negations and mentions of what is asked. This is done
by construction: the sums that the premises of each member can reach are found, one sum that all reach is drawn, and
for each member sentences that add up to it.

What is left to decide a label is the side of an arrow on which an asked statement stands *and* whether it is negated
there, for both sentences that mention it. Either alone tells nothing: of the two mentions none, one or both are negated
with the probabilities 1/4, 1/2 and 1/4, and how often the statement stands behind an arrow is distributed so for every
label.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, Proposition, atoms_of, negated
from divlogic.draws import Draws

_ROW = 64
"""A sum is conditionals + 64 · negations (the disjunctions follow from the number of joints)."""
_WAYS = ((0, 1), (1, 0), (1, 2), (2, 1))
"""Negated mentions of what is asked, and how often it stands behind an arrow in the last passage; all are as likely."""

Passage = tuple[Proposition, ...]
Counts = tuple[int, ...]
"""What can be counted of a sentence: mentions, conditionals, negations, and of an asked statement the depth of its
mention and whether it is negated."""


def matched(
    members: Sequence[tuple[Passage, int]], draws: Draws
) -> list[dict[Proposition, Proposition]] | None:
    """Return for each passage what its premises become, or ``None`` if their counts cannot be equal.

    Args:
        members: for each label the premises, and the atom that is asked, which two of them mention once each. In the
            last it stands on both sides, in the others on one, so that there it stands once behind an arrow where it
            is negated once.
        draws: the stream that decides.
    """
    holders = [[premise for premise in premises if atom in atoms_of(premise)] for premises, atom in members]
    rests = [[premise for premise in premises if atom not in atoms_of(premise)] for premises, atom in members]
    signatures = [_signatures(held, atom) for held, (_, atom) in zip(holders, members, strict=True)]
    reached = [_reachable(rest) for rest in rests]
    common = set.intersection(*map(set, signatures))
    sums = set.intersection(*[set(_bits(sums[-1])) for sums in reached])
    asked = members[-1][1]
    ways = {
        way: [
            (signature, passage)
            for signature in sorted(common)
            for passage in signatures[-1][signature]
            if way == (sum(row[-1] for row in signature), sum(_behind(one, asked) for one in passage))
        ]
        for way in _WAYS
    }
    if not sums or not all(ways.values()):
        return None
    alike = ways[draws.pick(_WAYS)]
    fewest = min(sum(row[2] for row in signature) for signature, _ in alike)
    signature, last = draws.pick([one for one in alike if sum(row[2] for row in one[0]) == fewest])
    passages = [draws.pick(own[signature]) for own in signatures[:-1]] + [last]
    # Of denials as few as can be, or one more: the number of conditionals varies with it.
    least = min(sums) // _ROW
    total = draws.pick(sorted(sum_ for sum_ in sums if sum_ // _ROW <= least + 1))
    return [
        dict(zip(held, passage, strict=True)) | dict(_reaching(rest, prefixes, total, draws))
        for held, passage, rest, prefixes in zip(holders, passages, rests, reached, strict=True)
    ]


def _behind(p: Proposition, atom: int) -> bool:
    return p[0] == IF and atom in atoms_of(p[2])


def counted(premise: Proposition, asked: int = -1) -> Counts:
    """Count mentions, conditionals and negations of a premise, and how deep and how often negated an atom stands."""
    counts = [0, 0, 0, 0, 0]

    def visit(part: Proposition, depth: int) -> None:
        if type(part) is int:
            counts[0] += 1
            counts[2] += part & 1
            if part >> 1 == asked:
                counts[3] += depth
                counts[4] += part & 1
            return
        counts[1] += part[0] == IF
        counts[2] += part[0] == NOT
        for inner in part[1:]:
            visit(inner, depth + (part[0] != NOT))

    visit(premise, 0)
    return tuple(counts)


@lru_cache(maxsize=1 << 14)
def sentences(p: Proposition) -> tuple[Proposition, ...]:
    """List the propositions that join the parts of ``p`` otherwise and say the same; what is denied is no conditional.

    English readers do not take *it is not true that if A, then B* for *A, and not B*.
    """
    if type(p) is int:
        return (p,)
    if p[0] == NOT:
        return tuple((NOT, inner) for inner in sentences(p[1]) if inner[0] == OR)
    left, right = (negated(p[1]), p[2]) if p[0] == IF else p[1:]
    first, second = sentences(left), sentences(right)
    return (
        *((OR, a, b) for a, b in product(first, second)),
        *((OR, b, a) for a, b in product(first, second)),
        *((IF, a, b) for a, b in product(sentences(negated(left)), second)),
        *((IF, b, a) for b, a in product(sentences(negated(right)), first)),
    )


def _signatures(holders: Sequence[Proposition], atom: int) -> dict[tuple[Counts, ...], list[Passage]]:
    """Return what the counts of the sentences on an atom can be, sorted, and the sentences that have them."""
    found: dict[tuple[Counts, ...], list[Passage]] = defaultdict(list)
    for passage in product(*map(sentences, holders)):
        found[tuple(sorted(counted(sentence, atom) for sentence in passage))].append(passage)
    return found


@lru_cache(maxsize=1 << 14)
def _by_sum(premise: Proposition) -> dict[int, list[Proposition]]:
    found: dict[int, list[Proposition]] = defaultdict(list)
    for sentence in sentences(premise):
        _, conditionals, negations, *_ = counted(sentence)
        found[conditionals + _ROW * negations].append(sentence)
    return found


def _reachable(premises: Sequence[Proposition]) -> list[int]:
    """Return the sums that no premise, the first, the first two ... can reach: a bit for each."""
    reached = [1]
    for premise in premises:
        reached.append(0)
        for sum_ in _by_sum(premise):
            reached[-1] |= reached[-2] << sum_
    return reached


def _reaching(
    premises: Sequence[Proposition], reached: Sequence[int], total: int, draws: Draws
) -> Iterator[tuple[Proposition, Proposition]]:
    """Draw sentences that add up to a sum."""
    for premise, before in zip(reversed(premises), reversed(reached[:-1]), strict=True):
        by_sum = _by_sum(premise)
        sum_ = draws.pick([one for one in by_sum if one <= total and before >> (total - one) & 1])
        yield premise, draws.pick(by_sum[sum_])
        total -= sum_


def _bits(number: int) -> Iterator[int]:
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1

"""Sentence groups that may word the variables of one instance: none is about what another one is about.

"The girl is outside" says nothing certain in a text with two girls, and "a woman jogs in a park" settles "a person is
outside" for any formulas. So groups are put into an order in which any few consecutive ones, as many as an
instance has variables, differ in the nouns of their subjects, and no sentence of one says by its words what a
sentence of another says. Groups that do not fit yet wait for their turn; hypotheses that never fit are taken out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from divlogic.sentences.kinds import Content, content_of
from divlogic.sentences.subject import Subject

ROLES = ("entailed", "contradicted")
MAX_WAITING = 20_000
"""Groups kept waiting at most; beyond, the oldest one of the most frequent subject is given up."""


@dataclass(slots=True)
class _Member:
    """A group on its way: its row, and what its sentences say (premise first, then by role).

    ``heads`` and ``subjects`` are those of all sentences that it came with.
    """

    row: dict[str, Any]
    premise: Content
    others: dict[str, list[Content]]
    definite: bool
    heads: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        contents = list(self.contents)
        self.heads = frozenset().union(*[content.heads for content in contents])
        self.subjects = frozenset().union(*[content.subjects for content in contents])

    @property
    def contents(self) -> Iterator[Content]:
        yield self.premise
        for role in ROLES:
            yield from self.others[role]

    def drop(self, role: str, index: int) -> None:
        del self.others[role][index]
        self.row[role] = [*self.row[role][:index], *self.row[role][index + 1 :]]


class Spacing:
    """Puts groups into an order in which ``distance`` consecutive ones do not touch each other.

    Args:
        distance: greatest number of variables of an instance.

    Attributes:
        left_over: groups for which there was no place.
        dropped: hypotheses and contradictions taken out.
    """

    def __init__(self, distance: int) -> None:
        self.distance = distance
        self.left_over = 0
        self.dropped = 0
        self._window: deque[_Member] = deque()
        self._waiting: dict[tuple[str, ...], deque[_Member]] = {}
        self._count = 0

    def arrange(self, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the groups in their new order; rows are as in the shuffled file."""
        for row in rows:
            yield from self._from_waiting()
            member = _member(row)
            if self._fits(member):
                yield from self._place(member)
            else:
                self._wait(member)
        while True:
            before = self._count
            yield from self._from_waiting()
            if self._count == before:
                break
        self.left_over += self._count
        yield from (member.row for member in self._window)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The groups in the window, without the hypotheses that were taken out."""
        return [member.row for member in self._window]

    def take(self, row: dict[str, Any]) -> bool:
        """Put a group next to those in the window if it touches none of them; return whether it was put there."""
        member = _member(row)
        if self._fits(member):
            list(self._place(member))
            return True
        return False

    def _from_waiting(self) -> Iterator[dict[str, Any]]:
        """Place the first group that waits and fits, if there is one; the longest queue comes first."""
        taken = {head for member in self._window for head in member.premise.heads}
        for heads in sorted(self._waiting, key=lambda key: (-len(self._waiting[key]), key)):
            if taken.isdisjoint(heads):
                queue = self._waiting[heads]
                for place in range(min(len(queue), 4)):
                    if self._fits(queue[place]):
                        member = queue[place]
                        del queue[place]
                        if not queue:
                            del self._waiting[heads]
                        self._count -= 1
                        yield from self._place(member)
                        return

    def _wait(self, member: _Member) -> None:
        self._waiting.setdefault(member.premise.heads, deque()).append(member)
        self._count += 1
        if self._count > MAX_WAITING:
            heads = min(self._waiting, key=lambda key: (-len(self._waiting[key]), key))
            self._waiting[heads].popleft()
            self._count -= 1
            self.left_over += 1

    def _fits(self, member: _Member) -> bool:
        return all(not _touch(member, other) for other in self._window)

    def _place(self, member: _Member) -> Iterator[dict[str, Any]]:
        for other in self._window:
            # Hypotheses that touch a sentence of the other group go.
            self.dropped += _clear(member, other, list(other.contents)) + _clear(
                other, member, [member.premise]
            )
        self._window.append(member)
        if len(self._window) == self.distance:
            yield self._window.popleft().row


def _touch(one: _Member, other: _Member) -> bool:
    """Return whether two groups cannot word two variables of one instance, even if hypotheses are left out."""
    if not set(one.premise.heads).isdisjoint(other.premise.heads):
        return True
    if one.premise.entails(other.premise) or other.premise.entails(one.premise):
        return True
    return (one.definite and _mentions(other.premise, one.premise.heads)) or (
        other.definite and _mentions(one.premise, other.premise.heads)
    )


def _clear(member: _Member, other_group: _Member, against: Sequence[Content]) -> int:
    """Take out the hypotheses of a group that touch one of some sentences of another, its premise first."""
    dropped = 0
    definite, heads, subjects = other_group.definite, other_group.heads, other_group.subjects
    for role in ROLES:
        for index in reversed(range(len(member.others[role]))):
            content = member.others[role][index]
            # Subjects hold heads, and no sentence entails one about something else: most groups differ in these.
            touches = not (subjects.isdisjoint(content.heads) and content.subjects.isdisjoint(heads)) and any(
                not set(content.heads).isdisjoint(other.heads)
                or content.entails(other)
                or other.entails(content)
                for other in against
            )
            if (
                touches
                or (definite and _mentions(content, against[0].heads))
                or (member.definite and any(_mentions(other, member.premise.heads) for other in against[:1]))
            ):
                member.drop(role, index)
                dropped += 1
    return dropped


def _mentions(content: Content, heads: Sequence[str]) -> bool:
    return any(head in lemmas for lemmas in content.words for head in heads)


def _member(row: dict[str, Any]) -> _Member:
    return _Member(
        row,
        _content(row["premise"]),
        {role: [_content(sentence) for sentence in row[role]] for role in ROLES},
        row["premise"]["text"].lower().startswith("the "),
    )


def _content(sentence: dict[str, Any]) -> Content:
    heads = tuple(sentence.get("subject", ()))
    return content_of(sentence["text"], Subject(heads, "indefinite", bool(sentence.get("plural"))))

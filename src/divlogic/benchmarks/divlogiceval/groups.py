"""Sentence groups: the sentences that may word one variable, in an order shuffled by the seed.

"The girl is outside" says nothing certain in a text with two girls, and "a woman jogs in a park" settles "a person is
outside" for any formulas. So groups are put into an order in which any few consecutive ones, as many as an instance has
variables, differ in the nouns of their subjects, and no sentence of one says by its words what a sentence of another
says. Groups that do not fit yet wait for their turn; hypotheses that never fit are taken out.
"""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import TypeAdapter

from divlogic.benchmarks.divlogiceval.draw import SymbolicInstance
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalRun
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer, open_bytes, read_as, read_jsonl
from divlogic.io.log import say
from divlogic.sentences.subject import Content, Subject, content_of

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
        self.heads = frozenset().union(*[content.heads for content in self.contents])
        self.subjects = frozenset().union(*[content.subjects for content in self.contents])

    @property
    def contents(self) -> list[Content]:
        return [self.premise, *(content for role in ROLES for content in self.others[role])]

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
        self.left_over = self.dropped = self._count = 0
        self._window: deque[_Member] = deque()
        self._waiting: dict[tuple[str, ...], deque[_Member]] = {}

    def arrange(self, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the groups in their new order; rows are as in the shuffled file."""
        for row in rows:
            yield from self._from_waiting()
            member = _member(row)
            if self._fits(member):
                yield from self._place(member)
            else:
                self._wait(member)
        before = -1
        while self._count != before:
            before = self._count
            yield from self._from_waiting()
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
            queue = self._waiting[heads]
            for place, member in enumerate(islice(queue, 4) if taken.isdisjoint(heads) else ()):
                if self._fits(member):
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
            self.dropped += _clear(member, other, other.contents) + _clear(
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
            touches = not (
                subjects.isdisjoint(content.heads) and content.subjects.isdisjoint(heads)
            ) and any(
                not set(content.heads).isdisjoint(other.heads)
                or content.entails(other)
                or other.entails(content)
                for other in against
            )
            if (
                touches
                or (definite and _mentions(content, against[0].heads))
                or (
                    member.definite
                    and any(_mentions(other, member.premise.heads) for other in against[:1])
                )
            ):
                member.drop(role, index)
                dropped += 1
    return dropped


def _mentions(content: Content, heads: Sequence[str]) -> bool:
    return any(head in lemmas for lemmas in content.words for head in heads)


def _member(row: dict[str, Any]) -> _Member:
    others = {role: list(map(_content, row[role])) for role in ROLES}
    is_definite = row["premise"]["text"].lower().startswith("the ")
    return _Member(row, _content(row["premise"]), others, is_definite)


def _content(sentence: dict[str, Any]) -> Content:
    heads = tuple(sentence.get("subject", ()))
    return content_of(sentence["text"], Subject(heads, "indefinite", bool(sentence.get("plural"))))


_WORD = 2**64


@dataclass(frozen=True, slots=True)
class GroupSentence:
    """A sentence in mid-sentence form and its negation; what it is about (singular nouns), and whether several."""

    text: str
    negated: str
    subject: tuple[str, ...] = ()
    plural: bool = False


@dataclass(frozen=True, slots=True)
class SentenceGroup:
    """A premise, hypotheses that it entails, and hypotheses that contradict it.

    Attributes:
        id: 12 hexadecimal digits, a hash of the premise.
        source: the corpus's own id of the premise.
    """

    id: str
    corpus: str
    source: str
    premise: GroupSentence
    entailed: tuple[GroupSentence, ...]
    contradicted: tuple[GroupSentence, ...]

    @classmethod
    def from_json(cls, row: dict[str, Any], max_hypotheses: int | None = None) -> SentenceGroup:
        """Build a group from a row of ``groups.jsonl``, with its first ``max_hypotheses`` hypotheses (default: all)."""
        group = _GROUP.validate_python(row)
        return replace(group, entailed=group.entailed[:max_hypotheses])

    @property
    def clauses(self) -> tuple[GroupSentence, ...]:
        """The sentences that may word the variable, premise first."""
        return self.premise, *self.entailed


_GROUP = TypeAdapter(SentenceGroup)


def wanted_rows(groups: Path, wanted: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the wanted groups of a file."""
    left = set(wanted)
    for _, row in read_jsonl(groups):
        if row["id"] in left:
            left.remove(row["id"])
            yield row
    if left:
        raise DivLogicError(
            f"{groups}: {len(left)} sentence groups of the benchmark are not in it ({min(left)}, ...); give the"
            " groups that the benchmark was made from."
        )


def negations_of(row: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Return the negations of a group's premise and hypotheses: (group id, sentence) -> negated sentence."""
    sentences = (row["premise"], *row["entailed"])
    return {(row["id"], sentence["text"]): sentence["negated"] for sentence in sentences}


def shuffle(
    source: Annotated[Path, "--in", "Sentence groups (jsonl)."],
    out: Annotated[Path, "The same groups, in the order in which items receive them."],
    params: DivLogicEvalRun,
) -> None:
    """Put the sentence groups into an order drawn from the seed, groups about the same apart."""
    settings = params.benchmarks.divlogiceval
    distance = settings.most_variables if settings.preset == "balanced" else 0
    shuffle_groups(source, out, params.seed, distance)


def shuffle_groups(groups: Path, out: Path, seed: int, distance: int = 0) -> int:
    """Write the groups in an order drawn from the seed; return their number.

    The order is that of the keys that :func:`shuffle_key` draws, for any order of the file. Rows are sorted on disk, so
    that memory does not grow with their number. Then groups whose sentences are about the same are moved apart.

    Args:
        distance: consecutive groups that may not touch each other (see :class:`Spacing`); 0: the order stays.
    """
    import sqlite3

    # A database without a name is a file of its own that is gone when it is closed.
    with contextlib.closing(sqlite3.connect("")) as database, atomic_writer(out) as stream:
        database.execute("CREATE TABLE keyed (key TEXT, row BLOB)")
        keyed = (
            (shuffle_key(group.id, seed), orjson.dumps(group, option=orjson.OPT_APPEND_NEWLINE))
            for _, group in read_as(groups, SentenceGroup.from_json, "a sentence group")
        )
        number = database.executemany("INSERT INTO keyed VALUES (?, ?)", keyed).rowcount
        if number < 1:
            raise DivLogicError(
                f"{groups}: no sentence group; the filter kept nothing: results/sentences/filter.csv gives the"
                " reasons."
            )
        # Groups of one id stay in the order of the file.
        rows = (row for (row,) in database.execute("SELECT row FROM keyed ORDER BY key, rowid"))
        if not distance:
            stream.writelines(rows)
            return number
        spacing = Spacing(distance)
        arranged = spacing.arrange(map(orjson.loads, rows))
        stream.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in arranged)
    say(
        f"{spacing.left_over:,} of {number:,} sentence groups found no place among groups about something else;"
        f" {spacing.dropped:,} hypotheses were taken out."
    )
    return number - spacing.left_over


def shuffle_key(group_id: str, seed: int) -> str:
    """Return 32 hexadecimal digits by which a group is sorted: its id (up to 16 digits) mixed with the seed
    (SplitMix64's finaliser), then its id.
    """
    number = int(group_id, 16)
    mixed = number ^ (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % _WORD
    mixed ^= mixed >> 31
    return f"{mixed:016x}{number:016x}"


def read_groups(path: Path, max_hypotheses: int, *, offset: int = 0) -> Iterator[SentenceGroup]:
    """Yield the groups of a shuffled file, from the one whose row begins at a byte."""
    with open_bytes(path) as stream:
        stream.seek(offset)
        for line in stream:
            yield SentenceGroup.from_json(orjson.loads(line), max_hypotheses)


class Dealer:
    """Gives each instance its sentence groups, one for each of its variables; each group is given once.

    The members of a quartet share theirs. So they say the same but for what decides the answer, and words can tell
    nothing of it; and a quartet takes as many groups as a single instance would.

    Args:
        groups: the groups in the order in which they are given.
    """

    def __init__(self, groups: Iterator[SentenceGroup]) -> None:
        self._groups = groups
        self._of_quartets: dict[str, tuple[int, list[SentenceGroup]]] = {}

    def groups_of(self, instance: SymbolicInstance) -> list[SentenceGroup]:
        """Return the groups of an instance; the quartets of a type come one after another."""
        number, own = self._of_quartets.get(instance.question_type, (None, []))
        if instance.quartet is None or instance.quartet != number:
            taken = list(islice(self._groups, len(instance.variables)))
            own = without_shared_sentences(taken)
            if instance.quartet is not None:
                self._of_quartets[instance.question_type] = (instance.quartet, own)
        return own


def without_shared_sentences(groups: list[SentenceGroup]) -> list[SentenceGroup]:
    """Take out hypotheses and contradictions that stand in several of the groups of one instance.

    "A man is outside" under two premises would word two variables of the instance by one sentence, and what follows
    from the text would no longer be what follows from the formulas. Premises always stay: they are distinct.
    """
    stated = [group.clauses + group.contradicted for group in groups]
    texts = [{text.lower() for one in own for text in (one.text, one.negated)} for own in stated]
    if len(set().union(*texts)) == sum(map(len, texts)):
        return groups
    uses = Counter(text for own in texts for text in own)

    def own(clause: GroupSentence) -> bool:
        return uses[clause.text.lower()] == 1 and uses[clause.negated.lower()] == 1

    return [
        replace(
            group,
            entailed=tuple(filter(own, group.entailed)),
            contradicted=tuple(filter(own, group.contradicted)),
        )
        for group in groups
    ]

"""From worded sentences back to formulas, given what the clauses in them stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from divlogic.benchmarks.templates.wording import SLOTS, Frame, load_templates
from divlogic.logic import Formula, Var, filled, parse

Found = dict[int, list[tuple[int, Formula]]]
"""Position in a text -> (end, literal) of each known clause that begins there."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence taken apart: the frame, the literals in its slots (in slot order), the formula."""

    frame: Frame
    literals: tuple[Formula, ...]
    formula: Formula


@dataclass(frozen=True, slots=True)
class Passage:
    """The statements of a context, and its conclusion if one is drawn ("Therefore, ...")."""

    premises: tuple[Formula, ...]
    conclusion: Formula | None


class FrameReader:
    """Reads sentences made from the same clauses; build it once per item.

    Args:
        known_clauses: clause in mid-sentence form -> the literal it says (``"A"``, ``"¬A"`` or a formula).
    """

    def __init__(self, known_clauses: Mapping[str, str | Formula]) -> None:
        self.templates = load_templates()
        self._clauses = {
            clause: parse(literal) if isinstance(literal, str) else literal
            for clause, literal in known_clauses.items()
        }

    def read(self, sentence: str) -> Reading:
        """Take a sentence apart.

        Raises:
            ValueError: no frame with these clauses gives the sentence, or several do with different formulas.
        """
        found = self._sentence(sentence)
        if found is None:
            raise ValueError(f"'{sentence}': no template with the known clauses gives this sentence")
        return found

    def read_passage(self, text: str) -> Passage:
        """Read the sentences of a context one after the other.

        Raises:
            ValueError: a part of the text is no sentence made from the templates and the known clauses.
        """
        premises, conclusion = self.read_sentences(text)
        return Passage(
            tuple(reading.formula for reading in premises), None if conclusion is None else conclusion.formula
        )

    def read_sentences(self, text: str) -> tuple[list[Reading], Reading | None]:
        """Take the sentences of a context apart: its statements, and its conclusion if one is drawn.

        Raises:
            ValueError: a part of the text is no sentence made from the templates and the known clauses.
        """
        unread = [0]
        found = self._passage(text, 0, unread)
        if found is None:
            raise ValueError(f"'{text[max(unread) :]}': no sentence of the templates begins here")
        return found

    def _passage(
        self, text: str, start: int, unread: list[int]
    ) -> tuple[list[Reading], Reading | None] | None:
        # A full stop may belong to a clause ("at St. Ives"), so each one is tried as the end of the sentence.
        end = text.find(".", start)
        while end >= 0:
            stop = end + 1
            if stop == len(text) or text[stop] == " ":
                sentence = text[start:stop]
                if stop == len(text):
                    conclusion = self._conclusion(sentence)
                    if conclusion is not None:
                        return [], conclusion
                reading = self._sentence(sentence)
                if reading is not None:
                    if stop == len(text):
                        return [reading], None
                    unread.append(stop + 1)
                    rest = self._passage(text, stop + 1, unread)
                    if rest is not None:
                        return [reading, *rest[0]], rest[1]
            end = text.find(".", stop)
        return None

    def _conclusion(self, sentence: str) -> Reading | None:
        for introducer in self.templates.conclusions:
            head = introducer[0].upper() + introducer[1:]
            if sentence.startswith(head):
                found = self._body(sentence[len(head) :], capital=False)
                if found is not None:
                    return found
        return None

    def _sentence(self, sentence: str) -> Reading | None:
        return self._body(sentence, capital=True)

    def _body(self, sentence: str, *, capital: bool) -> Reading | None:
        """Read a sentence with its full stop; a stop that ends a clause ("in the U.S.") is not doubled."""
        bodies = [sentence[:-1], sentence] if sentence.endswith(".") else []
        found = [
            reading
            for body in bodies
            if body
            for starts in (self._starts(body, capital),)
            for frames in self.templates.frames.values()
            for frame in frames
            for reading in _fit(frame, body, starts, capital)
        ]
        if len({reading.formula for reading in found}) > 1:
            raise ValueError(
                f"'{sentence}': {' and '.join(sorted(r.frame.text for r in found))} both give this"
            )
        return found[0] if found else None

    def _starts(self, body: str, capital: bool) -> Found:
        """Find every place where a known clause stands."""
        starts: Found = {}
        for clause, literal in self._clauses.items():
            if capital and body.startswith(clause[0].upper() + clause[1:]):
                starts.setdefault(0, []).append((len(clause), literal))
            at = body.find(clause, 1 if capital else 0)
            while at >= 0:
                starts.setdefault(at, []).append((at + len(clause), literal))
                at = body.find(clause, at + 1)
        return starts


def _fit(frame: Frame, body: str, starts: Found, capital: bool) -> Iterator[Reading]:
    """Yield every way of laying a frame over a sentence without its full stop."""
    head = frame.pieces[0]
    if capital and head:
        head = head[0].upper() + head[1:]
    if not body.startswith(head) or not body.endswith(frame.pieces[-1]):
        return
    for found in _slots(frame, body, starts, len(head), 1):
        literals: list[Formula] = [Var("?")] * len(found)
        for slot, literal in zip(frame.order, found, strict=True):
            literals[slot] = literal
        named = dict(zip(SLOTS[frame.formula], literals, strict=True))
        yield Reading(frame, tuple(literals), filled(parse(frame.formula), named))


def _slots(frame: Frame, body: str, starts: Found, at: int, slot: int) -> Iterator[tuple[Formula, ...]]:
    if slot == len(frame.pieces):
        if at == len(body):
            yield ()
        return
    for end, literal in starts.get(at, ()):
        piece = frame.pieces[slot]
        if body.startswith(piece, end):
            for rest in _slots(frame, body, starts, end + len(piece), slot + 1):
                yield (literal, *rest)

"""An engine for grammars of connective phrases: what a text with slots means, read off its English.

Such a grammar proves the templates of a benchmark and knows none of them. It has two kinds of phrase, clauses (S: a
slot, "S if S", "it is true T") and that-clauses (T: "that S", "both T and T"). *Every* analysis of a text is found, so
that a text whose scope is open ("it is not the case that A unless B") shows two readings and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from divlogic.io.files import read_yaml
from divlogic.logic import Formula, Var, equivalent, filled, parse, to_text

_TOKEN = re.compile(r"\{([A-Za-z]\w*)\}|([A-Za-z]+)|([^\sA-Za-z])")
_WORDS = re.compile(r"<(\w+)>")
_OUTER = str.maketrans("‘’", "“”")
"""A quotation inside another one is read like any."""
_Pattern = tuple[str, ...]


class PhraseGrammar:
    """A grammar, read from a YAML file when the first text is.

    The file has lists of ``words`` by name, and, for ``clauses`` and ``that_clauses``, patterns by their meaning:
    ``S2→S1: ["S1 <if> S2"]``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def derive(self, text: str) -> Formula:
        """Return what a text with slots ``{A}``, ``{B}``, ... means; a ValueError if that is nothing, or two things."""
        found = sorted(self.readings(text), key=to_text)
        if not found:
            raise ValueError(f"'{text}': the grammar of connective phrases cannot read this")
        for other in found[1:]:
            if not equivalent(found[0], other):
                raise ValueError(
                    f"'{text}': reads as {to_text(found[0])} and also as {to_text(other)}"
                )
        return found[0]

    def readings(self, text: str) -> frozenset[Formula]:
        """Return the formulas of all analyses of a text with slots ``{A}``, ``{B}``, ..., none if there is none."""
        found = _TOKEN.findall(text.translate(_OUTER))
        tokens = tuple(
            f"{{{slot}}}" if slot else word.lower() or mark for slot, word, mark in found
        )
        words = set(tokens)
        # A rule with a word that the text lacks cannot apply; most rules fall away here.
        rules = {
            kind: [(pattern, meaning) for pattern, meaning, needed in listed if needed <= words]
            for kind, listed in self._rules.items()
        }
        chart: dict[tuple[str, int, int], frozenset[Formula]] = {}

        def phrase(kind: str, start: int, end: int) -> frozenset[Formula]:
            key = (kind, start, end)
            if key not in chart:
                chart[key] = frozenset(analyses(kind, start, end))
            return chart[key]

        def analyses(kind: str, start: int, end: int) -> Iterator[Formula]:
            if kind == "S" and end - start == 1 and tokens[start][0] == "{":
                yield Var(tokens[start][1:-1])
            fitting = [rule for rule in rules[kind] if len(rule[0]) <= end - start]
            for pattern, meaning in fitting:
                if _fits(pattern[0], tokens[start]) and _fits(pattern[-1], tokens[end - 1]):
                    for parts in match(pattern, 0, start, end):
                        yield filled(meaning, parts)

        def match(pattern: _Pattern, at: int, start: int, end: int) -> Iterator[dict[str, Formula]]:
            """Yield the formulas of a rule's phrases for every way of laying the rule over tokens[start:end]."""
            left = len(pattern) - at
            if left == 0 or end - start < left:
                if left == 0 and start == end:
                    yield {}
                return
            item = pattern[at]
            if item[0] not in "ST":
                if tokens[start] == item:
                    yield from match(pattern, at + 1, start + 1, end)
                return
            for middle in range(start + 1, end - left + 2):
                if left > 1 and not _fits(pattern[at + 1], tokens[middle]):
                    continue
                rests = list(match(pattern, at + 1, middle, end))
                if rests:
                    for formula in phrase(item[0], start, middle):
                        yield from ({**rest, item: formula} for rest in rests)

        return phrase("S", 0, len(tokens))

    @cached_property
    def _rules(self) -> dict[str, list[tuple[_Pattern, Formula, frozenset[str]]]]:
        """Return the rules per kind of phrase: pattern, meaning, and the words that the pattern needs."""
        content = read_yaml(self._path)
        found: dict[str, list[tuple[_Pattern, Formula, frozenset[str]]]] = {"S": [], "T": []}
        for kind, section in (("S", "clauses"), ("T", "that_clauses")):
            for meaning, patterns in content[section].items():
                for text in (
                    text for pattern in patterns for text in _expanded(pattern, content["words"])
                ):
                    items = tuple(re.sub(r"([,:“”])", r" \1 ", text).split())
                    needed = frozenset(item for item in items if item[0] not in "ST")
                    found[kind].append((items, parse(meaning), needed))
        return found


def _expanded(pattern: str, words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a pattern with each of the words that it names."""
    name = _WORDS.search(pattern)
    if name is None:
        yield pattern
        return
    for word in words[name[1]]:
        yield from _expanded(pattern.replace(name[0], word), words)


def _fits(item: str, token: str) -> bool:
    """Return whether a word of a rule is this token; a phrase may begin and end with any."""
    return item[0] in "ST" or item == token

"""Items with several sub-questions: how a prompt asks for their answers, and how a reply's are read.

A prompt names for each kind of sub-question what to write; a reader takes these writings and the others that are usual
(``sub_answers.yaml``). A writing that could mean two answers is not read: an answer is read rightly or not at all.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml

from divlogic.io.files import read_yaml
from divlogic.models.letters import after_thinking

Language = Literal["zh", "en"]

Answer: TypeAlias = bool | int | list[int] | list[list[int]]
"""A verdict (``True``: yes), a number, the numbers of the items chosen, or the cases, each with the items that hold."""

TEXTS: Mapping[str, Any] = read_yaml(Path(__file__).with_suffix(".yaml"))
VERDICTS = tuple(kind for kind, texts in TEXTS["kinds"].items() if "says yes" in texts)
COUNT, CASES, FREE = "count_models", "enumerate_models", "free"

_SEARCHED = 20_000
"""Last characters of a reply in which the answers are looked for."""

_TRIES, _LENIENT_TRIES = 200, 8
"""Passages in braces that are tried as JSON, and as what is nearly JSON: each may have the length of the reply."""

_LONGEST = 2_000
"""Characters of one answer at most: a longer text is an essay."""

_LISTS = 4
"""Nesting of lists at most: cases are lists of lists, and a model may put two more around them."""


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """What the answer to a sub-question may be.

    Attributes:
        kind: a key of ``kinds`` in sub_answers.yaml.
        items: number of the items that it lists, under the numbers from 1; 0 where it lists none.
    """

    kind: str
    items: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.items}" if self.items else self.kind

    @classmethod
    def from_text(cls, text: str) -> SubQuestion:
        """Return the sub-question that :meth:`__str__` wrote.

        >>> SubQuestion.from_text("enumerate_models 4")
        SubQuestion(kind='enumerate_models', items=4)
        """
        kind, _, items = text.partition(" ")
        return cls(kind, int(items or 0))

    def read(self, given: Any) -> Answer | None:
        """Return the answer that a value of a reply gives; ``None`` where it gives none, or could give two."""
        value = _unwrapped(given)
        if isinstance(value, str) and len(value) > _LONGEST:
            return None
        if self.kind in VERDICTS:
            return _verdict(value, self.kind)
        if self.kind == COUNT:
            return _count(value)
        if self.kind == CASES:
            return _cases(value, self.items)
        return _items(value, self.items)

    def written(self, answer: Answer, language: Language = "zh") -> Any:
        """Return an answer as the prompt tells to write it."""
        if self.kind not in VERDICTS:
            return answer
        yes, no = TEXTS["kinds"][self.kind]["gives"][language]
        return yes if answer else no


def prompt(
    context: str,
    texts: Sequence[str],
    asked: Sequence[SubQuestion],
    options: Sequence[Sequence[str]] = (),
    language: Language = "zh",
) -> str:
    """Return the prompt of an item: its context, its numbered sub-questions, and what to write for each.

    Args:
        context: the passage.
        texts: the sub-questions; one text for several of them is shown once.
        asked: the kind of each.
        options: of each the items that its text does not list itself; by default none.
        language: of the prompt.
    """
    numbers = range(1, len(asked) + 1)
    by_kind: dict[str, list[str]] = {}
    for number, one in zip(numbers, asked, strict=True):
        by_kind.setdefault(TEXTS["kinds"][one.kind]["write"][language], []).append(str(number))
    separator = TEXTS["numbers separator"][language]
    forms = (
        TEXTS["form"][language].format(numbers=separator.join(own), write=write)
        for write, own in by_kind.items()
    )
    keys = ", ".join(f'"{number}": …' for number in numbers)
    text: str = TEXTS["prompt"][language].format(
        context=context,
        questions=_questions(texts, options or [()] * len(texts), language),
        forms="\n".join(forms),
        form=f"{{{keys}}}",
    )
    return text


def _questions(texts: Sequence[str], options: Sequence[Sequence[str]], language: Language) -> str:
    """Return the numbered sub-questions, each with the items that its text does not list."""
    shown = [_with_options(text, own, language) for text, own in zip(texts, options, strict=True)]
    if len(shown) > 1 and len(set(shown)) == 1:
        return str(TEXTS["together"][language].format(text=shown[0], count=len(shown)))
    numbered = TEXTS["numbered"][language]
    return "\n".join(
        numbered.format(number=number, text=text) for number, text in enumerate(shown, start=1)
    )


def _with_options(text: str, options: Sequence[str], language: Language) -> str:
    if not options:
        return text
    numbered = TEXTS["option"][language]
    listed = TEXTS["options separator"][language].join(
        numbered.format(number=number, text=option)
        for number, option in enumerate(options, start=1)
    )
    return str(TEXTS["among"][language].format(text=text, options=listed))


def read_reply(text: str, asked: Sequence[SubQuestion]) -> list[Answer | None] | None:
    """Return the answer to each sub-question; ``None`` for one without, and for a reply without answers.

    A reply that answers a sub-question which was not asked is not read.
    """
    given = values_by_number(text, len(asked))
    if given is None:
        return None
    return [one.read(given.get(number)) for number, one in enumerate(asked, start=1)]


def values_by_number(text: str, count: int) -> dict[int, Any] | None:
    """Return the values of a reply's last object of answers by the numbers of the sub-questions, 1 to ``count``.

    The object may be JSON, or nearly: typographic or no quotation marks, single ones, a comma too many. One that is
    broken off, and one that answers more than was asked, is ``None``.
    """
    text = after_thinking(text)[-_SEARCHED:]
    # LaTeX escapes the braces of an object in a box.
    text = re.sub(r"\\([{}])", r"\1", text)
    spans, unclosed = _in_braces(text)
    last = spans[0][1] if spans else 0
    if any(start >= last and _FIRST.match(text, start) for start in unclosed):
        return None  # the answers that count are broken off
    lenient = _LENIENT_TRIES
    for start, end in spans[:_TRIES]:
        found = _json_pairs(text[start:end])
        if found is None and lenient and _KEYED.search(text, start, end):
            lenient -= 1
            found = _flow_pairs(text[start:end])
        numbered = _by_number(found or ())
        if numbered:
            return numbered if set(numbered) <= set(range(1, count + 1)) else None
        if found is None and _FIRST.match(text, start):
            return None
    return None


# The key of an answer, with or without marks and a word: "1": or 'Q1': or “第1题”：
_ANSWER_KEY = (
    r"\s*+[\"'“”‘’「『]?+\s*+(?:[qQsS]|问题|小?题|第)?+\s*+[(（]?+[0-9０-９]{1,3}[)）]?+\s*+(?:小?题)?+"
    r"[\"'“”‘’」』]?+\s*+[:：]"
)
_FIRST = re.compile(r"[{｛]" + _ANSWER_KEY)
_KEYED = re.compile(r"[{｛,，\n]" + _ANSWER_KEY)
_KEY = re.compile(
    r"(?:q|s|question|问题|小题|题|第)?\s*\(?\s*([0-9]{1,3})\s*\)?\s*(?:小?题|问)?\s*[.、:]?"
)


def _in_braces(text: str) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the passages in braces, the last and outermost first, and the places of braces that are not closed."""
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    for mark in re.finditer(r"[{}｛｝]", text):
        if mark[0] in "{｛":
            opened.append(mark.start())
        elif opened:
            spans.append((opened.pop(), mark.end()))
    return spans[::-1], opened


class _Pairs(tuple[tuple[Any, Any], ...]):
    """The keys and values of an object, in order; a key may come twice."""


class _Flow(yaml.BaseLoader):  # type: ignore[misc]
    """Reads a flow mapping: of YAML, which allows what JSON does not, with every scalar as the text it is."""


_Flow.add_constructor(
    "tag:yaml.org,2002:map",
    lambda loader, node: _Pairs(
        (loader.construct_object(key, deep=True), loader.construct_object(value, deep=True))
        for key, value in node.value
    ),
)

_MARKS = str.maketrans(
    {
        **dict.fromkeys("“”„‟＂「」『』", '"'),
        **dict.fromkeys("‘’", "'"),
        "｛": "{",
        "｝": "}",
        "［": "[",
        "］": "]",
        "【": "[",
        "】": "]",
        "：": ":",
        "，": ",",
        # A mark of emphasis, an anchor or a tag to YAML.
        **dict.fromkeys("*`&!%@", " "),
    }
)


def _json_pairs(text: str) -> _Pairs | None:
    """Return a JSON object; ``None`` for anything else."""
    try:
        found = json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, _Pairs) else None


def _flow(text: str) -> Any:
    """Return lists, pairs and texts of a passage that a reader of YAML takes once its marks are the usual ones."""
    plain = re.sub(r":(?=\S)", ": ", text.translate(_MARKS))
    try:
        # A BaseLoader makes texts, lists and, here, pairs: nothing else.
        return yaml.load(plain, Loader=_Flow)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def _flow_pairs(text: str) -> _Pairs | None:
    found = _flow(text)
    return found if isinstance(found, _Pairs) else None


def _by_number(found: Iterable[tuple[Any, Any]]) -> dict[int, Any]:
    """Return the values under the numbers of sub-questions; other keys (a reason, a note) are left out.

    A number that comes twice with different values has none of them.
    """
    values: dict[int, Any] = {}
    for key, value in found:
        match = _KEY.fullmatch(_folded(str(key)))
        if match is None:
            continue
        number = int(match[1])
        if number in values and values[number] != value:
            value = None
        values[number] = value
    return values


def _unwrapped(value: Any) -> Any:
    """Return the answer of ``{"answer": ...}``, or the value itself."""
    if isinstance(value, _Pairs):
        answers = [inner for key, inner in value if _folded(str(key)) in ("answer", "答案")]
        return answers[0] if len(answers) == 1 else None
    return value


def _verdict(value: Any, kind: str) -> bool | None:
    """Return what a value says of a yes-or-no question.

    A text must begin with its verdict, or announce it ("所以不一定"); clauses that say yes and no are neither.
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return value
    if not isinstance(value, str):
        return None
    known = _verdicts(kind)
    clauses = [_bare(clause) for clause in _CLAUSE.split(_folded(value))]
    clauses = [clause for clause in clauses if clause and clause not in TEXTS["opening"]]
    stated = [known.get(clause) for clause in clauses]
    announced = [known.get(_without(clause, _ANNOUNCING)) for clause in clauses]
    verdicts = {verdict for verdict in announced if verdict is not None}
    begins = announced[:1] != [None]
    concludes = announced != stated
    return verdicts.pop() if len(verdicts) == 1 and (begins or concludes) else None


_ANNOUNCING = (*TEXTS["opening"], *TEXTS["conclusion"])
_CLAUSE = re.compile(r"[,.;:!?。、；：！？\n(（)）—–]+")


@cache
def _verdicts(kind: str) -> dict[str, bool]:
    """Return the writings of a verdict, folded, and what each says."""
    own = TEXTS["kinds"][kind]
    return {
        **{_bare(_folded(text)): False for text in (*TEXTS["says no"], *own["says no"])},
        **{_bare(_folded(text)): True for text in (*TEXTS["says yes"], *own["says yes"])},
    }


def _count(value: Any) -> int | None:
    """Return the number that a value is: 8, "8", "８种", "八种", "共 8 种情形"."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if value == int(value) >= 0 else None
    if not isinstance(value, str):
        return None
    whole = re.sub(r"(?<=[0-9])\.0+(?![0-9])", "", _folded(value))
    text = _without(_bare(whole), TEXTS["opening"])
    text = _without(text, TEXTS["count opening"])
    while (shorter := _without(text, TEXTS["count end"], at_end=True)) != text:
        text = shorter
    return _number(text)


_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}


def _number(text: str) -> int | None:
    """Return a whole number in digits, in Chinese below a thousand, or in an English word.

    >>> [_number(text) for text in ("12", "八", "两", "十二", "二十", "一百零三", "eight", "8-9")]
    [12, 8, 2, 12, 20, 103, 8, None]
    """
    if re.fullmatch(r"[0-9]{1,6}", text):
        return int(text)
    if text in TEXTS["number words"]:
        return int(TEXTS["number words"].index(text))
    match = re.fullmatch(
        r"(?:([一二两三四五六七八九])百零?)?(?:([一二三四五六七八九])?(十))?([零一二两三四五六七八九])?",
        text,
    )
    if not text or match is None:
        return None
    hundreds, tens, ten, ones = match.groups()
    return (
        100 * _DIGITS.get(hundreds, 0)
        + 10 * (_DIGITS.get(tens, 1) if ten else 0)
        + _DIGITS.get(ones, 0)
    )


def _items(value: Any, count: int) -> list[int] | None:
    """Return the numbers of the items that a value lists, from 1 to ``count``: a list of any form, or a text."""
    if isinstance(value, list):
        return _union([_items(one, count) for one in value]) if _depth(value) <= _LISTS else None
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return [value] if 1 <= value <= count else None
    if not isinstance(value, str):
        return None
    return _items_of_text(value, count)


def _union(parts: Iterable[list[int] | None]) -> list[int] | None:
    """Return the numbers of all parts; ``None`` if one of them is not read."""
    numbers: set[int] = set()
    for part in parts:
        if part is None:
            return None
        numbers.update(part)
    return sorted(numbers)


def _items_of_text(text: str, count: int) -> list[int] | None:
    """Return the items that a text lists: "2、3", "(2) (3)", "②③", "第2、3项", "无", "全部"; else ``None``."""
    text = re.sub(r"[\"'“”‘’「」]", "", _folded(text))
    text = _without(text.strip(), TEXTS["opening"])
    bare = _bare(text)
    if bare in _folded_set("none") or re.fullmatch(r"\[\s*\]|\{\s*\}", text):
        return []
    if bare in _folded_set("all"):
        return list(range(1, count + 1)) or None
    text = _without(text.strip(" 。.[]{}"), TEXTS["list opening"])
    while (shorter := _without(text.strip(), TEXTS["list end"], at_end=True)) != text:
        text = shorter
    # What is left may hold the numbers and what stands between them: a word of denial or of choice (不, 或) is neither.
    separators = "|".join(re.escape(_folded(one)) for one in TEXTS["list separators"])
    number = r"\(\s*[0-9]{1,2}\s*\)|(?<![0-9])[0-9]{1,2}(?![0-9])"
    if not re.fullmatch(rf"(?:{number})(?:(?:\s|{separators})*(?:{number}))*", text):
        return None
    numbers = {int(found) for found in re.findall(r"[0-9]+", text)}
    return sorted(numbers) if numbers <= set(range(1, count + 1)) else None


def _cases(value: Any, count: int) -> list[list[int]] | None:
    """Return the cases that a value lists, each with the numbers of the items that hold in it.

    A list of single numbers is one case or several: it is not read.
    """
    if isinstance(value, str):
        return _cases_of_text(value, count)
    if not isinstance(value, list):
        one = _items(value, count)
        return None if one is None else [one]
    if len(value) == 1 and _depth(value) > 2:
        return _cases(value[0], count) if _depth(value) <= _LISTS else None
    cases = [_items(one, count) for one in value]
    return _sorted_cases(cases, told=any(map(_is_case, value)))


def _is_case(value: Any) -> bool:
    """Return whether a member of a list can only be a case: a list, or a text that names no item, or several."""
    if isinstance(value, list):
        return True
    return isinstance(value, str) and len(re.findall(r"[0-9]+", _folded(value))) != 1


def _cases_of_text(text: str, count: int) -> list[list[int]] | None:
    """Return the cases of a text: "[[1,3],[2]]", "(1)(3); (2)", "无"."""
    plain = text.translate(_MARKS).strip()
    if re.fullmatch(r"\[.*\]", plain, re.DOTALL):
        found = _flow(plain)
        return _cases(found, count) if isinstance(found, list) else None
    parts = [part for part in re.split(r"[;；\n]+", text) if part.strip()]
    if not parts:
        return None
    named = [
        re.sub(
            r"^\s*(?:情形|情况|case)\s*[0-9一二三四五六七八九十]*\s*[:：.、]\s*",
            "",
            part,
            flags=re.I,
        )
        for part in parts
    ]
    told = len(parts) > 1 or named != parts or any(map(_is_none, named))
    return _sorted_cases([_items_of_text(part, count) for part in named], told=told)


def _sorted_cases(cases: Sequence[list[int] | None], *, told: bool) -> list[list[int]] | None:
    """Return cases in order, each once; ``None`` if one is not read, or nothing tells cases from items."""
    if any(case is None for case in cases):
        return None
    if not told and (len(cases) > 1 or any(case is not None and len(case) > 1 for case in cases)):
        return None
    return [list(case) for case in sorted({tuple(case) for case in cases if case is not None})]


def _is_none(text: str) -> bool:
    return _bare(_folded(text)) in _folded_set("none")


def _depth(value: Any) -> int:
    """Return how many lists are around the innermost value; more than :data:`_LISTS` are not counted on."""
    depth, level = 0, [value]
    while any(isinstance(one, list) for one in level) and depth <= _LISTS:
        level = [inner for one in level if isinstance(one, list) for inner in one]
        depth += 1
    return depth


@cache
def _folded_set(name: str) -> frozenset[str]:
    return frozenset(_bare(_folded(text)) for text in TEXTS[name])


# NFKC would make ① a 1 without its brackets: ②③ would be 23.
_CIRCLED = {ord("①") + place: f"({place + 1})" for place in range(20)}


def _folded(text: str) -> str:
    """Return a text without differences of width, case and kind of bracket."""
    return unicodedata.normalize("NFKC", text.translate(_CIRCLED)).casefold().strip()


def _bare(text: str) -> str:
    """Return a text without marks and quotes, and without blanks next to what is not Latin."""
    plain = re.sub(r"[\s\"'“”‘’「」『』*_`。.!?,;:()\[\]{}]+", " ", text)
    return re.sub(r"(?<=[^\x00-\x7f]) | (?=[^\x00-\x7f])", "", plain).strip()


def _without(text: str, parts: Iterable[str], *, at_end: bool = False) -> str:
    """Return a text without the longest of the parts that it begins (or ends) with, if anything is left."""
    for part in sorted((_folded(one) for one in parts), key=len, reverse=True):
        rest = text.removesuffix(part) if at_end else text.removeprefix(part)
        if rest != text and rest.strip(" :="):
            return rest.strip(" :=")
    return text

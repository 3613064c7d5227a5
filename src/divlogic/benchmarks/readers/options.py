"""The options of one row, in whichever of the usual forms its cells hold them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import orjson

from divlogic.benchmarks.columns import FEWEST, MOST, WORDS, Columns, is_option_label

_NUMPY_LIST = re.compile(r"""\[\s*(['"]).*\1\s+['"].*\]""", re.DOTALL)
"""A list as numpy prints it, without commas, which Python would read as one long text."""

_WRITTEN_MARKS = re.compile(r"\[\s*[01](?:\s*,?\s+[01]|,[01])+\s*\]")
"""A list of ones and noughts as JSON, Python or numpy prints it."""

_OWN_LABEL = re.compile(r"\s*[(（]?([A-J])[)）.:、．]\s*\S")
"""A label at the beginning of an option: ``(A) owls``, ``B. cats``."""


@dataclass(frozen=True)
class Options:
    """The options of a row.

    Attributes:
        texts: what is chosen from.
        labels: the options' own labels, where the row has them; empty if not.
        written: the texts with the labels that stood before them in the file; empty where none did.
        strings: whether all cells were strings in a file that tells strings from numbers.
        right: index of the option that the row itself marks as right.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...] = ()
    strings: bool = False
    right: int | None = None
    written: tuple[str, ...] = ()


_LISTED = re.compile(r"\s*(?:\([A-Z]\)|-)\s?(.+)")
_LETTERS = "ABCDEFGHIJ"
_LETTERED = re.compile(r"\s*[(（]?([A-J])[)）.:、．]\s*(.+)")


def options_within(question: str) -> tuple[str, tuple[str, ...]] | None:
    """Return a question without the options that it ends with, and these; ``None`` if it lists none.

    They stand after ``Options:`` (BIG-Bench Hard), or in lines that begin with A, B, C, … (GAOKAO-Bench).
    """
    stem, mark, listed = question.partition("\nOptions:")
    if mark:
        matches = [_LISTED.fullmatch(line) for line in listed.splitlines() if line.strip()]
        texts = tuple(match[1].strip() for match in matches if match)
        return (stem, texts) if len(texts) >= FEWEST else None
    lines = question.rstrip().splitlines()
    texts = ()
    while lines and (match := _LETTERED.fullmatch(lines[-1])):
        texts = (match[2].strip(), *texts)
        letter = match[1]
        lines.pop()
        if letter == "A":
            break
        before = _LETTERED.fullmatch(lines[-1]) if lines else None
        if before is None or ord(before[1]) != ord(letter) - 1:
            return None
    return ("\n".join(lines).rstrip(), texts) if lines and len(texts) >= FEWEST else None


def cell_text(cell: Any, what: str) -> str:
    """Return a cell as a text.

    Raises:
        ValueError: it is a list, an object or nothing, which have no text of their own; ``what`` names it.
    """
    if isinstance(cell, dict):
        raise ValueError(f"{what} is an object with {_fields(cell)}, not a text")
    if isinstance(cell, list):
        raise ValueError(f"{what} is a list of {len(cell)}, not a text")
    if cell is None or cell != cell:
        raise ValueError(f"{what} is missing")
    return str(cell).strip()


def is_there(cell: Any) -> bool:
    """Return whether a cell holds something."""
    return cell is not None and cell != "" and cell == cell


def is_one_hot(marks: Sequence[Any]) -> bool:
    """Return whether values are one 1 (or true) among noughts."""
    are_marks = all(isinstance(mark, bool | int | float) and mark in (0, 1) for mark in marks)
    return len(marks) > 1 and are_marks and sum(map(int, marks)) == 1


def marks_of(value: Any) -> list[Any]:
    """Return the entries of a list such as ``[0, 1, 0]``, which a table holds as a text; empty if it is no list."""
    if isinstance(value, str) and _WRITTEN_MARKS.fullmatch(value.strip()):
        return [int(mark) for mark in re.findall(r"[01]", value)]
    return value if isinstance(value, list) else []


def read_options(row: Mapping[str, Any], columns: Columns) -> Options:
    """Return the options of a row.

    Raises:
        ValueError: it has none, too few or too many, or some are no texts; the message says which.
    """
    if columns.options:
        found = _of_columns(row, columns.options)
    elif "options" in columns.fields:
        found = _of_cell(row.get(columns.fields["options"]), "answer" in columns.fields)
    else:
        found = _with_wrong_ones(row, columns)
    if not FEWEST <= len(found.texts) <= MOST:
        raise ValueError(f"has {len(found.texts)} options; {FEWEST} to {MOST} can be read")
    if found.labels and found.labels == found.texts and columns.fields.get("options"):
        raise ValueError("the options are nothing but their labels: their texts are missing")
    return _without_labels(found)


def _without_labels(options: Options) -> Options:
    """Return options without the letters A, B, C, … that stand before all of them, in any order.

    A model is shown the options in several orders, under letters of ours: a letter of the file would contradict them.
    """
    matches = [_LETTERED.fullmatch(text) for text in options.texts]
    letters = sorted(match[1] for match in matches if match)
    if letters != list(_LETTERS[: len(options.texts)]):
        return options
    texts = tuple(match[2].strip() for match in matches if match)
    if len(set(texts)) < len(set(options.texts)):
        return options
    labels = options.labels or tuple(match[1] for match in matches if match)
    return replace(options, texts=texts, labels=labels, written=options.texts)


def _of_columns(row: Mapping[str, Any], names: Sequence[str]) -> Options:
    cells = [row.get(name) for name in names]
    # Questions with fewer options leave the last columns empty.
    while cells and not is_there(cells[-1]):
        cells.pop()
    texts = []
    for name, cell in zip(names, cells, strict=False):
        if not is_there(cell):
            raise ValueError(f"the option in '{name}' is empty, and one after it is not")
        texts.append(cell_text(cell, f"the option in '{name}'"))
    return Options(tuple(texts), tuple(names[: len(texts)]), _strings(cells))


def _of_cell(cell: Any, has_answer: bool) -> Options:
    if isinstance(cell, str):
        cell = _listed(cell)
    if isinstance(cell, dict):
        return _of_object(cell, has_answer)
    if not isinstance(cell, list):
        raise ValueError("the field 'options' is not a list")
    if cell and all(isinstance(one, dict) for one in cell):
        return _of_objects(cell)
    cells = list(cell)
    while cells and cells[-1] == "":
        cells.pop()
    texts = tuple(cell_text(one, f"option {place}") for place, one in enumerate(cells, start=1))
    if "" in texts:
        raise ValueError(f"option {texts.index('') + 1} is empty")
    return Options(texts, _own_labels(texts), _strings(cells))


def _of_object(cell: dict[str, Any], has_answer: bool) -> Options:
    """Read ``{"text": [...], "label": [...]}`` (the hub's ARC) or ``{"A": "owls", "B": "cats"}`` (MedQA).

    In ``{"owls": 1, "cats": 0}`` (BIG-bench) the numbers are scores, and the options stand before them.
    """
    lists = {name: value for name, value in cell.items() if isinstance(value, list)}
    texts = next((lists[name] for name in ("text", "texts", "options") if name in lists), None)
    if texts is None:
        # Parquet gives every row all labels of the file; those that the question lacks are null.
        there = {name: value for name, value in cell.items() if value is not None}
        if _are_scores(there, has_answer):
            return _scored(there)
        read = tuple(cell_text(value, f"option '{name}'") for name, value in there.items())
        return Options(read, tuple(map(str, there)), _strings(list(there.values())))
    labels = lists.get("label", lists.get("labels", []))
    if labels and len(labels) != len(texts):
        raise ValueError(f"has {len(texts)} texts and {len(labels)} labels of options")
    read = tuple(cell_text(text, f"option {place}") for place, text in enumerate(texts, start=1))
    return Options(read, tuple(map(str, labels)), _strings(texts))


def _are_scores(cell: Mapping[str, Any], has_answer: bool) -> bool:
    """Return whether the values of an object are scores of its names, rather than options with labels."""
    numbers = all(isinstance(value, bool | int | float) for value in cell.values())
    # Names such as A, 2 and option_c are labels of options that are numbers.
    if not numbers or any(is_option_label(str(name)) for name in cell):
        return False
    return not has_answer or is_one_hot(list(cell.values()))


def _scored(cell: Mapping[str, Any]) -> Options:
    """Read options with their scores, of which one is 1 and the others are 0."""
    scores = list(cell.values())
    if not is_one_hot(scores):
        shown = ", ".join(map(str, scores[:MOST]))
        raise ValueError(f"the options have the scores {shown}, not one 1 and else 0")
    return Options(tuple(map(str, cell)), strings=True, right=scores.index(1))


def _of_objects(cells: list[dict[str, Any]]) -> Options:
    """Read a list of objects: with a text and perhaps a label or a mark, or ``{"A": "owls"}`` each."""
    if all(len(one) == 1 and isinstance(next(iter(one.values())), str) for one in cells):
        names = [next(iter(one)) for one in cells]
        if len(set(names)) == len(names):
            texts = tuple(str(one[name]) for name, one in zip(names, cells, strict=True))
            return Options(texts, tuple(names), True)
    shared = set.intersection(*(set(one) for one in cells))
    named = [name for name in WORDS["option_text"] if name in shared]
    texts_in = [name for name in named if isinstance(cells[0][name], str)]
    if not texts_in:
        raise ValueError(
            f"the options are objects with {_fields(cells[0])}, none of which is known to be the text"
            f" ({', '.join(WORDS['option_text'][:5])}, …)"
        )
    texts = tuple(cell_text(one[texts_in[0]], "an option's text") for one in cells)
    labelled = [name for name in WORDS["option_label"] if name in shared and name != texts_in[0]]
    labels = tuple(str(one[labelled[0]]) for one in cells) if labelled else ()
    marked = [name for name in WORDS["option_right"] if name in shared]
    right = None
    if marked and all(isinstance(one[marked[0]], bool | int) for one in cells):
        places = [place for place, one in enumerate(cells) if one[marked[0]]]
        if len(places) != 1:
            raise ValueError(f"{len(places)} options are marked as right, not one")
        right = places[0]
    return Options(texts, labels, True, right)


def _with_wrong_ones(row: Mapping[str, Any], columns: Columns) -> Options:
    """Return the right option and the wrong ones in an order that their texts alone decide."""
    right = cell_text(row.get(columns.fields["answer"]), "the right option")
    cells: Any
    if columns.distractors:
        cells = [row.get(name) for name in columns.distractors]
    else:
        cell = row.get(columns.fields["distractors"])
        cells = _listed(cell) if isinstance(cell, str) else cell
        if not isinstance(cells, list):
            raise ValueError("the wrong options are not a list")
    wrong = [cell_text(cell, "a wrong option") for cell in cells if is_there(cell)]
    if not right or right in wrong:
        raise ValueError("the right option is empty or stands among the wrong ones, too")
    question = str(row.get(columns.fields["question"], ""))
    texts = tuple(sorted((right, *wrong), key=lambda text: _drawn(question, text)))
    return Options(texts, right=texts.index(right))


def _drawn(question: str, text: str) -> bytes:
    return blake2b(f"{question}\0{text}".encode(), digest_size=8).digest()


def _own_labels(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels with which all options begin; none if they have none, or share one."""
    matches = [_OWN_LABEL.match(text) for text in texts]
    labels = tuple(match[1] for match in matches if match)
    return labels if len(labels) == len(texts) == len(set(labels)) else ()


def _strings(cells: Sequence[Any]) -> bool:
    return all(isinstance(cell, str) for cell in cells)


def _fields(cell: Mapping[str, Any]) -> str:
    return "the fields " + ", ".join(f"'{name}'" for name in list(cell)[:6])


def _listed(cell: str) -> Any:
    if not cell.strip():
        raise ValueError("the field 'options' is empty")
    if _NUMPY_LIST.fullmatch(cell.strip()) and "," not in cell:
        raise ValueError("the field 'options' is a list without commas, as numpy prints it")
    if cell.lstrip()[0] in "[{":
        try:
            return orjson.loads(cell)
        except orjson.JSONDecodeError as error:
            try:
                return ast.literal_eval(cell)
            except (
                ValueError,
                SyntaxError,
                MemoryError,
                RecursionError,
            ):  # Python's parser, at deep nesting
                raise ValueError(f"the field 'options' is not valid JSON ({error.msg})") from error
    mark = "|" if "|" in cell else "\n"
    return [option.strip() for option in cell.split(mark) if option.strip()]

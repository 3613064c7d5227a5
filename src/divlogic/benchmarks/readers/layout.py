"""How the columns of a user's file are read: by their names, as far as all rows agree with them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from divlogic.benchmarks.columns import (
    INFERENCE,
    MOST,
    NAMES,
    Columns,
    find_columns,
    is_unnamed,
    label_name,
    labels_of,
    looks_like_context,
    named_for,
    plain_name,
    what_is_needed,
)
from divlogic.benchmarks.readers.keys import (
    Tally,
    UndecidedError,
    is_missing,
    key_text,
    place_in,
    places_of,
    said_ways,
    ways_of,
)
from divlogic.benchmarks.readers.nested import flat_rows
from divlogic.benchmarks.readers.options import Options, is_there, options_within, read_options
from divlogic.benchmarks.readers.unkeyed import Unkeyed
from divlogic.benchmarks.source import OnProblem, Problem, SourceFile, report, rows
from divlogic.errors import DivLogicError
from divlogic.io.log import track
from divlogic.records import Record

_LOOKED_AT = 50
"""Rows of which the texts tell whether an unused column may hold the contexts."""

_OWN_FIELDS = frozenset(("id", "benchmark", "split", "formulas", "sentences", "metadata", "forms"))
_RECORD = frozenset(("id", "benchmark", "split", "context", "question", "options", "answer"))
"""Fields that every record written by this workflow has."""


@dataclass(frozen=True)
class Layout:
    """How a file is read.

    Attributes:
        names: its columns, in their order.
        columns: which of them hold what.
        keys: how answers name options (:data:`divlogic.benchmarks.readers.keys.WAYS`); empty without answers.
        labels: the options of questions without options of their own, in the order of their numbers.
        in_usual_order: whether the labels are those of numbers of which the file does not say what they mean.
        is_record: whether the rows are records as this workflow writes them, whose answers are indices.
    """

    names: tuple[str, ...]
    columns: Columns
    keys: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    in_usual_order: bool = False
    is_record: bool = False

    @property
    def distractors(self) -> bool:
        """Whether the wrong options stand apart from the right one."""
        return bool(self.columns.distractors or "distractors" in self.columns.fields)

    def sentence(self) -> str:
        """Return in words which columns became which fields, and which are left as metadata."""
        fields = self.columns.fields
        named = [f"{name} ← {fields[name]}" for name in NAMES if name in fields]
        if self.columns.options:
            named.append(f"options ← {_run(self.columns.options)}")
        elif self.columns.distractors:
            named.append(f"distractors ← {_run(self.columns.distractors)}")
        elif not self.columns.has_options:
            named.append(f"options: {' | '.join(self.labels) or 'listed in the question'}")
        missing = [f"{name}: none" for name in ("context", "answer") if name not in fields]
        rest = [name for name in self.names if name not in self.columns.used | _OWN_FIELDS]
        return "; ".join([", ".join(named), *missing, f"metadata: {', '.join(rest) or 'none'}"])


@dataclass
class _Survey:
    """What the rows of a file hold.

    Attributes:
        filled: column -> rows in which it holds something.
        values: column -> the different short values of it, as long as they are few.
        texts: column -> its texts in the first rows.
        ids: column with the name of an id -> its values; those of ``repeated`` are no ids.
        inline: column -> rows in which its text ends with a list of options.
        rows: number of rows.
        problem: the first row that could not be read.
    """

    filled: dict[str, int]
    values: dict[str, set[str]]
    texts: dict[str, list[str]]
    ids: dict[str, set[str]] = field(default_factory=dict)
    repeated: set[str] = field(default_factory=set)
    rows: int = 0
    records: int = 0
    inline: dict[str, int] = field(default_factory=dict)
    problem: Problem | None = None


def file_rows(
    file: SourceFile, on_problem: OnProblem | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the questions of a user's file; those that stand in a list of a row's are rows of their own."""
    for name, row in rows(file, on_problem=on_problem):
        if isinstance(row, dict):
            yield from flat_rows(name, row)
        else:
            kind = "a list" if isinstance(row, list) else f"the value {str(row)[:40]!r}"
            report(file, name, f"is {kind}, not an object with named fields", on_problem)


def layout_of(file: SourceFile) -> Layout:
    """Return how a file is read.

    Raises:
        DivLogicError: it has no questions with options, or leaves open how it is read; the message names the option
            of the command that decides.
    """
    return _layout(file, file.stamp)


@lru_cache(maxsize=8)
def _layout(file: SourceFile, stamp: tuple[int, int]) -> Layout:
    survey = _survey(file)
    given = _given(file, survey)
    names = tuple(survey.filled)
    if survey.rows == 0:
        raise _empty(file, survey)
    filled = [name for name in names if survey.filled[name] and name not in survey.repeated]
    if survey.records == survey.rows:
        found = find_columns(filled, {}) or Columns({"question": "question", "options": "options"})
        return Layout(names, found, is_record=True)
    columns = find_columns(filled, given)
    labels: tuple[str, ...] = ()
    in_usual_order = False
    if columns is None:
        columns = find_columns(filled, given, with_options=False)
        if columns is None:
            raise DivLogicError(f"{file}: {what_is_needed(names)}")
        columns, labels = _labelled(file, columns, given, survey)
        values = _values(survey, columns.fields["answer"])
        in_usual_order = not file.said.labels and bool(values) and _are_numbers(sorted(values))
    _ask_for_context(file, columns, given, survey)
    layout = Layout(names, columns, labels=labels, in_usual_order=in_usual_order)
    return _with_keys(file, layout, given, filled)


def unquestioned(file: SourceFile) -> bool:
    """Return whether the first row of a file has no question, by the names of its columns (a list of sources, say)."""
    row = next((row for _, row in file_rows(file, lambda problem: None)), None)
    return row is None or find_columns(row, dict(file.said.columns), with_options=False) is None


def _survey(file: SourceFile) -> _Survey:
    """Look through all rows of a file."""
    survey = _Survey({}, {}, {})

    def on_problem(problem: Problem) -> None:
        survey.problem = survey.problem or problem

    for _, row in track(file_rows(file, on_problem), f"Looking through {file.name}"):
        survey.rows += 1
        survey.records += _is_record(row)
        for name, cell in row.items():
            there = _holds(cell)
            survey.filled[name] = survey.filled.get(name, 0) + there
            if there:
                _look_at(survey, name, cell)
    return survey


def _holds(cell: Any) -> bool:
    """Return whether a cell holds something; an empty list and blanks are nothing."""
    if isinstance(cell, list | dict):
        return bool(cell)
    return is_there(cell) and bool(str(cell).strip())


def _look_at(survey: _Survey, name: str, cell: Any) -> None:
    values = survey.values.setdefault(name, set())
    if len(values) <= MOST:
        values.add(_text_of(cell)[:200])
    # Whoever calls a column `id` means it; other names of ids must be unique to be taken for one.
    if plain_name(name) in NAMES["id"][1:] and name not in survey.repeated:
        ids = survey.ids.setdefault(name, set())
        if _text_of(cell) in ids:
            survey.repeated.add(name)
            ids.clear()
        ids.add(_text_of(cell))
    if survey.rows <= _LOOKED_AT:
        survey.texts.setdefault(name, []).append(_text_of(cell))
    if isinstance(cell, str) and "\n" in cell and options_within(cell):
        survey.inline[name] = survey.inline.get(name, 0) + 1


def _text_of(cell: Any) -> str:
    try:
        return key_text(cell)
    except ValueError:
        return " ".join(map(str, cell)) if isinstance(cell, list) else str(cell)


def _is_record(row: Mapping[str, Any]) -> bool:
    return _RECORD <= row.keys() <= frozenset(Record.__slots__)


def _given(file: SourceFile, survey: _Survey) -> dict[str, tuple[str, ...]]:
    """Return what the user says of the columns; a name with commas may be one column or several."""
    given: dict[str, tuple[str, ...]] = {}
    for name, columns in file.said.columns:
        joined = ",".join(columns)
        given[name] = (joined,) if joined in survey.filled else columns
        missing = [column for column in given[name] if column not in survey.filled]
        if missing and survey.rows:
            there = ", ".join(name for name in survey.filled if name.strip())
            raise DivLogicError(
                f"{file}: there is no column '{missing[0]}'; its columns are {there}."
            )
        if len(given[name]) > 1 and name not in ("options", "distractors"):
            raise DivLogicError(
                f"{file}: '{name}' is one column, not {len(given[name])} ({', '.join(given[name])})."
            )
    return given


def _empty(file: SourceFile, survey: _Survey) -> DivLogicError:
    """Return the reason why a file has no row."""
    if file.member is None and file.path.stat().st_size == 0:
        return DivLogicError(f"{file}: the file is empty.")
    if survey.problem is not None:
        return DivLogicError(f"{survey.problem}; no row of the file can be read.")
    return DivLogicError(
        f"{file}: it has no row of a table (a header alone is none) and no JSON object."
    )


def _labelled(
    file: SourceFile, columns: Columns, given: Mapping[str, tuple[str, ...]], survey: _Survey
) -> tuple[Columns, tuple[str, ...]]:
    """Return the columns and the labels of questions without options: the values of the column of answers."""
    question = columns.fields["question"]
    if survey.inline.get(question) == survey.rows and not file.said.labels:
        return columns, ()
    names = [name for name in survey.filled if survey.filled[name] and name not in columns.used]
    candidates = [columns.fields["answer"]]
    if "answer" not in given:
        candidates += named_for("answer", names)
    if file.said.labels:
        return columns, file.said.labels
    for answer in candidates:
        values = _values(survey, answer)
        known = labels_of(values)
        if known is None and values == {"0", "1", "2"}:
            # SNLI, MultiNLI, XNLI and ANLI all number the three labels in this order.
            pairs = question.casefold() in ("hypothesis", "sentence2")
            known = INFERENCE if pairs else None
        if known is not None:
            in_words = _in_words(file, answer, names, survey, is_said="answer" in given)
            if in_words is not None:
                answer = in_words
                known = labels_of(_values(survey, answer)) or known
            found = replace(columns, fields={**columns.fields, "answer": answer})
            # An option that stands beside its question differs from row to row.
            unused = [name for name in names if name != answer and len(survey.values[name]) > 1]
            if unused:
                _refuse_option_per_row(file, found)
            return found, known
    raise _unlabelled(file, candidates[0], survey)


def _values(survey: _Survey, column: str) -> set[str]:
    """Return the labels that a column holds, without what stands for none."""
    return {value for value in survey.values[column] if value not in ("", "-", "-1")}


def _in_words(
    file: SourceFile, answer: str, names: list[str], survey: _Survey, *, is_said: bool
) -> str | None:
    """Return the column that says in words what the numbers of a column of answers mean; ``None`` without one.

    Args:
        is_said: whether the user named the column of answers: words that do not go with it are then let be.

    Raises:
        DivLogicError: a column of such words does not go with the numbers, or two of them not with each other.
    """
    values = _values(survey, answer)
    if not _are_numbers(sorted(values)):
        return None
    others = [name for name in names if name != answer]
    worded = []
    for name in others:
        words = _values(survey, name)
        # As many words as numbers: a column of one annotator's labels need not hold all.
        if len(words) == len(values) and not _are_numbers(sorted(words)) and labels_of(words):
            worded.append(name)
    readings: dict[str, set[tuple[str, str]]] = {}
    for name in worded:
        words = _values(survey, name)
        pairs = set()
        for _, row in file_rows(file, lambda problem: None):
            number, word = _text_of(row.get(answer)), _text_of(row.get(name))
            if number in values and word in words:
                pairs.add((number, label_name(word)))
        if len(pairs) == len(values):
            readings[name] = pairs
        elif not is_said:
            raise DivLogicError(
                f"{file}: the columns '{answer}' and '{name}' both hold labels, and do not go together: one number"
                f" stands beside several words. Say which is the answer with --columns answer={answer} or --columns"
                f" answer={name}."
            )
    if len({frozenset(pairs) for pairs in readings.values()}) > 1:
        named = " and ".join(f"'{name}'" for name in readings)
        raise DivLogicError(
            f"{file}: the columns {named} say differently what the numbers in '{answer}' mean. Say which is the answer"
            f" with --columns answer={next(iter(readings))}, or name the meaning of 0, 1, … with --labels."
        )
    return next(iter(readings), None)


def _refuse_option_per_row(file: SourceFile, columns: Columns) -> None:
    """Refuse a table that has a row for each option: most questions come back with other labels."""
    labels: dict[int, str] = {}
    contradicted: set[int] = set()
    asking = [columns.fields[name] for name in ("context", "question") if name in columns.fields]
    for _, row in file_rows(file, lambda problem: None):
        asked = hash(tuple(str(row.get(name)) for name in asking))
        label = _text_of(row.get(columns.fields["answer"]))
        if labels.setdefault(asked, label) != label:
            contradicted.add(asked)
    if len(contradicted) * 2 > len(labels):
        raise DivLogicError(
            f"{file}: most questions stand in several rows with different labels in '{columns.fields['answer']}', as if"
            " each option had a row of its own. Write each question in one row with all its options."
        )


def _unlabelled(file: SourceFile, answer: str, survey: _Survey) -> DivLogicError:
    """Return the reason why questions without options cannot be read."""
    values = sorted(survey.values[answer] - {"", "-", "-1"})
    # Labels come back row after row; free answers are as many as the rows.
    if values and all(len(value) == 1 and value.upper() in "ABCDEFGHIJ" for value in values):
        return DivLogicError(
            f"{file}: its answers are letters, but no column holds the options. Name it (--columns options=COLUMN, or"
            " options=COLUMN,COLUMN,…); options within the text of a question are read if every one stands in a line"
            " that begins with its letter."
        )
    if 1 < len(values) <= MOST and (len(values) < survey.filled[answer] or _are_numbers(values)):
        shown = ", ".join(f"'{value[:40]}'" for value in values)
        example = "False,True" if _are_numbers(values) else ",".join(values)
        how = "in the order of their numbers: " if _are_numbers(values) else "such as "
        return DivLogicError(
            f"{file}: its questions have no options, and the column '{answer}' holds {shown}, which are no known set of"
            f" labels. Name the options, {how}--labels {shlex.quote(example)}."
        )
    return DivLogicError(
        f"{file}: its questions have no options, and the column '{answer}' holds free answers (such as"
        f" '{values[0][:40] if values else ''}'), not a few labels: only questions with options can be rotated and"
        " scored here. If options stand in other columns, name them (--columns options=COLUMN,COLUMN)."
    )


def _are_numbers(values: list[str]) -> bool:
    return all(value.isdigit() for value in values)


def _ask_for_context(
    file: SourceFile, columns: Columns, given: Mapping[str, tuple[str, ...]], survey: _Survey
) -> None:
    if "context" in columns.fields or "context" in given:
        return
    if given.get("question") is None and "question" not in columns.fields:
        return
    for name, texts in survey.texts.items():
        if name in columns.used | _OWN_FIELDS or is_unnamed(name):
            continue
        if looks_like_context(name, texts):
            raise DivLogicError(
                f"{file}: the column '{name}' may hold the contexts. Say so with --columns context={name}, or, if it"
                " does not, with --columns context=none."
            )


def _with_keys(
    file: SourceFile,
    layout: Layout,
    given: Mapping[str, tuple[str, ...]],
    filled: list[str],
) -> Layout:
    """Return the layout with the column of answers whose keys name options, and how they are read."""
    columns = layout.columns
    if layout.distractors or layout.labels or not columns.has_options:
        return layout
    if "answer" in given:
        candidates = [columns.fields["answer"]] if "answer" in columns.fields else []
    else:
        used = columns.used - {columns.fields.get("answer")}
        candidates = named_for("answer", [name for name in filled if name not in used])
    tallies = _tallies(file, columns, candidates)
    if "answer" not in given and not any(tally.filled for tally in tallies.values()):
        marking = _search_keys(file, columns, filled)
        return _answered(layout, marking, ("label",)) if marking else layout
    candidates = [name for name in candidates if _names_options(tallies[name])] or candidates[:1]
    if not candidates:
        return layout
    if file.said.keys:
        first = candidates[0]
        try:
            return _answered(layout, first, said_ways(tallies[first], file.said.keys, first))
        except UndecidedError as error:
            raise DivLogicError(f"{file}: {error}") from error
    found: dict[str, tuple[str, ...]] = {}
    undecided: list[UndecidedError] = []
    for name in candidates:
        try:
            found[name] = ways_of(tallies[name], name, from_zero=columns.from_zero)
        except UndecidedError as error:
            undecided.append(error)
    if not found:
        raise DivLogicError(f"{file}: {undecided[0]}") from undecided[0]
    if len(found) > 1:
        _compare(file, columns, found)
    best = next(iter(found))
    return _answered(layout, best, found[best])


def _search_keys(file: SourceFile, columns: Columns, filled: list[str]) -> str | None:
    """Return the column that marks the right options of a file without a key under a known name, if one does.

    Raises:
        DivLogicError: another column may hold the keys, or the options may; the message asks.
    """
    left = [name for name in filled if name not in columns.used | _OWN_FIELDS]
    left = [name for name in left if not is_unnamed(name)]
    unkeyed = Unkeyed(columns)
    for number, row in file_rows(file, lambda problem: None):
        unkeyed.add(number, row, left)
    marking = unkeyed.marking()
    if marking is None and (question := unkeyed.question()):
        raise DivLogicError(f"{file}: {question}")
    return marking


def _answered(layout: Layout, column: str, ways: tuple[str, ...]) -> Layout:
    fields = {**layout.columns.fields, "answer": column}
    return replace(layout, columns=replace(layout.columns, fields=fields), keys=ways)


def _tallies(file: SourceFile, columns: Columns, candidates: list[str]) -> dict[str, Tally]:
    """Return the keys of each column that may hold the answers."""
    tallies = {name: Tally() for name in candidates}
    for number, row in file_rows(file, lambda problem: None):
        try:
            options = read_options(row, columns)
        except ValueError:
            continue
        for name, tally in tallies.items():
            tally.add(number, row.get(name), options)
    return tallies


def _names_options(tally: Tally) -> bool:
    """Return whether a column is one of answers: most of what it holds names an option."""
    readable = sum(tally.places[places] for places in tally.readable())
    return readable * 2 > tally.filled


def _compare(file: SourceFile, columns: Columns, found: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse a file with two columns of answers that name different options."""
    for number, row in file_rows(file, lambda problem: None):
        named: dict[str, str] = {}
        for name, ways in found.items():
            try:
                options = read_options(row, columns)
                place = place_in(places_of(row.get(name), options), ways)
            except ValueError:
                continue
            if place is not None and not is_missing(row.get(name), options):
                named[name] = options.texts[place]
        if len(set(named.values())) > 1:
            shown = ", ".join(f"'{name}' names ‘{text[:40]}’" for name, text in named.items())
            ways_out = " or ".join(f"--columns answer={name}" for name in named)
            raise DivLogicError(
                f"{file}: two columns hold answers and differ: in row {number} {shown}. Say which with {ways_out}."
            )


def label_place(value: Any, labels: tuple[str, ...]) -> int | None:
    """Return the index of a label that a row names, by its name or its number.

    Raises:
        ValueError: it is none of them.
    """
    if is_missing(value, Options(labels)):
        return None
    text = key_text(value)
    names = [label_name(label) for label in labels]
    if label_name(text) in names:
        return names.index(label_name(text))
    if text.isdigit() and int(text) < len(labels):
        return int(text)
    raise ValueError(f"the answer {text!r} is none of {', '.join(labels)}")


def _run(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"

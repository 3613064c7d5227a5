"""What the workflow measured for each printed table: rows of numbers, and the printed cells that they belong to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from divlogic.benchmarks.registry import TITLES
from divlogic.paper.model import WORDS, TableCell, TableDeclaration, Via
from divlogic.published import folded_name

RECORDED = "(recorded)"
GENERATED = "a benchmark generated here, not the paper's"
GENERATED_PART = "generated here"
"""How the tables of the results note the data of a benchmark that is made here."""
DRAWN_AS_PUBLISHED = "a set drawn here by the paper's construction"
SPLITS = "diversity/splits"
LOGICNLI_SETS = "benchmarks/logicnli/sets"
_RELEASED = {"LogicNLI Train": "training", "LogicNLI Dev.": "validation"}
FROM_PROFILE = "from the shipped profile (data/profiles)"
"""How the tables of the results note a shipped profile; it holds the words of the paper's data."""

Keys = Mapping[str, str]
"""The words that find a printed cell in its table."""
ResultRow = Mapping[str, Any]
Results = Callable[[str], list[dict[str, Any]]]
"""Returns the rows of a table of the results, named without suffix; none if the run has no such table."""


@dataclass(frozen=True)
class MeasuredRow:
    """A row of measured numbers.

    Attributes:
        numbers: by printed column.
        fits: tells whether the numbers belong to a printed cell; the first that fits and has one is compared with it.
        words: by key, for a row of its own where no printed cell fits; ``None``: there is no such row.
    """

    numbers: Mapping[str, TableCell]
    fits: Callable[[Keys], bool] = lambda keys: False
    words: Mapping[str, str] | None = None


def measured_rows(table: TableDeclaration, results: Results) -> list[MeasuredRow]:
    """Return the measured rows of a table, in the order of the report."""
    options = dict(table.measured)
    return list(_SOURCES[options.pop("source")](table, results, **options)) if options else []


def is_generated(other: str) -> bool:
    """Tell from a remark on the data whether these are a benchmark generated here."""
    return other == GENERATED or other.startswith(GENERATED_PART)


def measured_cell(
    value: float, low: float | None = None, high: float | None = None, other: str = "", via: Via = ""
) -> TableCell:
    """Return a measured number with its interval, why its data are not the paper's (empty if they are), its origin."""
    return TableCell("measured_only", measured=value, low=low, high=high, other=other, via=via)


def _of_design(cells: Mapping[str, TableCell]) -> dict[str, TableCell]:
    """Return numbers that the construction fixes: to find them again reproduces nothing."""
    return {name: replace(cell, status="design") for name, cell in cells.items()}


def numbers_of(row: ResultRow, columns: Mapping[str, str], other: str, via: Via = "") -> dict[str, TableCell]:
    """Return the numbers of a row with their intervals by printed column; what is no number is left out."""
    return {
        printed: measured_cell(row[name], row.get(f"{name}_low"), row.get(f"{name}_high"), other, via)
        for printed, name in columns.items()
        # Sets of several sizes or depths list them in words.
        if isinstance(row.get(name), int | float)
    }


def _benchmarks(table: TableDeclaration, results: Results, sizes: str = "") -> Iterator[MeasuredRow]:
    """Yield a row per measured benchmark.

    Args:
        sizes: ``splits`` also compares the size of that split of each that is here; ``whole`` that of all splits,
            where all are here.
    """
    released = [row for row in results(LOGICNLI_SETS) if row["source"] == "release"]
    parts: dict[str, Any] = {_RELEASED[row["benchmark"]]: row.get("instances") for row in released}
    for row in results(table.reads[0]):
        if row["benchmark"] == "LogicNLI" and not _other_data(row):
            parts["test"] = row.get("size")
    if len(parts) > len(_RELEASED) and all(parts.values()):
        parts["size"] = sum(parts.values())
    numbers = numbers_of(parts, {name: name for name in parts}, "", "profile")
    yield MeasuredRow(numbers, _of_benchmarks("LogicNLI"))
    for row in results(table.reads[0]):
        if row.get("source") not in ("measured", "profile"):
            continue
        via, other = _profile_of(row), _other_data(row)
        numbers = numbers_of(row, table.columns, other, via)
        words = {"benchmark": row["benchmark"]} if numbers else None
        if sizes == "splits" and GENERATED_PART not in other:
            split = re.search(r"\b(train|dev|validation|test)\b", other)
            name = split[1] if split else "test"
            measure = {"train": "training", "dev": "validation"}.get(name, name)
            # A whole split has the paper's size, whichever split the other measures should be of.
            whole = row.get("rows_used") == row.get("rows_expected")
            numbers |= numbers_of(row, {measure: "size"}, "" if whole else other, via)
        reference = str(row.get("reference") or "simple_wikipedia whole")
        # The paper's own reference is a whole dump of Wikipedia.
        another = not reference.startswith("simple_wikipedia whole")
        if "kl" in numbers and another and not is_generated(other):
            said = "; ".join(filter(None, (other, f"against {reference}")))
            numbers["kl"] = replace(numbers["kl"], other=said)
        yield MeasuredRow(numbers, _of_benchmarks(row["benchmark"]), words)
    for row in results(SPLITS) if sizes else ():
        columns = dict(table.columns, size="size", training="train", validation="validation", test="test")
        # DivLogicEval's instances are the same, in splits of their own.
        numbers = numbers_of(row, columns, GENERATED)
        yield MeasuredRow(numbers, _of_benchmarks(row["benchmark"], "DivLogicEval"))


def _of_benchmarks(*titles: str) -> Callable[[Keys], bool]:
    """Return what tells whether a printed cell is one of some benchmarks, which it names by title or by name."""
    return lambda keys: keys["benchmark"] in titles or TITLES.get(keys["benchmark"]) in titles


def _systems(
    table: TableDeclaration,
    results: Results,
    by: tuple[str, ...] = (),
    benchmark: str | None = None,
    instances: int | None = None,
) -> Iterator[MeasuredRow]:
    """Yield a row per measured system: printed and measured systems meet by name or version.

    Args:
        by: columns that must agree in addition to the system: shots, metric, benchmark.
        benchmark: only rows of this one; ``None`` where the table has several or names none.
        instances: size of the paper's test set, where answers to another number of instances were recorded.
    """
    for row in results(table.reads[0]):
        if row["source"] != "measured" or benchmark not in (None, row.get("benchmark")):
            continue
        via: Via = "recording" if RECORDED in row["system"] else ""
        other, given = "" if via else GENERATED, _asked_instances(row)
        if via and instances and given and given != [instances]:
            other = f"the authors' recorded answers to {given[0]:,} instances; the paper has {instances:,}"
        parts = [row.get("benchmark") if "benchmark" in by else "", row.get("shots", "0-shot")]
        if row.get("preset") == "as_published":
            # Two rows of one system differ in how PC counts answers that name no option.
            parts.append("PC as published")
        setting = ", ".join(filter(None, parts))
        # A table without settings shows them behind the name.
        name = _with_size(row) if "setting" in table.rows else f"{_with_size(row)}, {setting}"
        words = {"system": name, "setting": setting, "metric": row.get("metric") or ""}
        numbers = numbers_of(row, table.columns, other, via)
        yield MeasuredRow(numbers, partial(_is_system, row, by), words if numbers else None)


def _is_system(row: ResultRow, by: tuple[str, ...], keys: Keys) -> bool:
    setting = keys["setting"]
    wanted = {"shots": WORDS.get(setting, setting), "metric": keys["metric"], "benchmark": setting.casefold()}
    same = folded_name(row["system"]) in (folded_name(keys["system"]), folded_name(keys["version"]))
    # Of ReClor models are asked the validation set, whose keys are public.
    return same and all(str(row[name]).removesuffix("_validation") == wanted[name] for name in by)


def _with_size(row: ResultRow) -> str:
    """Return the name of a system, and behind that of a recorded one how many instances it was asked.

    Where a table has two benchmarks side by side, both numbers are given if they differ.
    """
    sizes = _asked_instances(row)
    if RECORDED not in row["system"] or not sizes:
        return str(row["system"])
    return f"{row['system']}, {' and '.join(f'{size:,}' for size in sizes)} instances"


def _asked_instances(row: ResultRow) -> list[int]:
    sizes = (row[column] for column in row if column.endswith("instances"))
    return list(dict.fromkeys(size for size in sizes if isinstance(size, int)))


def _profile_of(row: ResultRow) -> Via:
    return "profile" if row["source"] == "profile" else ""


def _other_data(row: ResultRow) -> str:
    """Return what a note says of the data; that their words come from a profile does not make them others."""
    return "; ".join(part for part in (row.get("note") or "").split("; ") if part and part != FROM_PROFILE)


def _independence(table: TableDeclaration, results: Results) -> Iterator[MeasuredRow]:
    """Yield the recorded answers of JustLogic's authors, and probes and models as rows of their own."""
    for row in results(table.reads[0]):
        if row["source"] != "published":
            title = str(TITLES.get(row["benchmark"], row["benchmark"]))
            preset = f", {row['preset']}" if row["preset"] else ""
            compared = row["source"] == "recorded" and row["preset"] != "corrected"
            numbers = numbers_of(row, table.columns, "", "recording" if compared else "")
            words = {"benchmark": f"{title}, {row['system']}{preset}"}
            yield MeasuredRow(numbers, _of_benchmarks(*[title] * compared), words)


def _label_accuracy(table: TableDeclaration, results: Results) -> Iterator[MeasuredRow]:
    """Yield the systems by name and setting, scored as JustLogic's paper scores them."""
    for row in results(table.reads[0]):
        if row["source"] == "published":
            continue

        origin: tuple[str, Via] = ("", "recording") if row["source"] == "recorded" else (GENERATED, "")
        preset = f" ({row['preset']})" if row["preset"] else ""
        words = {"system": row["system"] + preset, "setting": row["setting"]}
        yield MeasuredRow(numbers_of(row, table.columns, *origin), partial(_is_labelled, row), words)


def _is_labelled(row: ResultRow, keys: Keys) -> bool:
    same = folded_name(row["system"]) == folded_name(keys["system"]) and row["setting"] == keys["setting"]
    return same and row["preset"] != "corrected"


FLOORS = "benchmarks/logicnli/floors"
STATISTICS = "diversity/statistics"
_SIZES = ("instances", "average_length", "maximum_length", "facts_and_rules", "subjects", "predicates")


def _logicnli_sets(
    table: TableDeclaration,
    results: Results,
    sizes: Iterable[str] = _SIZES,
    starts: Iterable[str] = (),
    released: Mapping[str, str] | None = None,
) -> Iterator[MeasuredRow]:
    """Yield LogicNLI's public splits, the sets drawn as published, and the generated sets as rows of their own.

    Args:
        sizes: printed measures that are counted.
        starts: names of the printed sets begin so; a generated set of that name becomes a row.
        released: printed row -> the released split that it is compared with, where the names differ.
    """
    columns = {name: name for name in sizes}
    # Size and average length of the test split, where its words are counted: the release has no more of it.
    for row in results(STATISTICS) if "LogicNLI" in starts else ():
        whole = row["source"] in ("measured", "profile") and not _other_data(row)
        if row["benchmark"] == "LogicNLI" and whole and row["instances"]:
            length = row["tokens_instances"] / row["instances"]
            counted = {"average_length": length, "instances": row["instances"]}
            numbers = numbers_of(counted, columns, "", _profile_of(row))
            yield MeasuredRow(numbers, _of_benchmarks("LogicNLI Test-A"))
    for row in results(LOGICNLI_SETS):
        name = str(row["benchmark"])
        if row["source"] == "release":
            names = [printed for printed, own in (released or {}).items() if own == name]
            yield MeasuredRow(numbers_of(row, columns, ""), _of_benchmarks(name, *names))
        elif row["source"] == "as published":
            drawn = numbers_of(row, columns, DRAWN_AS_PUBLISHED)
            for measure, cell in drawn.items():
                if listed := row.get(f"{measure}s"):  # the paper prints one for each of the sizes
                    drawn[measure] = replace(cell, several=tuple(map(float, listed.split("/ "))))
            # Size, sentences and words were given to the draw; the lengths are what came of them.
            lengths = {key: cell for key, cell in drawn.items() if key.endswith("_length")}
            yield MeasuredRow(_of_design(drawn) | lengths, _of_benchmarks(name))
        elif row["source"] == "generated" and name.startswith(tuple(starts)):
            yield MeasuredRow(numbers_of(row, columns, GENERATED), words={"benchmark": f"{name} (generated)"})


def _logicnli_learners(
    table: TableDeclaration,
    results: Results,
    columns: Mapping[str, str],
    floors: Mapping[str, str] | None = None,
    chance: Mapping[str, str] | None = None,
    setting: str | None = None,
) -> Iterator[MeasuredRow]:
    """Yield floors on sets drawn as LogicNLI's were, and learners and models on the generated sets.

    Args:
        columns: printed columns to columns of the table of learners.
        floors: printed columns to columns of the table of floors.
        chance: printed columns to sets drawn as published, for the row of guessing among their labels.
        setting: only rows of this benchmark; ``None``: all, each with its own.
    """
    for row in results(FLOORS) if floors else ():
        words = {"system": f"{row['system']} (as published)"}
        drawn = "random theories drawn here as the paper's were"
        yield MeasuredRow(numbers_of(row, floors or {}, drawn), words=words)
    # The generated sets need not have the paper's labels.
    guessed: dict[str, dict[str, float]] = {"generated": {}, "as published": {}, "release": {}}
    for row in results(LOGICNLI_SETS):
        if row.get("labels"):
            guessed[row["source"]][row["benchmark"]] = 100 / (row["labels"].count(":") + 1)
    fixed = _of_design(numbers_of(guessed["as published"], chance or {}, DRAWN_AS_PUBLISHED))
    yield MeasuredRow(fixed, lambda keys: keys["system"] == "Random")
    for row in results(table.reads[0]):
        own = str(row.get("setting") or "")
        if setting in (None, own):
            name, asked = str(row["system"]).replace("_", " "), row.get("statements")
            size = f", {asked:,} statements" if RECORDED in name and asked else ""
            guess = guessed["generated"].get(f"{own} Test-A" if own else "∧")
            words = {"system": name + size + (f", chance {guess:.1f}" if guess else ""), "setting": own}
            yield MeasuredRow(numbers_of(row, columns, GENERATED), words=words)


COMPOSITION = "benchmarks/llmeval_logic/published/composition"
_PROFILED = {"LLMEval-Logic Base": "base items", "LLMEval-Logic Hard": "hard sub-questions"}
"""Title in the table of word statistics -> what its instances are: of Hard, sub-questions."""
_PARTS = {"llmeval_logic_base": "Base", "llmeval_logic_hard": "Hard"}
_PART = "the part that is here"


def _composition(
    table: TableDeclaration, results: Results, counts: Mapping[str, Mapping[str, str]]
) -> Iterator[MeasuredRow]:
    """Yield LLMEval-Logic's items, sub-questions and rubric atoms; embedded runs have shipped word counts."""
    counted: dict[str, ResultRow] = {
        _PROFILED[row["benchmark"]]: {"here": row["instances"], "of": row["instances"], "via": "profile"}
        for row in results(STATISTICS)
        if row["benchmark"] in _PROFILED and row["source"] == "profile"
    }
    counted |= {f"{row['part']} {row['count']}": row for row in results(COMPOSITION) if row["here"]}
    for benchmark, measures in counts.items():
        numbers = {}
        for measure, key in measures.items():
            if row := counted.get(key):
                other = "" if row["here"] == row["of"] and "public" in measure else _PART
                numbers[measure] = measured_cell(float(row["here"]), other=other, via=row.get("via", ""))
        yield MeasuredRow(numbers, _of_benchmarks(benchmark))


def _scores(
    table: TableDeclaration, results: Results, metrics: Mapping[str, str], own: bool = True
) -> Iterator[MeasuredRow]:
    """Yield models, which are printed with their thinking in brackets, and in rows of their own all others.

    Args:
        metrics: metric of the scores -> printed metric.
        own: whether what is not printed has rows of its own.
    """
    for row in results(table.reads[0]):
        if row["metric"] in metrics and not row["track"].endswith("_free"):
            name = row["benchmark"]
            part = _PARTS.get(name, f"{name.rpartition('_')[2].capitalize()} (generated)")
            given = ", reference symbols given" if row["track"] == "formalise_fixed" else ""
            words = {"system": row["model"], "setting": part + given, "metric": metrics[row["metric"]]}
            other = _PART if name in _PARTS else GENERATED
            score = measured_cell(row["score"], row["low"], row["high"], other)
            yield MeasuredRow({"score": score}, partial(_is_score, words), words if own else None)


def _is_score(words: Keys, keys: Keys) -> bool:
    named = {**keys, "system": f"{keys['system']} ({keys['version']})"}
    return all(named[name] == word for name, word in words.items())


_SOURCES: Mapping[str, Callable[..., Iterator[MeasuredRow]]] = {
    "benchmarks": _benchmarks,
    "systems": _systems,
    "independence": _independence,
    "label_accuracy": _label_accuracy,
    "sets": _logicnli_sets,
    "learners": _logicnli_learners,
    "composition": _composition,
    "scores": _scores,
}
"""By name in ``tables.yaml``: from a table and the results, with what the file says further, its measured rows."""

"""What the workflow measured for each printed table: rows of numbers, and the printed cells that they belong to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from divlogic.benchmarks.registry import TITLES, published_sets
from divlogic.io.log import say
from divlogic.paper.model import WORDS, Status, TableCell, TableDeclaration, Via
from divlogic.published import folded_name

RECORDED = "(recorded)"
GENERATED = "a benchmark generated here, not the paper's"
GENERATED_PART = "generated here"
"""How the tables of the results note the data of a benchmark that is made here."""
DRAWN_AS_PUBLISHED = "a set drawn here by the paper's construction"
SPLITS = "diversity/splits"
LOGICNLI_SETS = "benchmarks/logicnli/sets"
_RELEASED = {
    "LogicNLI Train": "training",
    "LogicNLI Dev.": "validation",
    "LogicNLI Test-A": "test",
}
"""Split of LogicNLI's release -> the measure that prints its size."""
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


REPRODUCED = {one.title: TITLES[one.reproduces] for one in published_sets() if one.reproduces}
"""Title of published records that have a name of their own -> the title of those that the papers print."""


def measured_rows(table: TableDeclaration, results: Results) -> list[MeasuredRow]:
    """Return the measured rows of a table, in the order of the report."""
    options = dict(table.measured)
    return list(_SOURCES[options.pop("source")](table, results, **options)) if options else []


def known_rows(
    table: TableDeclaration,
    path: str,
    results: Results,
    measure: Callable[[ResultRow], Iterable[MeasuredRow]],
) -> Iterator[MeasuredRow]:
    """Yield what ``measure`` makes of each row of a table of the results.

    A row that it cannot place is left out with a warning that names it: this is the last phase of a run, which may
    have taken hours, and the other rows are worth having.
    """
    for number, row in enumerate(results(path), start=1):
        try:
            # All of a row, or nothing: half of its numbers would look like all that was measured.
            found = list(measure(row))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            words = " ".join(str(value) for value in row.values() if isinstance(value, str))
            say(
                f"warning: {table.paper}, {table.number}: row {number} of results/{path}.csv ({words[:100]}) is left"
                f" out, as this table does not know what it is ({error!r})"
            )
        else:
            yield from found


def is_generated(other: str) -> bool:
    """Tell from a remark on the data whether these are a benchmark generated here."""
    return other == GENERATED or other.startswith(GENERATED_PART)


def measured_cell(
    value: float,
    low: float | None = None,
    high: float | None = None,
    other: str = "",
    via: Via = "",
) -> TableCell:
    """Return a measured number with its interval, why its data are not the paper's (empty if they are), its origin."""
    return TableCell("measured_only", measured=value, low=low, high=high, other=other, via=via)


def _of_design(cells: Mapping[str, TableCell], status: Status = "design") -> dict[str, TableCell]:
    """Return numbers that the construction fixes: to find them again reproduces nothing."""
    return {name: replace(cell, status=status) for name, cell in cells.items()}


def numbers_of(
    row: ResultRow, columns: Mapping[str, str], other: str, via: Via = ""
) -> dict[str, TableCell]:
    """Return the numbers of a row with their intervals by printed column; what is no number is left out."""
    return {
        printed: measured_cell(
            row[name], row.get(f"{name}_low"), row.get(f"{name}_high"), other, via
        )
        for printed, name in columns.items()
        # Sets of several sizes or depths list them in words.
        if isinstance(row.get(name), int | float)
    }


def _benchmarks(
    table: TableDeclaration, results: Results, sizes: str = ""
) -> Iterator[MeasuredRow]:
    """Yield a row per measured benchmark.

    Args:
        sizes: ``splits`` also compares the size of that split of each that is here; ``whole`` that of all splits,
            where all are here.
    """
    yield from _logicnli_sizes(table, results)

    def measured(row: ResultRow) -> Iterator[MeasuredRow]:
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
        title = str(row["benchmark"])
        # The authors' own DivLogicEval stands before the one made here, which has its name.
        yield MeasuredRow(numbers, _of_benchmarks(title, REPRODUCED.get(title, title)), words)

    yield from known_rows(table, table.reads[0], results, measured)

    def of_splits(row: ResultRow) -> Iterator[MeasuredRow]:
        columns = dict(
            table.columns, size="size", training="train", validation="validation", test="test"
        )
        # DivLogicEval's instances are the same, in splits of their own.
        numbers = numbers_of(row, columns, GENERATED)
        yield MeasuredRow(numbers, _of_benchmarks(row["benchmark"], "DivLogicEval"))

    if sizes:
        yield from known_rows(table, SPLITS, results, of_splits)


def _logicnli_sizes(table: TableDeclaration, results: Results) -> Iterator[MeasuredRow]:
    """Yield the sizes of LogicNLI's splits, and of the whole where all of them are known."""
    sizes: dict[str, Any] = {}
    for row in results(LOGICNLI_SETS):
        # A release may have further sets, which have no column here.
        if row.get("source") == "release" and row.get("benchmark") in _RELEASED:
            sizes[_RELEASED[row["benchmark"]]] = row.get("instances")
    for row in results(table.reads[0]):
        if row.get("benchmark") == "LogicNLI" and not _other_data(row):
            sizes["test"] = row.get("size")
    if all(sizes.get(split) for split in _RELEASED.values()):
        sizes["size"] = sum(sizes.values())
    numbers = numbers_of(sizes, {name: name for name in sizes}, "", "profile")
    yield MeasuredRow(numbers, _of_benchmarks("LogicNLI"))


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

    def measured(row: ResultRow) -> Iterator[MeasuredRow]:
        if benchmark not in (None, row.get("benchmark")):
            return
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

    yield from known_rows(table, table.reads[0], results, measured)


def _is_system(row: ResultRow, by: tuple[str, ...], keys: Keys) -> bool:
    setting = keys["setting"]
    wanted = {
        "shots": WORDS.get(setting, setting),
        "metric": keys["metric"],
        "benchmark": setting.casefold(),
    }
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
    return "; ".join(
        part for part in (row.get("note") or "").split("; ") if part and part != FROM_PROFILE
    )


def _independence(table: TableDeclaration, results: Results) -> Iterator[MeasuredRow]:
    """Yield the recorded answers of JustLogic's authors, and probes and models as rows of their own."""

    def measured(row: ResultRow) -> Iterator[MeasuredRow]:
        title = str(TITLES.get(row["benchmark"], row["benchmark"]))
        preset = f", {row['preset']}" if row["preset"] else ""
        words = {"benchmark": f"{title}, {row['system']}{preset}"}
        if row["source"] == "recorded" and row["preset"] != "corrected":
            numbers = numbers_of(row, table.columns, "", "recording")
            yield MeasuredRow(numbers, _of_benchmarks(title), words)
        else:
            yield MeasuredRow(numbers_of(row, table.columns, ""), words=words)

    yield from known_rows(table, table.reads[0], results, measured)


def _label_accuracy(table: TableDeclaration, results: Results) -> Iterator[MeasuredRow]:
    """Yield the systems by name and setting, scored as JustLogic's paper scores them."""

    def measured(row: ResultRow) -> Iterator[MeasuredRow]:
        recorded = row["source"] == "recorded"
        other = "" if recorded else GENERATED
        preset = f" ({row['preset']})" if row["preset"] else ""
        words = {"system": row["system"] + preset, "setting": row["setting"]}
        numbers = numbers_of(row, table.columns, other, "recording" if recorded else "")
        yield MeasuredRow(numbers, partial(_is_labelled, row), words)

    yield from known_rows(table, table.reads[0], results, measured)


def _is_labelled(row: ResultRow, keys: Keys) -> bool:
    same = (
        folded_name(row["system"]) == folded_name(keys["system"])
        and row["setting"] == keys["setting"]
    )
    return same and row["preset"] != "corrected"


FLOORS = "benchmarks/logicnli/floors"
STATISTICS = "diversity/statistics"
_SIZES = (
    "instances",
    "average_length",
    "maximum_length",
    "facts_and_rules",
    "subjects",
    "predicates",
)


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

    # Size and average length of the test split, where its words are counted.
    def of_statistics(row: ResultRow) -> Iterator[MeasuredRow]:
        whole = row["source"] in ("measured", "profile") and not _other_data(row)
        if row["benchmark"] == "LogicNLI" and whole and row["instances"]:
            length = row["tokens_instances"] / row["instances"]
            counted = {"average_length": length, "instances": row["instances"]}
            numbers = numbers_of(counted, columns, "", _profile_of(row))
            yield MeasuredRow(numbers, _of_benchmarks("LogicNLI Test-A"))

    if "LogicNLI" in starts:
        yield from known_rows(table, STATISTICS, results, of_statistics)

    def measured(row: ResultRow) -> Iterator[MeasuredRow]:
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
            yield MeasuredRow(
                numbers_of(row, columns, GENERATED), words={"benchmark": f"{name} (generated)"}
            )

    yield from known_rows(table, LOGICNLI_SETS, results, measured)


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

    def of_floors(row: ResultRow) -> Iterator[MeasuredRow]:
        words = {"system": f"{row['system']} (as published)"}
        drawn = "random theories drawn here as the paper's were"
        yield MeasuredRow(numbers_of(row, floors or {}, drawn), words=words)

    if floors:
        yield from known_rows(table, FLOORS, results, of_floors)
    # The generated sets need not have the paper's labels.
    guessed: dict[str, dict[str, float]] = defaultdict(dict)
    for row in results(LOGICNLI_SETS):
        if row.get("labels"):
            guessed[row["source"]][row["benchmark"]] = 100 / (row["labels"].count(":") + 1)
    fixed = _of_design(
        numbers_of(guessed["as published"], chance or {}, DRAWN_AS_PUBLISHED), "arithmetic"
    )
    yield MeasuredRow(fixed, lambda keys: keys["system"] == "Random")

    def measured(row: ResultRow) -> Iterator[MeasuredRow]:
        own = str(row.get("setting") or "")
        if setting in (None, own):
            name, asked = str(row["system"]).replace("_", " "), row.get("statements")
            size = f", {asked:,} statements" if RECORDED in name and asked else ""
            guess = guessed["generated"].get(f"{own} Test-A" if own else "∧")
            chance_here = f", chance {guess:.1f}" if guess else ""
            words = {"system": name + size + chance_here, "setting": own}
            yield MeasuredRow(numbers_of(row, columns, GENERATED), words=words)

    yield from known_rows(table, table.reads[0], results, measured)


COMPOSITION = "benchmarks/llmeval_logic/published/composition"
_PROFILED = {"LLMEval-Logic Base": "base items", "LLMEval-Logic Hard": "hard sub-questions"}
"""Title in the table of word statistics -> what its instances are: of Hard, sub-questions."""
_PARTS = {"llmeval_logic_base": "Base", "llmeval_logic_hard": "Hard"}
_PART = "the part that is here"


def _composition(
    table: TableDeclaration, results: Results, counts: Mapping[str, Mapping[str, str]]
) -> Iterator[MeasuredRow]:
    """Yield LLMEval-Logic's items, sub-questions and rubric atoms; embedded runs have shipped word counts."""
    counted: dict[str, ResultRow] = {}
    for row in results(STATISTICS):
        name = _PROFILED.get(str(row.get("benchmark")))
        if name and row.get("source") == "profile":
            size = row.get("instances")
            counted[name] = {"here": size, "of": size, "via": "profile"}
    for row in results(COMPOSITION):
        if row.get("here"):
            counted[f"{row.get('part')} {row.get('count')}"] = row
    for benchmark, measures in counts.items():
        numbers = {}
        for measure, key in measures.items():
            if found := counted.get(key):
                whole = found["here"] == found["of"] and "public" in measure
                numbers[measure] = measured_cell(
                    float(found["here"]), other="" if whole else _PART, via=found.get("via", "")
                )
        yield MeasuredRow(numbers, _of_benchmarks(benchmark))


def _scores(
    table: TableDeclaration, results: Results, metrics: Mapping[str, str], own: bool = True
) -> Iterator[MeasuredRow]:
    """Yield models, which are printed with their thinking in brackets, and in rows of their own all others.

    Args:
        metrics: metric of the scores -> printed metric.
        own: whether what is not printed has rows of its own.
    """

    def measured(row: ResultRow) -> Iterator[MeasuredRow]:
        if row["metric"] in metrics and not row["track"].endswith("_free"):
            name = row["benchmark"]
            part = _PARTS.get(name, f"{name.rpartition('_')[2].capitalize()} (generated)")
            given = ", reference symbols given" if row["track"] == "formalise_fixed" else ""
            words = {
                "system": row["model"],
                "setting": part + given,
                "metric": metrics[row["metric"]],
            }
            other = _PART if name in _PARTS else GENERATED
            score = measured_cell(row["score"], row["low"], row["high"], other)
            yield MeasuredRow({"score": score}, partial(_is_score, words), words if own else None)

    yield from known_rows(table, table.reads[0], results, measured)


def _is_score(words: Keys, keys: Keys) -> bool:
    named = {**keys, "system": f"{keys['system']} ({keys['version']})"}
    return all(named[name] == word for name, word in words.items())


def _trained(
    table: TableDeclaration, results: Results, stages: Mapping[str, str]
) -> Iterator[MeasuredRow]:
    """Yield a row for each learner and benchmark: accuracy before and after further training.

    Args:
        stages: stage of the training -> printed column.
    """
    numbers: dict[tuple[str, str], dict[str, TableCell]] = defaultdict(dict)

    def measured(row: ResultRow) -> Iterator[MeasuredRow]:
        recorded = f" {RECORDED}" if row["source"] == "recording" else ""
        cell = measured_cell(row["accuracy"], row["low"], row["high"], GENERATED)
        numbers[f"{row['learner']}{recorded}", row["benchmark"]][stages[row["stage"]]] = cell
        yield from ()

    # Each row of the results has one stage: the rows of a learner are put together first.
    yield from known_rows(table, table.reads[0], results, measured)
    for (learner, benchmark), cells in numbers.items():
        yield MeasuredRow(cells, words={"system": learner, "setting": benchmark})


_SOURCES: Mapping[str, Callable[..., Iterator[MeasuredRow]]] = {
    "benchmarks": _benchmarks,
    "systems": _systems,
    "independence": _independence,
    "label_accuracy": _label_accuracy,
    "sets": _logicnli_sets,
    "learners": _logicnli_learners,
    "composition": _composition,
    "scores": _scores,
    "trained": _trained,
}
"""By name in ``tables.yaml``: from a table and the results, with what the file says further, its measured rows."""

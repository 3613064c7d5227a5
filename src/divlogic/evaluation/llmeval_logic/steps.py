"""The steps: ask a model and score its replies, score the baselines, tabulate and draw.

Tables 1 to 3 have the paper's layout; others show ranks of the models and where they fail.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np

from divlogic.benchmarks.llmeval_logic.published import read_published_items
from divlogic.benchmarks.llmeval_logic.schema import read_items
from divlogic.config.command import ARGUMENT, BASE
from divlogic.errors import DivLogicError
from divlogic.evaluation.llmeval_logic import judging, questions
from divlogic.evaluation.llmeval_logic.scoring import TABLES, ReplyOutcome, errors, score, scores
from divlogic.evaluation.parameters import EvaluationRun, LLMEvalLogicEvaluationParameters
from divlogic.io import figures as drawing
from divlogic.io.files import read_as, read_jsonl, write_jsonl
from divlogic.io.log import say
from divlogic.logic.theory import QUERY_TYPES
from divlogic.models.asking import AskingOptions, ask
from divlogic.models.requests import label_of
from divlogic.records import Record, grouped

T = TypeVar("T")
Row = dict[str, Any]
GOLD = "baseline/gold"
ANSWERS = {
    "base_item": ("base", "answer", "item_accuracy"),
    "single_item": ("single", "answer", "item_accuracy"),
    "hard_item": ("hard", "answer", "item_accuracy"),
    "hard_sub_question": ("hard", "answer", "sub_question_accuracy"),
}
"""Column of Table 1 -> part, track and metric of the scores."""
FORMALIZATIONS = {
    f"{symbols}_{signal}": ("base", f"formalise_{symbols}", signal)
    for symbols in ("free", "fixed")
    for signal in ("z3", "rubric", "both")
}
"""Column of Table 2 -> the same."""
_PAIRS = (
    ("base_item", "hard_item"),
    ("hard_item", "hard_sub_question"),
    ("base_item", "hard_sub_question"),
)


def part_of(benchmark: str) -> tuple[str, str]:
    """Return which set and which part of it a benchmark is.

    >>> part_of("llmeval_logic_generated_hard"), part_of("llmeval_logic_base")
    (('generated', 'hard'), ('published', 'base'))
    """
    return "generated" if "generated" in benchmark else "published", benchmark.rpartition("_")[2]


def in_columns(
    scores: Iterable[Row], models: Sequence[str], columns: Mapping[str, tuple[str, ...]]
) -> list[Row]:
    """Return a row per set and model, in the order of the models: scores by column, each with its deviation."""
    found: dict[tuple[str, str], Row] = {}
    for row in scores:
        kind, part = part_of(row["benchmark"])
        for column, place in columns.items():
            if place == (part, row["track"], row["metric"]):
                own = found.setdefault((kind, row["model"]), {"set": kind, "model": row["model"]})
                own |= {column: row["score"], f"{column}_sd": row["sd"]}
    return sorted(found.values(), key=lambda row: (row["set"], models.index(row["model"])))


def with_ranks(rows: Sequence[Row]) -> list[Row]:
    """Add the ranks of each set's models by the columns of Table 1; the gold has none, and equal models share one."""
    ranked = [dict(row) for row in rows]
    for column in ANSWERS:
        there = (row for row in ranked if row["model"] != GOLD and column in row)
        for own in grouped(there, itemgetter("set")).values():
            for row, rank in zip(own, _ranks([-row[column] for row in own]), strict=True):
                row[f"{column}_rank"] = rank
    return ranked


def _ranks(values: Sequence[float]) -> list[float]:
    """Return ranks from 1, equal values sharing their mean; scipy.stats, which has this, takes a second to import."""
    return [sum(other < own for other in values) + (values.count(own) + 1) / 2 for own in values]


def correlations(ranked: Sequence[Row]) -> list[Row]:
    """Return Spearman's rank correlation of two columns of Table 1, of each set; undefined below three models."""
    rows = []
    for kind in sorted({row["set"] for row in ranked}):
        for pair in _PAIRS:
            first, second = (f"{column}_rank" for column in pair)
            own = [row for row in ranked if row["set"] == kind and {first, second} <= row.keys()]
            both = [_ranks([row[name] for row in own]) for name in (first, second)]
            defined = len(own) > 2 and all(len(set(ranks)) > 1 for ranks in both)
            value = float(np.asarray(np.corrcoef(both))[1, 0]) if defined else None
            rows.append(TABLES["ranks"].row(kind, *pair, len(own), value))
    return rows


def composition(outcomes: Iterable[ReplyOutcome]) -> list[Row]:
    """Return what each part holds, which the outcomes of the gold tell: items, questions by type, rubric atoms."""
    found = grouped(
        (one for one in outcomes if one.model == GOLD), lambda one: part_of(one.benchmark)
    )
    rows = []
    for (kind, part), own in sorted(found.items()):
        answers = [one for one in own if one.track == "answer"]
        asked = [one.asked for one in answers] or [0]
        types, atoms = Counter[str](), Counter[str]()
        for one in answers:
            types.update({name: count for name, (_, count) in one.types.items()})
        for one in own:
            atoms.update(one.groups if one.track == "formalise_fixed" else {})
        row: Row = {"set": kind, "part": part, "items": len(asked), "questions": sum(asked)}
        row |= {"fewest": min(asked), "most": max(asked), "average": sum(asked) / len(asked)}
        row |= {name: types.get(name) for name in QUERY_TYPES} | {"atoms": atoms.total() or None}
        rows.append({**row, **atoms})
    return rows


def draw_composition(rows: Sequence[Row], outcomes: Iterable[ReplyOutcome], out: Path) -> None:
    """Draw the questions of each part by type, and its items by their number of questions (the paper's Figure 4).

    Args:
        rows: rows of Table 3.
        outcomes: those of the gold tell the number of questions.
        out: the figure, without suffix: svg and png are written.
    """
    sizes = Counter(
        (*part_of(one.benchmark), one.asked)
        for one in outcomes
        if (one.model, one.track) == (GOLD, "answer")
    )
    names = [kind for kind in QUERY_TYPES if any(row[kind] for row in rows)]
    steps, height = sorted({asked for *_, asked in sizes}), 0.8 / max(1, len(rows))
    with drawing.style() as pyplot:
        fig, (types, items) = pyplot.subplots(
            1, 2, figsize=(drawing.PAGE_WIDTH, 2.4), width_ratios=[3, 2]
        )
        for number, row in enumerate(rows):
            colour, shift = drawing.COLOURS[number], (number + 0.5) * height - 0.4
            label = f"{row['part'].capitalize()}, {row['set']} ({row['items']} items, {row['questions']:,} questions)"
            places = np.arange(len(names)) + shift
            types.barh(
                places, [row[kind] or 0 for kind in names], height, label=label, color=colour
            )
            counts = [sizes[row["set"], row["part"], asked] for asked in steps]
            items.bar(np.arange(len(steps)) + shift, counts, height, color=colour)
        types.set(yticks=range(len(names)), yticklabels=[kind.replace("_", " ") for kind in names])
        types.set(xlabel="questions", ylim=(max(1, len(names)) - 0.5, -0.5))
        items.set(
            xticks=range(len(steps)),
            xticklabels=steps,
            xlabel="questions of an item",
            ylabel="items",
        )
        if rows:
            fig.legend(loc="outside upper center", ncols=2)
        drawing.save_figure(fig, out)


def draw_failures(
    answers: Sequence[Row], errors: Sequence[Row], out: Path, formalised: Sequence[Row] = ()
) -> None:
    """Draw Base against Hard, what sub-questions have before items, and which queries go wrong, by model.

    Where models formalised, also an arrow of each from free to fixed symbols (the paper's Figure 6).

    Args:
        answers: rows of Table 1.
        errors: rows of the table of failures.
        formalised: rows of Table 2.
        out: the figure, without suffix: svg and png are written.
    """
    own = [row for row in answers if row["model"] != GOLD]
    names = [f"{row['model']}, {row['set']}" for row in own]
    moved = {
        (row["model"], row["set"]): [
            (row[f"{how}_z3"], row[f"{how}_rubric"]) for how in ("free", "fixed")
        ]
        for row in formalised
        if row["model"] != GOLD
        and {"free_z3", "free_rubric", "fixed_z3", "fixed_rubric"} <= row.keys()
    }
    with drawing.style() as pyplot:
        widths = [2, 2, 3] + [2] * bool(moved)
        fig, (steps, gaps, kinds, *symbols) = pyplot.subplots(
            1, len(widths), figsize=(drawing.PAGE_WIDTH, 2.6), width_ratios=widths
        )
        types = [kind for kind in QUERY_TYPES if any(row["what"] == kind for row in errors)]
        for number, (row, name) in enumerate(zip(own, names, strict=True)):
            colour = drawing.COLOURS[number % len(drawing.COLOURS)]
            marker = drawing.MARKERS[number % len(drawing.MARKERS)]
            look = {"color": colour, "marker": marker, "markersize": 4}
            ends = [row.get(column, np.nan) for column in ("base_item", "hard_item")]
            steps.plot([0, 1], ends, label=name, linewidth=1, **look)
            if {"hard_sub_question", "hard_item"} <= row.keys():
                gaps.plot(
                    row["hard_sub_question"] - row["hard_item"], number, linestyle="none", **look
                )
            wrong, asked = Counter[str](), Counter[str]()
            for each in errors:
                own_row = (each["model"], part_of(each["benchmark"])[0]) == (
                    row["model"],
                    row["set"],
                )
                if own_row and each["kind"] == "sub-question":
                    wrong[each["what"]] += each["count"]
                    asked[each["what"]] += each["of"]
            shares = [100 * wrong[kind] / asked[kind] if asked[kind] else np.nan for kind in types]
            places = np.arange(len(types)) + 0.5 * ((number + 0.5) / len(own) - 0.5)
            kinds.plot(shares, places, linestyle="none", **look)
            if move := moved.get((row["model"], row["set"])):
                symbols[0].plot(*move[0], **look, markerfacecolor="none")
                symbols[0].plot(*move[1], **look)
                arrow = {"arrowstyle": "->", "color": colour}
                symbols[0].annotate("", move[1], move[0], arrowprops=arrow)
        steps.set(
            xticks=[0, 1], xticklabels=["Base", "Hard"], xlim=(-0.3, 1.3), ylabel="items right (%)"
        )
        gaps.set(yticks=[], ylim=(len(names) - 0.5, -0.5))
        gaps.set_xlabel("sub-questions above items\n(points, Hard)")
        kinds.set(yticks=range(len(types)), yticklabels=[kind.replace("_", " ") for kind in types])
        kinds.set(ylim=(len(types) - 0.5, -0.5), xlim=(-2, 102), xlabel="answers wrong (%)")
        for each in symbols:
            each.set(xlabel="right by execution (%)", ylabel="whole rubric passed (%)")
        fig.legend(loc="outside upper center", ncols=3)
        drawing.save_figure(fig, out)


SINGLE = "llmeval_logic_generated_single"
BASELINES = ("gold", "majority", "first model")
_VERDICTS = ("possible", "necessary", "unique_solution", "has_alternative", "count_models")


def read_tasks(source: Path) -> list[questions.Task]:
    """Return the tasks of a folder of published layout, of seeds, or of a file of generated records."""
    if source.is_dir():
        found = read_published_items(source)
        for problem in found.problems:
            say(f"left out: {problem}")
        return [*map(questions.task_of_item, found.items), *map(questions.task_of_hard, found.hard)]
    first = next((row for _, row in read_jsonl(source)), {})
    if "item" in first or "premises" in first:
        return list(map(questions.task_of_item, read_items(source)))

    def task(row: dict[str, Any]) -> questions.Task:
        return questions.task_of_record(Record.from_json(row))

    return [found for _, found in read_as(source, task, "a record that can be asked")]


def tasks_asked(source: Path, parameters: LLMEvalLogicEvaluationParameters) -> list[questions.Task]:
    """Return the tasks of a source that the parameters ask, the questions of generated Base items also one by one."""
    tasks = read_tasks(source)
    singles = (
        replace(
            task, benchmark=SINGLE, id=f"{task.id}-{question.id}", questions=(question,), item=None
        )
        for task in tasks
        if parameters.single_questions and task.benchmark == "llmeval_logic_generated_base"
        for question in task.questions
    )
    return [*tasks, *singles]


def ask_items(
    sources: Annotated[tuple[Path, ...], ARGUMENT, BASE],
    *,
    tracks: Annotated[
        tuple[questions.Track, ...],
        "--track",
        "What is asked; repeatable [default: `evaluation.llmeval_logic.tracks`].",
    ] = (),
    given: AskingOptions,
    out: Annotated[Path, "Outcomes (jsonl)."],
    verdicts: Annotated[Path | None, "Verdicts of all judges on one sample (jsonl)."] = None,
    params: EvaluationRun,
) -> None:
    """Ask a model about the SOURCES what the store lacks, and score its replies.

    A source is a folder of published layout, a file of seeds, or a file of records (jsonl).
    """
    parameters = params.evaluation.llmeval_logic
    model = given.model(parameters.models)
    limits = given.limits(params.evaluation.limits)
    asking = partial(ask, store=given.store, limits=limits, seed=params.seed)
    label, runs = label_of(model), model.runs or parameters.runs
    tracks = tracks or tuple(parameters.tracks)
    outcomes: list[ReplyOutcome] = []
    sample: list[judging.Judged] = []
    for source in sources:
        tasks = {task.id: task for task in tasks_asked(source, parameters)}
        for track in tracks:
            asked = questions.prompts(list(tasks.values()), track, parameters.language)[
                : model.instances
            ]
            if not asked:
                # A source without reference formalizations is asked for answers alone.
                if track == "answer" or len(tracks) == 1:
                    raise DivLogicError(
                        f"{source}: no item can be asked in track {track} and language {parameters.language}; choose"
                        " others."
                    )
                continue
            replies = asking([asked], model=model, runs=runs, sampling=parameters.sampling)
            for number in range(runs):
                own = [pair for pair in replies if pair[0].run == number]
                answers = {request.question.instance: reply.answer for request, reply in own}
                still_open = judging.judge_questions(tasks, answers, track, parameters)
                judges, sampling = parameters.judges, parameters.judge_sampling
                decided = (
                    judging.verdicts_of(still_open, judges[0], asking, sampling) if judges else {}
                )
                if number == 0 and verdicts is not None:
                    sample += judging.sampled(
                        still_open, track, label, asking, parameters, params.seed
                    )
                outcomes += [
                    score(
                        tasks[name], reply, track, parameters, label, number, decided.get(name, ())
                    )
                    for name, reply in sorted(answers.items())
                ]
    write_jsonl(out, outcomes)
    if verdicts is not None:
        write_jsonl(verdicts, sample)


def score_baselines(
    sources: Annotated[tuple[Path, ...], ARGUMENT, BASE],
    *,
    out: Annotated[Path, "Outcomes (jsonl)."],
    params: EvaluationRun,
) -> None:
    """Score gold, majority verdict and first model on the SOURCES; the gold must pass."""
    parameters = params.evaluation.llmeval_logic
    outcomes = []
    for source in sources:
        tasks = tasks_asked(source, parameters)
        by_id = {task.id: task for task in tasks}
        for track in parameters.tracks:
            for name in BASELINES:
                for item, reply in sorted(baseline_replies(tasks, name, track).items()):
                    outcome = score(by_id[item], reply, track, parameters, f"baseline/{name}")
                    outcomes.append(outcome)
                    if name == "gold" and not _whole(outcome):
                        raise DivLogicError(
                            f"{source}, item {item}: the gold itself does not pass the track {track}"
                            f" ({outcome.problem or 'wrong'}); correct the item."
                        )
    write_jsonl(out, outcomes)


def baseline_replies(
    tasks: Sequence[questions.Task], name: str, track: questions.Track
) -> dict[str, str]:
    """Return the replies of a baseline by item; an item that it says nothing about is left out.

    ``majority`` gives each query type's most frequent answer in the set and lists nothing; ``first model`` does the
    same and, where models are asked for, names the first. Both answer only; ``gold`` also formalizes.
    """
    if name == "gold":
        return {task.id: _gold(task, track) for task in tasks if track == "answer" or task.item}
    if track != "answer":
        return {}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for question in chain.from_iterable(task.questions for task in tasks):
        if question.exact and question.type in _VERDICTS:
            counts[question.type][question.answer] += 1
    usual = {
        kind: min(found, key=lambda each: (-found[each], each)) for kind, found in counts.items()
    }

    def guess(question: questions.TaskQuestion) -> object:
        if name == "first model" and question.exact and question.type not in _VERDICTS:
            models = json.loads(question.answer)
            return models[:1] if isinstance(models, list) else None
        return json.loads(usual.get(question.type, "null"))

    # Free text of the published sets cannot be guessed by type; there a baseline says nothing.
    asked = (task for task in tasks if any(question.exact for question in task.questions))
    return {task.id: _reply(map(guess, task.questions)) for task in asked}


def _reply(answers: Iterable[object]) -> str:
    """Return the reply that gives answers under their numbers."""
    numbered = {str(number): answer for number, answer in enumerate(answers, start=1)}
    return json.dumps(numbered, ensure_ascii=False)


def _gold(task: questions.Task, track: questions.Track) -> str:
    if track == "answer":
        return _reply(json.loads(q.answer) if q.exact else q.answer for q in task.questions)
    assert task.item is not None
    return questions.stated(task.item.formalization, ("symbols", "premises", "queries", "domain"))


def tabulate(
    outcomes: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    verdicts: Annotated[
        tuple[Path, ...], "Verdicts of judges on a sample (jsonl); repeatable."
    ] = (),
    out: Annotated[
        Path, "Table of scores; the other tables and the figure of failures next to it."
    ],
    params: EvaluationRun,
) -> None:
    """Tabulate OUTCOMES: scores, the paper's Tables 1 to 3, ranks, errors by kind, agreement of judges."""
    drawn = {"seed": params.seed, "resamples": params.evaluation.llmeval_logic.resamples}
    read = _read(outcomes, ReplyOutcome, "an outcome")
    given = _read(verdicts, judging.Judged, "a verdict")
    folder, scored = out.parent, scores(read, **drawn)
    TABLES["scores"].write(out.with_suffix(""), scored)
    models = list(dict.fromkeys(each.model for each in read))
    answers = with_ranks(in_columns(scored, models, ANSWERS))
    tables = {
        "table1": answers,
        "table2": in_columns(scored, models, FORMALIZATIONS),
        "table3": composition(read),
        "ranks": correlations(answers),
        "errors": errors(read),
        "agreement": judging.agreement_rows(given, **drawn),
    }
    for name, rows in tables.items():
        TABLES[name].write(folder / name, rows)
    draw_composition(tables["table3"], read, folder / "composition")
    draw_failures(answers, tables["errors"], folder / "failures", tables["table2"])


def _read(paths: Iterable[Path], kind: Callable[..., T], what: str) -> list[T]:
    return [each for path in paths for _, each in read_as(path, lambda row: kind(**row), what)]


def _whole(outcome: ReplyOutcome) -> bool:
    if outcome.track == "answer":
        return outcome.right == outcome.asked or not outcome.judged
    return outcome.z3 and (
        outcome.rubric or (outcome.track == "formalise_free" and not outcome.judged)
    )

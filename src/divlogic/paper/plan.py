"""Plans of runs: requests, tokens and prices, by the printed table whose rows the answers fill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.config.option import read_params
from divlogic.errors import DivLogicError
from divlogic.evaluation import rotations as rotating
from divlogic.evaluation.asked import (
    AskedRecords,
    BaselineFiles,
    asked_as,
    is_asked,
    prompts_of,
    wanted,
)
from divlogic.evaluation.llmeval_logic.questions import prompts as worded
from divlogic.evaluation.llmeval_logic.steps import tasks_asked
from divlogic.evaluation.parameters import ROTATED_SETS, EvaluationRun
from divlogic.evaluation.plan import BYTES_PER_TOKEN, AnswerPrice, PromptPrice, plan_run
from divlogic.evaluation.steps import print_rows
from divlogic.io.files import read_yaml
from divlogic.io.log import say
from divlogic.models.parameters import ModelParameters, SamplingParameters, model_named
from divlogic.models.requests import Question, Response, label_of, read_responses
from divlogic.published import folded_name, read_published
from divlogic.records import read_records

LLMEVAL_LOGIC = "llmeval_logic"
PUBLISHED_LLMEVAL_LOGIC = Path("data/raw/full/llmeval_logic")

ALL = "all, each answer once"

DECLARED: dict[str, Any] = read_yaml(Path(__file__).with_name("plan.yaml"))
"""What the printed tables ask, and the published prices."""


def plan(
    files: BaselineFiles,
    params: EvaluationRun,
    rotations: Annotated[tuple[Path, ...], ARGUMENT] = (),
    configfile: Annotated[
        Path | None,
        "Parameter file that is laid over the parameters, such as config/paper_models.yaml.",
    ] = None,
    store: Annotated[
        Path | None, "Response store, whose answers are not paid again; none yet if left out."
    ] = None,
    names: Annotated[
        tuple[str, ...], "--model", "Only these models; by default all of the parameters."
    ] = (),
    input_price: PromptPrice = None,
    output_price: AnswerPrice = None,
    published: Annotated[Path, FOLDER, "Folder of the printed numbers."] = Path("data/published"),
) -> None:
    """Say what a run would ask: requests, tokens, and the cost at published or given prices.

    With ROTATIONS, those are planned. Without, all that the parameters ask of the benchmarks that are here is planned,
    by the printed table whose rows it fills.
    """
    if configfile:
        params = read_params(EvaluationRun, ("params.yaml", str(configfile)))
    section, responses = params.evaluation, read_responses(store) if store else {}
    if not rotations:
        parts = asked_parts(params)
        own = [part for part in parts if not names or {part.model.name, part.label} & {*names}]
        print_tables(own, responses, printed_systems(published), (input_price, output_price))
        return
    read = cache(rotating.read_rotations)
    for model in [model_named(section.models, name, None) for name in names] or section.models:
        model = files.given_to(model)
        asked, runs = wanted(rotations, model, section, read), model.runs or section.runs
        planned = plan_run(asked, responses, model=model, runs=runs, sampling=section.sampling)
        click.echo(planned.sentence())
        if prices := _prices(model, (input_price, output_price)):
            click.echo(f"{planned.model}: cost about {planned.cost(*prices):,.2f}")


@dataclass(frozen=True)
class AskedPart:
    """What a model is asked of a benchmark in one prompt style, or in one track of LLMEval-Logic."""

    model: ModelParameters
    benchmark: str
    prompt: str
    questions: Sequence[Question]
    runs: int
    sampling: SamplingParameters

    @property
    def label(self) -> str:
        """Return the name of the model in tables."""
        return label_of(self.model)

    def fills(self, table: Mapping[str, Any], systems: frozenset[str]) -> bool:
        """Tell whether the answers fill a row of a printed table, which has these systems."""
        asked = self.benchmark in table["benchmarks"] and self.prompt in table["prompts"]
        return asked and (table.get("systems") == "all" or folded_name(self.label) in systems)


def asked_parts(params: EvaluationRun) -> Iterator[AskedPart]:
    """Yield what the parameters ask of the benchmarks that are here, as the rules of the workflow do."""
    section = params.evaluation
    rotated = dict(rotations_asked(params))
    for model in section.models:
        runs = model.runs or section.runs
        for (benchmark, prompt), questions in rotated.items():
            if section.asks(model, benchmark, prompt):
                yield AskedPart(model, benchmark, prompt, questions, runs, section.sampling)
        for spec in BENCHMARKS:
            folder = rotating.BENCHMARKS / spec.name
            if spec.asked and folder.is_dir() and is_asked(spec.name, model, section):
                files = (
                    folder / spec.file_of(split) for split in (spec.asked.split, spec.asked.pool)
                )
                asked, own = AskedRecords(spec.name, *files), getattr(section, spec.name)
                one = asked_as(spec.name, model, section)
                for prompt in prompts_of(spec.name, model, section):
                    rows = asked.questions([prompt], getattr(own, spec.asked.number), params.seed)
                    yield AskedPart(one, spec.name, prompt, rows, one.runs or 1, own.sampling)
    logic = section.llmeval_logic
    sources = [rotating.BENCHMARKS / LLMEVAL_LOGIC / f"{part}.jsonl" for part in ("base", "hard")]
    there = [path for path in (*sources, PUBLISHED_LLMEVAL_LOGIC) if path.exists()]
    tasks = [tasks_asked(path, logic) for path in there] if logic.models else []
    if logic.models and logic.judges:
        say("not planned: what stays open after the solver, which the judges are asked")
    for model in logic.models:
        for track in logic.tracks:
            parts = (worded(part, track, logic.language)[: model.instances] for part in tasks)
            asked_of, runs = list(chain.from_iterable(parts)), model.runs or logic.runs
            yield AskedPart(model, LLMEVAL_LOGIC, track, asked_of, runs, logic.sampling)


def rotations_asked(params: EvaluationRun) -> Iterator[tuple[tuple[str, str], Sequence[Question]]]:
    """Yield the rotations of each benchmark of the parameters that is here, by prompt style."""
    for benchmark in params.evaluation.benchmarks:
        try:
            source = rotating.source_of(benchmark)
        except DivLogicError as error:
            say(f"not planned: {error}")
            continue
        records = list(read_records(source))
        pool = rotating.pool_of(source) if benchmark in ROTATED_SETS else None
        asked, examples = (
            (records, list(read_records(pool))) if pool else rotating.hold_out(records)
        )
        for prompt in params.evaluation.prompts:
            rows = rotating.rotation_rows(
                asked, rotating.style_named(prompt), pool=examples, seed=params.seed
            )
            yield (benchmark, prompt), list(rows)


def print_tables(
    parts: Sequence[AskedPart],
    responses: Mapping[str, Response],
    systems: Mapping[tuple[str, str], frozenset[str]],
    given: tuple[float | None, float | None],
) -> None:
    """Print a row for each model of each printed table, and a last one for all answers."""
    plans = [
        plan_run([one.questions], responses, model=one.model, runs=one.runs, sampling=one.sampling)
        for one in parts
    ]
    costs = {one.label: _prices(one.model, given) for one in parts}
    tables: dict[str, set[int]] = {}
    for one in DECLARED["tables"]:
        known_systems = systems.get((one["paper"], one["number"]), frozenset())
        places = {place for place, part in enumerate(parts) if part.fills(one, known_systems)}
        tables[f"{one['paper']} {one['number']}"] = places
    every = set(range(len(parts)))
    tables |= {"no printed table": every.difference(*tables.values()), ALL: every}
    rows, known = [], 0.0
    numbers = ("requests", "stored", "input_tokens", "output_tokens")
    for table, places in tables.items():
        for label in dict.fromkeys(parts[place].label for place in sorted(places)):
            own = [plans[place] for place in places if parts[place].label == label]
            sums = {name: sum(getattr(one, name) for one in own) for name in numbers}
            whole = replace(own[0], **sums, measured=all(one.measured for one in own))
            price = whole.cost(*prices) if (prices := costs[label]) else None
            tokens = f"{whole.input_tokens:,}", f"{whole.output_tokens:,}"
            shown = "unknown" if price is None else f"{price:,.2f}"
            rows.append((table, label, f"{whole.requests - whole.stored:,}", *tokens, shown))
            known += (price or 0.0) * (table == ALL)
    print_rows(("table", "model", "requests", "tokens in", "tokens out", "price in $"), rows)
    unknown = ", ".join(label for label, prices in costs.items() if not prices)
    click.echo(
        f"In all about {known:,.2f} dollars{f', and the unknown prices of {unknown}' if unknown else ''}."
        f" Tokens: {BYTES_PER_TOKEN:.0f} bytes each where no answer is stored, answers at their longest."
    )


def _prices(
    model: ModelParameters, given: tuple[float | None, float | None]
) -> tuple[float, float] | None:
    """Return a model's prices: its own, those of the command line, or published ones; ``None``: unknown."""
    listed = DECLARED["prices"].get(model.name, {})
    own = (model.input_price, model.output_price)
    found = [
        next((price for price in (mine, theirs, listed.get(name)) if price is not None), None)
        for mine, theirs, name in zip(own, given, ("input", "output"), strict=True)
    ]
    return None if found == [None, None] else (found[0] or 0.0, found[1] or 0.0)


def printed_systems(published: Path) -> dict[tuple[str, str], frozenset[str]]:
    """Return the systems of each printed table, by name and version."""
    return {
        (table.paper, table.number): frozenset(
            folded_name(name)
            for cell in table.cells
            for name in (cell.system, cell.version)
            if name
        )
        for table in read_published(published).tables()
    }

"""What a run says before its first job: corpora out of reach, models that cannot be asked, sentence pairs to word.

``divlogic config check`` says of the models what needs no connection.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import click
from pydantic import ValidationError

from divlogic.benchmarks.divlogiceval.draw import groups_per_instance
from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.config.option import read_values
from divlogic.corpora.mirror import rows_at_hand
from divlogic.corpora.network import network_notices
from divlogic.corpora.registry import load_registry
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import collected_names, imported_names
from divlogic.io.files import row_count
from divlogic.models.parameters import ModelParameters, slug_of
from divlogic.models.ready import unusable_models
from divlogic.parameters import Parameters, validate

REGISTRY = Path("data/registry.yaml")
RESPONSES = Path(".divlogic/responses")
# To draw the formulas of so many instances takes a minute: fewer may be drawn in vain, more are refused.
MOST_IN_VAIN = 20_000


def preflight(*, params: Parameters) -> None:
    """Stop if a model cannot be asked; say what the corpora cannot give, and how many pairs there are."""
    for notice in (*corpora_notices(params), instances_notice(params)):
        click.echo(f"divlogic: {notice}", err=True)
    if problems := model_problems(params):
        raise DivLogicError(" ".join(problems))


def check(
    *,
    full: Annotated[bool, "Print every parameter, the defaults included."] = False,
    given: Annotated[
        tuple[str, ...], "--params", "Parameter file, or a JSON object; repeatable."
    ] = ("params.yaml",),
) -> None:
    """Check params.yaml (or --params), and that each model's package and key are there."""
    import yaml

    values, where = read_values(given)
    try:
        params = validate(values, where)
    except DivLogicError as error:
        problems = unusable_models(_models_within(values), RESPONSES, reach=False)
        raise DivLogicError(" ".join([str(error), *problems])) from error
    if problems := model_problems(params, reach=False):
        raise DivLogicError(" ".join(problems))
    if not full:
        click.echo("Every parameter is known, and every value is allowed; --full prints them all.")
        return
    click.echo(
        yaml.safe_dump(params.model_dump(mode="json"), sort_keys=False, allow_unicode=True),
        nl=False,
    )


def _models_within(values: Any) -> Iterator[ModelParameters]:
    """Yield what is a model by itself in the lists of models of values that are not allowed as a whole."""
    if not isinstance(values, dict):
        return
    for entry in values["models"] if isinstance(values.get("models"), list) else ():
        with contextlib.suppress(ValidationError):
            if not (model := ModelParameters.model_validate(entry)).withdrawn:
                yield model
    for inner in values.values():
        yield from _models_within(inner)


def model_problems(params: Parameters, *, reach: bool = True) -> list[str]:
    """Return a sentence for each benchmark that is to be answered and not read, and each model that cannot be asked.

    Args:
        params: the parameters of the run.
        reach: whether servers are tried; not where the jobs run on other machines.
    """
    here = collected_names(published=params.corpus_source == "full")
    rotated = [name for name in params.evaluation.benchmarks if name not in imported_names()]
    refused = {
        name: why for one in BENCHMARKS for name, why in one.not_rotated.items() if name in rotated
    }
    absent = [
        f"evaluation.benchmarks: '{name}' cannot be asked: {why}." for name, why in refused.items()
    ]
    absent += [
        f"evaluation.benchmarks: '{name}' is read in runs with `corpus_source: full` only, unless you import it."
        for name in rotated
        if name not in here and name not in refused
    ]
    asked = list(_models_without_answers(params))
    return absent + (unusable_models(asked, RESPONSES, reach=reach) if asked else [])


def corpora_notices(params: Parameters) -> list[str]:
    """Return a sentence for each corpus of a full run that is not here and cannot be reached."""
    if params.corpus_source != "full":
        return []
    folders = {name: Path("data/raw/full", name) for name in params.corpora.full}
    mirror = Path(params.mirror) if params.mirror else None
    return network_notices(folders, load_registry(REGISTRY), mirror)


def instances_notice(params: Parameters) -> str:
    """Return a sentence on the instances of DivLogicEval: how many are asked for, and of how many sentence pairs.

    How many groups the filter leaves of the pairs is known only after it; no pair gives more than one.

    Raises:
        DivLogicError: even if each pair gave a group, many formulas would be drawn in vain.
    """
    settings = params.benchmarks.divlogiceval
    wanted = settings.splits.test + settings.splits.unpolished
    per_instance = groups_per_instance(settings)
    counted = _sentence_pairs(params)
    pairs = sum(here for here, _ in counted.values())
    listed = ", ".join(
        f"{name} {here:,}" + (f" of {whole:,}" if whole is not None and here < whole else "")
        for name, (here, whole) in counted.items()
    )
    notice = (
        f"DivLogicEval: {wanted:,} instances are asked for (benchmarks.divlogiceval.splits), which take about"
        f" {round(wanted * per_instance):,} sentence groups; there are {pairs:,} sentence pairs ({listed}), of which"
        " the filter makes fewer groups."
    )
    most = int(pairs / per_instance)
    if wanted - most > MOST_IN_VAIN:
        raise DivLogicError(
            f"{notice} They are enough for {most:,} instances at most, and to draw the others would take long and be"
            " in vain: ask for fewer, or give more sentences (`make captions GROUPS=...` or corpus_source: full)."
        )
    return notice


def _sentence_pairs(params: Parameters) -> dict[str, tuple[int, int | None]]:
    """Return for each corpus of sentence pairs its rows: those that the run will have, those of the whole if known."""
    mirror = Path(params.mirror) if params.mirror else None
    counted: dict[str, tuple[int, int | None]] = {}
    for name, corpus in load_registry(REGISTRY).items():
        wanted = params.corpus_source == "embedded" or name in params.corpora.full
        if "nli" not in corpus.roles or corpus.source != params.corpus_source or not wanted:
            continue
        folder = Path("data/raw", params.corpus_source, name)
        here = rows_at_hand(name, corpus, folder, mirror)
        if here is None and corpus.embedded:
            files = [
                Path("data/embedded", name, file.path) for file in corpus.embedded if file.reader
            ]
            here = sum(map(row_count, files))
        counted[name] = (here or 0, corpus.rows)
    return counted


def _models_without_answers(params: Parameters) -> Iterator[ModelParameters]:
    """Yield the models, other than baselines, whose answers no step has written yet."""
    evaluation, logic = params.evaluation, params.evaluation.llmeval_logic
    named = [
        *((model, "data/interim/evaluation/{}.jsonl.gz") for model in evaluation.models),
        *(
            (model, "data/interim/evaluation/llmeval_logic/models/{}.jsonl.gz")
            for model in logic.models
        ),
        *(
            (model, "data/interim/prior_knowledge/models/{}.jsonl.gz")
            for model in params.prior_knowledge.models
        ),
        *(
            (model, "results/evaluation/llmeval_logic/scores.csv")
            for model in logic.judges
            if logic.models
        ),
    ]
    if params.hardening.enabled:
        roles = (role for _, role in params.hardening.roles if role is not None)
        named += [(role, "results/hardening/outcomes.csv") for role in roles]
    for model, answers in named:
        if (
            not model.name.startswith("baseline/")
            and not Path(answers.format(slug_of(model))).is_file()
        ):
            yield model

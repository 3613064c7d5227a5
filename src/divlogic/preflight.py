"""What a run says before its first job: models that cannot be asked, and instances that the sentences cannot word.

``divlogic config check`` says of the models what needs no connection.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import click
from pydantic import ValidationError

from divlogic.benchmarks.divlogiceval.yields import Rows, bound_notice
from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.config.option import read_values
from divlogic.corpora.mirror import rows_at_hand
from divlogic.corpora.registry import load_registry
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import collected_names, imported_names
from divlogic.io.files import row_count
from divlogic.models.gguf import is_served
from divlogic.models.parameters import ModelParameters, address_of, slug_of
from divlogic.models.requests import label_of
from divlogic.parameters import Parameters, validate

REGISTRY = Path("data/registry.yaml")
RESPONSES = Path(".divlogic/responses")
SECONDS = 3.0
"""How long to wait for a connection."""


def preflight(*, params: Parameters) -> None:
    """Stop if a model of the parameters cannot be asked; say which instances the corpora cannot give."""
    if notice := instances_notice(params):
        click.echo(f"divlogic: {notice}", err=True)
    if problems := model_problems(params):
        raise DivLogicError(" ".join(problems))


def check(
    *,
    full: Annotated[bool, "Print every parameter, the defaults included."] = False,
    given: Annotated[tuple[str, ...], "--params", "Parameter file, or a JSON object; repeatable."] = (
        "params.yaml",
    ),
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
    click.echo(yaml.safe_dump(params.model_dump(mode="json"), sort_keys=False, allow_unicode=True), nl=False)


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
    refused = {name: why for one in BENCHMARKS for name, why in one.not_rotated.items() if name in rotated}
    absent = [f"evaluation.benchmarks: '{name}' cannot be asked: {why}." for name, why in refused.items()]
    absent += [
        f"evaluation.benchmarks: '{name}' is read in runs with `corpus_source: full` only, unless you import it."
        for name in rotated
        if name not in here and name not in refused
    ]
    asked = list(_models_without_answers(params))
    return absent + (unusable_models(asked, RESPONSES, reach=reach) if asked else [])


def unusable_models(models: Iterable[ModelParameters], stores: Path, *, reach: bool = True) -> list[str]:
    """Return a sentence for each model that cannot be asked: its name, package, key or file, or its server.

    A server that does not answer is no obstacle for a model whose store holds answers: they may be all that is wanted.

    Args:
        models: models that a run will ask; baselines need nothing.
        stores: folder of the response stores.
        reach: whether servers are tried; not where the jobs run on other machines.
    """
    from divlogic.models.runner import open_model

    problems = []
    for model in {label_of(model): model for model in models}.values():
        if model.name.startswith("baseline/"):
            continue
        try:
            open_model(model)
        except DivLogicError as error:
            problems.append(f"{label_of(model)}: {error}")
            continue
        address = "" if is_served(model.name) else address_of(model)
        has_answers = any(stores.rglob(f"{slug_of(model)}.[sj]*")) if stores.is_dir() else False
        if reach and address and not has_answers and (reason := unreachable(address)):
            problems.append(
                f"{label_of(model)}: no connection to its server ({reason}); start it, or correct `base_url`."
            )
    return problems


def unreachable(address: str) -> str | None:
    """Return why no connection to a valid address can be opened, ``None`` if one can; credentials are not shown."""
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with socket.create_connection((parts.hostname or "", port), timeout=SECONDS):
            return None
    except (OSError, ValueError) as error:
        return f"{parts.hostname}:{port}: {getattr(error, 'strerror', None) or error}"


def instances_notice(params: Parameters) -> str:
    """Return the sentence on instances of DivLogicEval that the run's sentences cannot word; empty if all can be."""
    registry = load_registry(REGISTRY)
    mirror = Path(params.mirror) if params.mirror else None
    rows = {}
    for name, corpus in registry.items():
        wanted = params.corpus_source == "embedded" or name in params.corpora.full
        if "nli" not in corpus.roles or corpus.source != params.corpus_source or not wanted:
            continue
        here = rows_at_hand(name, corpus, Path("data/raw", params.corpus_source, name), mirror)
        if here is None and corpus.embedded:
            files = [Path("data/embedded", name, file.path) for file in corpus.embedded if file.reader]
            here = sum(map(row_count, files))
        rows[name] = Rows(here or 0, corpus.rows)
    share = params.sentences.mnli_share
    return bound_notice(params.benchmarks.divlogiceval, rows, share, params.corpus_source)


def _models_without_answers(params: Parameters) -> Iterator[ModelParameters]:
    """Yield the models, other than baselines, whose answers no step has written yet."""
    evaluation, logic = params.evaluation, params.evaluation.llmeval_logic
    named = [
        *((model, "data/interim/evaluation/{}.jsonl") for model in evaluation.models),
        *((model, "data/interim/evaluation/llmeval_logic/models/{}.jsonl") for model in logic.models),
        *((model, "data/interim/prior_knowledge/models/{}.jsonl") for model in params.prior_knowledge.models),
        *((model, "results/evaluation/llmeval_logic/scores.csv") for model in logic.judges if logic.models),
    ]
    if params.hardening.enabled:
        roles = (role for _, role in params.hardening.roles if role is not None)
        named += [(role, "results/hardening/outcomes.csv") for role in roles]
    for model, answers in named:
        if not model.name.startswith("baseline/") and not Path(answers.format(slug_of(model))).is_file():
            yield model

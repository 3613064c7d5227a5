"""Whether models can be asked: their packages, keys, names, files and addresses, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from divlogic.corpora.network import unreachable
from divlogic.errors import DivLogicError
from divlogic.models.gguf import is_served
from divlogic.models.parameters import ModelParameters, address_of, slug_of
from divlogic.models.requests import label_of
from divlogic.models.runner import open_model


def unusable_models(
    models: Iterable[ModelParameters], stores: Path, *, reach: bool = True
) -> list[str]:
    """Return a sentence for each model that cannot be asked: its name, package, key or file, or its server.

    A server that does not answer is no obstacle for a model whose store holds answers: they may be all that is wanted.

    Args:
        models: models that a run will ask; baselines need nothing.
        stores: folder of the response stores.
        reach: whether servers are tried; not where the jobs run on other machines.
    """
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
        has_answers = _has_store(model, stores)
        if reach and address and not has_answers and (reason := unreachable(address)):
            problems.append(
                f"{label_of(model)}: no connection to its server ({reason}); start it, or correct `base_url`."
            )
    return problems


def _has_store(model: ModelParameters, stores: Path) -> bool:
    return stores.is_dir() and any(stores.rglob(f"{slug_of(model)}.[sj]*"))

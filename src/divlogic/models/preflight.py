"""Problems that keep a model from being asked, reported before the first job of a run."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from divlogic.errors import DivLogicError
from divlogic.models.gguf import is_served
from divlogic.models.limits import address_of
from divlogic.models.parameters import ModelParameters, slug_of
from divlogic.models.requests import label_of

SECONDS = 3.0
"""How long to wait for a connection."""


def preflight(models: Iterable[ModelParameters], stores: Path, *, reach: bool = True) -> list[str]:
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

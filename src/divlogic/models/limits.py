"""The bounds of a run, with those that a server on this machine needs by itself."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import urlsplit

from divlogic.models.gguf import is_served
from divlogic.models.parameters import LimitParameters, ModelParameters

URL_VARIABLE = "DIVLOGIC_BASE_URL"
"""Environment variable with the address of ``compatible/NAME``, where the parameters name none."""

CONCURRENCY, LOCAL_CONCURRENCY = 16, 1
TIMEOUT, LOCAL_TIMEOUT = 120.0, 600.0
LOOPBACK = "http://127.0.0.1"
FIRST_CONTACT = 3
"""Attempts to open a connection to a server that has not answered yet."""


class Limits(LimitParameters):
    """The bounds of one model's run: all of them are numbers."""

    concurrency: int
    timeout: float


def limits_for(model: ModelParameters, parameters: LimitParameters) -> Limits:
    """Return the bounds of a model's run, with the defaults that fit its server.

    A server on this machine computes one answer at a time, and slowly: more concurrent requests only run into the
    time-out.
    """
    local = is_local(address_of(model))
    concurrency, timeout = (LOCAL_CONCURRENCY, LOCAL_TIMEOUT) if local else (CONCURRENCY, TIMEOUT)
    servers = model.args.get("servers")
    # A value that is no number is reported when the model is opened.
    if is_served(model.name) and type(servers) is int and servers > 0:
        concurrency = servers
    given = parameters.model_dump(exclude_none=True)
    return Limits.model_construct(**{"concurrency": concurrency, "timeout": timeout} | given)


def address_of(model: ModelParameters) -> str:
    """Return the address of a model's server; empty if it has none of its own.

    A model that the run serves is on this machine, on any port.
    """
    if is_served(model.name):
        return LOOPBACK
    if model.base_url:
        return model.base_url
    return os.environ.get(URL_VARIABLE, "") if model.name.startswith("compatible/") else ""


def is_local(address: str) -> bool:
    """Return whether an address is one of this machine."""
    try:
        host = urlsplit(address if "://" in address else f"//{address}").hostname or ""
        if host == "localhost" or host.endswith(".localhost"):
            return True
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    return found.is_loopback or found.is_unspecified

"""Before a run over the network: which corpora it lacks and cannot reach, and what the run is without each of them."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from divlogic.corpora.manifest import MANIFEST, UNREACHABLE, read_manifest
from divlogic.corpora.mirror import Mirror
from divlogic.corpora.registry import Corpus
from divlogic.errors import DivLogicError

SECONDS = 3.0
"""How long to wait for a connection."""

CONSEQUENCES = {
    "nli": "no sentences, so neither DivLogicEval nor ILogicEval nor a table that has them. To make them of the other"
    " corpora of sentence pairs, leave it out of `corpora.full`",
    "generics": "no statements, so no JustLogic nor a table that has it",
    "wikipedia": "no divergence from Wikipedia (Table 4) nor a table that has it",
    "tagger": "no tagged sentences, so no DivLogicEval, ILogicEval or JustLogic, and no words are counted",
    "comparator": "its rows of the tables say 'unavailable', and the next run tries again",
    "wordnet": "no dictionary where a step asks for one",
    "templates": "no templates of the authors; nothing else is made of them",
    "recorded": "its answers are not in the tables, and the next run tries again",
}
"""What a run is without a corpus, by its first role."""


def unreachable(address: str) -> str | None:
    """Return why no connection to a valid address can be opened, ``None`` if one can; credentials are not shown."""
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with socket.create_connection((parts.hostname or "", port), timeout=SECONDS):
            return None
    except (OSError, ValueError) as error:
        return f"{parts.hostname}:{port}: {getattr(error, 'strerror', None) or error}"


def to_try_again(folders: Mapping[str, Path], registry: Mapping[str, Corpus]) -> list[Path]:
    """Return the corpus folders that an earlier run left empty because nothing could be reached, and now can be."""
    left = {
        name: folder
        for name, folder in folders.items()
        if name in registry and _origin(folder) == UNREACHABLE
    }
    kept_away = _kept_away(registry[name] for name in left)
    return [folder for name, folder in left.items() if not _reasons(registry[name], kept_away)]


def network_notices(
    folders: Mapping[str, Path], registry: Mapping[str, Corpus], mirror: Path | None
) -> list[str]:
    """Return a sentence for each corpus that is not here and cannot be reached: why, and what the run is without it."""
    absent = {
        name: registry[name]
        for name, folder in folders.items()
        if _origin(folder) in ("", UNREACHABLE) and not _in_mirror(name, registry[name], mirror)
    }
    kept_away = _kept_away(absent.values())
    notices = []
    for name, corpus in absent.items():
        addressed = any(_addresses(corpus))
        reasons = _reasons(corpus, kept_away)
        if addressed and not reasons:
            continue
        why = (
            f"cannot be reached ({'; '.join(reasons)})" if addressed else "is handed out on request"
        )
        rest = "" if corpus.optional else " What needs it stops, everything else goes on."
        notices.append(
            f"{name} is not here and {why}. Without it: {CONSEQUENCES[corpus.roles[0]]}.{rest}"
        )
    return notices


def _origin(folder: Path) -> str:
    """Return where a corpus folder says that it is from; empty if there is none."""
    if not (folder / MANIFEST).is_file():
        return ""
    try:
        return read_manifest(folder).origin
    except DivLogicError:  # the step that reads it says what is wrong
        return "damaged"


def _in_mirror(name: str, corpus: Corpus, mirror: Path | None) -> bool:
    if mirror is None or not mirror.is_dir():
        return False
    copies = Mirror(mirror, name, corpus, mirror)
    return any(copies.rows(file) != 0 for file in corpus.files)


def _addresses(corpus: Corpus) -> list[str]:
    return [url for file in corpus.files for url in (*file.urls, *file.archive_urls)]


def _host(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _kept_away(corpora: Iterable[Corpus]) -> dict[str, str]:
    """Return the hosts of the corpora that cannot be reached, each with the reason; all are tried at once."""
    hosts = sorted({_host(url) for corpus in corpora for url in _addresses(corpus)})
    proxies = getproxies()
    # Behind a proxy, whether a host can be reached is known to the proxy alone.
    direct = [
        host
        for host in hosts
        if urlsplit(host).scheme not in proxies or proxy_bypass(urlsplit(host).hostname or "")
    ]
    if not direct:
        return {}
    with ThreadPoolExecutor(max_workers=len(direct)) as pool:
        reasons = list(pool.map(unreachable, direct))
    return {host: why for host, why in zip(direct, reasons, strict=True) if why}


def _reasons(corpus: Corpus, kept_away: Mapping[str, str]) -> list[str]:
    """Return why no file of a corpus can be reached; none if some address may give each of them."""
    for file in corpus.files:
        forms = [one for one in corpus.files if file.path in (one.path, one.instead_of)]
        urls = [url for one in forms for url in (*one.urls, *one.archive_urls)]
        hosts = list(dict.fromkeys(map(_host, urls)))
        if hosts and all(host in kept_away for host in hosts):
            return [kept_away[host] for host in hosts]
    return []

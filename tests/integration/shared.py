"""Folders that several tests read, made once: by the process that asks first, and once per content."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from importlib.metadata import distributions
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return a folder that one process of the session makes, while the others that want it wait.

    Args:
        factory: of the process's temporary folders; those of all processes of a session lie in one.
        name: the folder's.
        make: makes the folder at a path that does not exist.

    Raises:
        AssertionError: it could not be made; every test that wants it is told the same, at once.
    """
    base = (
        factory.getbasetemp().parent
        if os.environ.get("PYTEST_XDIST_WORKER")
        else factory.getbasetemp()
    )
    folder, done, failed = (base / f"shared-{name}{ending}" for ending in ("", ".done", ".failed"))
    with (base / f"shared-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            assert not failed.exists(), failed.read_text(encoding="utf-8")
            try:
                make(folder)
            except BaseException as error:
                failed.write_text(f"{name} could not be made: {error}", encoding="utf-8")
                raise
            done.touch()
    return folder


def kept(
    cache: pytest.Cache | None, name: str, source: Path, make: Callable[[Path], None]
) -> Callable[[Path], None]:
    """Return ``make``, spared while pytest's cache has what it once made of a source of the same content.

    So `make test-slow` does not run again what `make test` has just run. The installed packages belong to the content;
    the newest of each name is kept. It is copied out of the cache, so that no test changes what later sessions see.

    Args:
        cache: pytest's, or none.
        name: of what is made.
        source: the folder that it is made of.
        make: makes it.
    """
    if cache is None:
        return make

    def copied(folder: Path) -> None:
        store = Path(cache.mkdir(f"made-{name}"))
        whole = store / _digest(source)
        if not whole.is_dir():
            make(folder)
            for old in store.iterdir():
                shutil.rmtree(old, ignore_errors=True)
            part = store / f"{os.getpid()}.part"
            # A cache that cannot be written only costs time.
            with contextlib.suppress(OSError):
                shutil.copytree(folder, part, symlinks=True)
                part.rename(whole)
            return
        shutil.copytree(whole, folder, symlinks=True)

    return copied


def _digest(folder: Path) -> str:
    """Return the digest of a folder's files, of the interpreter and of the packages installed."""
    packages = sorted(f"{one.name}=={one.version}" for one in distributions())
    found = hashlib.sha256("\n".join([sys.version, *packages]).encode())
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(f"\n{path.relative_to(folder).as_posix()} ".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:32]

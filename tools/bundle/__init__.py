"""A release to cite: the releases of all benchmarks, the package, and a script that makes every record again."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from divlogic import __version__
from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, copy_file, file_sha256, filling, open_bytes, write_text

_AS_THEY_ARE = ("params.yaml", "dvc.lock", "LICENSE", "CHANGELOG.md")
_PACKAGE = ("src", "pyproject.toml", "README.md", "LICENSE")
_VERIFY = Path(__file__).with_name("verify.sh.txt")
_README = Path(__file__).with_name("readme.md.txt")


def bundle(*, out: Path, published: str) -> None:
    """Put the releases, records and the package of this checkout into one folder, and that into OUT.tar.gz.

    The same run, version and date give the same bytes, so that the archive's SHA-256 can be cited.

    Args:
        out: folder of the release, which must not be there; the archive stands beside it.
        published: date of publication (YYYY-MM-DD).

    Raises:
        DivLogicError: the date is none, a file or every release is missing, or the wheel cannot be built.
    """
    try:
        date.fromisoformat(published)
    except ValueError as error:
        raise DivLogicError(f"--date {published}: give a date as YYYY-MM-DD.") from error
    folders = {one.name: Path("data/benchmarks", one.name, "release") for one in BENCHMARKS}
    releases = {name: folder for name, folder in folders.items() if folder.is_dir()}
    absent = [name for name in _AS_THEY_ARE if not Path(name).is_file()]
    if absent or not releases:
        missing = ", ".join(absent) or "data/benchmarks/*/release"
        raise DivLogicError(f"{missing}: missing; run `make all` here.")
    with filling(out) as place:
        copy = partial(copy_file)
        for name, folder in releases.items():
            shutil.copytree(
                folder, place / name, ignore=shutil.ignore_patterns(".*"), copy_function=copy
            )
        for path in sorted(Path("data/benchmarks").glob("*/[!.]*.jsonl*")):
            target = place / "records" / path.parent.name / f"{path.name.removesuffix('.zst')}.gz"
            target.parent.mkdir(parents=True, exist_ok=True)
            with open_bytes(path) as stream:
                target.write_bytes(gzip.compress(stream.read(), mtime=0))
        for name in _AS_THEY_ARE:
            shutil.copy(name, place / name)
        _build_wheel(place)
        citation = Path("CITATION.cff").read_text(encoding="utf-8")
        dated = f"version: {__version__}\ndate-released: {published}"
        _write(place / "CITATION.cff", re.sub(r"^version: .*$", dated, citation, flags=re.M))
        merged = orjson.dumps(
            _croissant(place, list(releases), published), option=orjson.OPT_INDENT_2
        )
        _write(place / "croissant.json", merged.decode() + "\n")
        _write(place / "verify.sh", _VERIFY.read_text(encoding="utf-8"))
        readme = _README.read_text(encoding="utf-8")
        _write(
            place / "README.md", readme.replace("VERSION", __version__).replace("DATE", published)
        )
        paths = sorted(path for path in place.rglob("*") if path.is_file())
        sums = (f"{file_sha256(path)}  {path.relative_to(place).as_posix()}\n" for path in paths)
        _write(place / "SHA256SUMS", "".join(sums))
    archive = out.with_name(f"{out.name}.tar.gz")
    with atomic_path(archive) as temporary:
        temporary.write_bytes(_archive(out))
    print(f"{archive}: {len(paths) + 1:,} files, SHA-256 {file_sha256(archive)}")


def _write(path: Path, text: str) -> None:
    write_text(path, text)


def _build_wheel(place: Path) -> None:
    """Build the wheel from a copy of the sources, with the same bytes whenever it is built."""
    with tempfile.TemporaryDirectory(prefix="divlogic-") as folder:
        for name in _PACKAGE:
            copy = shutil.copytree if Path(name).is_dir() else shutil.copy
            copy(name, Path(folder, name))
        for left in Path(folder, "src").rglob("*.egg-info"):
            shutil.rmtree(left)
        command = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "315532800"}
        arguments = [sys.executable, "-m", *command, str(place), folder]
        done = subprocess.run(
            arguments, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise DivLogicError(
                f"the wheel cannot be built: {done.stderr.strip().splitlines()[-1]}"
            )


def _croissant(place: Path, names: list[str], published: str) -> dict[str, Any]:
    """Return the metadata of all releases as one data set; files and record sets carry the benchmark's name."""
    parts = {name: orjson.loads((place / name / "croissant.json").read_bytes()) for name in names}
    stated = [one["license"] for one in parts.values()]
    licences = dict.fromkeys(
        one for own in stated for one in (own if isinstance(own, list) else [own])
    )
    return {
        **parts[names[0]],
        "name": "divlogic",
        "description": "\n\n".join(f"{name}: {one['description']}" for name, one in parts.items()),
        "version": __version__,
        "datePublished": published,
        "license": list(licences),
        "inLanguage": sorted({one["inLanguage"] for one in parts.values()}),
        "citeAs": "\n\n".join(one["citeAs"] for one in parts.values()),
        **{
            key: [_prefixed(entry, name) for name, one in parts.items() for entry in one[key]]
            for key in ("distribution", "recordSet")
        },
    }


def _prefixed(value: Any, name: str) -> Any:
    """Return a part of Croissant metadata with the name in front of identifiers and addresses."""
    if isinstance(value, list):
        return [_prefixed(each, name) for each in value]
    if not isinstance(value, dict):
        return value
    named = {key: f"{name}/{each}" for key, each in value.items() if key in ("@id", "contentUrl")}
    return {key: named.get(key) or _prefixed(each, name) for key, each in value.items()}


def _archive(folder: Path) -> bytes:
    """Return a folder as a compressed archive without times, owners or an order of its own."""
    stream = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}")
            entry.size, entry.mode = path.stat().st_size, 0o755 if path.suffix == ".sh" else 0o644
            with path.open("rb") as content:
                tar.addfile(entry, content)
    return stream.getvalue()

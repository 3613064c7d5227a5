"""Whether a downloaded file without a registered checksum can be what its name promises, from its form alone."""

from __future__ import annotations

from pathlib import Path
from typing import IO

_MAGIC = {".zip": b"PK", ".gz": b"\x1f\x8b", ".bz2": b"BZh", ".parquet": b"PAR1"}
"""First bytes of the binary forms that are downloaded."""

_BOM = b"\xef\xbb\xbf"
_ERROR_KEYS = frozenset(("error", "errors", "message", "detail", "status", "code", "documentation_url"))


def implausible(path: Path) -> str | None:
    """Return why a file without a registered checksum cannot be what its name promises, or ``None``.

    A download that waits is called ``NAME.part``; the name before that suffix decides. Files of any size are read in
    constant memory.
    """
    form = Path(path.name.removesuffix(".part").removesuffix(".bad")).suffix.lower()
    with path.open("rb") as stream:
        start = stream.read(512)
    if not start:
        return "the file is empty"
    if form in _MAGIC:
        if not start.startswith(_MAGIC[form]):
            return f"this is no {form[1:]} file"
        return None if _ends_well(path, form) else f"this {form[1:]} file breaks off"
    text = start.lstrip(_BOM + b" \t\r\n").lower()
    if text.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml")):
        return "a web page was sent instead of the file"
    if b"\0" in start:
        return "this is no text"
    if form not in (".json", ".jsonl"):
        return None
    with path.open("rb") as stream:
        stream.seek(len(_BOM) if start.startswith(_BOM) else 0)
        return _no_data(stream, form[1:])


def web_page(path: Path) -> str:
    """Return a remark that a file is a web page, the usual reason why it is not the file asked for; else nothing."""
    with path.open("rb") as stream:
        start = stream.read(512).lstrip().lower()
    return " (it is a web page)" if start.startswith((b"<!doctype html", b"<html")) else ""


def _ends_well(path: Path, form: str) -> bool:
    """Return whether the end of an archive or parquet file is there, without which it cannot be opened."""
    import zipfile

    if form == ".zip":
        return zipfile.is_zipfile(path)
    if form == ".parquet":
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - 4))
            return stream.read() == _MAGIC[form]
    return True


def _no_data(stream: IO[bytes], form: str) -> str | None:
    """Return why a JSON document, or the first one of JSON Lines, holds no data."""
    import ijson

    outermost, depth, parts, only_error_keys = "", 0, 0, True
    try:
        for event, value in ijson.basic_parse(stream, multiple_values=form == "jsonl", use_float=True):
            outermost = outermost or event
            depth -= event.startswith("end")
            if depth == 1 and not event.startswith("end"):
                parts += 1
                only_error_keys &= event != "map_key" or value.lower() in _ERROR_KEYS
            depth += event.startswith("start")
            if depth == 0 and form == "jsonl":
                break
    except (ijson.JSONError, UnicodeDecodeError):
        return f"this is no {form} file"
    if not parts:
        return "there are no data in it"
    if outermost == "start_map" and only_error_keys:
        return "the server's error message was sent instead of the file"
    return None

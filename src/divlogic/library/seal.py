"""Sealed test sets: questions without answers, a commitment, and an opening from which anyone makes every byte again.

The maker commits to a secret before a public random value (a beacon, such as a round of drand) is known. Secret and
beacon together are the seed, so that nobody chose the set. What a seal does not do: it hides labels, it does not make
items hard (a symbolic reader solves LogicNLI), and grading many times leaks labels.

References:
    HMAC: RFC 2104. SHA-256: FIPS 180-4.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import click
import orjson

from divlogic import __version__
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_jsonl, write_json
from divlogic.library.dataset import DataSet, create, score_answer
from divlogic.library.write import write_rows

SECRET, SPEC, COMMITMENT, QUESTIONS, OPENED, LOG = (
    "secret.json",
    "spec.json",
    "commitment.json",
    "questions.jsonl",
    "opened.json",
    "gradings.jsonl",
)
FORMAT = "divlogic-seal-1"


def new(
    name: Annotated[str, ARGUMENT, "NAME"],
    *,
    size: Annotated[int, click.IntRange(1), "Number of items."],
    level: Annotated[int | None, "Level of difficulty."] = None,
    out: Annotated[Path, FOLDER, "Folder of the seal."],
) -> None:
    """Begin a sealed set of the generator NAME: draw the secret and commit to it.

    Keep secret.json to yourself and publish the rest; then draw with a beacon value that is newer than the commitment.
    """
    if (out / SECRET).exists():
        raise DivLogicError(f"{out}: holds a seal already; name another folder.")
    data = create(name, size=size, level=level)  # refuses what cannot be drawn
    spec = {"format": FORMAT, "benchmark": name, "items": len(data), "level": level, "version": __version__}
    secret = secrets.token_bytes(32)
    write_json(out / SECRET, {"secret": secret.hex()}, note=False)
    write_json(out / SPEC, spec, note=False)
    write_json(out / COMMITMENT, {**spec, "sha256_of_secret": _sha(secret)}, note=False)
    click.echo(f"{out}: sealed; the commitment is {_digest(read_json(out / COMMITMENT))}")


def draw(
    folder: Annotated[Path, ARGUMENT, FOLDER],
    *,
    beacon: Annotated[str, "Public random value of a time after the commitment (hex)."],
) -> None:
    """Draw the questions of the seal in FOLDER with a beacon value, and commit to questions and answers."""
    spec, secret = read_json(folder / SPEC), _secret(folder)
    if (folder / QUESTIONS).exists():
        raise DivLogicError(f"{folder}: its questions are drawn; a seal is drawn once.")
    if not re.fullmatch(r"(?:[0-9a-fA-F]{2}){8,}", beacon):
        raise DivLogicError(f"the beacon {beacon[:40]!r} is not a value in hex of 8 bytes or more.")
    questions, answers = _drawn(spec, secret, beacon.lower())
    write_rows(folder / QUESTIONS, questions)
    write_json(
        folder / COMMITMENT,
        {
            **read_json(folder / COMMITMENT),
            "beacon": beacon.lower(),
            "sha256_of_questions": _sha((folder / QUESTIONS).read_bytes()),
            "hmac_of_answers": _keyed(secret, orjson.dumps(answers)).hex(),
        },
        note=False,
    )
    click.echo(
        f"{folder}: {len(questions):,} questions; the commitment is {_digest(read_json(folder / COMMITMENT))}"
    )


def grade(
    folder: Annotated[Path, ARGUMENT, FOLDER],
    predictions: Annotated[Path, ARGUMENT],
    *,
    name: Annotated[str, "Name of what is graded; each name is graded once."],
) -> None:
    """Grade PREDICTIONS (jsonl with id and answer) on the sealed set in FOLDER, and log it."""
    log = folder / LOG
    graded = [row for _, row in read_jsonl(log)] if log.is_file() else []
    if any(row["name"] == name for row in graded):
        raise DivLogicError(f"'{name}' has been graded; a second look at the labels would leak them.")
    items = dict(_items(folder))
    given = _predictions(predictions, set(items))
    right = {key for key, item in items.items() if score_answer(given[key], item) == 1.0}
    groups: dict[int, list[bool]] = {}
    for key, item in items.items():
        groups.setdefault(item["metadata"]["group"], []).append(key in right)
    whole = [all(members) for members in groups.values()]
    row = {
        "name": name,
        "items": len(items),
        "accuracy_percent": round(100 * len(right) / len(items), 1),
        "groups_percent": round(100 * sum(whole) / len(whole), 1),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    write_rows(log, [*graded, row])
    items_right, groups_right = row["accuracy_percent"], row["groups_percent"]
    click.echo(f"{name}: {items_right} % of {len(items):,} items, {groups_right} % of {len(whole):,} groups")


def open_seal(folder: Annotated[Path, ARGUMENT, FOLDER]) -> None:
    """Open the seal in FOLDER: publish the secret and the answers."""
    secret = _secret(folder)
    commitment = _drawn_commitment(folder)
    _, answers = _drawn(read_json(folder / SPEC), secret, commitment["beacon"])
    write_json(folder / OPENED, {"secret": secret.hex(), "answers": answers}, note=False)
    click.echo(f"{folder}: opened; anyone can run `divlogic seal verify {folder}`")


def verify(folder: Annotated[Path, ARGUMENT, FOLDER]) -> None:
    """Make every byte of the opened seal in FOLDER again and compare it with what was committed to."""
    commitment = _drawn_commitment(folder)
    if not (folder / OPENED).is_file():
        raise DivLogicError(f"{folder}: not opened yet; its maker runs `divlogic seal open`.")
    opened = read_json(folder / OPENED)
    secret = bytes.fromhex(opened["secret"])
    if _sha(secret) != commitment["sha256_of_secret"]:
        raise DivLogicError(f"{folder}: the secret is not the one that was committed to.")
    questions, answers = _drawn(read_json(folder / SPEC), secret, commitment["beacon"])
    expected = b"".join(orjson.dumps(row) + b"\n" for row in questions)
    published = (folder / QUESTIONS).read_bytes()
    if _sha(published) != commitment["sha256_of_questions"] or expected != published:
        where = next(
            (
                place
                for place, (one, other) in enumerate(zip(expected, published, strict=False))
                if one != other
            ),
            min(len(expected), len(published)),
        )
        raise DivLogicError(
            f"{folder / QUESTIONS}: differs from what the secret and the beacon give, from byte {where:,} on."
        )
    tag = _keyed(secret, orjson.dumps(answers)).hex()
    if not hmac.compare_digest(tag, commitment["hmac_of_answers"]) or opened["answers"] != answers:
        raise DivLogicError(f"{folder}: the answers are not those that were committed to.")
    click.echo(
        f"{folder}: verified; {len(questions):,} questions and answers follow from the secret and the beacon"
    )


def _drawn(
    spec: Mapping[str, Any], secret: bytes, beacon: str
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the questions in a keyed order under keyed ids, and the answers by id."""
    rows = sorted(_keyed_items(spec, secret, beacon))
    data = _data(spec, secret, beacon)
    questions = [{"id": key, "question": data[index]["question"]} for key, index in rows]
    return questions, {key: data[index]["answer"] for key, index in rows}


def _keyed_items(spec: Mapping[str, Any], secret: bytes, beacon: str) -> Iterator[tuple[str, int]]:
    for index in range(spec["items"]):
        yield _keyed(secret, f"id {beacon} {index}".encode()).hex()[:16], index


def _data(spec: Mapping[str, Any], secret: bytes, beacon: str) -> DataSet:
    if spec.get("format") != FORMAT:
        raise DivLogicError(f"the specification is not of the format {FORMAT}.")
    if spec["version"] != __version__:
        raise DivLogicError(
            f"the seal was made by version {spec['version']}; install it, this is {__version__}."
        )
    seed = int.from_bytes(_keyed(secret, f"draws {beacon}".encode()), "big")
    return create(spec["benchmark"], size=spec["items"], seed=seed, level=spec["level"])


def _items(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    spec, secret, beacon = read_json(folder / SPEC), _secret(folder), _drawn_commitment(folder)["beacon"]
    data = _data(spec, secret, beacon)
    for key, index in _keyed_items(spec, secret, beacon):
        yield key, data[index]


def _predictions(path: Path, wanted: set[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for number, row in read_jsonl(path):
        key, answer = row.get("id"), row.get("answer")
        if key not in wanted:
            raise DivLogicError(
                f"{path}, row {number}: the id {key!r} is not of this set; give its questions' ids."
            )
        if key in given:
            raise DivLogicError(f"{path}, row {number}: the id {key!r} appears twice; delete one row.")
        if not isinstance(answer, str):
            raise DivLogicError(f"{path}, row {number}: the answer is not a text.")
        given[key] = answer
    if missing := len(wanted - given.keys()):
        raise DivLogicError(
            f"{path}: {missing:,} of {len(wanted):,} questions have no answer; give one for each."
        )
    return given


def _secret(folder: Path) -> bytes:
    path = folder / SECRET
    if not path.is_file():
        raise DivLogicError(f"{path}: there is no secret here; only who sealed the set can do this.")
    return bytes.fromhex(read_json(path)["secret"])


def _drawn_commitment(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = read_json(folder / COMMITMENT)
    if "beacon" not in found:
        raise DivLogicError(f"{folder}: its questions are not drawn yet; run `divlogic seal draw`.")
    return found


def _keyed(secret: bytes, text: bytes) -> bytes:
    return hmac.new(secret, text, hashlib.sha256).digest()


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest(value: Any) -> str:
    return _sha(orjson.dumps(value, option=orjson.OPT_SORT_KEYS))

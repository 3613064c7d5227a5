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
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import click
import orjson
from pydantic import Field

from divlogic import __version__
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.config.section import Section, check_section
from divlogic.errors import DivLogicError
from divlogic.intervals import wilson
from divlogic.io.files import open_bytes, read_json, read_jsonl, write_json, write_text
from divlogic.io.imports import PACKAGE, code_files
from divlogic.library.dataset import Item, create, score_answer, share_of_groups
from divlogic.library.sources import SOURCES
from divlogic.library.write import Settings, setting, write_rows

SECRET, COMMITMENT, OPENED = "secret.json", "commitment.json", "opened.json"
QUESTIONS, LOG = "questions.jsonl", "gradings.jsonl"

S = TypeVar("S", bound=Section)

Hex = Annotated[str, Field(pattern=r"^(?:[0-9a-f]{2}){8,}$")]


class Commitment(Section):
    """What the maker publishes: first what is drawn and the digest of the secret, with the questions the rest."""

    format: Literal["divlogic-seal-1"] = "divlogic-seal-1"
    benchmark: str
    items: int = Field(ge=1)
    level: int | None = None
    configuration: dict[str, Any]
    members: Literal["group", "one"]
    version: str
    sha256_of_code: Hex
    sha256_of_secret: Hex
    beacon: Hex | None = None
    sha256_of_questions: Hex | None = None
    hmac_of_answers: Hex | None = None

    def digest(self, *left_out: str) -> str:
        """Return the SHA-256 of the commitment without some of its fields; this is what to announce."""
        shown = self.model_dump(exclude=set(left_out), exclude_none=True)
        return _sha(orjson.dumps(shown, option=orjson.OPT_SORT_KEYS))


class _Secret(Section):
    secret: Hex


class Opened(_Secret):
    """The secret, and the answer to each question."""

    answers: dict[str, str]


def new(
    name: Annotated[str, ARGUMENT, "NAME"],
    *,
    size: Annotated[int, click.IntRange(1), "Number of items."],
    level: Annotated[int | None, "Level of difficulty."] = None,
    settings: Settings = (),
    members: Annotated[
        Literal["group", "one"],
        "group: whole quartets or threes, which are scored as wholes, too; one: a single member of each, so that no"
        " question has a sibling.",
    ] = "group",
    out: Annotated[Path, FOLDER, "Folder of the seal."],
) -> None:
    """Begin a sealed set of the generator NAME: draw the secret and commit to it.

    Keep secret.json to yourself and publish the rest; then draw with a beacon value that is newer than the commitment.
    """
    if (out / SECRET).exists():
        raise DivLogicError(f"{out}: holds a seal already; name another folder.")
    configuration = dict(map(setting, settings))
    data = create(name, size=size, level=level, **configuration)
    whole = data[0]["metadata"]["group_size"]  # and refuses what cannot be drawn
    if members == "group" and size % whole:
        raise DivLogicError(f"--size {size} cuts a group of {name}; give a multiple of {whole}.")
    secret = secrets.token_bytes(32)
    commitment = Commitment(
        benchmark=name,
        items=size,
        level=level,
        configuration=configuration,
        members=members,
        version=__version__,
        sha256_of_code=_code(name),
        sha256_of_secret=_sha(secret),
    )
    write_json(out / SECRET, {"secret": secret.hex()}, note=False)
    _write(out, commitment)
    click.echo(f"{out}: sealed; announce the commitment {commitment.digest()}")


def draw(
    folder: Annotated[Path, ARGUMENT, FOLDER],
    *,
    beacon: Annotated[str, "Public random value of a time after the commitment (hex)."],
) -> None:
    """Draw the questions of the seal in FOLDER with a beacon value, and commit to questions and answers."""
    secret, commitment = _secret(folder), _read(Commitment, folder / COMMITMENT)
    if commitment.beacon or (folder / QUESTIONS).exists():
        raise DivLogicError(f"{folder}: its questions are drawn; a seal is drawn once.")
    if not re.fullmatch(r"(?:[0-9a-fA-F]{2}){8,}", beacon):
        raise DivLogicError(f"the beacon {beacon[:40]!r} is not a value in hex of 8 bytes or more.")
    drawn = commitment.model_copy(update={"beacon": beacon.lower()})
    questions, answers = _texts(_items(drawn, secret))
    write_text(folder / QUESTIONS, questions.decode(), note=False)
    tag = hmac.digest(secret, orjson.dumps(answers), "sha256").hex()
    drawn = drawn.model_copy(update={"sha256_of_questions": _sha(questions), "hmac_of_answers": tag})
    _write(folder, drawn)
    click.echo(f"{folder}: {len(answers):,} questions; announce the commitment {drawn.digest()}")


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
    items = _items(_drawn(folder), _secret(folder))
    given = _predictions(predictions, set(items))
    right = {key: score_answer(given[key], item) == 1.0 for key, item in items.items()}
    scored = [(item["metadata"]["group"], float(right[key])) for key, item in items.items()]
    groups = len({group for group, _ in scored})
    # The members of a group are not independent: the interval counts each group once, and is rather too wide.
    accuracy = wilson(sum(right.values()) / len(right), groups)
    low, high = round(100 * accuracy.low, 1), round(100 * accuracy.high, 1)
    row = {
        "name": name,
        "items": len(items),
        "accuracy_percent": round(100 * accuracy.value, 1),
        "interval_percent": [low, high],
        "groups_percent": round(100 * share_of_groups(scored), 1),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    write_rows(log, [*graded, row])
    click.echo(
        f"{name}: {row['accuracy_percent']} % of {len(items):,} items (95 %: {low} to {high}),"
        f" {row['groups_percent']} % of {groups:,} groups"
    )


def open_seal(folder: Annotated[Path, ARGUMENT, FOLDER]) -> None:
    """Open the seal in FOLDER: publish the secret and the answers."""
    secret = _secret(folder)
    _, answers = _texts(_items(_drawn(folder), secret))
    write_json(folder / OPENED, {"secret": secret.hex(), "answers": answers}, note=False)
    click.echo(f"{folder}: opened; anyone can run `divlogic seal verify {folder}`")


def verify(folder: Annotated[Path, ARGUMENT, FOLDER]) -> None:
    """Make every byte of the opened seal in FOLDER again and compare it with what was committed to.

    Compare the digests that this prints with those that the maker announced.
    """
    commitment = _drawn(folder)
    if not (folder / OPENED).is_file():
        raise DivLogicError(f"{folder}: not opened yet; its maker runs `divlogic seal open`.")
    opened = _read(Opened, folder / OPENED)
    secret = bytes.fromhex(opened.secret)
    if _sha(secret) != commitment.sha256_of_secret:
        raise DivLogicError(f"{folder / OPENED}: the secret is not the one committed to in {COMMITMENT}.")
    expected, answers = _texts(_items(commitment, secret))
    with open_bytes(folder / QUESTIONS) as stream:
        published = stream.read()
    if expected != published:
        where = [at for at, (one, other) in enumerate(zip_longest(expected, published)) if one != other]
        raise DivLogicError(
            f"{folder / QUESTIONS}: differs from what the secret and the beacon give, in bytes {where[0]:,} to"
            f" {where[-1]:,}."
        )
    if _sha(expected) != commitment.sha256_of_questions:
        raise DivLogicError(f"{folder / COMMITMENT}: its digest of the questions is not theirs.")
    if opened.answers != answers:
        raise DivLogicError(f"{folder / OPENED}: the answers are not those of the secret and the beacon.")
    if hmac.digest(secret, orjson.dumps(answers), "sha256").hex() != commitment.hmac_of_answers:
        raise DivLogicError(f"{folder / COMMITMENT}: its digest of the answers is not theirs.")
    first = commitment.digest("beacon", "sha256_of_questions", "hmac_of_answers")
    click.echo(
        f"{folder}: verified; {len(answers):,} questions and answers follow from the secret and the beacon.\n"
        f"Compare with what was announced: before the beacon {first}, after it {commitment.digest()}"
    )


def _items(commitment: Commitment, secret: bytes) -> dict[str, Item]:
    """Return the items under keyed ids, in the order of these."""
    if commitment.version != __version__:
        made_by = f"the seal was made by version {commitment.version}"
        raise DivLogicError(f"{made_by}; install it, this is {__version__}.")
    if commitment.sha256_of_code != _code(commitment.benchmark):
        raise DivLogicError(
            f"the seal was made by other code of version {__version__} (SHA-256 {commitment.sha256_of_code});"
            " install the package that its maker names."
        )
    beacon = commitment.beacon
    data = create(
        commitment.benchmark,
        size=commitment.items,
        seed=int.from_bytes(_keyed(secret, f"draws {beacon}"), "big"),
        level=commitment.level,
        **commitment.configuration,
    )
    indices: Iterable[int] = range(commitment.items)
    if commitment.members == "one":
        whole = data.item(0)["metadata"]["group_size"]
        draws = (int.from_bytes(_keyed(secret, f"member {beacon} {number}"), "big") for number in indices)
        indices = [number * whole + drawn % whole for number, drawn in enumerate(draws)]
    keyed = sorted((_keyed(secret, f"id {beacon} {index}").hex()[:16], index) for index in indices)
    return {key: data.item(index) for key, index in keyed}


def _texts(items: Mapping[str, Item]) -> tuple[bytes, dict[str, str]]:
    """Return the file of the questions, and the answers by id."""
    rows = (orjson.dumps({"id": key, "question": item["question"]}) + b"\n" for key, item in items.items())
    return b"".join(rows), {key: item["answer"] for key, item in items.items()}


def _predictions(path: Path, wanted: set[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for number, row in read_jsonl(path):
        where, key, answer = f"{path}, row {number}", row.get("id"), row.get("answer")
        if key not in wanted:
            raise DivLogicError(f"{where}: the id {key!r} is not of this set; give its questions' ids.")
        if key in given:
            raise DivLogicError(f"{where}: the id {key!r} appears twice; delete one row.")
        if not isinstance(answer, str):
            raise DivLogicError(f"{where}: the answer is not a text.")
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
    secret = bytes.fromhex(_read(_Secret, path).secret)
    if _sha(secret) != _read(Commitment, folder / COMMITMENT).sha256_of_secret:
        raise DivLogicError(f"{path}: is not the secret that was committed to; restore it.")
    return secret


def _drawn(folder: Path) -> Commitment:
    found = _read(Commitment, folder / COMMITMENT)
    if not found.beacon:
        raise DivLogicError(f"{folder}: its questions are not drawn yet; run `divlogic seal draw`.")
    return found


def _read(model: type[S], path: Path) -> S:
    found = read_json(path)
    if not isinstance(found, dict):
        raise DivLogicError(f"{path}: is not a JSON object; fetch it again.")
    return check_section(model, found, str(path))


def _write(folder: Path, commitment: Commitment) -> None:
    write_json(folder / COMMITMENT, commitment.model_dump(exclude_none=True), note=False)


def _code(name: str) -> str:
    """Return the SHA-256 of everything that draws a generator's items: modules and data files of this package."""
    room = SOURCES[name].room
    digest = hashlib.sha256()
    modules = code_files("library.dataset", *(f"benchmarks.{room}.{part}" for part in ("draw", "realise")))
    packed = [PACKAGE / "library/data" / f"{file}.xz" for file in SOURCES[name].data.values()]
    for path in (*(PACKAGE.parent / module for module in modules), *packed):
        digest.update(f"{path.relative_to(PACKAGE).as_posix()} {_sha(path.read_bytes())}\n".encode())
    return digest.hexdigest()


def _keyed(secret: bytes, text: str) -> bytes:
    return hmac.digest(secret, text.encode(), "sha256")


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

"""Sealed test sets: questions without answers, a commitment, and an opening from which anyone makes every byte again.

The maker commits to a secret and names a round of a public source of random values (a beacon, such as drand) before
that round is known. Secret, source, round and value together are the seed, so that nobody chose the set. What a seal
does not do: it hides labels, it does not make items hard (a symbolic reader solves LogicNLI), and each grading tells
something about the labels: it tells one number, and the commitment says how many gradings there may be.

References:
    HMAC: RFC 2104. SHA-256: FIPS 180-4. Rounds of drand: https://docs.drand.love.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import math
import re
import secrets
import time
from collections import Counter
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
from divlogic.io.files import (
    alone,
    atomic_path,
    open_bytes,
    read_json,
    read_jsonl,
    write_json,
    write_text,
)
from divlogic.io.imports import PACKAGE, code_files
from divlogic.io.log import say, track
from divlogic.library.dataset import Item, create, score_answer, share_of_groups
from divlogic.library.sources import SOURCES
from divlogic.library.write import Settings, setting, write_rows

COMMITMENT, QUESTIONS, OPENED, LOG = (
    "commitment.json",
    "questions.jsonl",
    "opened.json",
    "gradings.jsonl",
)
SECRET = ".secret.json"
"""What is put behind the folder's name: the secret lies beside the folder, which is published as a whole."""

# Chains of drand whose rounds have known times: first round (Unix time), seconds between rounds, hash of the chain.
# A chain's hash binds the other two (https://api.drand.sh/HASH/info), so that they cannot change.
CHAINS = {
    "drand-default": (
        1595431050,
        30,
        "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
    ),
    "drand-quicknet": (
        1692803367,
        3,
        "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    ),
}

S = TypeVar("S", bound=Section)

Hex = Annotated[str, Field(pattern=r"^(?:[0-9a-f]{2}){8,}$")]
# One word, so that the line to publish has as many words for everyone.
Word = Annotated[str, Field(pattern=r"^[!-~]{1,200}$")]


class Commitment(Section):
    """What the maker publishes: first what is drawn and the digest of the secret, with the questions the rest."""

    format: Literal["divlogic-seal-2"] = "divlogic-seal-2"
    benchmark: str
    items: int = Field(ge=1)
    level: int | None = None
    configuration: dict[str, Any]
    members: Literal["group", "one"]
    gradings: int = Field(ge=1)
    beacon_source: Word
    beacon_round: int = Field(ge=1, lt=2**63)
    published_at: Word
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

    def first(self) -> str:
        """Return the digest that was announced before the beacon was known."""
        return self.digest("beacon", "sha256_of_questions", "hmac_of_answers")

    def line(self) -> str:
        """Return the line of the register: all that is known of a seal before it is drawn."""
        return (
            f"{self.format} {self.first()} {self.benchmark} {self.items} {self.members}"
            f" gradings {self.gradings} beacon {self.beacon_source} round {self.beacon_round}"
            f" register {self.published_at}"
        )

    def drawn_by(self) -> str:
        """Return what the draws follow from besides the secret: all that was announced, and the round's value."""
        return f"{self.first()} {self.beacon}"


class _Secret(Section):
    secret: Hex


class Opened(_Secret):
    """The secret, and the answer to each question and its group."""

    answers: dict[str, str]
    groups: dict[str, str]


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
    beacon_source: Annotated[
        str,
        "Public source of random values: drand-quicknet, drand-default, or one word or address for another.",
    ],
    round: Annotated[int, click.IntRange(1), "Round of the source that will draw; not known yet."],
    register: Annotated[
        str, "Address of the public page where the line of each seal of yours is published."
    ],
    gradings: Annotated[int, click.IntRange(1), "How many gradings there may be, in all."] = 10,
    out: Annotated[Path, FOLDER, "Folder of the seal, all of which is published."],
) -> None:
    """Begin a sealed set of the generator NAME: draw the secret and commit to it, and to a round of a beacon.

    The secret lies beside the folder, in OUT.secret.json, for you alone. Publish the line that is printed before the
    round is known, and draw once it is.
    """
    configuration = dict(map(setting, settings))
    data = create(name, size=size, level=level, **configuration)
    whole = data[0]["metadata"]["group_size"]  # and refuses what cannot be drawn
    if members == "group" and size % whole:
        raise DivLogicError(f"--size {size} cuts a group of {name}; give a multiple of {whole}.")
    _not_past(beacon_source, round)
    secret = secrets.token_bytes(32)
    given = {
        "benchmark": name,
        "items": size,
        "level": level,
        "configuration": configuration,
        "members": members,
        "gradings": gradings,
        "beacon_source": beacon_source,
        "beacon_round": round,
        "published_at": register,
        "version": __version__,
        "sha256_of_code": _code(name),
        "sha256_of_secret": _sha(secret),
    }
    commitment = check_section(Commitment, given, "seal new")
    with alone(out, strict=True):
        if any(path.exists() for path in (secret_of(out), out / QUESTIONS, out / OPENED)):
            raise DivLogicError(f"{out}: holds a seal already; name another folder.")
        # The secret last: it is what makes the folder a seal, and a run that was killed before can be begun again.
        _write(out, commitment)
        with atomic_path(secret_of(out), private=True) as temporary:
            temporary.write_bytes(orjson.dumps({"secret": secret.hex()}))
    click.echo(
        f"{out}: sealed; the secret is in {secret_of(out)}, for you alone.\n"
        f"Publish this line at {register} before round {round} is known{_due(commitment)}:\n{commitment.line()}"
    )


def draw(
    folder: Annotated[Path, ARGUMENT, FOLDER],
    *,
    beacon: Annotated[str, "Value of the round that the commitment names (hex)."],
) -> None:
    """Draw the questions of the seal in FOLDER with the value of its round, and commit to questions and answers.

    A draw that was killed leaves the seal as it was, and is made again with the same value.
    """
    with _at_work(folder):
        secret, commitment = _secret(folder), _read(Commitment, folder / COMMITMENT)
        if commitment.beacon:
            raise DivLogicError(f"{folder}: its questions are drawn; a seal is drawn once.")
        beacon = _value(commitment, beacon)
        drawn = commitment.model_copy(update={"beacon": beacon})
        questions, answers = _texts(_items(drawn, secret))
        tag = hmac.digest(secret, orjson.dumps(answers), "sha256").hex()
        drawn = drawn.model_copy(
            update={"sha256_of_questions": _sha(questions), "hmac_of_answers": tag}
        )
        # The commitment alone says that a seal is drawn, and comes last: until then the questions are written anew.
        write_text(folder / QUESTIONS, questions.decode())
        _write(folder, drawn)
    click.echo(f"{folder}: {len(answers):,} questions; announce the commitment {drawn.digest()}")


def grade(
    folder: Annotated[Path, ARGUMENT, FOLDER],
    predictions: Annotated[Path, ARGUMENT],
    *,
    name: Annotated[str, "Name of what is graded; each name is graded once."],
) -> None:
    """Grade PREDICTIONS (jsonl with id and answer) on the sealed set in FOLDER, and log it.

    All that is told of the labels is how many groups are right as wholes (with --members one: how many questions), and
    there are as many gradings as the commitment says.
    """
    name = " ".join(name.split())
    if not name:
        raise DivLogicError("--name is empty; say what is graded, as it is to stand in the log.")
    with _at_work(folder):
        commitment = _drawn(folder)
        if (folder / OPENED).is_file():
            raise DivLogicError(
                f"{folder}: is open, so that anyone can know its answers; grade on a seal that is closed."
            )
        log = folder / LOG
        graded = [row for _, row in read_jsonl(log)] if log.is_file() else []
        if any(str(row.get("name")).casefold() == name.casefold() for row in graded):
            raise DivLogicError(
                f"'{name}' has been graded; a second look at the labels would leak them."
            )
        if len(graded) >= commitment.gradings:
            raise DivLogicError(
                f"{folder}: graded {len(graded):,} times, which is all that its commitment allows; make another seal."
            )
        items = _items(commitment, _secret(folder))
        given = _predictions(predictions, set(items))
        scored = [
            (item["metadata"]["group_id"], float(score_answer(given[key], item) == 1.0))
            for key, item in items.items()
        ]
        groups = len({group for group, _ in scored})
        share = wilson(share_of_groups(scored), groups)
        low, high = (round(100 * limit, 1) for limit in (share.low, share.high))
        row = {
            "name": name,
            "groups": groups,
            "right": round(share.value * groups),
            "percent": round(100 * share.value, 1),
            "interval_percent": [low, high],
            "sha256_of_predictions": _sha(predictions.read_bytes()),
            "time": _utc(time.time()),
        }
        # Before the number is told, so that a grading that was killed counts, too.
        write_rows(log, [*graded, row])
    number = len(graded) + 1
    what = "groups" if commitment.members == "group" else "questions"
    click.echo(
        f"{name}: {row['right']:,} of {groups:,} {what} right, {row['percent']} % (95 %: {low} to {high})\n"
        f"Grading {number:,} of at most {commitment.gradings:,}; together they tell at most"
        f" {number * math.log2(groups + 1):.1f} of the {_bits(items):.1f} bits of the labels."
    )


def open_seal(folder: Annotated[Path, ARGUMENT, FOLDER]) -> None:
    """Open the seal in FOLDER: publish the secret and the answers."""
    with _at_work(folder):
        secret = _secret(folder)
        items = _items(_drawn(folder), secret)
        _, answers = _texts(items)
        opened = {"secret": secret.hex(), "answers": answers, "groups": _groups(items)}
        write_json(folder / OPENED, opened)
    click.echo(f"{folder}: opened; anyone can run `divlogic seal verify {folder}`")


def verify(
    folder: Annotated[Path, ARGUMENT, FOLDER],
    *,
    line: Annotated[str | None, "Line of the seal in the maker's register, to compare."] = None,
    beacon: Annotated[str | None, "Value of the round as its source gives it, to compare."] = None,
) -> None:
    """Make every byte of the opened seal in FOLDER again and compare it with what was committed to.

    What --line and --beacon do not compare is printed, for you to compare: the line that the maker published before
    the round, and the round's value at its source.
    """
    commitment = _drawn(folder)
    if line is not None and line.split() != commitment.line().split():
        raise DivLogicError(
            f"{folder / COMMITMENT}: is not the seal of that line, which is to be: {commitment.line()}"
        )
    where = f"round {commitment.beacon_round} of {commitment.beacon_source}"
    if beacon is not None and _value(commitment, beacon) != commitment.beacon:
        raise DivLogicError(
            f"{folder / COMMITMENT}: was drawn with {commitment.beacon}, which is not the given value of {where}."
        )
    if not (folder / OPENED).is_file():
        raise DivLogicError(f"{folder}: not opened yet; its maker runs `divlogic seal open`.")
    opened = _read(Opened, folder / OPENED)
    secret = bytes.fromhex(opened.secret)
    if _sha(secret) != commitment.sha256_of_secret:
        raise DivLogicError(
            f"{folder / OPENED}: the secret is not the one committed to in {COMMITMENT}."
        )
    items = _items(commitment, secret)
    expected, answers = _texts(items)
    with open_bytes(folder / QUESTIONS) as stream:
        published = stream.read()
    if expected != published:
        places = [
            at for at, (one, other) in enumerate(zip_longest(expected, published)) if one != other
        ]
        raise DivLogicError(
            f"{folder / QUESTIONS}: differs from what the secret and the beacon give, in bytes {places[0]:,} to"
            f" {places[-1]:,}."
        )
    if _sha(expected) != commitment.sha256_of_questions:
        raise DivLogicError(f"{folder / COMMITMENT}: its digest of the questions is not theirs.")
    if opened.answers != answers:
        raise DivLogicError(
            f"{folder / OPENED}: the answers are not those of the secret and the beacon."
        )
    if opened.groups != _groups(items):
        raise DivLogicError(
            f"{folder / OPENED}: the groups are not those of the secret and the beacon."
        )
    if hmac.digest(secret, orjson.dumps(answers), "sha256").hex() != commitment.hmac_of_answers:
        raise DivLogicError(f"{folder / COMMITMENT}: its digest of the answers is not theirs.")
    log = folder / LOG
    graded = sum(1 for _ in read_jsonl(log)) if log.is_file() else 0
    if graded > commitment.gradings:
        raise DivLogicError(
            f"{log}: holds {graded:,} gradings, and the commitment allows {commitment.gradings:,}."
        )
    click.echo(
        f"{folder}: verified; {len(answers):,} questions and answers follow from the secret and the beacon.\n"
        f"Beacon: {where}{_due(commitment)}, value {commitment.beacon}{_same(beacon)}{_address(commitment)}\n"
        f"Register: {commitment.published_at}, where this line must be older than the round{_same(line)} and each other"
        " line is another seal that was begun:\n"
        f"{commitment.line()}\n"
        f"Gradings: {graded:,} of at most {commitment.gradings:,}, by the maker's log, which the proof does not cover\n"
        f"Announced after the beacon: {commitment.digest()}"
    )


def secret_of(folder: Path) -> Path:
    """Return the file of the secret of a seal, beside its folder."""
    whole = Path(folder).resolve()
    return whole.with_name(whole.name + SECRET)


def _same(given: str | None) -> str:
    return " (to be compared)" if given is None else " (the same as given)"


def _time_of(source: str, number: int) -> float | None:
    """Return when a round is published, where the source has known times."""
    if source not in CHAINS:
        return None
    first, seconds, _ = CHAINS[source]
    return first + (number - 1) * seconds


def _utc(moment: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


def _due(commitment: Commitment) -> str:
    moment = _time_of(commitment.beacon_source, commitment.beacon_round)
    return "" if moment is None else f" ({_utc(moment)})"


def _address(commitment: Commitment) -> str:
    """Return where the value of a round of drand is looked up."""
    if commitment.beacon_source not in CHAINS:
        return ""
    chain = CHAINS[commitment.beacon_source][2]
    return f", https://api.drand.sh/{chain}/public/{commitment.beacon_round}"


def _not_past(source: str, number: int) -> None:
    """Refuse a round whose value is known: who begins a seal would choose the set with it."""
    moment, now = _time_of(source, number), time.time()
    if moment is None:
        return
    first, seconds, _ = CHAINS[source]
    # The year 9999 is the last that can be written; no chain has rounds so far away.
    if moment >= 253402300800:
        raise DivLogicError(f"--round {number} of {source} is after the year 9999; give another.")
    if moment <= now:
        # An hour is enough to publish the line.
        later = int((now + 3600 - first) / seconds) + 2
        raise DivLogicError(
            f"--round {number} of {source} was published at {_utc(moment)}; give one that is not known yet,"
            f" such as {later} ({_utc(first + (later - 1) * seconds)})."
        )


def _value(commitment: Commitment, beacon: str) -> str:
    """Return the value of a round in small letters; a value that the source cannot give is refused."""
    if not re.fullmatch(r"(?:[0-9a-fA-F]{2}){8,}", beacon):
        raise DivLogicError(f"the beacon {beacon[:40]!r} is not a value in hex of 8 bytes or more.")
    if commitment.beacon_source in CHAINS and len(beacon) != 64:
        raise DivLogicError(
            f"the beacon {beacon[:40]!r} has {len(beacon) // 2} bytes, and the `randomness` of a round of"
            f" {commitment.beacon_source} has 32; give that."
        )
    return beacon.lower()


def _at_work(folder: Path) -> contextlib.AbstractContextManager[None]:
    """Make other processes wait that draw, grade or open the same seal."""
    if not folder.is_dir():
        raise DivLogicError(f"{folder}: there is no such folder; `divlogic seal new` makes one.")
    return alone(folder, strict=True)


def _bits(items: Mapping[str, Item]) -> float:
    """Return how many bits the labels have for who knows the groups and which labels each group holds.

    Of four questions with four labels that are log2(4!) = 4.6; a question without siblings has any of the labels.
    """
    by_group: dict[str, list[str]] = {}
    for item in items.values():
        by_group.setdefault(item["metadata"]["group_id"], []).append(item["answer"])
    labels = len({item["answer"] for item in items.values()})
    bits = 0.0
    for answers in by_group.values():
        if len(answers) == 1:
            bits += math.log2(labels)
            continue
        orders = math.factorial(len(answers))
        alike = math.prod(math.factorial(count) for count in Counter(answers).values())
        bits += math.log2(orders // alike)
    return bits


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
    beacon = commitment.drawn_by()
    say(f"{commitment.benchmark}: drawing {commitment.items:,} items")
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
        draws = (
            int.from_bytes(_keyed(secret, f"member {beacon} {number}"), "big") for number in indices
        )
        indices = [number * whole + drawn % whole for number, drawn in enumerate(draws)]
    keyed = sorted((_keyed(secret, f"id {beacon} {index}").hex()[:16], index) for index in indices)
    drawn = track(keyed, f"{commitment.benchmark}: items", total=len(keyed), lines=True)
    return {key: data.item(index) for key, index in drawn}


def _texts(items: Mapping[str, Item]) -> tuple[bytes, dict[str, str]]:
    """Return the file of the questions, and the answers by id."""
    rows = (
        orjson.dumps({"id": key, "question": item["question"]}) + b"\n"
        for key, item in items.items()
    )
    return b"".join(rows), {key: item["answer"] for key, item in items.items()}


def _groups(items: Mapping[str, Item]) -> dict[str, str]:
    """Return the group of each question, by which anyone scores whole groups once the seal is open."""
    return {key: item["metadata"]["group_id"] for key, item in items.items()}


def _predictions(path: Path, wanted: set[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for number, row in read_jsonl(path):
        where, key, answer = f"{path}, row {number}", row.get("id"), row.get("answer")
        if key not in wanted:
            raise DivLogicError(
                f"{where}: the id {key!r} is not of this set; give its questions' ids."
            )
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
    path = secret_of(folder)
    if not path.is_file():
        raise DivLogicError(
            f"{path}: there is no secret here; only who sealed the set can do this."
        )
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
    if model is Commitment and found.get("format") == "divlogic-seal-1":
        raise DivLogicError(
            f"{path}: a seal of format 1, whose commitment names no round of a beacon; verify it with the version that"
            " made it, which `version` there names."
        )
    if model is Commitment and found.get("benchmark") not in SOURCES:
        raise DivLogicError(
            f"{path}: the generator {str(found.get('benchmark'))[:60]!r} is not known here; fetch the file again."
        )
    return check_section(model, found, str(path))


def _write(folder: Path, commitment: Commitment) -> None:
    write_json(folder / COMMITMENT, commitment.model_dump(exclude_none=True))


def _code(name: str) -> str:
    """Return the SHA-256 of everything that draws a generator's items: modules and data files of this package."""
    room = SOURCES[name].room
    digest = hashlib.sha256()
    modules = code_files(
        "library.dataset", *(f"benchmarks.{room}.{part}" for part in ("draw", "realise"))
    )
    packed = [PACKAGE / "library/data" / f"{file}.xz" for file in SOURCES[name].data.values()]
    for path in (*(PACKAGE.parent / module for module in modules), *packed):
        digest.update(
            f"{path.relative_to(PACKAGE).as_posix()} {_sha(path.read_bytes())}\n".encode()
        )
    return digest.hexdigest()


def _keyed(secret: bytes, text: str) -> bytes:
    return hmac.digest(secret, text.encode(), "sha256")


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

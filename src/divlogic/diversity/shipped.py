"""Profiles of published corpora that the repository ships: word counts, which are facts, and no sentence.

A run without the corpora measures its tables from them; a run with the corpora uses these and must agree with the
profiles. ``divlogic diversity ship`` writes them in such a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.collection.collect import Collected, load_collection, parts_for
from divlogic.benchmarks.spec import PaperTable
from divlogic.config.command import FOLDER
from divlogic.corpora.registry import Corpus, load_registry
from divlogic.diversity.profile import Profile
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_json

INDEX = "shipped.json.gz"
"""In a folder of profiles, the entries that were taken from shipped profiles."""

ORIGIN = "profile"
"""What :attr:`Collected.origin` says of a benchmark of which only a shipped profile is here."""

REFERENCE = "wikipedia"
"""What the reference's profile is called."""

FURTHER_REFERENCES = ("wikipedia_simple", "wikipedia_english")
"""Larger references that Table 4 shows next to the first; only their profiles are here."""

REFERENCES = (REFERENCE, *FURTHER_REFERENCES)

FORM = 2


def ship_profiles(
    *,
    collection: Annotated[Path, "--in", FOLDER, "Folder that `divlogic benchmarks collect` wrote."],
    profiles: Annotated[Path, FOLDER, "Folder of profiles that `profile` wrote."],
    readability: Annotated[Path, "What `readability` wrote."],
    registry: Annotated[Path, "The corpora."] = Path("data/registry.yaml"),
    commit: Annotated[str, "The commit that the profiles are made by."],
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Write the profiles of published benchmarks that the repository ships: word counts."""
    corpora = load_registry(registry)
    # Two parts of one benchmark have scores of their own.
    scores = {row["part"]: row for row in read_json(readability) if "part" in row}
    collected = load_collection(collection, further=True)
    found = [one for one in collected if one.available and one.origin == "published"]
    if not found:
        raise DivLogicError(
            f"{collection}: holds no published benchmark; profiles are written in a run with the full corpora."
        )
    for one in found:
        about = {**facts_of(corpora[one.corpus]), "corpus": one.corpus, "commit": commit}
        row = {
            "form": FORM,
            "about": about,
            "part": {name: value for name, value in asdict(one).items() if name != "origin"},
            "readability": {
                name: value
                for name, value in scores.get(one.stem, {}).items()
                if name not in ("benchmark", "part")
            },
            "profile": Profile.load(profiles / f"{one.stem}.json.gz").to_json(),
        }
        write_json(out / f"{one.stem}.json.gz", row)
        click.echo(out / f"{one.stem}.json.gz", err=True)


def adopt(collection: Path, shipped: Path, out: Path, *, reference: bool) -> list[Collected]:
    """Add the shipped profiles of what is not here to a folder of profiles, note which they are, and return them.

    The folder ``shipped`` may be missing. With ``reference`` the shipped profile of the reference is taken, too;
    those of larger references always are.
    """
    here = {one.benchmark for one in load_collection(collection) if one.available}
    taken: list[dict[str, Any]] = []
    for path in sorted(shipped.glob("*.json.gz")):
        row = read_shipped(path)
        name = path.name.removesuffix(".json.gz")
        if "part" in row and row["part"]["benchmark"] not in here:
            taken.append({"part": row["part"], "readability": row["readability"]})
        elif "part" not in row and (reference or name != REFERENCE):
            taken.append({"reference": name, "about": row["about"]})
        else:
            continue
        Profile.from_json(row["profile"]).save(out / path.name)
    write_json(out / INDEX, taken)
    return _entries(taken)


def read_shipped(path: Path) -> dict[str, Any]:
    """Read one shipped profile."""
    row: dict[str, Any] = read_json(path, "form")
    if row["form"] != FORM:
        raise DivLogicError(
            f"{path}: not a shipped profile of form {FORM}: its form is {row['form']!r}, and its key `items` has been"
            " `instances` since form 2; check it out from git again."
        )
    return row


def measurable(
    collection: Path, profiles: Path, table: PaperTable | None = None
) -> list[Collected]:
    """Return each benchmark once, as :func:`load_collection` does; what is not here stands as its shipped profile."""
    shipped = {one.benchmark: one for one in parts_for(_entries(_index(profiles)), table)}
    known = load_collection(collection, table)
    return [one if one.available else shipped.get(one.benchmark, one) for one in known]


def shipped_readability(
    profiles: Path, table: PaperTable | None = None
) -> dict[str, dict[str, Any]]:
    """Return the readability scores in a run's shipped profiles, by benchmark: of the part that the table rests on."""
    rows = [row for row in _index(profiles) if "part" in row]
    scores = {_stem(row["part"]): row["readability"] for row in rows if row["readability"]}
    parts = parts_for(_entries(rows), table)
    return {one.benchmark: scores[one.stem] for one in parts if one.stem in scores}


def _stem(part: Mapping[str, Any]) -> str:
    return str(part["file"] or part["benchmark"])


def shipped_references(profiles: Path) -> dict[str, dict[str, Any]]:
    """Return what is known of the references of a run that are shipped profiles: title, version, part, …"""
    return {row["reference"]: row["about"] for row in _index(profiles) if "reference" in row}


def reference_title(profiles: Path, name: str, corpora: Sequence[Mapping[str, Any]] = ()) -> str:
    """Return what a reference is, in words: its title, the part that is here, and how many words that has.

    The ``corpora`` of the run name a reference that is no shipped profile.
    """
    about = shipped_references(profiles).get(name)
    if about:
        title = f"{about['title']}: {about['part']}"
    else:
        texts = [row for row in corpora if REFERENCE in str(row.get("role"))]
        title = (
            "; ".join(f"{row['corpus']} {row['part']}" for row in texts) or "the sample of this run"
        )
    words = Profile.load(profiles / f"{name}.json.gz").filtered("contexts", "alphabetic").total()
    return f"{title} ({words:,} words of letters)"


def _index(profiles: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_json(profiles / INDEX) if (profiles / INDEX).is_file() else []
    return rows


def _entries(rows: Iterable[Mapping[str, Any]]) -> list[Collected]:
    """Return the parts of benchmarks among what was taken from shipped profiles."""
    parts = [{**row["part"], "origin": ORIGIN} for row in rows if "part" in row]
    return [
        Collected(**part | {"tables": tuple(part["tables"]), "sources": tuple(part["sources"])})
        for part in parts
    ]


def facts_of(corpus: Corpus) -> dict[str, Any]:
    """Return what a shipped profile says of the corpus that it is of."""
    return {
        "title": corpus.title,
        "version": corpus.version,
        "licence": corpus.licence.name,
        "citation": corpus.citation.model_dump(mode="json", exclude_none=True),
    }

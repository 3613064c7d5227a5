"""The tables of the phase, as ``tables.yaml`` declares them: what was measured of each benchmark that is here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter

from divlogic.benchmarks.collection.collect import (
    AuditSummary,
    Collected,
    collected_records,
    load_collection,
)
from divlogic.benchmarks.registry import TITLES
from divlogic.benchmarks.spec import COMPLEXITY_TABLE, DIVERGENCE_TABLE
from divlogic.config.command import FOLDER
from divlogic.diversity import shipped
from divlogic.diversity.measure import Collection, Profiles, Punkt, tokenizer
from divlogic.diversity.parameters import DiversityParameters, DiversityRun
from divlogic.diversity.profile import Profile, profile_records
from divlogic.io.files import read_json, read_yaml, write_json
from divlogic.io.tables import DeclaredTable, read_table
from divlogic.records import Record, read_records

Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class MeasuredTable(DeclaredTable):
    """One table of the phase; what each field means is said in ``tables.yaml``."""

    columns: tuple[str, ...] = ()
    cells: Mapping[str, str | None]
    part: str = ""
    views: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in order."""
        return tuple(self.cells)


_DECLARED: dict[str, Any] = read_yaml(Path(__file__).with_name("tables.yaml"))
SPLITS = TypeAdapter(DeclaredTable).validate_python(_DECLARED.pop("splits"))
TABLES = TypeAdapter(dict[str, MeasuredTable]).validate_python(_DECLARED)
PARTS = {"": None, "divergence": DIVERGENCE_TABLE, "complexity": COMPLEXITY_TABLE}
"""Part of a benchmark, as ``tables.yaml`` names it -> the printed table that rests on it; none: the best here."""

_ORDER = tuple(TITLES)


@dataclass(frozen=True)
class Measurements:
    """Everything measured, by benchmark name where no other key is named.

    Attributes:
        collections: by part, the benchmarks as that part of them is here.
        profiles: summaries by the stem of the profile.
        sentences: how sentences were split.
        references: what each reference of the divergence is, in words.
        domains: number of domains that a benchmark's statements belong to.
    """

    collections: Mapping[str, Sequence[Collected]]
    profiles: Mapping[str, Row]
    divergence: Mapping[str, Mapping[str, Row]] = field(default_factory=dict)
    readability: Mapping[str, Row] = field(default_factory=dict)
    audit: Mapping[str, AuditSummary] = field(default_factory=dict)
    sentences: str = "Punkt"
    views: Sequence[Collected] = ()
    references: Mapping[str, str] = field(default_factory=dict)
    domains: Mapping[str, int] = field(default_factory=dict)


def tables(
    *,
    collection: Collection,
    profiles: Profiles,
    divergence: Annotated[Path, "What `divergence` wrote."],
    readability: Annotated[Path, "What `readability` wrote."],
    audit: Annotated[Path, "What `divlogic benchmarks audit` wrote."],
    corpora: Annotated[
        Path | None, "Corpora of the run (corpora.json), which name the reference."
    ] = None,
    domains: Annotated[Path | None, "Terms of generic statements, by domain (yaml)."] = None,
    splits: Annotated[
        tuple[Path, ...], "--split", "Splits of a generated benchmark (jsonl); repeatable."
    ] = (),
    punkt: Punkt = None,
    params: DiversityRun,
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Write table4, table7, splits, complexity, statistics and label_audit as csv, md and tex."""
    distances: dict[str, dict[str, Row]] = {}
    for row in read_json(divergence):
        distances.setdefault(row["benchmark"], {})[row["preset"]] = row

    named = read_table(corpora.with_suffix("")) if corpora else []
    there = [name for name in shipped.REFERENCES if (profiles / f"{name}.json.gz").is_file()]
    references = {name: shipped.reference_title(profiles, name, named) for name in there}

    listed = read_yaml(domains) if domains else {}
    domain_of = {term: domain for domain, terms in listed.items() for term in terms}
    counted = {
        one.benchmark: count
        for one in load_collection(collection)
        if domain_of and one.origin == "generated"
        if (count := number_of_domains(collected_records(collection, one.stem), domain_of))
    }

    parts = {part: shipped.measurable(collection, profiles, table) for part, table in PARTS.items()}
    stems = {one.stem for found in parts.values() for one in found if one.available}
    measured = Measurements(
        parts,
        {stem: Profile.load(profiles / f"{stem}.json.gz").summary() for stem in stems},
        distances,
        {row["benchmark"]: row for row in read_json(readability)},
        {row["benchmark"]: AuditSummary(**row) for row in read_json(audit)},
        "Punkt" if punkt else "rules",
        [one for one in load_collection(collection, views=True) if one.view],
        references,
        counted,
    )
    write_tables(measured, out, params.diversity)
    SPLITS.write(out / "splits", [row_of_splits(splits, params.diversity, punkt)] if splits else [])


def row_of_splits(
    files: Sequence[Path], parameters: DiversityParameters, punkt: Path | None
) -> Row:
    """Return the sizes of a generated benchmark's splits, and the number of words of all of them."""
    tokenize = tokenizer(parameters, punkt)
    count = partial(profile_records, tokenize=tokenize, parameters=parameters.type_token)
    profiles = [count(path.stem, read_records(path)) for path in files]
    words = set[str]().union(*(one.filtered("instances", "lower") for one in profiles))
    sizes = {one.benchmark: one.instances for one in profiles}
    title = TITLES[next(record for path in files for record in read_records(path)).benchmark]
    row = {"benchmark": title, "source": "measured", "note": "generated here", **sizes}
    options = max(one.options for one in profiles)
    return {**row, "options": options, "size": sum(sizes.values()), "vocabulary_lower": len(words)}


def number_of_domains(records: Iterable[Record], domain_of: Mapping[str, str]) -> int:
    """Return the number of domains that the terms of the records' statements belong to."""
    texts = (text for record in records for text in (record.sentences or {}).values())
    terms = {str(text.get("term")) for text in texts if isinstance(text, Mapping)}
    return len({domain_of[term] for term in terms & domain_of.keys()})


def write_tables(measured: Measurements, out: Path, parameters: DiversityParameters) -> None:
    """Write every declared table as csv, md and tex, and of Table 4 what two runs are compared by (metrics.json)."""
    words = _words(measured, parameters)
    for name, table in TABLES.items():
        rows = _rows(measured, table)
        table.write(out / name, rows, **words)
        if name == "table4":
            write_json(out / "metrics.json", _metrics(rows))


def _metrics(table4: Sequence[Row]) -> Row:
    """Return divergence and vocabulary by benchmark."""
    kl = {
        row["benchmark"]: round(row["kl_bits"], 4) for row in table4 if row["kl_bits"] is not None
    }
    vocabulary = {
        row["benchmark"]: row["vocabulary_lower"]
        for row in table4
        if row["vocabulary_lower"] is not None
    }
    return {"kl": kl, "vocabulary": vocabulary}


def _rows(measured: Measurements, table: MeasuredTable) -> list[Row]:
    """Return one row per benchmark that is here, in the order of the registry; own data sets last."""
    collection = [*measured.collections[table.part], *(measured.views if table.views else ())]
    here = {one.benchmark: one for one in reversed(collection) if one.available}
    rows = []
    for name in sorted(here, key=_place):
        row = _row(measured, table, here[name])
        # A table of labels has no row of a benchmark without any.
        if row.get("labels", True):
            rows.append(row)
    return rows


def _place(name: str) -> tuple[int, str]:
    """Return the sorting key of a benchmark."""
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)


def _row(measured: Measurements, table: MeasuredTable, one: Collected) -> Row:
    """Return what was measured of a benchmark, by column of a table."""
    name = one.benchmark
    profile = measured.profiles.get(one.stem, {})
    english, chinese = profile.get("english"), profile.get("chinese")
    presets = {preset: dict(row) for preset, row in measured.divergence.get(name, {}).items()}
    if "as_published" in presets:
        presets["as_published"]["reference"] = measured.references.get(shipped.REFERENCE)
    cells: dict[str, Mapping[str, Any]] = {
        "profile": profile | {"options": profile.get("options") or None},
        "english": profile if english else {},
        "words": profile if english or chinese else {},
        "text": _statistics(profile),
        "readability": measured.readability.get(name, {}),
        "audit": _audit(measured.audit.get(name)),
        "terms": {"domains": measured.domains.get(name)},
        **presets,
    }
    row: Row = {
        "benchmark": TITLES.get(name, name),
        "source": "profile" if one.origin == shipped.ORIGIN else "measured",
        "rows_used": one.rows,
        "rows_expected": one.expected,
        "note": _row_note(one, profile, bool(presets)),
    }
    for column, how in table.cells.items():
        if how:
            row[column] = _cell(how, row, cells)
    return row


def _cell(how: str, row: Row, cells: Mapping[str, Mapping[str, Any]]) -> Any:
    """Return a cell as it is declared: one that was measured, or the difference of two columns."""
    first, minus, second = how.partition(" - ")
    if not minus:
        kind, _, name = how.partition(".")
        return cells.get(kind, {}).get(name)
    return None if row[first] is None or row[second] is None else row[first] - row[second]


def _row_note(one: Collected, profile: Row, has_divergence: bool) -> str:
    of = f" of {one.expected:,}" if one.expected else ""
    parts = (
        [] if one.exact and one.rows == one.expected else [f"{one.part} ({one.rows:,}{of} rows)"]
    )
    if one.origin == shipped.ORIGIN:
        parts.append("from the shipped profile (data/profiles)")
    elif one.origin != "published":
        parts = [f"{one.origin} here"]
    if one.problems:
        parts.append(one.problems)
    if one.view:
        return "; ".join(parts)
    if profile.get("chinese"):
        parts.append("Chinese: characters are counted, not words")
    elif not profile.get("english", True):
        parts.append("not in Latin script: word measures left out")
    elif not has_divergence:
        parts.append(
            f"no divergence: {profile.get('tokens_contexts', 0):,} tokens of contexts are too few"
        )
    return "; ".join(parts)


def _statistics(profile: dict[str, Any]) -> dict[str, Any]:
    if profile.get("english", True):
        return profile
    if profile.get("chinese"):
        # A character has no case, and no letter a to z.
        return {name: value for name, value in profile.items() if "alphabetic" not in name}
    return {name: profile[name] for name in ("instances", "distinct_contexts")}


def _audit(found: AuditSummary | None) -> Row:
    if found is None or not found.labels:
        return {"labels": None}
    findings = "; ".join(f"{kind}: {count}" for kind, count in found.kinds.items())
    return {**asdict(found), "agreement": found.agreement, "findings": findings}


def _words(measured: Measurements, parameters: DiversityParameters) -> Row:
    """Return what the notes of the tables name."""
    first = measured.references.get(shipped.REFERENCE)
    others = "; ".join(
        f"kl_bits_{name}: as kl_bits, against {measured.references[name]}"
        for name in shipped.FURTHER_REFERENCES
        if name in measured.references
    )
    references = (
        f"Wikipedia is here {first}; the paper has the dump of 1 March 2022." if first else ""
    )
    published = parameters.as_published
    forward = published.direction == "benchmark_to_reference"
    separators = ", ".join(
        f"{TITLES.get(name, name)} with {mark!r}"
        for name, mark in parameters.readability.separators.items()
    )
    return {
        "parameters": parameters,
        "as_published": published,
        "corrected": parameters.corrected,
        "scope": published.scope.replace("_", " "),
        "corrected_scope": parameters.corrected.scope.replace("_", " "),
        "direction": "KL(benchmark || Wikipedia)" if forward else "KL(Wikipedia || benchmark)",
        "sentences": measured.sentences,
        "references": references + (f" {others}." if first and others else ""),
        "separators": f" ({separators})" if separators else "",
    }

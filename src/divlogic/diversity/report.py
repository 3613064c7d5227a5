"""The tables of the phase: measured next to published numbers, each with its source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.collection.audit import AuditSummary
from divlogic.benchmarks.collection.collect import Collected, load_collection
from divlogic.benchmarks.registry import TITLES
from divlogic.benchmarks.spec import COMPLEXITY_TABLE, DIVERGENCE_TABLE, PaperTable
from divlogic.config.command import FOLDER
from divlogic.diversity.measure import LITERAL, Collection, Profiles, Punkt
from divlogic.diversity.parameters import DiversityParameters, DiversityRun
from divlogic.diversity.profile import Profile
from divlogic.diversity.shipped import (
    FURTHER_REFERENCES,
    ORIGIN,
    REFERENCE,
    REFERENCES,
    measurable,
    reference_title,
)
from divlogic.io.files import read_json, write_json
from divlogic.io.tables import read_table, units_of, write_table
from divlogic.published import read_published

_TAIL = ["source", "rows_used", "rows_expected", "note"]

TABLE4 = [
    "benchmark", "instances", "vocabulary_cased", "vocabulary_lower", "kl_bits", "kl_bits_low", "kl_bits_high",
    "js_distance", "published_instances", "published_vocabulary", "published_kl", "difference_vocabulary_cased",
    "difference_vocabulary_lower", "difference_kl", "js_distance_low", "js_distance_high", "kl_bits_corrected",
    "kl_bits_corrected_low", "kl_bits_corrected_high", "js_distance_corrected", "sample_tokens", *_TAIL, "reference",
    "kl_bits_literal", "kl_bits_literal_low", "kl_bits_literal_high",
    *(f"kl_bits_{name}{end}" for name in FURTHER_REFERENCES for end in ("", "_low", "_high")),
]  # fmt: skip
TABLE7 = [
    "benchmark", "options", "size", "vocabulary_lower", "published_source", "published_options", "published_size",
    "difference_options", "difference_size", *_TAIL,
]  # fmt: skip
COMPLEXITY = [
    "benchmark", "flesch_kincaid_as_published", "flesch_kincaid_corrected", "vocabulary_justlogic",
    "published_flesch_kincaid", "published_vocabulary", "published_domains", "difference_flesch_kincaid",
    "difference_vocabulary", "flesch_ease_as_published", "flesch_ease_corrected", *_TAIL,
]  # fmt: skip
LABEL_AUDIT = [
    "benchmark", "labels", "derived", "agreeing", "agreement", "disagreeing", "underived", "findings", *_TAIL,
]  # fmt: skip
STATISTICS = [
    "benchmark", "instances", "distinct_contexts", "tokens_contexts", "tokens_distinct_contexts", "tokens_instances",
    "vocabulary_cased_contexts", "vocabulary_lower_contexts", "vocabulary_alphabetic_contexts",
    "vocabulary_cased_instances", "vocabulary_lower_instances", "vocabulary_alphabetic_instances",
    "ttr", "msttr", "mtld", *_TAIL,
]  # fmt: skip

_SHOWN = {
    "table4": [
        "benchmark", "instances", "vocabulary_cased", "vocabulary_lower", "published_vocabulary", "kl_bits",
        "kl_bits_low", "kl_bits_high", "published_kl", "difference_kl", "kl_bits_literal",
        *(f"kl_bits_{name}" for name in FURTHER_REFERENCES), "kl_bits_corrected", "js_distance", "source", "note",
    ],
    "complexity": [
        "benchmark", "flesch_kincaid_as_published", "published_flesch_kincaid", "flesch_kincaid_corrected",
        "vocabulary_justlogic", "published_vocabulary", "published_domains", "source", "note",
    ],
    "statistics": [
        "benchmark", "instances", "distinct_contexts", "tokens_contexts", "vocabulary_cased_instances",
        "vocabulary_lower_instances", "vocabulary_alphabetic_instances", "ttr", "msttr", "mtld", "note",
    ],
}  # fmt: skip
"""The columns that fit on a page; the csv files have all of them."""

_ORDER = tuple(TITLES)


@dataclass(frozen=True)
class Measurements:
    """Everything measured, by benchmark name; ``references`` says what each reference of the divergence is."""

    collection: list[Collected]
    profiles: dict[str, dict[str, Any]] = field(default_factory=dict)
    divergence: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    readability: dict[str, dict[str, Any]] = field(default_factory=dict)
    audit: dict[str, AuditSummary] = field(default_factory=dict)
    sentences: str = "Punkt"
    views: list[Collected] = field(default_factory=list)
    references: dict[str, str] = field(default_factory=dict)

    def names(self, published: dict[str, Any]) -> list[str]:
        """Return the benchmarks of a table: those printed there, here, or known; own data sets last."""
        known = {one.benchmark for one in self.collection} | set(published)
        return sorted(known, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))

    def of(self, name: str) -> Collected | None:
        """Return what was collected of a benchmark, if there is anything."""
        return next((one for one in self.collection if one.benchmark == name and one.available), None)


def tables(
    *,
    collection: Collection,
    profiles: Profiles,
    divergence: Annotated[Path, "What `divergence` wrote."],
    readability: Annotated[Path, "What `readability` wrote."],
    audit: Annotated[Path, "What `divlogic benchmarks audit` wrote."],
    published: Annotated[Path, FOLDER, "Printed numbers."] = Path("data/published"),
    corpora: Annotated[Path | None, "Corpora of the run (corpora.json), which name the reference."] = None,
    punkt: Punkt = None,
    params: DiversityRun,
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Write table4, table7, complexity, statistics and label_audit as csv, md and tex."""
    distances: dict[str, dict[str, dict[str, Any]]] = {}
    for row in read_json(divergence):
        distances.setdefault(row["benchmark"], {})[row["preset"]] = row

    references = {
        name: reference_title(profiles, name, read_table(corpora.with_suffix("")) if corpora else [])
        for name in REFERENCES
        if (profiles / f"{name}.json.gz").is_file()
    }

    def measurements(table: PaperTable | None) -> Measurements:
        found = measurable(collection, profiles, table)
        return Measurements(
            found,
            {
                one.benchmark: Profile.load(profiles / f"{one.stem}.json.gz").summary()
                for one in found
                if one.available
            },
            distances,
            {row["benchmark"]: row for row in read_json(readability)},
            {row["benchmark"]: AuditSummary(**row) for row in read_json(audit)},
            "Punkt" if punkt else "rules",
            [one for one in load_collection(collection, views=True) if one.view],
            references,
        )

    write_tables(measurements, published, out, params.diversity)


def write_metrics(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write of Table 4 what two runs are compared by: KL and vocabulary of each benchmark."""
    write_json(
        path,
        {
            "kl": {
                row["benchmark"]: round(row["kl_bits"], 4) for row in rows if row.get("kl_bits") is not None
            },
            "vocabulary": {
                row["benchmark"]: row["vocabulary_lower"]
                for row in rows
                if row.get("vocabulary_lower") is not None
            },
        },
    )


def write_tables(
    measurements: Callable[[PaperTable | None], Measurements],
    published: Path,
    out: Path,
    parameters: DiversityParameters,
) -> list[Path]:
    """Write table4, table7, complexity, statistics and label_audit as csv, md and tex, and metrics.json below ``out``.

    Args:
        measurements: returns what was measured on the parts of benchmarks that a printed table rests on (``None``: on
            the best parts that are here).
        published: folder of the printed numbers.
        out: where the tables go.
        parameters: how it was measured, for the notes.
    """
    written: list[Path] = []
    measured = measurements(DIVERGENCE_TABLE)
    printed = read_published(published)
    table4 = printed.numbers("divlogiceval_table4")
    rows = _rows(measured, table4, lambda name: _table4(measured, name, table4.get(name, {})))
    written += write_table(
        out / "table4",
        TABLE4,
        rows,
        _note4(measured, parameters),
        shown=_SHOWN["table4"],
        units=units_of(TABLE4, kl="bits", published_kl="bits", difference_kl="bits"),
        sources=["data/published/divlogiceval_table4.csv"],
    )
    write_metrics(out / "metrics.json", rows)
    measured = measurements(None)
    table7 = printed.texts("divlogiceval_table7")
    sizes = printed.numbers("divlogiceval_table7")
    rows = _rows(
        measured, table7, lambda name: _table7(measured, name, table7.get(name, {}), sizes.get(name, {}))
    )
    note = "size: instances read here; published_size: all splits as printed in DivLogicEval, Table 7."
    written += write_table(
        out / "table7", TABLE7, rows, note, sources=["data/published/divlogiceval_table7.csv"]
    )
    measured = measurements(COMPLEXITY_TABLE)
    complexity = printed.numbers("justlogic_complexity")
    domains = printed.texts("justlogic_complexity")
    rows = _rows(
        measured,
        complexity,
        lambda name: _complexity(measured, name, complexity.get(name, {}), domains.get(name, {})),
    )
    written += write_table(
        out / "complexity",
        COMPLEXITY,
        rows,
        _note_complexity(measured, parameters),
        shown=_SHOWN["complexity"],
        units=units_of(
            COMPLEXITY,
            **dict.fromkeys(
                ("flesch_kincaid", "published_flesch_kincaid", "difference_flesch_kincaid"), "school grade"
            ),
        ),
        sources=["data/published/justlogic_complexity.csv"],
    )
    measured = measurements(None)
    rows = _rows(measured, {}, lambda name: _statistics(measured.profiles.get(name, {})))
    written += write_table(
        out / "statistics", STATISTICS, rows, _note_statistics(parameters), shown=_SHOWN["statistics"]
    )
    audited = replace(measured, collection=[*measured.collection, *measured.views])
    rows = [
        row for row in _rows(audited, {}, lambda name: _audit(audited, name)) if row["labels"] is not None
    ]
    written += write_table(out / "label_audit", LABEL_AUDIT, rows, _NOTE_AUDIT)
    return written


def _rows(
    measured: Measurements, published: dict[str, Any], cells: Callable[[str], dict[str, Any]]
) -> list[dict[str, Any]]:
    """Build one row per benchmark: its cells, its source, and the note that every table has."""
    rows = []
    for name in measured.names(published):
        one = measured.of(name)
        measured_from = "profile" if one and one.origin == ORIGIN else "measured"
        source = measured_from if one else "published" if published.get(name) else "unavailable"
        tail = {
            "source": source,
            "rows_used": one.rows if one else 0,
            "rows_expected": one.expected if one else None,
            "note": _row_note(measured, name, one),
        }
        rows.append({**cells(name), "benchmark": TITLES.get(name, name), **tail})
    return rows


def _row_note(measured: Measurements, name: str, one: Collected | None) -> str:
    if one is None:
        return "not here"
    of = f" of {one.expected:,}" if one.expected else ""
    parts = [] if one.exact and one.rows == one.expected else [f"{one.part} ({one.rows:,}{of} rows)"]
    if one.origin == ORIGIN:
        parts.append("from the shipped profile (data/profiles)")
    elif one.origin != "published":
        parts = [f"{one.origin} here"]
    if one.problems:
        parts.append(one.problems)
    profile = measured.profiles.get(name, {})
    if one.view:
        return "; ".join(parts)
    if profile.get("chinese"):
        parts.append("Chinese: characters are counted, not words")
    elif not profile.get("english", True):
        parts.append("not in Latin script: word measures left out")
    elif name not in measured.divergence:
        parts.append(f"no divergence: {profile.get('tokens_contexts', 0):,} tokens of contexts are too few")
    return "; ".join(parts)


def _table4(measured: Measurements, name: str, printed: dict[str, float]) -> dict[str, Any]:
    profile = measured.profiles.get(name, {})
    words = profile if profile.get("english") or profile.get("chinese") else {}
    kl = measured.divergence.get(name, {})
    first, second = kl.get("as_published", {}), kl.get("corrected", {})
    further = {
        f"kl_bits_{preset}{end}": kl.get(preset, {}).get(f"kl{end}")
        for preset in (LITERAL, *FURTHER_REFERENCES)
        for end in ("", "_low", "_high")
    }
    cased, lower = words.get("vocabulary_cased_instances"), words.get("vocabulary_lower_instances")
    vocabulary, divergence = printed.get("vocabulary"), printed.get("kl")
    return {
        "instances": profile.get("instances"),
        "vocabulary_cased": cased,
        "vocabulary_lower": lower,
        "kl_bits": first.get("kl"),
        "kl_bits_low": first.get("kl_low"),
        "kl_bits_high": first.get("kl_high"),
        "js_distance": first.get("js"),
        "published_instances": _whole(printed.get("instances")),
        "published_vocabulary": _whole(vocabulary),
        "published_kl": divergence,
        "difference_vocabulary_cased": _whole(_minus(cased, vocabulary)),
        "difference_vocabulary_lower": _whole(_minus(lower, vocabulary)),
        "difference_kl": _minus(first.get("kl"), divergence),
        "js_distance_low": first.get("js_low"),
        "js_distance_high": first.get("js_high"),
        "kl_bits_corrected": second.get("kl"),
        "kl_bits_corrected_low": second.get("kl_low"),
        "kl_bits_corrected_high": second.get("kl_high"),
        "js_distance_corrected": second.get("js"),
        "sample_tokens": first.get("size"),
        "reference": measured.references.get(REFERENCE) if first else None,
        **further,
    }


def _table7(
    measured: Measurements, name: str, printed: dict[str, str], numbers: dict[str, float]
) -> dict[str, Any]:
    profile = measured.profiles.get(name, {})
    options = profile.get("options") or None
    return {
        "options": options,
        "size": profile.get("instances"),
        "vocabulary_lower": profile.get("vocabulary_lower_instances") if profile.get("english") else None,
        "published_source": printed.get("source"),
        "published_options": _whole(numbers.get("options")),
        "published_size": _whole(numbers.get("size")),
        "difference_options": _whole(_minus(options, numbers.get("options"))),
        "difference_size": _whole(_minus(profile.get("instances"), numbers.get("size"))),
    }


def _complexity(
    measured: Measurements, name: str, printed: dict[str, float], texts: dict[str, str]
) -> dict[str, Any]:
    scores = measured.readability.get(name, {})
    profile = measured.profiles.get(name, {})
    grade = scores.get("flesch_kincaid_as_published")
    vocabulary = profile.get("vocabulary_alphabetic_contexts") if profile.get("english") else None
    return {
        **scores,
        "vocabulary_justlogic": vocabulary,
        "published_flesch_kincaid": printed.get("reading_difficulty"),
        "published_vocabulary": _whole(printed.get("vocabulary")),
        "published_domains": texts.get("domains"),
        "difference_flesch_kincaid": _minus(grade, printed.get("reading_difficulty")),
        "difference_vocabulary": _whole(_minus(vocabulary, printed.get("vocabulary"))),
    }


def _statistics(profile: dict[str, Any]) -> dict[str, Any]:
    if profile.get("english", True):
        return profile
    if profile.get("chinese"):
        # A character has no case, and no letter a to z.
        return {name: value for name, value in profile.items() if "alphabetic" not in name}
    return {name: profile[name] for name in ("instances", "distinct_contexts")}


def _audit(measured: Measurements, name: str) -> dict[str, Any]:
    found = measured.audit.get(name)
    if found is None or not found.labels:
        return {"labels": None}
    return {
        "labels": found.labels,
        "derived": found.derived,
        "agreeing": found.agreeing,
        "agreement": found.agreement,
        "disagreeing": found.derived - found.agreeing,
        "underived": found.labels - found.derived,
        "findings": "; ".join(f"{kind}: {count}" for kind, count in found.kinds.items()),
    }


def _note4(measured: Measurements, parameters: DiversityParameters) -> str:
    one, two = parameters.as_published, parameters.corrected
    return (
        f"kl_bits: {_direction(one.direction)} to base {one.base:g}, additive smoothing {one.smoothing:g} over the"
        f" union vocabulary, {one.tokens} tokens of the {one.scope.replace('_', ' ')}, {one.repeats} subsamples of"
        f" sample_tokens {one.unit}s from either side; mean and {one.confidence:.0%} interval of the subsamples."
        f" kl_bits_corrected: the same but {two.scope.replace('_', ' ')} and whole {two.unit}s, so that repeated"
        " contexts do not count again and the interval shows how texts differ. js_distance: Jensen-Shannon distance"
        " (0 to 1) on the same subsamples, without smoothing. kl_bits_literal: as kl_bits, but only the words of"
        " Wikipedia are cut to that size, as the paper's text has it, and those of the benchmark are taken whole."
        f" {_references(measured)} The direction, smoothing, filter and size are not in"
        " the paper; they are those that fit its column best."
        f" Benchmarks with fewer than {parameters.minimum_tokens:,} tokens have no divergence."
        f" Vocabulary: NLTK's word tokens of contexts, questions and options, sentences split by {measured.sentences};"
        " names of labels are not counted. Chinese: characters, runs of Latin letters or digits, and signs."
    )


def _references(measured: Measurements) -> str:
    """Return the sentences that name what stands for Wikipedia."""
    first = measured.references.get(REFERENCE)
    if not first:
        return ""
    others = "; ".join(
        f"kl_bits_{name}: as kl_bits, against {measured.references[name]}"
        for name in FURTHER_REFERENCES
        if name in measured.references
    )
    return f"Wikipedia is here {first}; the paper has the dump of 1 March 2022." + (
        f" {others}." if others else ""
    )


def _note_complexity(measured: Measurements, parameters: DiversityParameters) -> str:
    fixed = ", ".join(
        f"{TITLES.get(name, name)} with {mark!r}" for name, mark in parameters.readability.separators.items()
    )
    return (
        f"flesch_kincaid_as_published: as py-readability-metrics 1.4.5 counts, on the first"
        f" {parameters.readability.characters:,} characters of the contexts joined with nothing"
        + (f" ({fixed})" if fixed else "")
        + f"; sentences split by {measured.sentences}. flesch_kincaid_corrected: Kincaid's formula on all different"
        " contexts, each with its own sentence boundaries, syllables by dictionary. The published order rests on"
        " sentences that fuse where contexts (and FOLIO's premises) are joined. vocabulary_justlogic: different"
        " lower-cased tokens of the contexts that are all letters."
    )


def _note_statistics(parameters: DiversityParameters) -> str:
    kind = parameters.type_token
    return (
        "ttr: types over tokens of the alphabetic lower-cased tokens of the different contexts; msttr: mean ratio of"
        f" segments of {kind.segment} tokens; mtld: McCarthy and Jarvis 2010 with threshold {kind.threshold:g}; both on"
        f" the first {kind.tokens:,} tokens. Chinese is not segmented into words: there each character is a token (and"
        " each run of Latin letters or digits, and each sign), and the three measures are of characters."
    )


_NOTE_AUDIT = (
    "derived: labels that the symbolic form yields; agreement: share of them that are the published label."
    " LogicNLI: forward chaining; JustLogic: propositional argument and the wording of the question; FOLIO:"
    " first-order formulas and Z3; LLMEval-Logic: premises and query by two deciders; own benchmarks: option formulas"
    " and Z3. Each finding is listed in"
    " label_disagreements.csv with its reason."
)


def _direction(direction: str) -> str:
    return (
        "KL(benchmark || Wikipedia)"
        if direction == "benchmark_to_reference"
        else "KL(Wikipedia || benchmark)"
    )


def _minus(measured: float | None, printed: float | None) -> float | None:
    return None if measured is None or printed is None else measured - printed


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)

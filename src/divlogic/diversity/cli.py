"""``divlogic diversity``: measure benchmarks, and write tables and figures."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from divlogic.cli import params_option
from divlogic.config import Parameters
from divlogic.diversity.parameters import DiversityParameters

FolderOption = click.Path(path_type=Path, file_okay=False)
FileOption = click.Path(path_type=Path, dir_okay=False)

_collection = click.option(
    "--in",
    "collection",
    type=FolderOption,
    required=True,
    help="Folder that `divlogic benchmarks collect` wrote.",
)
_profiles = click.option(
    "--profiles", type=FolderOption, required=True, help="Folder of profiles that `profile` wrote."
)
_reference = click.option(
    "--reference", type=FileOption, required=True, help="Wikipedia sample: JSON lines with a field `text`."
)
_punkt = click.option(
    "--punkt",
    type=FolderOption,
    default=None,
    help="Folder with NLTK's punkt_tab; without it sentences are split by rules.",
)
_out_file = click.option("--out", type=FileOption, required=True, help="JSON file to write.")
_out_folder = click.option("--out", type=FolderOption, required=True, help="Folder to write to.")


@click.group("diversity")
def cli() -> None:
    """Measure vocabulary, distance to Wikipedia, readability and labels of every benchmark."""


@cli.command()
@_collection
@_reference
@_punkt
@params_option
@_out_folder
def profile(collection: Path, reference: Path, punkt: Path | None, params: Parameters, out: Path) -> None:
    """Count the tokens of every benchmark and of the reference."""
    from divlogic.diversity.measure import profile_collection

    profile_collection(collection, reference, out, _section(params), punkt)


@cli.command()
@_collection
@_profiles
@_reference
@_punkt
@params_option
@_out_file
def divergence(
    collection: Path, profiles: Path, reference: Path, punkt: Path | None, params: Parameters, out: Path
) -> None:
    """Measure KL divergence and Jensen-Shannon distance to the reference, in both presets."""
    from divlogic.diversity.measure import divergence_collection
    from divlogic.files import write_json

    write_json(
        out, divergence_collection(collection, profiles, reference, _section(params), params.seed, punkt)
    )


@cli.command()
@_collection
@_profiles
@params_option
@_out_file
def sensitivity(collection: Path, profiles: Path, params: Parameters, out: Path) -> None:
    """Measure how KL depends on the smoothing and on the size of the subsample."""
    from divlogic.diversity.measure import sensitivity as measure_sensitivity
    from divlogic.files import write_json

    write_json(out, measure_sensitivity(collection, profiles, _section(params), params.seed))


@cli.command()
@_collection
@_profiles
@_punkt
@click.option(
    "--pronunciations", type=FileOption, default=None, help="Pronouncing dictionary in the CMU layout."
)
@params_option
@_out_file
def readability(
    collection: Path,
    profiles: Path,
    punkt: Path | None,
    pronunciations: Path | None,
    params: Parameters,
    out: Path,
) -> None:
    """Score Flesch-Kincaid grade and reading ease, as published and corrected."""
    from divlogic.diversity.measure import readability_collection
    from divlogic.diversity.syllables import SyllableCounter, pronouncing_dictionary
    from divlogic.files import write_json

    counter = SyllableCounter(pronouncing_dictionary(pronunciations) if pronunciations else None)
    write_json(out, readability_collection(collection, profiles, _section(params), punkt, counter))


@cli.command()
@_collection
@click.option(
    "--findings", type=FileOption, required=True, help="CSV with every label that is not confirmed."
)
@params_option
@_out_file
def audit(collection: Path, findings: Path, params: Parameters, out: Path) -> None:
    """Derive published labels again from the symbolic forms and list the disagreements."""
    from divlogic.benchmarks.collection.collect import collected_records, load_collection
    from divlogic.diversity.audit import audit_records, summarise
    from divlogic.files import write_csv, write_json

    summaries: list[dict[str, Any]] = []
    rows: list[list[Any]] = []
    for one in load_collection(collection):
        if not one.available:
            continue
        records = collected_records(collection, one.benchmark)
        verdicts = audit_records(one.benchmark, records, seconds=_section(params).solver_seconds)
        summary, found = summarise(one.benchmark, verdicts)
        if summary.labels:
            summaries.append(asdict(summary))
            rows += [[one.benchmark, v.id, v.published, v.derived, v.kind, v.reason] for v in found]
            click.echo(
                f"{one.benchmark}: {summary.agreeing:,} of {summary.derived:,} labels confirmed", err=True
            )
    write_csv(findings, ["benchmark", "id", "published", "derived", "class", "reason"], rows)
    write_json(out, summaries)


def _measured_options(command: Any) -> Any:
    for name, text in (
        ("audit", "What `audit` wrote."),
        ("readability", "What `readability` wrote."),
        ("divergence", "What `divergence` wrote."),
    ):
        command = click.option(f"--{name}", type=FileOption, required=True, help=text)(command)
    return command


@cli.command()
@_collection
@_profiles
@_measured_options
@click.option(
    "--published", type=FolderOption, default="data/published", show_default=True, help="Printed numbers."
)
@_punkt
@params_option
@_out_folder
def tables(
    collection: Path,
    profiles: Path,
    divergence: Path,
    readability: Path,
    audit: Path,
    published: Path,
    punkt: Path | None,
    params: Parameters,
    out: Path,
) -> None:
    """Write table4, table7, complexity, statistics and label_audit as csv, md and tex."""
    from divlogic.benchmarks.collection.collect import load_collection
    from divlogic.diversity.audit.run import AuditSummary
    from divlogic.diversity.profile import Profile
    from divlogic.diversity.report import Measurements, write_tables

    found = load_collection(collection)
    distances: dict[str, dict[str, dict[str, Any]]] = {}
    for row in _json(divergence):
        distances.setdefault(row["benchmark"], {})[row["preset"]] = row
    measured = Measurements(
        found,
        {
            one.benchmark: Profile.load(profiles / f"{one.benchmark}.json.gz").summary()
            for one in found
            if one.available
        },
        distances,
        {row["benchmark"]: row for row in _json(readability)},
        {row["benchmark"]: AuditSummary(**row) for row in _json(audit)},
        "Punkt" if punkt else "rules",
    )
    write_tables(measured, published, out, _section(params))


@cli.command()
@_profiles
@click.option(
    "--tables", "folder", type=FolderOption, required=True, help="Folder with table4.csv and complexity.csv."
)
@click.option("--sensitivity", type=FileOption, required=True, help="What `sensitivity` wrote.")
@params_option
@_out_folder
def figures(profiles: Path, folder: Path, sensitivity: Path, params: Parameters, out: Path) -> None:
    """Draw divergence, sensitivity, readability and rank-frequency as svg and png."""
    from divlogic.diversity import plots
    from divlogic.diversity.measure import REFERENCE
    from divlogic.diversity.profile import Profile

    table4 = _csv(folder / "table4.csv")
    sizes = [row["sample_tokens"] for row in table4 if row.get("sample_tokens")]
    plots.plot_divergence(table4, out / "kl_vocabulary")
    plots.plot_readability(_csv(folder / "complexity.csv"), out / "readability")
    plots.plot_sensitivity(
        _json(sensitivity),
        _section(params).as_published.smoothing,
        int(max(sizes)) if sizes else None,
        out / "kl_sensitivity",
    )
    files = sorted(path for path in profiles.glob("*.json.gz") if path.name != f"{REFERENCE}.json.gz")
    benchmarks = [profile for profile in map(Profile.load, files) if profile.english]
    plots.plot_rank_frequency(
        benchmarks, Profile.load(profiles / f"{REFERENCE}.json.gz"), out / "rank_frequency"
    )


def _section(params: Parameters) -> DiversityParameters:
    return getattr(params, "diversity", None) or DiversityParameters()


def _json(path: Path) -> Any:
    import orjson

    from divlogic.files import open_bytes

    with open_bytes(path) as stream:
        return orjson.loads(stream.read())


def _csv(path: Path) -> list[dict[str, Any]]:
    """Read a table back: numbers as numbers, empty cells as ``None``."""
    import csv

    from divlogic.files import read_lines

    def cell(text: str) -> Any:
        try:
            return float(text) if text else None
        except ValueError:
            return text

    reader = csv.DictReader(line for _, line in read_lines(path))
    return [{name: cell(text) for name, text in row.items()} for row in reader]

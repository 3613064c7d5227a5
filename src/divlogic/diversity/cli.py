"""``divlogic diversity``: measure benchmarks, and write tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.diversity.parameters import DiversityRun
from divlogic.io.rounding import rounded

_collection = click.option(
    "--in",
    "collection",
    type=FOLDER,
    required=True,
    help="Folder that `divlogic benchmarks collect` wrote.",
)
_profiles = click.option(
    "--profiles", type=FOLDER, required=True, help="Folder of profiles that `profile` wrote."
)
_reference = click.option(
    "--reference", type=FILE, required=True, help="Wikipedia sample: JSON lines with a field `text`."
)
_punkt = click.option(
    "--punkt",
    type=FOLDER,
    default=None,
    help="Folder with NLTK's punkt_tab; without it sentences are split by rules.",
)
_out_file = click.option("--out", type=FILE, required=True, help="JSON file to write.")
_out_folder = click.option("--out", type=FOLDER, required=True, help="Folder to write to.")


@click.group("diversity")
def cli() -> None:
    """Measure vocabulary, distance to Wikipedia, readability and labels of every benchmark."""


@cli.command()
@_collection
@_reference
@_punkt
@click.option(
    "--shipped", type=FOLDER, default=None, help="Folder of shipped profiles, for what is not here."
)
@params_option(DiversityRun)
@_out_folder
def profile(
    collection: Path,
    reference: Path,
    punkt: Path | None,
    shipped: Path | None,
    params: DiversityRun,
    out: Path,
) -> None:
    """Count the tokens of every benchmark and of the reference."""
    from divlogic.diversity.measure import profile_collection

    embedded = params.corpus_source == "embedded"
    profile_collection(collection, reference, out, params.diversity, punkt, shipped, embedded)


@cli.command()
@_collection
@_profiles
@click.option("--readability", type=FILE, required=True, help="What `readability` wrote.")
@click.option("--raw", type=FOLDER, required=True, help="Folder with one subfolder per fetched corpus.")
@click.option("--registry", type=FILE, default="data/registry.yaml", show_default=True, help="The corpora.")
@click.option("--commit", required=True, help="The commit that the profiles are made by.")
@_out_folder
def ship(
    collection: Path, profiles: Path, readability: Path, raw: Path, registry: Path, commit: str, out: Path
) -> None:
    """Write the profiles that the repository ships: word counts of published benchmarks and of the reference."""
    from divlogic.corpora.manifest import read_manifest
    from divlogic.corpora.registry import load_registry
    from divlogic.diversity.shipped import REFERENCE_CORPUS
    from divlogic.diversity.shipped import ship as write_shipped

    files = tuple(f"{file.sha256}  {file.name}" for file in read_manifest(raw / REFERENCE_CORPUS).files)
    corpora = load_registry(registry)
    for path in write_shipped(collection, profiles, _json(readability), corpora, files, commit, out):
        click.echo(path, err=True)


@cli.command()
@_collection
@_profiles
@_reference
@_punkt
@params_option(DiversityRun)
@_out_file
def divergence(
    collection: Path, profiles: Path, reference: Path, punkt: Path | None, params: DiversityRun, out: Path
) -> None:
    """Measure KL divergence and Jensen-Shannon distance to the reference, in both presets."""
    from divlogic.diversity.measure import divergence_collection
    from divlogic.io.files import write_json

    found = divergence_collection(collection, profiles, reference, params.diversity, params.seed, punkt)
    write_json(out, rounded(found))


@cli.command()
@_collection
@_profiles
@params_option(DiversityRun)
@_out_file
def sensitivity(collection: Path, profiles: Path, params: DiversityRun, out: Path) -> None:
    """Measure how KL depends on the smoothing and on the size of the subsample."""
    from divlogic.diversity.measure import sensitivity as measure_sensitivity
    from divlogic.io.files import write_json

    write_json(out, rounded(measure_sensitivity(collection, profiles, params.diversity, params.seed)))


@cli.command()
@_collection
@_profiles
@_punkt
@click.option("--pronunciations", type=FILE, default=None, help="Pronouncing dictionary in the CMU layout.")
@params_option(DiversityRun)
@_out_file
def readability(
    collection: Path,
    profiles: Path,
    punkt: Path | None,
    pronunciations: Path | None,
    params: DiversityRun,
    out: Path,
) -> None:
    """Score Flesch-Kincaid grade and reading ease, as published and corrected."""
    from divlogic.diversity.measure import readability_collection
    from divlogic.diversity.syllables import SyllableCounter, pronouncing_dictionary
    from divlogic.io.files import write_json

    counter = SyllableCounter(pronouncing_dictionary(pronunciations) if pronunciations else None)
    write_json(out, rounded(readability_collection(collection, profiles, params.diversity, punkt, counter)))


def _measured_options(command: Any) -> Any:
    for name, text in (
        ("audit", "What `divlogic benchmarks audit` wrote."),
        ("readability", "What `readability` wrote."),
        ("divergence", "What `divergence` wrote."),
    ):
        command = click.option(f"--{name}", type=FILE, required=True, help=text)(command)
    return command


@cli.command()
@_collection
@_profiles
@_measured_options
@click.option(
    "--published", type=FOLDER, default="data/published", show_default=True, help="Printed numbers."
)
@_punkt
@params_option(DiversityRun)
@_out_folder
def tables(
    collection: Path,
    profiles: Path,
    divergence: Path,
    readability: Path,
    audit: Path,
    published: Path,
    punkt: Path | None,
    params: DiversityRun,
    out: Path,
) -> None:
    """Write table4, table7, complexity, statistics and label_audit as csv, md and tex."""
    from divlogic.benchmarks.audit import AuditSummary
    from divlogic.benchmarks.collection.collect import load_collection
    from divlogic.benchmarks.spec import PaperTable
    from divlogic.diversity.profile import Profile
    from divlogic.diversity.report import Measurements, write_tables
    from divlogic.diversity.shipped import measurable

    distances: dict[str, dict[str, dict[str, Any]]] = {}
    for row in _json(divergence):
        distances.setdefault(row["benchmark"], {})[row["preset"]] = row

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
            {row["benchmark"]: row for row in _json(readability)},
            {row["benchmark"]: AuditSummary(**row) for row in _json(audit)},
            "Punkt" if punkt else "rules",
            [one for one in load_collection(collection, views=True) if one.view],
        )

    write_tables(measurements, published, out, params.diversity)


@cli.command()
@_profiles
@click.option(
    "--tables", "folder", type=FOLDER, required=True, help="Folder with table4.csv and complexity.csv."
)
@click.option("--sensitivity", type=FILE, required=True, help="What `sensitivity` wrote.")
@params_option(DiversityRun)
@_out_folder
def figures(profiles: Path, folder: Path, sensitivity: Path, params: DiversityRun, out: Path) -> None:
    """Draw divergence, sensitivity, readability and rank-frequency as svg and png."""
    from divlogic.diversity import plots
    from divlogic.diversity.profile import Profile
    from divlogic.diversity.shipped import REFERENCE

    table4 = _csv(folder / "table4.csv")
    sizes = [row["sample_tokens"] for row in table4 if row.get("sample_tokens")]
    plots.plot_divergence(table4, out / "kl_vocabulary")
    plots.plot_readability(_csv(folder / "complexity.csv"), out / "readability")
    plots.plot_sensitivity(
        _json(sensitivity),
        params.diversity.as_published.smoothing,
        int(max(sizes)) if sizes else None,
        out / "kl_sensitivity",
    )
    # A second full stop marks the part of a benchmark that only single tables rest on.
    files = sorted(path for path in profiles.glob("*.json.gz") if path.name.count(".") == 2)
    files = [path for path in files if path.name != f"{REFERENCE}.json.gz"]
    benchmarks = [profile for profile in map(Profile.load, files) if profile.english]
    plots.plot_rank_frequency(
        benchmarks, Profile.load(profiles / f"{REFERENCE}.json.gz"), out / "rank_frequency"
    )


def _json(path: Path) -> Any:
    from divlogic.io.files import read_json

    return read_json(path)


def _csv(path: Path) -> list[dict[str, Any]]:
    """Read a table back: numbers as numbers, empty cells as ``None``."""
    import csv

    from divlogic.io.files import read_lines

    def cell(text: str) -> Any:
        try:
            return float(text) if text else None
        except ValueError:
            return text

    reader = csv.DictReader(line for _, line in read_lines(path))
    return [{name: cell(text) for name, text in row.items()} for row in reader]

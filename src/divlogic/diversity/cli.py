"""``divlogic diversity``: measure benchmarks, and write tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from divlogic.config.option import BASE, FILE, FOLDER, params_option
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
@click.argument("splits", nargs=-1, type=FILE)
@_collection
@_profiles
@params_option(DiversityRun)
@_out_file
@click.option("--shares", type=BASE, help="Table of KL by MultiNLI's share, without its suffix.")
def sensitivity(
    splits: tuple[Path, ...],
    collection: Path,
    profiles: Path,
    params: DiversityRun,
    out: Path,
    shares: Path | None,
) -> None:
    """Measure how KL depends on the smoothing and on the size of the subsample.

    With SPLITS of DivLogicEval and --shares, also how it depends on the share of sentences from MultiNLI.
    """
    from divlogic.diversity.measure import english_profiles
    from divlogic.diversity.measure import sensitivity as measure_sensitivity
    from divlogic.diversity.share import measure_shares
    from divlogic.io.files import write_json

    known = english_profiles(collection, profiles)
    write_json(out, rounded(measure_sensitivity(known, params.diversity, params.seed)))
    if shares is not None:
        measure_shares(splits, known, shares, params.diversity, params.seed)


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
    "--tables",
    "folder",
    type=FOLDER,
    required=True,
    help="Folder of the tables table4 and complexity (json).",
)
@click.option("--sensitivity", type=FILE, required=True, help="What `sensitivity` wrote.")
@click.option("--shares", type=FILE, help="Table of KL by MultiNLI's share, without its suffix.")
@params_option(DiversityRun)
@_out_folder
def figures(
    profiles: Path, folder: Path, sensitivity: Path, shares: Path | None, params: DiversityRun, out: Path
) -> None:
    """Draw divergence, sensitivity, readability and rank-frequency as svg and png."""
    from divlogic.diversity import plots
    from divlogic.diversity.profile import Profile
    from divlogic.diversity.shipped import REFERENCE
    from divlogic.io.figures import read_frame

    table4 = read_frame(folder / "table4")
    sizes = table4["sample_tokens"].dropna()
    plots.plot_divergence(table4, out / "kl_vocabulary")
    plots.plot_readability(read_frame(folder / "complexity"), out / "readability")
    plots.plot_sensitivity(
        plots.read_grid(sensitivity),
        params.diversity.as_published.smoothing,
        int(sizes.max()) if len(sizes) else None,
        out / "kl_sensitivity",
    )
    if shares is not None:
        plots.plot_shares(read_frame(shares), table4, out / "kl_by_share")
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

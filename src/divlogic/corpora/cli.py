"""``divlogic corpora``: list, fetch, place and normalise the corpora that sentences come from."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import params_option
from divlogic.corpora.parameters import CorporaRun
from divlogic.errors import DivLogicError

FOLDER = click.Path(path_type=Path)
registry_option = click.option(
    "--registry",
    type=FOLDER,
    default="data/registry.yaml",
    show_default=True,
    help="The registry of corpora.",
)
downloads_option = click.option(
    "--downloads",
    type=FOLDER,
    default=".divlogic/downloads",
    show_default=True,
    help="Where downloads wait and are resumed from; a file placed by hand goes there.",
)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="A table to read, or rows for another program.",
)


@click.group("corpora")
def cli() -> None:
    """Fetch, compose and list the corpora that sentences come from."""


@cli.command("list")
@registry_option
@format_option
def list_corpora(registry: Path, form: str) -> None:
    """List every corpus of the registry: what it feeds, its size and licence, and who may have it."""
    from divlogic.corpora.registry import load_registry
    from divlogic.corpora.status import registry_rows, render

    columns = {
        "name": "corpus",
        "roles": "feeds",
        "source": "run",
        "rows": "rows",
        "bytes": "size",
        "licence": "licence",
        "access": "access",
        "title": "title",
    }
    click.echo(render(registry_rows(load_registry(registry)), columns, form), nl=False)  # type: ignore[arg-type]


@cli.command()
@registry_option
@click.option("--raw", type=FOLDER, default="data/raw", show_default=True, help="Folder of the corpora.")
@click.option("--checksums", is_flag=True, help="Compare every file's checksum too, not only its size.")
@format_option
def status(registry: Path, raw: Path, checksums: bool, form: str) -> None:
    """Show what is here: which corpora, whole or in part, where from."""
    from divlogic.corpora.registry import load_registry
    from divlogic.corpora.status import render, status_rows

    rows = status_rows(raw, checksums=checksums)
    columns = {
        "name": "corpus",
        "files": "files",
        "rows": "rows",
        "bytes": "size",
        "origin": "from",
        "folder": "folder",
        "state": "part",
    }
    click.echo(render(rows, columns, form), nl=False)  # type: ignore[arg-type]
    if form == "table":
        here = {row["name"] for row in rows}
        absent = [name for name in load_registry(registry) if name not in here]
        if absent:
            click.echo(f"\nnot here: {', '.join(absent)}\n`divlogic corpora fetch NAME` brings one here.")


@cli.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@registry_option
@params_option(CorporaRun)
@click.option("--mirror", type=FOLDER, help="Folder looked into first [default: `mirror` of the parameters].")
@click.option("--out", type=FOLDER, default="data/raw/full", show_default=True, help="Folder of the corpora.")
@click.option(
    "--whole", is_flag=True, help="Do not be content with what the mirror has in part: download it."
)
@downloads_option
def fetch(
    names: tuple[str, ...],
    registry: Path,
    params: CorporaRun,
    mirror: Path | None,
    out: Path,
    whole: bool,
    downloads: Path,
) -> None:
    """Bring corpora here, from the mirror or over the network [default: `corpora.full` of the parameters].

    A download that was interrupted goes on where it stopped. What can be had is brought; what cannot is
    named at the end, with the place to put it by hand.
    """
    from divlogic.corpora.fetch import fetch as fetch_corpus
    from divlogic.corpora.registry import load_registry, select

    wanted = list(names) or list(params.corpora.full)
    mirror = mirror or (Path(params.mirror) if params.mirror else None)
    failures = []
    for name, corpus in select(load_registry(registry), wanted).items():
        if corpus.embedded:
            failures.append(
                f"{name}: an embedded corpus, nothing to fetch; use `divlogic corpora place {name}`."
            )
            continue
        try:
            fetch_corpus(name, corpus, out / name, mirror=mirror, downloads=downloads, whole=whole)
        except DivLogicError as error:
            failures.append(str(error))
    if failures:
        raise DivLogicError(" ".join(failures))


@cli.command()
@click.argument("name")
@registry_option
@params_option(CorporaRun)
@click.option(
    "--embedded",
    type=FOLDER,
    default="data/embedded",
    show_default=True,
    help="Folder of the embedded corpora.",
)
@click.option("--out", type=FOLDER, required=True, help="The corpus folder to fill.")
@downloads_option
def place(name: str, registry: Path, params: CorporaRun, embedded: Path, out: Path, downloads: Path) -> None:
    """Fill one corpus folder: an embedded corpus is copied or composed, any other one fetched."""
    from divlogic.corpora.embedded import place_embedded
    from divlogic.corpora.fetch import fetch as fetch_corpus
    from divlogic.corpora.manifest import place_nothing
    from divlogic.corpora.registry import load_registry, select
    from divlogic.io.log import say

    corpus = select(load_registry(registry), [name])[name]
    if corpus.embedded:
        place_embedded(name, corpus, embedded, params, out)
        return
    mirror = Path(params.mirror) if params.mirror else None
    try:
        fetch_corpus(name, corpus, out, mirror=mirror, downloads=downloads)
    except DivLogicError as error:
        # Sentences cannot be made without their corpus, but a comparison can do without one benchmark.
        optional = set(corpus.roles) <= {"comparator", "recorded"}
        if not optional or params.corpora.missing_comparators == "stop":
            raise
        say(f"{error} Going on without it (corpora.missing_comparators: skip).")
        # The folder is made now, so that neither Snakemake nor DVC would look for the file again.
        say(
            f"Once you have it: `divlogic corpora fetch {name} --out {out.parent}`, then run the workflow again."
        )
        place_nothing(name, corpus, out)


@cli.command()
@click.argument("folders", nargs=-1, required=True, type=FOLDER, metavar="FOLDER...")
@click.option(
    "--role", type=click.Choice(["nli", "generics", "wikipedia"]), required=True, help="What to read."
)
@click.option("--out", type=FOLDER, required=True, help="The jsonl file to write (.gz: compressed).")
@click.option("--skip-malformed", is_flag=True, help="Count and name malformed rows instead of stopping.")
def normalise(folders: tuple[Path, ...], role: str, out: Path, skip_malformed: bool) -> None:
    """Write the rows of corpus folders in one form; the order of the folders is that of the rows."""
    from divlogic.corpora.normalise import normalise as normalise_corpora

    normalise_corpora(role, list(folders), out, skip_malformed=skip_malformed)  # type: ignore[arg-type]


@cli.command()
@params_option(CorporaRun)
@click.option(
    "--in",
    "source",
    type=FOLDER,
    required=True,
    help="The embedded captions (to train) or nltk_data (to copy).",
)
@click.option("--out", type=FOLDER, required=True, help="Folder of the tagger.")
@click.option("--report", type=FOLDER, required=True, help="JSON file: accuracy, or provenance.")
def tagger(params: CorporaRun, source: Path, out: Path, report: Path) -> None:
    """Make the part-of-speech tagger ready: train the embedded one, or copy NLTK's."""
    from divlogic.corpora.tagging.place import place_tagger

    place_tagger(source, params, out, report)


@cli.command()
@click.argument("folders", nargs=-1, required=True, type=FOLDER, metavar="FOLDER...")
@click.option("--out", type=FOLDER, required=True, help="The CSV file to write.")
def summarise(folders: tuple[Path, ...], out: Path) -> None:
    """Write the table of the corpora that a run used."""
    from divlogic.corpora.status import summarise as summarise_corpora

    summarise_corpora(list(folders), out)

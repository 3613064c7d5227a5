"""``divlogic benchmarks collect``: every benchmark that is here, in one form and one folder."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import FILE, FOLDER


@click.command("collect")
@click.option(
    "--in",
    "roots",
    type=FOLDER,
    multiple=True,
    help="Folder with one subfolder per corpus; repeatable.",
)
@click.option(
    "--generated", type=FILE, multiple=True, help="Records of this project's benchmarks; repeatable."
)
@click.option(
    "--imported",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Records of your own data sets (`divlogic benchmarks import`), or a folder of them; repeatable.",
)
@click.option("--out", type=FOLDER, required=True, help="Folder to write to.")
def collect_command(
    roots: tuple[Path, ...], generated: tuple[Path, ...], imported: tuple[Path, ...], out: Path
) -> None:
    """Read every benchmark that is here into records, and write an index of what was found."""
    from divlogic.benchmarks.collection.collect import collect
    from divlogic.io.log import say

    own = [file for path in imported for file in _record_files(path)]
    found = collect(list(roots), list(generated), own, out)
    here = [one for one in found if one.available]
    absent = ", ".join(one.title for one in found if not one.available)
    say(f"{len(here)} benchmarks collected" + (f"; not here: {absent}" if absent else ""))


def _record_files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.name.endswith((".jsonl", ".jsonl.gz")))

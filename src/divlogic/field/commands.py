"""``divlogic field measure`` and ``divlogic field show``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.config.command import ARGUMENT
from divlogic.errors import DivLogicError, nearest
from divlogic.field.drawing import Job, draw
from divlogic.io.files import write_csv
from divlogic.io.log import say

TABLE = Path("data/field/environments.csv")


def interpreter(package: str, given: Path | None = None) -> Path | None:
    """Return the Python that has a package: the one given, that of ``make env-field``, else none but our own."""
    own = Path(f".venv-{package}/bin/python")
    return given or (own.absolute() if own.is_file() else None)


def measure(
    only: Annotated[tuple[str, ...], ARGUMENT, "[PACKAGE/NAME]..."] = (),
    *,
    python: Annotated[
        tuple[str, ...],
        "PACKAGE=PATH of the Python that has a package; repeatable.  [default: .venv-PACKAGE/bin/python]",
    ] = (),
    environments: Annotated[
        Path | None, "List of environments (YAML).  [default: the one that the package has]"
    ] = None,
    items: Annotated[int, "Items of each environment."] = 400,
    seed: Annotated[int, "Seed of the draw; the next one is compared with it."] = 1,
    cpu: Annotated[int, "CPU seconds that each draw may take."] = 60,
    out: Annotated[Path, "Table to write (csv)."] = TABLE,
) -> None:
    """Measure environments of other packages, and ours: what no reasoning earns, labels, seeds; write a table.

    Each draws its items in its own Python, without a network, within a budget of CPU seconds and memory. One that fails
    has a row with the reason. Where some are named, the table keeps the rows of the others.
    """
    from divlogic.field.table import COLUMNS, ENVIRONMENTS, listed, read_rows, row_of, title_of

    pythons = _pythons(python)
    known = listed(environments or ENVIRONMENTS)
    titles = [one.title for one in known]
    for title in only:
        if title not in titles:
            raise DivLogicError(f"there is no environment '{title}'; {nearest(title, titles)}")
    date = datetime.now(tz=UTC).date().isoformat()
    chosen = [one for one in known if not only or one.title in only]
    rows = [
        row for row in read_rows(out) if only and title_of(row["package"], row["name"]) not in only
    ]
    order = {title: at for at, title in enumerate(titles)}
    for environment in chosen:
        found = interpreter(environment.package, pythons.get(environment.package))
        for level in environment.levels:
            job = Job(
                package=environment.package,
                name=environment.name,
                level=level,
                seed=seed,
                size=items,
                cpu=cpu,
                path=(str(Path.cwd()),),
            )
            row = row_of(environment, job, found, date)
            say(sentence(row))
            rows.append(row)
            # After each, so that what is interrupted has what it measured.
            rows.sort(
                key=lambda row: (
                    order.get(title_of(row["package"], row["name"]), len(order)),
                    int(row["level"]),
                )
            )
            write_csv(out, COLUMNS, ([row[name] for name in COLUMNS] for row in rows))
    click.echo(f"{len(rows)} rows in {out}")


def _pythons(given: Sequence[str]) -> dict[str, Path]:
    found = {}
    for one in given:
        package, equals, path = one.partition("=")
        if not equals:
            raise DivLogicError(
                f"--python {one}: write PACKAGE=PATH, such as reasoning-gym=/opt/gym/bin/python."
            )
        found[package] = Path(path)
    return found


def sentence(row: dict[str, Any]) -> str:
    """Return a row in words."""
    from divlogic.field.table import title_of

    said = f"{title_of(row['package'], row['name'])} level {row['level']}: {row['items']} items"
    if row["constant_right"] != "":
        said += f", constant {row['constant_right']} %"
    if row["best"] != "":
        said += f", best probe {row['best']} {row['best_right']} %"
    if row["checked"] != "":
        said += f", {row['wrong']} of {row['checked']} labels wrong"
    return said + (f"; {row['fault']}" if row["fault"] else "")


def show(
    package: Annotated[str, ARGUMENT, "PACKAGE"],
    name: Annotated[str, ARGUMENT, "[NAME]"] = "",
    *,
    index: Annotated[int, "Index of the item."] = 0,
    seed: Annotated[int, "Seed of the draw."] = 1,
    level: Annotated[int, "Level of difficulty; 0 is the default."] = 0,
    python: Annotated[
        Path | None, "Python that has the package.  [default: .venv-PACKAGE/bin/python]"
    ] = None,
) -> None:
    """Print one item of an environment, its label, and what a check of the label says.

    PACKAGE is divlogic, reasoning-gym, reasoning-core, or a callable as module:function, which needs no NAME.
    """
    from divlogic.field.labels import decide

    job = Job(
        package=package,
        name=name,
        level=level,
        seed=seed,
        size=1,
        first=index,
        path=(str(Path.cwd()),),
    )
    drawn = draw(job, interpreter(package, python))
    if not drawn.items:
        raise DivLogicError(f"{package} {name}: it {drawn.fault}.")
    (item,) = drawn.items
    verdict = decide(item, job)
    click.echo(item.text)
    for option in item.options or ():
        click.echo(f"- {option}")
    click.echo(f"\nlabel: {item.answer}")
    if verdict is None:
        click.echo("check: no check reads this text")
        return
    for reading, right in verdict.answers.items():
        click.echo(f"right ({reading}): {right}")
    click.echo(f"why: {verdict.why}")
    click.echo(
        "the label is wrong" if verdict.wrong(item.answer) else "the label is right in a reading"
    )

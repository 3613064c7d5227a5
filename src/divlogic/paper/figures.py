"""The report's figures: those that the phases drew, as svg, png and pdf in one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, copy_file
from divlogic.paper.catalogue import FIGURES, Figure


def gather_figures(
    sources: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    out: Annotated[Path, FOLDER, "Where svg, png and pdf go."],
) -> list[Path]:
    """Gather the figures whose svg are SOURCES, and make a pdf of each.

    Raises:
        DivLogicError: a source is no svg, has no caption or no png, or cannot be read as a drawing.
    """
    paths: list[Path] = []
    known = {figure.name for figure in FIGURES}
    for source in sources:
        if source.suffix != ".svg":
            raise DivLogicError(f"{source}: expected the svg of a figure, whose png lies in the same folder.")
        if source.stem not in known:
            raise DivLogicError(
                f"{source}: this figure has no caption; write one in src/divlogic/paper/tables.yaml."
            )
        for suffix in (".svg", ".png"):
            copy_file(source.with_suffix(suffix), out / f"{source.stem}{suffix}")
            paths.append(out / f"{source.stem}{suffix}")
        paths.append(out / f"{source.stem}.pdf")
        svg_to_pdf(source, paths[-1])
    return paths


def svg_to_pdf(source: Path, out: Path) -> None:
    """Write a drawing as a one-page pdf of its own size; the same svg gives the same bytes.

    Raises:
        DivLogicError: the svg cannot be read as a drawing.
    """
    import tempfile

    import typst

    page = (
        '#set document(date: none)\n#set page(width: auto, height: auto, margin: 0pt)\n#image("figure.svg")\n'
    )
    with tempfile.TemporaryDirectory() as folder:
        copy_file(source, Path(folder) / "figure.svg")
        (Path(folder) / "figure.typ").write_text(page, encoding="utf-8")
        try:
            pdf = typst.compile(
                Path(folder) / "figure.typ", root=Path(folder), ignore_system_fonts=True, timestamp=0
            )
        except typst.TypstError as error:
            raise DivLogicError(
                f"{source}: Typst cannot read this drawing ({error}); draw it again."
            ) from error
    with atomic_path(out) as temporary:
        temporary.write_bytes(pdf)


def list_figures(folder: Path) -> list[Figure]:
    """Return the figures of a folder in the report's order, without those that have no caption (an older run's)."""
    return [figure for figure in FIGURES if (Path(folder) / f"{figure.name}.svg").is_file()]

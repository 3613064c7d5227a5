"""What in the docs is made: the parameters, the picture, and the pages with measured numbers.

``python -m tools.docs`` writes them again; a test says when that is due.
"""

from __future__ import annotations

from pathlib import Path

PICTURE = Path("docs/img/pipeline.svg")
RUNS = Path("docs/measured.csv")
"""What the runs measured of which README and docs speak; ``python -m tools.docs record`` writes it."""

TEMPLATES = {
    "README.md": "readme.md",
    "docs/reproduction.md": "reproduction.md",
    "docs/reports/papers.md": "papers.md",
}
"""Page → its template in this package."""


def pages(root: Path) -> dict[Path, str]:
    """Return path below the repository's root → text, of everything that is made.

    Raises:
        DivLogicError: a page speaks of a number that no recorded run has measured.
    """
    from tools.docs.field import field_page
    from tools.docs.gallery import gallery
    from tools.docs.measured import fill, read_runs
    from tools.docs.picture import picture
    from tools.docs.reference import parameters_page

    runs = read_runs(root / RUNS)
    folder = Path(__file__).with_name("templates")
    return {
        Path("docs/parameters.md"): parameters_page(),
        PICTURE: picture(),
        Path("GALLERY.md"): gallery(root),
        Path("docs/field.md"): field_page(root),
        **{Path(page): fill(folder / template, runs) for page, template in TEMPLATES.items()},
    }


def write_pages(root: Path, out: Path) -> list[Path]:
    """Write everything that is made from ``root`` below ``out``; return the paths."""
    from divlogic.io.files import write_text

    made = pages(root)
    for path, text in made.items():
        write_text(out / path, text)
    return [out / path for path in made]

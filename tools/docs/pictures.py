"""``python -m tools.docs.pictures``: pictures of the report, the item browser and the terminal, from a finished run.

Needs Chromium (Debian's package ``chromium``).
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

from PIL import Image
from rich.console import Console
from rich.text import Text

PAGES = {"report": "index.html", "items": "items.html"}
FOLDER = Path("docs/img")


def photograph(page: Path, picture: Path, width: int = 1280, height: int = 860) -> None:
    """Write what a browser of that size shows of a page (png)."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        raise SystemExit(
            "no chromium: install it (apt-get install chromium) to draw the pictures of the README."
        )
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--virtual-time-budget=5000",
    ]
    size, out = f"--window-size={width},{height}", f"--screenshot={picture.resolve()}"
    subprocess.run(
        [browser, *options, size, out, page.resolve().as_uri()], check=True, capture_output=True
    )
    with Image.open(picture) as drawn:
        drawn.convert("RGB").quantize(64).save(picture, optimize=True)


def draw_terminal(command: list[str], picture: Path) -> None:
    """Write a command and what it prints as a terminal (svg), without fonts from the network."""
    said = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ).stdout
    console = Console(record=True, width=110, file=io.StringIO())
    console.print(Text(f"$ {' '.join(command)}", style="bold"))
    console.print(Text.from_ansi(said))
    drawn = console.export_svg(title="DivLogic", unique_id="terminal")
    picture.write_text(re.sub(r"@font-face {.*?}\s*", "", drawn, flags=re.DOTALL), encoding="utf-8")


def main() -> None:
    """Draw the pictures."""
    for name, page in PAGES.items():
        photograph(Path("results/paper") / page, FOLDER / f"{name}.png")
    draw_terminal(
        ["divlogic", "evaluate", "baseline/uniform", "--limit", "200", "--yes"],
        FOLDER / "terminal.svg",
    )


if __name__ == "__main__":
    main()

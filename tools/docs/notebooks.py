"""A hook of mkdocs: put the notebooks that a run executed into the site, and say how where there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXECUTED = ROOT / "results/paper/notebooks"
MISSING = """<!doctype html>
<meta charset="utf-8"><title>{name}</title>
<p>This site was built without the results of a run. <code>make all</code> executes the notebook {name}; then
<code>make docs</code> builds the site again.</p>
"""


def on_post_build(config: Any, **_: Any) -> None:
    """Copy each notebook's executed page to ``notebooks/`` of the site."""
    folder = Path(config["site_dir"]) / "notebooks"
    folder.mkdir(exist_ok=True)
    for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
        made = EXECUTED / f"{notebook.stem}.html"
        text = (
            made.read_text(encoding="utf-8")
            if made.is_file()
            else MISSING.format(name=notebook.stem)
        )
        (folder / f"{notebook.stem}.html").write_text(text, encoding="utf-8")

"""Run the notebooks on the results of a workflow run and write each as one self-contained page.

The page is the same bytes for the same results: no execution times, no random cell ids, figures without dates.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import write_text
from divlogic.io.imports import lean
from divlogic.io.templates import render

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from nbformat import NotebookNode

CELL_SECONDS = 300
"""Time that one cell may take."""


def execute_notebooks(
    notebooks: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    out: Annotated[Path, FOLDER, "Folder of the pages (html), which are named as the notebooks."],
    workdir: Annotated[
        Path, FOLDER, "Folder that the cells run in; it holds results/ and data/."
    ] = Path(),
) -> None:
    """Run NOTEBOOKS on the results of this run and write each as one page.

    They share one kernel, whose start and imports take longer than the cells; its names are deleted between them.
    """
    if not Path(workdir).is_dir():
        raise DivLogicError(
            f"{workdir}: there is no such folder; name the one that holds results/ and data/."
        )
    read = [(path, _read(path)) for path in notebooks]
    from nbconvert import (
        HTMLExporter,
    )  # after nbformat, which `_read` imports without what it can do without

    exporter = HTMLExporter(template_name="basic")  # reads its templates once
    exporter.exclude_input_prompt = exporter.exclude_output_prompt = True
    exporter.exclude_anchor_links = True
    with _kernel(workdir) as run:
        for path, notebook in read:
            write_text(out / f"{path.stem}.html", _page(run(notebook, path), path, exporter))


def show_figure(figure: Figure, alt: str) -> None:
    """Show a figure in a notebook as SVG with a description, the same bytes every time, and close it."""
    import base64
    import io
    from html import escape

    import matplotlib
    from IPython.display import display
    from matplotlib import pyplot

    from divlogic.io.figures import typeset_powers

    typeset_powers(figure)
    stream = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "divlogic", "svg.fonttype": "path"}):
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    # As HTML, since nbconvert drops the description of a bare SVG.
    picture = base64.b64encode(stream.getvalue()).decode("ascii")
    html = f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{picture}">'
    display({"text/html": html, "text/plain": alt}, raw=True)


def _read(path: Path) -> NotebookNode:
    with lean("nbformat"):
        import nbformat

    if not path.is_file():
        raise DivLogicError(
            f"{path}: there is no such notebook; the project's own are in notebooks/."
        )
    try:
        notebook: NotebookNode = nbformat.read(path, as_version=4)
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, UnicodeDecodeError) as error:
        raise DivLogicError(f"{path}: not a notebook ({str(error).splitlines()[0]}).") from error
    return notebook


@contextmanager
def _kernel(workdir: Path) -> Iterator[Callable[[NotebookNode, Path], NotebookNode]]:
    """Yield a function that executes a notebook in one kernel, whose history goes to a temporary folder."""
    import nbformat.v4
    from jupyter_core.utils import run_sync
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from traitlets.config import Config

    with tempfile.TemporaryDirectory(prefix="divlogic-notebook-") as scratch:
        config = Config()
        config.KernelManager.transport = "ipc"  # sockets in the scratch folder: no open port
        config.KernelManager.connection_file = str(Path(scratch, "kernel.json"))
        settings: dict[str, Any] = {
            "timeout": CELL_SECONDS,
            "kernel_name": "python3",
            "record_timing": False,
            "coalesce_streams": True,  # the kernel sends what was printed at moments of its own choosing
            "resources": {"metadata": {"path": str(workdir)}},
            "config": config,
        }
        emptied = _FRESH.format(folder=str(workdir.resolve()))
        fresh = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(emptied)])
        first = NotebookClient(fresh, **settings)
        manager = first.create_kernel_manager()
        quiet = {"IPYTHONDIR": scratch, "MPLBACKEND": "agg", "PYTHONHASHSEED": "0"}

        def run(notebook: NotebookNode, path: Path) -> NotebookNode:
            try:
                NotebookClient(fresh, km=manager, **settings).execute()
                NotebookClient(notebook, km=manager, **settings).execute()
            except CellExecutionError as error:
                kinds = [
                    {each.output_type for each in cell.get("outputs", ())}
                    for cell in notebook.cells
                ]
                number = 1 + ["error" in shown for shown in kinds].index(True)
                raise DivLogicError(
                    f"{path}, cell {number}: {error.ename}: {error.evalue}; run the workflow first"
                    " (snakemake --cores all all), then the notebook again."
                ) from error
            except (CellTimeoutError, DeadKernelError) as error:
                raise DivLogicError(
                    f"{path}: the kernel stopped ({str(error).splitlines()[0]})."
                ) from error
            return notebook

        first.start_new_kernel(env={**os.environ, **quiet}, cwd=str(workdir))
        try:
            yield run
        finally:
            run_sync(cast(Any, manager.shutdown_kernel))(now=True)


def _page(notebook: NotebookNode, path: Path, exporter: Any) -> str:
    """Render an executed notebook: nbconvert's body in a page of our own, which needs no script and no network."""
    from pygments.formatters import HtmlFormatter

    # What differs from run to run: cell ids, and stderr, which may stand between two pieces of what was printed.
    for place, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{place}"
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    body, _ = exporter.from_notebook_node(notebook)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    titles = re.findall("^# (.*)", text, re.MULTILINE)
    values = {
        "title": titles[0].strip() if titles else path.stem,
        "body": body.strip(),
        "light": HtmlFormatter(style="friendly").get_style_defs(".highlight"),
        "dark": HtmlFormatter(style="github-dark").get_style_defs(".highlight"),
        "style": Path(__file__).with_name("notebook.css").read_text(encoding="utf-8"),
    }
    return render(Path(__file__).with_name("notebook.html.j2"), values)


_FRESH = """\
%reset -f
import matplotlib.pyplot
matplotlib.pyplot.close("all")
matplotlib.rcdefaults()
import os
os.chdir({folder!r})
%reset -f
"""
"""Takes the names, the settings and the folder of the notebook before."""

"""Pages made from notebooks: the same bytes whenever the kernel sends what was printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.paper.notebooks import execute_notebooks
from tests.support import write_notebook


def test_when_the_kernel_flushes_does_not_change_the_page(tmp_path: Path) -> None:
    pause = "sys.stdout.flush(); time.sleep({}); print('careful', file=sys.stderr, flush=True)"
    pages = []
    for seconds in (0.0, 0.5):
        cell = f"import sys, time\nprint('one')\n{pause.format(seconds)}\nprint('two')"
        book = write_notebook(tmp_path / "book.ipynb", cell)
        execute_notebooks((book,), out=tmp_path, workdir=tmp_path)
        # the sources differ by the pause alone
        pages.append((tmp_path / "book.html").read_text().replace("0.5", "0.0"))
    assert "one\ntwo\n" in pages[0]
    assert "careful</pre>" not in pages[0]
    assert pages[0] == pages[1]


def test_each_notebook_starts_in_the_folder_named(tmp_path: Path) -> None:
    (tmp_path / "notebooks").mkdir()
    book = write_notebook(
        tmp_path / "notebooks" / "book.ipynb", "import os\nos.chdir('..')\nos.getcwd()"
    )
    execute_notebooks((book, book), out=tmp_path, workdir=tmp_path / "notebooks")
    assert f"<pre>'{tmp_path}'</pre>" in (tmp_path / "book.html").read_text()


def test_a_notebook_in_another_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "book.ipynb").write_bytes(b'{"cells": ["caf\xe9"]}')
    with pytest.raises(DivLogicError, match=r"book\.ipynb: not a notebook"):
        execute_notebooks((tmp_path / "book.ipynb",), out=tmp_path, workdir=tmp_path)


def test_a_cell_that_fails_is_named(tmp_path: Path) -> None:
    book = write_notebook(tmp_path / "book.ipynb", "1 + 1", "open('results/nothing.csv')")
    with pytest.raises(DivLogicError, match=r"cell 2: FileNotFoundError.*run the workflow first"):
        execute_notebooks((book,), out=tmp_path, workdir=tmp_path)
    assert not (tmp_path / "book.html").exists()

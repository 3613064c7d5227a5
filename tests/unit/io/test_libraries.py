"""Libraries are imported without what only other users of them need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from divlogic.io.imports import lean

CODE = """
import sys
from divlogic.io.imports import lean
with lean(sys.argv[1]):
    __import__(sys.argv[2])
loaded = [name for name in sys.argv[3:] if name in sys.modules]
for name in sys.argv[3:]:
    __import__(name)
print(loaded)
"""


@pytest.mark.parametrize(
    ("library", "module", "spared"),
    [
        ("nltk", "nltk.tokenize.destructive", ["scipy", "sklearn"]),
        ("sklearn", "sklearn.ensemble", ["pandas"]),
        ("seaborn", "seaborn", ["scipy"]),
        ("nbformat", "nbformat", ["rfc3987_syntax", "isoduration"]),
    ],
)
def test_what_is_spared_is_not_loaded_and_can_be_imported_afterwards(
    library: str, module: str, spared: list[str]
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", CODE, library, module, *spared],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (0, "[]\n"), run.stderr


def test_what_is_loaded_already_stays() -> None:
    import scipy

    with lean("seaborn"):
        assert sys.modules["scipy"] is scipy
    assert sys.modules["scipy"] is scipy

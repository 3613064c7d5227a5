"""No reader of foreign bytes costs more than its budget: each bomb is read in a process of its own."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from divlogic.io.foreign import Nesting, shown
from tests.contract import bombs
from tests.contract.graph import ROOT

MEMORY, SECONDS = 1 << 30, 20
"""What reading a bomb may take: bytes that are resident at once, and seconds of processor time."""

NAMES = [*bombs.FILES, *(f"reply {name}" for name in bombs.REPLIES)]


def test_there_are_sixty_of_them() -> None:
    assert len(NAMES) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_bomb_is_told_in_a_sentence(name: str, tmp_path: Path) -> None:
    kind, path, expected = bombs.make(name, tmp_path)
    assert path.stat().st_size < 100 << 20
    said = path.with_suffix(".said")
    with said.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.contract.bombs", kind, str(path)],
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1)),
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    text = said.read_text(encoding="utf-8", errors="replace")
    assert process.returncode == 0, text[-2000:]
    assert "Traceback" not in text
    assert re.search(expected, text), text[:500]
    # The policy of replies looks at 4,000 characters of a server's words (LONGEST_WORDS); what is printed is shorter.
    assert len(text) < 4500
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    # The unit is that of Linux, KiB.
    assert used.ru_maxrss << 10 < MEMORY, f"{used.ru_maxrss >> 10:,} MiB"
    assert used.ru_utime + used.ru_stime < SECONDS


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a\x1b[2J\x07b", r"a\x1b[2J\x07b"),
        ("\u202eabc\u2066", r"\u202eabc\u2066"),
        ("\x9b1m\x7f\r", r"\x9b1m\x7f\r"),
        ("half \ud83d", r"half \ud83d"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("Grüße, 世界 ∀x 🙂", "Grüße, 世界 ∀x 🙂"),
    ],
)
def test_foreign_text_is_shown_without_what_moves_the_cursor(text: str, wanted: str) -> None:
    assert shown(text) == wanted


def test_levels_are_those_outside_strings_wherever_a_block_ends() -> None:
    text = b'{"a\\"[[[\\\\": [[1, "]]]\\\\\\"{{{"], {"b": "[" }]}'
    # By hand: { [ [ ] { } ] }, three levels at most, and 8 brackets and 2 commas.
    for size in (1, 2, 3, 7, len(text)):
        nesting = Nesting("x", -1)
        deepest = 0
        for start in range(0, len(text), size):
            nesting.look(text[start : start + size])
            deepest = max(deepest, nesting._depth)
        assert nesting._depth == 0 and nesting._inside == 0
        assert nesting._marks == 10
        assert deepest == 3 or size > 1

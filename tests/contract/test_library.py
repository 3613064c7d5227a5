"""The library outside a checkout: what the README shows, and a wheel in an empty environment."""

from __future__ import annotations

import doctest
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.contract.graph import ROOT
from tests.support import run_program

FIRST = """
import time, sys
start = time.perf_counter()
import divlogic
assert time.perf_counter() - start < 0.5
start = time.process_time()
sum(number * number for number in range(5_000_000))  # 0.4 s of a fast machine, 0.9 of a slow one
beat, start = time.process_time() - start, time.process_time()
divlogic.create(sys.argv[1], size=1)[0]
assert time.process_time() - start < float(sys.argv[2]) * beat, (time.process_time() - start, beat)
"""
SIZES = """
from importlib.metadata import distributions
found = [one for one in distributions() if one.name not in ("pip", "setuptools")]
print(sum(file.size or 0 for one in found for file in one.files or ()))
"""


def test_the_lines_of_the_readme_give_what_it_shows() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("```", "\n")
    shown = doctest.DocTestParser().get_doctest(text, {}, "README.md", None, None)
    assert doctest.DocTestRunner().run(shown) == (0, 5)


@pytest.mark.slow
@pytest.mark.late
def test_the_wheel_draws_in_an_empty_environment(tmp_path: Path) -> None:
    def run(*command: object) -> str:
        return run_program(command, tmp_path)

    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path,
        ROOT,
    )
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size <= 2_500_000
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    run(python, "-m", "pip", "install", wheel)
    assert int(run(python, "-c", SIZES)) <= 180_000_000
    for name, beats in (
        ("logicnli", 2.5),
        ("divlogiceval", 2.5),
        ("llmeval_logic", 2.5),
        ("justlogic", 10),
    ):
        run(python, "-c", FIRST, name, beats)
    run(tmp_path / "venv/bin/divlogic", "create", "logicnli", "--size", "4", "--out", "out")
    command = f"{tmp_path}/venv/bin/divlogic create logicnli --format parquet --out other"
    said = subprocess.run(
        command.split(), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert said.returncode == 1 and "pip install 'divlogic[workflow]'" in said.stderr

"""README to the letter: the wheel alone in an empty environment, its commands typed in an empty folder."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
QUIZ = "question,A,B,C,answer\nWhich bird swims?,a penguin,a wren,a lark,A\nWhat melts first?,slate,wax,tin,B\n"
# Commands of README that need the generators alone.
ALONE = ("create", "generate", "seal", "--help")

pytestmark = pytest.mark.slow


def typed(*arguments: str | Path, folder: Path, seconds: float = 300) -> tuple[int, str]:
    """Run a command in a folder as typed there, and return its exit status and all that it says."""
    result = subprocess.run(
        [str(one) for one in arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    return result.returncode, result.stdout


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs of an environment that holds the wheel and its dependencies alone."""
    folder = tmp_path_factory.mktemp("wheel")
    status, said = typed(
        sys.executable, "-m", "pip", "wheel", ROOT, "--no-deps", "-w", ".", folder=folder
    )
    assert status == 0, said
    [wheel] = folder.glob("divlogic-*.whl")
    status, said = typed(sys.executable, "-m", "venv", "new", folder=folder)
    assert status == 0, said
    status, said = typed(folder / "new/bin/pip", "install", wheel.name, folder=folder)
    assert status == 0, said
    return folder / "new" / "bin"


def commands() -> list[str]:
    """Return what README says to type after `divlogic`, on lines with a prompt and within the text."""
    lines = re.findall(r"^\$ divlogic ([^#\n]*)", README, re.M)
    inline = re.findall(r"`divlogic ([^`]*)`", README)
    # Within the text, words alone are the name of a command: nobody types them so.
    inline = [one for one in inline if not re.fullmatch(r"[a-z -]+", one) or " --" in one]
    return sorted({one.strip() for one in lines + inline})


def test_the_install_line_brings_as_many_packages_as_it_says(programs: Path) -> None:
    assert "The generators alone need eight packages" in README
    script = (
        "import importlib.metadata as m\n"
        "print(*[one for one in m.requires('divlogic') if 'extra' not in one], sep='\\n')"
    )
    status, said = typed(programs / "python", "-c", script, folder=programs)
    assert status == 0, said
    assert len(said.strip().splitlines()) == 8, said


def test_the_python_block_gives_what_it_shows(programs: Path, tmp_path: Path) -> None:
    [block] = re.findall(r"```pycon\n(.*?)```", README, re.S)
    (tmp_path / "block.txt").write_text(block, encoding="utf-8")
    status, said = typed(programs / "python", "-m", "doctest", "block.txt", folder=tmp_path)
    assert (status, said) == (0, "")


def test_readme_names_commands_of_the_generators() -> None:
    assert [one for one in commands() if one.split()[0] in ALONE]


@pytest.mark.parametrize("command", [one for one in commands() if one.split()[0] == "create"])
def test_a_line_that_draws_works_in_an_empty_folder(
    command: str, programs: Path, tmp_path: Path
) -> None:
    given = shlex.split(command.replace("--size 5000", "--size 40"))
    status, said = typed(programs / "divlogic", *given, folder=tmp_path)
    assert status == 0, said
    out = tmp_path / given[given.index("--out") + 1]
    names = sorted(path.name for path in out.iterdir())
    assert names == ["README.md", "items.jsonl", "records.jsonl", "z3.json"]


def test_a_seal_goes_its_whole_way(programs: Path, tmp_path: Path) -> None:
    steps = (
        "seal new logicnli --size 4 --level 2 --beacon-source drand-quicknet --round 100000000"
        " --register https://example.org/seals --out mine",
        f"seal draw mine --beacon {'00112233445566778899aabbccddeeff' * 2}",
        "seal open mine",
        "seal verify mine",
    )
    for step in steps:
        status, said = typed(programs / "divlogic", *step.split(), folder=tmp_path)
        assert status == 0, said
    assert "mine: verified" in said


@pytest.mark.parametrize("command", ["", "create ", "seal ", "seal new ", "audit ", "evaluate "])
def test_help_is_there_in_a_second(command: str, programs: Path, tmp_path: Path) -> None:
    status, said = typed(
        programs / "divlogic", *command.split(), "--help", folder=tmp_path, seconds=30
    )
    assert status == 0, said
    assert said.startswith(f"Usage: divlogic {command}".rstrip())


@pytest.mark.parametrize("command", [one for one in commands() if one.split()[0] not in ALONE])
def test_each_other_line_works_or_says_in_a_sentence_what_it_needs(
    command: str, programs: Path, tmp_path: Path
) -> None:
    (tmp_path / "my_quiz.csv").write_text(QUIZ, encoding="utf-8")
    status, said = typed(programs / "divlogic", *shlex.split(command), folder=tmp_path)
    assert "Traceback" not in said
    if status == 0:
        return
    assert said.strip().splitlines()[-1].startswith("divlogic: "), said
    # A command that fails leaves nothing half done behind.
    assert [path.name for path in tmp_path.iterdir()] == ["my_quiz.csv"], said


def test_an_audit_that_lacks_a_package_leaves_nothing_behind(
    programs: Path, tmp_path: Path
) -> None:
    # README's own line, from the generators' install, with the checkout whose word counts are asked for.
    (tmp_path / "my_quiz.csv").write_text(QUIZ, encoding="utf-8")
    audit = [programs / "divlogic", "audit", "my_quiz.csv", "--root", ROOT]
    status, said = typed(*audit, folder=tmp_path)
    assert status == 1
    assert "this command needs the package" in said
    assert [path.name for path in tmp_path.iterdir()] == ["my_quiz.csv"]

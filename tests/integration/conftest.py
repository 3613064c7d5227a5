"""The workspaces of the tests that run the real workflow, each made once per session."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.integration.shared import kept, made_once
from tests.integration.workspace import TINY, copy_tree, run, set_params


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where the answers of a test's runs are kept."""
    return tmp_path / "store.sqlite"


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with tiny parameters, in which nothing has run."""

    def make(folder: Path) -> None:
        folder.mkdir()
        set_params(copy_tree(folder), TINY)

    return made_once(tmp_path_factory, "pristine", make)


@pytest.fixture
def fresh(pristine: Path, tmp_path: Path) -> Path:
    """A copy of the pristine tree for one test."""
    return shutil.copytree(pristine, tmp_path / "fresh")


@pytest.fixture
def clone(recorded: Path, tmp_path: Path) -> Path:
    """A clone of the recorded repository, which has this interpreter's programs as its own environment."""
    run(tmp_path, "git", "clone", "--quiet", str(recorded), "clone")
    environment = tmp_path / "clone" / ".venv"
    environment.mkdir()
    (environment / "bin").symlink_to(Path(sys.executable).parent)
    (environment / ".ready").touch()
    return tmp_path / "clone"


@pytest.fixture(scope="session")
def workspace(
    pristine: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Path:
    """A workspace in which `snakemake all` has run on two cores; several processes read it, none changes it."""

    def make(folder: Path) -> None:
        shutil.copytree(pristine, folder)
        run(folder, "snakemake", "--cores", "2", "all")

    cache = getattr(request.config, "cache", None)
    return made_once(tmp_path_factory, "workspace", kept(cache, "workspace", pristine, make))


@pytest.fixture(scope="session")
def recorded(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository in which the finished run is recorded (`make record`), and pushed to a remote in a folder."""
    folder = shutil.copytree(workspace, tmp_path_factory.mktemp("recorded") / "repository")
    (folder / "dvc.lock").unlink(missing_ok=True)
    run(folder, "git", "init", "--quiet", "--initial-branch", "main")
    run(folder, "python", "-m", "tools.private_cache")
    run(
        folder,
        "dvc",
        "remote",
        "add",
        "--default",
        "folder",
        str(tmp_path_factory.mktemp("remote")),
    )
    run(folder, "dvc", "commit", "--force")
    run(folder, "git", "add", "--all")
    run(folder, "git", "commit", "--quiet", "--message", "record")
    run(folder, "dvc", "push")
    return folder

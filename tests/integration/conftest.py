"""The workspaces of the tests that run the real workflow, each made once per session."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.workspace import TINY, copy_tree, run, set_params


@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    """A copy of the tree with tiny parameters, in which nothing has run."""
    folder = copy_tree(tmp_path_factory.mktemp("pristine"))
    set_params(folder, TINY)
    return folder


@pytest.fixture
def fresh(pristine, tmp_path):
    """A copy of the pristine tree for one test."""
    return shutil.copytree(pristine, tmp_path / "fresh")


@pytest.fixture(scope="session")
def workspace(pristine, tmp_path_factory):
    """A workspace in which `snakemake all` has run on two cores; tests do not change it."""
    folder = shutil.copytree(pristine, tmp_path_factory.mktemp("workspace") / "done")
    run(folder, "snakemake", "--cores", "2", "all")
    return folder


@pytest.fixture(scope="session")
def recorded(tmp_path_factory) -> Path:
    """A git repository whose pipeline was run by DVC and pushed to a remote in a folder, its default."""
    folder = copy_tree(tmp_path_factory.mktemp("recorded"))
    set_params(folder, TINY)
    (folder / "dvc.lock").unlink(missing_ok=True)
    run(folder, "git", "init", "--quiet", "--initial-branch", "main")
    run(folder, "dvc", "remote", "add", "--default", "folder", str(tmp_path_factory.mktemp("remote")))
    run(folder, "dvc", "repro")
    run(folder, "git", "add", "--all")
    run(folder, "git", "commit", "--quiet", "--message", "record")
    run(folder, "dvc", "push")
    return folder

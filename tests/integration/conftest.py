"""The workspaces of the tests that run the real workflow."""

from __future__ import annotations

import shutil

import pytest

from tests.integration.workspace import SMALL, copy_tree, run, set_params


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """A copy of the tree with small parameters, in which nothing has run."""
    folder = copy_tree(tmp_path_factory.mktemp("pristine"))
    set_params(folder, SMALL)
    return folder


@pytest.fixture
def fresh(pristine, tmp_path):
    """A copy of the pristine tree for one test."""
    return shutil.copytree(pristine, tmp_path / "fresh")


@pytest.fixture(scope="module")
def workspace(pristine, tmp_path_factory):
    """A workspace in which `snakemake all` has run on two cores."""
    folder = shutil.copytree(pristine, tmp_path_factory.mktemp("workspace") / "done")
    run(folder, "snakemake", "--cores", "2", "all")
    return folder

"""What a visitor of the repository looks for first: continuous integration, the address, hooks, a container."""

from __future__ import annotations

import re
import tomllib

import yaml

from tests.contract.graph import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def targets() -> set[str]:
    """Return the targets of the Makefile."""
    return set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, flags=re.MULTILINE))


def test_the_address_of_the_repository_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project["urls"]["Repository"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["repository-code"] == address
    site = re.search(r"^repo_url: (.*)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert site is not None
    assert site.group(1) == address


def test_the_citation_has_the_version_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == project["version"]


def test_what_the_workflows_and_the_container_make_are_targets_of_the_makefile() -> None:
    files = [*sorted((ROOT / ".github" / "workflows").glob("*.yaml")), ROOT / "Dockerfile"]
    made = set()
    for path in files:
        text = path.read_text(encoding="utf-8")
        made |= set(
            re.findall(r"(?:run: |RUN |\[\"make\", \")(?:make )?(all|env|lint|test)\b", text)
        )
    assert made == {"all", "env", "lint", "test"}
    assert made <= targets()


def test_the_workflows_try_each_python_that_the_package_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yaml").read_text(encoding="utf-8"))
    pythons = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert project["requires-python"] == ">=" + pythons[0]


def test_the_hooks_are_the_tools_of_make_lint() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    entries = " ".join(hook["entry"] for repo in hooks["repos"] for hook in repo["hooks"])
    for tool in ("ruff check", "ruff format", "lint-imports", "mypy", "codespell", "snakefmt"):
        assert tool in MAKEFILE
        assert tool in entries


def test_each_shipped_file_of_others_has_a_row_in_the_table_of_licences() -> None:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    patterns = re.findall(r"`(data/(?:published|profiles|recorded)/[^`]+)`", page)
    named: set[str] = set()
    for pattern in patterns:
        for place in ROOT.glob(pattern.rstrip("/")):
            files = place.rglob("*") if place.is_dir() else [place]
            named |= {path.relative_to(ROOT).as_posix() for path in files if path.is_file()}
    shipped = set()
    for folder in ("published", "profiles", "recorded"):
        for path in (ROOT / "data" / folder).rglob("*"):
            if path.is_file() and path.suffix != ".md":
                shipped.add(path.relative_to(ROOT).as_posix())
    assert shipped
    assert shipped - named == set()

"""The import graph of this package, read from its text: which files a rule of the workflow runs.

Snakemake sees no change in a package that a shell command calls. Each rule therefore has the digest of the files behind
its command among its parameters. They follow from the import statements, which are found without importing anything, in
about 50 ms for the whole package. And imports of large libraries without packages that they can do without.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]
DATA = frozenset({".txt", ".yaml", ".json", ".css", ".js", ".typ", ".j2", ".csv"})
TEMPLATE = ".j2"
_IMPORT = re.compile(
    r"^([ \t]*)(?:from[ \t]+(divlogic[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+(divlogic[\w., \t]*))",
    re.MULTILINE,
)
_COMMENT = re.compile(r"#[^\n]*")
_OPTIONAL = {
    # wrappers of classifiers, and tests of significance for collocations
    "nltk": ("scipy", "sklearn"),
    # tables as input
    "sklearn": ("pandas",),
    # density estimates with weights, and clusters of rows
    "seaborn": ("scipy",),
    # grammars of addresses and durations, which notebooks have none of
    "nbformat": ("rfc3987_syntax", "isoduration"),
}
"""Packages that a library imports where they are installed, for functions that are not called here."""


def load(entry: str) -> Any:
    """Return what ``module:name`` names below ``divlogic``; its module is imported now."""
    module, _, name = entry.partition(":")
    return getattr(importlib.import_module(f"divlogic.{module}"), name)


def code_files(*names: str, package: Path = PACKAGE) -> list[Path]:
    """Return the files that importing the named modules can run, relative to the folder of the package's sources.

    A package stands for all its modules, and ``*`` for one part of a name (``benchmarks.*.check``). Counted are the
    modules, everything of this package that they import at any depth, at the top or inside a function, the
    ``__init__.py`` of every package on the way, and the data files that one of these modules names and that lie in its
    folder. An entry of the benchmarks' registry (a module called ``benchmark``) counts only with what it imports at the
    top: what its functions import belongs to the rules that call them, which name it themselves.
    """
    modules = _modules(package)
    waiting = [found for name in names for found in _named(f"divlogic.{name}", modules)]
    seen: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting.extend(_imports(package, module))
            # The root package holds the version alone, which only those depend on that import it.
            if module.count(".") > 1:
                waiting.append(module.rpartition(".")[0])
    files = {modules[module] for module in seen}
    files |= {data for module in seen for data in _data_of(package, module)}
    return sorted([_relative(path, package) for path in files], key=attrgetter("parts"))


def code_digest(*names: str, package: Path = PACKAGE) -> str:
    """Return a digest of the paths and the contents of `code_files`, twelve hexadecimal digits long."""
    digest = hashlib.sha256()
    for path in code_files(*names, package=package):
        digest.update(_digest(path, package))
    return digest.hexdigest()[:12]


def function_imports(module: str, function: str, package: Path = PACKAGE) -> list[str]:
    """Return the modules that a function and the head of its module import, without the leading ``divlogic.``.

    A function that the module does not define itself, or that imports nothing, stands for the whole module.
    """
    modules = _modules(package)
    nodes = ast.parse(_text(modules[f"divlogic.{module}"])).body
    head = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    defined = [
        node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == function
    ]
    body = [part for node in defined for part in ast.walk(node) if isinstance(part, ast.ImportFrom)]
    found: set[str] = set()
    for part in [*head, *body] if body else []:
        if (source := part.module or "").startswith("divlogic"):
            found |= {f"{source}.{alias.name}" for alias in part.names} & modules.keys() or {source}
    return sorted(name.removeprefix("divlogic.") for name in found) or [module]


def _named(name: str, modules: dict[str, Path]) -> list[str]:
    if "*" in name:
        pattern = re.compile(re.escape(name).replace(r"\*", "[^.]+"))
        return [module for module in modules if pattern.fullmatch(module)]
    if name not in modules:
        raise ValueError(f"there is no module {name}; name it as in `import {name}`")
    if modules[name].name != "__init__.py":
        return [name]
    return [module for module in modules if module == name or module.startswith(f"{name}.")]


@cache
def _modules(package: Path) -> dict[str, Path]:
    """Return every module of the package by its dotted name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def _relative(path: Path, package: Path) -> Path:
    return path.relative_to(package.parent)


@cache
def _digest(path: Path, package: Path) -> bytes:
    """Return the line of a file in `code_digest`."""
    return f"{path.as_posix()} {hashlib.sha256((package.parent / path).read_bytes()).hexdigest()}\n".encode()


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _imports(package: Path, module: str) -> tuple[str, ...]:
    """Return the modules that the import statements of one module name."""
    modules = _modules(package)
    top_only = module.endswith(".benchmark")
    found: set[str] = set()
    for indent, source, names, plain in _IMPORT.findall(_text(modules[module])):
        if top_only and indent:
            continue
        if plain:
            found.update(name.split()[0] for name in plain.split(","))
            continue
        for name in filter(str.strip, _COMMENT.sub("", names).strip("() \t\n").split(",")):
            module_named = f"{source}.{name.split()[0]}"  # without its alias
            found.add(module_named if module_named in modules else source)
    return tuple(sorted(found & modules.keys()))


@cache
def _data_of(package: Path, module: str) -> tuple[Path, ...]:
    """Return the data files that a module names, of its folder and of folders of data in it; of templates all there."""
    path = _modules(package)[module]
    inner = [
        one for one in path.parent.iterdir() if one.is_dir() and not (one / "__init__.py").exists()
    ]
    files = [
        file for folder in (path.parent, *inner) for file in folder.iterdir() if file.suffix in DATA
    ]
    named = {file for file in files if file.name in _text(path)}
    including = {file.parent for file in named if file.suffix == TEMPLATE}
    return tuple(
        named | {file for file in files if file.suffix == TEMPLATE and file.parent in including}
    )


@contextmanager
def lean(library: str) -> Iterator[None]:
    """Import a library as if packages that it does not need were not installed.

    It halves the time that the import takes, and more. What is hidden can be imported again afterwards; what is loaded
    already stays.

    >>> with lean("nltk"):
    ...     from nltk.tokenize.destructive import NLTKWordTokenizer
    >>> NLTKWordTokenizer().tokenize("It's cold.")
    ['It', "'s", 'cold', '.']
    """
    hidden = [name for name in _OPTIONAL[library] if name not in sys.modules]
    # An import of a name that stands for nothing here fails as that of a package that is not installed.
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]

"""The data card: a README.md whose header tells ``datasets`` where the files are."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.release.facts import Facts, Source, Split
from divlogic.benchmarks.release.schema import COLUMNS, Column
from divlogic.errors import DivLogicError

TYPE_ORDER = ("3c1e", "3e1c", "missing_premise")

_TYPE_NAMES = {
    "text": "string",
    "json": "string (JSON)",
    "integer": "int64",
    "texts": "list of string",
    "struct": "struct",
    "structs": "list of struct",
}


def data_card(facts: Facts, splits: Sequence[Split]) -> str:
    """Return the card's text, YAML header included.

    Raises:
        DivLogicError: a report file is missing.
    """
    sections = [
        _header(facts, splits),
        f"# {facts.title}\n\n{facts.summary}",
        _loading(facts, splits),
        _sizes(splits),
        _fields(splits),
        _licence(facts),
        _parameters(facts),
        _reports(facts),
        f"## Citation\n\n```bibtex\n{facts.citation.strip()}\n```",
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def markdown_table(header: Iterable[str], rows: Iterable[Iterable[Any]], *, numbers_from: int = 1) -> str:
    """Return a Markdown table; columns from ``numbers_from`` on are aligned to the right."""
    header = list(header)
    lines = [
        "| " + " | ".join(header) + " |",
        "|" + "|".join(" --- " if index < numbers_from else " ---: " for index in range(len(header))) + "|",
    ]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _header(facts: Facts, splits: Sequence[Split]) -> str:
    import yaml

    configs = _configs(splits)
    header = {
        "pretty_name": facts.title,
        "license": facts.licence,
        "language": ["en"],
        "task_categories": ["multiple-choice", "question-answering"],
        "tags": ["logical-reasoning", "propositional-logic", "synthetic"],
        "size_categories": [_size_category(sum(split.rows for split in configs[0][1]))],
        "configs": [
            {
                "config_name": config,
                **({"default": True} if index == 0 else {}),
                "data_files": [{"split": split.name, "path": split.file} for split in files],
            }
            for index, (config, files) in enumerate(configs)
        ],
    }
    text = yaml.safe_dump(header, sort_keys=False, allow_unicode=True)
    return f"---\n{text}---"


def _loading(facts: Facts, splits: Sequence[Split]) -> str:
    configs = _configs(splits)
    lines = [f'load_dataset("path/to/this/folder", "{config}")' for config, _ in configs]
    described = [f"- `{config}`: {facts.configs[config]}" for config, _ in configs if config in facts.configs]
    listing = "\n".join(described) + "\n\n" if described else ""
    code = "\n".join(["from datasets import load_dataset", "", *lines])
    return f"## Configurations\n\n{listing}```python\n{code}\n```"


def _sizes(splits: Sequence[Split]) -> str:
    kinds = sorted({kind for split in splits for kind in split.types}, key=_type_rank)
    options = sorted({answer for split in splits for answer in split.answers})
    header = [
        "configuration",
        "split",
        "records",
        *kinds,
        *(f"answer {chr(65 + answer)}" for answer in options),
        "words",
        "bytes",
    ]
    rows = [
        [
            split.config,
            split.name,
            f"{split.rows:,}",
            *(f"{split.types[kind]:,}" for kind in kinds),
            *(f"{split.answers[answer]:,}" for answer in options),
            f"{split.words:,}",
            f"{split.bytes:,}",
        ]
        for split in splits
    ]
    return "## Sizes\n\n" + markdown_table(header, rows, numbers_from=2)


def _fields(splits: Sequence[Split]) -> str:
    present = {name for split in splits for name in split.columns}
    rows: list[tuple[str, str, str]] = []

    def add(column: Column, prefix: str) -> None:
        rows.append((f"`{prefix}{column.name}`", _TYPE_NAMES[column.kind], column.meaning))
        for part in column.parts:
            add(part, f"{prefix}{column.name}{'[]' if column.kind == 'structs' else ''}.")

    for column in COLUMNS:
        if column.name in present:
            add(column, "")
    notes = [
        f"`{config}` has no {_listing(missing)}."
        for config, files in _configs(splits)
        if (missing := [c.name for c in COLUMNS if c.name in present and c.name not in files[0].columns])
    ]
    table = markdown_table(["field", "type", "meaning"], rows, numbers_from=3)
    return "\n\n".join(["## Fields", table, *notes])


def _licence(facts: Facts) -> str:
    text = f"## Licence and provenance\n\n[{facts.licence}]({facts.licence_url}). {facts.licence_note}"
    if not facts.sources:
        return text
    rows = [
        (
            f"[{source.title}]({source.homepage})" if source.homepage else source.title,
            source.version,
            f"[{source.licence}]({source.licence_url})" if source.licence_url else source.licence,
            source.origin,
            source.part,
            f"`{source.sha256[:16]}…`" if source.sha256 else "",
        )
        for source in facts.sources
    ]
    header = ["source of sentences", "version", "licence", "taken from", "part", "sha256"]
    return "\n\n".join([text, markdown_table(header, rows, numbers_from=6), *_citations(facts.sources)])


def _citations(sources: Iterable[Source]) -> list[str]:
    lines = [f"- {source.title}: {source.citation}" for source in sources if source.citation]
    return ["\n".join(lines)] if lines else []


def _parameters(facts: Facts) -> str:
    import yaml

    if not facts.parameters:
        return ""
    text = yaml.safe_dump(dict(facts.parameters), sort_keys=False, allow_unicode=True)
    return f"## Parameters\n\n```yaml\n{text}```"


def _reports(facts: Facts) -> str:
    if not facts.reports:
        return ""
    parts = ["## Verification"]
    for title, path in facts.reports.items():
        header, *rows = _read_csv(Path(path))
        parts.append(f"{title}\n\n{markdown_table(header, rows)}")
    return "\n\n".join(parts)


def _read_csv(path: Path) -> list[list[str]]:
    if not path.is_file():
        raise DivLogicError(f"{path}: there is no such report; run the step that makes it.")
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    if not rows:
        raise DivLogicError(f"{path}: the report is empty; run the step that makes it again.")
    return rows


def _configs(splits: Sequence[Split]) -> list[tuple[str, list[Split]]]:
    names = dict.fromkeys(split.config for split in splits)
    return [(name, [split for split in splits if split.config == name]) for name in names]


def _type_rank(kind: str) -> tuple[int, str]:
    return (TYPE_ORDER.index(kind) if kind in TYPE_ORDER else len(TYPE_ORDER), kind)


def _size_category(rows: int) -> str:
    bounds = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
    return next((name for bound, name in bounds if rows < bound), "1M<n<10M")


def _listing(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]

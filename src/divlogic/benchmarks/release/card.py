"""The data card: a README.md whose header tells ``datasets`` where the files are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.benchmarks.release.facts import Facts, Source, Split
from divlogic.benchmarks.release.schema import is_json, meaning_of, parts_of
from divlogic.io.files import read_json
from divlogic.io.tables import format_cell, read_cells

if TYPE_CHECKING:
    import pyarrow as pa
    from huggingface_hub import DatasetCardData


def data_card(facts: Facts, splits: Sequence[Split]) -> str:
    """Return the card's text, YAML header included.

    Raises:
        DivLogicError: a report is missing, or is not that of a table.
    """
    from huggingface_hub import DatasetCard

    sections = [
        f"# {facts.benchmark.generated_title}\n\n{facts.known.summary}",
        _loading(facts, splits),
        _sizes(splits),
        _fields(facts, splits),
        _keys(facts, splits),
        _licence(facts),
        _parameters(facts),
        _reports(facts),
        _shortcuts(facts),
        f"## Citation\n\n```bibtex\n{facts.known.citation.strip()}\n```",
    ]
    card = DatasetCard.from_template(
        _header(facts, splits), template_str=_TEMPLATE, text="\n\n".join(filter(None, sections))
    )
    return f"{card}\n"


_TEMPLATE = "---\n{{ card_data }}\n---\n\n{{ text }}"


def markdown_table(header: Iterable[str], rows: Iterable[Iterable[Any]], *, numbers_from: int = 1) -> str:
    """Return a Markdown table; columns from ``numbers_from`` on are aligned to the right."""
    header = list(header)
    lines = [
        "| " + " | ".join(header) + " |",
        "|" + "|".join(" --- " if index < numbers_from else " ---: " for index in range(len(header))) + "|",
    ]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _header(facts: Facts, splits: Sequence[Split]) -> DatasetCardData:
    from huggingface_hub import DatasetCardData

    configs = _configs(splits)
    return DatasetCardData(
        pretty_name=facts.benchmark.generated_title,
        license=facts.licence.name,
        language=[facts.benchmark.language],
        task_categories=list(facts.known.tasks),
        tags=list(facts.known.tags),
        size_categories=[_size_category(sum(split.rows for split in configs[0][1]))],
        configs=[
            {
                "config_name": config,
                **({"default": True} if index == 0 else {}),
                "data_files": [{"split": split.name, "path": split.file} for split in files],
            }
            for index, (config, files) in enumerate(configs)
        ],
    )


def _loading(facts: Facts, splits: Sequence[Split]) -> str:
    configs = _configs(splits)
    lines = [f'load_dataset("path/to/this/folder", "{config}")' for config, _ in configs]
    described = [
        f"- `{config}`: {facts.known.configs[config]}"
        for config, _ in configs
        if config in facts.known.configs
    ]
    listing = "\n".join(described) + "\n\n" if described else ""
    code = "\n".join(["from datasets import load_dataset", "", *lines])
    return f"## Configurations\n\n{listing}```python\n{code}\n```"


def _sizes(splits: Sequence[Split]) -> str:
    kinds = sorted({kind for split in splits for kind in split.types})
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


def _fields(facts: Facts, splits: Sequence[Split]) -> str:
    present = {name for split in splits for name in split.columns}
    rows: list[tuple[str, str, str]] = []

    def add(column: pa.Field, prefix: str) -> None:
        rows.append((f"`{prefix}{column.name}`", _type_name(column), meaning_of(column)))
        brackets = "[]" if str(column.type).startswith("list") else ""
        for part in parts_of(column):
            add(part, f"{prefix}{column.name}{brackets}.")

    columns = [column for column in facts.columns if column.name in present]
    for column in columns:
        add(column, "")
    notes = [
        f"`{config}` has no {_listing(missing)}."
        for config, files in _configs(splits)
        if (missing := [column.name for column in columns if column.name not in files[0].columns])
    ]
    table = markdown_table(["field", "type", "meaning"], rows, numbers_from=3)
    return "\n\n".join(["## Fields", table, *notes])


def _keys(facts: Facts, splits: Sequence[Split]) -> str:
    """Say what the test files leave out, and where it stands."""
    tested = [split.config for split in splits if split.name == "test"]
    if not facts.known.kept_apart or not tested:
        return ""
    fields = _listing([f"metadata.{name}" for name in facts.known.kept_apart])
    files = " and ".join(f"`keys/{config}.jsonl`" for config in tested)
    return (
        "## Keys\n\nTest records that belong together (a quartet has the same options, each right once) stand apart, in"
        f" an order that the seed draws, and their {fields} stands in {files} only: use it to score, never to answer."
    )


def _type_name(column: pa.Field) -> str:
    """Return the type of a column in words."""
    import pyarrow as pa

    if is_json(column):
        return "string (JSON)"
    many = "list of " if pa.types.is_list(column.type) else ""
    return many + ("struct" if parts_of(column) else str(column.type.value_type if many else column.type))


def _licence(facts: Facts) -> str:
    text = f"## Licence and provenance\n\n[{facts.licence.name}]({facts.licence.url}). {facts.licence.note}"
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
        header, rows = read_cells(Path(path).with_suffix(""))
        cells = [[format_cell(cell) for cell in row] for row in rows]
        parts.append(f"{title}\n\n{markdown_table(header, cells)}")
    return "\n\n".join(parts)


def _shortcuts(facts: Facts) -> str:
    """Name the worst and the best probe of each construction, as ``python -m tools.package_data`` recorded them."""
    header, *rows = read_json(Path(__file__).with_name("shortcuts.json"))
    made = facts.benchmark.generator
    own = {facts.benchmark.generated_name, *(made.twins if made else ())}
    rows = [row for row in rows if row[0] in own]
    return f"## Shortcuts\n\n{_MEASURED}\n\n{markdown_table(header, rows, numbers_from=5)}" if rows else ""


_MEASURED = """What classifiers that take no step of inference get right, in percent. Measured once, on what the default
parameters make of the embedded corpora; if these data were made otherwise, measure them with `divlogic audit`."""


def _configs(splits: Sequence[Split]) -> list[tuple[str, list[Split]]]:
    names = dict.fromkeys(split.config for split in splits)
    return [(name, [split for split in splits if split.config == name]) for name in names]


def _size_category(rows: int) -> str:
    bounds = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
    return next((name for bound, name in bounds if rows < bound), "1M<n<10M")


def _listing(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]

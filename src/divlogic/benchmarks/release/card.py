"""The data card: a README.md whose header tells ``datasets`` where the files are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from divlogic.benchmarks.release.facts import Facts, Source, Split
from divlogic.benchmarks.release.schema import is_json, meaning_of, parts_of
from divlogic.io.files import read_json
from divlogic.io.tables import format_cell, read_cells

if TYPE_CHECKING:
    from huggingface_hub import DatasetCardData

_TEMPLATE = Path(__file__).with_name("card.md.j2")
_SHORTCUTS = Path(__file__).with_name("shortcuts.json")
"""The worst and the best probe of each construction, as ``python -m tools.package_data`` records them."""


def data_card(facts: Facts, splits: Sequence[Split]) -> str:
    """Return the card's text, YAML header included.

    Raises:
        DivLogicError: a report is missing, or is not that of a table.
    """
    import yaml
    from huggingface_hub import DatasetCard

    first = {split.config: split for split in reversed(splits)}
    configs = list(dict.fromkeys(split.config for split in splits))
    present = [column for column in facts.columns if any(column.name in split.columns for split in splits)]
    missing = {
        config: [column.name for column in present if column.name not in first[config].columns]
        for config in configs
    }
    made = facts.benchmark.generator
    own = {facts.benchmark.generated_name, *(made.twins if made else ())}
    header, *probes = read_json(_SHORTCUTS)
    probes = [row for row in probes if row[0] in own]
    card = DatasetCard.from_template(
        _header(facts, configs, splits),
        template_path=str(_TEMPLATE),
        facts=facts,
        configs=configs,
        sizes=_sizes(splits),
        fields=markdown_table(
            ("field", "type", "meaning"), (row for column in present for row in _fields(column)), 3
        ),
        missing={config: names for config, names in missing.items() if names},
        listing=_listing,
        tested=[split.config for split in splits if split.name == "test"],
        kept_apart=[f"metadata.{name}" for name in facts.known.kept_apart],
        sources=markdown_table(
            ("source of sentences", "version", "licence", "taken from", "part", "sha256"),
            map(_source, facts.sources),
            6,
        ),
        parameters=yaml.safe_dump(dict(facts.parameters), sort_keys=False, allow_unicode=True),
        reports={title: _report(Path(path).with_suffix("")) for title, path in facts.reports.items()},
        shortcuts=markdown_table(header, probes, 5) if probes else "",
    )
    return f"{card}\n"


def markdown_table(header: Iterable[str], rows: Iterable[Iterable[Any]], numbers_from: int = 1) -> str:
    """Return a Markdown table; columns from ``numbers_from`` on are aligned to the right."""
    header = list(header)
    lines = [
        "| " + " | ".join(header) + " |",
        "|" + "|".join(" --- " if index < numbers_from else " ---: " for index in range(len(header))) + "|",
    ]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _header(facts: Facts, configs: Sequence[str], splits: Sequence[Split]) -> DatasetCardData:
    from huggingface_hub import DatasetCardData

    rows = sum(split.rows for split in splits if split.config == configs[0])
    bounds = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
    return DatasetCardData(
        pretty_name=facts.benchmark.generated_title,
        license=facts.licence.name,
        language=[facts.benchmark.language],
        task_categories=list(facts.known.tasks),
        tags=list(facts.known.tags),
        size_categories=[next((name for bound, name in bounds if rows < bound), "1M<n<10M")],
        configs=[
            {
                "config_name": config,
                **({"default": True} if config == configs[0] else {}),
                "data_files": [
                    {"split": split.name, "path": split.file} for split in splits if split.config == config
                ],
            }
            for config in configs
        ],
    )


def _sizes(splits: Sequence[Split]) -> str:
    kinds = sorted({kind for split in splits for kind in split.types})
    answers = sorted({answer for split in splits for answer in split.answers})
    letters = [f"answer {chr(65 + answer)}" for answer in answers]
    rows = []
    for split in splits:
        counts = [split.types[kind] for kind in kinds] + [split.answers[answer] for answer in answers]
        numbers = [f"{number:,}" for number in (split.rows, *counts, split.words, split.bytes)]
        rows.append([split.config, split.name, *numbers])
    return markdown_table(("configuration", "split", "records", *kinds, *letters, "words", "bytes"), rows, 2)


def _fields(column: pa.Field, prefix: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield name, type and meaning of a column and of its parts."""

    many, parts = pa.types.is_list(column.type), parts_of(column)
    kind = "struct" if parts else str(column.type.value_type if many else column.type)
    shown = "string (JSON)" if is_json(column) else f"{'list of ' if many else ''}{kind}"
    yield f"`{prefix}{column.name}`", shown, meaning_of(column)
    for part in parts:
        yield from _fields(part, f"{prefix}{column.name}{'[]' if many else ''}.")


def _source(source: Source) -> tuple[str, ...]:
    return (
        f"[{source.title}]({source.homepage})" if source.homepage else source.title,
        source.version,
        f"[{source.licence}]({source.licence_url})" if source.licence_url else source.licence,
        source.origin,
        source.part,
        f"`{source.sha256[:16]}…`" if source.sha256 else "",
    )


def _report(path: Path) -> str:
    header, rows = read_cells(path)
    return markdown_table(header, ([format_cell(cell) for cell in row] for row in rows))


def _listing(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]

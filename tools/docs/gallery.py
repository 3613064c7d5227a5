"""GALLERY.md: of each generator an item with its answer, proof and configuration, and the measured levels."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import yaml

import divlogic
from divlogic.benchmarks.registry import benchmark_named
from divlogic.library.dataset import DataSet

LEVELS = Path("docs/levels.csv")
SEED, LEVEL = 42, 2
PROOF = {
    "logicnli": ("fol", "proof"),
    "justlogic": ("premises", "query", "argument"),
    "divlogiceval": ("premises", "conclusion", "options", "necessary"),
    "llmeval_logic": ("symbols", "premises"),
}
"""What of a record's formulas shows why its answer holds."""

_HEAD = """<!-- Made by `python -m tools.docs`: edit tools/docs/gallery.py or docs/levels.csv. -->
# Gallery

One item of each generator of `divlogic.create`, and its levels as `python -m tools.levels` measured them. ILogicEval's
items are those of DivLogicEval under its name.

- Words: of context, question and options (characters for Chinese). Items/s: of one core.
- Constant: percent of items that the best single answer gets right; it gets no whole quartet or three.
- Bag of words: a classifier trained on as many items of another seed. Overlap: the option
  with most words of the context.
- k rounds: a reader that applies every premise k times. LogicNLI's chains from the facts; the others deny a statement
  and see whether that is refuted, but suppose nothing else, as half of JustLogic's forms would need. DivLogicEval's
  guesses among the options that it cannot rule out; LLMEval-Logic's percentages are of sub-questions.
"""


def gallery(root: Path) -> str:
    """Return the page."""
    with (root / LEVELS).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return _HEAD + "".join(
        _section(name, [row for row in rows if row["benchmark"] == name]) for name in PROOF
    )


def _section(name: str, rows: list[dict[str, str]]) -> str:
    data = divlogic.create(name, size=1, seed=SEED, level=LEVEL)
    item, record = data[0], data.record(0)
    proof = {key: (record.formulas or {}).get(key) for key in PROOF[name]}
    if name == "llmeval_logic":
        proof["questions"] = [one.get("query") for one in record.metadata["questions"]]
    return f"""
## {benchmark_named(name).title}

```python
divlogic.create("{name}", seed={SEED}, level={LEVEL})[0]
```

{_quoted(item["question"])}

Answer: `{item["answer"]}`

<details><summary>Formulas and proof</summary>

```yaml
{yaml.safe_dump(proof, allow_unicode=True, sort_keys=False, width=100, default_flow_style=None).strip()}
```

</details>

<details><summary>Metadata and configuration</summary>

```yaml
{_configuration(data, item)}
```

</details>

{_table(rows)}
"""


def _quoted(text: str) -> str:
    """Return the prompt as a quotation, each of its lines a paragraph."""
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n>\n".join(f"> {line.rstrip()}" for line in lines)


def _configuration(data: DataSet, item: dict[str, Any]) -> str:
    shown = {"metadata": item["metadata"], "configuration": data.parameters.model_dump(mode="json")}
    return str(
        yaml.safe_dump(
            shown, allow_unicode=True, sort_keys=False, width=100, default_flow_style=None
        )
    ).strip()


def _table(rows: list[dict[str, str]]) -> str:
    if not rows:
        return "No level of it is measured yet."
    titles = {"items_per_second": "items/s", "bag_of_words": "bag of words"}
    columns = [
        key
        for key in rows[0]
        if key not in ("benchmark", "items") and any(row[key] for row in rows)
    ]
    heads = [titles.get(key) or _head(key) for key in columns]
    lines = [heads, ["---"] * len(heads)]
    for row in rows:
        config = ", ".join(
            f"{key} {value}" for key, value in json.loads(row["configuration"]).items()
        )
        lines.append([f"`{config}`" if key == "configuration" else row[key] for key in columns])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _head(key: str) -> str:
    """Return the head of a column.

    >>> [_head(key) for key in ("words", "rounds_1", "rounds_2")]
    ['words', '1 round', '2 rounds']
    """
    _, rounds, number = key.rpartition("rounds_")
    if not rounds:
        return key
    return f"{number} round" if number == "1" else f"{number} rounds"

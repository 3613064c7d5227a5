"""A small folder of published layout, in our own words."""

import json
from pathlib import Path

ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
LAMP, KEYS, STAMPS, HARD = (ROWS[name] for name in ("LAMP", "KEYS", "STAMPS", "HARD"))
RUBRICS = {int(number): atoms for number, atoms in ROWS["RUBRICS"].items()}


def write(path: Path, value):
    """Write a JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def folder(root: Path, items=None, rubrics=None, hard=None, licence=True) -> Path:
    """Write a folder of published layout."""
    write(root / "base/llmeval_logic_base.json", [LAMP, KEYS, STAMPS] if items is None else items)
    for number, atoms in (RUBRICS if rubrics is None else rubrics).items():
        write(root / f"base/rubrics/{number:03}.json", {"id": number, "title": "", "items": atoms})
    write(root / "hard/llmeval_logic_hard.json", HARD if hard is None else hard)
    if licence:
        (root / "LICENSE").write_text("evaluation only\n")
    return root

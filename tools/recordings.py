"""``python -m tools.recordings FOLDER... --out data/recorded``: of others' recorded answers, what the repository ships.

Letters and labels are facts: instance, gold and predicted. Neither the question nor the text of an answer is kept.
A folder is a corpus folder of recordings (``data/raw/full/recorded_ilogiceval``); the shipped one has the same form, so
that the same readers read it.
"""

from __future__ import annotations

import argparse
import csv
import io
from dataclasses import replace
from pathlib import Path

from divlogic.corpora.manifest import ManifestFile, read_manifest, write_manifest
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_lines, write_text
from divlogic.models.letters import LETTERS
from divlogic.models.predictions import fold_label

OTHER = "other"
"""What stands for an answer that names no label of its file."""


def ship(folder: Path, out: Path) -> Path:
    """Write the shipped form of a corpus folder of recordings to ``out/<corpus>`` and return that folder.

    Raises:
        DivLogicError: the folder has no manifest, or a file is of no known kind.
    """
    manifest = read_manifest(folder)
    target = out / manifest.corpus
    files = []
    for file in manifest.files:
        source = folder / file.name
        reduced = target / f"{file.name}.gz"
        if file.reader == "recorded:ilogiceval":
            write_text(reduced, "".join(f"{_letters(line)}\n" for _, line in read_lines(source)))
        elif file.reader in ("recorded:justlogic", "recorded:justlogic_prior"):
            write_text(reduced, _labels(source))
        else:
            raise DivLogicError(f"{source}: its reader {file.reader!r} is none of recordings.")
        size, digest = reduced.stat().st_size, file_sha256(reduced)
        part = f"letters and labels of {file.name}, sha256 {file.sha256}"
        files.append(
            ManifestFile(
                f"{file.name}.gz", size, digest, file.rows, file.reader, part, "data/recorded"
            )
        )
    about = replace(
        manifest,
        source="embedded",
        origin="data/recorded",
        part="letters and labels only",
        files=tuple(files),
    )
    write_manifest(target, about)
    return target


def _letters(line: str) -> str:
    """Keep of a row of ILogicEval's recordings: instance, gold, predicted, whether a letter was found."""
    parts = line.split()
    parsed = parts[-1:] if parts[-1:] in (["True"], ["False"]) else []
    predicted = (
        parts[2] if len(parts) > 2 and (parts[2] in tuple(LETTERS) or len(parts[2]) == 1) else "N"
    )
    return " ".join([*parts[:2], predicted, *parsed])


def _labels(path: Path) -> str:
    """Keep of JustLogic's recordings: instance, depth, label, predicted label."""
    with path.open(encoding="iso-8859-1", newline="") as stream:
        rows = list(csv.DictReader(stream))
    labels = {row["label"].strip().casefold() for row in rows}
    truth = all(fold_label(label) for label in labels)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = [name for name in ("id", "depth") if name in rows[0]]
    writer.writerow([*columns, "label", "predicted"])
    for row in rows:
        label = fold_label(row["label"]) if truth else row["label"].strip()
        writer.writerow([*(row[name] for name in columns), label, _predicted(row, labels, truth)])
    return text.getvalue()


def _predicted(row: dict[str, str], labels: set[str], truth: bool) -> str:
    """Return the label that was predicted, ``other`` for an answer that names none, nothing for one never asked."""
    answer = (row["predicted"] or "").strip()
    if answer.casefold() in ("", "nan", "none"):
        full = (row.get("full_completion") or "").strip()
        return OTHER if full and full.casefold() not in ("nan", "none") else ""
    if truth:
        return fold_label(answer) or OTHER
    return answer if answer.casefold() in labels else OTHER


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("data/recorded"))
    arguments = parser.parse_args()
    for folder in arguments.folders:
        print(ship(folder, arguments.out))


if __name__ == "__main__":
    try:
        main()
    except DivLogicError as error:
        raise SystemExit(f"Error: {error}") from None

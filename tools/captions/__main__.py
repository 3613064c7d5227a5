"""``python -m tools.captions``: compose the embedded captions and train the embedded tagger (``make captions``)."""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from divlogic.corpora.tagger import FILE_NAME, PARTS, REPORT
from divlogic.io.files import atomic_writer, write_json
from tools.captions import LEXICON, TAGGED, retold_captions, tagged_captions, write_captions
from tools.captions.training import Accuracy, read_tagged, train_tagger


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="tools.captions", description=__doc__)
    parser.add_argument(
        "--groups", type=int, default=11_500, help="premises, each with its hypotheses"
    )
    parser.add_argument(
        "--tagged",
        type=int,
        default=3_000,
        help="captions that train the tagger, and as many in other tenses (0: none)",
    )
    parser.add_argument("--seed", type=int, default=20260101)
    parser.add_argument("--out", type=Path, default=Path("data/embedded"))
    arguments = parser.parse_args()
    write_captions(
        arguments.out / "captions/composed.jsonl.gz", arguments.groups, arguments.seed, LEXICON
    )
    if arguments.tagged:
        write_tagger(arguments.out / "tagger", arguments.tagged, arguments.seed)


def write_tagger(out: Path, count: int, seed: int) -> None:
    """Train the tagger on the grammar's own tags and on the sentences tagged by hand; write it and its accuracy."""
    sentences = {
        "captions": tagged_captions(count, seed, LEXICON),
        "retold": retold_captions(count, seed, LEXICON),
        "by_hand": read_tagged(TAGGED),
    }
    with tempfile.TemporaryDirectory() as folder:
        found = train_tagger(sentences, Path(folder), iterations=4, seed=seed, held_out=0.1)
        for name in (FILE_NAME.format(part=part) for part in PARTS):
            with atomic_writer(out / f"{name}.gz", level=9) as stream:
                stream.write(Path(folder, name).read_bytes())
    accuracy = {"overall": found.overall, **found.by_source}
    report: dict[str, Any] = {
        "origin": "trained on the tagged captions and the sentences tagged by hand",
        "trained_sentences": found.trained_sentences,
        "trained_tokens": found.trained_tokens,
        "tags": list(found.tags),
        "held_out": {name: _figures(part) for name, part in accuracy.items()},
    }
    write_json(out / REPORT, report)


def _figures(accuracy: Accuracy) -> dict[str, Any]:
    """Return counts and rates; a rate over nothing is null."""
    rates = {"accuracy": accuracy.accuracy, "unknown_accuracy": accuracy.unknown_accuracy}
    return {
        **asdict(accuracy),
        **{name: round(rate, 6) if rate == rate else None for name, rate in rates.items()},
    }


if __name__ == "__main__":
    main()

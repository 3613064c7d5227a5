"""data/interim/tagger: the part-of-speech tagger that later phases load, trained or copied."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from divlogic.corpora.parameters import CorporaRun
from divlogic.corpora.tagging.perceptron import (
    FILE_NAME,
    PARTS,
    Accuracy,
    load_tagger,
    read_tagged,
    train_tagger,
)
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer, file_sha256, write_json
from divlogic.io.log import say


def place_tagger(source: Path, params: CorporaRun, out: Path, report: Path) -> None:
    """Write the tagger's three JSON files to ``out`` and where they come from to ``report``.

    Args:
        source: the embedded captions (with ``lexicon/`` and ``tagged.txt``), on which a tagger is trained, or a
            corpus folder with NLTK's averaged_perceptron_tagger_eng, which is copied.
        params: seed and the section ``corpora.tagger``.
        out: folder of the tagger.
        report: JSON file; held-out accuracies for a trained tagger, provenance for NLTK's.

    Raises:
        DivLogicError: ``source`` holds neither, or a file of it is broken.
    """
    source = Path(source)
    if (source / "lexicon").is_dir():
        _train(source, params, Path(out), Path(report))
    else:
        _copy(source, Path(out), Path(report))


def _train(source: Path, params: CorporaRun, out: Path, report: Path) -> None:
    """Train on the grammar's own tags and on the sentences tagged by hand."""
    from divlogic.corpora.captions import retold_captions, tagged_captions

    settings = params.corpora.tagger
    by_hand = source / "tagged.txt"
    if not by_hand.is_file():
        raise DivLogicError(f"{by_hand}: there is no such file; restore it from the repository.")
    sentences = {
        "captions": tagged_captions(settings.sentences, params.seed, source / "lexicon"),
        "retold": retold_captions(settings.sentences, params.seed, source / "lexicon"),
        "by_hand": read_tagged(by_hand),
    }
    found = train_tagger(
        sentences, out, iterations=settings.iterations, seed=params.seed, held_out=settings.held_out
    )
    values: dict[str, Any] = {
        "origin": "trained on the tagged captions and the sentences tagged by hand",
        "trained_sentences": found.trained_sentences,
        "trained_tokens": found.trained_tokens,
        "tags": list(found.tags),
        "held_out": {
            "overall": _figures(found.overall),
            **{name: _figures(accuracy) for name, accuracy in found.by_source.items()},
        },
    }
    write_json(report, values)
    say(
        f"tagger: {found.trained_sentences:,} sentences learnt, {found.overall.accuracy:.2%} of held-out tokens right."
    )


def _figures(accuracy: Accuracy) -> dict[str, Any]:
    """Return counts and rates; a rate over nothing is null."""
    rates = {"accuracy": accuracy.accuracy, "unknown_accuracy": accuracy.unknown_accuracy}
    return {
        **asdict(accuracy),
        **{name: round(rate, 6) if rate == rate else None for name, rate in rates.items()},
    }


def _copy(source: Path, out: Path, report: Path) -> None:
    """Copy NLTK's weights; load them once to see that they are whole."""
    names = [FILE_NAME.format(part=part) for part in PARTS]
    found = sorted(source.rglob(names[0]))
    if not found:
        raise DivLogicError(
            f"{source}: neither a lexicon to train on nor {names[0]} is there; name the embedded captions"
            " or the fetched corpus nltk_data."
        )
    folder = found[0].parent
    load_tagger(folder)
    for name in names:
        with atomic_writer(out / name) as copy:
            copy.write((folder / name).read_bytes())
    files = {name: file_sha256(out / name) for name in names}
    write_json(report, {"origin": "NLTK's averaged_perceptron_tagger_eng, as published", "sha256": files})
    say("tagger: NLTK's averaged_perceptron_tagger_eng copied.")

"""The checker of sentence pairs: the draw of its pairs, its training, its weights, and how often it is right."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Container
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_jsonl, write_json
from divlogic.io.log import say
from divlogic.networks.library import ENCODER
from divlogic.networks.training import Pair, PairNetwork, Schedule
from divlogic.sentences.parameters import CheckerParameters, SentencesRun

LABELS = ("entailment", "neutral", "contradiction")
"""The labels of natural language inference, in the order of the checker's outputs."""

_TESTED_SHARE = 8  # of 256 premises
MOST_TESTED = 1000
"""Pairs of each corpus that the checker is tested with."""

WEIGHTS, ABOUT = "weights.pt", "about.json"
_STEPS_KEPT = 20


class Labelled(NamedTuple):
    """A pair with its label, and the corpus that it is of."""

    corpus: str
    pair: Pair
    label: int


def draw_pairs(
    corpus: Path, *, train: int, seed: int, without: Container[tuple[str, str]] = ()
) -> tuple[list[Labelled], list[Labelled]]:
    """Draw pairs to train on, equally many of each label, and pairs to test with, whose premises are others.

    They do not depend on the order of the file (``nli.jsonl.gz``). Of each label a premise gives at most one pair,
    those (corpus, id) in ``without`` none. Fewer than ``train`` are drawn where there are not enough. Memory holds a
    few times the pairs wanted.
    """
    trained = {label: _Lowest(-(-train // len(LABELS))) for label in LABELS}
    tested: dict[str, _Lowest] = defaultdict(lambda: _Lowest(MOST_TESTED))
    for _, row in read_jsonl(corpus):
        name, premise = row["corpus"], str(row["premise_id"])
        if (name, premise) in without:
            continue
        digest = hashlib.blake2b(f"checker {seed} {name} {premise}".encode(), digest_size=9).digest()
        found = Labelled(name, (row["premise"], row["hypothesis"]), LABELS.index(row["label"]))
        place = tested[name] if digest[8] < _TESTED_SHARE else trained[row["label"]]
        place.add(
            (digest[:8].hex(), row["label"] if place is tested.get(name) else ""), str(row["pair_id"]), found
        )
    lacking = [label for label, kept in trained.items() if not kept.rows()]
    if lacking:
        raise DivLogicError(
            f"{corpus}: no pair labelled '{lacking[0]}' is left to train on, besides those whose premises word"
            " variables; name a larger corpus in `sentences.checker.corpus` (nli.jsonl.gz of another run)."
        )
    return (
        [row for kept in trained.values() for row in kept.rows()],
        [row for name in sorted(tested) for row in tested[name].rows()],
    )


class _Lowest:
    """The rows with the lowest keys, one for each key; of equal keys the lowest id."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._held: dict[tuple[str, str], tuple[str, Labelled]] = {}

    def add(self, key: tuple[str, str], identifier: str, row: Labelled) -> None:
        held = self._held.get(key)
        if held is None or identifier < held[0]:
            self._held[key] = identifier, row
        if len(self._held) > 3 * self._count + 100:
            self._held = {key: self._held[key] for key in sorted(self._held)[: self._count]}

    def rows(self) -> list[Labelled]:
        return [self._held[key][1] for key in sorted(self._held)[: self._count]]


def build(parameters: CheckerParameters, seed: int, work: Path | None = None) -> PairNetwork:
    """Return an untrained checker."""
    schedule = Schedule(parameters.rate, parameters.batch, steps_kept=_STEPS_KEPT, seed=seed)
    model = parameters.model or ENCODER
    return PairNetwork(model, schedule, outputs=len(LABELS), longest=parameters.longest, work=work)


def train_checker(
    *,
    pairs: Annotated[Path, "Sentence pairs (nli.jsonl.gz), of this run or another."],
    without: Annotated[Path | None, "Sentence groups whose premises are not trained on."] = None,
    work: Annotated[
        Path | None, FOLDER, "Folder of the checkpoint; the same command goes on from there."
    ] = None,
    out: Annotated[Path, FOLDER, "Folder of the weights."],
    params: SentencesRun,
) -> dict[str, Any]:
    """Train a classifier of natural language inference that checks the sentences (minutes; needs torch).

    It is tested with other pairs than it is trained on.

    Returns:
        What is known of it: pairs, versions, and its accuracy by corpus, in percent (``about.json``).
    """
    parameters = params.sentences.checker
    checker = build(parameters, params.seed, work)
    used = {(group["corpus"], group["source"]) for _, group in read_jsonl(without)} if without else set()
    train, test = draw_pairs(pairs, train=parameters.pairs, seed=params.seed, without=used)
    say(f"training the checker on {len(train):,} pairs, {parameters.passes} passes")
    checker.fit([(row.pair, row.label) for row in train], parameters.passes)
    tested = sorted({row.corpus for row in test})
    about: dict[str, Any] = {
        "parameters": parameters.model_dump(mode="json", exclude={"corpus"}),
        "seed": params.seed,
        "pairs_sha256": file_sha256(pairs),
        "trained_on": dict(sorted(Counter(row.corpus for row in train).items())),
        "tested_with": dict(sorted(Counter(row.corpus for row in test).items())),
        "accuracy": {name: _accuracy(checker, [r for r in test if r.corpus == name]) for name in tested},
        "versions": {name: metadata.version(name) for name in ("torch", "transformers")},
    }
    say("accuracy: " + ", ".join(f"{name} {value:.1f} %" for name, value in about["accuracy"].items()))
    checker.save(out / WEIGHTS)
    write_json(out / ABOUT, about)
    return about


def load_checker(folder: Path, parameters: CheckerParameters, seed: int) -> PairNetwork:
    """Return the checker that :func:`train_checker` wrote."""
    checker = build(parameters, seed)
    checker.load(folder / WEIGHTS)
    return checker


def _accuracy(checker: PairNetwork, rows: list[Labelled]) -> float:
    scores = checker.fixed_scores([row.pair for row in rows])
    right = sum(own.index(max(own)) == row.label for own, row in zip(scores, rows, strict=True))
    return round(100 * right / len(rows), 1)

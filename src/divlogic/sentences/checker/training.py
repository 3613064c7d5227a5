"""Training the checker: weights, and how often it is right on pairs that it has not seen."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

from divlogic.io.files import file_sha256, read_as, write_json
from divlogic.io.log import say
from divlogic.networks.library import ENCODER
from divlogic.networks.pairs import PairNetwork
from divlogic.networks.training import Schedule
from divlogic.sentences.checker.sample import LABELS, Labelled, draw_pairs
from divlogic.sentences.groups import checked_group
from divlogic.sentences.parameters import CheckerParameters

WEIGHTS, ABOUT = "weights.pt", "about.json"
_STEPS_KEPT = 20


def build(parameters: CheckerParameters, seed: int, work: Path | None, loaded: Any = None) -> PairNetwork:
    """Return an untrained checker.

    Raises:
        DivLogicError: torch or the weights to begin with are missing.
    """
    schedule = Schedule(parameters.rate, parameters.batch, steps_kept=_STEPS_KEPT, seed=seed)
    return PairNetwork(
        parameters.model or ENCODER,
        schedule,
        outputs=len(LABELS),
        longest=parameters.longest,
        work=work,
        loaded=loaded,
    )


def train_checker(
    pairs: Path,
    out: Path,
    parameters: CheckerParameters,
    seed: int,
    *,
    without: Path | None = None,
    work: Path | None = None,
    loaded: Any = None,
) -> dict[str, Any]:
    """Train a checker on pairs whose premises word nothing, and test it with others.

    Args:
        pairs: ``nli.jsonl.gz`` of the corpora phase, of this run or another.
        out: folder of the weights and of what is known of them (``about.json``).
        parameters, seed: how it is trained.
        without: sentence groups; their premises are not trained on.
        work: folder of the checkpoint, from which the same command goes on.
        loaded: an encoder and its tokenizer, instead of those that the parameters name.

    Returns:
        What is known of it: pairs, versions, and its accuracy by corpus, in percent.

    Raises:
        DivLogicError: a file is missing or broken, no pair is left, or torch is not installed.
    """
    checker = build(parameters, seed, work, loaded)
    used = set()
    if without is not None:
        used = {
            (group["corpus"], group["source"])
            for _, group in read_as(without, checked_group, "a group of sentences")
        }
    train, test = draw_pairs(pairs, train=parameters.pairs, seed=seed, without=used)
    say(f"training the checker on {len(train):,} pairs, {parameters.passes} passes")
    checker.fit([(row.pair, row.label) for row in train], parameters.passes)
    accuracy = {name: _accuracy(checker, [r for r in test if r.corpus == name]) for name in _names(test)}
    about = {
        "parameters": parameters.model_dump(mode="json", exclude={"corpus"}),
        "seed": seed,
        "pairs_sha256": file_sha256(pairs),
        "trained_on": {name: sum(row.corpus == name for row in train) for name in _names(train)},
        "tested_with": {name: sum(row.corpus == name for row in test) for name in _names(test)},
        "accuracy": {
            name: _accuracy(checker, [r for r in test if r.corpus == name]) for name in _names(test)
        },
        "versions": {name: metadata.version(name) for name in ("torch", "transformers")},
    }
    say("accuracy: " + ", ".join(f"{name} {value:.1f} %" for name, value in accuracy.items()))
    checker.save(out / WEIGHTS)
    write_json(out / ABOUT, about)
    return about


def load_checker(folder: Path, parameters: CheckerParameters, seed: int, loaded: Any = None) -> PairNetwork:
    """Return the checker that :func:`train_checker` wrote.

    Raises:
        DivLogicError: it is missing, torn, or of other parameters; or torch is not installed.
    """
    checker = build(parameters, seed, None, loaded)
    checker.load(folder / WEIGHTS)
    return checker


def _names(rows: list[Labelled]) -> list[str]:
    return sorted({row.corpus for row in rows})


def _accuracy(checker: PairNetwork, rows: list[Labelled]) -> float:
    scores = checker.fixed_scores([row.pair for row in rows])
    right = sum(own.index(max(own)) == row.label for own, row in zip(scores, rows, strict=True))
    return round(100 * right / len(rows), 1)

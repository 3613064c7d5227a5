"""Do the sentence pairs that word the benchmarks bear their labels? A classifier trained on other pairs judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from divlogic.benchmarks.divlogiceval.groups import Group
from divlogic.contamination.learner import LABELS
from divlogic.contamination.sample import draw_pairs
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import read_as, write_jsonl
from divlogic.io.log import say
from divlogic.io.tables import write_table
from divlogic.records import Record

ENTAILED, CONTRADICTED, STRANGERS = "entailed", "contradicted", "different groups"
_WANTED = {ENTAILED: "entailment", CONTRADICTED: "contradiction", STRANGERS: "neutral"}
THRESHOLDS = (0.1, 0.3, 0.5)
_COLUMNS = (
    *("role", "label", "pairs", "judged_so", "mean_probability"),
    *(f"refused_below_{threshold}" for threshold in THRESHOLDS),
)
_NOTE = """\
Sentence groups word the variables of instances: a premise, hypotheses that it entails, hypotheses that contradict it. A
classifier that was trained on pairs with other premises judges {count} groups. judged_so: share of pairs to which it
gives the label that the corpus gives, in percent; refused_below_t: share to whose label it gives a probability below t.
Sentences of different groups stand for different variables and should be neutral; classifiers trained on such corpora
call unrelated sentences contradictions, so that this row measures them more than the sentences."""
_STREAM = 83


class Judge(Protocol):
    """A classifier of pairs."""

    def train(self, records: Sequence[Record], passes: int) -> None:
        """Go over pairs with labels."""

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """Return the probabilities of the labels for pairs of premise and hypothesis."""


def check_pairs(
    judge: Judge, corpus: Path, groups: Path, out: Path, *, train: int, passes: int, most: int, seed: int
) -> int:
    """Train a classifier on pairs whose premises word nothing, let it judge those that do, and write both.

    Args:
        judge: the classifier, untrained.
        corpus: ``nli.jsonl.gz`` of the corpora phase.
        groups: ``groups.jsonl.gz`` of the sentences phase.
        out: table without suffix; the pairs with their probabilities go to ``out``.jsonl.
        train, passes: pairs to train on, and passes over them.
        most: groups judged, evenly spaced.
        seed: of what is drawn.

    Returns:
        The number of pairs judged.

    Raises:
        DivLogicError: a file is missing or broken, or no premise is left to train on.
    """
    found = [group for _, group in read_as(groups, Group.from_json, "a sentence group")]
    if not found:
        raise DivLogicError(f"{groups}: no sentence group; the filter kept nothing.")
    used = frozenset((group.corpus, group.source) for group in found)
    drawn = draw_pairs(corpus, train=train, test=len(LABELS), seed=seed, without=used)
    if not drawn.train:
        raise DivLogicError(
            f"{corpus}: every premise words some variable, so that no pair is left to train on; use a larger corpus."
        )
    say(f"training on {len(drawn.train):,} pairs")
    judge.train(drawn.train, passes)
    chosen = [found[at * len(found) // most] for at in range(most)] if len(found) > most else found
    rows = list(_pairs(chosen, seed))
    say(f"judging {len(rows):,} pairs")
    chances = judge.probabilities([(row["premise"], row["hypothesis"]) for row in rows])
    for row, chance in zip(rows, chances, strict=True):
        row["probabilities"] = {label: round(value, 4) for label, value in zip(LABELS, chance, strict=True)}
    write_jsonl(out.with_name(f"{out.name}.jsonl"), rows)
    write_table(out, _COLUMNS, list(_summary(rows)), _NOTE.format(count=f"{len(chosen):,}"), floats=1)
    return len(rows)


def _pairs(groups: Sequence[Group], seed: int) -> Iterator[dict[str, Any]]:
    """Yield the pairs of each group, and one of its premise with the premise of another group."""
    for place, group in enumerate(groups):
        premise = group.clauses[0].text
        roles = [(ENTAILED, clause.text) for clause in group.clauses[1:]]
        roles += [(CONTRADICTED, clause.text) for clause in group.contradicted]
        if len(groups) > 1:
            other = (place + 1 + Draws(seed, _STREAM, place).below(len(groups) - 1)) % len(groups)
            roles.append((STRANGERS, groups[other].clauses[0].text))
        for role, text in roles:
            yield {"group": group.id, "role": role, "premise": premise, "hypothesis": text}


def _summary(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for role, label in _WANTED.items():
        own = [row["probabilities"] for row in rows if row["role"] == role]
        if not own:
            continue
        wanted = np.array([chances[label] for chances in own])
        judged = [max(chances, key=chances.__getitem__) == label for chances in own]
        yield {
            "role": role,
            "label": label,
            "pairs": len(own),
            "judged_so": 100 * float(np.mean(judged)),
            "mean_probability": 100 * float(wanted.mean()),
            **{f"refused_below_{t}": 100 * float((wanted < t).mean()) for t in THRESHOLDS},
        }

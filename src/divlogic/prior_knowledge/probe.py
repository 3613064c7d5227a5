"""The key-less probe: a classifier that learns to answer from the questions alone, under cross-validation.

All that it finds beyond guessing is a leak: wording that goes with a label, lengths, negations, the place of the right
option. Benchmarks with one set of labels are classified by question; those with options of their own are ranked,
option by option, a model for each question type.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlogic.errors import DivLogicError
from divlogic.intervals import Floats
from divlogic.io.imports import lean
from divlogic.models.predictions import Prediction, Source
from divlogic.models.words import fit_transform, most_probable, rounded
from divlogic.prior_knowledge.groups import twins
from divlogic.prior_knowledge.parameters import ProbeParameters
from divlogic.records import Record, grouped, spaced_over_types

PROBE = "question-only classifier"
MAJORITY = "majority answer"

Whole = NDArray[np.int64]
Matrix = Any
"""scipy.sparse matrix; its type is not stable over versions."""

_NEGATION = re.compile(
    r"¬|n't\b|\bnot\b|\bno\b|\bnever\b|\bnone\b|\bunless\b|\bfalse\b|\bwrong\b|\buntrue\b|\bincorrect\b|\bmis\w+",
    re.IGNORECASE,
)


def probe(records: Iterable[Record], parameters: ProbeParameters, seed: int) -> list[Prediction]:
    """Answer every record from its question (and options), with classifiers that have not seen it.

    Returns:
        Two predictions per record: the classifier's, and that of always giving the most frequent answer.

    Raises:
        DivLogicError: there are too few records with an answer.
    """
    answered = [record for record in records if record.answer is not None and record.options]
    asked = spaced_over_types(answered, parameters.most_instances)
    if len(asked) < 2 * parameters.folds:
        raise DivLogicError(
            f"{len(asked)} records with an answer are too few for {parameters.folds} folds; give more records or set"
            " 'prior_knowledge.probe.folds' lower."
        )
    labelled = has_labels(asked)
    folds = _folds(asked, parameters.folds, seed)
    scores = (
        _label_scores(asked, folds, parameters)
        if labelled
        else _option_scores(asked, folds, parameters)
    )
    # It is chosen on the questions it answers, so it cannot fall below guessing; folds that hold every answer equally
    # often would push the answer of the other folds there.
    counts = Counter(record.answer for record in asked if record.answer is not None)
    usual = min(counts, key=lambda answer: (-counts[answer], answer))
    return [
        *(_prediction(record, "baseline", MAJORITY, usual) for record in asked),
        *(
            _prediction(record, "probe", PROBE, chosen)
            for record, chosen in zip(asked, scores, strict=True)
        ),
    ]


def has_labels(records: Sequence[Record]) -> bool:
    """Return whether all records share one list of options: labels, and not texts of their own."""
    return len({record.options for record in records}) == 1


def _folds(records: Sequence[Record], folds: int, seed: int) -> Whole:
    """Deal the records out to folds at random, each answer evenly; shape (n,).

    Those that were made together stay together (:func:`.groups.twins`): else the probe would have to remember them.
    """
    rng = np.random.default_rng(np.random.SeedSequence([seed, 0]))

    def kind(places: list[int]) -> Any:
        return records[places[0]].question_type or "", records[places[0]].answer

    fold = np.empty(len(records), dtype=np.int64)
    start = 0
    groups = grouped(range(len(records)), twins(records, passages=False).__getitem__).values()
    for _, own in sorted(grouped(groups, kind).items(), key=itemgetter(0)):
        for number in rng.permutation(len(own)):
            fold[own[number]] = start % folds
            start += 1
    return fold


def _label_scores(
    records: Sequence[Record], folds: Whole, parameters: ProbeParameters
) -> list[int]:
    """Classify the questions."""
    texts = [record.question for record in records]
    dense = np.array([_shape(text) for text in texts])
    wanted = np.array([record.answer for record in records])
    chosen = np.zeros(len(records), dtype=np.int64)
    for held_out, model, matrix in _fitted(texts, dense, wanted, folds, parameters):
        chosen[held_out] = most_probable(model, matrix)
    return list(map(int, chosen))


def _option_scores(
    records: Sequence[Record], folds: Whole, parameters: ProbeParameters
) -> list[int]:
    """Rank the options of each question by the probability that such an option is right."""
    chosen = [0] * len(records)
    for places in grouped(
        range(len(records)), lambda place: records[place].question_type or ""
    ).values():
        rows = [(place, at) for place in places for at in range(len(records[place].options))]
        texts = [f"{records[place].question} ‖ {records[place].options[at]}" for place, at in rows]
        dense = np.array([_option_shape(records[place].options, at) for place, at in rows])
        wanted = np.array([int(records[place].answer == at) for place, at in rows])
        fold = np.array([folds[place] for place, _ in rows])
        best: dict[int, tuple[float, int]] = {}
        for held_out, model, matrix in _fitted(texts, dense, wanted, fold, parameters):
            for row, value in zip(held_out, rounded(model.decision_function(matrix)), strict=True):
                place, at = rows[row]
                best[place] = max(best.get(place, (-np.inf, 0)), (float(value), -at))
        for place, (_, at) in best.items():
            chosen[place] = -at
    return chosen


def _fitted(
    texts: Sequence[str], dense: Floats, wanted: Whole, folds: Whole, parameters: ProbeParameters
) -> Iterator[tuple[Whole, Any, Matrix]]:
    """Yield, fold by fold, the rows held out, a model of the others, and the matrix of the rows held out."""
    from scipy.sparse import csr_matrix, hstack

    with lean("sklearn"):
        from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
        from sklearn.linear_model import LogisticRegression

    words = CountVectorizer(
        ngram_range=(1, parameters.word_ngrams), token_pattern=r"[^\W_]+|[^\w\s]"
    )
    chars = CountVectorizer(analyzer="char_wb", ngram_range=(2, parameters.char_ngrams))
    # Every text is in the training part of all folds but one: it is taken apart once.
    counts = [fit_transform(vectors, texts).astype(np.float64) for vectors in (words, chars)]
    for fold in np.unique(folds):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        mean, spread = dense[train].mean(axis=0), dense[train].std(axis=0) + 1e-9
        parts = []
        for counted in counts:
            own = counted[train]
            usual = np.bincount(own.indices, minlength=own.shape[1]) >= parameters.min_count
            own, others = own[:, usual], counted[test][:, usual]
            weights = TfidfTransformer().fit(own) if usual.any() else None
            parts.append(tuple(map(weights.transform, (own, others))) if weights else (own, others))
        parts.append(tuple(csr_matrix((dense[rows] - mean) / spread) for rows in (train, test)))
        learnt, asked = (hstack(blocks, format="csr") for blocks in zip(*parts, strict=True))
        if len(np.unique(wanted[train])) < 2:
            continue
        model = LogisticRegression(
            C=parameters.regularisation, solver="lbfgs", max_iter=500, tol=1e-3
        )
        yield test, model.fit(learnt, wanted[train]), asked


@lru_cache(maxsize=1_000)  # an option is compared with each of the others
def _shape(text: str) -> list[float]:
    """Return what can be counted of a text: words, characters, negations."""
    return [float(len(text.split())), float(len(text)), float(len(_NEGATION.findall(text)))]


def _option_shape(options: Sequence[str], at: int) -> list[float]:
    """Return the counts of an option, its place, and how it compares with the other options."""
    shapes = np.array([_shape(option) for option in options])
    ranks = [
        float((shapes[:, column] < shapes[at, column]).sum()) for column in range(shapes.shape[1])
    ]
    # An option that shares words with many others is often the right one.
    words = [set(option.lower().split()) for option in options]
    others = words[:at] + words[at + 1 :]
    shared = [len(words[at] & other) / max(len(words[at] | other), 1) for other in others]
    place = [float(at == position) for position in range(max(len(options) - 1, 1))]
    centred = shapes[at] - shapes.mean(axis=0)
    return [
        *centred,
        *ranks,
        sum(shared) / max(len(shared), 1),
        *place[:7],
        *[0.0] * (7 - len(place)),
    ]


def _prediction(record: Record, source: Source, system: str, chosen: int) -> Prediction:
    named = (record.benchmark, system, "", record.id, str(record.answer), str(chosen))
    return Prediction(*named, source=source, choices=len(record.options), depth=record.depth)

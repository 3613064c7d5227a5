"""What makes an instance of JustLogic hard, the baseline that needs no key, and recorded questions.

Accuracy by depth, argument form and label, and a logistic regression of correctness (JustLogic, Section 5.2).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from divlogic.benchmarks.readers.formats import read_benchmark
from divlogic.config.command import ARGUMENT, BASE, FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation.asked import AnsweredRecords
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.intervals import Floats, cluster_means, estimates
from divlogic.io.files import write_jsonl
from divlogic.io.log import say
from divlogic.io.tables import declared_tables
from divlogic.models.answer_keys import read_matching
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.recordings.reading import recordings_in
from divlogic.records import Record, grouped, read_records

TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))
OVERLAP = "context overlap"
READER = "recorded:justlogic"
"""Reader, as the registry calls it, of answers that were given with the context."""

_NEGATION = re.compile(
    r"n't\b|\b(?:not|no|never|unless|false|wrong|untrue|incorrect|mistaken|mistake|misconception)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Case:
    """One answered instance and what may make it hard.

    Attributes:
        answer: the answer; several runs answer the same instance.
        depth: steps of the argument.
        forms: its argument forms, one per step.
        negations: negating words in context and query.
        words: words of context and query.
    """

    answer: Prediction
    depth: int
    forms: tuple[str, ...]
    negations: int
    words: int

    @property
    def label(self) -> str:
        """The right answer."""
        return self.answer.gold.casefold()


def cases_of(predictions: Iterable[Prediction], records: Iterable[Record]) -> Iterator[Case]:
    """Join predictions with their instances; instances that were never asked are no cases."""
    by_id = {record.id: record for record in records}
    for prediction in predictions:
        if not prediction.asked:
            continue
        record = by_id.get(prediction.instance)
        if record is None:
            raise DivLogicError(
                f"the answer to '{prediction.instance}' of {prediction.benchmark} belongs to none of the records; give"
                " the file that was asked."
            )
        if record.depth is None:
            raise DivLogicError(
                f"the record '{record.id}' has no depth; only JustLogic's kind of records has."
            )
        text = f"{record.context} {record.question}"
        names = (name.strip().lower().replace(" ", "_") for name in record.forms or ())
        # JustLogic's files write "Modus Tonens".
        forms = tuple(name.replace("tonens", "tollens") for name in names)
        yield Case(prediction, record.depth, forms, len(_NEGATION.findall(text)), len(text.split()))


def overlap(
    records: Annotated[tuple[Path, ...], ARGUMENT], *, out: Annotated[Path, "Predictions (jsonl)."]
) -> None:
    """Answer JustLogic's RECORDS by word overlap with the context."""
    write_predictions(
        out, (one for path in records for one in overlap_predictions(read_records(path)))
    )


def recorded_questions(
    folders: Annotated[tuple[Path, ...], ARGUMENT, FOLDER] = (),
    *,
    out: Annotated[Path, "The questions (jsonl)."],
) -> None:
    """Write the questions that JustLogic's recordings in corpus FOLDERS answer; without any, the file is empty."""
    asked: dict[str, Record] = {}
    for recording in recordings_in(folders, READER):
        try:
            # The recording's report counts odd rows.
            records = read_benchmark(Path(recording.file), "justlogic", on_problem=lambda *_: None)
            asked |= {record.id: record for record in records}
        except DivLogicError as error:
            say(f"{error} Its questions are left out.")
    write_jsonl(out, (record.to_json() for record in asked.values()))


def overlap_predictions(records: Iterable[Record]) -> Iterator[Prediction]:
    """Answer by word overlap: the baseline that needs no key and does not reason.

    A query whose words hardly occur in the context is called uncertain. Else it is called true if it holds as many
    negating words (evenly or oddly) as the context's sentence that it shares most words with, and false if not.
    """
    for record in records:
        if record.answer is None:
            continue
        asked = _words(record.question)
        sentences = re.split(r"(?<=\.) ", record.context)
        shared = [len(asked & _words(sentence)) for sentence in sentences]
        # The templates' own words make up a few matches: an absent statement shares less than half of its words.
        if not asked or len(asked & _words(record.context)) / len(asked) < 0.8:
            predicted = "Uncertain"
        else:
            nearest = sentences[max(range(len(sentences)), key=lambda at: (shared[at], -at))]
            same = (
                len(_NEGATION.findall(nearest)) % 2 == len(_NEGATION.findall(record.question)) % 2
            )
            predicted = "True" if same else "False"
        named = (
            record.benchmark,
            OVERLAP,
            "zero_shot",
            record.id,
            record.options[record.answer],
            predicted,
        )
        yield Prediction(*named, source="baseline", choices=len(record.options), depth=record.depth)


def write_groups(
    cases: Iterable[Case], base: Path, *, seed: int, resamples: int
) -> list[dict[str, Any]]:
    """Write the table of accuracy by depth, form and label (csv, md, tex, json); return its rows."""
    hits: dict[tuple[str, str, str, str, Any], list[tuple[str, bool]]] = defaultdict(list)
    for case in cases:
        who = (case.answer.model, case.answer.prompt, case.answer.source)
        forms = (("form", form) for form in sorted(set(case.forms)))
        for group in (("depth", case.depth), ("label", case.label), *forms):
            hits[*who, *group].append((case.answer.instance, case.answer.correct))
    rows = []
    for key in sorted(
        hits, key=lambda key: (*key[:4], key[4] if key[3] != "depth" else f"{key[4]:06d}")
    ):
        shares = cluster_means(*zip(*hits[key], strict=True))
        (accuracy,) = estimates(shares[:, None], seed=seed, resamples=resamples)
        rows.append(
            TABLES["justlogic_groups"].row(*key, len(shares), *accuracy.cells("accuracy").values())
        )
    TABLES["justlogic_groups"].write(base, rows)
    return rows


def _words(text: str) -> set[str]:
    """Return the words of a text that carry its content."""
    return {word for word in re.findall(r"[a-z']+", text.lower()) if word not in _FRAME_WORDS}


_FRAME_WORDS = set(
    re.findall(
        r"\w+",
        "the a an is are it that true false not case if then either or claim statement at least one of both these be"
        " right wrong correct who say says those anyone idea fact holds to think misconception mistake also can only"
        " when",
    )
)


_ITERATIONS = 50
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Fit:
    """A fitted regression: coefficients and standard errors of shape (terms,)."""

    terms: tuple[str, ...]
    coefficients: Floats
    errors: Floats
    converged: bool


def error_analysis(
    answers: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    answered: AnsweredRecords,
    groups: Annotated[Path, BASE, "Table by depth, form and label, without its suffix."],
    regression: Annotated[Path, BASE, "Table of coefficients, without its suffix."],
    params: EvaluationRun,
) -> None:
    """Say what makes instances hard: accuracy by depth and form, and a logistic regression."""
    key_of = answered.key_of(params.seed)
    predictions = (one for path in answers for one in read_matching(path, key_of))
    cases = list(
        cases_of(predictions, (one for path in answered.records for one in read_records(path)))
    )
    write_groups(cases, groups, **params.bootstrap)
    write_regression(cases, regression)


def write_regression(cases: Iterable[Case], base: Path) -> list[dict[str, Any]]:
    """Write the coefficients of every system and setting (csv, md, tex); return the rows.

    A system that is always right or always wrong has no regression; it is left out and named in the log. Where none is
    left, the table has no rows.
    """
    from scipy.special import ndtr, ndtri  # scipy.stats takes a second to import

    groups = grouped(cases, lambda case: (case.answer.model, case.answer.prompt))
    rows: list[dict[str, Any]] = []
    for (system, setting), group in sorted(groups.items()):
        right = np.array([case.answer.correct for case in group], dtype=np.float64)
        if right.min() == right.max():
            say(f"{system} ({setting}): all {len(group)} answers are equally right; no regression.")
            continue
        terms, columns, reference = design(group)
        fit = fit_logistic(terms, columns, right)
        for term, value, error in zip(fit.terms, fit.coefficients, fit.errors, strict=True):
            # Where outcomes are separated, the numbers are where the optimiser stopped, and another on another machine.
            odds, p_value = np.exp(value), 2 * ndtr(-abs(value / error))
            ends = [value + error * ndtri(share) for share in ((1 - 0.95) / 2, (1 + 0.95) / 2)]
            numbers = [
                float(one) if fit.converged else None for one in (value, *ends, odds, p_value)
            ]
            note = f"reference form: {reference}" if term == "depth" and reference else None
            if not fit.converged:
                note = "not converged: a term (almost) separates right from wrong"
            named = (system, setting, term)
            rows.append(TABLES["justlogic_regression"].row(*named, *numbers, len(group), note))
    TABLES["justlogic_regression"].write(base, rows)
    return rows


def design(cases: Sequence[Case]) -> tuple[tuple[str, ...], Floats, str | None]:
    """Return the terms, their columns of shape (n, terms), and the reference form.

    The steps of all forms add up to the depth, so one form, modus ponens or else the most frequent, is left out.
    Columns that do not vary are left out too.
    """
    counts = [Counter(case.forms) for case in cases]
    total: Counter[str] = sum(counts, Counter())
    usual = max(sorted(total), key=total.__getitem__, default=None)
    reference = "modus_ponens" if "modus_ponens" in total else usual
    columns = {"depth": [float(case.depth) for case in cases]}
    columns |= {
        form: [float(count[form]) for count in counts]
        for form in sorted(total.keys() - {reference})
    }
    columns |= {"negations": [case.negations / 10 for case in cases]}
    columns |= {"words": [case.words / 100 for case in cases]}
    for label in sorted({case.label for case in cases} - {"true"}):
        columns[f"label: {label}"] = [float(case.label == label) for case in cases]
    kept = {name: values for name, values in columns.items() if min(values) < max(values)}
    matrix = np.column_stack([np.ones(len(cases)), *kept.values()])
    return ("intercept", *kept), matrix, reference


def fit_logistic(terms: Sequence[str], columns: Floats, right: Floats) -> Fit:
    """Fit by Newton's method (iteratively reweighted least squares).

    Written out here because statsmodels takes longer to import than all fits of a run; a test compares the
    coefficients with scikit-learn's without a penalty.

    Columns that others determine are dropped, the last of them first. Perfectly separated outcomes do not converge;
    the fit says so.

    Args:
        terms: names of the columns.
        columns: shape (n, terms).
        right: outcomes 0 and 1, shape (n,).
    """
    kept: list[int] = []
    for column in range(columns.shape[1]):
        if np.linalg.matrix_rank(columns[:, [*kept, column]]) > len(kept):
            kept.append(column)
    x = columns[:, kept]
    beta, step = np.zeros(x.shape[1]), np.full(x.shape[1], np.inf)
    for _ in range(_ITERATIONS):
        chance = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        information = (x * (chance * (1 - chance))[:, None]).T @ x
        if np.abs(step).max() < _TOLERANCE:
            break
        step = np.linalg.lstsq(information, x.T @ (right - chance), rcond=None)[0]
        beta += step
    errors = np.sqrt(np.diag(np.linalg.pinv(information)))
    converged = bool(np.abs(step).max() < _TOLERANCE and np.abs(beta).max() < 15)
    return Fit(tuple(terms[column] for column in kept), beta, errors, converged)

"""What makes an instance hard: a logistic regression of correctness (JustLogic, Section 5.2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from divlogic.config.command import ARGUMENT, BASE
from divlogic.evaluation.justlogic.groups import TABLES, Case, cases_of, write_groups
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.log import say
from divlogic.models.predictions import read_predictions
from divlogic.records import read_records

Floats = NDArray[np.float64]

_ITERATIONS = 50
_TOLERANCE = 1e-9
_Z = 1.959963984540054


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
    records: Annotated[tuple[Path, ...], "The records that were asked; repeatable."],
    groups: Annotated[Path, BASE, "Table by depth, form and label, without its suffix."],
    regression: Annotated[Path, BASE, "Table of coefficients, without its suffix."],
    params: EvaluationRun,
) -> None:
    """Say what makes instances hard: accuracy by depth and form, and a logistic regression."""
    predictions = (one for path in answers for one in read_predictions(path))
    cases = list(cases_of(predictions, (record for path in records for record in read_records(path))))
    write_groups(cases, groups, seed=params.seed, resamples=params.evaluation.resamples)
    write_regression(cases, regression)


def write_regression(cases: Iterable[Case], base: Path) -> list[dict[str, Any]]:
    """Write the coefficients of every system and setting (csv, md, tex); return the rows.

    A system that is always right or always wrong has no regression; it is left out and named in the log. Where none is
    left, the table has no rows.
    """
    from scipy.stats import norm

    groups: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in cases:
        groups[case.system, case.setting].append(case)
    rows: list[dict[str, Any]] = []
    for (system, setting), group in sorted(groups.items()):
        right = np.array([case.correct for case in group], dtype=np.float64)
        if right.min() == right.max():
            say(f"{system} ({setting}): all {len(group)} answers are equally right; no regression.")
            continue
        terms, columns, reference = design(group)
        fit = fit_logistic(terms, columns, right)
        for term, value, error in zip(fit.terms, fit.coefficients, fit.errors, strict=True):
            # Where outcomes are separated, the numbers are where the optimiser stopped, and another on another machine.
            odds, p_value = np.exp(value), 2 * norm.sf(abs(value / error))
            numbers = [float(one) for one in (value, value - _Z * error, value + _Z * error, odds, p_value)]
            estimate = numbers if fit.converged else [None] * len(numbers)
            note = _remark(term, reference, fit.converged)
            rows.append(TABLES["regression"].row(system, setting, term, *estimate, len(group), note))
    TABLES["regression"].write(base, rows)
    return rows


def design(cases: Sequence[Case]) -> tuple[tuple[str, ...], Floats, str | None]:
    """Return the terms, their columns of shape (n, terms), and the reference form.

    The steps of all forms add up to the depth, so one form, modus ponens or else the most frequent, is left out.
    Columns that do not vary are left out too.
    """
    counts = [Counter(case.forms) for case in cases]
    total: Counter[str] = sum(counts, Counter())
    reference = (
        "modus_ponens" if "modus_ponens" in total else max(sorted(total), key=total.__getitem__, default=None)
    )
    columns: dict[str, list[float]] = {
        "depth": [float(case.depth) for case in cases],
        **{form: [float(count[form]) for count in counts] for form in sorted(total) if form != reference},
        "negations": [case.negations / 10 for case in cases],
        "words": [case.words / 100 for case in cases],
        **{
            f"label: {label}": [float(case.label == label) for case in cases]
            for label in sorted({case.label for case in cases} - {"true"})
        },
    }
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
    beta = np.zeros(x.shape[1])
    converged = False
    for _ in range(_ITERATIONS):
        chance = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        information = (x * (chance * (1 - chance))[:, None]).T @ x
        step = np.linalg.lstsq(information, x.T @ (right - chance), rcond=None)[0]
        beta += step
        if np.abs(step).max() < _TOLERANCE:
            converged = True
            break
    chance = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
    information = (x * (chance * (1 - chance))[:, None]).T @ x
    errors = np.sqrt(np.diag(np.linalg.pinv(information)))
    return Fit(
        tuple(terms[column] for column in kept), beta, errors, converged and bool(np.abs(beta).max() < 15)
    )


def _remark(term: str, reference: str | None, converged: bool) -> str | None:
    if not converged:
        return "not converged: a term (almost) separates right from wrong"
    return f"reference form: {reference}" if term == "depth" and reference else None

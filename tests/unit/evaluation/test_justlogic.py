"""JustLogic's error analysis: depth, forms, regression, tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation import justlogic
from divlogic.evaluation.justlogic import Case, design, fit_logistic, write_groups, write_regression
from divlogic.models.predictions import Prediction
from divlogic.records import Record

FORMS = ("modus_ponens", "modus_tollens", "reductio_ad_absurdum")


def case(
    correct: bool,
    *forms: str,
    label: str = "true",
    sizes: tuple[int, int] = (0, 50),
    name: str = "",
) -> Case:
    """Return a case with so many negations and words."""
    said = label if correct else None
    named = ("justlogic", "m", "zero_shot", name or f"{forms} {correct}", label, said)
    return Case(Prediction(*named, source="recorded"), len(forms), forms, *sizes)


def simulated(count: int) -> list[Case]:
    """Return cases in which each step of a reductio costs 1.2 in the logit, any other 0.3."""
    rng = np.random.default_rng(11)
    cases = []
    for _ in range(count):
        forms = tuple(rng.choice(FORMS, size=rng.integers(1, 6)))
        logit = 2.0 - 0.3 * len(forms) - 0.9 * forms.count("reductio_ad_absurdum")
        correct = bool(rng.random() < 1 / (1 + np.exp(-logit)))
        label = str(rng.choice(["true", "false", "uncertain"]))
        sizes = int(rng.integers(9)), int(rng.integers(20, 200))
        cases.append(case(correct, *forms, label=label, sizes=sizes))
    return cases


def test_the_regression_finds_the_coefficients_that_the_cases_were_drawn_with(
    tmp_path: Path,
) -> None:
    rows = {row["term"]: row for row in write_regression(simulated(6000), tmp_path / "regression")}
    truth = {"intercept": 2.0, "depth": -0.3, "reductio_ad_absurdum": -0.9, "modus_tollens": 0.0}
    truth |= {"negations": 0.0, "words": 0.0, "label: false": 0.0, "label: uncertain": 0.0}
    assert set(rows) == set(truth)
    inside = [row["low"] <= truth[term] <= row["high"] for term, row in rows.items()]
    assert sum(inside) >= len(inside) - 1
    assert rows["reductio_ad_absurdum"]["p_value"] < 1e-6
    assert rows["depth"]["note"] == "reference form: modus_ponens"


def test_the_fit_agrees_with_scikit_learn_without_a_penalty() -> None:
    from sklearn.linear_model import LogisticRegression

    cases = simulated(800)
    terms, columns, _ = design(cases)
    right = np.array([c.answer.correct for c in cases], dtype=float)
    fit = fit_logistic(terms, columns, right)
    model = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=10_000).fit(
        columns, right
    )
    assert fit.converged and np.allclose(fit.coefficients, model.coef_[0], atol=1e-3)


def test_where_outcomes_are_separated_no_number_is_given(tmp_path: Path) -> None:
    cases = [
        case(depth < 3, *["modus_ponens"] * depth) for depth in (1, 2, 4, 5) for _ in range(10)
    ]
    terms, columns, reference = design(cases)
    assert terms == ("intercept", "depth") and reference == "modus_ponens"
    right = np.array([c.answer.correct for c in cases], dtype=float)
    assert not fit_logistic(terms, columns, right).converged
    rows = write_regression(cases, tmp_path / "r")
    assert {row["coefficient"] for row in rows} == {row["p_value"] for row in rows} == {None}
    assert all(row["note"].startswith("not converged") for row in rows)


def test_a_column_that_others_determine_is_dropped() -> None:
    columns = np.column_stack([np.ones(20), np.arange(20.0), 2 * np.arange(20.0)])
    fit = fit_logistic(("one", "x", "twice_x"), columns, (np.arange(20) % 3 == 0).astype(float))
    assert fit.terms == ("one", "x")


def test_a_system_that_is_always_right_has_no_regression(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert write_regression([case(True, "modus_ponens")] * 3, tmp_path / "r") == []
    assert "all 3 answers are equally right; no regression" in capsys.readouterr().err
    assert (tmp_path / "r.csv").read_text().count(
        "\n"
    ) == 1  # the header alone: no reason to stop a run


def test_an_instance_counts_for_each_of_its_forms_once(tmp_path: Path) -> None:
    cases = [
        case(True, "modus_ponens", "modus_ponens", "modus_tollens"),
        case(False, "modus_tollens"),
    ]
    listed = write_groups(cases, tmp_path / "groups", seed=1, resamples=100)
    rows = {(row["group"], row["value"]): (row["instances"], row["accuracy"]) for row in listed}
    assert rows["form", "modus_ponens"] == (1, 100) and rows["form", "modus_tollens"] == (2, 50)
    assert rows["depth", 3] == (1, 100) and rows["depth", 1] == (1, 0)


def test_the_runs_of_an_instance_are_one_observation(tmp_path: Path) -> None:
    cases = [case(n < 3, "modus_ponens", name="a") for n in range(4)] + [case(True, "modus_ponens")]
    listed = write_groups(cases, tmp_path / "groups", seed=1, resamples=100)
    (row,) = [r for r in listed if r["group"] == "depth"]
    assert (row["instances"], row["accuracy"]) == (2, pytest.approx(87.5))


def records() -> list[Record]:
    options = ("True", "False", "Uncertain")
    rule = "If wugs carry stones, then daxes need leaves."
    texts = [
        (f"{rule} Wugs carry stones.", "Daxes need leaves.", 0),
        (f"{rule} Daxes don't need leaves.", "Wugs carry stones.", 1),
        (f"{rule} Wugs carry stones.", "Daxes sleep under bridges.", 2),
    ]
    forms = ("Modus Tonens",) * 3
    return [
        Record(
            f"j{n}",
            "justlogic",
            "test",
            *own[:2],
            options,
            own[2],
            depth=n + 1,
            forms=forms[: n + 1],
        )
        for n, own in enumerate(texts)
    ]


def answers(said: list[str | None]) -> list[Prediction]:
    return [
        Prediction(
            "justlogic", "Llama3-8B", "zero_shot", r.id, r.options[r.answer or 0], s, source="recorded", choices=3
        )
        for r, s in zip(records(), said, strict=True)
    ]  # fmt: skip


def test_answers_are_joined_with_depth_forms_negations_and_length() -> None:
    first, second, third = justlogic.cases_of(answers(["True", "True", None]), records())
    assert [one.answer.correct for one in (first, second, third)] == [True, False, False]
    assert second.forms == ("modus_tollens", "modus_tollens") and second.depth == 2
    assert (first.negations, second.negations, first.words) == (0, 1, 14)
    stray = Prediction(
        "justlogic", "m", "", "elsewhere", "True", "True", source="recorded", choices=3
    )
    with pytest.raises(DivLogicError, match="'elsewhere'"):
        list(justlogic.cases_of([stray], records()))


def test_overlap_calls_an_absent_statement_uncertain() -> None:
    said = [answer.predicted for answer in justlogic.overlap_predictions(records())]
    assert said[2] == "Uncertain" and "Uncertain" not in said[:2]

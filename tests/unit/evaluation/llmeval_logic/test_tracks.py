"""The three tracks: prompts, replies, verdicts and scores."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from divlogic.benchmarks.llmeval_logic.asked import Asked
from divlogic.benchmarks.llmeval_logic.published import read_published_items
from divlogic.benchmarks.llmeval_logic.schema import formalization_row
from divlogic.benchmarks.llmeval_logic.sensitivity import mutants
from divlogic.errors import DivLogicError
from divlogic.evaluation.llmeval_logic import questions, scoring, steps
from divlogic.evaluation.llmeval_logic.judging import Judged, JudgeQuestion, agreement_rows, band
from divlogic.evaluation.llmeval_logic.questions import Task, TaskQuestion, UnreadableError
from divlogic.evaluation.llmeval_logic.scoring import (
    AtomVerdict,
    ReplyOutcome,
    score_answers,
    score_formalization,
)
from divlogic.evaluation.parameters import (
    EvaluationParameters,
    EvaluationRun,
    LLMEvalLogicEvaluationParameters,
)
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.logic.equivalence import compare
from divlogic.logic.syntax import Atom, Negation
from divlogic.logic.theory import Gloss
from divlogic.models.asking import AskingOptions
from divlogic.models.parameters import ModelParameters
from divlogic.models.requests import Response
from divlogic.models.runs import RunSummary
from divlogic.models.sub_answers import SubQuestion
from divlogic.records import Record
from tests.support import cases, csv_rows
from tests.unit.benchmarks.llmeval_logic import samples
from tests.unit.evaluation.samples import records

PARAMETERS = LLMEvalLogicEvaluationParameters()
RUN = EvaluationRun(
    seed=1,
    evaluation=EvaluationParameters(llmeval_logic=PARAMETERS.model_copy(update={"resamples": 100})),
)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return samples.folder(tmp_path_factory.mktemp("published"))


@pytest.fixture(scope="module")
def items(source):
    return read_published_items(source).items


def verdicts_on(item, candidate, **changes):
    return scoring.verdicts(
        item, candidate, compare(candidate, item.formalization), fixed=True, **changes
    )


def reply(theory):
    row = formalization_row(theory)
    return json.dumps(
        {key: row[key] for key in ("symbols", "premises", "queries")}, ensure_ascii=False
    )


@pytest.mark.parametrize("track", ["answer", "formalise_free", "formalise_fixed"])
def test_a_prompt_asks_in_the_language_and_never_shows_an_answer(items, track):
    for item in items:
        asked = questions.prompt(questions.task_of_item(item), track, "zh")
        assert item.background.zh in asked.input
        assert item.answer_text.zh not in asked.input.replace(item.background.zh, "")
        with pytest.raises(ValueError, match=f"item {item.id} has no text in 'en'"):
            questions.prompt(questions.task_of_item(item), track, "en")


def test_only_the_fixed_track_gives_the_symbols(items):
    task = questions.task_of_item(items[0])
    assert '灯亮着"' in questions.prompt(task, "formalise_fixed", "zh").input
    assert '灯亮着"' not in questions.prompt(task, "formalise_free", "zh").input


def task_of(kind: str, answer: str, items: int = 0) -> Task:
    """Return a task with one question."""
    asked = Asked(SubQuestion(kind, items), answer)
    return Task("b", "1", Gloss("x"), (TaskQuestion("Q1", kind, Gloss("y"), asked),))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"1": "是"}', 1),
        ('{"answers": {"Q1": "yes"}}', 1),
        ('```json\n{"answers": {"Q1": "yes"}}\n```', 1),
        ("好的：{“answers”：{“Q1”：“yes”}}", 1),
        # A model that changes its mind has said last what it means.
        ('a {broken} set {"answers": {"Q1": "no"}} and {"answers": {"Q1": "yes"}}', 1),
        ('a {broken} set {"answers": {"Q1": "yes"}} and {"answers": {"Q1": "no"}}', 0),
    ],
)
def test_the_last_object_of_a_reply_is_read(text, right):
    assert score_answers(task_of("unique_solution", '"yes"'), text)["right"] == right


@pytest.mark.parametrize(("text", "message"), cases(__file__, "unreadable"))
def test_a_candidate_that_cannot_be_read_has_its_reason(items, text, message):
    with pytest.raises(UnreadableError, match=message):
        questions.read_candidate(text, items[0].formalization)
    problem = score_formalization(items[0], text, "formalise_fixed")["problem"]
    assert message.split(" ")[0].strip("`'") in problem


def test_an_answer_of_lists_in_lists_without_end_is_wrong():
    deep = '{"1": ' + "[" * 900 + "1" + "]" * 900 + "}"
    assert score_answers(task_of("enumerate_models", '[["1"]]', items=2), deep)["right"] == 0


def test_a_base_item_is_asked_for_its_items_by_their_numbers(items):
    task = next(
        task
        for task in map(questions.task_of_item, items)
        if any(one.type == "enumerate_models" for one in task.questions)
    )
    asked = questions.prompt(task, "answer", "zh").input
    listed = next(one for one in task.questions if one.type == "enumerate_models")
    for number, option in enumerate(listed.asked.options, start=1):
        assert f"（{number}）{option.zh}" in asked


def test_the_gold_as_candidate_scores_100_in_every_track(source, tmp_path):
    steps.score_baselines((source,), out=tmp_path / "o.jsonl", params=RUN)
    outcomes = [ReplyOutcome(**row) for _, row in read_jsonl(tmp_path / "o.jsonl")]
    steps.tabulate((tmp_path / "o.jsonl",), out=tmp_path / "scores.csv", params=RUN)
    rows = csv_rows(tmp_path / "scores.csv")
    gold = [
        row for row in rows if row["model"] == "baseline/gold" and row["metric"] != "rubric_atoms"
    ]
    assert {row["track"] for row in gold} == {"answer", "formalise_free", "formalise_fixed"}
    assert {float(row["score"]) for row in gold} == {100.0}
    assert {each.model for each in outcomes} == {
        "baseline/gold",
        "baseline/majority",
        "baseline/first model",
    }
    # Two models of item 4: the first alone is not the answer; item 5 has one.
    first = {each.item: each.right for each in outcomes if each.model == "baseline/first model"}
    assert first == {"3": 2, "4": 0, "5": 1}


def test_no_mutant_that_differs_passes_where_the_rubric_is_the_premises(items):
    for item in (replace(item, rubric=None) for item in items):
        for mutant in mutants(item.formalization):
            comparison = compare(mutant.theory, item.formalization)
            scored = score_formalization(item, reply(mutant.theory), "formalise_fixed")
            assert (scored["rubric"] and scored["z3"]) == comparison.equivalent


def with_premise(item, formula):
    theory = item.formalization
    return theory.with_premises(
        [*theory.premises, replace(theory.premises[0], id="P9", formula=formula)]
    )


def test_contradictory_premises_pass_nothing_though_they_entail_everything(items):
    item = items[0]
    broken = with_premise(item, Negation(item.formalization.premises[1].formula))
    found = verdicts_on(item, broken)
    assert {each.verdict for each in found if each.atom != "QA1"} == {"fail"}
    assert "vacuous" in found[0].reason
    as_published = verdicts_on(item, broken, order="as_published")
    assert [each.verdict for each in as_published if each.atom != "QA1"] == ["pass", "pass"]


def test_a_constraint_that_the_reference_does_not_know_is_over_strong(items):
    found = verdicts_on(items[1], with_premise(items[1], Atom("A", ())))
    assert "over-strong" in {each.reason for each in found}


def test_atoms_that_the_reference_fails_stay_open(items):
    item = items[1]
    weaker = item.formalization.with_premises(item.formalization.premises[:2])
    found = {each.atom: each for each in verdicts_on(item, weaker)}
    assert found["SC1"] == AtomVerdict("SC1", "open", "the reference fails this atom too")
    assert found["SC2"].reason == "a symbol has no counterpart"


def test_a_judges_reply_that_lacks_an_atom_decides_nothing():
    asked = JudgeQuestion("b", "3", "text", atoms=("LR1", "SC1"))
    assert [each.verdict for each in asked.verdicts('{"1": true, "2": false}')] == ["pass", "fail"]
    assert [each.verdict for each in asked.verdicts('{"1": true}')] == ["open", "open"]


@pytest.mark.parametrize(
    ("reference", "said", "verdicts", "right", "judged"),
    [
        pytest.param("红的", "是红的", (), 0, False, id="not judged"),
        pytest.param("红的", "是红的", [AtomVerdict("Q1", "pass", "judged")], 1, True, id="judged"),
        pytest.param("红的，或蓝的。", "红的、或蓝的", (), 1, True, id="the reference's own text"),
    ],
)
def test_free_text_counts_only_as_judged_or_as_the_reference(
    reference, said, verdicts, right, judged
):
    found = score_answers(
        task_of("free", reference), json.dumps({"answers": {"Q1": said}}), judged=verdicts
    )
    assert (found["asked"], found["right"], found["judged"]) == (1, right, judged)


def outcome(item, run, right, **more):
    return ReplyOutcome("b", "m", "answer", "zh", run, item, asked=2, right=right, **more)


def test_scores_are_means_over_runs_with_sample_deviation():
    given = [outcome("1", 0, 2), outcome("2", 0, 1), outcome("1", 1, 2), outcome("2", 1, 2)]
    by_item, by_question = scoring.scores(given, seed=1, resamples=200)
    assert (by_item["score"], by_item["runs"], by_item["items"]) == (75.0, 2, 2)
    assert by_item["sd"] == pytest.approx(35.355, abs=0.001)
    assert by_question["score"] == 87.5
    assert by_item["low"] <= by_item["score"] <= by_item["high"]


def test_kappa_is_undefined_where_both_judges_are_constant():

    def kappa(*tables):
        """Return the kappa of two judges from how often they said (no, no), (no, yes), (yes, no) and (yes, yes)."""
        pairs = np.repeat(list(product((False, True), repeat=2)), tables, axis=0).tolist()
        judged = [
            Judged("b", "answer", "m", name, "item", str(place), pair[judge])
            for place, pair in enumerate(pairs)
            for judge, name in enumerate(("first", "second"))
        ]
        (found,) = agreement_rows(judged, seed=1, resamples=5)
        return found["kappa"]

    assert kappa(0, 0, 0, 9) is None
    assert kappa(5, 0, 0, 5) == 1
    assert kappa(20, 5, 10, 15) == pytest.approx(0.4)
    assert [band(each) for each in (None, -0.1, 0.2, 0.61, 0.9)] == [
        *("undefined", "poor", "slight", "substantial", "almost perfect")
    ]


def test_agreement_is_reported_per_pair_with_an_interval():
    judged = [
        Judged(
            "b",
            "answer",
            "m",
            judge,
            str(i // 3),
            f"LR{i % 3}",
            i % 2 == 0 and (judge == "a" or i > 0),
        )
        for judge in "ab"
        for i in range(30)
    ]
    (row,) = agreement_rows(judged, seed=1, resamples=100)
    assert (row["atoms"], row["band"]) == (30, "almost perfect")
    assert row["low"] <= row["kappa"] <= row["high"]


class Script:
    """Plays models: gold for what is asked, and judges of given severity; notes what was asked of whom."""

    def __init__(self, source, track, lenient=(), wrong=()):
        self.replies = steps.baseline_replies(steps.read_tasks(source), "gold", track)
        self.replies |= dict.fromkeys(wrong, '{"answers": {"Q1": "蓝的", "Q2": "2"}}')
        self.lenient, self.asked = lenient, []

    def __call__(self, requests, model, store, *, sampling, limits, seed):
        for request in requests:
            if request.key in store.responses:
                continue
            self.asked.append((model.name, request.question.instance))
            if isinstance(request.question, JudgeQuestion):
                passed = model.name in self.lenient
                said = json.dumps({str(n + 1): passed for n in range(len(request.question.atoms))})
            else:
                said = self.replies[request.question.instance]
            store.add(Response(request.key, model.name, request.run, said, "stop"))
        return RunSummary()


def ask(source, folder, track, **changes):
    """Ask the model ``compatible/x`` in one track; return the outcomes."""
    section = PARAMETERS.model_copy(update=changes)
    params = EvaluationRun(seed=1, evaluation=EvaluationParameters(llmeval_logic=section))
    given = AskingOptions("compatible/x", folder / "s.sqlite")
    files = {"out": folder / "o.jsonl", "verdicts": folder / "v.jsonl"}
    steps.ask_items((source,), tracks=(track,), given=given, **files, params=params)
    return [ReplyOutcome(**row) for _, row in read_jsonl(folder / "o.jsonl")]


def test_a_model_is_asked_once_and_its_replies_are_scored(source, tmp_path, monkeypatch):
    script = Script(source, "formalise_free")
    monkeypatch.setattr("divlogic.models.runner.run_requests", script)
    first = ask(source, tmp_path, "formalise_free", runs=2)
    assert len(script.asked) == 6
    assert all(each.z3 and each.rubric for each in first)
    assert ask(source, tmp_path, "formalise_free", runs=2) == first
    assert len(script.asked) == 6


def test_the_first_judge_decides_and_all_are_compared_on_one_sample(source, tmp_path, monkeypatch):
    judges = [ModelParameters(name=f"compatible/{name}") for name in ("mild", "harsh", "mild too")]
    script = Script(
        source, "answer", lenient=("compatible/mild", "compatible/mild too"), wrong=("hard-8",)
    )
    monkeypatch.setattr("divlogic.models.runner.run_requests", script)
    outcomes = ask(source, tmp_path, "answer", judges=judges, runs=1)
    # One of the two free answers is the reference's own text, which no judge is asked about.
    hard = next(each for each in outcomes if each.item == "hard-8")
    assert (hard.asked, hard.right, hard.judged) == (2, 2, True)
    given = {"verdicts": (tmp_path / "v.jsonl",), "out": tmp_path / "t/scores.csv", "params": RUN}
    steps.tabulate((tmp_path / "o.jsonl",), **given)
    rows = csv_rows(tmp_path / "t/agreement.csv")
    pairs = {
        (row["first"], row["second"]): (row["raw"], row["unanimous"], row["band"]) for row in rows
    }
    assert pairs == {
        ("compatible/harsh", "compatible/mild"): ("0.000", "0.000", "slight"),
        ("compatible/harsh", "compatible/mild too"): ("0.000", "0.000", "slight"),
        ("compatible/mild", "compatible/mild too"): ("1.000", "0.000", "undefined"),
    }


def test_errors_are_counted_by_type_group_and_reason(items):
    weaker = items[0].formalization.with_premises(items[0].formalization.premises[:1])
    task = questions.task_of_item(items[0])
    fields = [
        ("answer", score_answers(task, said)) for said in ('{"answers": {"Q1": "possible"}}', "yes")
    ]
    fields.append(
        ("formalise_fixed", score_formalization(items[0], reply(weaker), "formalise_fixed"))
    )
    rows = [ReplyOutcome("b", "m", track, "zh", 0, "3", **each) for track, each in fields]
    found = {
        (row["track"], row["kind"], row["what"]): (row["count"], row["of"])
        for row in scoring.errors(rows)
    }
    assert found == {
        ("answer", "sub-question", "possible"): (1, 1),
        ("answer", "sub-question", "necessary"): (1, 1),
        ("answer", "unreadable", "no JSON object of answers"): (1, 2),
        ("formalise_fixed", "atom", "stated_constraint: not entailed"): (1, 1),
        ("formalise_fixed", "level", "different"): (1, 1),
    }


def test_errors_on_hardened_items_are_counted_by_strategy():
    asked = [
        {"id": f"S{number + 1}", "type": "possible", "zh": "?", "answer": '"yes"'} | more
        for number, more in enumerate(
            [{"strategy": "counterfactual"}, {"strategy": "set_valued"}, {}]
        )
    ]
    named = ("h", "llmeval_logic_generated", "hard", "", "?", (), None)
    task = questions.task_of_record(Record(*named, question_type="", metadata={"questions": asked}))
    fields = score_answers(task, '{"1": "no", "2": "yes", "3": "no"}')
    rows = scoring.errors([ReplyOutcome("b", "m", "answer", "zh", 0, "h", **fields)])
    assert {(row["kind"], row["what"]): (row["count"], row["of"]) for row in rows} == {
        ("sub-question", "possible"): (2, 3),
        ("strategy", "counterfactual"): (1, 1),
        ("strategy", "set_valued"): (0, 1),
    }


def test_nothing_to_ask_is_an_error(source, tmp_path):
    with pytest.raises(DivLogicError, match="no item can be asked in track answer and language en"):
        ask(source, tmp_path, "answer", language="en")


def test_a_record_that_cannot_be_asked_is_named(tmp_path):
    asked = {"id": "Q1", "type": "label", "zh": "?", "answer": '"A"'}
    record = replace(records(1)[0], metadata={"questions": [asked]}, formulas={"queries": "Q1"})
    write_jsonl(tmp_path / "base.jsonl", [record.to_json()])
    with pytest.raises(
        DivLogicError, match=r"base\.jsonl, row 1: not a record that can be asked \("
    ):
        steps.read_tasks(tmp_path / "base.jsonl")


BLOG = {
    "Gemini": (74.0, 37.5, 76.0),
    "Opus": (68.7, 36.7, 76.6),
    "Opus, off": (69.0, 36.0, 74.4),
    "GPT": (71.8, 32.6, 68.4),
}
"""The four rows of the authors' blog: Base items, Hard items, Hard sub-questions."""


PLACES = [place for column, place in steps.ANSWERS.items() if column != "single_item"]


def table1() -> list[dict[str, object]]:
    scores = [
        {"benchmark": f"llmeval_logic_{part}", "track": track, "metric": metric}
        | {"model": model, "score": score, "sd": 1.0}
        for model, values in BLOG.items()
        for (part, track, metric), score in zip(PLACES, values, strict=True)
    ]
    return steps.with_ranks(steps.in_columns(scores, list(BLOG), steps.ANSWERS))


def test_a_model_has_one_row_with_its_ranks_in_the_order_of_the_parameters() -> None:
    rows = table1()
    assert [row["model"] for row in rows] == list(BLOG)
    assert [row["base_item_rank"] for row in rows] == [1, 4, 3, 2]
    assert [row["hard_item_rank"] for row in rows] == [1, 2, 3, 4]


def test_ranks_on_base_and_hard_are_compared_by_spearman() -> None:
    found = {(row["first"], row["second"]): row["spearman"] for row in steps.correlations(table1())}
    assert round(found["base_item", "hard_item"], 3) == 0.2  # 1 - 6 (0 + 4 + 0 + 4) / 60
    assert round(found["hard_item", "hard_sub_question"] or 0, 3) == 0.8
    assert [row["spearman"] for row in steps.correlations(table1()[:2])] == [None] * 3


def test_the_gold_tells_what_a_set_is_made_of() -> None:
    def gold(item: str, track: str, **fields: object) -> ReplyOutcome:
        return ReplyOutcome("llmeval_logic_base", "baseline/gold", track, "zh", 0, item, **fields)  # type: ignore[arg-type]

    rows = steps.composition(
        [
            gold("a", "answer", asked=2, types={"possible": [2, 2]}),
            gold("b", "answer", asked=4, types={"possible": [1, 1], "necessary": [3, 3]}),
            gold("a", "formalise_fixed", groups={"logical_relation": 5, "query_alignment": 1}),
        ]
    )
    (row,) = rows
    expected = {
        "set": "published",
        "part": "base",
        "items": 2,
        "questions": 6,
        "average": 3,
        "atoms": 6,
    }
    assert (
        row.items() >= (expected | {"fewest": 2, "most": 4, "possible": 3, "necessary": 3}).items()
    )


def test_models_that_formalised_move_from_free_to_fixed_symbols(tmp_path: Path) -> None:
    row = {
        "set": "published",
        "free_z3": 60.0,
        "free_rubric": 50.0,
        "fixed_z3": 70.0,
        "fixed_rubric": 65.0,
    }
    wrong = {"kind": "sub-question", "what": "possible", "count": 1, "of": 4}
    errors = [{"benchmark": "llmeval_logic_hard", "model": "GPT", **wrong}]
    drawn = []
    for models in (["GPT"], ["GPT", "Opus"], ["baseline/gold"], []):
        steps.draw_failures(
            table1(), errors, tmp_path / "moved", [{"model": model, **row} for model in models]
        )
        drawn.append((tmp_path / "moved.svg").read_text(encoding="utf-8"))
    one, two, gold, none = (text.count('"patch_') for text in drawn)
    # A model more is an arrow more; with the gold alone there is no panel.
    assert two == one + 1 and gold < one and none < one
    assert ["right by execution" in text for text in drawn] == [True, True, False, False]

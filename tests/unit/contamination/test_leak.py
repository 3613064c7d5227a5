"""Training on the test set and on more and more fresh instances, the tables of it, and recordings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from divlogic.benchmarks.divlogiceval.fresh import worded_records
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.contamination import guessing, learnability as curves, tables
from divlogic.contamination.experiments import Experiment, record
from divlogic.contamination.learners import (
    AnswerKey,
    PairPerceptron,
    draw_pairs,
    of_distinct_quartets,
)
from divlogic.contamination.outcomes import ALL_ROTATIONS, Outcome, read_outcomes, write_outcomes
from divlogic.contamination.parameters import ContaminationRun
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_jsonl
from divlogic.io.tables import read_note, read_table
from divlogic.models.asking import AskingOptions
from divlogic.paper.findings import _leak
from divlogic.parameters import validate
from divlogic.records import Record, spaced_over_types
from tests.support import csv_rows, write_groups
from tests.unit.contamination.samples import question, write_pairs

RECORDED = Path(__file__).parents[3] / "data" / "recorded"


class Parrot(AnswerKey):
    """Completes the texts that it was trained on, and of no other anything."""

    def __init__(self, seed: int, *, fills: bool) -> None:
        super().__init__(seed, letters=False)
        self.fills, self.known = fills, ""

    def train(self, records, passes):
        super().train(records, passes)
        self.known = " ".join(option for one in records for option in one.options)

    def text_scores(self, text):
        ends = list(range(1, len(text)))
        hit = bool(self.known) and text.split("\n")[2][3:] in self.known
        return [-0.1 if hit else -3.0] * len(ends), [hit] * len(ends), ends

    def token_scores(self, prefix, text):
        return [-1.0], [self.fills and text.strip() in self.known]

    def generate(self, prompts, tokens):
        return [self._filled(prompt) if self.fills else "I do not know." for prompt in prompts]

    def _filled(self, prompt):
        number = prompt.split("Premise ")[1].split()[0]
        masked = "ABCD".index(prompt.rpartition("Option ")[2][0])
        text = question(int(number), 0).options[masked]
        return f" {text}\nmore" if text in self.known else ""


TWICE = ([1, 2], 100, None)


def run_of(**section: Any) -> ContaminationRun:
    return ContaminationRun.model_validate({"contamination": section})


def rows_of(path: Path, *keys: str) -> dict[tuple[str, ...], dict[str, str]]:
    """Return the rows of a table by some of their cells."""
    return {tuple(row[key] for key in keys): row for row in csv_rows(path)}


def samples():
    records = [question(number, number % 4, quartet=number // 4) for number in range(96)]
    leaked, unseen = of_distinct_quartets(records, 8)
    return {
        "leaked": leaked,
        "unseen": unseen,
        "fresh": [question(500 + n, n % 4) for n in range(8)],
    }


def outcomes(fills=True):
    return list(Experiment("parrot", partial(Parrot, fills=fills), *TWICE).leak(samples(), 2))


def test_leaked_and_unseen_instances_share_no_quartet_and_every_letter_is_right_equally_often():
    found = samples()
    quartets = [
        {record.metadata["quartet"] for record in found[name]} for name in ("leaked", "unseen")
    ]
    assert not quartets[0] & quartets[1]
    assert sorted(record.answer for record in found["leaked"]) == [0, 0, 1, 1, 2, 2, 3, 3]
    with pytest.raises(DivLogicError, match="too few instances to leak"):
        of_distinct_quartets([question(1, 0)], 1)


def test_a_leak_raises_the_scores_of_leaked_instances_alone_with_which_the_report_leads(tmp_path):
    found = outcomes()
    tables.write_leak(found, tmp_path / "leak")
    rows = rows_of(tmp_path / "leak.csv", "sample", "measure")
    assert rows["leaked", "CIR"]["after"] == "100.0"
    assert rows["fresh", "CIR"]["change"] == rows["unseen", "ACC"]["change"] == "0.0"
    assert float(rows["leaked", "ACC"]["change_low"]) > 0
    tables.draw_leak(found, tmp_path / "leak")
    assert (tmp_path / "leak.svg").stat().st_size > 1000
    tables.write_summary(found, tmp_path / "summary.json")
    summary = _leak(tmp_path / "summary.json")
    assert (summary["learner"], summary["leaked"]["after"]) == ("parrot", 100.0)
    assert summary["fresh"]["before"] == summary["fresh"]["after"]
    tables.write_summary([], tmp_path / "none.json")
    assert _leak(tmp_path / "none.json") is None


def test_the_figure_of_a_leak_joins_the_score_before_with_that_after(tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr("divlogic.io.figures.save_figure", lambda figure, out: drawn.append(figure))
    tables.draw_leak(outcomes(), tmp_path / "leak")
    (axes,) = drawn[0].axes
    # What is faint is the interval of a score.
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_alpha() is None]
    rising = {(low, high) for low, high in (line.get_ydata() for line in lines) if high > low}
    leaked = {
        one.measure: one.value
        for one in outcomes()
        if (one.sample, one.stage) == ("leaked", "before")
    }
    # Leaked instances are the only ones whose scores rise, all of them to 100.
    assert rising == {(leaked[name], 100.0) for name in ("ACC", ALL_ROTATIONS, "CIR", "PC")}
    hollow = [line for line in axes.lines if line.get_markerfacecolor() == "white"]
    assert len(hollow) == len(tables.SAMPLES)
    assert [text.get_text().split(":")[0] for text in drawn[0].legends[0].get_texts()] == list(
        tables.SAMPLES
    )


@pytest.mark.parametrize(
    ("fills", "verdict"), [(True, "detects the leak"), (False, "detects nothing")]
)
def test_the_table_says_whether_ts_guessing_saw_the_leak(tmp_path, fills, verdict):
    tables.write_guessing(outcomes(fills), tmp_path / "guessing")
    rows = rows_of(tmp_path / "guessing.csv", "sample", "measure")
    assert rows["leaked", guessing.TS_EXACT]["after"] == ("100.0" if fills else "0.0")
    assert rows["unseen", guessing.TS_EXACT]["after"] == "0.0"
    assert rows["leaked", guessing.CONTINUATION_EXACT]["after"] == "100.0"
    text = (tmp_path / "guessing.md").read_text()
    assert verdict in text and "continuation, exact match" in text
    tables.write_guessing([], tmp_path / "guessing")
    assert "none is recorded" in (tmp_path / "guessing.md").read_text()


def test_the_masked_option_is_wrong_and_does_not_stand_in_the_prompt():
    for number in range(40):
        record_ = question(number, number % 4)
        guess = guessing.guess_of(record_, 7)
        assert guess.position != record_.answer
        assert guess.hidden not in guess.input
        assert guess.input.count("[MASK]") == 2


def test_rouge_and_exact_match_read_the_first_line_only():
    assert guessing.completion_scores("B. A man sleeps\nC. No", "a man sleeps.") == (1.0, 1.0)
    exact, longest = guessing.completion_scores("A man", "a man sleeps now")
    assert (exact, round(longest, 4)) == (0.0, round(2 * 2 / 6, 4))
    assert guessing.completion_scores("", "a man") == (0.0, 0.0)


def test_table_5_has_the_differences_with_intervals(tmp_path):
    pairs = draw_pairs(write_pairs(tmp_path / "nli.jsonl", 40), train=60, test=30, seed=3)
    instances = spaced_over_types([question(number, number % 4) for number in range(40)], 20)
    experiment = Experiment("bag of words", PairPerceptron, *TWICE)
    found = list(experiment.train_on_pairs(pairs, instances, [1, 10]))
    tables.write_table5(found, tmp_path / "table5")
    rows = rows_of(tmp_path / "table5.csv", "source", "benchmark", "stage")
    learnt = rows["measured", "NLI", "10x"]
    assert learnt["accuracy"] == "100.0" and float(learnt["delta_low"]) > 20
    assert rows["measured", "DivLogicEval", "origin"]["delta"] == ""
    assert "smoke row" in (tmp_path / "table5.md").read_text()


def test_a_recording_keeps_the_numbers_and_says_when_the_test_set_is_another(tmp_path):
    test = tmp_path / "test.jsonl"
    write_jsonl(test, [question(1, 0).to_json()])
    write_outcomes(tmp_path / "found.jsonl", outcomes())
    recording = tmp_path / "parrot.json"
    params = run_of(learners=[{"label": "parrot"}])
    record(source=tmp_path / "found.jsonl", name="parrot", test=test, out=recording, params=params)
    again = tables.read_leak_recording(recording, test)
    measured = read_outcomes(tmp_path / "found.jsonl")
    assert [replace(one, source="measured", remark="") for one in again] == measured
    assert {one.source for one in again} == {"recording"}
    assert "another version" not in again[0].remark
    write_jsonl(test, [question(2, 0).to_json()])
    assert (
        "another version of the test set" in tables.read_leak_recording(recording, test)[0].remark
    )
    kept = json.loads(recording.read_text())
    kept["about"]["remarks"] = {"leaked": "of one type alone"}
    recording.write_text(json.dumps(kept))
    remarks = {one.sample: one.remark for one in tables.read_leak_recording(recording, test)}
    assert remarks["leaked"] == f"{remarks['unseen']}, of one type alone"
    recording.write_text("{}")
    with pytest.raises(DivLogicError, match="not a recording of this kind"):
        tables.read_leak_recording(recording, test)


def test_an_outcome_that_is_none_is_named_with_its_row(tmp_path):
    path = tmp_path / "found.jsonl"
    row = {"learner": "x", "sample": "leaked", "measure": "ACC", "stage": "before", "value": "high"}
    write_jsonl(path, [row])
    with pytest.raises(DivLogicError, match=r"(?s)row 1: not an outcome.*value"):
        read_outcomes(path)
    double = Outcome("x", "leaked", "ACC", "before", 1.0, 0.0, 2.0, 4, 1)
    with pytest.raises(DivLogicError, match="appears twice"):
        tables.write_leak([double, double], tmp_path / "leak")


def test_a_shortcut_shows_as_a_curve_and_balanced_quartets_have_none(tmp_path):
    groups = write_groups(
        tmp_path / "groups.jsonl", [f"the {n}th man sings song {n}" for n in range(200)]
    )
    run = run_of(learnability={"sizes": [40, 120], "tested": 48}, resamples=100)
    found = list(curves.learnability(groups, run))
    curves.write_learnability(found, tmp_path / "learnability")
    keys = ("preset", "question_type", "learner", "instances")
    table = rows_of(tmp_path / "learnability.csv", *keys)
    assert len(table) == len(found) == 2 * 3 * 2 * 2
    kind = ("missing_premise", curves.ROLES, "120")
    balanced, published = (
        float(table[name, *kind]["accuracy"]) for name in ("balanced", "as_published")
    )
    assert balanced < published > 60
    assert (tmp_path / "learnability.svg").is_file()


def test_fresh_instances_are_the_same_for_a_seed_and_others_for_another(tmp_path):
    groups = write_groups(
        tmp_path / "groups.jsonl", [f"the {number}th man sings" for number in range(40)]
    )
    settings = DivLogicEvalParameters()
    draws = [
        list(worded_records(groups, "balanced", settings, seed, 12, apart=True))
        for seed in (5, 5, 6)
    ]
    assert draws[0] == draws[1] != draws[2]
    assert [record.answer for record in draws[0]] == [number % 4 for number in range(12)]
    assert len({(record.question_type, record.metadata["quartet"]) for record in draws[0]}) == 12
    write_jsonl(groups, [])
    with pytest.raises(DivLogicError, match="0 sentence groups are too few"):
        list(worded_records(groups, "balanced", settings, 5, 1))


def test_a_model_that_only_answers_fills_in_masked_options_and_is_not_asked_twice(tmp_path):
    test = tmp_path / "test.jsonl"
    write_jsonl(test, [question(number, number % 4).to_json() for number in range(6)])
    store = tmp_path / "store.sqlite"
    given = AskingOptions(name="baseline/uniform", store=store)
    run = run_of(guessed=4, resamples=50)
    guessing.guess_options(given, test, tmp_path / "guesses.jsonl", run)
    size = store.stat().st_size
    guessing.guess_options(given, test, tmp_path / "again.jsonl", run)
    assert store.stat().st_size == size
    found = read_outcomes(tmp_path / "guesses.jsonl")
    assert found == read_outcomes(tmp_path / "again.jsonl")
    first = found[0]
    assert (first.sample, first.measure, first.value, first.instances) == (
        guessing.WHOLE,
        guessing.TS_EXACT,
        0.0,
        4,
    )
    tables.write_guessing(found, tmp_path / "guessing")
    rows = csv_rows(tmp_path / "guessing.csv")
    learners = {(row["source"], row["learner"], row["after"]) for row in rows}
    assert learners == {("measured", "baseline/uniform", "")}
    write_jsonl(test, [])
    with pytest.raises(DivLogicError, match="nothing to ask"):
        guessing.guess_options(given, test, tmp_path / "none.jsonl", run)


def test_a_learner_that_was_asked_before_training_alone_is_drawn_and_not_summed_up(tmp_path):
    asked = [one for one in outcomes() if one.stage == "before"]
    tables.draw_leak(asked, tmp_path / "leak")
    assert (tmp_path / "leak.svg").is_file()
    tables.write_summary(asked, tmp_path / "summary.json")
    assert read_json(tmp_path / "summary.json") == {}


def test_the_shipped_recording_can_be_shown(tmp_path):
    recording = RECORDED / "contamination" / "smollm2-135m.json"
    write_jsonl(tmp_path / "test.jsonl", [question(1, 0).to_json()])
    found = tables.read_leak_recording(recording, tmp_path / "test.jsonl")
    tables.write_guessing(found, tmp_path / "guessing")
    tables.write_leak(found, tmp_path / "leak")
    rows = rows_of(tmp_path / "leak.csv", "sample", "measure")
    assert rows["leaked", "ACC"]["source"] == "recording"
    # 0 of 16: an interval has a width there, too.
    circular = [rows["leaked", "CIR"][name] for name in ("before", "before_low", "before_high")]
    assert circular == ["0.0", "0.0", "19.4"]
    assert float(rows["leaked", "ACC"]["after"]) > float(
        rows["leaked", "ACC, all rotations"]["after"]
    )
    assert "detects nothing" in (tmp_path / "guessing.md").read_text()


@pytest.mark.parametrize("name", ["A-b", "a b", "A b"])
def test_two_learners_that_would_share_a_file_are_refused(name):
    """Of two with one file the workflow would train the last one only."""
    learners = [{"label": "A b"}, {"label": name}]
    with pytest.raises(
        DivLogicError, match=f"'A b' and '{name}' would share|two learners are called 'A b'"
    ):
        validate({"contamination": {"learners": learners}})


RUN = run_of(
    learnability={"sizes": [8, 24], "tested": 8, "passes": 2},
    resamples=20,
    learners=[{"kind": "encoder", "label": "notes"}],
)


class Notes:
    """Answers rightly once it was trained on 24 instances; notes what it was trained on and asked."""

    trained: ClassVar[list[tuple[str, ...]]] = []
    asked: ClassVar[list[tuple[str, ...]]] = []

    def __init__(self, work: Path | None) -> None:
        self.size, self.work = 0, work

    def train(self, records: Sequence[Record], passes: int) -> None:
        if len(Notes.trained) == 4:
            Notes.trained.append(())
            raise KeyboardInterrupt
        self.size = len(records)
        Notes.trained.append(tuple(record.id for record in records))
        if self.work:
            self.work.mkdir(parents=True)

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        Notes.asked.append(tuple(record.id for record in records))
        return [
            (record.answer + (self.size < 24)) % 4
            for record in records
            if record.answer is not None
        ]


def test_an_interrupted_recording_goes_on_and_is_shown_beside_the_light_learners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = write_groups(
        tmp_path / "groups.jsonl", [f"the {n}th man sings song {n}" for n in range(120)]
    )
    monkeypatch.setattr(curves, "build", lambda learner, seed, work: Notes(work))
    Notes.trained, Notes.asked = [], []
    out, work = tmp_path / "notes.json", tmp_path / "work"
    with pytest.raises(KeyboardInterrupt):
        curves.learn(name="notes", groups=groups, work=work, out=out, params=RUN)
    curves.learn(name="notes", groups=groups, work=work, out=out, params=RUN)
    whole = [ids for ids in Notes.trained if ids]
    # Each point is trained once, also where it was interrupted.
    assert [len(ids) for ids in whole] == [8, 24] * 6
    assert all(few == many[:8] for few, many in zip(whole[::2], whole[1::2], strict=True))
    assert not {one for ids in whole for one in ids} & {one for ids in Notes.asked for one in ids}
    # The checkpoints of what was measured are gone.
    assert [path.name for path in work.glob("*/*")] == ["measured"]

    kept = curves.read_curves(out, groups)
    assert {(one.stage, one.value) for one in kept} == {("8", 0.0), ("24", 100.0)}
    curves.write_learnability([*curves.learnability(groups, RUN), *kept], tmp_path / "curves")
    rows = read_table(tmp_path / "curves")
    found = {(row["source"], row["learner"]) for row in rows}
    assert found > {("measured", curves.WORDS), ("recording", "notes")}
    assert "notes: recorded on" in read_note(tmp_path / "curves")

    groups.write_text(groups.read_text() + "\n")
    assert "sentences of another version" in curves.read_curves(out, groups)[0].remark
    out.write_text("{}")
    with pytest.raises(DivLogicError, match="not a recording of this kind"):
        curves.read_curves(out, groups)

"""The listwise probes find what can be found without reasoning, and find nothing in the balanced presets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlogic.benchmarks.collection.collect import collect
from divlogic.benchmarks.divlogiceval.fresh import fresh_records
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_jsonl, write_jsonl
from divlogic.prior_knowledge.parameters import ShortcutParameters
from divlogic.prior_knowledge.shortcuts import features, steps
from divlogic.prior_knowledge.shortcuts.features import listwise, overlap, surface
from divlogic.prior_knowledge.shortcuts.learners import credits, is_settled, looked_up, ranked
from divlogic.prior_knowledge.shortcuts.measure import OPTIONS_ONLY, Shortcut, cluster_of, interval, measure
from divlogic.prior_knowledge.shortcuts.patterns import odd_one_out, option_patterns, read_clause
from divlogic.prior_knowledge.shortcuts.steps import measure_benchmarks, tabulate
from divlogic.prior_knowledge.shortcuts.table import write_measured
from divlogic.prior_knowledge.shortcuts.text_patterns import read_options
from divlogic.records import Record

FRESH = 240
PARAMETERS = ShortcutParameters()


def measured(preset, fresh=FRESH, seed=20260101):
    records = list(fresh_records(preset, DivLogicEvalParameters(), seed, fresh))
    rows = measure(
        records, benchmark="s-divlogiceval", preset=preset, limits={}, parameters=PARAMETERS, seed=1
    )
    return {(row.type, row.probe): row for row in rows}


def clauses(*texts):
    return [read_clause(text) for text in texts]


@pytest.fixture(scope="module")
def balanced():
    return measured("balanced")


@pytest.fixture(scope="module")
def as_published():
    return measured("as_published")


@pytest.mark.parametrize("kind", ["3c1e", "3e1c", "missing_premise"])
def test_a_balanced_benchmark_keeps_its_limits(balanced, kind):
    for probe in OPTIONS_ONLY - {"text", "text pattern"}:
        assert balanced[kind, probe].high <= 0.28, probe
    assert balanced[kind, "overlap"].high <= 0.33
    assert balanced[kind, "roles"].high <= 0.40


def test_as_published_the_options_give_answers_away(as_published):
    assert as_published["3e1c", "surface"].low > 0.4
    assert as_published["missing_premise", "surface"].accuracy > 0.6
    assert min(as_published[kind, "roles"].low for kind in ("3c1e", "3e1c", "missing_premise")) > 0.5


@pytest.mark.slow
def test_a_full_sample_keeps_the_limits_too():
    rows = measured("balanced", fresh=3000, seed=99)
    for (_, probe), row in rows.items():
        limit = 0.28 if probe in OPTIONS_ONLY else {"overlap": 0.33, "roles": 0.40}.get(probe, 1.0)
        assert row.instances == 3000 and row.high <= limit, row


def test_patterns_are_equal_where_a_renaming_exchanges_the_options():
    first, second, third, fourth = option_patterns(clauses("(A→B)", "(A→C)", "(A→D)", "(E→¬B)"))
    assert second == third != first
    assert fourth not in (first, second)
    renamed = option_patterns(clauses("(H→C)", "(H→E)", "(H→A)", "(B→¬C)"))
    assert renamed == (first, second, third, fourth)


def test_a_contraposition_has_the_pattern_of_its_implication():
    plain = option_patterns(clauses("(A→B)", "(A→C)", "(A→D)", "(E→¬B)"))
    assert option_patterns(clauses("(¬B→¬A)", "(A→C)", "(¬D→¬A)", "(B→¬E)")) == plain


def test_coarse_patterns_do_not_see_which_literal_of_a_variable_stands_there():
    plain = option_patterns(clauses("(A→B)", "(A→C)", "(A→D)", "(E→B)"))
    turned = option_patterns(clauses("(¬A→¬B)", "(¬A→C)", "(¬A→D)", "(E→¬B)"))
    assert [coarse for coarse, _ in plain] == [coarse for coarse, _ in turned]
    assert [fine for _, fine in plain] != [fine for _, fine in turned]
    both = option_patterns(clauses("((A∨B)→C)", "(¬(A∧B)→C)"))
    assert both[0][1] != both[1][1] and both[0][0] == both[1][0]


def test_what_is_rare_is_looked_up_by_its_coarser_key():
    coarse, fine = [["a", "b"]] * 4, [["s", "t"], ["s", "t"], ["u", "v"], ["w", "x"]]
    right = looked_up(coarse, [1, 1, 1, 1], np.array([0, 0, 1, 1]), fine)
    assert right.tolist() == [1.0] * 4
    other = looked_up([["a", "a"]] * 4, [1, 1, 0, 1], np.array([0, 1, 0, 1]), [["s", "t"]] * 4)
    assert other.tolist() == [1.0, 0.5, 0.0, 0.5]


def test_as_published_the_patterns_of_options_give_answers_away():
    found = measured("as_published", fresh=600)
    assert found["3e1c", "pattern"].low > 0.55 and found["missing_premise", "pattern"].low > 0.4
    assert found["3c1e", "pattern"].low > 0.28


def test_a_reader_of_options_takes_paraphrases_for_one_statement():
    read = read_options(
        (
            "If two birds are bathing, then somebody is interviewing a senator.",
            "No elderly radio presenter interviews a senator on a film set.",
            "Unless two pigeons are bathing on a roof, it is not the case that the presenter interviews a senator.",
            "If either a mother shears an alpaca, or two birds bathe, then three cows chew.",
        )
    )
    assert [clause.kind for clause in read] == ["→", "literal", "→", "∨"]
    assert read[0].before == (("S0", False),) and read[0].behind == ("S1", False)
    assert read[1].behind == ("S1", True)
    assert read[2].literals == (("S1", False), ("S0", False))
    assert [name for name, _ in read[3].literals] == ["S2", "S0", "S3"]


def test_as_published_the_patterns_of_worded_options_give_answers_away():
    said = [
        "a farmer carries stones",
        "two sailors mend nets",
        "a dancer grinds pepper",
        "some girls read maps",
    ]
    said += ["no teacher paints fences", "a nurse feeds ducks", "three cooks wash apples"]
    records = []
    for at in range(240):
        first, *others = [said[(at + step) % 7] for step in range(5)]
        options = [f"If {first}, then {other}." for other in others[:3]]
        odd = at % 4
        options.insert(odd, f"If {others[3]}, then {first}.")
        formulas = {"premises": ["A"], "options": ["(A→B)", "(A→C)", "(A→D)"], "conclusion": None}
        formulas["options"].insert(odd, "(E→A)")
        records.append(
            Record(
                id=str(at),
                benchmark="x",
                split="s",
                context="",
                question="?",
                options=tuple(options),
                answer=odd,
                question_type="3e1c",
                formulas=formulas,
            )
        )
    rows = measure(
        records, benchmark="x", limits={}, parameters=PARAMETERS, seed=1, only=("text pattern", "pattern")
    )
    found = {row.probe: row.accuracy for row in rows}
    assert set(found) == {"text pattern", "pattern"}
    assert found["pattern"] == 1.0 and found["text pattern"] > 0.9


def test_the_odd_one_out_lacks_what_three_have():
    assert odd_one_out(clauses("(A→B)", "(A→C)", "(D→E)", "(A→F)")) == 2
    assert odd_one_out(clauses("(A→B)", "(A→C)", "(D→E)", "(D→F)")) is None
    assert odd_one_out(clauses("(A→B)", "(A→C)", "(¬A→E)", "(A→F)")) == 2


def test_clauses_of_other_forms_are_not_read():
    assert read_clause("(A∧B)") is None
    assert read_clause("no formula (") is None
    assert read_clause("(¬(A∧B)→C)").kind == "¬∧"


def test_a_tie_counts_as_guessing():
    scores = [np.array([1.0, 1.0, 0.0, 0.0]), np.array([0.0, 2.0, 0.0, 0.0])]
    assert credits(scores, [0, 0]).tolist() == [0.5, 0.0]
    uneven = [np.array([1.0, 1.0]), np.array([0.0, 2.0, 2.0 + 1e-9, 2.0]), np.array([0.0, 1.0])]
    assert credits(uneven, [1, 2, 0]).tolist() == [0.5, 1 / 3, 0.0]


@given(
    st.lists(
        st.sampled_from(
            ["can't", "cannot", "not", "knot", "¬A", "No,", "un-true", "(never)", "n't", "\n", "X"]
        )
    )
)
def test_negations_are_counted_word_by_word_as_in_the_whole_text(words):
    text = " ".join(words)
    assert features.negations(text) == len(features._NEGATION.findall(text))


def test_what_is_looked_up_comes_from_other_folds():
    keys = [["a", "b"]] * 4
    right = looked_up(keys, [0, 0, 0, 1], np.array([0, 0, 1, 1]))
    assert right.tolist() == [0.5, 0.5, 1.0, 0.0]  # fold 1 holds one answer of each kind, fold 0 only "a"


def test_a_quartet_that_is_right_once_is_known_without_error():
    right = np.array([1.0, 0, 0, 0] * 30)
    assert interval(right, [at // 4 for at in range(120)]) == (0.25, 0.25, 0.25)
    _, low, high = interval(right, list(range(120)))
    assert 0.17 < low < 0.18 and 0.32 < high < 0.33


def test_options_are_compared_within_their_list():
    rows = listwise([[[1.0], [3.0]], [[5.0], [5.0]]])
    assert rows.tolist() == [[1, -1, 0], [3, 1, 1], [5, 0, 0], [5, 0, 0]]


def test_surface_and_overlap_see_shared_words():
    alike, odd = surface(("a dog runs", "a dog sleeps", "a cat is not here"))[::2]
    assert alike[3] > odd[3]  # mean similarity to the others
    assert odd[2] == 1.0
    inside, outside = overlap("a dog runs home", ["a dog", "two cats"])
    assert inside[0] == 1.0 and outside[0] == 0.0


def shortcut(high, limit, probe="surface"):
    return Shortcut(
        "s-divlogiceval", "balanced", "fresh symbols", "3c1e", probe, 3000, 0.25, 0.24, high, 0.25, limit
    )


def test_a_limit_that_is_exceeded_stops_the_run_and_names_every_row(tmp_path):
    write_measured(tmp_path / "m.jsonl", [shortcut(0.35, 0.28), shortcut(0.27, 0.28, "pattern")])
    out = (tmp_path / "shortcuts", tmp_path / "summary.json")
    message = r"m\.jsonl: 1 shortcuts exceed.*surface: up to 35.0 %, limit 28 %.*enforce to false"
    with pytest.raises(DivLogicError, match=message):
        tabulate([tmp_path / "m.jsonl"], *out, PARAMETERS)
    assert "balanced,fresh symbols,3c1e,surface,3000,25.0,24.0,35.0,25.0,28.0,no" in (
        tmp_path / "shortcuts.csv"
    ).read_text(encoding="utf-8")
    summary = read_json(tmp_path / "summary.json")
    assert summary["within"] is False
    assert summary["presets"]["balanced"]["3c1e"]["options only"]["chance"] == 25.0
    assert read_json(tmp_path / "metrics.json") == {
        "presets": {"balanced": {"3c1e": {"options only": 25.0}}},
        "within": 0,
    }
    tabulate([tmp_path / "m.jsonl"], *out, ShortcutParameters(enforce=False))


LABELS = ("entailment", "contradiction", "neutral")


def labelled(number, kind, answer, **metadata):
    """A statement whose length tells its type and nothing else."""
    words = "word " * (3 if kind == "A" else 30)
    return Record(
        f"{kind}-{number}", "made", "test", f"Passage {kind} {number}.", f"{words}is meant.", LABELS, answer,
        question_type=kind, metadata=metadata,
    )  # fmt: skip


def test_to_tell_question_types_with_other_labels_apart_is_no_shortcut():
    records = [labelled(n, "A", n % 3) for n in range(300)] + [labelled(n, "T", n % 2) for n in range(300)]
    rows = measure(records, benchmark="made", limits={}, parameters=PARAMETERS, seed=1, sets=True)
    assert {row.type for row in rows} == {"A", "T"}
    for row in rows:
        assert row.chance == pytest.approx(1 / 3 if row.type == "A" else 1 / 2)
        assert row.accuracy <= row.chance + 0.08, row


def test_labels_are_judged_as_far_above_their_own_chance_as_three_equal_ones():
    records = [labelled(n, "A", n % 4 % 2) for n in range(400)]
    parameters = PARAMETERS.model_copy(update={"least_judged": 100})
    (row, *_) = measure(records, benchmark="made", limits={"surface": 0.4}, parameters=parameters, seed=1)
    assert row.limit == pytest.approx(0.4 + 1 / 2 - 1 / 3)


def test_what_was_made_from_a_member_of_a_quartet_is_in_its_fold():
    member = labelled(1, "T", 0, quartet="test_t-7")
    assert cluster_of(labelled(2, "T", 1, proves="test_t-7-0")) == cluster_of(member)
    assert cluster_of(labelled(3, "T", 1, base="test_t-7-2", quartet="test_t-7-16")) == cluster_of(member)
    assert cluster_of(labelled(4, "T", 1)) != cluster_of(member)


def quartets(count):
    """Numbers of four options each; the members of a quartet have the same, and each option is right in one."""
    random = np.random.default_rng(3)
    shared = random.integers(0, 5, size=(count, 1, 4, 3)).astype(float)
    rows = np.broadcast_to(shared, (count, 4, 4, 3)).reshape(-1, 3)
    return rows, [4] * (4 * count), [0, 1, 2, 3] * count, [at // 4 for at in range(4 * count)]


def test_what_is_settled_without_training_is_what_training_gives():
    rows, sizes, answers, clusters = quartets(60)
    assert is_settled(rows, sizes, answers, clusters)
    folds = np.array(clusters) % 3
    trained = ranked(rows, sizes, answers, folds, 1)
    assert interval(trained, clusters) == pytest.approx((0.25, 0.25, 0.25))


@pytest.mark.parametrize("fault", ["numbers", "answers", "clusters", "sizes"])
def test_nothing_is_settled_where_members_differ(fault):
    rows, sizes, answers, clusters = quartets(10)
    if fault == "numbers":
        rows = rows.copy()
        rows[5, 1] += 1
    elif fault == "answers":
        answers[7] = 0
    elif fault == "clusters":
        clusters[3] = 1
    else:
        rows, sizes[0] = rows[1:], 3
    assert not is_settled(rows, sizes, answers, clusters)


def test_odd_rows_of_a_published_benchmark_are_measured_or_left_out():
    def odd(number, **changes):
        given = {
            "context": f"Passage {number}, with words.", "question": "What follows?",
            "options": (f"a {number}", "", "¬", "x" * 5000), "answer": number % 4, "question_type": None,
        }  # fmt: skip
        return Record(str(number), "odd", "test", **{**given, **changes})

    records = [odd(n) for n in range(120)]
    records += [odd(n, options=("yes", "no"), answer=n % 2) for n in range(120, 140)]
    records += [odd(n, context="", question="") for n in range(140, 150)]
    records += [odd(150, answer=None), odd(151, options=("one",), answer=0)]
    rows = measure(records, benchmark="odd", limits={}, parameters=PARAMETERS, seed=1, note="validation")
    assert {row.probe for row in rows} == {"surface", "question", "overlap"}
    for row in rows:
        assert row.instances == 150 and row.low <= row.accuracy <= row.high
        assert row.note == "validation; fewer than 200 instances: the interval is wide"


def test_fewer_instances_than_get_a_row_get_none():
    assert measure([labelled(n, "A", n % 3) for n in range(40)], benchmark="made", limits={}, parameters=PARAMETERS,
                   seed=1) == []  # fmt: skip


def test_the_same_instances_cut_otherwise_are_measured_once(tmp_path, monkeypatch):
    splits = []
    for name in ("first", "second"):
        rows = [
            labelled(n, "A", n % 3).to_json() | {"benchmark": name, "id": f"{name}-{n}"} for n in range(60)
        ]
        splits.append(tmp_path / f"{name}.jsonl")
        write_jsonl(splits[-1], rows if name == "first" else rows[::-1])
    collect([], [], [], tmp_path / "collection")
    write_jsonl(tmp_path / "probe.jsonl", [])
    calls = []
    monkeypatch.setattr(steps, "measure", lambda *given, **how: calls.append(how) or measure(*given, **how))
    out = tmp_path / "measured.jsonl"
    measure_benchmarks(tmp_path / "collection", splits, tmp_path / "probe.jsonl", out, PARAMETERS, 1)
    found = [read for _, read in read_jsonl(out)]
    first, second = ([row for row in found if row["benchmark"] == name] for name in ("first", "second"))
    assert len(calls) == 1 and first
    assert [row | {"benchmark": "first"} for row in second] == first


def test_no_proof_is_held_while_the_probes_run(tmp_path, monkeypatch):
    heavy = {
        "formulas": {"premises": ["a"], "proof": ["x"] * 9},
        "metadata": {"quartet": 1, "proof": ["x"] * 9},
    }
    rows = [labelled(n, "A", n % 3).to_json() | heavy for n in range(60)]
    write_jsonl(split := tmp_path / "made.jsonl", rows)
    collect([], [], [], tmp_path / "collection")
    write_jsonl(tmp_path / "probe.jsonl", [])
    held = []
    monkeypatch.setattr(steps, "measure", lambda records, **how: held.extend(records) or [])
    measure_benchmarks(
        tmp_path / "collection", [split], tmp_path / "probe.jsonl", tmp_path / "out.jsonl", PARAMETERS, 1
    )
    assert len(held) == 60
    assert all(record.formulas is None and record.metadata == {"quartet": 1} for record in held)

"""The probes find what can be found without reasoning, and find nothing that the construction excludes."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from divlogic.benchmarks.collection.collect import collect
from divlogic.benchmarks.divlogiceval.fresh import fresh_records
from divlogic.benchmarks.divlogiceval.parameters import FRESH, DivLogicEvalParameters
from divlogic.benchmarks.justlogic.parameters import FRESH as FRESH_ARGUMENTS
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_jsonl, write_jsonl
from divlogic.logic import parse
from divlogic.prior_knowledge.parameters import PriorKnowledgeRun, ShortcutParameters
from divlogic.prior_knowledge.shortcuts import features, steps
from divlogic.prior_knowledge.shortcuts.graph import Graph
from divlogic.prior_knowledge.shortcuts.learners import (
    credits,
    interval,
    is_settled,
    jointly,
    looked_up,
    ranked,
)
from divlogic.prior_knowledge.shortcuts.measure import Shortcut, cluster_of, measure
from divlogic.prior_knowledge.shortcuts.patterns import (
    option_patterns,
    pure_literal,
    read_clause,
    read_formulas,
)
from divlogic.prior_knowledge.shortcuts.probes import ALONE, KIND_OF, STEP, Sample, construction_of
from divlogic.prior_knowledge.shortcuts.readings import options_that_fit
from divlogic.prior_knowledge.shortcuts.release import leaks_of
from divlogic.prior_knowledge.shortcuts.table import (
    summarise,
    tabulate,
    write_measured,
    write_with_models,
)
from divlogic.records import Record

RUN = PriorKnowledgeRun(seed=1)
PARAMETERS = ShortcutParameters()
PARITY = {
    "A": "G→¬A, (¬D∨¬H)→F, ¬G→A, (C∨¬E)→¬B, (¬C∨E)→B, (D∨H)→¬F, (H∨A)→E, (¬H∨¬A)→¬E",
    "B": "¬G→A, (D∨H)→F, G→¬A, (C∨¬E)→¬B, (¬C∨E)→B, (¬D∨¬H)→¬F, (H∨¬A)→¬E, (¬H∨A)→E",
    "C": "G→¬A, (¬D∨H)→F, ¬G→A, (C∨¬E)→B, (¬C∨E)→¬B, (D∨¬H)→¬F, (H∨¬A)→¬E, (¬H∨A)→E",
    "D": "G→A, (¬D∨¬H)→¬F, ¬G→¬A, (¬C∨¬E)→B, (C∨E)→¬B, (D∨H)→F, (¬H∨¬A)→¬E, (H∨A)→E",
}
"""Four passages over the same sentences but for their signs, each of which makes another option follow, from three."""
OPTIONS = ("H→¬G", "E→¬D", "¬B→¬F", "C→A")
READINGS = ("reader, iff", "reader, converse", "reader, forward only")


def parity(count=20):
    """Yield quartets as above with other letters; each option follows in its member."""
    names = "ABCDEFGH"
    for quartet in range(count):
        order = np.random.default_rng(quartet).permutation(8)
        renamed = str.maketrans(names, "".join(names[at] for at in order))
        for answer, passage in enumerate(PARITY.values()):
            premises = passage.translate(renamed).split(", ")
            options = [option.translate(renamed) for option in OPTIONS]
            yield Record(
                f"{quartet}-{answer}", "s-divlogiceval", "fresh", ", ".join(premises), "", tuple(options), answer,
                question_type="3c1e", formulas={"premises": premises, "conclusion": None, "options": options},
                metadata={"construction": "parity", "quartet": quartet, "premises_needed": 3},
            )  # fmt: skip


def probed(records, **given):
    return measure(records, **{"benchmark": "made", "parameters": PARAMETERS, "seed": 1} | given)


def measured(records, **given):
    rows = probed(
        records, benchmark="s-divlogiceval", construction=construction_of(records[0]), **given
    )
    return {(row.type, row.probe, row.depth): row for row in rows}


def fresh(preset, count=240):
    return list(fresh_records(preset, DivLogicEvalParameters(), 20260101, count))


def of_formulas(options, formulas):
    """The record of formulas, whose first option is right."""
    return Record("0", "x", "s", "p", "q", tuple(options), 0, formulas=formulas)


def read(premises, options, conclusion=None):
    formulas = {"premises": premises, "options": options, "conclusion": conclusion}
    return read_formulas(of_formulas(options, formulas))


def clauses(*texts):
    return [read_clause(text) for text in texts]


def test_in_parity_quartets_nothing_helps_below_the_last_but_one_step():
    rows = measured(list(parity()))
    for (_, probe, depth), row in rows.items():
        if probe in READINGS:
            continue
        if probe in (
            "2 steps",
            "reader, 2 steps",
            "reader, 3 steps",
            "reader, 4 steps",
            "reader, correct",
        ):
            assert row.accuracy == 1.0 and row.limit is None, (probe, depth)
        else:
            assert row.accuracy == row.high == 0.25, (probe, depth)
            assert row.joint == pytest.approx(0.25, abs=0.13), (probe, depth)
    # Its rules hold both ways: who takes them so makes no mistake.
    assert rows["all", "reader, iff", 3].accuracy == 1.0
    assert rows["all", "1 step", 3].limit == rows["all", "reader, 1 step", 3].limit == 0.28
    assert {"roles", "pure literal", "graph", "sentence signs"} <= {probe for _, probe, _ in rows}


def test_in_square_quartets_nothing_helps_that_sees_no_more_sentences_than_there_are_rounds():
    """Exactly, however few instances: the four options of each have the same numbers."""
    rows = measured(fresh("balanced"))
    for (kind, probe, depth), row in rows.items():
        if KIND_OF[probe] != STEP or probe in ("1 step", *READINGS):
            assert row.accuracy == row.low == row.high == 0.25, (kind, probe, depth)
    for kind, depth in (("3c1e", 5), ("3e1c", 5), ("missing_premise", 7)):
        assert rows[kind, "reader, correct", depth].accuracy == 1.0
        assert rows[kind, "2 steps", depth].limit is None
        assert rows[kind, "1 step", depth].limit == rows[kind, READINGS[0], depth].limit == 0.28


def test_of_one_round_pairs_of_sentences_tell_and_are_not_limited():
    settings = DivLogicEvalParameters(rounds={1: 1.0})
    rows = measured(list(fresh_records("balanced", settings, 4, 240)))
    for (kind, probe, depth), row in rows.items():
        if probe == "sentence signs":
            assert row.limit is None, (kind, depth)
        elif KIND_OF[probe] != STEP:
            assert row.high == 0.25 and row.limit == 0.28, (kind, probe, depth)
    assert rows["missing_premise", "sentence signs", 5].accuracy > 0.5


def test_a_passage_is_read_as_each_reader_takes_its_rules():
    # A→B and C→B said as ¬B→¬C: what follows, what would follow of "if and only if", and backwards.
    premises, options = ["A→B", "¬B→¬C", "D→A"], ["D→B", "C→B", "B→D", "A→C"]
    expected = {
        "correct": [True, True, False, False],
        "iff": [True, True, True, True],
        "converse": [False, False, True, False],
        "forward only": [True, True, False, False],
    }
    for reading, fits in expected.items():
        assert options_that_fit(read(premises, options), reading) == fits, reading
    whole = read(["A→B", "¬B→¬C", "D→C"], ["D→B", "A→D", "B→A", "C→¬D"])
    assert options_that_fit(whole, "forward only") == [False, False, False, False]
    assert options_that_fit(whole, "correct") == [True, False, False, False]
    missing = read(["A→B", "C→D"], ["B→C", "C→B", "A→C", "¬B→D"], "A→D")
    assert options_that_fit(missing, "correct") == [True, False, True, False]
    assert options_that_fit(missing, "converse") == [False, False, False, False]


def test_the_options_of_quartets_give_nothing_away():
    for (_, probe, _), row in measured(fresh("balanced")).items():
        if KIND_OF[probe] == ALONE or probe == "overlap":
            assert row.high <= 0.28, row


def test_as_published_the_options_give_answers_away():
    rows = measured(fresh("as_published"))
    assert (
        rows["3e1c", "pattern", None].low > 0.5
        and rows["missing_premise", "surface", None].accuracy > 0.6
    )
    assert min(rows[kind, "roles", None].low for kind in ("3c1e", "3e1c", "missing_premise")) > 0.5


@pytest.mark.slow
def test_a_full_sample_keeps_every_limit():
    records = fresh("balanced", 3000)
    for construction in {construction_of(record) for record in records}:
        own = [record for record in records if construction_of(record) == construction]
        for row in measured(own).values():
            assert row.within is not False, row


def test_the_sentences_that_an_option_needs_are_counted():
    one = read(["A→B", "(¬(C∧D)→¬B)", "¬C", "E"], ["A→D", "¬A", "E→C", "B→A"])
    two = read(["A→B", "B→C", "D→E"], ["C→D", "C→¬D", "A", "E"], "A→E")
    # B → (C∧D): so A → D by way of B; ¬C refutes B, and B refutes A.
    assert Graph([one]).needed.tolist() == [[2, 3, 6, 2]]
    assert Graph([two]).needed.tolist() == [[4, 6, 6, 1]]


def test_the_premises_that_a_statement_needs_are_counted():
    formulas = {"premises": ["(A→B)", "(B→C)", "A", "(D→E)"], "query": "C"}
    record = of_formulas(("True", "False", "Uncertain"), formulas)
    assert Sample([record]).decided == [(2, 5)]


def test_a_literal_must_be_asserted_to_follow_and_denied_to_be_missing():
    premises = ["(A→B)", "(¬(C∧D)→¬E)"]
    for goal, options, expected in (
        (None, ["(A→B)", "(E→C)", "C", "¬B"], [1.0, 1.0, 1.0, 0.0]),
        ("E", ["(B→A)", "¬C", "C", "E"], [1.0, 1.0, 0.0, 1.0]),
    ):
        assert pure_literal(read(premises, options, goal)) == expected


def patterns(*texts):
    return option_patterns(clauses(*texts))


def test_patterns_are_equal_where_a_renaming_exchanges_the_options():
    first, second, third, fourth = plain = option_patterns(
        clauses("(A→B)", "(A→C)", "(A→D)", "(E→¬B)")
    )
    assert second == third != first
    assert fourth not in (first, second)
    renamed = option_patterns(clauses("(H→C)", "(H→E)", "(H→A)", "(B→¬C)"))
    contraposed = option_patterns(clauses("(¬B→¬A)", "(A→C)", "(¬D→¬A)", "(B→¬E)"))
    assert plain == renamed == contraposed


def test_clauses_of_other_forms_are_not_read():
    assert [read_clause(text) for text in ("(A∧B)", "no formula (")] == [None, None]
    assert read_clause("(¬(A∧B)→C)").kind == "¬∧"


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
    assert credits(right, [1] * 4).tolist() == [1.0] * 4
    other = looked_up([["a", "a"]] * 4, [1, 1, 0, 1], np.array([0, 1, 0, 1]), [["s", "t"]] * 4)
    assert credits(other, [1, 1, 0, 1]).tolist() == [1.0, 0.5, 0.0, 0.5]


def test_what_is_looked_up_comes_from_other_folds():
    right = looked_up([["a", "b"]] * 4, [0, 0, 0, 1], np.array([0, 0, 1, 1]))
    # Fold 1 holds one answer of each kind, fold 0 only "a".
    assert credits(right, [0, 0, 0, 1]).tolist() == [0.5, 0.5, 1.0, 0.0]


def test_a_tie_counts_as_guessing():
    scores = [np.array([1.0, 1.0, 0.0, 0.0]), np.array([0.0, 2.0, 0.0, 0.0])]
    assert credits(scores, [0, 0]).tolist() == [0.5, 0.0]
    uneven = [np.array([1.0, 1.0]), np.array([0.0, 2.0, 2.0 + 1e-9, 2.0]), np.array([0.0, 1.0])]
    assert credits(uneven, [1, 2, 0]).tolist() == [0.5, 1 / 3, 0.0]


NEGATED = ["can't", "cannot", "not", "knot", "¬A", "No,", "un-true", "(never)", "n't", "\n", "X"]


@given(st.lists(st.sampled_from(NEGATED)))
def test_negations_are_counted_word_by_word_as_in_the_whole_text(words):
    text = " ".join(words)
    assert features.negations(text) == len(features._NEGATION.findall(text))


def test_a_quartet_that_is_right_once_is_known_without_error():
    right = np.array([1.0, 0, 0, 0] * 30)
    assert interval(right, [at // 4 for at in range(120)]) == (0.25, 0.25, 0.25)
    _, low, high = interval(right, list(range(120)))
    assert 0.18 < low < 0.19 and 0.33 < high < 0.34
    together = np.repeat([1.0, 0, 0, 0] * 8, 4)
    clustered, apart = (interval(together, [at // size for at in range(128)]) for size in (4, 1))
    assert clustered[2] > apart[2] + 0.05
    assert interval(np.ones(20), list(range(20))) == pytest.approx((1.0, 0.839, 1.0), abs=0.001)


def test_jointly_each_instance_of_a_quartet_gets_another_answer():
    scores = [np.array([3.0, 2.0]), np.array([2.0, 0.0])]
    assert credits(scores, [1, 0]).tolist() == [0.0, 1.0]
    assert jointly(scores, [1, 0], ["q", "q"], 1) == 1.0
    assert jointly([np.zeros(2)] * 2, [1, 0], ["q", "q"], 1) == 0.5
    assert jointly(scores, [1, 1], ["q", "q"], 1) is None


def test_options_are_compared_within_their_list():
    distance, below = features.listwise(np.array([[1.0], [3.0], [5.0], [5.0]]), [2, 2])
    assert distance.tolist() == [[-1], [1], [0], [0]]
    assert below.tolist() == [[0], [1], [0], [0]]


def test_options_that_are_as_far_apart_have_equal_distances():
    distance, _ = features.listwise(np.array([[0.1], [0.2], [0.3], [1.1], [1.2], [1.3]]), [3, 3])
    assert np.array_equal(distance[:3], distance[3:])


def test_the_last_bits_of_a_logarithm_change_no_weight(monkeypatch):
    texts = [["a", "dog"], ["a", "cat", "a"], ["dog", "dog", "cat"]]
    weights = features.frequent_words(texts)
    log1p = np.log1p
    monkeypatch.setattr(np, "log1p", lambda counts: np.nextafter(log1p(counts), np.inf))
    assert np.array_equal(features.frequent_words(texts), weights)


def test_shared_words_are_seen():
    alike, odd = features.surface(("a dog runs", "a dog sleeps", "a cat is not here"))[::2]
    assert alike[3] > odd[3]  # mean similarity to the others
    assert odd[2] == 1.0
    inside, outside = features.overlap("a dog runs home", ["a dog", "two cats"])
    assert inside[0] == 1.0 and outside[0] == 0.0
    passage = (
        "If a dog runs, then a cat sleeps. If no cat sleeps, then a cow chews. Two birds sing."
    )
    near, far = features.sentence_words(passage, ["A dog runs.", "A fish swims."])
    assert (
        near[0] > far[0] and near[4] > 0.2
    )  # the sentence of the dog shares words with that of the cow


def test_counts_tell_form_place_and_sign():
    def roles(*premises, asked):
        return features.option_roles(clauses(*premises), None, clauses(asked))[0]

    row = roles("(A→B)", "((A∨C)→D)", "¬B", asked="(A→¬B)")
    turned = roles("(¬A→B)", "((¬A∨C)→D)", "¬B", asked="(¬A→¬B)")
    other = roles("(¬A→B)", "((A∨C)→D)", "¬B", asked="(A→¬B)")
    assert row[:-3] == turned[:-3] and row != turned
    assert row[:18] != other[:18]


def test_premises_are_counted_by_connective_and_mention():
    premises = [parse(text) for text in ("(A→(B∨C))", "¬A")]
    assert features.connectives(premises) != features.connectives([parse("(A→(B→C))"), parse("¬A")])
    told, denied = (features.mentions([parse(text)], parse("A")) for text in ("(B→A)", "(B→¬A)"))
    assert told != denied and sum(told[:16]) == 1


def shortcut(high, limit, probe="surface", depth=None):
    row = ("s-divlogiceval", "parity", "fresh symbols", "3c1e", probe, 3000, 0.25, 0.24, high, 0.25)
    return Shortcut(*row, depth=depth, limit=limit)


def tabulated(folder, rows, run=RUN):
    write_measured(folder / "m.jsonl", rows)
    outputs = {
        "out": folder / "shortcuts",
        "summary": folder / "summary.json",
        "ladder": folder / "ladder",
    }
    tabulate((folder / "m.jsonl",), **outputs, params=run)


def test_a_limit_that_is_exceeded_stops_the_run_and_names_every_row(tmp_path):
    rows = [shortcut(0.35, 0.28), shortcut(0.27, 0.28, "pattern"), shortcut(0.4, 0.28, "1 step", 3)]
    told = r"m\.jsonl: 2 shortcuts exceed.*surface: up to 35.0 %, limit 28 %;.*depth 3, 1 step.*enforce to false"
    with pytest.raises(DivLogicError, match=told):
        tabulated(tmp_path, rows)
    table = (tmp_path / "shortcuts.csv").read_text(encoding="utf-8")
    assert "parity,fresh symbols,3c1e,surface,3000,25.0,24.0,35.0,,25.0,28.0,no" in table
    summary = read_json(tmp_path / "summary.json")
    assert summary["within"] is False and summary["judged"] == 3
    metrics = {"worst_probe": {"s-divlogiceval parity": 25.0}, "within": 0}
    assert read_json(tmp_path / "metrics.json") == metrics
    section = RUN.prior_knowledge.model_copy(
        update={"shortcuts": ShortcutParameters(enforce=False)}
    )
    tabulated(tmp_path, rows, RUN.model_copy(update={"prior_knowledge": section}))


def test_full_runs_draw_so_many_that_what_is_at_chance_keeps_its_limit():
    quartets = FRESH["full"]["balanced"]
    for chance, count, limit in ((1 / 4, quartets, 28), (1 / 3, FRESH_ARGUMENTS["full"], 38)):
        # The upper end of the interval, three standard errors above chance.
        assert 100 * (chance + (1.96 + 3) * (chance * (1 - chance) / count) ** 0.5) < limit


def test_the_ladder_has_probes_and_models_by_depth(tmp_path):
    records = [replace(record, benchmark="divlogiceval") for record in parity()]
    rows = [
        *probed(records, benchmark="divlogiceval", construction="parity"),
        *(shortcut(0.26, 0.28, "reader, 1 step", depth) for depth in (3, 4)),
    ]
    tabulated(tmp_path, rows)
    answers = [
        {"benchmark": "divlogiceval", "model": "m", "prompt": "zero_shot", "run": 0, "rotation": 0,
         "instance": record.id, "gold": "ABCD"[record.answer], "predicted": "A"}
        for record in records
    ]  # fmt: skip
    write_jsonl(tmp_path / "asked.jsonl", (record.to_json() for record in records))
    write_jsonl(tmp_path / "predictions.jsonl", answers)
    given = {"predictions": tmp_path / "predictions.jsonl", "asked": (tmp_path / "asked.jsonl",)}
    write_with_models(tmp_path / "ladder", **given, out=tmp_path / "all")
    table = (tmp_path / "all.csv").read_text(encoding="utf-8")
    assert "all,3,1 step,80,25.0" in table and "all,3,m,80,25.0,25.0,25.0" in table
    assert "<svg" in (tmp_path / "all.svg").read_text(encoding="utf-8")


def test_a_headline_has_the_highest_probe_and_none_that_is_below_chance():
    named = ("s-divlogiceval", "parity", "text", "3e1c")
    alone = [
        Shortcut(*named, "surface", 9, 0.2, 0.2, 0.2, 0.25),
        Shortcut(*named, "words", 9, 0.7, 0.7, 0.7, 0.25),
    ]
    (one,) = summarise([shortcut(0.3, None, "graph"), shortcut(0.9, None, "1 step"), *alone])[
        "benchmarks"
    ]
    found = [one[name]["probe"] for name in ("worst", "alone", "steps")]
    assert found == ["words", "surface", "1 step"] and "best" not in one


@pytest.mark.parametrize(
    ("field", "row"),
    [
        ("row mod 4", lambda n, answer: {}),
        (
            "number 1 from the end of the id, mod 4",
            lambda n, answer: {"id": f"x-{(7 * n) % 400}-{answer}"},
        ),
        ("metadata.state", lambda n, answer: {"metadata": json.dumps({"state": answer})}),
        ("kind", lambda n, answer: {"kind": answer > 1}),
        (None, lambda n, answer: {}),
    ],
)
def test_a_release_tells_nothing_by_ids_order_and_metadata(tmp_path, field, row):
    random = np.random.default_rng(5)
    answers = [n % 4 if field == "row mod 4" else int(random.integers(4)) for n in range(400)]
    known = [
        {"id": "x", "options": list("abcd"), "answer": answer, "depth": answer}
        for answer in answers
    ]
    write_jsonl(tmp_path / "r.jsonl", [one | row(n, one["answer"]) for n, one in enumerate(known)])
    found = [leak.field for leak in leaks_of(tmp_path / "r.jsonl", 1) if leak.tells]
    assert (field in found) if field else not found


def contrast_pairs(path, seed, *, period=0, named=True):
    """Write 150 pairs of a true and a false row, in random order, but of each ``period``-th pair true first."""
    random = np.random.default_rng(seed)
    rows = []
    for pair in range(150):
        order = [0, 1] if period and pair % period == 0 else random.permutation(2).tolist()
        for answer in order:
            rows.append(
                {
                    "id": f"q-{len(rows) + 1}",
                    "context": f"The lamp of house {pair} has colour {random.integers(10**6)}.",
                    "question": f"In house {pair} it is bright.",
                    "options": ["True", "False"],
                    "answer": answer,
                    "metadata": {"group": pair} if named else {},
                }
            )
    write_jsonl(path, rows)
    return path


@pytest.mark.parametrize("named", [True, False])
def test_pairs_in_random_order_tell_nothing_by_the_order_of_rows(tmp_path, named):
    path = tmp_path / "pairs.jsonl"
    told = [
        [leak.field for leak in leaks_of(contrast_pairs(path, seed, named=named), 0) if leak.tells]
        for seed in range(20)
    ]
    # One in a hundred such files has an alarm by chance.
    assert sum(map(bool, told)) <= 1, told


@pytest.mark.parametrize("period", [1, 2, 3])
def test_a_period_in_the_order_of_pairs_is_found(tmp_path, period):
    path = contrast_pairs(tmp_path / "pairs.jsonl", 3, period=period)
    found = [leak.field for leak in leaks_of(path, 0) if leak.tells]
    assert f"row mod {2 * period}" in found


LABELS = ("entailment", "contradiction", "neutral")


def labelled(number, kind, answer, **metadata):
    """A statement whose length tells its type and nothing else."""
    words = "word " * (3 if kind == "A" else 30)
    return Record(
        f"{kind}-{number}", "made", "test", f"Passage {kind} {number}.", f"{words}is meant.", LABELS, answer,
        question_type=kind, metadata=metadata,
    )  # fmt: skip


def test_to_tell_question_types_with_other_labels_apart_is_no_shortcut():
    records = [labelled(n, "A", n % 3) for n in range(300)] + [
        labelled(n, "T", n % 2) for n in range(300)
    ]
    rows = probed(records, sets=True)
    assert {row.type for row in rows} == {"A", "T"}
    for row in rows:
        assert row.chance == pytest.approx(1 / 3 if row.type == "A" else 1 / 2)
        assert row.accuracy <= row.chance + 0.08, row


def test_few_instances_are_judged_where_their_interval_lies_above_the_limit_by_half_its_width():
    asked = {"construction": "balanced"}
    fair = [labelled(n, "A", n % 3) for n in range(300)]
    told = [replace(one, question=one.question + " indeed" * one.answer) for one in fair]
    assert {row.probe: row.within for row in probed(told, **asked)}["surface"] is False
    assert {row.within for row in probed(fair, **asked) if row.low < row.high} == {None}
    hinted = {row.probe: row for row in probed(told[:87] + fair[87:], **asked)}["surface"]
    assert hinted.low > 0.38 and hinted.within is None


def test_labels_are_judged_as_far_above_their_own_chance_as_three_equal_ones():
    records = [labelled(n, "A", n % 4 % 2) for n in range(400)]
    parameters = PARAMETERS.model_copy(update={"least_judged": 100})
    (row, *_) = probed(records, construction="balanced", parameters=parameters)
    assert row.limit == pytest.approx(0.38 + 1 / 2 - 1 / 3)


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
    trained = ranked((rows,), sizes, answers, folds, 1)
    assert interval(credits(trained, answers), clusters) == pytest.approx((0.25, 0.25, 0.25))


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
    rows = probed(records, benchmark="odd", note="validation")
    assert {row.probe for row in rows} == {
        "surface",
        "question",
        "overlap",
        "sentence words",
        "words",
    }
    for row in rows:
        assert row.instances == 150 and row.low <= row.accuracy <= row.high
        assert row.note == "validation; fewer than 200 instances: the interval is wide"


def test_types_too_rare_to_stand_alone_are_measured_together_by_what_both_have():
    """A missing premise has a conclusion and its own graph; the other types have none."""
    records = fresh("balanced", 96)
    rare = [one for one in records if one.question_type == "missing_premise"][:40]
    rows = measured([one for one in records if one.question_type == "3c1e"] + rare)
    assert {kind for kind, _, _ in rows} == {"all"}
    assert {"overlap", "words"} <= {probe for _, probe, _ in rows}


def test_fewer_instances_than_get_a_row_get_none():
    assert probed([labelled(n, "A", n % 3) for n in range(40)]) == []


def measure_all(folder, **files):
    """Measure files of rows, each of which has the name of its benchmark; return the rows of what was found."""
    for name, rows in files.items():
        write_jsonl(folder / f"{name}.jsonl", rows)
    collect([], [], [], folder / "collection")
    write_jsonl(folder / "probe.jsonl", [])
    splits, out = tuple(folder / f"{name}.jsonl" for name in files), folder / "out.jsonl"
    steps.measure_benchmarks(
        splits, collection=folder / "collection", probe=folder / "probe.jsonl", out=out, params=RUN
    )
    return [read for _, read in read_jsonl(out)]


def test_the_same_instances_cut_otherwise_are_measured_once(tmp_path, monkeypatch):
    rows = {
        name: [
            labelled(n, "A", n % 3).to_json() | {"benchmark": name, "id": f"{name}-{n}"}
            for n in range(60)
        ]
        for name in ("first", "second")
    }
    calls = []
    monkeypatch.setattr(
        steps, "measure", lambda *given, **how: calls.append(how) or measure(*given, **how)
    )
    found = measure_all(tmp_path, first=rows["first"], second=rows["second"][::-1])
    first, second = (
        [row for row in found if row["benchmark"] == name] for name in ("first", "second")
    )
    assert len(calls) == 1 and first
    assert [row | {"benchmark": "first"} for row in second] == first


def records_measured(folder, monkeypatch, rows):
    held = []
    monkeypatch.setattr(steps, "measure", lambda records, **how: held.extend(records) or [])
    measure_all(folder, made=rows)
    return held


def test_no_proof_is_held_while_the_probes_run(tmp_path, monkeypatch):
    proof = {"proof": ["x"] * 9}
    heavy = {"formulas": {"premises": ["a"], **proof}, "metadata": {"quartet": 1, **proof}}
    rows = [labelled(n, "A", n % 3).to_json() | heavy for n in range(60)]
    held = records_measured(tmp_path, monkeypatch, rows)
    assert [(one.formulas, one.metadata) for one in held] == [(None, {"quartet": 1})] * 60


def test_what_was_drawn_together_is_in_one_fold_as_read_from_a_file(tmp_path, monkeypatch):
    own = ({"quartet": "a"}, {"quartet": "a-8"}, {"proves": "x"}, {"base": "a-1"})
    rows = [labelled(n, "T", n % 2, group=f"t-{n // 4}", **own[n % 4]).to_json() for n in range(60)]
    seen = records_measured(tmp_path, monkeypatch, rows)
    assert [cluster_of(one) for one in seen] == [("T", f"t-{int(one.id[2:]) // 4}") for one in seen]
    assert len(seen) == 60 and cluster_of(labelled(4, "T", 1)) != cluster_of(seen[4])

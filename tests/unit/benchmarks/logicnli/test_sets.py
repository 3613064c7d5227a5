"""The sets of LogicNLI, judged by a checker that shares no code with the generator."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import pytest

from divlogic.benchmarks.logicnli.check import audit_logicnli
from divlogic.benchmarks.logicnli.draw import draw, plans
from divlogic.benchmarks.logicnli.noise import _repeats
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.theories import SymbolicRule
from divlogic.records import Record
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import Rows, made_rows

CONNECTIVES = ("and", "or", "not", "implies", "equivalent", "all", "exists")


def found(rows: Rows, **limits: int) -> list[str]:
    return [
        f"{row['id']}: {problem}" for row in rows for problem in checker.problems(row, **limits)
    ]


def test_every_label_depth_proof_and_sentence_of_quartets_is_right(test_rows: Rows) -> None:
    assert found(test_rows) == []


@pytest.mark.parametrize("preset", ["balanced", "as_published"])
def test_the_audit_of_published_labels_confirms_generated_ones(preset: str) -> None:
    records = [Record.from_json(row) for row in made_rows("dev", 2, preset=preset)]
    verdicts = [audit_logicnli(record) for record in records]
    assert all(verdict is not None and verdict.agrees for verdict in verdicts)


def test_the_four_items_of_a_quartet_share_rules_statement_and_words(test_rows: Rows) -> None:
    assert list(checker.quartet_problems(test_rows)) == []


def by_base(rows: Rows) -> list[Rows]:
    """Return the variants of each statement."""
    variants = defaultdict(list)
    for row in rows:
        variants[row["metadata"]["base"], row["question"]].append(row)
    return list(variants.values())


def share_right(rows: Rows, groups: list[str], *, matched: bool) -> float:
    """Return the accuracy of a regression on what can be seen without chaining, trained on other groups."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    counts = [
        checker.overlap_counts(row) + (checker.matched_counts(row) if matched else [])
        for row in rows
    ]
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))
    labels = [row["answer"] for row in rows]
    predicted = cross_val_predict(model, counts, labels, groups=groups, cv=GroupKFold(4))
    return sum(one == other for one, other in zip(predicted, labels, strict=True)) / len(rows)


@pytest.mark.parametrize(
    "name", ["test", "test_r", "test_g", "d_test", *(f"fol_{name}" for name in CONNECTIVES)]
)
def test_counts_of_facts_by_person_property_and_sign_are_the_same_in_a_quartet(name: str) -> None:
    for index in range(12):
        group = draw(LogicNLIParameters(), 5, index, name)
        seen: dict[int | None, list[Counter[tuple[bool, bool, bool]]]] = defaultdict(list)
        for item in group.items:
            person, own = divmod(item.statement >> 1, group.width)
            facts = [
                (*divmod(fact >> 1, group.width), fact & 1) for _, fact in group.facts_of(item)
            ]
            counts = Counter(
                (one == person, at == own, sign == item.statement & 1) for one, at, sign in facts
            )
            seen[item.noise].append(counts)
        assert all(counts == several[0] for several in seen.values() for counts in several), (
            name,
            index,
        )


@pytest.mark.parametrize("matched", [False, True])
def test_what_is_seen_without_chaining_tells_nothing_of_the_label(
    test_rows: Rows, matched: bool
) -> None:
    # To match facts with premises is to chain one round, so that it may tell the label at depth 1.
    rows = [row for row in test_rows if row["depth"] > int(matched)]
    accuracy = share_right(rows, [row["metadata"]["quartet"] for row in rows], matched=matched)
    assert accuracy < 0.25 + 3 * (0.25 * 0.75 / len(rows)) ** 0.5


def test_what_is_seen_without_chaining_tells_nothing_of_a_proof_step() -> None:
    rows = [row for row in made_rows("test_t", 40) if row["split"] == "proofs"]
    for matched in (False, True):
        accuracy = share_right(rows, [row["metadata"]["group"] for row in rows], matched=matched)
        # Two members of a quartet derive a step alike: they are one draw.
        drawn = len({(row["metadata"]["group"], row["question"]) for row in rows})
        assert accuracy < 0.5 + 3 * (0.25 / drawn) ** 0.5, matched


@pytest.mark.parametrize("name", [f"fol_{name}" for name in CONNECTIVES])
def test_a_set_of_one_connective_has_four_labels_and_no_other_rules(name: str) -> None:
    rows = made_rows(name, 5)
    assert found(rows) == []
    assert list(checker.quartet_problems(rows)) == []
    codes = {rule["class"] for row in rows for rule in row["formulas"]["rules"]}
    allowed = {"and": {22, 23, 26}, "or": {25}, "equivalent": {21}, "all": {1, 29}, "exists": {7}}
    assert codes <= allowed.get(name.removeprefix("fol_"), {20})
    if name == "fol_not":
        for row in rows:
            for rule in row["formulas"]["rules"]:
                assert sorted(one[2] for one in checker.literals_of(rule)) == ["+", "-"]
        return
    for row in rows:
        rules = row["formulas"]["rules"]
        assert {one[2] for rule in rules for one in rule["p"]["fact"]} <= {
            "+"
        } or name == "fol_equivalent"
        # The statement's opposite, or the statement, is denied, and so is what its chain's other lane ends in.
        denied = {one[1] for rule in rules for one in checker.literals_of(rule) if one[2] == "-"}
        assert len(denied) == 2 and row["formulas"]["statement"][1] in denied


def clauses_of(row: checker.Row) -> list[set[frozenset[checker.Signed]]]:
    """Return what each rule says: disjunctions about the people, of which a contrapositive has the same."""
    people = row["formulas"]["people"]

    def at(literal: Any, person: str) -> checker.Signed:
        return (person if literal[0] in ("all", "exist") else literal[0], literal[1], literal[2])

    def said(rule: Any) -> Iterator[frozenset[checker.Signed]]:
        for premise, conclusion in checker.directions(rule):
            everyone = premise["fact"][0][0] == "all" != conclusion["fact"][0][0]
            groups = [people] if everyone else [[person] for person in people]
            parts = (
                [[one] for one in premise["fact"]] if premise["conj"] == "or" else [premise["fact"]]
            )
            for group in groups:
                for part in parts:
                    body = {
                        checker.opposite(at(literal, person))
                        for literal in part
                        for person in group
                    }
                    for head in conclusion["fact"]:
                        yield frozenset(body | {at(head, group[0])})

    return [set(said(rule)) for rule in row["formulas"]["rules"]]


@pytest.mark.parametrize(
    "name", ["test", "test_r", "test_g", "test_t", "fol_not", "fol_equivalent", "fol_all"]
)
def test_no_rule_repeats_another(name: str) -> None:
    for row in made_rows(name, 12):
        said = clauses_of(row)
        assert not any(one <= other or other <= one for one, other in combinations(said, 2)), row[
            "id"
        ]


@pytest.mark.parametrize(
    ("rule", "other", "repeated"),
    [
        ((1, (0,), (2,)), (1, (3,), (1,)), True),  # if A then B; if not B then not A
        ((1, (0,), (2,)), (13, (2,), (0,)), True),  # if A then B; B if and only if A
        (
            (1, (0,), (2,)),
            (20, (12,), (14,)),
            True,
        ),  # if someone is A, they are B; if Bob is A, Bob is B
        ((1, (0,), (2,)), (1, (2,), (0,)), False),  # if B then A
        ((1, (0,), (2,)), (1, (1,), (3,)), False),  # if not A then not B
        ((1, (0,), (2,)), (2, (0, 4), (2,)), False),  # if A and C then B: weaker, other words
        ((20, (0,), (14,)), (20, (15,), (1,)), True),
        ((13, (0,), (2,)), (13, (1,), (3,)), True),
    ],
)
def test_contrapositives_and_parts_of_a_rule_are_repetitions(
    rule: Any, other: Any, repeated: bool
) -> None:
    one, two = SymbolicRule(*rule), SymbolicRule(*other)
    first, second = ((rule, rule.marks(6)) for rule in (one, two))
    assert _repeats(first, [second], 3, 6) is _repeats(second, [first], 3, 6) is repeated
    assert not _repeats(first, [], 3, 6)


def test_noise_changes_no_label_and_is_alike_for_all_labels() -> None:
    rows = made_rows("test_r", 5)
    assert found(rows) == []
    assert len(by_base(rows)) == len({row["metadata"]["base"] for row in rows})
    for variants in by_base(rows):
        assert [row["metadata"]["noise"] for row in variants] == [0, 4, 8, 12, 16, 20, 24, 28]
        assert len({(row["answer"], row["depth"]) for row in variants}) == 1
        cores = [set(row["context"].replace(". ", ".\n").split("\n")) for row in variants]
        assert all(smaller < larger for smaller, larger in pairwise(cores))
    sizes = Counter((row["answer"], len(row["sentences"])) for row in rows)
    assert len({tuple(sorted(n for (a, n) in sizes if a == answer)) for answer in range(4)}) == 1


@pytest.mark.parametrize(
    ("name", "depths", "lacking"),
    [
        ("test_g", {6, 7, 8, 9, 10}, set()),
        ("test_t", {6}, {"neutral"}),
        ("d_test", {1, 2, 3, 4, 5}, {"self_contradiction"}),
    ],
)
def test_sets_have_their_hops_and_labels(name: str, depths: set[int], lacking: set[str]) -> None:
    rows = made_rows(name, 5)
    asked = [row for row in rows if row["split"] == name]
    labels = set(checker.LABEL.values()) - lacking
    assert found(rows) == []
    assert list(checker.quartet_problems(asked, len(labels))) == []
    assert {row["depth"] for row in asked} == depths
    assert set(map(checker.label_of, asked)) == labels


def test_the_statements_of_proofs_are_positive_and_judged_by_their_own_label() -> None:
    rows = made_rows("test_t", 3)
    proofs = [row for row in rows if row["split"] == "proofs"]
    asked = {row["id"]: row for row in rows if row["split"] == "test_t"}
    assert found(proofs) == []
    for row in proofs:
        target = asked[row["metadata"]["proves"]]
        steps = [step for side in target["formulas"]["proof"].values() for step in side or ()]
        derived = [step["literal"][:2] for step in steps if "rule" in step]
        assert row["formulas"]["statement"][:2] in derived
        assert row["formulas"]["statement"][2] == "+"
        assert row["formulas"]["statement"][:2] != target["formulas"]["statement"][:2]
    assert set(asked) == {row["metadata"]["proves"] for row in proofs}


def test_splits_share_neither_names_nor_adjectives() -> None:
    words = [checker.words_of(made_rows(name, 25)) for name in ("train", "dev", "test")]
    for one, other in combinations(words, 2):
        assert not one[0] & other[0] and not one[1] & other[1]


@pytest.mark.parametrize(
    "name",
    ["test", "test_r", "test_g", "test_t", "d_test", "d_test_r", "d_test_g", "d_test_t"]
    + [f"fol_{name}" for name in CONNECTIVES],
)
def test_random_theories_are_labelled_right(name: str) -> None:
    rows = made_rows(name, 1, preset="as_published")
    assert found(rows, **({"most_rounds": 4} if name in ("test", "d_test") else {})) == []
    asked = [row for row in rows if row["split"] == name]
    labels = Counter(map(checker.label_of, asked))
    assert len(set(labels.values())) == 1
    assert ("self_contradiction" in labels) == (not name.startswith(("d_", "fol_")))
    assert ("neutral" in labels) == (not name.endswith("_t"))


def test_elimination_keeps_what_proofs_need_and_every_label() -> None:
    rows = made_rows("dev_r", 1, preset="as_published")
    for variants in by_base(rows):
        assert [len(row["sentences"]) for row in variants] == [10, 12, 14, 16, 18, 20, 22, 24]
        assert len({(row["answer"], row.get("depth")) for row in variants}) == 1


@pytest.mark.parametrize(
    ("preset", "name"), [("balanced", "test"), ("balanced", "train_r"), ("as_published", "test_t")]
)
def test_a_group_is_had_without_those_before_it(preset: str, name: str) -> None:
    parameters = LogicNLIParameters.model_validate({"preset": preset})
    plan = next(plan for plan in plans(parameters, "full") if plan.name == name)
    in_order = [group for number in range(3) for group in plan.block(number, 5)]
    for group in reversed(in_order[:5]):
        assert draw(parameters, 5, group.index, name) == group

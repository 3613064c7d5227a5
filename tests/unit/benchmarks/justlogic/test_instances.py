"""Finished items: what is promised of labels, premises, splits and bytes."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import orjson
import pytest

from divlogic.benchmarks.justlogic.check import problems, read_sentences, write_report
from divlogic.benchmarks.justlogic.draw import Instance, Three, draw, groups
from divlogic.benchmarks.justlogic.parameters import (
    FORM_NAMES,
    LINKS,
    JustLogicParameters,
    StatementParameters,
)
from divlogic.benchmarks.justlogic.propositions import IF, NOT, Proposition, atoms_of
from divlogic.benchmarks.justlogic.realise import fresh_records, realise, resources
from divlogic.benchmarks.justlogic.table import Statements
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.logic import to_text
from divlogic.records import Record
from tests.unit.benchmarks.justlogic.conftest import SEED, make


def test_z3_and_the_grammar_confirm_every_item(records: list[Record]) -> None:
    assert len(records) == 140
    assert [problem for record in records for problem in problems(record)] == []


def test_labels_depths_and_splits_are_balanced(records: list[Record]) -> None:
    assert Counter(record.split for record in records) == {
        "train": 98,
        "validation": 21,
        "test": 21,
    }
    assert Counter(record.depth for record in records) == dict.fromkeys(range(1, 8), 20)
    labels = Counter((record.depth, record.split, record.answer) for record in records)
    for depth, split in product(range(1, 8), ("train", "validation", "test")):
        counts = [labels[depth, split, answer] for answer in range(3)]
        assert max(counts) - min(counts) <= 2


def drawn(parameters: JustLogicParameters, seed: int = 5) -> Iterator[Three]:
    for index in range(groups(parameters, "embedded")):
        yield draw(parameters, seed, index, "embedded")


def test_a_table_in_another_order_gives_its_rows_in_that_order(table: Path, tmp_path: Path) -> None:
    changed = tmp_path / "statements.jsonl"
    changed.write_bytes(b"".join(reversed(table.read_bytes().splitlines(keepends=True))))
    before, after = Statements(table), Statements(changed)
    assert [after.row(number) for number in range(100)] == [
        before.row(99 - number) for number in range(100)
    ]
    worded = make(changed, tmp_path, JustLogicParameters(depths=[1], per_depth=10))
    texts = {before.row(number).text for number in range(100)}
    assert len(worded) == 10
    assert {
        sentence["text"] for record in worded for sentence in (record.sentences or {}).values()
    } <= texts


def test_neither_the_order_of_the_items_nor_their_three_tells_the_label(
    records: list[Record],
) -> None:
    given = JustLogicParameters(
        depths=[2], per_depth=300, splits={"train": 1, "validation": 0, "test": 0}
    )
    whole = [sorted(three.instances, key=lambda one: one.number) for three in drawn(given)]
    items = [(at, one.number, one.label) for three in whole for at, one in enumerate(three)]
    assert sorted(number for _, number, _ in items) == list(range(300))
    assert min(Counter((number % 3, label) for _, number, label in items).values()) >= 15
    assert min(Counter((at, label) for at, _, label in items).values()) >= 15
    threes = Counter(record.metadata["three"] for record in records)
    assert set(threes.values()) <= {1, 2, 3} and threes.total() == 140


def test_no_statement_and_no_sentence_occurs_twice_in_an_item(records: list[Record]) -> None:
    for record in records:
        assert record.sentences is not None
        for key in ("text", "term"):
            found = [entry[key] for entry in record.sentences.values()]
            assert len(set(found)) == len(found)
        split = record.context.split(". ")
        assert len(set(split)) == len(split)


def atoms(*formulas: str) -> set[str]:
    return set(re.findall(r"[A-Z]\d*", " ".join(formulas)))


def test_a_statement_is_asked_no_more_often_than_another(table: Path, tmp_path: Path) -> None:
    asked = Counter(
        entry["id"]
        for record in make(table, tmp_path, JustLogicParameters(depths=[1, 2], per_depth=90))
        for name, entry in (record.sentences or {}).items()
        if name in atoms((record.formulas or {})["query"])
    )
    assert asked.total() >= 180 and len(asked) > 80 and max(asked.values()) <= 5


def test_the_original_asks_of_uncertain_items_another_statement(
    table: Path, tmp_path: Path
) -> None:
    for record in make(table, tmp_path, JustLogicParameters(uncertain_query="absent", per_depth=9)):
        assert problems(record) == [] and record.formulas is not None
        premises = atoms(*record.formulas["premises"])
        assert premises.isdisjoint(atoms(record.formulas["query"])) == (record.answer == 2)


@pytest.mark.parametrize("depth", [1, 3])
def test_queries_have_the_same_shape_and_polarity_whatever_the_label(depth: int) -> None:
    shapes: dict[str, Counter[object]] = {}
    for three in drawn(JustLogicParameters(depths=[depth], per_depth=900)):
        for one in three.instances:
            shape = re.sub(r"\d+", lambda m: str(int(m[0]) & 1), str(one.query))
            shapes.setdefault(one.label, Counter())[shape] += 1
    assert shapes["true"] == shapes["false"] == shapes["uncertain"]
    assert 0.2 < shapes["true"]["1"] / (shapes["true"]["0"] + shapes["true"]["1"]) < 0.4


def test_with_the_originals_polarity_a_false_query_is_negated_more_often(
    table: Path, tmp_path: Path
) -> None:
    original: dict[str, Any] = {"polarity": "conclusion", "uncertain_query": "absent"}
    made = make(table, tmp_path, JustLogicParameters(depths=[1], per_depth=600, **original))
    negated = Counter(r.answer for r in made if r.formulas and r.formulas["query"].startswith("¬"))
    assert negated[1] > 1.5 * negated[0]


def test_shards_make_the_same_bytes_and_a_three_needs_none_before_it(
    table: Path, tmp_path: Path
) -> None:
    parameters = JustLogicParameters(per_depth=10)
    for shards in (1, 5, 50):  # 50 are more than there are threes
        make(table, tmp_path / str(shards), parameters, shards=shards)
    for split in ("train", "validation", "test"):
        runs = [(tmp_path / str(n) / f"benchmark/{split}.jsonl").read_bytes() for n in (1, 5, 50)]
        assert runs[0] == runs[1] == runs[2]
    rows = list(drawn(parameters, SEED))
    assert draw(parameters, SEED, 17, "embedded") == rows[17]
    read = Three.from_json(orjson.loads(orjson.dumps(rows[17])))
    found = resources({"statements": table})
    assert realise(read, found, parameters, SEED) == realise(rows[17], found, parameters, SEED)


def test_premises_may_stay_in_the_order_of_the_argument(table: Path, tmp_path: Path) -> None:
    given = JustLogicParameters(
        depths=[1], per_depth=20, shuffle_premises=False, uncertain_query="absent"
    )
    made = make(table, tmp_path, given)
    assert all(
        r.formulas["premises"] == r.formulas["argument"][0]["premises"] for r in made if r.formulas
    )


@pytest.mark.parametrize("uncertain", ["open", "absent"])
def test_distractors_add_premises_that_settle_nothing(
    table: Path, tmp_path: Path, uncertain: Any
) -> None:
    parameters = JustLogicParameters(
        depths=[1, 3], per_depth=9, distractors=3, uncertain_query=uncertain
    )
    for record in make(table, tmp_path, parameters):
        assert problems(record) == [] and record.formulas is not None
        argued = {premise for step in record.formulas["argument"] for premise in step["premises"]}
        idle = [premise for premise in record.formulas["premises"] if premise not in argued]
        turned = int(uncertain == "open" and record.answer == 2 and record.depth == 3)
        assert len(idle) == record.metadata["distractors"] + turned
        assert uncertain == "open" or len(idle) == 3
        bare = dataclasses.replace(record, metadata={})
        assert any("rest on other premises" in problem for problem in problems(bare))


def test_a_wrong_label_formula_or_text_is_found(records: list[Record]) -> None:
    deep = [record for record in records if record.depth == 3]
    record = next(one for one in deep if one.answer == 0)
    other = next(one for one in deep if one.id != record.id)
    assert record.formulas is not None
    extra = record.formulas | {
        "premises": [*record.formulas["premises"], record.formulas["conclusion"]]
    }
    _first, _, rest = record.context.partition(". ")

    def found(**changes: Any) -> str:
        return " ".join(problems(dataclasses.replace(record, **changes)))

    assert "make the query true" in found(answer=1)
    assert found(context=other.context)
    assert "sentences for" in found(context=rest)
    assert "is not needed" in found(formulas=extra) and "rest on other premises" in found(
        formulas=extra
    )
    assert "depth 4" in found(depth=4)


def test_a_report_names_the_items_that_are_not_confirmed(
    records: list[Record], tmp_path: Path
) -> None:
    good, bad = (
        records[0],
        dataclasses.replace(records[1], answer=((records[1].answer or 0) + 1) % 3),
    )
    given, report = tmp_path / "records.jsonl", tmp_path / "report.json"
    write_jsonl(given, [good.to_json()])
    assert write_report(given, report)["instances"] == 1
    write_jsonl(given, [bad.to_json()])
    with pytest.raises(DivLogicError, match=bad.id):
        write_report(given, report)


def test_a_sentence_reads_back_where_one_clause_is_part_of_another() -> None:
    clauses = {
        "A": {"text": "otters swim", "negated": "otters don't swim"},
        "B": {"text": "sea otters swim at night", "negated": None},
    }
    said = read_sentences(
        "If otters don't swim, then sea otters swim at night. Otters swim.", clauses
    )
    assert [to_text(formula) for formula in said] == ["(¬A→B)", "A"]


def spoken(p: Proposition) -> object:
    """Return a sentence with its connectives and signs, without its statements."""
    if type(p) is int:
        return p & 1
    return (p[0], *(spoken(part) for part in p[1:]))


def whole_threes(**values: Any) -> list[Three]:
    threes = drawn(JustLogicParameters(per_depth=60, **values))
    whole = [three for three in threes if len({one.label for one in three.instances}) == 3]
    assert whole
    return whole


VARIANTS: list[dict[str, Any]] = [
    {},
    {"distractors": 2},
    {"max_nesting": 4},
    {"depths": [8, 12]},
    {"shape_weights": {"statement": 1.0}},
]


@pytest.mark.parametrize("values", VARIANTS)
def test_the_sentences_of_a_three_have_the_same_connectives_and_signs(
    values: dict[str, Any],
) -> None:
    """The bag of sentences, without their statements, is equal: nothing that sees it can tell a label."""
    for three in whole_threes(**values):
        if three.depth in (2, 3) and type(three.instances[0].query) is not int:
            continue  # a compound's own sentences are half of the path there
        bags = [Counter(map(spoken, one.premises)) for one in three.instances]
        assert bags[0] == bags[1] == bags[2], three


@pytest.mark.parametrize("values", VARIANTS)
def test_the_same_statements_share_a_sentence_in_each_instance_of_a_three(
    values: dict[str, Any],
) -> None:
    """Connection, degrees and distances are equal: who reads no *not*, *if* or *or* learns nothing."""
    for three in whole_threes(**values):
        graphs = []
        for one in three.instances:
            graphs.append(Counter(frozenset(atoms_of(premise)) for premise in one.premises))
        assert graphs[0] == graphs[1] == graphs[2], three
        assert len({one.query for one in three.instances}) == 1
        assert len({one.atoms for one in three.instances}) == 1


def mentions(one: Instance) -> Counter[tuple[int, int]]:
    """Return how many statements are said so many times and denied so many times, as worded."""
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0])

    def visit(p: Proposition) -> None:
        if type(p) is int:
            counts[p >> 1][p & 1] += 1
            return
        for part in p[1:]:
            visit(part)

    for premise in one.premises:
        visit(premise)
    return Counter((said, denied) for said, denied in counts.values())


def test_where_few_sentences_are_there_statements_are_said_and_denied_equally_often() -> None:
    for three in whole_threes(depths=[1, 2, 3], shape_weights={"statement": 1.0}):
        counts = [mentions(one) for one in three.instances]
        assert counts[0] == counts[1] == counts[2], three


def truth(one: Instance, both_ways: bool) -> str:
    """Decide an instance over all valuations of its statements; with ``both_ways`` every *if* is *if and only if*."""
    asked = {atom for premise in one.premises for atom in atoms_of(premise)}
    place = {atom: number for number, atom in enumerate(sorted(asked))}

    def holds(p: Proposition, valuation: tuple[bool, ...]) -> bool:
        if type(p) is int:
            return valuation[place[p >> 1]] != bool(p & 1)
        if p[0] == NOT:
            return not holds(p[1], valuation)
        left, right = (holds(part, valuation) for part in p[1:])
        if p[0] == IF:
            return left == right if both_ways else not left or right
        return left or right

    values = set()
    for valuation in product((False, True), repeat=len(place)):
        if all(holds(premise, valuation) for premise in one.premises):
            values.add(holds(one.query, valuation))
    return {
        frozenset(): "contradiction",
        frozenset({True}): "true",
        frozenset({False}): "false",
        frozenset({True, False}): "uncertain",
    }[frozenset(values)]


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_who_takes_every_if_both_ways_meets_a_contradiction_whatever_the_label(depth: int) -> None:
    for three in whole_threes(depths=[depth], shape_weights={"statement": 1.0})[:8]:
        for one in three.instances:
            assert truth(one, both_ways=False) == one.label
            assert truth(one, both_ways=True) == "contradiction"


def of_two_literals(premise: Proposition) -> tuple[int, int] | None:
    """Return the two literals of which a sentence says that one holds."""
    if type(premise) is int:
        return None
    first, second = premise[1:]
    return (first ^ 1 if premise[0] == IF else first, second)


def read_in_part(one: Instance, top: bool, bottom: bool) -> tuple[object, ...]:
    """Return what a reader has of the path who reads the ring, and the stems above and below it or not.

    The ring is the square of four statements of which each shares one sentence with the next. With the stem below a
    reader knows what holds at the ring's foot, with the one above what its head means for the query.
    """
    clauses = [clause for clause in map(of_two_literals, one.premises) if clause]
    pairs = Counter(frozenset((first >> 1, second >> 1)) for first, second in clauses)
    single = {pair for pair, sentences in pairs.items() if sentences == 1}
    (fact,) = (premise for premise in one.premises if type(premise) is int)
    degree = Counter(atom for pair in single for atom in pair)
    ring = [atom for atom, count in degree.items() if count == 2]
    assert len(ring) == 4

    def along(start: int, known: int) -> tuple[int, int]:
        """Follow stem links from a statement with a sign to one of the ring."""
        seen = {start}
        while start not in ring:
            double = [pair for pair, sentences in pairs.items() if sentences == 2]
            (link,) = (pair for pair in double if start in pair and not pair <= seen)
            (following,) = link - {start}
            first = next(c for c in clauses if {c[0] >> 1, c[1] >> 1} == link)
            known ^= 1 ^ (first[0] & 1) ^ (first[1] & 1)
            start = following
            seen.add(start)
        return start, known

    head, head_turned = along(one.query >> 1, one.query & 1)
    foot, foot_sign = along(fact >> 1, fact & 1)
    middles = sorted(atom for atom in ring if atom not in (head, foot))

    def signs(first: int, second: int) -> tuple[int, int]:
        clause = next(c for c in clauses if {c[0] >> 1, c[1] >> 1} == {first, second})
        near, far = sorted(clause, key=lambda literal: literal >> 1 != first)
        return near & 1, far & 1

    found: list[object] = []
    for middle in middles:
        from_foot, to_middle = signs(foot, middle)
        from_middle, to_head = signs(middle, head)
        found += [
            from_foot ^ foot_sign if bottom else from_foot,
            to_middle ^ from_middle,
            to_head ^ head_turned if top else to_head,
        ]
    return tuple(found)


@pytest.mark.parametrize(
    ("top", "bottom", "least", "most"),
    [
        (False, False, 1 / 3, 0.36),  # nothing is known
        (True, False, 0.64, 0.70),  # true or uncertain, or else false or uncertain
        (False, True, 0.64, 0.70),  # whether it is uncertain
        (True, True, 1.0, 1.0),
    ],
)
def test_a_reader_of_the_ring_needs_both_stems(
    top: bool, bottom: bool, least: float, most: float
) -> None:
    seen: dict[object, Counter[str]] = defaultdict(Counter)
    parameters = JustLogicParameters(
        depths=[6],
        per_depth=3000,
        shape_weights={"statement": 1.0},
        forms={"modus_ponens": 1, "modus_tollens": 1, "disjunctive_syllogism": 1},
    )
    for three in drawn(parameters):
        for one in three.instances:
            seen[read_in_part(one, top, bottom)][one.label] += 1
    right = sum(max(counts.values()) for counts in seen.values())
    assert least <= right / sum(counts.total() for counts in seen.values()) <= most


def test_the_argument_of_an_uncertain_instance_turns_one_sign_of_the_text(
    records: list[Record],
) -> None:
    uncertain = [record for record in records if record.answer == 2 and record.depth > 1]
    assert len(uncertain) > 20
    for record in uncertain:
        formulas = record.formulas or {}
        concluded = {step["conclusion"] for step in formulas["argument"]}
        argued = {text for step in formulas["argument"] for text in step["premises"]}
        (turned,) = argued - concluded - set(formulas["premises"])
        assert formulas["conclusion"].strip("¬") == formulas["query"].strip("¬") or "(" in turned
        # With that premise in the text's own form the argument has a gap, which is found.
        honest = [
            {**step, "premises": [text for text in step["premises"] if text != turned]}
            for step in formulas["argument"]
        ]
        broken = dataclasses.replace(record, formulas={**formulas, "argument": honest})
        assert any("is not valid" in problem for problem in problems(broken))


def test_no_argument_of_a_true_or_false_instance_turns_a_sign(records: list[Record]) -> None:
    decided = [record for record in records if record.answer != 2 and record.depth > 1]
    assert len(decided) > 40
    for record in decided:
        formulas = record.formulas or {}
        concluded = {step["conclusion"] for step in formulas["argument"]}
        argued = {text for step in formulas["argument"] for text in step["premises"]}
        assert argued - concluded <= set(formulas["premises"])


OTHER: dict[str, Any] = {
    "depths": [1, 2], "per_depth": 12, "splits": {"train": 0.5, "validation": 0.25, "test": 0.25},
    "shape_weights": {"statement": 0.1, "conditional": 0.1, "disjunction": 0.8}, "negation_probability": 0.9,
    "polarity": "conclusion", "uncertain_query": "absent", "max_nesting": 4, "distractors": 1,
    "forms": {"modus_ponens": 5.0, "hypothetical_syllogism": 1.0, "reductio_ad_absurdum": 1.0},
    "shuffle_premises": False, "verb_negation": 0.5, "statements": StatementParameters(max_overlap=0.26),
}  # fmt: skip
ELSEWHERE = {"fresh", "shards"}
"""What is made for the probes, and how many workers there are."""


@pytest.mark.parametrize("uncertain", ["open", "absent"])
@pytest.mark.parametrize(
    "name", [name for name in JustLogicParameters.model_fields if name not in ELSEWHERE]
)
def test_every_parameter_changes_the_items_or_is_refused(
    table: Path, name: str, uncertain: Any
) -> None:
    # Of the open construction few instances have a compound that could be nested deeper.
    count = 90 if uncertain == "open" else 18
    given = JustLogicParameters(depths=[1, 5], per_depth=count, uncertain_query=uncertain)
    value = (uncertain == "absent" and name == "uncertain_query" and "open") or OTHER[name]
    found = resources({"statements": table})

    def made(parameters: JustLogicParameters) -> list[Record]:
        worded = (realise(three, found, parameters, 5) for three in drawn(parameters))
        return [
            dataclasses.replace(record, metadata={}) for records in worded for record in records
        ]

    if (name, uncertain) == ("polarity", "open"):
        with pytest.raises(ValueError, match="uncertain_query: absent only"):
            JustLogicParameters(polarity=value)
        return
    assert made(given) != made(
        JustLogicParameters.model_validate(given.model_dump() | {name: value})
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"depths": [1, 30]}, "depths reach to 12; 30 is more"),
        ({"forms": {"reductio_ad_absurdum": 1.0}}, "modus_ponens or modus_tollens a weight"),
        ({"forms": {"modus_ponens": 1.0}}, "give reductio_ad_absurdum a weight, or leave 1 out"),
        (
            {"forms": {"constructive_dilemma": 1.0}, "uncertain_query": "absent"},
            "give modus_ponens one",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_when_parameters_are_read(
    values: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        JustLogicParameters(**values)


@pytest.mark.parametrize(
    ("depths", "forms"),
    [
        ([2, 7, 12], {"modus_ponens", "modus_tollens"}),
        ([1, 2, 7, 12], {"modus_ponens", "modus_tollens", "reductio_ad_absurdum"}),
        ([2, 7], {*LINKS, "hypothetical_syllogism"}),
        ([4, 7], {*LINKS, "disjunction_elimination", "constructive_dilemma"}),
    ],
)
def test_the_forms_that_have_a_weight_are_drawn(depths: list[int], forms: set[str]) -> None:
    weights: Any = dict.fromkeys(sorted(forms), 1.0)
    parameters = JustLogicParameters(depths=depths, per_depth=30, forms=weights)
    found = set()
    for three in drawn(parameters):
        for one in three.instances:
            found |= {step.form for step in one.steps}
    assert found == forms


def test_all_seven_forms_occur_in_the_default(records: list[Record]) -> None:
    forms = Counter(form for record in records for form in record.forms or ())
    assert set(forms) == set(FORM_NAMES)


def test_fresh_instances_are_others_than_the_runs_and_always_open(
    table: Path, records: list[Record]
) -> None:
    given = JustLogicParameters(depths=[1, 3], uncertain_query="absent", polarity="conclusion")
    found = list(fresh_records(table, given, SEED + 1, 18))
    labels = Counter((record.depth, record.answer) for record in found)
    assert labels == dict.fromkeys(((depth, answer) for depth in (1, 3) for answer in range(3)), 6)
    assert {record.metadata["preset"] for record in found} == {"balanced"}
    assert {record.metadata["uncertain_query"] for record in found} == {"open"}
    assert [problem for record in found for problem in problems(record)] == []
    assert not {record.context for record in found} & {record.context for record in records}

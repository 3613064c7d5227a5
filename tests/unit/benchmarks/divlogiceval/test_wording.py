"""The sentences chosen for an instance make its label true, and say so in the record."""

from __future__ import annotations

import collections
import itertools
import re
from dataclasses import replace

import pytest

from divlogic.benchmarks.divlogiceval import build
from divlogic.benchmarks.divlogiceval.build import write_ilogiceval
from divlogic.benchmarks.divlogiceval.check import label_problems, problems, write_report
from divlogic.benchmarks.divlogiceval.draw import draw_instance
from divlogic.benchmarks.divlogiceval.groups import (
    SentenceGroup,
    read_groups,
    shuffle_groups,
    shuffle_key,
    without_shared_sentences,
)
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import NOT_AND, as_said, formula
from divlogic.benchmarks.divlogiceval.realise import CONTRADICT
from divlogic.benchmarks.divlogiceval.sizes import QUESTION_TYPES
from divlogic.benchmarks.divlogiceval.wording import choose_wording
from divlogic.benchmarks.generate import assemble
from divlogic.benchmarks.templates import load_templates
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_jsonl, write_jsonl
from divlogic.logic import Not, Var, entails, equivalent, parse, satisfiable, variables
from divlogic.logic.smt import z3_entails
from divlogic.parameters import validate
from divlogic.records import read_records
from tests.generation import drawn_shards, worded_shards
from tests.support import csv_rows
from tests.unit.benchmarks.conftest import group_row

BALANCED = DivLogicEvalParameters()


def parameters(test=42, unpolished=30, **settings):
    values = {"splits": {"test": test, "unpolished": unpolished}, **settings}
    return validate({"benchmarks": {"divlogiceval": values, "ilogiceval": {"validation": 9}}})


def run(folder, groups, params, shards=1):
    """Run every pass of the generation in a folder, as the workflow does."""
    build_folder = folder / f"{shards}-shards"
    shuffled = build_folder / "groups.jsonl"
    shuffle_groups(groups, shuffled, params.seed)
    symbolic = drawn_shards("divlogiceval", build_folder, params, shards)
    plan = build_folder / "plan.json"
    build.write_plan(symbolic, shuffled, plan, params)
    worded, counts = worded_shards(
        "divlogiceval", build_folder, params, symbolic, groups=shuffled, plan=plan
    )
    text, twin = build_folder / "text", build_folder / "twin"
    assemble("divlogiceval", worded, out=build_folder / "worded", compressed=True)
    build.finish(build_folder / "worded", text, twin, params)
    write_ilogiceval(text, build_folder / "ilogiceval", params)
    level = params.benchmarks.divlogiceval.verification
    build.write_verification(counts, build_folder / "verification.csv", level)
    return build_folder


@pytest.fixture(scope="module")
def made(tmp_path_factory, groups_file):
    return run(tmp_path_factory.mktemp("made"), groups_file, parameters())


def rows_of(folder, kind="text", splits=build.SPLITS):
    return [record for split in splits for record in read_records(folder / kind / f"{split}.jsonl")]


@pytest.fixture(scope="module")
def records(made):
    return rows_of(made)


def test_every_split_is_balanced_and_full(records):
    kinds = collections.Counter((record.split, record.question_type) for record in records)
    sizes = {"test": 14, "unpolished": 10}
    assert kinds == {
        (split, kind): size for split, size in sizes.items() for kind in QUESTION_TYPES
    }


def test_every_question_is_one_of_its_type(records):
    questions = load_templates().questions
    assert all(record.question in questions[record.question_type] for record in records)


def test_z3_confirms_every_label_at_both_levels(records):
    assert [problem for record in records for problem in problems(record)] == []


def test_no_sentence_denies_both_of_two_clauses_one_of_which_is_negated(tmp_path, groups_file):
    for signs in itertools.product((0, 1), repeat=3):
        drawn = (NOT_AND, *[2 * variable + sign for variable, sign in enumerate(signs)])
        assert equivalent(formula(as_said(drawn)), formula(drawn))
        assert (as_said(drawn)[0] == NOT_AND) == (signs[:2] == (0, 0))
    parity = rows_of(run(tmp_path, groups_file, parameters(construction="parity")))
    texts = [text for record in parity for text in (record.context, *record.options)]
    # An *and* of a clause's own must not be taken for the one that *both* asks for.
    assert any(" both that " in text for text in texts)
    assert not any(re.search(r"\bboth (?!that\b)", text) for text in texts)
    assert not any(
        denial in text for text in texts for denial in ("not the case", "not true", "is false")
    )


def test_a_sentence_group_serves_one_quartet_only_whose_members_share_it(records):
    served = collections.defaultdict(set)
    groups = collections.defaultdict(set)
    for record in records:
        quartet = (record.split, record.question_type, record.metadata["quartet"])
        own = {name: entry["group"] for name, entry in record.sentences.items()}
        groups[quartet].add(tuple(sorted(own.items())))
        for group in own.values():
            served[group].add(quartet)
    assert all(len(quartets) == 1 for quartets in served.values())
    assert all(len(own) == 1 for own in groups.values())


def test_a_sentence_group_serves_one_instance_only_as_published(tmp_path, groups_file):
    published = rows_of(run(tmp_path, groups_file, parameters(preset="as_published")))
    uses = collections.Counter(
        entry["group"] for record in published for entry in record.sentences.values()
    )
    assert max(uses.values()) == 1


def test_the_sentences_of_a_record_stand_in_its_text(records):
    for record in records:
        text = " ".join([record.context, *record.options]).lower()
        for entry in record.sentences.values():
            subjects = [
                sentence.split(" is ")[0] for sentence in (entry["premise"], *entry["hypotheses"])
            ]
            assert any(subject in text for subject in subjects)


def test_a_contradiction_is_marked_and_quoted_as_published_and_nowhere_else(
    tmp_path, groups_file, records
):
    assert not any(CONTRADICT in record.formulas["options"] for record in records)
    folder = run(tmp_path, groups_file, parameters(preset="as_published"))
    published = rows_of(folder, splits=["test"])
    assert not any(map(problems, published))
    marked = [record for record in published if CONTRADICT in record.formulas["options"]]
    assert marked
    for record in marked:
        option = record.options[record.formulas["options"].index(CONTRADICT)].lower()
        (quoted,) = [
            one["contradiction"] for one in record.sentences.values() if "contradiction" in one
        ]
        assert quoted in option


def test_contradictions_can_be_left_out_as_published(tmp_path, groups_file):
    none = parameters(preset="as_published", contradictions={"3c1e": 0.0, "missing_premise": 0.0})
    folder = run(tmp_path, groups_file, none)
    assert "contradict" not in (folder / "text" / "test.jsonl").read_text()


def totals(folder):
    """Return the last row of the counts, which is that of all question types."""
    return csv_rows(folder / "verification.csv")[-1]


def test_how_often_the_free_wording_fails_is_measured(made):
    total = totals(made)
    assert (total["question_type"], total["instances"]) == ("all", "72")
    assert 36 < int(total["free_wording_fails_nli"]) < 72


def test_at_the_symbolic_level_the_free_wording_stays_and_fails_exactly_where_z3_says_so(
    tmp_path, groups_file
):
    folder = run(tmp_path, groups_file, parameters(verification="symbolic"))
    loose = rows_of(folder)
    assert not any(map(problems, loose))
    as_nli = [
        replace(record, metadata={**record.metadata, "verification": "nli"}) for record in loose
    ]
    assert (
        int(totals(folder)["free_wording_fails_nli"]) == sum(map(bool, map(problems, as_nli))) > 0
    )


def test_shards_make_no_difference(tmp_path, groups_file, made):
    other = run(tmp_path, groups_file, parameters(), shards=5)
    for path in ("text/test.jsonl", "text/unpolished.jsonl", "twin/test.jsonl", "verification.csv"):
        assert (other / path).read_bytes() == (made / path).read_bytes()


def test_another_seed_makes_other_instances_from_other_sentences(tmp_path, groups_file, made):
    other = run(tmp_path, groups_file, parameters().model_copy(update={"seed": 5}))
    assert (other / "text/test.jsonl").read_bytes() != (made / "text/test.jsonl").read_bytes()


def few(tmp_path, groups_file, count):
    """Write the first groups of a file."""
    write_jsonl(tmp_path / "few.jsonl", [row for _, row in read_jsonl(groups_file)][:count])
    return tmp_path / "few.jsonl"


def test_few_sentences_give_few_but_balanced_instances(tmp_path, groups_file, capsys):
    folder = run(tmp_path, few(tmp_path, groups_file, 150), parameters())
    test, unpolished = (len(rows_of(folder, splits=[split])) for split in build.SPLITS)
    assert 0 < unpolished < test < 42
    assert test % 3 == unpolished % 3 == 0
    assert f"test: {test} of 42 instances" in capsys.readouterr().err


def test_too_few_sentences_are_refused_with_advice(tmp_path, groups_file):
    with pytest.raises(DivLogicError, match="too few"):
        run(tmp_path, few(tmp_path, groups_file, 8), parameters())


def test_ilogiceval_recuts_the_same_instances_in_whole_quartets(made, records):
    splits = [rows_of(made, "ilogiceval", [name]) for name in ("train", "validation", "test")]
    train, validation, test = map(len, splits)
    assert test == 42
    assert 9 <= validation <= 18 <= 9 + train  # 9 are asked for
    assert sorted(record.context for rows in splits for record in rows) == sorted(
        r.context for r in records
    )
    quartets = [{(r.question_type, r.metadata["quartet"]) for r in rows} for rows in splits]
    assert all(one.isdisjoint(other) for one, other in itertools.combinations(quartets, 2))


def test_the_members_of_a_quartet_stand_apart_in_an_order_of_the_seed(made, records):
    of_test = [record for record in records if record.split == "test"]
    numbered = [f"divlogiceval-test-{at:06d}" for at in range(42)]
    assert [record.id.rpartition("-")[0] for record in of_test] == numbered
    places = collections.defaultdict(list)
    for at, record in enumerate(of_test):
        places[record.question_type, record.metadata["quartet"]].append(at)
    whole = [own for own in places.values() if len(own) == 4]
    assert whole and all(len({4 * at // 42 for at in own}) >= 3 for own in whole)
    sizes, given = {"test": 2400, "unpolished": 12}, parameters()
    orders = [
        build.seeded_orders(sizes, given.model_copy(update={"seed": seed})) for seed in (1, 2)
    ]
    assert orders[0] != orders[1]
    assert sorted(orders[0]["test"]) == list(range(2400))
    assert max(orders[0]["test"][:1200]) == 1199


def test_the_symbolic_twin_asks_the_same_in_symbols(made, records):
    for record, twin in zip(records, rows_of(made, "twin"), strict=True):
        assert (twin.answer, twin.question) == (record.answer, record.question)
        head, _, conclusion = twin.context.partition(" ⊨ ")
        premises, options = (
            [parse(text) for text in texts] for texts in (head.split(", "), twin.options)
        )
        if conclusion:
            follows = [entails([*premises, option], parse(conclusion)) for option in options]
        else:
            follows = [entails(premises, option) for option in options]
        assert follows.count(follows[twin.answer]) == 1


def test_a_wrong_answer_is_found_by_z3(tmp_path, records):
    path = tmp_path / "broken.jsonl"
    write_jsonl(path, [records[0].to_json() | {"answer": (records[0].answer + 1) % 4}])
    with pytest.raises(DivLogicError, match=records[0].id):
        write_report(path, tmp_path / "z3.json")
    assert not (tmp_path / "z3.json").exists()


def worded(index, size=3, settings=BALANCED):
    """Draw an instance and choose its sentences, of which each variable has so many."""
    instance = draw_instance(3, index, settings)
    sizes = dict.fromkeys(instance.variables, size)
    return instance, choose_wording(instance, sizes, frozenset(), Draws(4, index), settings)


def test_one_wording_throughout_always_holds():
    assert all(worded(index, size=1)[1].free_holds for index in range(60))


@pytest.mark.parametrize("preset", ["balanced", "as_published"])
def test_positive_clause_literals_are_worded_by_the_premise_and_negative_ones_by_a_hypothesis(
    preset,
):
    settings = DivLogicEvalParameters(preset=preset)
    if preset == "balanced":
        settings = DivLogicEvalParameters(lexical_steps=None)
    chosen = collections.Counter()
    for index in range(90):
        instance, wording = worded(index, settings=settings)
        count = len(instance.premises)
        asserted = [*range(count)]
        if instance.conclusion is not None:
            asserted += range(count + 1, count + 5)
        for at, (statement, row) in enumerate(
            zip(wording.statements, wording.choices, strict=True)
        ):
            for place, (literal, choice) in enumerate(zip(statement[1:], row, strict=True)):
                # What a clause says positively: behind an arrow as it stands, before one denied, but for ¬(A∧B).
                before = place < len(statement) - 2 and statement[0] != NOT_AND
                positive = (literal & 1 == before) == (at in asserted)
                assert (choice == 0) == positive
                chosen[choice] += 1
    assert min(chosen[1], chosen[2]) > 0.8 * max(chosen[1], chosen[2])


def test_the_members_of_a_quartet_throw_the_same_coins():
    for start in range(0, 60, 12):
        rows = collections.defaultdict(set)
        for index in range(start, start + 12, 3):
            wording = worded(index)[1]
            for at, row in enumerate(wording.choices):
                for place, choice in enumerate(row):
                    variable = wording.statements[at][1 + place] >> 1
                    rows[at, place, variable].add(choice)
        # One premise and one hypothesis at most for each place of a variable, whatever the signs.
        assert all(len(found - {0}) <= 1 for found in rows.values())


def broken_by(record, axiom):
    """Return whether a record's label is another one without an axiom (by Z3)."""
    worded = record.metadata["worded"]
    kept = [one for one in worded["axioms"] if one != axiom]
    return any(label_problems(record, worded, worded["options"], kept))


@pytest.mark.parametrize("construction", ["square", "parity"])
@pytest.mark.parametrize("most", [0, 1, 2, 4, None])
def test_a_key_rests_on_as_many_lexical_steps_as_the_record_says(
    tmp_path, groups_file, construction, most
):
    """Take each axiom away and let Z3 decide again: so many of them break the key."""
    asked = parameters(test=24, unpolished=0, construction=construction, lexical_steps=most)
    seen = set()
    for record in rows_of(run(tmp_path, groups_file, asked), splits=["test"]):
        axioms = record.metadata["worded"]["axioms"]
        breaking = {axiom[1] for axiom in axioms if broken_by(record, axiom)}
        assert record.metadata["lexical_steps"] == len(breaking)
        assert most is None or len(breaking) <= most
        seen.add(len(breaking))
        if most == 0:
            texts = record.metadata["worded"]
            stated = [*texts["premises"], *texts["options"], texts["conclusion"] or ""]
            atoms = set(re.findall(r"[A-Z][0-9]", " ".join(stated)))
            assert len({atom[0] for atom in atoms}) == len(atoms)  # one sentence for each variable
    assert max(seen) > 2 or most is not None


def test_depths_are_the_same_at_the_level_of_sentences(records):
    # Z3 decides up to 1,716 sets of premises for each option.
    one_of_each = {record.question_type: record for record in records}
    for record in one_of_each.values():
        worded, kind = record.metadata["worded"], record.question_type
        axioms = [parse(text) for text in worded["axioms"]]
        premises = [parse(text) for text in worded["premises"]]
        for at, text in enumerate(worded["options"]):
            given, goal = premises, parse(text)
            if kind == "missing_premise":
                given, goal = [*premises, goal], parse(worded["conclusion"])
            if (at == record.answer) == (kind == "3e1c"):
                continue
            needed = record.metadata["premises_needed"]
            fewer = itertools.combinations(given, needed - 1)
            assert not any(z3_entails([*axioms, *some], goal) for some in fewer)
            assert any(
                z3_entails([*axioms, *some], goal) for some in itertools.combinations(given, needed)
            )


def test_worded_formulas_tie_sentences_by_their_nli_labels(records):
    for record in records:
        worded = record.metadata["worded"]
        texts = [*worded["premises"], *worded["options"], *filter(None, [worded["conclusion"]])]
        atoms = {name for text in texts for name in variables(parse(text))}
        axioms = [parse(text) for text in worded["axioms"]]
        for name in atoms:
            premise = Var(name[0] + "0")
            if name[1:] == "0" or premise.predicate not in atoms:
                continue
            if name[1:] == "c":
                assert not satisfiable([*axioms, premise, Var(name)])
            else:
                assert entails([*axioms, premise], Var(name))
                assert not entails([*axioms, Var(name)], premise)
                assert satisfiable([*axioms, Var(name), Not(premise)])


def shuffled(source, out, seed):
    shuffle_groups(source, out, seed)
    return list(read_groups(out, 2))


def test_shuffling_keeps_every_group_and_depends_on_the_seed(tmp_path, groups_file):
    one, other = (
        [group.id for group in shuffled(groups_file, tmp_path / "out", seed)] for seed in (1, 2)
    )
    assert one != other
    assert sorted(one) == sorted(other) == sorted({row["id"] for _, row in read_jsonl(groups_file)})


def test_shuffling_does_not_depend_on_the_order_of_the_file(tmp_path, groups_file):
    turned = tmp_path / "turned.jsonl"
    write_jsonl(turned, [row for _, row in read_jsonl(groups_file)][::-1])
    assert shuffled(turned, tmp_path / "other", 9) == shuffled(groups_file, tmp_path / "one", 9)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_many_groups_of_one_id_can_be_shuffled(tmp_path):
    rows = [group_row(number) | {"id": "00000000000a"} for number in range(5)]
    write_jsonl(tmp_path / "groups.jsonl", rows)
    found = shuffled(tmp_path / "groups.jsonl", tmp_path / "out", 1)
    assert [group.source for group in found] == [row["source"] for row in rows]


def test_keys_of_two_seeds_differ_and_follow_splitmix64():
    # The first output of SplitMix64's reference implementation, started with 0.
    number = 0x9E3779B97F4A7C15 ^ 0x632BE59BD9B4E019
    assert shuffle_key(f"{number:x}", 0) == f"e220a8397b1dcdaf{number:016x}"
    assert len({shuffle_key("0123456789ab", seed) for seed in range(100)}) == 100


def test_a_shard_reads_no_group_of_the_shards_before_it(tmp_path, groups_file):
    params = parameters()
    folder = run(tmp_path, groups_file, params, shards=3)
    plan = read_json(folder / "plan.json")
    start = plan["starts"][2]
    assert start["group"] > 0
    content = (folder / "groups.jsonl").read_bytes()
    assert content[: start["byte"]].count(b"\n") == start["group"]
    (folder / "groups.jsonl").write_bytes(b"?" * start["byte"] + content[start["byte"] :])
    inputs = {
        name: folder / f"{name}.{suffix}"
        for name, suffix in (("groups", "jsonl"), ("plan", "json"))
    }
    again = list(build.worded(params, folder / "drawn-2-of-3.jsonl.gz", 2, inputs, {}))
    assert again == list(read_records(folder / "worded-2-of-3.jsonl.gz"))


def test_shards_that_are_missing_or_out_of_order_are_refused(tmp_path, groups_file):
    params = parameters()
    folder = run(tmp_path, groups_file, params, shards=2)
    shards = [folder / "drawn-0-of-2.jsonl.gz", folder / "drawn-1-of-2.jsonl.gz"]
    missing = {"drawn-1-of-2.jsonl.gz, row 1": shards[::-1], "instance 36 instead of 0": shards[1:]}
    for where, given in missing.items():
        with pytest.raises(DivLogicError, match=where):
            build.write_plan(given, folder / "groups.jsonl", tmp_path / "plan.json", params)
    assert not (tmp_path / "plan.json").exists()


def test_a_sentence_under_two_premises_words_neither_of_two_variables():
    rows = [group_row(number) for number in range(400) if len(group_row(number)["entailed"]) == 2][
        :2
    ]
    rows[1]["entailed"][0] = rows[0]["entailed"][1]
    groups = [SentenceGroup.from_json(row, 2) for row in rows]
    cleaned = without_shared_sentences(groups)
    cleaned = without_shared_sentences(groups)
    assert [[len(group.clauses) for group in own] for own in (groups, cleaned)] == [[3, 3], [2, 2]]
    assert len({clause.text for group in cleaned for clause in group.clauses}) == 4

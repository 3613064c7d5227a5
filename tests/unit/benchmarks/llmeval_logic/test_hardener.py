"""The symbolic hardener: what every accepted item has, operator by operator, word by word."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from divlogic.benchmarks.llmeval_logic.draw import GATES, Tally, draw, of_a_coin
from divlogic.benchmarks.llmeval_logic.hardener.draft import MAX_ATOMS, draft_of
from divlogic.benchmarks.llmeval_logic.hardener.item import (
    HardItem,
    SubQuestion,
    decided_answers,
    item_json,
    queries_of,
    read_hard_item,
    supposed,
)
from divlogic.benchmarks.llmeval_logic.hardener.operators import OPERATORS, bridge
from divlogic.benchmarks.llmeval_logic.hardener.panel import GATE
from divlogic.benchmarks.llmeval_logic.hardener.questions import YES_OR_NO, QuestionPool, answers_in
from divlogic.benchmarks.llmeval_logic.hardener.wording import ChineseWording
from divlogic.benchmarks.llmeval_logic.parameters import HardenerParameters
from divlogic.benchmarks.llmeval_logic.realise import write_shard
from divlogic.benchmarks.llmeval_logic.schema import EVALUATION_ONLY
from divlogic.benchmarks.llmeval_logic.seeds import Noun, Seed, read_scenarios, seed_row
from divlogic.benchmarks.llmeval_logic.sets import merged, seed_verdicts, write_sets
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.logic.deciding import Space, decide, ground_atoms
from divlogic.logic.equivalence import canonical
from divlogic.logic.syntax import Binary, negate
from divlogic.logic.theory import Gloss, Symbol
from divlogic.records import read_records
from tests import generation
from tests.support import cases

PARAMETERS = HardenerParameters(items=24)


@pytest.fixture(scope="module")
def seeds() -> list[Seed]:
    return list(read_scenarios(Path("data/embedded/scenarios")))


@pytest.fixture(scope="module")
def seeds_file(seeds: list[Seed], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seeds") / "seeds.jsonl"
    write_jsonl(path, map(seed_row, seeds))
    return path


@pytest.fixture(scope="module")
def items(seeds: list[Seed]) -> list[HardItem]:
    found = [draw(PARAMETERS, 7, number, seeds) for number in range(PARAMETERS.items)]
    return [item for item in found if item is not None]


def asked_with(items: list[HardItem]) -> Iterator[tuple[HardItem, Space, SubQuestion]]:
    """Yield every question with its item and the space of the item's theory."""
    for item in items:
        space = Space(item.theory.symbols, MAX_ATOMS)
        yield from ((item, space, question) for question in item.questions)


def test_most_sources_give_an_item(items: list[HardItem]) -> None:
    assert len(items) >= 20


def test_both_deciders_give_the_recorded_answers(items: list[HardItem]) -> None:
    for item in items:
        again = read_hard_item(json.loads(json.dumps(item_json(item))))
        recorded = tuple(question.answer for question in item.questions)
        assert decided_answers(again.theory, again.questions, decide) == recorded, item.id


def test_every_premise_but_a_distractor_is_necessary_to_some_answer(items: list[HardItem]) -> None:
    for item in items[::3]:
        space = Space(item.theory.symbols, MAX_ATOMS)
        for premise in item.theory.premises:
            rest = [other for other in item.theory.premises if other is not premise]
            models = (
                space.conjunction(p.formula for p in supposed(rest, q)) for q in item.questions
            )
            answers = [
                answers_in(space, [true], q)[0]
                for true, q in zip(models, item.questions, strict=True)
            ]
            moved = answers != [question.answer for question in item.questions]
            assert moved == (premise.role != "distractor"), (item.id, premise.id)


def test_a_supposition_has_its_baseline_and_changes_some_answer(items: list[HardItem]) -> None:
    for item in items:
        supposed = [question for question in item.questions if question.removed or question.added]
        for question in supposed:
            bare = replace(question, removed=(), added=())
            (baseline,) = decided_answers(item.theory, [bare], decide)
            assert question.baseline == baseline, item.id
            assert question.answer != baseline or question.type in YES_OR_NO, item.id
        assert any(
            question.answer != question.baseline
            for question in supposed
            if question.type not in YES_OR_NO
        ), item.id


def test_yes_or_no_under_a_supposition_has_both_answers(items: list[HardItem]) -> None:
    found = {
        (
            bool(question.removed and not question.added),
            question.answer in ("possible", "unnecessary"),
        )
        for item in items
        for question in item.questions
        if question.baseline is not None and question.type in ("possible", "necessary")
    }
    assert found == set(product((True, False), repeat=2))


def test_a_fair_coin_answers_yes_or_no(seeds: list[Seed]) -> None:
    draft = draft_of(seeds[0])
    offered = [
        each
        for each in QuestionPool(draft, draft.space(), Draws(1)).candidates()
        if each.question.type in YES_OR_NO
    ]
    found: defaultdict[object, Counter[object]] = defaultdict(Counter)
    for number in range(600):
        drawn = of_a_coin(Draws(2, number).shuffled(offered), Counter(), Draws(3, number))
        assert drawn is not None
        found[drawn.question.cell][drawn.question.answer] += 1
    assert len({kind for kind, _, _ in found}) >= 3
    for cell, answers in found.items():
        asked = sum(answers.values())
        # Four standard deviations of a fair coin.
        assert len(answers) == 2 or asked < 10, cell
        assert all(abs(each - asked / 2) <= 2 * asked**0.5 for each in answers.values()), cell


def test_no_answer_is_drawn_where_only_one_could_be(seeds: list[Seed]) -> None:
    draft = draft_of(seeds[0])
    alike = [
        each
        for each in QuestionPool(draft, draft.space(), Draws(1)).candidates()
        if each.question.answer == "possible"
    ]
    assert alike and of_a_coin(alike, Counter(), Draws(1)) is None


def test_a_list_names_any_number_of_its_statements(items: list[HardItem]) -> None:
    named = Counter(
        len(question.answer)
        for item in items
        for question in item.questions
        if question.strategy == "set_valued" or question.statements
    )
    assert set(named) == {1, 2, 3, 4, 5}
    assert max(named.values()) < 0.45 * sum(named.values())


def _literals(expression):
    return str(
        expression[1] if isinstance(expression, list) and expression[0] == "not" else expression
    )


def test_no_list_states_one_thing_twice_or_repeats_a_condition(items: list[HardItem]) -> None:
    for item, space, question in asked_with(items):
        conditions = {space.table(premise.formula) for premise in item.theory.premises}
        tables = [space.table(statement.formula) for statement in question.statements]
        denied = [space.full & ~table for table in tables]
        assert len({*tables, *denied}) == 2 * len(tables), item.id
        assert not conditions & {*tables, *denied}, item.id
        asked = {_literals(statement.expression) for statement in question.statements}
        assert not asked & {_literals(premise.expression) for premise in question.added}, item.id


def test_no_conditional_holds_because_its_condition_never_does(items: list[HardItem]) -> None:
    for item, space, question in asked_with(items):
        true = space.conjunction(each.formula for each in supposed(item.theory.premises, question))
        for query in queries_of(question):
            if isinstance(query.formula, Binary) and query.formula.sign == "→":
                assert true & space.table(query.formula.left), item.id


def test_no_question_drops_what_a_relation_means(seeds: list[Seed]) -> None:
    scenario = next(seed for seed in seeds if seed.item.id == "dentist-3")
    laws = {"P1", "P2", "P3"}
    draft = draft_of(scenario)
    assert laws <= {premise.id for premise in draft.premises}
    pool = QuestionPool(draft, draft.space(), Draws(6))
    dropped = {name for candidate in pool.candidates() for name in candidate.question.removed}
    assert dropped and not dropped & laws


def test_no_sub_question_answers_another_one(items: list[HardItem]) -> None:
    for item in items:
        plain = [question for question in item.questions if question.baseline is None]
        listed = [
            set(each.query.targets)
            for each in plain
            if each.query and each.type == "enumerate_models"
        ]
        for question in plain:
            if question.type in ("count_models", "unique_solution", "has_alternative"):
                assert not any(set(question.query.targets) <= targets for targets in listed), (
                    item.id
                )
        formulas = []
        for question in plain:
            parts = [statement.formula for statement in question.statements]
            parts += [question.query.formula] if question.type in ("possible", "necessary") else []
            formulas += {
                canonical(negate(p) if str(p).startswith("Negation") else p) for p in parts
            }
        assert len(set(formulas)) == len(formulas), item.id


def test_no_gated_solver_gets_an_item_right(items: list[HardItem]) -> None:
    for item in items:
        assert all(not all(item.panel[name]) for name in GATE), item.id


def test_who_takes_everything_for_open_never_finds_what_must_or_cannot_be(
    items: list[HardItem],
) -> None:
    asked = [
        (question.answer, right)
        for item in items
        for question, right in zip(item.questions, item.panel["all_open"], strict=True)
        if question.type in ("possible", "necessary")
    ]
    assert len({answer for answer, _ in asked}) >= 3
    assert all(right == (answer in ("possible", "unnecessary")) for answer, right in asked)


def test_one_step_derives_less_of_hard_items_than_of_seeds(seeds: list[Seed]) -> None:
    def derived(panels: list[dict[str, list[bool]]]) -> float:
        counts = [
            sum(map(sum, (each[name] for each in panels))) for name in ("one_step", "all_open")
        ]
        return (counts[0] - counts[1]) / sum(len(each["all_open"]) for each in panels)

    before = [found for seed in seeds if (found := seed_verdicts(seed)) is not None]
    drawn = [draw(PARAMETERS, 7, number, seeds) for number in range(0, len(seeds), 2)]
    assert derived([item.panel for item in drawn if item is not None]) < derived(before)


def test_an_item_has_several_kinds_of_questions(items: list[HardItem]) -> None:
    for item in items:
        assert 4 <= len(item.questions) <= 8
        assert {"set_valued", "counterfactual"} <= {
            question.strategy for question in item.questions
        }
        assert len({question.text.zh for question in item.questions}) == len(item.questions)


def test_texts_hold_no_placeholder_and_no_doubled_stop(items: list[HardItem]) -> None:
    for item in items:
        said = [question.text for question in item.questions]
        for language in ("zh", "en"):
            for text in (item.context(language), *(getattr(each, language) for each in said)):
                assert not set("{}") & set(text), item.id
                assert "。。" not in text and ".." not in text and "  " not in text, text


def shard_of(seeds_file: Path, out: Path, shard: int, shards: int, items: int) -> Path:
    params = generation.run_of("llmeval_logic", {"hardener": {"items": items}}, seed=3)
    counts = out.with_suffix(".json")
    write_shard(seeds_file, shard=shard, shards=shards, out=out, counts=counts, params=params)
    return out


def test_the_shards_do_not_matter(seeds_file: Path, tmp_path: Path) -> None:
    bytes_of = []
    for shards in (1, 4):
        folder = tmp_path / str(shards)
        outs = enumerate(tmp_path / f"{shards}-{shard}.jsonl" for shard in range(shards))
        paths = [shard_of(seeds_file, out, shard, shards, 9) for shard, out in outs]
        counts = [path.with_suffix(".json") for path in paths]
        write_sets((*paths, *counts), seeds=seeds_file, out=folder, tables=folder)
        names = ("base.jsonl", "hard.jsonl", "hardening.csv", "panel.csv", "panel.json")
        bytes_of.append([(folder / name).read_bytes() for name in names])
    assert bytes_of[0] == bytes_of[1]
    records = list(read_records(tmp_path / "1" / "hard.jsonl"))
    assert records and all(record.benchmark == "llmeval_logic_generated" for record in records)


def test_a_file_without_seeds_is_told(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "seeds.jsonl", [])
    with pytest.raises(DivLogicError, match=r"seeds\.jsonl: there is no seed"):
        shard_of(tmp_path / "seeds.jsonl", tmp_path / "out.jsonl", 0, 1, 1)


def test_counts_by_gate_add_up(seeds: list[Seed]) -> None:
    tally = Tally()
    accepted = sum(draw(PARAMETERS, 11, number, seeds, tally) is not None for number in range(6))
    counts = tally.operators["all"]
    assert counts["accepted"] == accepted
    assert counts["drawn"] == sum(counts[name] for name in (*GATES, "accepted"))


def test_each_operator_finds_a_place_and_keeps_the_theory_readable(seeds: list[Seed]) -> None:
    for operator in OPERATORS:
        places = 0
        for number, seed in enumerate(seeds):
            draft = draft_of(seed)
            done = operator.apply(draft, Draws(5, number))
            if done is None:
                continue
            places += 1
            ids = [premise.id for premise in done.premises]
            assert len(set(ids)) == len(ids), (operator.name, seed.item.id)
            assert done.premises != draft.premises
            decide(done.theory())
        assert places >= 5, operator.name


def test_every_written_change_and_bridge_keeps_its_scenario_consistent(seeds: list[Seed]) -> None:
    known = {seed.item.id: seed for seed in seeds}
    for seed in seeds:
        stated = {premise.id: premise for premise in seed.item.formalization.premises}
        draft = draft_of(seed)
        drafts = []
        for change in seed.changes:
            wider = draft.with_symbols(change.symbols)
            new = [wider.made(each.formula, each.role, each.text) for each in change.premises]
            old = stated.get(change.replaces)
            drafts.append(wider.replacing(old, *new) if old else wider.adding(*new))
        for link in seed.bridges:
            done = bridge(link, known[link.to])(draft, Draws(1))
            assert done is not None
            assert (
                len(done.premises)
                == len(stated) + len(known[link.to].item.formalization.premises) + 1
            )
            drafts.append(done)
        for done in drafts:
            theory = done.theory()
            # Scenarios of an open domain that is closed may lose their models.
            assert decide(theory).satisfiable or not decide(draft.theory()).satisfiable, (
                seed.item.id
            )
            for premise in theory.premises:
                assert premise.text.zh.endswith("。") and premise.text.en.endswith(".")


def test_distractors_say_nothing_of_the_other_propositions_or_follow(seeds: list[Seed]) -> None:
    distractor = next(operator for operator in OPERATORS if operator.name == "distractor")
    for number, seed in enumerate(seeds[:12]):
        done = distractor.apply(draft_of(seed), Draws(2, number))
        if seed.item.contradictory or done is None or len(ground_atoms(done.symbols)) > MAX_ATOMS:
            continue
        space = Space(done.symbols, MAX_ATOMS)
        added = [premise for premise in done.premises if premise.role == "distractor"]
        rest = space.conjunction(
            premise.formula for premise in done.premises if premise.role != "distractor"
        )
        assert added and rest & space.conjunction(premise.formula for premise in added)
        if len(done.symbols) == len(seed.item.formalization.symbols):
            assert not rest & ~space.table(added[0].formula)


SYMBOLS = {
    symbol.name: symbol
    for symbol in (
        Symbol("A", "prop", gloss=Gloss("灯亮着", "灯不亮", "the lamp is on", "the lamp is off")),
        Symbol("B", "prop", gloss=Gloss("门开着", "门关着", "the door is open", "the door is shut")),
        Symbol("C", "prop", gloss=Gloss("下雨", "", "it rains", "")),
        Symbol("P", "pred", 1, gloss=Gloss("{0}到了", "{0}没到", "{0} has come", "{0} has not come")),
        Symbol("R", "pred", 2, gloss=Gloss("{0}认识{1}", "{0}不认识{1}", "{0} knows {1}", "{0} does not know {1}")),
        Symbol("a", "const", gloss=Gloss("小周", "", "Zhou")),
        Symbol("b", "const", gloss=Gloss("老吴", "", "Wu")),
    )
}  # fmt: skip


@pytest.mark.parametrize(("expression", "zh", "en"), cases(__file__, "worded"))
def test_formulas_are_worded(expression: object, zh: str, en: str) -> None:
    worded = ChineseWording(SYMBOLS, Noun("人", "person")).sentence(expression)
    assert (worded.zh, worded.en) == (zh, en)


def test_things_are_counted_by_their_measure_word() -> None:
    words = ChineseWording(SYMBOLS, Noun("译员", "translator", "名"))
    assert words.sentence(["forall", "x", ["P", "x"]]).zh == "对每名译员来说，该译员到了。"
    assert words.sentence(["exists", "x", ["P", "x"]]).zh == "至少有一名译员满足：该译员到了。"


def test_a_space_answers_closed_theories_as_the_deciders_do(seeds: list[Seed]) -> None:
    for seed in seeds:
        theory = seed.item.formalization
        if (theory.domain == "open" and theory.constants) or len(ground_atoms(theory.symbols)) > 16:
            continue
        space = Space(theory.symbols, MAX_ATOMS)
        true = space.conjunction(premise.formula for premise in theory.premises)
        decision = decide(theory)
        assert bool(true) == decision.satisfiable
        for query, answer in zip(theory.queries, seed.item.answers, strict=True):
            if query.type == "possible":
                assert (answer == "possible") == bool(true & space.table(query.formula)), (
                    seed.item.id
                )
            if query.type == "necessary":
                assert (answer == "necessary") == (not true & ~space.table(query.formula)), (
                    seed.item.id
                )
            if query.type == "count_models":
                assert len(space.models(true, query.targets, 64) or ()) == answer, seed.item.id


def shard_with(folder: Path, *items: HardItem) -> Path:
    write_jsonl(folder / "a.jsonl", map(item_json, items))
    return folder / "a.jsonl"


def test_an_item_twice_in_the_shards_is_refused(items: list[HardItem], tmp_path: Path) -> None:
    path, other = shard_with(tmp_path, items[0]), replace(items[0], id="00000-of-another-seed")
    for again in (path, shard_with(tmp_path / "other", other)):
        with pytest.raises(DivLogicError, match="two shards hold the item 00000-"):
            merged([path, again])


def test_of_two_items_with_one_text_the_first_is_kept(
    items: list[HardItem], tmp_path: Path
) -> None:
    path = shard_with(tmp_path, items[0], replace(items[0], id="99999-again"))
    assert [item.id for item in merged([path])] == [items[0].id]


def test_a_row_that_is_no_hard_item_is_named(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [{"id": "x"}])
    with pytest.raises(DivLogicError, match=r"a.jsonl, row 1: .*hard item"):
        merged([tmp_path / "a.jsonl"])


def test_published_items_never_enter_the_sets(seeds: list[Seed], tmp_path: Path) -> None:
    item = seeds[0].item
    theirs = replace(item, formalization=replace(item.formalization, licence=EVALUATION_ONLY))
    write_jsonl(tmp_path / "seeds.jsonl", [seed_row(replace(seeds[0], item=theirs))])
    with pytest.raises(DivLogicError, match="evaluation"):
        write_sets((), seeds=tmp_path / "seeds.jsonl", out=tmp_path, tables=tmp_path)

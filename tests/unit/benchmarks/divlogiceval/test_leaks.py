"""Nothing about the options alone tells the right one: not the kind of sentence, not the symbols of the twin."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import LITERAL, notation
from divlogic.benchmarks.divlogiceval.symbolic import draw_instance
from divlogic.benchmarks.divlogiceval.wording import CONTRADICTION, choose_wording
from divlogic.draws import Draws

INSTANCES = 1_500


def must_follow(instance):
    if instance.question_type == "3e1c":
        return [index for index in range(4) if index != instance.answer]
    return [instance.answer]


@pytest.fixture(scope="module")
def premise_shares():
    """(question type, antecedent or consequent, negated) -> share of premises, of options that must follow or not.

    Only variables with several sentences count; half of them have but one, as in a real corpus.
    """
    settings = DivLogicEvalParameters()
    kinds = defaultdict(lambda: {True: [], False: []})
    for index in range(INSTANCES):
        instance = draw_instance(3, index, settings)
        draws = Draws(3, index, 1)
        sizes = {variable: draws.pick([1, 1, 2, 3]) for variable in instance.variables}
        wording = choose_wording(instance, sizes, frozenset(instance.variables), draws, settings)
        must = must_follow(instance)
        for option, (statement, row) in enumerate(
            zip(wording.statements[-4:], wording.choices[-4:], strict=True)
        ):
            for place, (literal, choice) in enumerate(zip(statement[1:], row, strict=True)):
                last = place == len(statement) - 2
                if choice == CONTRADICTION or sizes[literal >> 1] == 1:
                    continue
                where = "alone" if statement[0] == LITERAL else "behind" if last else "before"
                kinds[instance.question_type, where, literal & 1][option in must].append(choice == 0)
    return kinds


def test_premises_are_as_frequent_in_options_that_must_follow_as_in_the_others(premise_shares):
    compared = 0
    for key, shares in premise_shares.items():
        if min(map(len, shares.values())) < 50:
            continue
        difference = np.mean(shares[True]) - np.mean(shares[False])
        spread = np.sqrt(sum(np.var(values) / len(values) for values in shares.values()))
        assert abs(difference) < max(4 * spread, 0.08), key
        compared += 1
    assert compared >= 6


def test_where_a_label_hangs_on_the_sentence_a_choice_is_made_for_it(premise_shares):
    # Without this the comparison above would hold because there is no pattern: of a denial that must follow the
    # premise is the safe choice, of a statement a hypothesis.
    denied = np.mean(premise_shares["3c1e", "alone", 1][True])
    stated = np.mean(premise_shares["3c1e", "alone", 0][True])
    assert denied > stated + 0.2


def test_a_contradiction_leaves_the_symbols_of_the_twin_as_they_were_drawn(worded_by_contradiction):
    assert len(worded_by_contradiction) > 20
    for instance, twin in worded_by_contradiction:
        assert twin.options == tuple(notation(option) for option in instance.options)


def test_a_contradiction_words_right_and_wrong_options_alike(worded_by_contradiction):
    right = wrong = 0
    for instance, twin in worded_by_contradiction:
        assert twin.formulas is not None
        hit = twin.metadata["contradicts"] == instance.answer
        right, wrong = right + hit, wrong + (not hit)
    assert right > 0.12 * (right + wrong)


@pytest.fixture(scope="module")
def worded_by_contradiction():
    from divlogic.benchmarks.divlogiceval.groups import Group
    from divlogic.benchmarks.divlogiceval.text import CONTRADICT, symbolic_twin, write_record
    from divlogic.benchmarks.divlogiceval.verify import disagreements
    from divlogic.benchmarks.templates import load_templates
    from tests.unit.benchmarks.conftest import group_row

    settings, templates = DivLogicEvalParameters(), load_templates()
    groups = [Group.from_json(group_row(number), 2) for number in range(8)]
    found = []
    for index in range(480):
        instance = draw_instance(5, index, settings)
        received = dict(zip(instance.variables, groups, strict=False))
        draws = Draws(5, index, 1)
        sizes = {variable: len(group.clauses) for variable, group in received.items()}
        contradicted = frozenset(variable for variable, group in received.items() if group.contradicted)
        wording = choose_wording(instance, sizes, contradicted, draws, settings)
        record = write_record(
            instance, wording, received, templates, draws, id=f"t-{index}", split="test", verification="nli"
        )
        assert record.formulas is not None
        if CONTRADICT in record.formulas["options"]:
            assert disagreements(record) == []
            twin = symbolic_twin(record)
            twin.metadata["contradicts"] = record.formulas["options"].index(CONTRADICT)
            found.append((instance, twin))
    return found

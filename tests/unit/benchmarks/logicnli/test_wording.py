"""LogicNLI's English: one reading, one "not" per negative literal, words that fit together."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given, strategies as st

from divlogic.benchmarks.logicnli.grammar import (
    SUBJECTS,
    fact_words,
    parts_of,
    read_fact,
    read_rule,
    readings_of,
    templates,
)
from divlogic.benchmarks.logicnli.parameters import FIELDS, NAMES
from divlogic.benchmarks.logicnli.realise import pools
from divlogic.benchmarks.logicnli.theories import FORMS, random_rule
from divlogic.draws import Draws
from divlogic.logic.horn import Literal

PEOPLE, WIDTH = 7, 12

HARD = re.compile(
    "being not|to be not|^Exactly when|everybody is (not|a person)| and .*(and conversely| if, and only if)"
)
"""What readers of whole items found hard: where "not" or "and" may reach further than meant."""


def literal_of(number: int, names: list[str], adjectives: list[str]) -> Literal:
    person, rest = divmod(number, 2 * WIDTH)
    return Literal(names[person], adjectives[rest >> 1], "-" if rest & 1 else "+")


def test_every_sentence_has_one_reading_which_is_its_formula() -> None:
    sentences = 0
    for code, patterns in templates().items():
        form = FORMS[code]
        for number, pattern in enumerate(patterns):
            for trial in range(20):
                draws = Draws(code, number, trial)
                pool = pools()[("train", "dev", "test")[trial % 3]]
                names, adjectives = pool.words(draws, PEOPLE, WIDTH)
                rule = random_rule(draws, form, PEOPLE, WIDTH)
                literals = [
                    literal_of(each, names, adjectives) for each in rule.premise + rule.conclusion
                ]
                text = pattern.filled([part for one in literals for part in parts_of(one)])
                (reading,) = readings_of(text)
                assert (reading.form, reading.equivalence) == (code, form.equivalence)
                assert reading == read_rule(text)
                sides = zip(
                    (reading.premise, reading.conclusion), SUBJECTS[form.scope], strict=True
                )
                subjects = [(subject, one) for side, subject in sides for one in side.literals]
                for (subject, one), literal in zip(subjects, literals, strict=True):
                    assert one == (literal._replace(subject=subject) if subject else literal)
                negative = sum(one.sign == "-" for one in literals)
                words = Counter(text.lower().replace(",", "").split())
                assert words["not"] + words["nobody"] == negative
                assert "either" not in text and text[0].isupper() and text.endswith(".")
                assert not HARD.search(text), text
                sentences += 1
    assert sentences > 2_000


@given(st.sampled_from(pools()["dev"].names), st.sampled_from(pools()["dev"].fields), st.booleans())
def test_a_fact_reads_back(name: str, field: tuple[str, ...], negative: bool) -> None:
    literal = Literal(name, field[0], "-" if negative else "+")
    assert read_fact(fact_words(literal)) == literal


def test_every_class_of_rules_has_three_patterns() -> None:
    assert set(templates()) == set(FORMS)
    assert min(map(len, templates().values())) >= 3


def test_the_pools_have_the_papers_sizes_and_share_nothing() -> None:
    names = {pool: set(words.names) for pool, words in pools().items()}
    adjectives = {
        pool: {word for field in words.fields for word in field} for pool, words in pools().items()
    }
    assert {pool: len(found) for pool, found in names.items()} == {
        "train": 382,
        "dev": 100,
        "test": 100,
    }
    assert {pool: len(found) for pool, found in adjectives.items()} == {
        "train": 379,
        "dev": 100,
        "test": 100,
    }
    assert min(map(len, names.values())) == NAMES
    assert {len(words.fields) for words in pools().values()} == {FIELDS}
    for words in (names, adjectives):
        assert len(set().union(*words.values())) == sum(map(len, words.values()))
    of_kind = [
        {word.lower() for found in words.values() for word in found}
        for words in (names, adjectives)
    ]
    assert not of_kind[0] & of_kind[1]


def test_a_theory_has_at_most_one_adjective_of_a_field() -> None:
    pool = pools()["test"]
    field_of = {word: number for number, field in enumerate(pool.fields) for word in field}
    for trial in range(50):
        _, drawn = pool.words(Draws(trial), 0, 16)
        assert len({field_of[word] for word in drawn}) == 16


def test_no_adjective_insults_and_words_near_to_one_another_are_of_one_field() -> None:
    fields: dict[str, int] = {}
    for pool in pools().values():
        fields |= {word: number for number, field in enumerate(pool.fields) for word in field}
    bad = "pigheaded stupid plump ugly lazy arrogant treacherous stingy deceitful cowardly rude greedy witless vain"
    bad += " bent young old aged elderly teenaged turbaned veiled hooded hatted tanned pale ruddy one-handed asthmatic"
    bad += " orphaned fostered poor jobless blond naturalised coastal urban abroad indoors sandy soggy sooty summoned"
    bad += " insolvent broke hard-up underpaid overworked ill sick airsick feverish wounded hoarse dizzy exhausted"
    bad += " incensed angry furious annoyed cross impatient tense sad tearful mournful pessimistic lonely withdrawn"
    bad += " hasty impulsive headstrong starving famished sweaty bored defeated superstitious disillusioned"
    assert not set(bad.split()) & set(fields)
    near = (
        "frugal prosperous, kind polite, honest loyal, shy quiet, eloquent talkative, famous humble"
    )
    near += ", meticulous punctual, hale hearty, calm placid, employed retired"
    for words in near.split(", "):
        assert len({fields[word] for word in words.split()}) == 1, words

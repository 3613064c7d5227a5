"""Groups of one instance are about different things, whatever order the seed put them in."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from hypothesis import given, strategies as st

from divlogic.benchmarks.divlogiceval.groups import Spacing
from divlogic.benchmarks.templates import LITERAL, load_templates
from divlogic.logic import parse, variables
from divlogic.sentences.subject import Subject, content_of

HEADS = [
    "man",
    "woman",
    "dog",
    "girl",
    "person",
    "bus",
    "cat",
    "nurse",
    "farmer",
    "boat",
    "child",
    "tree",
]
DOING = [
    "is outside",
    "is walking in a park",
    "sits on a bench",
    "is painting a fence",
    "is near a girl",
]


def said(head: str, doing: str, article: str = "a") -> dict[str, Any]:
    texts = {"text": f"{article} {head} {doing}", "negated": f"no {head} {doing}"}
    return {**texts, "subject": [head], "plural": False}


DOINGS = st.sampled_from(DOING)


@st.composite
def groups(draw: st.DrawFn) -> list[dict[str, Any]]:
    rows = []
    for number in range(draw(st.integers(1, 40))):
        head, article = draw(st.sampled_from(HEADS)), draw(st.sampled_from(["a", "the"]))
        premise, contradicted = said(head, draw(DOINGS), article), said(head, draw(DOINGS))
        entailed = said(draw(st.sampled_from([head, "person"])), draw(DOINGS))
        rows.append(group(f"{number:012x}", premise, [entailed], [contradicted]))
    return rows


def group(
    name: str, premise: dict[str, Any], entailed: Any = (), contradicted: Any = ()
) -> dict[str, Any]:
    return {"id": name, "premise": premise, "entailed": entailed, "contradicted": contradicted}


def content(sentence: dict[str, Any]) -> Any:
    return content_of(
        sentence["text"], Subject(tuple(sentence["subject"]), "indefinite", sentence["plural"])
    )


def sentences(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [row["premise"], *row["entailed"], *row["contradicted"]]


@given(groups(), st.integers(2, 5))
def test_groups_near_each_other_are_about_different_things(
    rows: list[dict[str, Any]], distance: int
) -> None:
    spacing = Spacing(distance)
    before = [row["id"] for row in rows]
    arranged = list(spacing.arrange(rows))
    assert len({row["id"] for row in arranged}) == len(arranged) == len(before) - spacing.left_over
    for start in range(len(arranged)):
        for one, other in combinations(arranged[start : start + distance], 2):
            assert one["premise"]["subject"] != other["premise"]["subject"]
            for first, second in product(sentences(one), sentences(other)):
                if first is one["premise"] or second is other["premise"]:
                    assert not content(first).entails(content(second))
                    assert not content(second).entails(content(first))


def test_a_girl_of_another_sentence_makes_the_girl_ambiguous() -> None:
    premises = (
        said("girl", "is outside", "the"),
        said("man", "is near a girl"),
        said("bus", "is red"),
    )
    spacing = Spacing(3)
    assert [row["id"] for row in spacing.arrange(map(group, "123", premises))] == ["1", "3"]
    assert spacing.left_over == 1


def test_options_and_conclusions_speak_of_the_case_at_hand() -> None:
    templates = load_templates()
    said = ["a dog barks", "a cat sleeps", "it rains"]
    for shape in ("(A→B)", "(¬A→B)", "((A∨B)→C)", "(¬(A∧B)→C)", LITERAL):
        clauses = said[: len(variables(parse(shape)))]
        for choice in range(60):
            text = (
                templates.frame(parse(shape), clauses, choice, universal=False)
                .sentence(clauses)
                .lower()
            )
            assert not any(
                word in text for word in ("whenever", "never", "in every case", "only when")
            )
    assert any(frame.universal for frame in templates.frames["(A→B)"])

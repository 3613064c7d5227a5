"""Groups of one instance are about different things, whatever order the seed put them in."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import given, strategies as st

from divlogic.benchmarks.divlogiceval.groups import Spacing
from divlogic.benchmarks.templates import LITERAL, load_templates
from divlogic.logic import parse
from divlogic.sentences.subject import Subject, content_of

HEADS = ["man", "woman", "dog", "girl", "person", "bus", "cat", "nurse", "farmer", "boat", "child", "tree"]
DOING = ["is outside", "is walking in a park", "sits on a bench", "is painting a fence", "is near a girl"]


def said(head: str, doing: str, article: str = "a") -> dict[str, Any]:
    return {
        "text": f"{article} {head} {doing}",
        "negated": f"no {head} {doing}",
        "subject": [head],
        "plural": False,
    }


@st.composite
def groups(draw: st.DrawFn) -> list[dict[str, Any]]:
    rows = []
    for number in range(draw(st.integers(1, 40))):
        head = draw(st.sampled_from(HEADS))
        article = draw(st.sampled_from(["a", "the"]))
        rows.append(
            {
                "id": f"{number:012x}",
                "premise": said(head, draw(st.sampled_from(DOING)), article),
                "entailed": [said(draw(st.sampled_from([head, "person"])), draw(st.sampled_from(DOING)))],
                "contradicted": [said(head, draw(st.sampled_from(DOING)))],
            }
        )
    return rows


def content(sentence: dict[str, Any]) -> Any:
    return content_of(sentence["text"], Subject(tuple(sentence["subject"]), "indefinite", sentence["plural"]))


def sentences(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [row["premise"], *row["entailed"], *row["contradicted"]]


@given(groups(), st.integers(2, 5))
def test_groups_near_each_other_are_about_different_things(rows: list[dict[str, Any]], distance: int) -> None:
    spacing = Spacing(distance)
    before = [row["id"] for row in rows]
    arranged = list(spacing.arrange(rows))
    assert len({row["id"] for row in arranged}) == len(arranged) == len(before) - spacing.left_over
    for start in range(len(arranged)):
        for one, other in combinations(arranged[start : start + distance], 2):
            assert one["premise"]["subject"] != other["premise"]["subject"]
            for first in sentences(one):
                for second in sentences(other):
                    if first is one["premise"] or second is other["premise"]:
                        assert not content(first).entails(content(second))
                        assert not content(second).entails(content(first))


def test_a_girl_of_another_sentence_makes_the_girl_ambiguous() -> None:
    rows = [
        {"id": "1", "premise": said("girl", "is outside", "the"), "entailed": [], "contradicted": []},
        {"id": "2", "premise": said("man", "is near a girl"), "entailed": [], "contradicted": []},
        {"id": "3", "premise": said("bus", "is red"), "entailed": [], "contradicted": []},
    ]
    spacing = Spacing(3)
    assert [row["id"] for row in spacing.arrange(rows)] == ["1", "3"]
    assert spacing.left_over == 1


def test_options_and_conclusions_speak_of_the_case_at_hand() -> None:
    templates = load_templates()
    for shape in ("(A→B)", "(¬A→B)", "((A∨B)→C)", "(¬(A∧B)→C)", LITERAL):
        clauses = ["a dog barks", "a cat sleeps", "it rains"][
            : 3 if "C" in shape else 2 if "B" in shape else 1
        ]
        for choice in range(60):
            text = templates.frame(parse(shape), clauses, choice, universal=False).sentence(clauses).lower()
            assert not any(word in text for word in ("whenever", "never", "in every case", "only when"))
    assert any(frame.universal for frame in templates.frames["(A→B)"])

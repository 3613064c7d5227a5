"""LLMEval-Logic's tables in the paper's layout, and ranks."""

from __future__ import annotations

from pathlib import Path

from divlogic.evaluation.llmeval_logic.scoring import ReplyOutcome
from divlogic.evaluation.llmeval_logic.steps import (
    ANSWERS,
    composition,
    correlations,
    draw_failures,
    in_columns,
    with_ranks,
)

BLOG = {
    "Gemini": (74.0, 37.5, 76.0),
    "Opus": (68.7, 36.7, 76.6),
    "Opus, off": (69.0, 36.0, 74.4),
    "GPT": (71.8, 32.6, 68.4),
}
"""The four rows of the authors' blog: Base items, Hard items, Hard sub-questions."""


PLACES = [place for column, place in ANSWERS.items() if column != "single_item"]


def table1() -> list[dict[str, object]]:
    scores = [
        {"benchmark": f"llmeval_logic_{part}", "track": track, "metric": metric}
        | {"model": model, "score": score, "sd": 1.0}
        for model, values in BLOG.items()
        for (part, track, metric), score in zip(PLACES, values, strict=True)
    ]
    return with_ranks(in_columns(scores, list(BLOG), ANSWERS))


def test_a_model_has_one_row_with_its_ranks_in_the_order_of_the_parameters() -> None:
    rows = table1()
    assert [row["model"] for row in rows] == list(BLOG)
    assert [row["base_item_rank"] for row in rows] == [1, 4, 3, 2]
    assert [row["hard_item_rank"] for row in rows] == [1, 2, 3, 4]


def test_ranks_on_base_and_hard_are_compared_by_spearman() -> None:
    found = {(row["first"], row["second"]): row["spearman"] for row in correlations(table1())}
    assert round(found["base_item", "hard_item"], 3) == 0.2  # 1 - 6 (0 + 4 + 0 + 4) / 60
    assert round(found["hard_item", "hard_sub_question"] or 0, 3) == 0.8
    assert [row["spearman"] for row in correlations(table1()[:2])] == [None] * 3


def test_the_gold_tells_what_a_set_is_made_of(tmp_path: Path) -> None:
    def gold(item: str, track: str, **fields: object) -> ReplyOutcome:
        return ReplyOutcome("llmeval_logic_base", "baseline/gold", track, "zh", 0, item, **fields)  # type: ignore[arg-type]

    rows = composition(
        [
            gold("a", "answer", asked=2, types={"possible": [2, 2]}),
            gold("b", "answer", asked=4, types={"possible": [1, 1], "necessary": [3, 3]}),
            gold("a", "formalise_fixed", groups={"logical_relation": 5, "query_alignment": 1}),
        ]
    )
    (row,) = rows
    assert (row["set"], row["part"], row["items"], row["questions"], row["average"]) == (
        "published",
        "base",
        2,
        6,
        3,
    )
    assert (row["fewest"], row["most"], row["possible"], row["necessary"], row["atoms"]) == (2, 4, 3, 3, 6)
    wrong = {"kind": "sub-question", "what": "possible", "count": 1, "of": 4}
    errors = [{"benchmark": "llmeval_logic_hard", "model": "GPT", **wrong}]
    draw_failures(table1(), errors, tmp_path / "failures")
    assert (tmp_path / "failures.svg").is_file()

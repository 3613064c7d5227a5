"""The yield: what each step keeps, and what the whole corpora would give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.benchmarks.divlogiceval import yields
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.yields import WHOLE, Kept, Rows, passing
from divlogic.errors import DivLogicError
from divlogic.io.files import write_csv, write_json, write_jsonl
from divlogic.sentences.parameters import SentencesParameters
from tests.support import csv_rows

PAIRS = frozenset({"multinli", "xnli", "genres"})
ROWS = [
    ("snli", "premise", "kept", 300), ("snli", "premise", "no_verb", 690), ("snli", "premise", "repeated_premise", 10),
    ("snli", "entailed", "kept", 400), ("snli", "contradicted", "premise_dropped", 2600),
    ("multinli", "premise", "kept", 20), ("multinli", "premise", "typo", 480), ("multinli", "premise", "over_share", 0),
    ("multinli", "entailed", "kept_alone", 100), ("multinli", "neutral", "over_share", 44),
    ("multinli", "contradicted", "typo", 1356),
]  # fmt: skip


def kept() -> dict[str, Kept]:
    return yields.kept_by_corpus({row[:3]: row[3] for row in ROWS})


def test_the_outcomes_of_the_filter_are_summed_up_by_corpus() -> None:
    found = kept()
    assert found["snli"] == Kept(3000, 1000, 310, 0, repeated_premise=10, over_share=0)
    assert found["snli"].groups == 300
    assert found["multinli"] == Kept(1500, 500, 20, 144, repeated_premise=0, over_share=44)
    assert (found["multinli"].passed, found["multinli"].groups) == (164, 120)


def test_the_whole_is_estimated_from_premises_and_from_lone_pairs() -> None:
    snli = passing(kept()["snli"], WHOLE["snli"])
    assert snli.value == pytest.approx(0.31 * 157_378)
    assert snli.error == pytest.approx((0.31 * 0.69 / 1000) ** 0.5 * 157_378)
    # 20 of 500 premises make a group each; of the 1,440 pairs of the others every tenth does.
    multinli = passing(kept()["multinli"], WHOLE["multinli"])
    assert multinli.value == pytest.approx(0.04 * 137_450 + 0.1 * 0.96 * 412_349)


def test_what_was_read_is_not_missing_in_the_rest() -> None:
    of_all = replace(WHOLE["snli"], premises=10_000)
    listed = Kept(30_000, 1_000, 290, 0, repeated_premise=0, over_share=0, refused_sentence=10)
    assert passing(listed, of_all).value == pytest.approx(10_000 * 0.3 - 10)
    assert passing(listed, replace(of_all, premises=1_000)).value == pytest.approx(290)
    alone = Kept(3_000, 1_000, 0, 280, repeated_premise=0, over_share=0, refused_alone=20)
    assert passing(alone, replace(of_all, pairs=30_000)).value == pytest.approx(30_000 * 0.1 - 20)
    assert passing(alone, replace(of_all, pairs=3_000)).value == pytest.approx(280)
    counts = {("premise", "kept"): 290, ("premise", "refused_sentence"): 10, ("premise", "no_verb"): 700}
    found = yields.kept_by_corpus(
        {("snli", *key): n for key, n in counts.items()} | {("snli", "entailed", "refused_sentence"): 7}
    )
    assert found["snli"] == replace(listed, pairs=7)


def test_repeated_sentences_grow_with_the_square_of_the_size() -> None:
    one = Kept(30_000, 10_000, 3_100, 0, repeated_premise=10, over_share=0)
    found = yields.whole_groups({"snli": one}, 1.0, PAIRS)["snli"]
    passed = passing(one, WHOLE["snli"])
    growth = (passed.value / 3_100) ** 2
    assert found.value == pytest.approx(passed.value - 10 * growth)
    assert found.error == pytest.approx((passed.error**2 + 10 * growth**2) ** 0.5)


def test_the_share_of_multinli_limits_the_whole() -> None:
    free = yields.whole_groups(kept(), 1.0, PAIRS)
    bound = yields.whole_groups(kept(), 0.25, PAIRS)
    assert free["all"].value == pytest.approx(free["snli"].value + free["multinli"].value)
    assert bound["snli"] == free["snli"]
    assert bound["multinli"].value == pytest.approx(free["snli"].value / 3)
    assert bound["multinli"].value < free["multinli"].value
    # What depends on the others is as uncertain as they are.
    assert bound["all"].value == pytest.approx(free["snli"].value * 4 / 3)
    assert bound["all"].error == pytest.approx(free["snli"].error * 4 / 3)


def test_a_ratio_of_estimates_has_the_error_of_both() -> None:
    ratio = yields.Projection(1000.0, 30.0).over(yields.Projection(5.0, 0.2))
    assert ratio.value == 200.0
    assert ratio.error == pytest.approx(200 * (0.03**2 + 0.04**2) ** 0.5)
    assert ratio.cells == {"whole": 200, "whole_low": 180, "whole_high": 220}


def table(tmp_path: Path, rows: list[tuple[str, str, str, int]]) -> list[dict[str, str]]:
    filtered, drawn, plan = (tmp_path / name for name in ("filter.csv", "drawn.jsonl", "plan.json"))
    write_csv(filtered, ("corpus", "role", "outcome", "sentences"), rows)
    write_jsonl(drawn, [{"index": at, "needs": 6 + at % 2} for at in range(40)])
    write_json(plan, {"groups": 400, "made": {"test": 48, "unpolished": 0}})
    yields.write_yield((drawn,), filtered, plan, SentencesParameters().mnli_share, tmp_path / "yield")
    return csv_rows(tmp_path / "yield.csv")


def test_the_table_leads_from_pairs_to_instances(tmp_path: Path) -> None:
    rows = {(row["corpus"], row["step"]): row for row in table(tmp_path, ROWS)}
    kept = {
        "groups": "420",
        "groups an instance needs": "6.5000",
        "instances possible": "61",
        "instances made": "48",
    }
    assert {step: rows["all", step]["kept"] for step in kept} == kept
    assert rows["snli", "groups"]["kept"] == "300"
    assert rows["all", "groups in order"]["share"] == "0.9524"
    end = rows["all", "instances possible"]
    assert int(end["whole_low"]) < int(end["whole"]) < int(end["whole_high"])
    assert "The paper has 12,589 instances; estimated are" in (tmp_path / "yield.md").read_text()


def test_an_embedded_run_estimates_nothing(tmp_path: Path) -> None:
    rows = table(tmp_path, [(row[0].replace("snli", "captions"), *row[1:]) for row in ROWS])
    assert {row["whole"] for row in rows} == {""}
    assert "is not estimated" in (tmp_path / "yield.md").read_text(encoding="utf-8")


EMBEDDED = {"captions": Rows(55_140), "genres": Rows(714)}
MIRROR = {"snli": Rows(21_422, 570_152), "multinli": Rows(41_760, 412_349), "xnli": Rows(7_500, 7_500)}
COMPLETE = {"snli": Rows(570_152, 570_152), "multinli": Rows(412_349, 412_349), "xnli": Rows(7_500, 7_500)}


def wish(test: int, unpolished: int = 0) -> DivLogicEvalParameters:
    parameters = DivLogicEvalParameters()
    splits = parameters.splits.model_copy(update={"test": test, "unpolished": unpolished})
    return parameters.model_copy(update={"splits": splits})


def test_parts_of_the_corpora_are_counted_as_parts() -> None:
    said = yields.bound_notice(wish(5_004, 1_500), MIRROR, 0.5, "full")
    assert "test about 336 of 5,004, unpolished about 84 of 1,500" in said
    assert "snli 21,422 of 570,152" in said and "xnli 7,500)" in said
    assert "the whole corpora" in said


def test_whole_corpora_meet_that_wish_and_not_every_one() -> None:
    assert yields.bound_notice(wish(5_004, 1_500), COMPLETE, 0.5, "full") == ""
    said = yields.bound_notice(wish(20_004), COMPLETE, 0.5, "full")
    assert "of 20,004" in said and "the whole corpora" not in said and "corpora of your own" in said


def test_an_embedded_run_says_how_many_more_captions_it_needs() -> None:
    said = yields.bound_notice(wish(9_000), EMBEDDED, 0.5, "embedded")
    assert "9,000" in said and "captions 55,140" in said and "make captions" in said
    assert yields.bound_notice(wish(900), EMBEDDED, 0.5, "embedded") == ""
    with pytest.raises(DivLogicError, match=r"of 900,000.* in vain: ask for fewer"):
        yields.bound_notice(wish(900_000), EMBEDDED, 0.5, "embedded")


def test_the_estimate_is_near_what_a_run_made() -> None:
    assert yields.expected_groups(EMBEDDED, 0.5) / yields.GROUPS_PER_INSTANCE == pytest.approx(
        1_380, rel=0.03
    )


def test_corpora_of_pairs_give_no_more_than_their_share() -> None:
    assert yields.expected_groups(MIRROR, 0.5) == pytest.approx(2_148 + 736 + 199)
    assert yields.expected_groups(MIRROR, 0.2) == pytest.approx(1.25 * 2_148)
    assert yields.expected_groups(MIRROR, 0.0) == pytest.approx(2_148)
    assert yields.expected_groups({"multinli": Rows(41_760, 412_349)}, 0.5) == pytest.approx(736)

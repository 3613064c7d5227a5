"""What the workflow counted and scored of LLMEval-Logic stands beside the printed cells."""

from pathlib import Path

from divlogic.io.tables import write_table
from divlogic.paper.measured import GENERATED
from divlogic.paper.measured_llmeval_logic import COMPOSITION, SCORES, Composition, Scores


def test_counts_of_the_part_that_is_here_are_marked_as_such(tmp_path: Path) -> None:
    rows = [
        {"part": "base", "count": "items", "here": 196, "of": 196},
        {"part": "rubrics", "count": "atoms", "here": 547, "of": 1101},
        {"part": "hard", "count": "items", "here": 0, "of": 154},
    ]
    write_table(tmp_path / COMPOSITION, ("part", "count", "here", "of"), rows, "note")
    source = Composition(tmp_path)
    public = source.find({"benchmark": "llmeval_logic_base"}, "public_items")
    assert public is not None
    assert (public.value, public.other) == (196, "")
    whole = source.find({"benchmark": "llmeval_logic_base"}, "items")
    assert whole is not None
    assert whole.other
    # Nothing of Hard is here, and its largest number of sub-questions is not counted.
    assert not source.measures({"benchmark": "llmeval_logic_hard"}, "items")
    assert not source.measures({"benchmark": "llmeval_logic_hard"}, "most_sub_questions")
    assert list(Composition(tmp_path / "embedded").files) == []


def test_scores_stand_in_rows_of_their_own(tmp_path: Path) -> None:
    shared = {"language": "zh", "items": 2, "runs": 3, "sd": 1.0, "low": 40.0, "high": 60.0}
    rows = [
        {"benchmark": name, "track": track, "model": "m", "metric": metric, "score": 50.0, **shared}
        for name, track, metric in (
            ("llmeval_logic_base", "formalise_fixed", "both"),
            ("llmeval_logic_base", "formalise_fixed", "rubric_atoms"),
            ("llmeval_logic_base", "formalise_free", "both"),
            ("llmeval_logic_generated_hard", "answer", "item_accuracy"),
        )
    ]
    write_table(tmp_path / SCORES, tuple(rows[0]), rows, "note")
    found = [
        (words["setting"], words["metric"], cells["score"].other) for words, cells in Scores(tmp_path).extra()
    ]
    assert found == [
        ("Base, reference symbols given", "Z3+Rubric", "the part that is here"),
        ("Hard (generated)", "Item Accuracy", GENERATED),
    ]

"""Tables of DivLogicEval over answers that were imported."""

from __future__ import annotations

from pathlib import Path

from divlogic.evaluation.metrics import score_all
from divlogic.evaluation.predictions import read_answers
from divlogic.evaluation.tables import table3
from divlogic.models.predictions import Prediction, write_predictions


def test_prompts_that_were_asked_about_different_instances_are_not_compared(tmp_path: Path) -> None:
    rows = [
        Prediction("divlogiceval", "mine", prompt, f"{prompt}-{number}", "A", "A", rotation=rotation)
        for prompt in ("zero_shot", "zero_shot_nolr")
        for number in range(3)
        for rotation in range(4)
    ]
    write_predictions(tmp_path / "predictions.jsonl", rows)
    answers = read_answers([tmp_path / "predictions.jsonl"])
    scores = score_all(answers, seed=1, resamples=10)
    assert {score.prompt for score in scores} == {"zero_shot", "zero_shot_nolr"}
    assert table3({"divlogiceval_table3": []}, answers, scores, seed=1) == []

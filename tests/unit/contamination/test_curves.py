"""Learning curves of networks: a training for each number of instances, resumed, recorded and shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from divlogic.contamination import learnability as curves
from divlogic.contamination.learnability import (
    WORDS,
    learn,
    learnability,
    read_curves,
    write_learnability,
)
from divlogic.contamination.parameters import ContaminationRun
from divlogic.errors import DivLogicError
from divlogic.io.tables import read_note, read_table
from divlogic.records import Record
from tests.support import write_groups

SECTION = {"learnability": {"sizes": [8, 24], "tested": 8, "passes": 2}, "resamples": 20}
SECTION |= {"learners": [{"kind": "encoder", "label": "notes"}]}
RUN = ContaminationRun.model_validate({"contamination": SECTION})


class Notes:
    """Answers rightly once it was trained on 24 instances; notes what it was trained on and asked."""

    trained: ClassVar[list[tuple[str, ...]]] = []
    asked: ClassVar[list[tuple[str, ...]]] = []

    def __init__(self, work: Path | None) -> None:
        self.size, self.work = 0, work

    def train(self, records: Sequence[Record], passes: int) -> None:
        if len(Notes.trained) == 4:
            Notes.trained.append(())
            raise KeyboardInterrupt
        self.size = len(records)
        Notes.trained.append(tuple(record.id for record in records))
        if self.work:
            self.work.mkdir(parents=True)

    def choose(self, records: Sequence[Record], rotation: int = 0) -> list[int]:
        Notes.asked.append(tuple(record.id for record in records))
        return [(record.answer + (self.size < 24)) % 4 for record in records if record.answer is not None]


@pytest.fixture
def groups(tmp_path: Path) -> Path:
    return write_groups(tmp_path / "groups.jsonl", [f"the {n}th man sings song {n}" for n in range(120)])


def test_an_interrupted_recording_goes_on_and_is_shown_beside_the_light_learners(
    tmp_path: Path, groups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curves, "build", lambda learner, seed, work: Notes(work))
    Notes.trained, Notes.asked = [], []
    out, work = tmp_path / "notes.json", tmp_path / "work"
    with pytest.raises(KeyboardInterrupt):
        learn(name="notes", groups=groups, work=work, out=out, params=RUN)
    learn(name="notes", groups=groups, work=work, out=out, params=RUN)
    whole = [ids for ids in Notes.trained if ids]
    # Each point is trained once, also where it was interrupted.
    assert [len(ids) for ids in whole] == [8, 24] * 6
    assert all(few == many[:8] for few, many in zip(whole[::2], whole[1::2], strict=True))
    assert not {one for ids in whole for one in ids} & {one for ids in Notes.asked for one in ids}
    # The checkpoints of what was measured are gone.
    assert [path.name for path in work.glob("*/*")] == ["measured"]

    kept = read_curves(out, groups)
    assert {(one.stage, one.value) for one in kept} == {("8", 0.0), ("24", 100.0)}
    write_learnability([*learnability(groups, RUN), *kept], tmp_path / "curves")
    rows = read_table(tmp_path / "curves")
    found = {(row["source"], row["learner"]) for row in rows}
    assert found > {("measured", WORDS), ("recording", "notes")}
    assert "notes: recorded on" in read_note(tmp_path / "curves")

    groups.write_text(groups.read_text() + "\n")
    assert "sentences of another version" in read_curves(out, groups)[0].remark
    out.write_text("{}")
    with pytest.raises(DivLogicError, match="not a recording of this kind"):
        read_curves(out, groups)

"""What is said of a run while it is under way."""

from __future__ import annotations

import pytest

from divlogic.models.runs import Progress


def test_a_line_a_minute_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = iter(range(0, 1000, 20))
    with Progress("lamp", 100, clock=lambda: next(seconds)) as progress:
        for answered in range(1, 11):
            progress.show(answered, 50 * answered)
    lines = capsys.readouterr().err.splitlines()
    assert 2 <= len(lines) <= 4
    assert lines[0].startswith("lamp: 3 of 100 answers, 150 tokens, about 4")
    assert lines[0].endswith(" min left")


@pytest.mark.parametrize(("seconds", "left"), [(1, "half a minute"), (60, "9 min"), (3600, "9 h 0 min")])
def test_the_time_left_is_that_of_the_answers_so_far(seconds: float, left: str) -> None:
    times = iter([0.0, seconds])
    assert Progress("lamp", 100, clock=lambda: next(times)).sentence(10, 0).endswith(f"about {left} left")

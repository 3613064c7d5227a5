"""The item browser in a real browser: what a reader clicks, and how it looks on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from divlogic.evaluation.llmeval_logic.scoring import ReplyOutcome
from divlogic.io.files import write_jsonl
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.paper.items import read_shelves, write_browser
from tests.integration.beside import needs_browser, title_of
from tests.support import cases
from tests.unit.paper.items import labelled, lettered

pytestmark = pytest.mark.slow

TOOLS = Path(__file__).with_name("pages").joinpath("tools.html").read_text(encoding="utf-8")

FRAME = Path(__file__).with_name("pages").joinpath("frame.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A browser page of 300 instances with letters and one with labels, of which a model got the odd ones wrong."""
    root = tmp_path_factory.mktemp("items")
    write_jsonl(root / "letters.jsonl", [lettered(n).to_json() for n in range(300)])
    write_jsonl(root / "labels.jsonl", [labelled().to_json()])
    said = [
        Prediction("divlogiceval", model, "zero_shot", f"i{n}", gold, "A" if n % by else gold, rotation=rotation)
        for model, by in (("clever", 2), ("slow", 3))
        for n in range(300)
        for rotation, gold in enumerate("ADCB")
    ]  # fmt: skip
    write_predictions(root / "said.jsonl", said)
    files = [root / "letters.jsonl", root / "labels.jsonl"]
    worth = ReplyOutcome(
        "logicnli_generated_test", "clever", "answer", "en", 0, "test-0-0", asked=3, right=2
    )
    write_jsonl(root / "worth.jsonl", [worth])
    shelves = read_shelves(files, [root / "said.jsonl"], None, outcomes=[root / "worth.jsonl"])
    write_browser(root / "items.html", root / "items", shelves)
    return root / "items.html"


CLICKED = cases(__file__, "clicked")


@needs_browser
@pytest.mark.parametrize(
    ("address", "steps", "found"), [case[1:] for case in CLICKED], ids=[case[0] for case in CLICKED]
)
def test_what_a_reader_clicks_shows(
    browser: Path, address: str, steps: str, found: dict[str, Any]
) -> None:
    copy = browser.with_name("clicked.html")
    copy.write_text(browser.read_text(encoding="utf-8") + TOOLS % steps, encoding="utf-8")
    assert title_of(copy.as_uri() + address, wait=15000) == found


@needs_browser
@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_is_cut_at_the_width_of_a_phone_and_of_a_desk(browser: Path, width: int) -> None:
    frame = browser.with_name(f"frame{width}.html")
    frame.write_text(FRAME % width, encoding="utf-8")
    options = ("--allow-file-access-from-files", "--window-size=1600,1000")
    found = title_of(frame.as_uri(), *options, wait=15000)
    assert found == {"inner": width, "wide": 0, "there": True}

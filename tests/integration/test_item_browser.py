"""The item browser in a real browser: what a reader clicks, and how it looks on a phone."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from divlogic.evaluation.llmeval_logic.scoring import ReplyOutcome
from divlogic.io.files import write_jsonl
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.paper.items import read_shelves, write_browser
from tests.integration.beside import chromium, needs_browser
from tests.unit.paper.items import labelled, lettered

pytestmark = [pytest.mark.slow, needs_browser]

TOOLS = """
<script>
(async () => {
  const pause = () => new Promise(resolve => setTimeout(resolve, 60));
  const until = async what => {
    for (let i = 0; i < 100 && !what(); i++) await pause();
    if (!what()) throw new Error(String(what));
  };
  const all = css => [...document.querySelectorAll(css)];
  const choose = async (id, value) => {
    const field = document.getElementById(id);
    field.value = value;
    field.dispatchEvent(new Event(field.tagName === 'INPUT' ? 'input' : 'change'));
    await pause();
  };
  const ids = () => all('#list b').map(each => each.textContent);
  const shown = () => document.querySelector('#item h2')?.textContent;
  let found;
  try { found = await (async () => { %s })(); } catch (error) { found = {error: String(error)}; }
  document.title = JSON.stringify(found);
})();
</script>
"""

FRAME = """<meta charset="utf-8">
<iframe width="%d" height="900" style="border:0" src="items.html#divlogiceval/i3"></iframe>
<script>setTimeout(() => {
  const page = frames[0].document;
  const wide = page.documentElement.scrollWidth - page.documentElement.clientWidth;
  document.title = JSON.stringify({inner: frames[0].innerWidth, wide, there: !!page.querySelector('#answers')});
}, 4000)</script>
"""


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
    worth = ReplyOutcome("logicnli_generated_test", "clever", "answer", "en", 0, "test-0-0", asked=3, right=2)
    write_jsonl(root / "worth.jsonl", [worth])
    shelves = read_shelves(files, [root / "said.jsonl"], None, outcomes=[root / "worth.jsonl"])
    write_browser(root / "items.html", root / "items", shelves)
    return root / "items.html"


def clicked(page: Path, steps: str, address: str = "") -> dict[str, Any]:
    """Return what a script finds after it has used the page as a reader would."""
    copy = page.with_name("clicked.html")
    copy.write_text(page.read_text(encoding="utf-8") + TOOLS % steps, encoding="utf-8")
    title = re.search(
        r"<title>(.*?)</title>", chromium(copy.as_uri() + address, wait=15000).stdout, re.DOTALL
    )
    assert title
    found: dict[str, Any] = json.loads(html.unescape(title[1]))
    assert "error" not in found, found
    return found


def test_search_filters_and_wrong_answers_narrow_the_list(browser: Path) -> None:
    found = clicked(
        browser,
        """
        await until(() => ids().length);
        const first = [ids().length, document.getElementById('count').textContent];
        document.getElementById('more').click();
        const more = ids().length;
        await choose('search', 'owl "OWL 17 hoots"');
        const searched = ids();
        await choose('search', '');
        await choose('type', '3c1e');
        const typed = document.getElementById('count').textContent;
        await choose('type', '');
        await choose('wrong', 'clever · zero_shot');
        const wrong = document.getElementById('count').textContent;
        document.querySelector('#filters button').click();
        await pause();
        return {first, more, searched, typed, wrong, cleared: document.getElementById('count').textContent};
        """,
    )
    assert found["first"] == [200, "300 of 300 instances"] and found["more"] == 300
    assert found["searched"] == ["i17"]
    assert found["typed"] == found["wrong"] == "150 of 300 instances"
    assert found["cleared"] == "300 of 300 instances"


def test_an_instance_shows_coloured_words_formulas_on_demand_and_the_answer_in_each_rotation(
    browser: Path,
) -> None:
    found = clicked(
        browser,
        """
        await until(() => shown() === 'i3');
        const marks = all('#item .text mark').map(each => each.textContent);
        const formula = () => getComputedStyle(document.querySelector('.options .formula')).display;
        const before = formula();
        document.querySelector('#item details summary').click();
        await until(() => formula() !== 'none');
        const cells = all('#answers tbody td').map(each => each.textContent);
        document.dispatchEvent(new KeyboardEvent('keydown', {key: 'j', bubbles: true}));
        await until(() => shown() === 'i4');
        return {marks, before, cells, hash: location.hash};
        """,
        "#divlogiceval/i3",
    )
    assert found["marks"][:3] == ["it rainsA", "the kettle boilsB", "it is wetA"]
    assert (found["before"], found["hash"]) == ("none", "#divlogiceval/i4")
    # The model says A throughout; the rotation decides which option that is.
    assert found["cells"][:4] == ["A ✓", "A ✗option B", "A ✗option C", "A ✗option D"]


def test_two_models_are_compared_and_the_address_keeps_the_filters(browser: Path) -> None:
    found = clicked(
        browser,
        """
        await until(() => ids()[0] === 'i1');
        const count = () => document.getElementById('count').textContent;
        const kept = [count(), shown(), document.getElementById('wrong').value];
        await choose('right', 'clever · zero_shot');
        const both = [count(), all('#list span:nth-child(3)')[0].textContent];
        document.getElementById('next').click();
        await until(() => shown() === 'i4');
        const key = document.querySelector('#item .hint').textContent;
        return {kept, both, hash: decodeURIComponent(location.hash), key};
        """,
        "#divlogiceval/i2?wrong=slow+%C2%B7+zero_shot",
    )
    assert found["kept"] == ["200 of 300 instances", "i2", "slow · zero_shot"]
    assert found["both"] == [
        "100 of 300 instances",
        "slow · zero_shot: A A A A · clever · zero_shot: A D C B",
    ]
    assert found["hash"] == "#divlogiceval/i4?wrong=slow+·+zero_shot&right=clever+·+zero_shot"
    assert found["key"].startswith("A colour and its letter")


def test_a_link_with_an_id_alone_finds_its_benchmark_and_a_wrong_one_says_so(browser: Path) -> None:
    found = clicked(
        browser,
        """
        await until(() => shown() === 'test-0-0');
        const used = all('#item .text .used').map(each => each.textContent);
        const name = document.getElementById('benchmark').value;
        const worth = all('#worth tbody td').map(each => each.textContent);
        await choose('wrong', 'clever');
        const wrong = document.getElementById('count').textContent;
        location.hash = 'logicnli_generated/nowhere';
        await until(() => !shown());
        const lost = document.getElementById('item').textContent;
        await choose('benchmark', 'divlogiceval');
        await until(() => ids()[0] === 'i0' && shown() === 'i0');
        return {used, name, lost, worth, wrong};
        """,
        "#test-0-0",
    )
    assert found == {
        "used": ["Ann is kind."],
        "name": "logicnli_generated",
        "lost": "There is no instance nowhere here.",
        "worth": ["2 of 3 ✗"],
        "wrong": "1 of 1 instances",
    }


@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_is_cut_at_the_width_of_a_phone_and_of_a_desk(browser: Path, width: int) -> None:
    frame = browser.with_name(f"frame{width}.html")
    frame.write_text(FRAME % width, encoding="utf-8")
    options = ("--allow-file-access-from-files", "--window-size=1600,1000")
    text = chromium(frame.as_uri(), *options, wait=15000).stdout
    title = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
    assert title
    assert json.loads(html.unescape(title[1])) == {"inner": width, "wide": 0, "there": True}


def test_the_instance_of_an_address_is_in_sight_in_the_list_and_the_page_stays_where_it_is(
    browser: Path,
) -> None:
    found = clicked(
        browser,
        """
        await until(() => shown() === 'i250');
        const link = document.querySelector('#list a[aria-current]').getBoundingClientRect();
        const room = document.querySelector('nav').getBoundingClientRect();
        return {name: document.querySelector('#list a[aria-current] b').textContent,
                inside: link.top >= room.top && link.bottom <= room.bottom, top: scrollY};
        """,
        "#divlogiceval/i250",
    )
    assert found == {"name": "i250", "inside": True, "top": 0}

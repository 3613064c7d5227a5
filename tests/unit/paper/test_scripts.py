"""The scripts of the report and of the item browser, run by Node where it is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from divlogic.paper import items as browser, report

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not on PATH")

NOTHING = "const document = { querySelectorAll: () => [] };"
PAGE = """
const boxes = {};
const box = () => new Proxy({ value: "", options: [], parentElement: {}, children: [] }, { get: (own, name) =>
  name in own ? own[name] : name === "querySelectorAll" ? () => [] : () => null });
const document = { getElementById: name => boxes[name] ??= box(), querySelectorAll: () => [], querySelector: () => null,
  createElement: () => box() };
const history = { replaceState: () => null }, location = { hash: "" }, FOLDER = "items", addEventListener = () => null;
"""


def run(path: Path, before: str, after: str) -> object:
    """Return what an expression is worth behind a script."""
    assert NODE is not None
    shown = f";(async () => console.log(JSON.stringify(await ({after}))))();"
    code = "\n".join([before, path.read_text(encoding="utf-8"), shown])
    done = subprocess.run([NODE, "-e", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def in_order(cells: list[list[str]], direction: int) -> object:
    """Return the printed text of cells, each of which holds texts, as a column of them is sorted."""
    made = "cells.map(parts => ({ childNodes: parts.map(textContent => ({ textContent })) }))"
    sort = f"{made}.sort((a, b) => compare(a, b, {direction})).map(textOf)"
    return run(report.SCRIPT, f"{NOTHING} const cells = {json.dumps(cells)};", sort)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1,208", "9", "12,345", "−3.5", ".5"], ["−3.5", ".5", "9", "1,208", "12,345"]),
        (["", "3", "n/a", "25 %"], ["3", "25 %", "", "n/a"]),
        (["7d1", "34a", "12b"], ["12b", "34a", "7d1"]),
    ],
)
def test_a_column_is_sorted_by_its_numbers(cells: list[str], expected: list[str]) -> None:
    assert in_order([[text] for text in cells], 1) == expected


def test_of_two_numbers_in_a_cell_the_printed_one_counts_and_what_has_none_stays_last() -> None:
    cells = [["25", "24.1 ✗ -0.9"], ["", "30.2"], [], ["4,712", "4,650"]]
    assert in_order(cells, -1) == ["4,712", "30.2", "25", ""]


def test_instances_without_a_passage_are_listed_and_odd_addresses_read() -> None:
    row = {"id": "q1", "question": "Is it wet?", "options": ["yes", "no"], "answer": 1}
    packed = (
        "new Response(new Blob([JSON.stringify(rows)]).stream().pipeThrough(new CompressionStream('deflate')))"
        ".arrayBuffer().then(all => received('quiz', Buffer.from(all).toString('base64')))"
        ".then(() => { items = stored.get('quiz'); filter();"
        " return [byId('count').textContent, items[0].context, items[0].label, decoded('100%'), decoded('a%20b')]; })"
    )
    found = run(
        browser.TEMPLATES / browser.SCRIPT, f"{PAGE} const rows = {json.dumps([row])};", packed
    )
    assert found == ["1 of 1 instances", "", "no", "100%", "a b"]

"""The picture of README and docs: the phases, and one item with its formulas, as SVG for light and dark pages."""

from __future__ import annotations

from html import escape

ITEM_PREMISES = (
    ("(A → B)", "Whenever a brown dog is running on the beach, two people are playing chess."),
    (
        "((B ∨ C) → D)",
        "If two people are playing chess, or if a guitarist is on stage, the baker is awake.",
    ),
    ("(D → ¬E)", "Only if no child is asleep is the baker awake."),
)
"""The passage of the picture's item: formula and wording."""

ITEM_OPTIONS = (
    ("(D → C)", "Provided that the baker is awake, a guitarist is on stage."),
    ("(B → A)", "If two people are playing chess, a brown dog is running on the beach."),
    ("(A → ¬E)", "As long as a brown dog is running on the beach, no child is asleep."),
    ("(¬E → A)", "When no child is asleep, a brown dog is running on the beach."),
)
ITEM_ANSWER = 2
"""The only option that follows; a test decides it."""


def picture() -> str:
    """Return docs/img/pipeline.svg: the phases, and one item with its formulas."""
    boxes = "".join(_box(*place) for place in _BOXES)
    arrows = "".join(f'<path d="{path}"/>' for path in _ARROWS)
    lines = [
        f'<text x="40" y="{_CARD + 26 + 19 * row}"><tspan class="formula">{escape(formula)}</tspan>'
        f'<tspan x="176">{escape(text)}</tspan></text>'
        for row, (formula, text) in enumerate(ITEM_PREMISES)
    ]
    for row, (formula, text) in enumerate(ITEM_OPTIONS):
        y = _CARD + 26 + 19 * len(ITEM_PREMISES) + 34 + 22 * row
        right = row == ITEM_ANSWER
        if right:
            lines.append(
                f'<rect class="right" x="30" y="{y - 16}" width="820" height="23" rx="5"/>'
            )
        lines.append(
            f'<text x="40" y="{y}"><tspan class="formula">{escape(formula)}</tspan>'
            f'<tspan x="176">{"ABCD"[row]}.</tspan><tspan x="202">{escape(text)}</tspan></text>'
        )
    at = _CARD + 36 + 19 * len(ITEM_PREMISES)
    lines.append(f'<text class="question" x="176" y="{at}">Which conclusion follows?</text>')
    return _SVG.format(
        arrows=arrows, boxes=boxes, item="".join(lines), card=_CARD, height=_CARD + 211
    )


def _box(name: str, what: str, x: int, y: int) -> str:
    return (
        f'<rect class="box" x="{x}" y="{y}" width="130" height="44" rx="7"/>'
        f'<text class="name" x="{x + 65}" y="{y + 19}">{name}</text>'
        f'<text class="what" x="{x + 65}" y="{y + 34}">{what}</text>'
    )


_BOXES = (
    ("corpora", "fetched or composed", 10, 85),
    ("sentences", "filtered, negated", 190, 85),
    ("benchmarks", "drawn and worded", 370, 85),
    ("collection", "yours and others' too", 370, 10),
    ("hardening", "by models, opt-in", 370, 163),
    ("diversity", "words, labels", 550, 10),
    ("prior_knowledge", "without the context", 550, 61),
    ("evaluation", "ACC, CIR, PC", 550, 112),
    ("contamination", "after training on it", 550, 163),
    ("paper", "next to the published", 740, 85),
)
_ARROWS = (
    "M140 107H184",
    "M320 107H364",
    "M435 129V157",
    "M435 85V60",
    "M500 32H544",
    "M500 37C525 44 522 77 544 80",
    "M500 111C522 114 522 134 544 134",
    "M500 118C525 128 520 185 544 185",
    "M680 32C710 32 705 90 734 96",
    "M680 83C707 83 710 100 734 103",
    "M680 134C707 134 710 114 734 111",
    "M680 185C710 185 705 124 734 118",
)
"""Hardened items are kept apart: no later phase reads them."""

_CARD = 216
"""Where the card with the item begins, in pixels from the top."""

_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 {height}" role="img" aria-labelledby="title">
<title id="title">The phases from corpora to the report; below, an item: three premises, four options</title>
<style>
text {{ font: 14px system-ui, sans-serif; fill: #1c1e21; }}
.name {{ font-size: 13px; font-weight: 600; text-anchor: middle; }}
.what {{ font-size: 11px; text-anchor: middle; fill: #57606a; }}
.formula {{ font: 13px ui-monospace, monospace; fill: #0060a0; }}
.ground {{ fill: #ffffff; }}
.question {{ font-style: italic; }}
.box {{ fill: #eef3f8; stroke: #6b8fb3; }}
.card {{ fill: none; stroke: #c4ccd4; }}
.right {{ fill: #d7f0e3; }}
.arrows path {{ fill: none; stroke: #6b7580; stroke-width: 1.5; marker-end: url(#head); }}
.head {{ fill: #6b7580; }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e6e7e9; }}
.what {{ fill: #a0a8b2; }}
.formula {{ fill: #7cc4ff; }}
.ground {{ fill: #16181c; }}
.box {{ fill: #222b35; stroke: #5d7f9f; }}
.card {{ stroke: #3a434d; }}
.right {{ fill: #16462f; }}
}}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="ground" width="880" height="{height}" rx="8"/>
<g class="arrows">{arrows}</g>
{boxes}
<rect class="card" x="20" y="{card}" width="840" height="200" rx="8"/>
{item}
</svg>
"""

"""The picture of README and docs: the phases, and one item with its formulas, as SVG for light and dark pages."""

from __future__ import annotations

from html import escape

ITEM_PREMISES = (
    ("(A → B)", "Whenever a brown dog is running on the beach, two people are playing chess."),
    ("((B ∨ C) → D)", "If two people are playing chess, or if a guitarist is on stage, the baker is awake."),
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
        f'<text x="40" y="{230 + 19 * row}"><tspan class="formula">{escape(formula)}</tspan>'
        f'<tspan x="176">{escape(text)}</tspan></text>'
        for row, (formula, text) in enumerate(ITEM_PREMISES)
    ]
    for row, (formula, text) in enumerate(ITEM_OPTIONS):
        y = 230 + 19 * len(ITEM_PREMISES) + 34 + 22 * row
        right = row == ITEM_ANSWER
        if right:
            lines.append(f'<rect class="right" x="30" y="{y - 16}" width="820" height="23" rx="5"/>')
        lines.append(
            f'<text x="40" y="{y}"><tspan class="formula">{escape(formula)}</tspan>'
            f'<tspan x="176">{"ABCD"[row]}.</tspan><tspan x="202">{escape(text)}</tspan></text>'
        )
    question = (
        f'<text class="question" x="176" y="{240 + 19 * len(ITEM_PREMISES)}">Which conclusion follows?</text>'
    )
    lines.append(question)
    return _SVG.format(arrows=arrows, boxes=boxes, item="".join(lines))


def _box(name: str, what: str, x: int, y: int) -> str:
    return (
        f'<rect class="box" x="{x}" y="{y}" width="130" height="44" rx="7"/>'
        f'<text class="name" x="{x + 65}" y="{y + 19}">{name}</text>'
        f'<text class="what" x="{x + 65}" y="{y + 34}">{what}</text>'
    )


_BOXES = (
    ("corpora", "fetched or composed", 10, 76),
    ("sentences", "filtered, negated", 190, 76),
    ("benchmarks", "drawn, worded", 370, 76),
    ("diversity", "words, labels", 550, 16),
    ("prior_knowledge", "without the context", 550, 76),
    ("evaluation", "ACC, CIR, PC", 550, 136),
    ("paper", "beside the published", 740, 76),
)
_ARROWS = (
    "M140 98H184",
    "M320 98H364",
    "M500 98H544",
    "M500 90C525 80 520 38 544 38",
    "M500 106C525 116 520 158 544 158",
    "M680 98H734",
    "M680 38C710 38 705 84 734 90",
    "M680 158C710 158 705 112 734 106",
)

_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 415" role="img" aria-labelledby="title">
<title id="title">Seven phases from corpora to the report; below, an item: three premises, four options</title>
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
<rect class="ground" width="880" height="415" rx="8"/>
<g class="arrows">{arrows}</g>
{boxes}
<rect class="card" x="20" y="204" width="840" height="200" rx="8"/>
{item}
</svg>
"""

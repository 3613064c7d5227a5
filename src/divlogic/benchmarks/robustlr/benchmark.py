"""What RobustLR is."""

from __future__ import annotations

from divlogic.benchmarks.robustlr.reader import LABELS, robustlr_chat, robustlr_text
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Benchmark, Format, Part, Published
from divlogic.models.answers import Labels

ROBUSTLR = Benchmark(
    name="robustlr",
    title="RobustLR",
    paper="Sanyal et al., 2022",
    answers=Labels(LABELS),
    published=(
        Published(
            "robustlr",
            "RobustLR",
            (Part("robustlr", ("robustlr_1k.jsonl",), "GLoRE's selection", exact=False),),
        ),
    ),
    formats=(
        Format("robustlr_chat", "RobustLR, GLoRE chat JSON lines", ("input", "ideal"), robustlr_chat),
        Format(
            "robustlr_text",
            "RobustLR JSON lines with premise, hypothesis, ideal",
            ("premise", "hypothesis", "ideal"),
            robustlr_text,
        ),
    ),
    tables=(DIVERGENCE_TABLE,),
)

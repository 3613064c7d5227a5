"""What PrOntoQA-OOD is."""

from __future__ import annotations

from divlogic.benchmarks.prontoqa_ood.reader import prontoqa_ood
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Benchmark, Format, Part, Published

PRONTOQA_OOD = Benchmark(
    name="prontoqa_ood",
    title="PrOntoQA-OOD",
    paper="Saparov et al., 2023",
    answers=None,  # most problems ask for a proof
    published=(
        Published(
            "prontoqa_ood",
            "PrOntoQA-OOD",
            (Part("prontoqa_ood", ("generated_ood_data.zip",), "generated test problems"),),
        ),
    ),
    formats=(
        Format(
            "prontoqa_ood",
            "PrOntoQA-OOD as generated (JSON object of examples, or their zip)",
            ("test_example",),
            prontoqa_ood,
        ),
        Format(
            "prontoqa_ood_flat",
            "PrOntoQA-OOD JSON lines, one problem each",
            ("question", "query", "chain_of_thought"),
            prontoqa_ood,
        ),
    ),
    tables=(DIVERGENCE_TABLE,),
)

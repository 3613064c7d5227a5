"""What ProofWriter is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from divlogic.benchmarks.proofwriter.reader import (
    OPEN_WORLD,
    proofwriter_logicllm,
    proofwriter_meta,
    proofwriter_satlm,
)
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Benchmark,
    Format,
    Part,
    Published,
)
from divlogic.models.answers import TRUTH_HINT, Labels


def _has_letter(row: Mapping[str, Any], file: SourceFile) -> bool:
    return isinstance(row["answer"], str) and len(row["answer"]) == 1


def _has_list(row: Mapping[str, Any], file: SourceFile) -> bool:
    return isinstance(row["context"], list)


PROOFWRITER = Benchmark(
    name="proofwriter",
    title="ProofWriter",
    paper="Tafjord et al., 2021",
    answers=Labels(OPEN_WORLD, TRUTH_HINT),
    splits=("validation", "test"),
    published=(
        Published(
            "proofwriter",
            "ProofWriter",
            (
                # Papers that report on depth 0 used a part that no registered repository holds.
                Part(
                    "proofwriter", ("logicllm_test.json",), "OWA depth 5, Logic-LLM's test", 600, exact=False
                ),
                Part("proofwriter", ("logicllm_dev.json",), "OWA depth 5, Logic-LLM's dev", 600, exact=False),
                Part("proofwriter", ("satlm_proofd5_test.json",), "OWA depth 5, SAT-LM's", 1000, exact=False),
            ),
        ),
    ),
    formats=(
        Format(
            "proofwriter_meta",
            "ProofWriter's own meta-*.jsonl (theories with questions)",
            ("theory", "questions"),
            proofwriter_meta,
            name_part="meta-",
        ),
        Format(
            "proofwriter_logicllm",
            "ProofWriter as in Logic-LLM (options with letters)",
            ("context", "question", "options", "answer"),
            proofwriter_logicllm,
            fits=_has_letter,
        ),
        Format(
            "proofwriter_satlm",
            "ProofWriter as in SAT-LM (context as a list)",
            ("context", "question", "label"),
            proofwriter_satlm,
            fits=_has_list,
        ),
    ),
    tables=(COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
)

"""ProofWriter: statements judged by facts and rules under an open world (Tafjord et al., 2021)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from divlogic.benchmarks.fields import integer, label, strings, text
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
from divlogic.records import Record

TRUTH = ("True", "False")
OPEN_WORLD = ("True", "False", "Unknown")
_LOGIC_LLM_STEM = re.compile(r"^Based on the above information, is the following statement [^?]*\?\s*")


def proofwriter_logicllm(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read Logic-LLM's ProofWriter item: a statement with options A) True, B) False, C) Unknown."""
    options = tuple(re.sub(r"^[A-Z]\)\s*", "", option) for option in strings(item["options"], "options"))
    answer = "ABCDEFGH".find(item["answer"])
    if not 0 <= answer < len(options):
        raise ValueError(
            f"the field 'answer' is {item['answer']!r}, which is not a letter of the {len(options)} options"
        )
    depth = re.search(r"-D(\d+)-", item["id"])
    yield Record(
        id=item["id"],
        benchmark="proofwriter",
        split=file.split,
        context=text(item["context"], "context"),
        question=_LOGIC_LLM_STEM.sub("", text(item["question"], "question")),
        options=options,
        answer=answer,
        depth=int(depth[1]) if depth else None,
    )


def proofwriter_satlm(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read SAT-LM's ProofWriter item: the theory as a list of sentences, a truth value as the label."""
    known = str(item["label"]).casefold() in ("true", "false")
    options = TRUTH if known else OPEN_WORLD
    depth = re.search(r"-D(\d+)-", item["id"])
    yield Record(
        id=item["id"],
        benchmark="proofwriter",
        split=file.split,
        context=" ".join(strings(item["context"], "context")),
        question=text(item["question"], "question"),
        options=options,
        answer=label(item["label"], options),
        depth=int(depth[1]) if depth else None,
    )


def proofwriter_meta(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a theory of ProofWriter's own `meta-*.jsonl`: one record per question, with triples and rules."""
    formulas = {
        "facts": {name: fact["representation"] for name, fact in (item.get("triples") or {}).items()},
        "rules": {name: rule["representation"] for name, rule in (item.get("rules") or {}).items()},
    }
    for name, question in item["questions"].items():
        yield Record(
            id=f"{item['id']}-{name}",
            benchmark="proofwriter",
            split=file.split,
            context=text(item["theory"], "theory"),
            question=text(question["question"], "question"),
            options=OPEN_WORLD,
            answer=label(question["answer"], OPEN_WORLD),
            question_type=question.get("strategy"),
            depth=integer(question.get("QDep")),
            formulas={**formulas, "question": question.get("representation")},
            metadata={"theory": str(item["id"]), "part": file.folder},
        )


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

"""Published statements to judge by facts and rules: RuleTaker, ProofWriter, RobustLR, PrOntoQA-OOD, FOLIO."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from divlogic.benchmarks.fields import integer, label, lines, strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    DIVERGENCE_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Benchmark,
    Format,
    Part,
)
from divlogic.models.answers import TRUTH_HINT, Labels
from divlogic.records import Record

TRUTH = ("True", "False")


def ruletaker(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a RuleTaker theory: one record per question."""
    for question in item["questions"]:
        meta = question["meta"]
        yield Record(
            id=str(question["id"]),
            benchmark="ruletaker",
            split=file.split,
            context=text(item["context"], "context"),
            question=text(question["text"], "text"),
            options=TRUTH,
            answer=label(question["label"], TRUTH),
            question_type=meta.get("strategy"),
            depth=integer(meta.get("QDep")),
            metadata={"theory": str(item["id"]), "part": file.folder},
        )


RULETAKER = Benchmark(
    name="ruletaker",
    title="RuleTaker",
    paper="Clark et al., 2020",
    answers=Labels(TRUTH, TRUTH_HINT),
    splits=("train", "validation", "test"),
    parts=(
        # The repository that holds this copy lacks the test file of depth 0.
        Part(
            "ruletaker",
            tuple(f"depth-{depth}/test.jsonl" for depth in (1, 2, 3, 5)),
            "test",
            100_000,
            by_folder=True,
        ),
        Part(
            "ruletaker",
            ("NatLang/test.jsonl", "birds-electricity/test.jsonl"),
            "test",
            exact=False,
            by_folder=True,
        ),
        Part("ruletaker", ("depth-5/test-xtra.jsonl",), "further test of depth 5", exact=False),
        Part("ruletaker", ("depth-0/dev.jsonl",), "dev of depth 0", exact=False),
    ),
    formats=(
        Format(
            "ruletaker",
            "RuleTaker theories with questions (file or depth folders)",
            ("context", "questions"),
            ruletaker,
        ),
    ),
    tables=(DIVERGENCE_TABLE,),
)


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
    parts=(
        # Papers that report on depth 0 used a part that no registered repository holds.
        Part("proofwriter", ("logicllm_test.json",), "OWA depth 5, Logic-LLM's test", 600, exact=False),
        Part("proofwriter", ("logicllm_dev.json",), "OWA depth 5, Logic-LLM's dev", 600, exact=False),
        Part("proofwriter", ("satlm_proofd5_test.json",), "OWA depth 5, SAT-LM's", 1000, exact=False),
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


ROBUSTLR_LABELS = ("Yes", "No", "Neutral")
_CHAT = re.compile(r'From the premise: "(.*)"\s*Can we infer the hypothesis: "(.*?)"\s*\?', re.DOTALL)


def robustlr_chat(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a RobustLR item as GLoRE words it for chat models: the last user message holds the problem."""
    messages = [message["content"] for message in item["input"] if message["role"] == "user"]
    found = _CHAT.search(messages[-1]) if messages else None
    if not found:
        raise ValueError("the last user message does not hold a premise and a hypothesis")
    yield _robustlr(row, found[1], found[2], item["ideal"], file)


def robustlr_text(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a RobustLR item with the fields premise, hypothesis, ideal."""
    premise, hypothesis = text(item["premise"], "premise"), text(item["hypothesis"], "hypothesis")
    yield _robustlr(row, premise, hypothesis, item["ideal"], file)


def _robustlr(row: str, premise: str, hypothesis: str, verdict: Any, file: SourceFile) -> Record:
    return Record(
        id=row,
        benchmark="robustlr",
        split=file.split,
        context=premise.strip(),
        question=hypothesis.strip(),
        options=ROBUSTLR_LABELS,
        answer=label(verdict, ROBUSTLR_LABELS),
    )


ROBUSTLR = Benchmark(
    name="robustlr",
    title="RobustLR",
    paper="Sanyal et al., 2022",
    answers=Labels(ROBUSTLR_LABELS),
    parts=(Part("robustlr", ("robustlr_1k.jsonl",), "GLoRE's selection", exact=False),),
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


def prontoqa_ood(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a PrOntoQA-OOD problem, flat or as its author's generator nests it; it asks for a proof."""
    nested = "test_example" in item
    problem = item["test_example"] if nested else item
    part = file.stem if nested else str(item.get("file", file.stem))
    key = row if nested else str(item.get("key", row))
    verdict = problem.get("answer")
    options = () if verdict is None else ("True", "False")
    yield Record(
        id=f"{part}-{key}",
        benchmark="prontoqa_ood",
        split="test",
        context=text(problem["question"], "question"),
        question=text(problem["query"], "query"),
        options=options,
        answer=None if verdict is None else label(verdict, options),
        question_type=part,
        depth=len(problem["chain_of_thought"]),
        metadata={"chain_of_thought": list(strings(problem["chain_of_thought"], "chain_of_thought"))},
    )


PRONTOQA_OOD = Benchmark(
    name="prontoqa_ood",
    title="PrOntoQA-OOD",
    paper="Saparov et al., 2023",
    answers=None,  # most problems ask for a proof
    parts=(Part("prontoqa_ood", ("generated_ood_data.zip",), "generated test problems"),),
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


FOLIO_LABELS = ("True", "False", "Uncertain")


def folio(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a FOLIO item: v0.0 lists its premises, v2 joins them with line breaks; Unknown is Uncertain."""
    premises = lines(item["premises"], "premises")
    formulas = {
        "premises": list(lines(item.get("premises-FOL", []), "premises-FOL")),
        "conclusion": item.get("conclusion-FOL"),
    }
    verdict = "Uncertain" if str(item["label"]).strip() == "Unknown" else item["label"]
    example = item.get("example_id")
    story = item.get("story_id")
    yield Record(
        id=f"{file.split}-{row}" if example is None else str(example),
        benchmark="folio",
        split=file.split,
        context=" ".join(premise.strip() for premise in premises),
        question=text(item["conclusion"], "conclusion"),
        options=FOLIO_LABELS,
        answer=label(verdict, FOLIO_LABELS),
        formulas=formulas,
        metadata={"premises": list(premises), **({} if story is None else {"story": story})},
    )


FOLIO = Benchmark(
    name="folio",
    title="FOLIO",
    paper="Han et al., 2024",
    answers=Labels(FOLIO_LABELS, TRUTH_HINT),
    splits=("train", "validation"),
    parts=(
        # The test split of 227 rows that papers report on is not public.
        Part(
            "folio",
            ("v0.0_folio-validation.jsonl",),
            "v0.0 validation instead of test",
            204,
            exact=False,
            tables=(DIVERGENCE_TABLE,),
        ),
        Part(
            "folio",
            ("folio_v2_validation.jsonl",),
            "v2 validation instead of test",
            203,
            exact=False,
            tables=(COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
        ),
        Part("folio", ("v0.0_folio-train.jsonl",), "v0.0 train instead of test", 1004, exact=False),
    ),
    audit="benchmarks.folio_audit:audit_folio",
    formats=(
        Format(
            "folio",
            "FOLIO v0.0 and v2 JSON lines",
            ("premises", "conclusion", "label"),
            folio,
            fits=lambda row, file: not file.name.endswith(".csv"),  # JustLogic's csv has these columns, too
        ),
    ),
    tables=(DIVERGENCE_TABLE, COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
)

"""Published benchmarks that are not made here: ReClor, LogiQA 2.0, CLUTRR, and statements to judge by facts and rules.

What each is, and which files it has, is in official.yaml.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from divlogic.benchmarks.columns import index, integer, label, lines, strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import Benchmark, declared_benchmark
from divlogic.io.files import read_yaml
from divlogic.models.answers import TRUTH_HINT, Labels, Letters
from divlogic.records import Record

_FACTS: dict[str, Any] = read_yaml(Path(__file__).with_name("official.yaml"))

RELATIONS: tuple[str, ...] = tuple(_FACTS["clutrr"]["answers"])
"""Relation names by CLUTRR's `target` number (18 of them occur as targets)."""

TRUTH = ("True", "False")


def reclor(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a ReClor item; test items carry no label."""
    options = strings(item["answers"], "answers")
    yield Record(
        id=text(item["id_string"], "id_string"),
        benchmark="reclor",
        split=file.split,
        context=text(item["context"], "context"),
        question=text(item["question"], "question"),
        options=options,
        answer=index(item.get("label"), options, "label"),
        question_type=None if item.get("question_type") is None else str(item["question_type"]),
    )


def logiqa2(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a LogiQA 2.0 item; `type` holds the kinds of reasoning that apply."""
    options = strings(item["options"], "options")
    kinds = sorted(name for name, applies in (item.get("type") or {}).items() if applies)
    yield Record(
        id=str(item["id"]),
        benchmark="logiqa2",
        split=file.split,
        context=text(item["text"], "text"),
        question=text(item["question"], "question"),
        options=options,
        answer=index(item.get("answer"), options, "answer"),
        metadata={"reasoning": kinds} if kinds else {},
    )


def clutrr(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a CLUTRR story; the options are the relations that can be targets."""
    pair = ast.literal_eval(item["query"])
    if not (isinstance(pair, tuple) and len(pair) == 2):
        raise ValueError(f"the field 'query' is not a pair of names: {item['query']!r}")
    relation = item["target_text"]
    if relation not in RELATIONS:
        raise ValueError(f"the field 'target_text' is not a known relation: {relation!r}")
    hops = re.search(r"\.(\d+)$", item.get("task_name", ""))
    yield Record(
        id=item["id"],
        benchmark="clutrr",
        split=item.get("task_split") or file.split,
        context=item["story"],
        question=f"How is {pair[1]} related to {pair[0]}?",
        options=RELATIONS,
        answer=RELATIONS.index(relation),
        question_type=item.get("task_name") or None,
        depth=int(hops[1]) if hops else None,
        metadata={"query": list(pair), "clean_story": item.get("clean_story", "")},
    )


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


OPEN_WORLD = ("True", "False", "Unknown")
_LOGIC_LLM_STEM = re.compile(
    r"^Based on the above information, is the following statement [^?]*\?\s*"
)


def proofwriter_logicllm(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read Logic-LLM's ProofWriter item: a statement with options A) True, B) False, C) Unknown."""
    options = tuple(
        re.sub(r"^[A-Z]\)\s*", "", option) for option in strings(item["options"], "options")
    )
    answer = "ABCDEFGH".find(item["answer"])
    if not 0 <= answer < len(options):
        raise ValueError(
            f"the field 'answer' is {item['answer']!r}, which is not a letter of the {len(options)} options"
        )
    yield Record(
        id=item["id"],
        benchmark="proofwriter",
        split=file.split,
        context=text(item["context"], "context"),
        question=_LOGIC_LLM_STEM.sub("", text(item["question"], "question")),
        options=options,
        answer=answer,
        depth=_depth_in(item["id"]),
    )


def proofwriter_satlm(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read SAT-LM's ProofWriter item: the theory as a list of sentences, a truth value as the label."""
    known = str(item["label"]).casefold() in ("true", "false")
    options = TRUTH if known else OPEN_WORLD
    yield Record(
        id=item["id"],
        benchmark="proofwriter",
        split=file.split,
        context=" ".join(strings(item["context"], "context")),
        question=text(item["question"], "question"),
        options=options,
        answer=label(item["label"], options),
        depth=_depth_in(item["id"]),
    )


def _depth_in(name: str) -> int | None:
    """Return the depth that the id of a ProofWriter theory holds."""
    depth = re.search(r"-D(\d+)-", name)
    return int(depth[1]) if depth else None


def proofwriter_meta(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a theory of ProofWriter's own `meta-*.jsonl`: one record per question, with triples and rules."""
    formulas = {
        "facts": {
            name: fact["representation"] for name, fact in (item.get("triples") or {}).items()
        },
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


ROBUSTLR_LABELS = ("Yes", "No", "Neutral")
_CHAT = re.compile(
    r'From the premise: "(.*)"\s*Can we infer the hypothesis: "(.*?)"\s*\?', re.DOTALL
)


def robustlr_chat(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a RobustLR item as GLoRE words it for chat models: the last user message holds the problem."""
    messages = [message["content"] for message in item["input"] if message["role"] == "user"]
    found = _CHAT.search(messages[-1]) if messages else None
    if not found:
        raise ValueError("the last user message does not hold a premise and a hypothesis")
    yield from robustlr_text(row, {**item, "premise": found[1], "hypothesis": found[2]}, file)


def robustlr_text(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a RobustLR item with the fields premise, hypothesis, ideal."""
    yield Record(
        id=row,
        benchmark="robustlr",
        split=file.split,
        context=text(item["premise"], "premise").strip(),
        question=text(item["hypothesis"], "hypothesis").strip(),
        options=ROBUSTLR_LABELS,
        answer=label(item["ideal"], ROBUSTLR_LABELS),
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
        metadata={
            "chain_of_thought": list(strings(problem["chain_of_thought"], "chain_of_thought"))
        },
    )


FOLIO_LABELS = ("True", "False", "Uncertain")


def folio(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a FOLIO item: v0.0 lists its premises, v2 joins them with line breaks; Unknown is Uncertain."""
    premises = lines(item["premises"], "premises")
    formal = list(lines(item.get("premises-FOL", []), "premises-FOL"))
    verdict = "Uncertain" if str(item["label"]).strip() == "Unknown" else item["label"]
    example, story = item.get("example_id"), item.get("story_id")
    yield Record(
        id=f"{file.split}-{row}" if example is None else str(example),
        benchmark="folio",
        split=file.split,
        context=" ".join(premise.strip() for premise in premises),
        question=text(item["conclusion"], "conclusion"),
        options=FOLIO_LABELS,
        answer=label(verdict, FOLIO_LABELS),
        formulas={"premises": formal, "conclusion": item.get("conclusion-FOL")},
        metadata={"premises": list(premises), **({} if story is None else {"story": story})},
    )


_FORMATS: dict[str, dict[str, Any]] = {
    "reclor": {"records": reclor},
    "logiqa2": {"records": logiqa2},
    "clutrr": {"records": clutrr},
    "ruletaker": {"records": ruletaker},
    "proofwriter_meta": {"records": proofwriter_meta},
    "proofwriter_logicllm": {
        "records": proofwriter_logicllm,
        # Many data sets have these four fields; these three options are ProofWriter's.
        "fits": lambda row, file: row["options"] == ["A) True", "B) False", "C) Unknown"],
    },
    "proofwriter_satlm": {
        "records": proofwriter_satlm,
        "fits": lambda row, file: isinstance(row["context"], list),
    },
    "robustlr_chat": {"records": robustlr_chat},
    "robustlr_text": {"records": robustlr_text},
    "prontoqa_ood": {"records": prontoqa_ood},
    "prontoqa_ood_flat": {"records": prontoqa_ood},
    # JustLogic's csv has FOLIO's columns, too.
    "folio": {"records": folio, "fits": lambda row, file: not file.name.endswith(".csv")},
}


def _benchmark(name: str) -> Benchmark:
    answers: Any = _FACTS[name]["answers"]
    if isinstance(answers, list):
        truth = tuple(answers[:2]) == TRUTH
        answers = Labels(tuple(answers), TRUTH_HINT if truth else "")
    elif answers:
        answers = Letters(answers)
    return declared_benchmark({**_FACTS[name], "name": name}, _FORMATS, answers=answers)


RECLOR, LOGIQA2, RULETAKER, FOLIO, ROBUSTLR, PRONTOQA_OOD, CLUTRR, PROOFWRITER = map(
    _benchmark, _FACTS
)

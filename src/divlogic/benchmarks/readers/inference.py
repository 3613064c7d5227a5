"""The benchmarks that judge a statement: RuleTaker, ProofWriter, LogicNLI, FOLIO, RobustLR, JustLogic."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.readers.published import label, strings, text
from divlogic.benchmarks.readers.source import OnProblem, SourceFile, report, rows
from divlogic.records import Record

TRUTH = ("True", "False")
OPEN_WORLD = ("True", "False", "Unknown")
FOLIO_LABELS = ("True", "False", "Uncertain")
LOGICNLI_LABELS = ("entailment", "contradiction", "neutral", "self_contradiction")
ROBUSTLR_LABELS = ("Yes", "No", "Neutral")

_CHAT = re.compile(r'From the premise: "(.*)"\s*Can we infer the hypothesis: "(.*?)"\s*\?', re.DOTALL)
_LOGIC_LLM_STEM = re.compile(r"^Based on the above information, is the following statement [^?]*\?\s*")


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
            depth=_integer(meta.get("QDep")),
            metadata={"theory": str(item["id"]), "part": file.folder},
        )


def proofwriter_logicllm(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read Logic-LLM's ProofWriter item: a statement with options A) True, B) False, C) Unknown."""
    options = tuple(re.sub(r"^[A-Z]\)\s*", "", option) for option in strings(item["options"], "options"))
    answer = "ABCDEFGH".find(item["answer"])
    if not 0 <= answer < len(options):
        raise ValueError(f"the field 'answer' is {item['answer']!r}, no letter of the {len(options)} options")
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
            depth=_integer(question.get("QDep")),
            formulas={**formulas, "question": question.get("representation")},
            metadata={"theory": str(item["id"]), "part": file.folder},
        )


def logicnli_rows(file: SourceFile, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    """Yield (key, {language, logic}) of a `*_language.json` and, where there is one, its `*_logic.json`."""
    partner = file.sibling(file.name.replace("_language", "_logic"))
    symbolic = rows(partner) if partner.exists() else None
    for key, language in rows(file):
        logic = None
        if symbolic is not None:
            other, logic = next(symbolic, (None, None))
            if other != key:
                report(file, key, f"has no partner in {partner.name} (there: {other})", on_problem)
                return
        yield key, {"language": language, "logic": logic}


def logicnli(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a LogicNLI theory: one record per statement; `formulas` holds the theory's symbolic form."""
    language, logic = item["language"], item["logic"]
    statements, labels = strings(language["statements"], "statements"), strings(language["labels"], "labels")
    if len(statements) != len(labels):
        raise ValueError(f"has {len(statements)} statements but {len(labels)} labels")
    context = " ".join(strings(language["facts"], "facts") + strings(language["rules"], "rules"))
    people = sorted({claim[0] for claim in logic["statements"].values()}) if logic is not None else []
    for number, (statement, verdict) in enumerate(zip(statements, labels, strict=True)):
        formulas = None
        if logic is not None:
            formulas = {
                "facts": [fact[:3] for fact in logic["facts"].values()],
                "rules": list(logic["rules"].values()),
                "statement": logic["statements"][str(number)][:3],
                "proofs": logic["statements"][str(number)][3],
                "people": people,
            }
        yield Record(
            id=f"{file.split}-{row}-{number}",
            benchmark="logicnli",
            split=file.split,
            context=context,
            question=statement,
            options=LOGICNLI_LABELS,
            answer=label(verdict, LOGICNLI_LABELS),
            formulas=formulas,
            metadata={"theory": f"{file.split}-{row}"},
        )


def folio(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a FOLIO item: v0.0 lists its premises, v2 joins them with line breaks; Unknown is Uncertain."""
    premises = _lines(item["premises"], "premises")
    formulas = {
        "premises": list(_lines(item.get("premises-FOL", []), "premises-FOL")),
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


def justlogic(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a JustLogic row; TRUE / True are folded, `arg` is the argument in symbols."""
    sentences = ast.literal_eval(item["statements"])
    if not isinstance(sentences, dict):
        raise ValueError("the field 'statements' is no mapping from numbers to sentences")
    argument = item["arg"]
    forms = re.findall(r"^\s*([A-Z][A-Za-z ]+):\s*$", argument, re.MULTILINE)
    yield Record(
        id=item["id"],
        benchmark="justlogic",
        split=file.split,
        context=item["paragraph"],
        question=item["question"],
        options=FOLIO_LABELS,
        answer=label(item["label"], FOLIO_LABELS),
        depth=int(item["depth"]),
        forms=tuple(forms),
        formulas={"argument": argument},
        sentences={str(number): sentence for number, sentence in sentences.items()},
        metadata={"conclusion": item["conclusion"]},
    )


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


def _lines(value: Any, name: str) -> tuple[str, ...]:
    return tuple(value.split("\n")) if isinstance(value, str) else strings(value, name)


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None

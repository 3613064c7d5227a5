"""Rows in every published layout, worded for these tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RECLOR = {
    "context": "Every kite that climbs has a tail. This kite has none.",
    "question": "Which of the following must be true?",
    "answers": ["This kite does not climb.", "It has a tail.", "Tails are heavy.", "Kites are red."],
    "label": 0,
    "id_string": "val_7",
}
LOGIQA2 = {
    "id": 11,
    "answer": 2,
    "text": "Either the ferry or the bridge is closed.",
    "question": "What follows if the ferry runs?",
    "options": ["Both are closed", "Nothing", "The bridge is closed", "The ferry is closed"],
    "type": {"Disjunctive Reasoning": True, "Categorical Reasoning": False},
}
RULETAKER = {
    "id": "AttNeg-D3-1",
    "context": "Tom is tall. Tall people are calm.",
    "meta": {},
    "questions": [
        {
            "id": "AttNeg-D3-1-1",
            "text": "Tom is calm.",
            "label": True,
            "meta": {"QDep": 1, "strategy": "proof"},
        },
        {
            "id": "AttNeg-D3-1-2",
            "text": "Tom is not calm.",
            "label": "False",
            "meta": {"QDep": 1, "strategy": "x"},
        },
    ],
}
LOGICNLI_LANGUAGE = {
    "facts": ["Ada is brave.", "Ben is not loud."],
    "rules": ["If someone is brave, then he is loud."],
    "statements": ["Ada is loud.", "Ben is brave."],
    "labels": ["entailment", "neutral"],
}
LOGICNLI_LOGIC = {
    "facts": {"0": ["Ada", "brave", "+", "fact 0"], "1": ["Ben", "loud", "-", "fact 1"]},
    "rules": {
        "0": {
            "p": {"fact": [["all", "brave", "+"]], "conj": "none"},
            "q": {"fact": [["all", "loud", "+"]], "conj": "none"},
            "type": "imp",
            "reasoning": "AI",
            "class": 1,
        }
    },
    "statements": {"0": ["Ada", "loud", "+", "[fact 0-->0]"], "1": ["Ben", "brave", "+", "none"]},
    "labels": {"0": "entailment", "1": "neutral"},
}
FOLIO_V0 = {
    "premises": ["All owls are birds.", "Uma is an owl."],
    "premises-FOL": ["∀x (Owl(x) → Bird(x))", "Owl(uma)"],
    "conclusion": "Uma is a bird.",
    "conclusion-FOL": "Bird(uma)",
    "label": "True",
}
FOLIO_V2 = {
    "story_id": 4,
    "premises": "All owls are birds.\nUma is an owl.",
    "premises-FOL": "∀x (Owl(x) → Bird(x))\nOwl(uma)",
    "conclusion": "Uma can swim.",
    "conclusion-FOL": "Swim(uma)",
    "label": "Unknown",
    "example_id": 99,
}
ROBUSTLR_TEXT = {"premise": "Kim is Lee's aunt.", "hypothesis": "Lee is old.", "ideal": "Neutral"}
ROBUSTLR_CHAT = {
    "input": [
        {"role": "system", "content": "Choose Yes, No or Neutral."},
        {
            "role": "user",
            "content": 'From the premise: "Kim is Lee\'s aunt." Can we infer the hypothesis: "Lee is old."? \nAnswer:',
        },
    ],
    "ideal": "Neutral",
}
PRONTOQA = {
    "question": "Every blip is a zorp. Max is a blip.",
    "query": "Prove: Max is a zorp.",
    "chain_of_thought": ["Max is a blip.", "Every blip is a zorp.", "Max is a zorp."],
}
PRONTOQA_FLAT = {"file": "1hop_ModusPonens", "key": "example1", "n_in_context": 8, **PRONTOQA}
PRONTOQA_NESTED = {"example1": {"in_context_example0": PRONTOQA, "test_example": PRONTOQA}}
PROOFWRITER_LOGICLLM = {
    "id": "ProofWriter_AttNoneg-OWA-D5-1_Q1",
    "context": "Tom is tall. All tall things are calm.",
    "question": "Based on the above information, is the following statement true, false, or unknown? Tom is calm.",
    "options": ["A) True", "B) False", "C) Unknown"],
    "answer": "A",
}
PROOFWRITER_SATLM = {
    "id": "AttNoneg-OWA-D5-1-Q1",
    "context": ["Tom is tall.", "All tall things are calm."],
    "question": "Tom is not calm.",
    "label": False,
}
PROOFWRITER_META = {
    "id": "AttNoneg-OWA-D0-1",
    "theory": "Tom is tall.",
    "triples": {"triple1": {"text": "Tom is tall.", "representation": '("Tom" "is" "tall" "+")'}},
    "rules": {},
    "questions": {
        "Q1": {"question": "Tom is tall.", "answer": True, "QDep": 0, "strategy": "proof"},
        "Q2": {"question": "Tom is old.", "answer": "Unknown", "QDep": 0, "strategy": "rand"},
    },
}
CLUTRR = {
    "id": "c-1",
    "story": "[Ann] took her son [Bob] to see his aunt, [Cy].",
    "query": "('Cy', 'Bob')",
    "target": "14",
    "target_text": "nephew",
    "clean_story": "[Ann] took her son [Bob] to see his aunt, [Cy].",
    "task_name": "task_1.2",
    "task_split": "test",
}
JUSTLOGIC = {
    "id": "5",
    "premises": "['If foxes dig dens, then owls hoot.', 'Foxes dig dens.']",
    "paragraph": "If foxes dig dens, then owls hoot. It is true that foxes dig dens.",
    "conclusion": "It is true that owls hoot.",
    "question": "It is not the case that owls hoot.",
    "label": "FALSE",
    "arg": "Modus Ponens: \nIf [1], then [0]. \n[1] \nTherefore, [0].",
    "statements": "{0: 'Owls hoot.', 1: 'Foxes dig dens.'}",
    "depth": "1",
}
LLMEVAL_BASE = {
    "id": 3,
    "title": "Lamp",
    "original": {
        "background": "If the lamp burns, it is night.",
        "question": "Is it night?",
        "answer": "Possibly.",
    },
    "formalization": {
        "parameters": {"A": "Bool", "B": "Bool"},
        "translation": {"A": "the lamp burns", "B": "it is night"},
        "premise": ["A \\rightarrow B"],
        "question": ["possible(B)"],
        "answer": ["possible"],
    },
    "label_type": ["possible"],
    "logictype": "pl",
}
LLMEVAL_HARD = {
    "id": 8,
    "title": "Keys",
    "background": "Two keys.",
    "question": ["Which?", "How many?"],
    "answer": ["A", "2"],
}
OWN = {"id": "x1", "context": "It rains.", "question": "Is it wet?", "options": ["yes", "no"], "answer": 0}


def lines(path: Path, *rows: Any) -> Path:
    """Write JSON lines; a string is written as it is."""
    text = "".join(
        (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n" for row in rows
    )
    path.write_text(text, encoding="utf-8")
    return path


def document(path: Path, value: Any, indent: int | None = 1) -> Path:
    """Write one JSON document."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent), encoding="utf-8")
    return path


def table(path: Path, *rows: dict[str, str], encoding: str = "utf-8") -> Path:
    """Write CSV with the first row's keys as header."""
    import csv

    with path.open("w", encoding=encoding, newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def registered(root: Path, *corpora: str) -> Path:
    """Write the manifest of each corpus folder below ``root``: its registered files that lie there."""
    from divlogic.corpora.manifest import ManifestFile, describe, write_manifest
    from divlogic.corpora.registry import load_registry

    registry = load_registry(Path(__file__).parents[4] / "data" / "registry.yaml")
    for name in corpora:
        corpus = registry[name]
        entries = [*corpus.files, *corpus.stand_ins]
        here = [entry for entry in entries if (root / name / entry.path).is_file()]
        files = [
            ManifestFile(
                entry.path, (root / name / entry.path).stat().st_size, "", None, entry.reader, "whole", ""
            )
            for entry in here
        ]
        write_manifest(root / name, describe(name, corpus, files, []))
    return root

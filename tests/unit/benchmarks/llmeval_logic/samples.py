"""A small folder of published layout, in our own words."""

import json
from pathlib import Path

LAMP = {
    "id": 3,
    "title": "灯与夜",
    "original": {
        "background": "灯亮着就是晚上。灯亮着。",
        "question": "现在有可能不是晚上吗？一定是晚上吗？",
        "answer": "没有这种可能。是。",
    },
    "formalization": {
        "parameters": {"A": "Bool", "B": "Bool"},
        "translation": {"A": "灯亮着", "B": "现在是晚上"},
        "premise": [r"A \rightarrow B", "A"],
        "question": [r"possible(\neg B)", "necessary(B)"],
        "answer": ["impossible", "necessary"],
    },
    "label_type": ["possible", "necessary"],
    "logictype": "pl",
}
KEYS = {
    "id": 4,
    "title": "三把钥匙",
    "original": {
        "background": "红、蓝、绿三把钥匙恰好挂着一把。绿的没挂。",
        "question": "可能挂着哪把？",
        "answer": "红的或蓝的。",
    },
    "formalization": {
        "parameters": {"A": "Bool", "B": "Bool", "C": "Bool"},
        "translation": {"A": "红钥匙挂着", "B": "蓝钥匙挂着", "C": "绿钥匙挂着"},
        "premise": [r"A \lor B | C", r"~(A \land B) \wedge \lnot(A & C) & ¬(B ∧ C)", r"\neg C"],
        "question": ["enumerate_models(A, B, C)"],
        "answer": ["{(B), (A)}"],
    },
    "label_type": ["enumerate_models"],
    "logictype": "pl",
}
STAMPS = {
    "id": 5,
    "title": "邮票",
    "original": {
        "background": "收藏者都认识店主。小周是收藏者。店主不认识小周。",
        "question": "谁可能认识小周？",
        "answer": "小周。",
    },
    "formalization": {
        "parameters": {"F": "Function(1)", "P": "Function(2)", "a": "Person", "b": "Person"},
        "translation": {"F(x)": "x是收藏者", "P(x, y)": "x认识y", "a": "小周", "b": "店主"},
        "premise": [r"\forall x [F(x) \to P(x, b)]", "F(a)", r"\neg P(b, a)", r"a \neq b"],
        "question": ["enumerate_models(P(x, a), x)"],
        "answer": ["{(a)}"],
    },
    "label_type": ["enumerate_models"],
    "logictype": "fol",
}
QUERY_ATOM = {
    "id": "QA1",
    "group": "query_alignment",
    "desc": "问的是灯与夜。",
    "reason": "z3_check omitted: 两种问法",
}


def atom(name, formula, names, group="logical_relation", **more):
    """Return a rubric atom with an entailment check."""
    check = {"atoms": [{"key": key, "nl": nl} for key, nl in names], "formula": formula, "mode": "entails"}
    return {"id": name, "group": group, "desc": f"应表示{formula}。", "reason": "", "z3_check": check} | more


RUBRICS = {
    3: [
        atom("LR1", "A -> B", [("A", "灯亮着"), ("B", "现在是晚上")]),
        atom("SC1", "B", [("B", "灯亮着")], "stated_constraint"),
        QUERY_ATOM,
    ],
    4: [
        atom("LR1", "A | B | C", [("A", "红钥匙挂着"), ("B", "蓝钥匙挂着"), ("C", "绿钥匙挂着")]),
        atom("SC1", "A", [("A", "红钥匙挂着")], "stated_constraint"),
        atom("SC2", "A", [("A", "门锁着")], "stated_constraint"),
        {
            "id": "QA1",
            "group": "query_alignment",
            "desc": "枚举三把钥匙。",
            "reason": "",
            "z3_check": {
                "atoms": [
                    {"key": "A", "nl": "红钥匙挂着"},
                    {"key": "B", "nl": "蓝钥匙挂着"},
                    {"key": "C", "nl": "绿钥匙挂着"},
                ],
                "query_type": "enumerate_models",
                "target": ["A", "B", "C"],
                "mode": "query_equiv",
            },
        },
    ],
    5: [
        atom(
            "LR1",
            "forall x. (G(x) -> K(x, m))",
            [("G", "x是收藏者"), ("K", "x认识y"), ("m", "店主"), ("x", "任意人")],
        ),
        atom("SC1", "~K(m, z)", [("K", "x认识y"), ("m", "店主"), ("z", "小周")], "stated_constraint"),
        {
            "id": "QA1",
            "group": "query_alignment",
            "desc": "问谁认识小周。",
            "reason": "",
            "z3_check": {
                "atoms": [{"key": "K", "nl": "x认识y"}, {"key": "z", "nl": "小周"}],
                "query_type": "enumerate_models",
                "target": ["K(x, z)"],
                "mode": "query_equiv",
            },
        },
    ],
}
HARD = [
    {
        "id": 8,
        "title": "两把钥匙",
        "background": "两把钥匙。",
        "question": ["哪一把？", "有几种情形？"],
        "answer": ["红的", {"qid": 2, "answer": "2", "reasoning": "红或蓝"}],
    }
]


def write(path: Path, value):
    """Write a JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def folder(root: Path, items=None, rubrics=None, hard=None, licence=True) -> Path:
    """Write a folder of published layout."""
    write(root / "base/llmeval_logic_base.json", [LAMP, KEYS, STAMPS] if items is None else items)
    for number, atoms in (RUBRICS if rubrics is None else rubrics).items():
        write(root / f"base/rubrics/{number:03}.json", {"id": number, "title": "", "items": atoms})
    write(root / "hard/llmeval_logic_hard.json", HARD if hard is None else hard)
    if licence:
        (root / "LICENSE").write_text("evaluation only\n")
    return root

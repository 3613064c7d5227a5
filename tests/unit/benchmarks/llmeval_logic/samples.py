"""A small folder of published layout, in our own words."""

import json
from pathlib import Path


def item(number, title, texts, parameters, translation, premise, question, answer, logic="pl"):
    """Return an item of Base; the texts are its background, its question and its answer."""
    original = dict(zip(("background", "question", "answer"), texts, strict=True))
    formal = {"parameters": parameters, "translation": translation, "premise": premise}
    formal |= {"question": question, "answer": answer}
    labels = {"label_type": [each.partition("(")[0] for each in question], "logictype": logic}
    return {"id": number, "title": title, "original": original, "formalization": formal, **labels}


def atom(name, formula, names, group="logical_relation", **more):
    """Return a rubric atom with an entailment check."""
    check = {"atoms": symbols(names), "formula": formula, "mode": "entails"}
    return {"id": name, "group": group, "desc": f"应表示{formula}。", "reason": "", "z3_check": check} | more


def query_atom(desc, names, target):
    """Return a rubric atom about a query."""
    query = {"query_type": "enumerate_models", "target": target, "mode": "query_equiv"}
    check = {"atoms": symbols(names), **query}
    return {"id": "QA1", "group": "query_alignment", "desc": desc, "reason": "", "z3_check": check}


def symbols(names):
    """Return the symbols of a check from their glosses."""
    return [{"key": key, "nl": gloss} for key, gloss in names.items()]


LAMPS = {"A": "灯亮着", "B": "现在是晚上"}
LAMP = item(
    3,
    "灯与夜",
    ("灯亮着就是晚上。灯亮着。", "现在有可能不是晚上吗？一定是晚上吗？", "没有这种可能。是。"),
    {"A": "Bool", "B": "Bool"},
    LAMPS,
    [r"A \rightarrow B", "A"],
    [r"possible(\neg B)", "necessary(B)"],
    ["impossible", "necessary"],
)
HUNG = {"A": "红钥匙挂着", "B": "蓝钥匙挂着", "C": "绿钥匙挂着"}
KEYS = item(
    4,
    "三把钥匙",
    ("红、蓝、绿三把钥匙恰好挂着一把。绿的没挂。", "可能挂着哪把？", "红的或蓝的。"),
    {"A": "Bool", "B": "Bool", "C": "Bool"},
    HUNG,
    [r"A \lor B | C", r"~(A \land B) \wedge \lnot(A & C) & ¬(B ∧ C)", r"\neg C"],
    ["enumerate_models(A, B, C)"],
    ["{(B), (A)}"],
)
STAMPS = item(
    5,
    "邮票",
    ("收藏者都认识店主。小周是收藏者。店主不认识小周。", "谁可能认识小周？", "小周。"),
    {"F": "Function(1)", "P": "Function(2)", "a": "Person", "b": "Person"},
    {"F(x)": "x是收藏者", "P(x, y)": "x认识y", "a": "小周", "b": "店主"},
    [r"\forall x [F(x) \to P(x, b)]", "F(a)", r"\neg P(b, a)", r"a \neq b"],
    ["enumerate_models(P(x, a), x)"],
    ["{(a)}"],
    "fol",
)
QUERY_ATOM = {"id": "QA1", "group": "query_alignment", "desc": "问的是灯与夜。"}
QUERY_ATOM["reason"] = "z3_check omitted: 两种问法"
RUBRICS = {
    3: [atom("LR1", "A -> B", LAMPS), atom("SC1", "B", {"B": "灯亮着"}, "stated_constraint"), QUERY_ATOM],
    4: [
        atom("LR1", "A | B | C", HUNG),
        atom("SC1", "A", {"A": "红钥匙挂着"}, "stated_constraint"),
        atom("SC2", "A", {"A": "门锁着"}, "stated_constraint"),
        query_atom("枚举三把钥匙。", HUNG, ["A", "B", "C"]),
    ],
    5: [
        atom(
            "LR1",
            "forall x. (G(x) -> K(x, m))",
            {"G": "x是收藏者", "K": "x认识y", "m": "店主", "x": "任意人"},
        ),
        atom("SC1", "~K(m, z)", {"K": "x认识y", "m": "店主", "z": "小周"}, "stated_constraint"),
        query_atom("问谁认识小周。", {"K": "x认识y", "z": "小周"}, ["K(x, z)"]),
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

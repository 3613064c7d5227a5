"""The prompts of the five roles, in Chinese: our own wording. Each asks for one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem, item_json
from divlogic.benchmarks.llmeval_logic.schema import item_row
from divlogic.benchmarks.llmeval_logic.seeds import Seed
from divlogic.logic.theory import answer_text

Role = Literal["decider", "proposal", "review", "answering", "verification"]
ROLES: tuple[Role, ...] = ("decider", "proposal", "review", "answering", "verification")

STRATEGIES = {
    "branching": "分支：同一事实有两个来源，恰有一个属实",
    "distractor": "有效干扰：加入可同时成立、却不影响任何答案的条件",
    "uncertainty": "明示不确定：把确定的事实改成析取",
    "set_valued": "集合答案：问哪些说法一定成立、可能成立或不可能成立，或要求列出全部情形",
    "counterfactual": "反事实：取消或改动一个条件后重新推算",
    "alias": "别名指代：同一事物用另一个名称出现，并用一句话说明",
}

_FORM = """形式化用 JSON 写：
- 符号 {"name","kind":"prop|pred|const","arity","gloss":{"zh","zh_not"}}，谓词的 gloss 用 {0}、{1} 表示论元；
- 公式是 S 表达式："A"、["P","a"]、["not",f]、["and",f,...]、["or",f,...]、["->",f,g]、["<->",f,g]、["xor",f,g]、
  ["exactly",k,f,...]、["forall","x",f]、["exists","x",f]、["=","a","b"]；
- 条件 {"id","formula","text":{"zh"},"role":"fact|rule|distractor"}；
- 小题 {"id","type","text":{"zh"},...}，type 为 possible、necessary（带 formula），enumerate_models、count_models、
  unique_solution、has_alternative（带 targets，has_alternative 另带 given），
  enumerate_objects（带 variable 与 formula），
  statements_all、statements_some、statements_none（带 statements：[{"id","formula","text":{"zh"}}]）；
- 小题可带 "suppose":{"removed":["条件id"],"added":[条件]}，表示“假如……”；text 里要写出这个假设；
- 有 targets 或 statements 的小题，text 里不要列出各项，程序会编号附在后面。"""


def decider_prompt(seed: Seed) -> str:
    """Return the prompt that asks for the shallow path and a blueprint."""
    strategies = "\n".join(f"- {name}：{meaning}" for name, meaning in STRATEGIES.items())
    return (
        "你是逻辑题的诊断者（Decider）。下面这道题太容易了。请指出不必通盘推理就能答对的捷径，"
        "并给出加难蓝图：选用哪些策略、改动哪里。\n\n"
        f"可用策略：\n{strategies}\n\n题目：\n{_source(seed)}\n\n"
        '只输出一个 JSON 对象：{"shallow_path":"……","strategies":["策略名",...],"plan":"……"}'
    )


def proposal_prompt(seed: Seed, blueprint: dict[str, Any], number: int, reasons: Sequence[str]) -> str:
    """Return the prompt that asks for a hardened item: texts and formalization.

    Args:
        number: of the proposal, from 1; later ones name why the one before was refused.
    """
    before = "\n".join(f"- {reason}" for reason in reasons)
    refused = f"\n\n上一稿没有通过，原因如下，请逐条改正：\n{before}" if reasons else ""
    return (
        f"你是命题者（Proposal），这是第 {number} 稿。请按蓝图把题目改写得更难：背景与条件用自然的中文，"
        "问 3 到 8 个小题，候选空间封闭，每个条件（干扰项除外）都要影响某个答案，至少一个小题带假设且答案随之改变。"
        f"\n\n{_FORM}\n\n原题：\n{_source(seed)}\n\n原题的形式化：\n{_json(item_row(seed.item))}\n\n"
        f"蓝图：\n{_json(blueprint)}{refused}\n\n"
        '只输出一个 JSON 对象：{"title","background","domain":"open|closed",'
        '"symbols":[...],"premises":[...],"questions":[...]}'
    )


def repair_prompt(item: HardItem, number: int, repair: int, differing: Sequence[str]) -> str:
    """Return the prompt that asks for other words where only the answers were off; formulas must stay."""
    off = "\n".join(f"- {line}" for line in differing)
    return (
        f"你是命题者（Proposal），第 {number} 稿的第 {repair} 次措辞修补。求解器的答案没有问题，"
        f"但独立解答者在下列小题上得出别的答案，可能是文字有歧义：\n{off}\n\n"
        f"请只改文字（背景、条件与小题的 text），不改任何公式。\n\n"
        f"现稿：\n{_json(_shown(item))}\n\n"
        '只输出一个 JSON 对象：{"background":"……","premises":{"条件id":"……"},"questions":{"小题id":"……"}}'
    )


def review_prompt(item: HardItem) -> str:
    """Return the prompt that asks whether an item is well-posed and its space closed."""
    return (
        "你是审题者（Review）。请检查：文字与公式是否一致，条件是否说清，候选空间是否封闭，每个小题是否有唯一确定的答案形式。"
        f"\n\n{_json(_shown(item))}\n\n"
        '只输出一个 JSON 对象：{"ok":true 或 false,"reasons":["不通过时逐条写明"]}'
    )


def answering_prompt(item: HardItem) -> str:
    """Return the prompt that asks for a solution; it shows texts only."""
    asked = "\n".join(f"{question.id}. {question.text.zh}" for question in item.questions)
    return (
        "请解答下面的题目，每个小题独立作答。\n\n"
        f"{item.context('zh')}\n\n{asked}\n\n"
        "答案写法：问有没有可能，写 possible 或 impossible；问是否一定，写 necessary 或 unnecessary；"
        '问是否唯一、有没有别的，写 yes 或 no；问几种，写整数；要求列出各项的，写编号的列表，如 [["1"],["3"]]；'
        "要求列出各种情形的，"
        '每种情形写一个编号列表，如 [["1","2"],[]]，一种也没有就写 []。\n'
        '最后只输出一个 JSON 对象：{"answers":{"小题id":答案,...}}'
    )


def verification_prompt(item: HardItem, solutions: Sequence[str]) -> str:
    """Return the prompt that asks for unsupported conclusions and missing recomputation."""
    answers = "\n".join(f"{question.id}：{answer_text(question.answer)}" for question in item.questions)
    written = "\n\n".join(f"解答 {place}：\n{text}" for place, text in enumerate(solutions, start=1))
    return (
        "你是核验者（Verification）。请对照条件核验标准答案：有没有得不到支持的结论，带假设的小题有没有重新推算。"
        f"\n\n{item.context('zh')}\n\n"
        + "\n".join(f"{question.id}. {question.text.zh}" for question in item.questions)
        + f"\n\n标准答案：\n{answers}\n\n{written}\n\n"
        '只输出一个 JSON 对象：{"ok":true 或 false,"reasons":["不通过时逐条写明"]}'
    )


def _source(seed: Seed) -> str:
    item = seed.item
    premises = "".join(premise.text.zh for premise in item.formalization.premises)
    return f"{item.title.zh}\n{item.background.zh}{premises}\n{item.question.zh}"


def _shown(item: HardItem) -> dict[str, Any]:
    row = item_json(item)
    return {
        "background": row["background"],
        "symbols": row["theory"]["symbols"],
        "domain": row["theory"]["domain"],
        "premises": row["theory"]["premises"],
        "questions": [
            {key: part for key, part in each.items() if key != "strategy"} for each in row["questions"]
        ],
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)

"""The prompts of the five roles, in Chinese: our own wording (``prompts.yaml``). Each asks for one JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem, item_json
from divlogic.benchmarks.llmeval_logic.schema import item_row
from divlogic.benchmarks.llmeval_logic.seeds import Seed
from divlogic.io.files import read_yaml
from divlogic.logic.theory import answer_text

Role = Literal["decider", "proposal", "review", "answering", "verification"]
ROLES: tuple[Role, ...] = ("decider", "proposal", "review", "answering", "verification")

_TEXTS: dict[str, Any] = read_yaml(Path(__file__).with_suffix(".yaml"))
STRATEGIES: dict[str, str] = _TEXTS["strategies"]


def decider_prompt(seed: Seed) -> str:
    """Return the prompt that asks for the shallow path and a blueprint."""
    strategies = _lines(f"{name}：{meaning}" for name, meaning in STRATEGIES.items())
    return _filled("decider", strategies=strategies, source=_source(seed))


def proposal_prompt(seed: Seed, blueprint: dict[str, Any], number: int, reasons: Sequence[str]) -> str:
    """Return the prompt that asks for a hardened item: texts and formalization.

    Args:
        number: of the proposal, from 1; later ones name why the one before was refused.
    """
    return _filled(
        "proposal",
        number=number,
        form=_TEXTS["form"],
        source=_source(seed),
        formal=_json(item_row(seed.item)),
        blueprint=_json(blueprint),
        refused=_filled("refused", reasons=_lines(reasons)) if reasons else "",
    )


def repair_prompt(item: HardItem, number: int, repair: int, differing: Sequence[str]) -> str:
    """Return the prompt that asks for other words where only the answers were off; formulas must stay."""
    return _filled("repair", number=number, repair=repair, differing=_lines(differing), item=_shown(item))


def review_prompt(item: HardItem) -> str:
    """Return the prompt that asks whether an item is well-posed and its space closed."""
    return _filled("review", item=_shown(item))


def answering_prompt(item: HardItem) -> str:
    """Return the prompt that asks for a solution; it shows texts only."""
    return _filled("answering", context=item.context("zh"), questions=_questions(item))


def verification_prompt(item: HardItem, solutions: Sequence[str]) -> str:
    """Return the prompt that asks for unsupported conclusions and missing recomputation."""
    written = [_filled("solution", place=place, text=text) for place, text in enumerate(solutions, start=1)]
    return _filled(
        "verification",
        context=item.context("zh"),
        questions=_questions(item),
        answers="\n".join(f"{question.id}：{answer_text(question.answer)}" for question in item.questions),
        solutions="\n\n".join(written),
    )


def _filled(name: str, **values: object) -> str:
    """Return a template with each <name> replaced."""
    return re.sub(r"<(\w+)>", lambda match: str(values[match[1]]), _TEXTS[name])


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def _questions(item: HardItem) -> str:
    return "\n".join(f"{question.id}. {question.text.zh}" for question in item.questions)


def _source(seed: Seed) -> str:
    item = seed.item
    premises = "".join(premise.text.zh for premise in item.formalization.premises)
    return f"{item.title.zh}\n{item.background.zh}{premises}\n{item.question.zh}"


def _shown(item: HardItem) -> str:
    row = item_json(item)
    theory = {key: row["theory"][key] for key in ("symbols", "domain", "premises")}
    questions = [{key: part for key, part in each.items() if key != "strategy"} for each in row["questions"]]
    return _json({"background": row["background"], **theory, "questions": questions})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)

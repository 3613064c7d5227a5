"""Drawing one hard item: operators and sub-questions, passed by the gates or counted at the one that failed.

Item i is drawn from ``SeedSequence([seed, i])`` alone, so that shards do not matter. It is worded while it is drawn:
operators and gates work on the scenarios' sentences, and two questions with one text are one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import add
from typing import Any

from divlogic.benchmarks.llmeval_logic.hardener.draft import draft_of
from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem, SubQuestion, decided_answers
from divlogic.benchmarks.llmeval_logic.hardener.operators import OPERATORS, Apply, Operator, bridge
from divlogic.benchmarks.llmeval_logic.hardener.panel import GATE, SOLVERS, PanelTask, verdicts
from divlogic.benchmarks.llmeval_logic.hardener.questions import (
    YES_OR_NO,
    Candidate,
    QuestionPool,
)
from divlogic.benchmarks.llmeval_logic.parameters import HardenerParameters
from divlogic.benchmarks.llmeval_logic.seeds import Seed
from divlogic.draws import Draws
from divlogic.logic.deciding import Space, Z3Decider
from divlogic.records import content_hash

GATES = (
    "place",
    "satisfiable",
    "models",
    "set_valued",
    "counterfactual",
    "necessary",
    "panel",
    "deciders",
)
"""In the order in which they are asked; a draw is counted at the first that it fails."""

_FEWEST_VERDICTS = 2
"""Smallest number of questions of yes or no, where the largest number of sub-questions allows it."""

QUESTION_STRATEGIES = ("set_valued", "counterfactual")


@dataclass
class Tally:
    """Counts by operator (``all`` for every draw), and what the panel answers before its gate.

    Attributes:
        operators: by operator, its draws (``drawn``), its accepted items (``accepted``), and its draws that failed, by
            gate.
        panel: solver -> [items right, items, sub-questions right, sub-questions], of draws that reached the panel.
    """

    operators: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    panel: dict[str, list[int]] = field(
        default_factory=lambda: {name: [0, 0, 0, 0] for name in SOLVERS}
    )

    def add(self, operators: Iterable[str], result: str) -> None:
        """Count a draw under each of its operators once: as accepted, or as failed at a gate."""
        for name in dict.fromkeys(operators):
            self.operators[name].update(["drawn", result])

    def to_json(self) -> dict[str, Any]:
        """Return the counts as JSON."""
        return vars(self)

    def add_panel(self, right: dict[str, list[bool]]) -> None:
        """Count what the panel answers of an item."""
        for name, each in right.items():
            counts = (all(each), 1, sum(each), len(each))
            self.panel[name] = [*map(add, self.panel[name], counts)]


def draw(
    parameters: HardenerParameters,
    seed: int,
    index: int,
    seeds: Sequence[Seed],
    tally: Tally | None = None,
) -> HardItem | None:
    """Make item ``index`` of verified seeds, or return ``None`` where no draw passes every gate; count draws."""
    draws = Draws(seed, index)
    tally = tally or Tally()
    usable = {each.item.id: each for each in seeds if not each.item.contradictory}
    source = list(usable.values())[index % len(usable)]
    partners = [bridge(link, usable[link.to]) for link in source.bridges if link.to in usable]
    for tried in range(1, parameters.tries + 1):
        names, made = _one_draw(source, partners, parameters, draws, tally)
        if isinstance(made, HardItem):
            tally.add(("all", *names), "accepted")
            texts = (made.context("zh"), *(question.text.zh for question in made.questions))
            name = f"{index:05d}-{source.item.id}-{content_hash(seed, 'hard', *texts)}"
            return replace(made, id=name, tries=tried)
        tally.add(("all", *names), made)
    return None


def _one_draw(
    source: Seed,
    partners: Sequence[Apply],
    parameters: HardenerParameters,
    draws: Draws,
    tally: Tally,
) -> tuple[list[str], HardItem | str]:
    """Draw once; return the operators tried and the item, or the gate that it failed."""
    draft = draft_of(source)
    wanted = parameters.min_operators + draws.below(
        parameters.max_operators - parameters.min_operators + 1
    )
    for operator in _operators(source, partners, parameters, draws):
        if len(draft.operators) == wanted:
            break
        changed = operator.apply(draft, draws)
        if changed is None:
            # The draw goes on without it.
            tally.add([operator.name], "place")
        else:
            draft = replace(changed, operators=(*changed.operators, operator.name))
    names = list(draft.operators)
    if len(names) < parameters.min_operators:
        return names, "place"
    shown = enumerate(draws.shuffled(draft.premises), start=1)
    draft = replace(
        draft, premises=tuple(replace(premise, id=f"P{place}") for place, premise in shown)
    )
    try:
        space = draft.space()
    except ValueError:
        return names, "place"
    pool = QuestionPool(draft, space, draws)
    if not pool.true:
        return names, "satisfiable"
    distractors = {premise.id for premise in draft.premises if premise.role == "distractor"}
    candidates = [each for each in pool.candidates() if not each.covers & distractors]
    names += list(QUESTION_STRATEGIES)
    if not any(each.spread >= 2 for each in candidates if each.question.strategy == "added"):
        return names, "models"
    for strategy in QUESTION_STRATEGIES:
        if not any(_shows(each.question, strategy) for each in candidates):
            return names, strategy
    needed = {premise.id for premise in draft.premises} - distractors
    questions = _chosen(candidates, needed, space, parameters, draws)
    if questions is None:
        return names, "necessary"
    item = HardItem(
        id="",
        sources=tuple(seed.item.id for seed in draft.seeds),
        setting=source.setting,
        logic="fol" if draft.first_order else "pl",
        operators=(*draft.operators, *QUESTION_STRATEGIES),
        title=draft.title,
        background=draft.background,
        theory=draft.theory(),
        questions=questions,
    )
    before = tuple(premise.formula for premise in draft_of(source).premises)
    right = verdicts(
        PanelTask(space, draft.symbols, draft.premises, before, item.context("zh")), questions
    )
    tally.add_panel(right)
    if any(all(right[name]) for name in GATE):
        return names, "panel"
    # The answers come from the valuations; Z3 gives the second opinion, on the theory with its quantifiers.
    stated = tuple(each.answer for each in questions)
    if decided_answers(item.theory, questions, Z3Decider().decide) != stated:
        return names, "deciders"
    return names, replace(item, panel=right)


def _operators(
    source: Seed, partners: Sequence[Apply], parameters: HardenerParameters, draws: Draws
) -> list[Operator]:
    """Draw the order in which operators are tried."""
    fitting = [operator for operator in OPERATORS if operator.logic in ("", source.item.logic)]
    order = draws.weighted_distinct([operator.weight for operator in fitting], len(fitting))
    chosen = [fitting[place] for place in order]
    if partners and draws.chance(parameters.bridges):
        chosen.insert(0, Operator("bridge", "further", draws.pick(partners)))
    return chosen


def _chosen(
    candidates: list[Candidate],
    needed: set[str],
    space: Space,
    parameters: HardenerParameters,
    draws: Draws,
) -> tuple[SubQuestion, ...] | None:
    """Choose sub-questions to which every needed premise is necessary; ``None`` where that takes too many.

    No sub-question answers another one. First come lists and numbers: one of each strategy, one about the models, then
    what covers most. They alone have to cover, since an answer of yes or no covers premises or not by what it is: what
    is chosen for covering is mostly "impossible" or "necessary". Then come questions of yes or no, each with an answer
    that a fair coin draws.
    """
    order = draws.shuffled(candidates)
    wanted = parameters.min_questions + draws.below(
        parameters.max_questions - parameters.min_questions + 1
    )
    chosen: list[Candidate] = []
    missing = set(needed)

    def fits(each: Candidate) -> bool:
        return not any(each.overlaps(one, space) for one in chosen)

    def worth(each: Candidate) -> tuple[int, bool]:
        is_new = all(each.question.type != one.question.type for one in chosen)
        return len(each.covers & missing), is_new

    def take(offered: list[Candidate]) -> bool:
        offered = [each for each in offered if fits(each)]
        if offered:
            best = max(offered, key=worth)
            chosen.append(best)
            missing.difference_update(best.covers)
        return bool(offered)

    lists = [each for each in order if each.question.type not in YES_OR_NO]
    for strategy in QUESTION_STRATEGIES:
        take([each for each in lists if _shows(each.question, strategy)])
    take([each for each in lists if each.spread >= 2 and each.question.strategy == "added"])
    while missing and len(chosen) < parameters.max_questions:
        if not take([each for each in lists if each.covers & missing]):
            return None
    if missing:
        return None
    # What has to cover may take most of the number wanted.
    wanted = min(max(wanted, len(chosen) + _FEWEST_VERDICTS), parameters.max_questions)
    verdicts_left = [each for each in order if each.question.type in YES_OR_NO]
    while len(chosen) < wanted:
        verdicts_left = [each for each in verdicts_left if fits(each)]
        asked = Counter(each.question.type for each in chosen)
        verdict = of_a_coin(verdicts_left, asked, draws)
        if verdict is not None:
            chosen.append(verdict)
        elif not take(lists):
            break
    # A question of yes or no that shows the strategy is none: to insist on it would load the coin.
    listed = [each.question for each in chosen if each.question.type not in YES_OR_NO]
    shown_all = all(
        any(_shows(question, strategy) for question in listed) for strategy in QUESTION_STRATEGIES
    )
    if not shown_all or len(chosen) < parameters.min_questions:
        return None
    shown = {
        f"S{place}": each.question for place, each in enumerate(draws.shuffled(chosen), start=1)
    }
    queries = {name: each.query and replace(each.query, id=name) for name, each in shown.items()}
    return tuple(replace(each, id=name, query=queries[name]) for name, each in shown.items())


def of_a_coin(offered: Sequence[Candidate], asked: Counter[str], draws: Draws) -> Candidate | None:
    """Return a question of yes or no whose answer a fair coin draws; ``None`` where none has an opposite.

    The coin falls between two questions of one kind, under suppositions of one form, about statements of one shape, of
    which one is answered yes and the other no: so kind, form, shape and the setting tell nothing of the answer. Kinds
    that the item asks for least come first.
    """
    cells: defaultdict[Any, dict[Any, Candidate]] = defaultdict(dict)
    for each in offered:
        cells[each.question.cell].setdefault(each.question.answer, each)
    open_cells = {cell: found for cell, found in cells.items() if len(found) == 2}
    if not open_cells:
        return None
    fewest = min(asked[cell[0]] for cell in open_cells)
    cell = draws.pick([cell for cell in open_cells if asked[cell[0]] == fewest])
    answers = sorted(open_cells[cell])
    return open_cells[cell][draws.pick(answers)]


def _shows(question: SubQuestion, strategy: str) -> bool:
    """Return whether a question is of a strategy; a counterfactual one only if its supposition matters."""
    return question.strategy == strategy and question.answer != question.baseline

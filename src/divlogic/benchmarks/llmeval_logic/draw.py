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
from divlogic.benchmarks.llmeval_logic.hardener.questions import Candidate, QuestionPool
from divlogic.benchmarks.llmeval_logic.parameters import HardenerParameters
from divlogic.benchmarks.llmeval_logic.seeds import Seed
from divlogic.draws import Draws
from divlogic.logic.deciding import Space, Z3Decider
from divlogic.records import content_hash

GATES = ("place", "satisfiable", "models", "set_valued", "counterfactual", "necessary", "panel", "deciders")
"""In the order in which they are asked; a draw is counted at the first that it fails."""

_ANSWERS = {
    "possible": ("possible", "impossible"),
    "necessary": ("necessary", "unnecessary"),
    "unique_solution": ("yes",),
    "has_alternative": ("no",),
}
"""Of each kind one of these answers, drawn for the item, is preferred, so that a guess by kind earns little."""

_COMMON = {("added", "unique_solution", "no"): 0.6, ("added", "has_alternative", "yes"): 0.4}
"""Shares of the candidates with these answers that are dropped: there are few with the other one."""

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
    panel: dict[str, list[int]] = field(default_factory=lambda: {name: [0, 0, 0, 0] for name in SOLVERS})

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
    parameters: HardenerParameters, seed: int, index: int, seeds: Sequence[Seed], tally: Tally | None = None
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
    source: Seed, partners: Sequence[Apply], parameters: HardenerParameters, draws: Draws, tally: Tally
) -> tuple[list[str], HardItem | str]:
    """Draw once; return the operators tried and the item, or the gate that it failed."""
    draft = draft_of(source)
    wanted = parameters.min_operators + draws.below(parameters.max_operators - parameters.min_operators + 1)
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
    draft = replace(draft, premises=tuple(replace(premise, id=f"P{place}") for place, premise in shown))
    try:
        space = draft.space()
    except ValueError:
        return names, "place"
    pool = QuestionPool(draft, space, draws)
    if not pool.true:
        return names, "satisfiable"
    distractors = {premise.id for premise in draft.premises if premise.role == "distractor"}
    drawn = list(pool.candidates())  # all are drawn before any is dropped
    fitting = [each for each in drawn if not each.covers & distractors]
    candidates = [
        each
        for each, asked in [(each, each.question) for each in fitting]
        if not draws.chance(_COMMON.get((asked.strategy, asked.type, str(asked.answer)), 0))
    ]
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
    right = verdicts(PanelTask(space, draft.symbols, draft.premises, before, item.context("zh")), questions)
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
    candidates: list[Candidate], needed: set[str], space: Space, parameters: HardenerParameters, draws: Draws
) -> tuple[SubQuestion, ...] | None:
    """Choose sub-questions to which every needed premise is necessary; ``None`` where that takes too many.

    No sub-question answers another one. First comes one of each strategy and one about the models, then what covers
    most, then other types.
    """
    order = draws.shuffled(candidates)
    wanted = parameters.min_questions + draws.below(parameters.max_questions - parameters.min_questions + 1)
    preferred = {
        (strategy, kind): draws.pick(answers)
        for strategy in ("added", "counterfactual")
        for kind, answers in _ANSWERS.items()
    }
    chosen: list[Candidate] = []
    missing = set(needed)

    def worth(each: Candidate) -> tuple[int, bool, bool]:
        question = each.question
        is_new = all(question.type != one.question.type for one in chosen)
        is_preferred = preferred.get((question.strategy, question.type)) == question.answer
        return len(each.covers & missing), is_new, is_preferred

    def take(fits: list[Candidate]) -> bool:
        fits = [each for each in fits if not any(each.overlaps(one, space) for one in chosen)]
        if fits:
            best = max(fits, key=worth)
            chosen.append(best)
            missing.difference_update(best.covers)
        return bool(fits)

    for strategy in QUESTION_STRATEGIES:
        take([each for each in order if _shows(each.question, strategy)])
    take([each for each in order if each.spread >= 2 and each.question.strategy == "added"])
    while missing and len(chosen) < parameters.max_questions:
        if not take([each for each in order if each.covers & missing]):
            return None
    if missing:
        return None
    while len(chosen) < wanted:
        kinds = [each.question.type for each in chosen]
        fewest = min(kinds.count(each.question.type) for each in order)
        if not take([each for each in order if kinds.count(each.question.type) == fewest]) and not take(
            order
        ):
            break
    if len(chosen) < parameters.min_questions:
        return None
    shown = {f"S{place}": each.question for place, each in enumerate(draws.shuffled(chosen), start=1)}
    queries = {name: each.query and replace(each.query, id=name) for name, each in shown.items()}
    return tuple(replace(each, id=name, query=queries[name]) for name, each in shown.items())


def _shows(question: SubQuestion, strategy: str) -> bool:
    """Return whether a question is of a strategy; a counterfactual one only if its supposition matters."""
    return question.strategy == strategy and question.answer != question.baseline

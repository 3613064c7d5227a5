"""Making one hard item: draw operators and sub-questions, pass the gates or say which one failed.

Item i is drawn from ``SeedSequence([seed, i])`` alone, so that shards do not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from divlogic.benchmarks.llmeval_logic.hardener.draft import Draft, draft_of
from divlogic.benchmarks.llmeval_logic.hardener.item import HardItem, SubQuestion, decided_answers
from divlogic.benchmarks.llmeval_logic.hardener.operators import OPERATORS, Operator, bridge
from divlogic.benchmarks.llmeval_logic.hardener.panel import GATE, SOLVERS, Task, verdicts
from divlogic.benchmarks.llmeval_logic.hardener.questions import Candidate, Pool
from divlogic.benchmarks.llmeval_logic.hardener.space import Space
from divlogic.benchmarks.llmeval_logic.parameters import HardenerParameters
from divlogic.benchmarks.llmeval_logic.seeds import Seed
from divlogic.draws import Draws
from divlogic.logic.by_z3 import Z3Decider

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

_RARE = frozenset({("unique_solution", "yes"), ("has_alternative", "no")})
"""Answers that few candidates have; they are preferred, so that a guess by question type earns little."""

QUESTION_STRATEGIES = ("set_valued", "counterfactual")


@dataclass
class Tally:
    """Counts by operator (``all`` for every draw), and what the panel answers before its gate.

    Attributes:
        drawn: draws by operator.
        failed: draws by operator and the gate they failed.
        accepted: accepted items by operator.
        panel: solver -> [items right, items, sub-questions right, sub-questions], of draws that reached the panel.
    """

    drawn: Counter[str] = field(default_factory=Counter)
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    panel: dict[str, list[int]] = field(default_factory=lambda: {name: [0, 0, 0, 0] for name in SOLVERS})

    def add(self, operators: Sequence[str], gate: str | None) -> None:
        """Count a draw under each of its operators once."""
        for name in ("all", *dict.fromkeys(operators)):
            self.drawn[name] += 1
            if gate is None:
                self.accepted[name] += 1
            else:
                self.failed[name, gate] += 1

    def without_place(self, operator: str) -> None:
        """Count an operator that found no place in a theory; the draw goes on without it."""
        self.drawn[operator] += 1
        self.failed[operator, "place"] += 1

    def add_panel(self, right: dict[str, list[bool]]) -> None:
        """Count what the panel answers of an item."""
        for name, each in right.items():
            counts = self.panel[name]
            counts[0] += all(each)
            counts[1] += 1
            counts[2] += sum(each)
            counts[3] += len(each)


def forge(
    number: int, seeds: Sequence[Seed], parameters: HardenerParameters, seed: int, tally: Tally
) -> HardItem | None:
    """Make item ``number``, or return ``None`` where no draw passes every gate.

    Args:
        seeds: all seeds, verified; those whose premises contradict each other are passed over.
        tally: counts every draw.
    """
    draws = Draws(seed, number)
    usable = [each for each in seeds if not each.item.contradictory]
    source = usable[number % len(usable)]
    partners = [each for each in usable if each.item.logic == "pl" and each.setting != source.setting]
    for tried in range(1, parameters.tries + 1):
        names, made = _one_draw(source, partners, parameters, draws, tally)
        if isinstance(made, HardItem):
            tally.add(names, None)
            return replace(made, id=f"{number:05d}-{source.item.id}", tries=tried)
        tally.add(names, made)
    return None


def _one_draw(
    source: Seed, partners: Sequence[Seed], parameters: HardenerParameters, draws: Draws, tally: Tally
) -> tuple[list[str], HardItem | str]:
    """Draw once; return the operators tried and the item, or the gate that it failed."""
    draft = draft_of(source)
    wanted = parameters.min_operators + draws.below(parameters.max_operators - parameters.min_operators + 1)
    for operator in _operators(source, partners, parameters, draws):
        if len(draft.operators) == wanted:
            break
        changed = operator.apply(draft, draws)
        if changed is None:
            tally.without_place(operator.name)
        else:
            draft = changed.applied(operator.name)
    names = list(draft.operators)
    if len(names) < parameters.min_operators:
        return names, "place"
    draft = replace(draft, premises=tuple(draws.shuffled(draft.premises)))
    draft = _renumbered(draft)
    try:
        space = Space(draft.symbols)
    except ValueError:
        return names, "place"
    pool = Pool(draft, space, draws)
    if not pool.true:
        return names, "satisfiable"
    candidates = list(pool.candidates())
    distractors = {premise.id for premise in draft.premises if premise.role == "distractor"}
    candidates = [each for each in candidates if not each.covers & distractors]
    names += list(QUESTION_STRATEGIES)
    if not any(each.spread >= 2 for each in candidates if each.question.strategy == "added"):
        return names, "models"
    for strategy in QUESTION_STRATEGIES:
        if not any(each.question.strategy == strategy for each in candidates):
            return names, strategy
    needed = {premise.id for premise in draft.premises} - distractors
    questions = _chosen(candidates, needed, parameters, draws)
    if questions is None:
        return names, "necessary"
    item = HardItem(
        "",
        tuple(seed.item.id for seed in draft.seeds),
        source.setting,
        "fol" if draft.first_order else "pl",
        (*draft.operators, *QUESTION_STRATEGIES),
        draft.title,
        draft.background,
        draft.theory(),
        questions,
    )
    right = verdicts(task_of(draft, space, item), questions)
    tally.add_panel(right)
    if any(all(right[name]) for name in GATE):
        return names, "panel"
    # The answers come from the valuations; Z3 gives the second opinion, on the theory with its quantifiers.
    if decided_answers(item.theory, questions, Z3Decider().decide) != tuple(
        each.answer for each in questions
    ):
        return names, "deciders"
    return names, replace(item, panel=right)


def task_of(draft: Draft, space: Space, item: HardItem) -> Task:
    """Return an item as the panel sees it."""
    source = [premise.formula for premise in draft_of(draft.seeds[0]).premises]
    return Task(space, draft.symbols, draft.premises, tuple(source), item.context("zh"))


def _operators(
    source: Seed, partners: Sequence[Seed], parameters: HardenerParameters, draws: Draws
) -> list[Operator]:
    """Draw the order in which operators are tried."""
    fitting = [operator for operator in OPERATORS if operator.logic in ("", source.item.logic)]
    order = draws.weighted_distinct([operator.weight for operator in fitting], len(fitting))
    chosen = [fitting[place] for place in order]
    if partners and draws.chance(parameters.bridges):
        chosen.insert(0, Operator("bridge", "further", bridge(draws.pick(partners))))
    return chosen


def _chosen(
    candidates: Sequence[Candidate], needed: set[str], parameters: HardenerParameters, draws: Draws
) -> tuple[SubQuestion, ...] | None:
    """Choose sub-questions to which every needed premise is necessary; ``None`` where that takes too many.

    First comes one of each strategy and one about the models, then what covers most, then other types.
    """
    order = draws.shuffled(candidates)
    wanted = parameters.min_questions + draws.below(parameters.max_questions - parameters.min_questions + 1)
    chosen: list[Candidate] = []
    missing = set(needed)

    def take(fits: list[Candidate]) -> None:
        kinds = {each.question.type for each in chosen}
        texts = {each.question.text.zh for each in chosen}
        fits = [each for each in fits if each not in chosen and each.question.text.zh not in texts]
        if fits:
            best = max(
                fits,
                key=lambda each: (
                    len(each.covers & missing),
                    each.question.type not in kinds,
                    (each.question.type, each.question.answer) in _RARE,
                ),
            )
            chosen.append(best)
            missing.difference_update(best.covers)

    take([each for each in order if each.question.strategy == "set_valued"])
    take([each for each in order if each.question.strategy == "counterfactual"])
    take([each for each in order if each.spread >= 2 and each.question.strategy == "added"])
    while missing and len(chosen) < parameters.max_questions:
        before = len(missing)
        take([each for each in order if each.covers & missing])
        if len(missing) == before:
            return None
    if missing:
        return None
    while len(chosen) < wanted:
        kinds = [each.question.type for each in chosen]
        rest = [
            each for each in order if kinds.count(each.question.type) == min(map(kinds.count, _kinds(order)))
        ]
        size = len(chosen)
        take(rest)
        if len(chosen) == size:
            take(order)
        if len(chosen) == size:
            break
    if len(chosen) < parameters.min_questions:
        return None
    return tuple(
        replace(
            each.question,
            id=f"S{place}",
            query=replace(each.question.query, id=f"S{place}") if each.question.query else None,
        )
        for place, each in enumerate(draws.shuffled(chosen), start=1)
    )


def _kinds(candidates: Sequence[Candidate]) -> list[str]:
    return sorted({each.question.type for each in candidates})


def _renumbered(draft: Draft) -> Draft:
    """Give the premises ids in the order in which they are shown."""
    premises = tuple(
        replace(premise, id=f"P{place}") for place, premise in enumerate(draft.premises, start=1)
    )
    return replace(draft, premises=premises)

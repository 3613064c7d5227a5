"""``python -m tools.distributions``: what generators draw next to what papers and releases have, by distribution.

Writes docs/reports/distributions.md. Labels and sizes are the tables' business; here stands how arguments are made up:
forms, nesting, depths, rules and uses of a variable, of the construction as published and of the default. A test draws
all of it again.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.divlogiceval.draw import draw_instance, drawn_rules
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import (
    IMPLICATION,
    LITERAL,
    NOT_AND,
    OR,
    Proposition,
)
from divlogic.benchmarks.justlogic.draw import Instance, draw, groups
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.propositions import nesting
from divlogic.benchmarks.logicnli.describe import depths_of_random
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.draws import Draws
from divlogic.io.files import read_json, read_yaml, write_text

PAGE = Path("docs/reports/distributions.md")
FACTS = Path(__file__).with_suffix(".yaml")
HEAD = Path(__file__).with_name("docs") / "templates" / "distributions.md"
RELEASE = Path("data/profiles/logicnli_release.json")
PUBLISHED = Path("config/as_published.yaml")

SEED = 1
CONTEXTS = 20_000
"""Contexts of Algorithm 1 that either program draws."""

INSTANCES = 900
"""Instances of DivLogicEval, the size of its test split."""

THEORIES = 800
"""Theories of LogicNLI, as many as the release trains on."""

PER_DEPTH = 150
"""Arguments of JustLogic per depth, as many as the release validates on."""

RARE = 0.01
"""A p-value below it says that two draws are not of one distribution."""

Counts = Mapping[Any, float]
"""Category -> how often it occurs."""

Rules = list[tuple[str, list[int]]]
"""Of each rule of a context its kind and its variables."""

_DEEPEST = 5
"""Premises that are nested deeper are counted with these."""

_RULES = {IMPLICATION: "implication", NOT_AND: "not_and", OR: "or"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts of one statistic in three sets.

    Attributes:
        benchmark, statistic: what is counted, and of what.
        source: where the first column comes from.
        printed, published, default: category -> count; an empty default has no such categories.
        independent: whether what is counted is drawn one by one, so that a chi-squared test means what it says.
    """

    benchmark: str
    statistic: str
    source: str
    printed: Counts
    published: Counts
    default: Counts
    independent: bool = True

    def categories(self) -> list[Any]:
        """Return all categories, those of the source first."""
        return list(dict.fromkeys((*self.printed, *sorted(self.published, key=str))))

    def p_value(self) -> float:
        """Return the p-value of the chi-squared test that source and construction as published are one distribution."""
        from scipy.stats import chi2_contingency

        rows = [
            [counts.get(one, 0) for one in self.categories()]
            for counts in (self.printed, self.published)
        ]
        return float(chi2_contingency(rows).pvalue)

    def farthest(self) -> float:
        """Return the largest difference of two shares, in points."""
        first, second = shares(self.printed), shares(self.published)
        return max(abs(first.get(one, 0) - second.get(one, 0)) for one in self.categories())


def shares(counts: Counts) -> dict[Any, float]:
    """Return the counts in percent of their sum."""
    whole = sum(counts.values())
    return {one: 100 * count / whole for one, count in counts.items()}


def comparisons(root: Path = Path()) -> list[Comparison]:
    """Draw all sets and count them."""
    facts = read_yaml(FACTS)
    sections = read_yaml(root / PUBLISHED)["benchmarks"]
    return [
        *_divlogiceval(facts["divlogiceval"], sections["divlogiceval"]),
        *_justlogic(facts["justlogic"], sections["justlogic"]),
        *_logicnli(root, sections["logicnli"]),
    ]


def algorithm_1(draw: random.Random, weights: Mapping[str, float]) -> list[tuple[str, list[int]]]:
    """Return the rules of a context and their variables, by the pseudo-code of the paper; n is 3, of 8 variables.

    It shares nothing with the generator. A context for which variables run out is drawn again.
    """
    n, variables = 3, range(8)
    while True:
        used = [0] * len(variables)
        rules: list[tuple[str, list[int]]] = []
        length = draw.randint(2, n + 1)
        while len(rules) < length:
            # Eq. 3, which prefers what was used less, and below it the two caps of Appendix B
            most = max(used) + 1
            whole = sum(most - count for count in used)
            chances = []
            for count in used:
                chance = (most - count) / whole
                if count == n - 1:
                    chance = 0.1
                elif count >= n:
                    chance = 0.0
                chances.append(chance)
            if sum(chance > 0 for chance in chances) < 3:
                break
            chosen: list[int] = []
            # three of them for each rule; the plain implication gives the last one back
            while len(chosen) < 3:
                [one] = draw.choices(variables, chances)
                chances[one] = 0.0
                chosen.append(one)
            [rule] = draw.choices(list(weights), list(weights.values()))
            if rule == "implication":
                chosen = chosen[:2]
            for one in chosen:
                used[one] += 1
            rules.append((rule, chosen))
        else:
            return rules


def _divlogiceval(facts: Mapping[str, Any], section: Mapping[str, Any]) -> list[Comparison]:
    """Compare contexts before options are drawn: which of them allow an instance is the options' business."""
    published = DivLogicEvalParameters.model_validate(section)
    weights = facts["rules"]
    dice = random.Random(SEED)
    printed = [algorithm_1(dice, weights) for _ in range(CONTEXTS)]
    drawn = [_rules(one) for one in _contexts(published)]
    default = [
        _rules(draw_instance(SEED, index, DivLogicEvalParameters()).premises)
        for index in range(INSTANCES)
    ]
    described, weighted = facts["source"], facts["source_of_kinds"]
    found = []
    for statistic, source, count in (
        ("rules of a context", described, _lengths),
        ("kinds of rules", weighted, _kinds),
        ("uses of the most used variable", described, _uses),
    ):
        found.append(
            Comparison(
                "DivLogicEval",
                statistic,
                source,
                printed=count(printed),
                published=count(drawn),
                default=count(default),
            )
        )
    return found


def _contexts(parameters: DivLogicEvalParameters) -> list[list[Proposition]]:
    """Return the rules of contexts as they are first drawn."""
    found: list[list[Proposition]] = []
    index = 0
    while len(found) < CONTEXTS:
        rules = drawn_rules(Draws(SEED, index), parameters)
        index += 1
        if rules is not None:
            found.append(rules[0])
    return found


def _rules(propositions: Sequence[Proposition]) -> Rules:
    """Return the kind of each rule with its variables; single literals are no rules."""
    found = []
    for kind, *literals in propositions:
        if kind != LITERAL:
            found.append((_RULES[kind], [literal >> 1 for literal in literals]))
    return found


def _lengths(contexts: list[Rules]) -> Counter[Any]:
    return Counter(len(rules) for rules in contexts)


def _kinds(contexts: list[Rules]) -> Counter[Any]:
    return Counter(kind for rules in contexts for kind, _ in rules)


def _uses(contexts: list[Rules]) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for rules in contexts:
        uses = Counter(variable for _, variables in rules for variable in variables)
        found[max(uses.values())] += 1
    return found


def justlogic_instances(parameters: JustLogicParameters) -> list[tuple[int, Instance]]:
    """Return the depth and the argument of each instance of a whole set."""
    found = []
    for index in range(groups(parameters, "full")):
        three = draw(parameters, SEED, index, "full")
        found += [(three.depth, one) for one in three.instances]
    return found


def _justlogic(facts: Mapping[str, Any], section: Mapping[str, Any]) -> list[Comparison]:
    published, default = [
        justlogic_instances(JustLogicParameters.model_validate({**one, "per_depth": PER_DEPTH}))
        for one in (section, {})
    ]
    return [
        Comparison(
            "JustLogic",
            "forms of steps",
            facts["source"],
            printed=facts["forms"],
            published=_forms(published),
            default=_forms(default),
        ),
        Comparison(
            "JustLogic",
            "nesting of premises",
            facts["source"],
            printed=facts["nesting"],
            published=_nesting(published),
            default=_nesting(default),
        ),
    ]


def _forms(drawn: list[tuple[int, Instance]]) -> Counter[Any]:
    return Counter(step.form for _, one in drawn for step in one.steps)


def _nesting(drawn: list[tuple[int, Instance]]) -> Counter[Any]:
    return Counter(min(nesting(premise), _DEEPEST) for _, one in drawn for premise in one.premises)


def _logicnli(root: Path, section: Mapping[str, Any]) -> list[Comparison]:
    released = read_json(root / RELEASE, "depths")["depths"]["train"]["counts"]
    parameters = LogicNLIParameters.model_validate(section)
    drawn = depths_of_random(parameters, THEORIES, SEED)["counts"]
    return [
        Comparison(
            "LogicNLI",
            f"rounds to statements of {label}",
            "the release's training split, 800 theories of 20 statements",
            printed=released[label],
            published=drawn[label],
            default={},
            # Statements of one theory share its rules.
            independent=False,
        )
        for label in ("entailment", "contradiction", "self_contradiction")
    ]


def page(found: list[Comparison]) -> str:
    """Return the page."""
    head = HEAD.read_text(encoding="utf-8").format(
        rare=RARE,
        seed=SEED,
        contexts=f"{CONTEXTS:,}",
        instances=INSTANCES,
        arguments=f"{PER_DEPTH * len(JustLogicParameters().depths):,}",
        theories=THEORIES,
    )
    return head + "".join(map(_section, found))


def _section(one: Comparison) -> str:
    """Return the table of a comparison, under its title and source, and what its test says."""
    sets = {"paper or release": one.printed, "as published": one.published}
    if one.default:
        sets["default"] = one.default
    columns = [shares(counts) for counts in sets.values()]
    only_by_default = sorted(set(one.default) - set(one.categories()), key=str)
    rows = []
    for category in (*one.categories(), *only_by_default):
        cells = [f"{column.get(category, 0):.1f}" for column in columns]
        rows.append([str(category).replace("_", " "), *cells])
    rows.append(["n", *(f"{sum(counts.values()):,.0f}" for counts in sets.values())])
    lines = [
        "",
        f"## {one.benchmark}: {one.statistic}",
        "",
        f"Source: {one.source}.",
        "",
        f"| | {' | '.join(sets)} |",
        f"| --- |{' ---: |' * len(sets)}",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
    ]
    if one.independent:
        lines.append(f"p = {one.p_value():.2f}.")
    else:
        lines.append(f"Largest difference: {one.farthest():.1f} points.")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_text(PAGE, page(comparisons()))
    print(PAGE)

"""Skeletons of quartets: two chains, two decoys, and noise that changes none of the four states.

Chains grow backwards from the statement and from its opposite. A chain is whole or broken by the sign of one fact, its
leaf; its decoy is one rule to an unrelated atom whose leaf is whole exactly when the chain is broken. Both leaves speak
of one person, with one sign and not of the statement's property, so that counts of facts by person, by what they share
with the statement and by sign are the same in the four states. Where the steps of a proof are asked too, each rule of
a chain has a mirror, the same rule with all signs changed, that never applies: otherwise the sign with which rules name
a derived literal would tell its label.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as Choice, TypeAlias

from divlogic.benchmarks.logicnli import theories
from divlogic.benchmarks.logicnli.theories import FORMS, STATES, Form, SymbolicRule
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.logic.growing import GrowingProgram, GrowingRounds, Promise
from divlogic.logic.horn import UNREACHED, Clause, contrapositives
from divlogic.logic.smt import Z3Clauses

_SOLVER = Z3Clauses()


def disjunctions(clauses: Iterable[Clause]) -> frozenset[tuple[int, ...]]:
    """Return clauses as disjunctions of ascending literals: a clause and its contrapositives are the same one."""
    pairs = [(body, head) for body, heads, _ in clauses for head in heads]
    return frozenset([tuple(sorted({part ^ 1 for part in body} | {head})) for body, head in pairs])


Signs = Choice["fair", "positive", "one_negative"]
"""Signs of inner literals: by fair coins, all positive, or one negative literal in each rule."""

Kind = Choice["fact", "rule"]

Noise = tuple[Kind, int]
"""A noise sentence: its kind and its number among the facts or rules."""


@dataclass(frozen=True, slots=True)
class QuartetShape:
    """What a quartet holds.

    Attributes:
        facts: number of facts, noise included.
        rules: number of rules, noise included.
        weights: relative frequency of each class of rules.
        reading: ``both`` if E, C and N shall also hold in classical logic.
        noise: numbers of noise sentences, ascending, that make variants of each item. If there are any, ``facts`` and
            ``rules`` do not count: half of the noise is facts, half is rules.
        mirrored: whether each rule of a chain has a mirror, and noise is kept only if its mirror could be.
    """

    people: int
    predicates: int
    facts: int
    rules: int
    weights: Mapping[int, float]
    signs: Signs = "fair"
    reading: Choice["both", "signed"] = "signed"
    noise: tuple[int, ...] = ()
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class ChainPlan:
    """A chain before its literals are drawn.

    Attributes:
        links: class of each rule, and whether an equivalence is used from its conclusion to its premise.
        people: of whom the leaf and each conclusion speak.
    """

    links: list[tuple[Form, bool]]
    people: list[int]


_ATOM_TRIES = 12
_LINK_TRIES = 20
_NOISE_TRIES = 400


class Skeleton:
    """A skeleton under construction; literals and rules are numbered in order of their making, the core first.

    Attributes:
        facts: facts with all leaves and decoy leaves whole.
        closed: whether a rule speaks of everyone.
    """

    def __init__(self, draws: Draws, shape: QuartetShape, chooser: theories.Chooser) -> None:
        self.draws, self.shape, self.chooser = draws, shape, chooser
        self.span = 2 * shape.predicates
        self.size = self.span * shape.people
        self.facts: list[int] = []
        self.rules: list[SymbolicRule] = []
        self._marks: list[int] = []
        self.statement = draws.below(self.size)
        self.closed = False
        self._used = {self.statement >> 1}
        self._clauses: list[Clause] = []
        self._growing: GrowingRounds
        self._propagation: GrowingProgram | None = None

    def draw(self, depth: int) -> list[Noise] | None:
        """Draw chains of ``depth`` rules, decoys and noise; return the noise in the order of its addition.

        It is ``None`` if this draw does not give a quartet.
        """
        if not self._draw_core(depth):
            return None
        noise = self._draw_noise()
        return noise if noise is not None and self._classical() else None

    def flips(self, state: tuple[bool, bool]) -> list[int]:
        """Return the numbers of the facts with the other sign: leaves of broken chains, decoys of whole ones."""
        return [number + 2 if whole else number for number, whole in enumerate(state)]

    def facts_in(self, state: tuple[bool, bool]) -> list[int]:
        """Return the facts of a state."""
        flips = self.flips(state)
        return [fact ^ (number in flips) for number, fact in enumerate(self.facts)]

    def _draw_core(self, depth: int) -> bool:
        span = self.span
        chains = [self._plan(depth, self.statement // span) for _ in range(2)]
        goals = (self.statement, self.statement ^ 1)
        own = (self.statement >> 1) % self.shape.predicates
        for place, plan in enumerate([*chains, *chains]):
            atom = self._fresh(plan.people[0], (own,), ())
            if atom is None:
                return False
            self._used.add(atom)
            sign = self._leaf_sign(goals[place], depth) if place < 2 else self.facts[place - 2] & 1
            self.facts.append(2 * atom + sign)
        turned = [self._plan(1, leaf // span) for leaf in self.facts[2:4]]
        decoys = [ChainPlan(plan.links, plan.people[::-1]) for plan in turned]
        self._growing = GrowingRounds(
            self.size, [self.facts_in(state) for state in STATES], fixed=self.facts[:4], paradox=goals
        )
        self._growing.fixed.update(goals)
        if self.shape.reading == "both":
            self._propagation = GrowingProgram(self.size, self._consistent())
        return all(
            self._chain(plan, leaf, goal, [state[number] for state in STATES])
            for number, (plan, leaf, goal) in enumerate(zip(chains, self.facts[:2], goals, strict=True))
        ) and all(
            self._chain(plan, leaf, None, [not state[number] for state in STATES])
            for number, (plan, leaf) in enumerate(zip(decoys, self.facts[2:4], strict=True))
        )

    def _plan(self, depth: int, person: int) -> ChainPlan:
        """Draw a chain to a person: classes by weight; rules about all persons keep the person, others change it."""
        forms = [self._form() for _ in range(depth)]
        people = [person]
        for form in reversed(forms):
            people.append(people[-1] if form.scope == "all" else self.draws.below(self.shape.people))
        return ChainPlan(
            [(form, form.equivalence and self.draws.chance(0.5)) for form in forms], people[::-1]
        )

    def _form(self) -> Form:
        return FORMS[self.chooser.draw(self.draws)]

    def _leaf_sign(self, goal: int, depth: int) -> int:
        if self.shape.signs == "one_negative":
            return (goal + depth) & 1  # the sign changes in each rule
        return 0 if self.shape.signs == "positive" else self.draws.below(2)

    def _chain(self, plan: ChainPlan, leaf: int, goal: int | None, whole: list[bool]) -> bool:
        """Add the rules that lead from a leaf to the goal (a fresh literal if there is none)."""
        carrier = leaf
        for number, (form, backward) in enumerate(plan.links, start=1):
            person, last = plan.people[number], number == len(plan.links)
            expected = [number if state else UNREACHED for state in whole]
            ends = None
            if self.shape.mirrored and goal is not None:
                ends = [carrier] * (number == 1) + [goal] * last
            for trial in range(_LINK_TRIES):
                if trial % 2:
                    form, backward = self._redrawn(form, backward)
                if form.scope == "everyone" and (number == 1 or ends is not None):
                    continue  # facts about all others would tell the sign of a leaf, or of a step that is asked
                head = self._link(form, backward, carrier, person, goal if last else None, expected, ends)
                if head is not None:
                    break
            else:
                return False
            carrier = head
        return True

    def _mirror(self, rule: SymbolicRule, ends: Sequence[int], fresh: list[int]) -> SymbolicRule | None:
        """Return a rule with all signs changed and, instead of the ends of its chain, fresh atoms."""
        span, width = self.span, self.shape.predicates
        sides = [[literal ^ 1 for literal in side] for side in (rule.premise, rule.conclusion)]
        for end in ends:
            old = end % span >> 1
            held = {literal % span >> 1 for side in sides for literal in side}
            atom = self._fresh(end // span, held, fresh)
            if atom is None:
                return None
            fresh.append(atom)
            shift = 2 * (atom % width - old)
            sides = [[literal + shift * (literal % span >> 1 == old) for literal in side] for side in sides]
        return SymbolicRule(rule.form, tuple(sides[0]), tuple(sides[1]))

    def _redrawn(self, form: Form, backward: bool) -> tuple[Form, bool]:
        """Draw a class that keeps the person exactly if ``form`` does (the same class if no other comes up)."""
        for _ in range(_LINK_TRIES):
            other = self._form()
            if (other.scope == "all") == (form.scope == "all"):
                return other, other.equivalence and self.draws.chance(0.5)
        return form, backward

    def _link(
        self,
        form: Form,
        backward: bool,
        carrier: int,
        person: int,
        goal: int | None,
        expected: list[int],
        ends: Sequence[int] | None,
    ) -> int | None:
        """Add a rule from a literal to the goal, or to a fresh literal about a person; return that.

        A second literal of an `and` premise is made a fact, that of an `or` premise stays unknown, and what "everyone"
        needs of the other persons are facts too. Nothing is added if the four states would not be as expected. With
        ``ends``, the literals of the rule that are ends of its chain, the rule's mirror is added too.
        """
        draws, span, shape = self.draws, self.span, self.shape
        counts = form.sides[::-1] if backward else form.sides
        fresh: list[int] = []
        properties = {carrier % span >> 1}

        def atom(of: int | None) -> int | None:
            found = self._fresh(of, properties, fresh)
            if found is not None:
                fresh.append(found)
                properties.add(found % shape.predicates)
            return found

        if goal is None:
            head = atom(person)
            if head is None:
                return None
            goal = 2 * head + self._other_sign(carrier & 1)
        elif goal % span >> 1 in properties:
            return None
        else:
            properties.add(goal % span >> 1)
        conclusion, premise, facts = [goal], [carrier], []
        if counts[1] == 2:
            second = atom(person if form.scope == "all" else None)
            if second is None:
                return None
            conclusion.append(2 * second + self._other_sign(carrier & 1))
        if counts[0] == 2:
            second = atom(None if form.scope == "named" else carrier // span)
            if second is None:
                return None
            premise.append(2 * second + self._other_sign(carrier & 1))
            if form.premise != "or":
                facts.append(premise[1])
        if form.scope == "everyone":
            others = [one * span + carrier % span for one in range(shape.people) if one != carrier // span]
            if any(other >> 1 in self._used or other >> 1 in fresh for other in others):
                return None
            facts += others
            fresh += [other >> 1 for other in others]
        if not shape.noise and len(self.facts) + len(facts) > shape.facts:
            return None
        premise, conclusion = draws.shuffled(premise), draws.shuffled(conclusion)
        if form.scope != "named":
            premise = [literal % span for literal in premise]
        if form.scope == "all":
            conclusion = [literal % span for literal in conclusion]
        if backward:
            premise, conclusion = conclusion, premise
        rule = SymbolicRule(form.code, tuple(premise), tuple(conclusion))
        rules = [rule]
        if ends is not None:
            mirror = self._mirror(rule, ends, fresh)
            if mirror is None:
                return None
            rules.append(mirror)
        marks = [one.marks(shape.predicates) for one in rules]
        known = [*zip(self.rules, self._marks, strict=True), *zip(rules, marks, strict=True)]
        if any(_repeats(known[at], known[:at], shape) for at in range(len(self.rules), len(known))):
            return None
        clauses = theories.ground_rules(rules, shape.people, shape.predicates, len(self.rules))
        growing = self._growing
        growing.fixed.discard(goal)
        added = self._add(clauses, facts, (goal, expected))
        if added or goal >> 1 == self.statement >> 1:
            growing.fixed.add(goal)
        if not added:
            return None
        self._used.update(fresh)
        self.facts += facts
        self.rules += rules
        self._marks += marks
        self._clauses += clauses
        self.closed |= form.scope == "everyone"
        return goal

    def _add(self, clauses: Sequence[Clause], facts: Sequence[int], expected: Promise | None = None) -> bool:
        """Add clauses and facts if the four states allow it and no contrapositive refutes E, C or N."""
        if not self._growing.add(clauses, facts, expected):
            return False
        if self._propagation is None or self._propagation.add([*clauses, *contrapositives(clauses)], facts):
            return True
        self._growing.undo()
        return False

    def _add_noise(self, clauses: Sequence[Clause], facts: Sequence[int]) -> bool:
        """Add noise if the four states allow it, and, where chains are mirrored, if they allow its mirror as well."""
        if self.shape.mirrored:
            mirror = [
                (tuple([part ^ 1 for part in body]), tuple([part ^ 1 for part in heads]), rule)
                for body, heads, rule in clauses
            ]
            if not self._add(mirror, [fact ^ 1 for fact in facts]):
                return False
            self._growing.undo()
            if self._propagation is not None:
                self._propagation.undo()
        return self._add(clauses, facts)

    def _fresh(self, person: int | None, properties: Container[int], further: Container[int]) -> int | None:
        """Draw an atom neither used yet nor a further one, of a person if one is given, with none of the properties."""
        width, below = self.shape.predicates, self.draws.below
        for _ in range(_ATOM_TRIES):
            atom = (below(self.shape.people) if person is None else person) * width + below(width)
            if atom not in self._used and atom % width not in properties and atom not in further:
                return atom
        return None

    def _other_sign(self, sign: int) -> int:
        """Draw the sign of a literal in a rule that has one of the given sign."""
        if self.shape.signs == "positive":
            return 0
        return 1 - sign if self.shape.signs == "one_negative" else self.draws.below(2)

    def _classical(self) -> bool:
        """Return whether E, C and N also hold in classical logic, if that is asked for.

        Clauses are then material implications over unsigned atoms; in this logic a reader who contraposes reasons. The
        rules are universal sentences without functions, so that a theory has a model over an open domain exactly if its
        instances for the named persons have one. The ``everyone`` classes are read over the named persons; the text of
        such a theory says that there is nobody else. Forward chaining is sound in classical logic, so that E and C hold
        there if the premises are consistent. Unit propagation has found no contradiction so far; a model makes
        that sure, or Z3 where none is found at once.
        """
        if self._propagation is None or self._propagation.completed():
            return True
        clauses = [tuple(map(_numbered, one)) for one in disjunctions(self._clauses)]
        with _SOLVER.held(clauses, self.size // 2):
            return all(_SOLVER.satisfiable(map(_numbered, literals)) for literals in self._consistent())

    def _consistent(self) -> list[list[int]]:
        """Return what has a model in classical logic: E, C, and N with the statement and with its opposite."""
        entailed, contradicted, neutral, _ = map(self.facts_in, STATES)
        return [entailed, contradicted, [*neutral, self.statement], [*neutral, self.statement ^ 1]]

    def _draw_noise(self) -> list[Noise] | None:
        """Add noise that keeps the four states; return it in the order of its addition."""
        shape = self.shape
        taken = {fact >> 1 for fact in self.facts}
        # Without everyone named in the core, a cut-down variant could make "everyone" true.
        everyone = len(theories.named_people(self.facts, self.rules, shape.predicates)) == shape.people
        noise: list[Noise] = []
        for kind in self._kinds():
            for _ in range(_NOISE_TRIES):
                if kind == "fact":
                    literal = self._noise_fact()
                    if literal >> 1 not in taken and self._add_noise([], [literal]):
                        taken.add(literal >> 1)
                        noise.append((kind, len(self.facts)))
                        self.facts.append(literal)
                        break
                else:
                    rule = self._noise_rule()
                    speaks_of_everyone = FORMS[rule.form].scope == "everyone"
                    marked = (rule, rule.marks(shape.predicates))
                    known = zip(self.rules, self._marks, strict=True)
                    if (speaks_of_everyone and not everyone) or _repeats(marked, known, shape):
                        continue
                    clauses = theories.ground_rule(rule, shape.people, shape.predicates, len(self.rules))
                    if self._add_noise(clauses, []):
                        self.closed |= speaks_of_everyone
                        noise.append((kind, len(self.rules)))
                        self.rules.append(rule)
                        self._marks.append(marked[1])
                        self._clauses += clauses
                        break
            else:
                return None
        return noise

    def _kinds(self) -> list[Kind]:
        """Return the kinds of the noise sentences in the order of their addition."""
        shape = self.shape
        if shape.noise:
            most = shape.noise[-1]
            pair: tuple[Kind, Kind] = ("fact", "rule")
            return [kind for _ in range((most + 1) // 2) for kind in self.draws.shuffled(pair)][:most]
        facts: list[Kind] = ["fact"] * (shape.facts - len(self.facts))
        rules: list[Kind] = ["rule"] * (shape.rules - len(self.rules))
        return facts + rules

    def _noise_fact(self) -> int:
        literal = self.draws.below(self.size)
        return literal & ~1 if self.shape.signs == "positive" else literal

    def _noise_rule(self) -> SymbolicRule:
        shape, signs = self.shape, self.shape.signs != "positive"
        rule = theories.random_rule(self.draws, self._form(), shape.people, shape.predicates, signs=signs)
        if shape.signs != "one_negative":
            return rule
        (premise,), (conclusion,) = rule.premise, rule.conclusion
        return rule._replace(conclusion=((conclusion & ~1) | (1 - premise & 1),))


_Marked: TypeAlias = tuple[SymbolicRule, int]
"""A rule and its marks."""


def _repeats(marked: _Marked, others: Iterable[_Marked], shape: QuartetShape) -> bool:
    """Return whether a rule says nothing but what another one says, or all that another one says.

    Such are a contrapositive, an equivalence and one of its implications, a rule of one person and the same of all.
    Few pairs have marks that allow it; only these are spelled out.
    """
    rule, own = marked
    near = [one for one, marks in others if marks & own in (marks, own)]
    if not near:
        return False
    said, *known = [_said(one, shape.people, shape.predicates) for one in (rule, *near)]
    return any(said <= other or other <= said for other in known)


@lru_cache(maxsize=1_000)
def _said(rule: SymbolicRule, people: int, width: int) -> frozenset[tuple[int, ...]]:
    """Return what a rule says; remembered, as the rules of a skeleton are compared with each rule that is drawn."""
    return disjunctions(theories.ground_rule(rule, people, width, 0))


def _numbered(literal: int) -> int:
    """Return a literal as solvers number it: its atom from 1, negative if it is denied."""
    return (literal // 2 + 1) * (-1 if literal & 1 else 1)


_TRIES = 20_000


@dataclass(frozen=True, slots=True)
class QuartetSet:
    """A set of quartets of given depths.

    Each of the four states of a skeleton has two whole and two broken leaves, so that a reader of words only is right
    once in four; and a reader who chains fewer rounds than the depth reaches neither the statement nor its opposite.

    Attributes:
        stream: number that sets its draws apart from those of other sets.
        depths: rules per chain, in turn.
    """

    name: str
    stream: int
    shape: QuartetShape
    depths: tuple[int, ...]
    labels: tuple[int, ...] = (0, 1, 2, 3)

    per_block = 1

    def block(self, index: int, seed: int) -> list[theories.Group]:
        """Draw one quartet."""
        draws = Draws(seed, self.stream, index)
        depth = self.depths[index % len(self.depths)]
        chooser = theories.Chooser(self.shape.weights)
        for _ in range(_TRIES):
            skeleton = Skeleton(draws, self.shape, chooser)
            noise = skeleton.draw(depth)
            if noise is not None:
                return [self._group(index, depth, skeleton, noise)]
        shape = self.shape
        raise DivLogicError(
            f"benchmarks.logicnli, set {self.name}: in {_TRIES:,} tries no quartet of depth {depth} fits into"
            f" {shape.people} people, {shape.predicates} predicates, {shape.facts} facts and {shape.rules} rules;"
            " allow more of them, or smaller depths."
        )

    def _group(self, index: int, depth: int, skeleton: Skeleton, noise: list[Noise]) -> theories.Group:
        draws, shape = skeleton.draws, self.shape
        facts = draws.shuffled(range(len(skeleton.facts)))
        rules = draws.shuffled(range(len(skeleton.rules)))
        items: list[theories.JudgedStatement] = []
        for place, label in enumerate(draws.shuffled(self.labels)):
            flips = skeleton.flips(STATES[label])
            flipped = tuple([at for at, number in enumerate(facts) if number in flips])
            item = theories.JudgedStatement(skeleton.statement, label, depth, flipped, noise=len(noise))
            if not shape.noise:
                items.append(item)
            for count in shape.noise:
                dropped = set(noise[count:])
                items.append(
                    item._replace(
                        facts=_kept("fact", facts, dropped),
                        rules=_kept("rule", rules, dropped),
                        base=place,
                        noise=count,
                    )
                )
        return theories.Group(
            self.name,
            index,
            shape.people,
            shape.predicates,
            tuple([skeleton.facts[number] for number in facts]),
            tuple([skeleton.rules[number] for number in rules]),
            tuple(items),
            quartet=True,
            closed=skeleton.closed,
            reading=shape.reading,
        )


def _kept(kind: str, numbers: list[int], dropped: set[Noise]) -> tuple[int, ...]:
    """Return the places of the sentences of a kind that are not dropped."""
    return tuple([place for place, number in enumerate(numbers) if (kind, number) not in dropped])

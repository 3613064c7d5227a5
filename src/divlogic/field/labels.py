"""Labels that can be decided from an item's own text: each form is read into a model check, and the check is asked.

A form is recognised by its text, whatever package it comes from. What no form fits is not checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeVar

from divlogic.field.drawing import Item, Job

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check says of an item.

    Attributes:
        form: which form the text has.
        answers: how the text is read -> the right answer; several where the text leaves it open.
        why: a model that shows it, in words.
    """

    form: str
    answers: dict[str, str]
    why: str

    def wrong(self, label: str | None) -> bool:
        """Return whether a label is right in no reading."""
        return canonical(label) not in self.answers.values()


def decide(item: Item, job: Job | None = None) -> Verdict | None:
    """Return what is right, or ``None`` where no check reads the item; ``job`` is what it was drawn by, if it was."""
    if job is not None and job.package == "divlogic":
        return _of_ours(item, job)
    for form in (_syllogism, _knights, _self_reference):
        found = form(item.text)
        if found is not None:
            return found
    return None


WRONG = ("index", "label", "right", "why", "text")
"""Columns of the list of wrong labels."""


def wrong_rows(
    items: Sequence[Item], job: Job | None = None
) -> list[tuple[int, str, str, str, str]]:
    """Return the items whose labels are right in no reading, as :data:`WRONG` says."""
    rows = []
    for item in items:
        verdict = decide(item, job) if item.answer is not None else None
        if verdict is not None and verdict.wrong(item.answer):
            right = "; ".join(f"{reading}: {answer}" for reading, answer in verdict.answers.items())
            rows.append((item.index, item.answer or "", right, verdict.why, item.text))
    return rows


_ROLE = re.compile(r"(\w+) is an? (\w+)")


def canonical(label: str | None) -> str:
    """Return a label as it is compared and counted.

    Who says the truth on an island is told by place, so that answers with other names can be the same.

    >>> canonical("Ann is a sage, and Bo is a fool."), canonical(" Yes ")
    ('Ann is a sage, Bo is a fool', 'yes')
    """
    text = " ".join(str(label or "").split())
    told = _ROLE.findall(text)
    if told and len(told) > text.count(","):
        return ", ".join(f"{name} is {_article(role)}" for name, role in told)
    return text.rstrip(".").lower()


def _article(role: str) -> str:
    return f"{'an' if role[0] in 'aeiou' else 'a'} {role}"


def by_place(item: Item) -> str:
    """Return an item's label with nothing of its own: of an island which of its people say the truth, by place."""
    island = _ISLAND.search(item.text)
    told = _ROLE.findall(item.answer or "")
    if island is None or not told:
        return canonical(item.answer)
    truthful = island["truthful"].lower()
    return ", ".join("true" if role.lower() == truthful else "false" for _, role in told)


def _of_ours(item: Item, job: Job) -> Verdict | None:
    """Ask Z3 for the label of an item of our own, from its formulas."""
    from divlogic.library.dataset import create

    data = create(job.name, size=item.index + 1, seed=job.seed, level=job.level or None)
    record = data.record(item.index)
    problems = data.problems(record)
    right = canonical(item.answer) if not problems else "another"
    return Verdict("formulas", {"Z3": right}, "; ".join(problems) or "Z3 confirms the label")


# --- syllogisms -------------------------------------------------------------------------------------------------------

_SENTENCE = re.compile(
    r"^(?P<quantifier>All|No|Some) (?P<subject>[\w-]+) are (?P<negated>not )?(?P<predicate>[\w-]+)[?.]?$"
)
_PREMISE = re.compile(r"^\d+\. (.+)$", re.MULTILINE)
_ASKED = re.compile(r"logically follow that:\s*(?P<conclusion>[^\n?]+)\?")

MAY_BE_EMPTY, NON_EMPTY = "terms may be empty", "each term has members"


def _syllogism(text: str) -> Verdict | None:
    """Decide by all models of three terms: which of the eight kinds of things there are."""
    asked = _ASKED.search(text)
    if asked is None:
        return None
    lines = [*_PREMISE.findall(text), asked["conclusion"]]
    parsed = [_SENTENCE.match(line.strip()) for line in lines]
    if len(parsed) < 2 or not all(parsed):
        return None
    sentences = [one.groupdict() for one in parsed if one]
    terms = sorted({one[part] for one in sentences for part in ("subject", "predicate")})
    if len(terms) > _MOST_TERMS:
        return None
    answers, why = {}, ""
    for reading, members in ((MAY_BE_EMPTY, False), (NON_EMPTY, True)):
        against = _countermodel(sentences, terms, members)
        answers[reading] = "yes" if against is None else "no"
        if against is not None:
            why = f"{reading}: {_told(against, terms)}"
    return Verdict("syllogism", answers, why or "no model of the premises denies the conclusion")


_MOST_TERMS = 4
"""Terms of which all models are gone through: 65,536 sets of kinds of things; of three terms 256."""


def _countermodel(
    sentences: Sequence[dict[str, str]], terms: Sequence[str], members: bool
) -> tuple[frozenset[str], ...] | None:
    """Return the smallest model in which all sentences but the last hold, and that one does not."""
    kinds = [frozenset(chosen) for chosen in _subsets(terms)]
    for model in _subsets(kinds):
        if members and not all(any(term in kind for kind in model) for term in terms):
            continue
        if all(_holds(one, model) for one in sentences[:-1]) and not _holds(sentences[-1], model):
            return model
    return None


def _holds(sentence: dict[str, str], model: Sequence[frozenset[str]]) -> bool:
    subject, predicate = sentence["subject"], sentence["predicate"]
    among = [predicate in kind for kind in model if subject in kind]
    if sentence["quantifier"] == "Some":
        return any(one != bool(sentence["negated"]) for one in among)
    denies = (sentence["quantifier"] == "No") != bool(sentence["negated"])
    return all(one != denies for one in among)


def _told(model: Sequence[frozenset[str]], terms: Sequence[str]) -> str:
    things = [
        " and ".join(term if term in kind else f"not {term}" for term in terms) for kind in model
    ]
    return "there are only things that are " + "; ".join(things) if things else "there is nothing"


def _subsets(values: Sequence[T]) -> Iterator[tuple[T, ...]]:
    for size in range(len(values) + 1):
        yield from combinations(values, size)


# --- knights and knaves -----------------------------------------------------------------------------------------------

_ISLAND = re.compile(
    r"inhabited only by (?P<truthful>\w+)s and (?P<lying>\w+)s\..*?You meet \d+ inhabitants?: (?P<names>[^.]+)\."
    r"(?P<rest>.*?) So who is ",
    re.DOTALL,
)
_WORDS = r'(?P<content>[^".,:]+)'
_SAID = tuple(
    re.compile(pattern.format(name=r"(?P<name>\w+)", content=_WORDS))
    for pattern in (
        "{name} (?:said|told you|expressed) that {content}\\.",
        '{name} (?:said|stated|remarked|commented|noted|was heard saying), "{content}\\.?"\\.?',
        '{name} asserted: "{content}"\\.?',
        'As {name} put it, "{content}"\\.?',
        'According to {name}, "{content}"\\.?',
        'In {name}\'s words: "{content}"\\.?',
        'In a statement by {name}: "{content}"\\.?',
        '"{content}," {name} (?:declared|mentioned|claimed)\\.',
        '"{content}" - {name}\\.',
    )
)

Says = Callable[[dict[str, bool]], bool]


def _knights(text: str) -> Verdict | None:
    """Decide by all ways to be truthful or not: each says what holds exactly if he is truthful."""
    island = _ISLAND.search(text)
    if island is None:
        return None
    names = re.findall(r"\w+", island["names"].replace(" and ", " "))
    said = _statements(island["rest"])
    if len(names) > _MOST_PEOPLE or said is None or {name for name, _ in said} != {*names}:
        return None
    roles = {island["truthful"]: True, island["lying"]: False}
    claims = []
    for name, content in said:
        try:
            claims.append((name, _Claim(content, names, roles).read()))
        except ValueError:
            return None
    fitting = []
    for values in product((True, False), repeat=len(names)):
        world = dict(zip(names, values, strict=True))
        if all(world[name] == says(world) for name, says in claims):
            fitting.append(world)
    told = [_roles(world, island["truthful"], island["lying"]) for world in fitting]
    answer = told[0] if len(told) == 1 else f"{len(told)} solutions"
    why = "only " + told[0] if len(told) == 1 else f"{len(told)} solutions: {'; '.join(told)}"
    return Verdict("knights and knaves", {"one reading": answer}, why)


_MOST_PEOPLE = 12
"""People of whom all 4,096 ways to be truthful are gone through."""


def _roles(world: dict[str, bool], truthful: str, lying: str) -> str:
    return ", ".join(
        f"{name} is {_article(truthful if holds else lying)}" for name, holds in world.items()
    )


def _statements(rest: str) -> list[tuple[str, str]] | None:
    """Return who says what, or ``None`` where a part is not read."""
    found, at = [], 0
    while rest[at:].strip():
        at += len(rest[at:]) - len(rest[at:].lstrip())
        said = next((one for pattern in _SAID if (one := pattern.match(rest, at))), None)
        if said is None:
            return None
        found.append((said["name"], said["content"]))
        at = said.end()
    return found


class _Claim:
    """A claim about who is truthful: parentheses around every part that is no plain one, so that it has one reading."""

    def __init__(self, text: str, names: Sequence[str], roles: dict[str, bool]) -> None:
        self._tokens = re.findall(r"[()]|[\w-]+", text)
        self._names, self._roles, self._at = {*names}, roles, 0

    def read(self) -> Says:
        """Return the whole claim as a function of a world; raises ``ValueError`` where it has another form."""
        says = self._whole()
        if self._at != len(self._tokens):
            raise ValueError(f"'{' '.join(self._tokens[self._at :])}' is left over")
        return says

    def _whole(self) -> Says:
        if self._take("if"):
            one = self._part()
            self._need("then")
            two = self._part()
            return lambda world: not one(world) or two(world)
        parts = [self._part()]
        if self._take("if", "and", "only", "if"):
            one, two = parts[0], self._part()
            return lambda world: one(world) == two(world)
        for word, join in (("and", all), ("or", any)):
            while self._take(word):
                parts.append(self._part())
            if len(parts) > 1:
                return lambda world, join=join: join(  # type: ignore[misc]
                    part(world) for part in parts
                )
        return parts[0]

    def _part(self) -> Says:
        if self._take("("):
            says = self._whole()
            self._need(")")
            return says
        if self._take("it", "is", "not", "the", "case", "that"):
            inner = self._part()
            return lambda world: not inner(world)
        name, is_, article, role = (*self._tokens[self._at : self._at + 4], *[""] * 4)[:4]
        if name not in self._names or is_ != "is" or article not in ("a", "an"):
            raise ValueError(f"'{name} {is_} {article}' is no claim about a person")
        if role not in self._roles:
            raise ValueError(f"'{role}' is none of the roles")
        self._at += 4
        return lambda world: world[name] == self._roles[role]

    def _take(self, *words: str) -> bool:
        if tuple(self._tokens[self._at : self._at + len(words)]) != words:
            return False
        self._at += len(words)
        return True

    def _need(self, word: str) -> None:
        if not self._take(word):
            raise ValueError(f"'{word}' is missing")


# --- statements about their own truth ---------------------------------------------------------------------------------

_OWN = re.compile(r"Statement (\d+): '([^']+)'")
_COUNTED = re.compile(
    r"(?P<how>At least|At most|Exactly) (?P<count>\d+) of these \d+ statements are (?P<which>true|false)\."
)
_EITHER = re.compile(r"Either Statement (\d+) or Statement (\d+) is true, but not both\.")
_NUMBER = re.compile(
    r"The number of (?P<which>true|false) statements is a (?P<kind>prime|composite) number\."
)
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "At least": lambda held, count: held >= count,
    "At most": lambda held, count: held <= count,
    "Exactly": lambda held, count: held == count,
}


def _self_reference(text: str) -> Verdict | None:
    """Count the ways to be true or false in which each statement is true exactly if what it says holds."""
    if "number of possible solutions" not in text:
        return None
    stated = _OWN.findall(text)
    said = [_about_itself(sentence) for _, sentence in stated]
    numbered = [int(number) for number, _ in stated] == list(range(1, len(stated) + 1))
    if not stated or len(stated) > _MOST_PEOPLE or not numbered or not all(said):
        return None
    claims = [one for one in said if one]
    fitting = [
        values
        for values in product((True, False), repeat=len(claims))
        if all(value == claim(values) for value, claim in zip(values, claims, strict=True))
    ]
    told = [
        "true: " + (", ".join(str(at + 1) for at, one in enumerate(values) if one) or "none")
        for values in fitting
    ]
    return Verdict("self-reference", {"one reading": str(len(fitting))}, "; ".join(told) or "none")


def _about_itself(sentence: str) -> Callable[[Sequence[bool]], bool] | None:
    counted = _COUNTED.fullmatch(sentence)
    if counted:
        compare, count = _COMPARED[counted["how"]], int(counted["count"])
        wanted = counted["which"] == "true"
        return lambda values: compare(sum(one == wanted for one in values), count)
    either = _EITHER.fullmatch(sentence)
    if either:
        one, two = int(either[1]) - 1, int(either[2]) - 1
        return lambda values: values[one] != values[two]
    number = _NUMBER.fullmatch(sentence)
    if number:
        wanted, prime = number["which"] == "true", number["kind"] == "prime"
        return lambda values: _of_kind(sum(one == wanted for one in values), prime)
    return None


def _of_kind(count: int, prime: bool) -> bool:
    """Return whether a number is prime, or composite; 0 and 1 are neither."""
    has_divisor = any(count % divisor == 0 for divisor in range(2, count))
    return count > 1 and has_divisor != prime

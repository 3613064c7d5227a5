"""How a column of answers names the right options: what all its rows agree with, or a question to the user.

A key is a text, a letter or a number, and a number counts from 0 or from 1. Each key is read in every way. A way of
reading is taken only if every row agrees with it, and if no other does that names other options.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from divlogic.benchmarks.columns import WORDS
from divlogic.benchmarks.readers.options import Options, is_one_hot, is_there, marks_of

WAYS = ("label", "text", "letter", "from 0", "from 1", "as Latin", "as Cyrillic")
"""Ways to read a key: the option's own label, its text, its letter, or its number.

A letter is read in its own script, or as the Latin or Cyrillic letter that it looks like (В and B).
"""

CHOICES = {
    "texts": ("text", "label", "letter"),
    "letters": ("label", "letter", "text"),
    "latin-letters": ("as Latin", "label", "text"),
    "cyrillic-letters": ("as Cyrillic", "label", "text"),
    "from-0": ("from 0", "label", "text", "letter"),
    "from-1": ("from 1", "label", "text", "letter"),
}
"""What ``--keys`` may say: the ways in the order in which a key is read."""

_LETTER_WAYS = ("letter", "as Latin", "as Cyrillic")
_SAID = {
    "label": "the options' labels",
    "text": "the options' texts",
    "letter": "letters",
    "from 0": "numbers counted from 0",
    "from 1": "numbers counted from 1",
    "as Latin": "Latin letters or such as look like them",
    "as Cyrillic": "Cyrillic letters or such as look like them",
}
_OPTION_OF = {
    "text": "texts",
    "label": "letters",
    "letter": "letters",
    "from 0": "from-0",
    "from 1": "from-1",
    "as Latin": "latin-letters",
    "as Cyrillic": "cyrillic-letters",
}

_NUMBER = re.compile(r"\(?(\d{1,18})(?:\.0*)?[).:]?")
_LETTER = re.compile(
    r"(?:option|choice|answer|选项|選項)?\s*[(\[]?(\w)[)\].:、]?(?:\s+(.*))?", re.I | re.S
)
_LATIN_LOOKS, _CYRILLIC_LOOKS = WORDS["look_alikes"]
_LOOKS = {
    "as Latin": str.maketrans(_CYRILLIC_LOOKS, _LATIN_LOOKS),
    "as Cyrillic": str.maketrans(_LATIN_LOOKS, _CYRILLIC_LOOKS),
}
_ALPHABETS = {"as Latin": WORDS["signs"][0], "as Cyrillic": WORDS["signs"][3]}
_NO_KEY = frozenset(("-1", "-1.0", "-"))
"""What published sets write where the right option is not public."""

Places = tuple[int | None, ...]
"""Index of the option that a key names in each of :data:`WAYS`; ``None`` where it names none."""


@dataclass
class Tally:
    """The keys of a column, read in all ways.

    Attributes:
        places: what the keys of the rows name -> number of such rows.
        first: what a key names -> the first row with it: its name, the key and the options.
        filled: rows that have a key.
        cyrillic_labels: whether a label of an option is a Cyrillic letter.
    """

    places: dict[Places, int] = field(default_factory=dict)
    first: dict[Places, tuple[str, str, Options]] = field(default_factory=dict)
    filled: int = 0
    cyrillic_labels: bool = False

    def add(self, row: str, value: Any, options: Options) -> None:
        """Count the key of a row."""
        if is_missing(value, options):
            return
        self.filled += 1
        try:
            found = places_of(value, options)
        except ValueError:
            return
        self.places[found] = self.places.get(found, 0) + 1
        if set(options.labels) & set(_ALPHABETS["as Cyrillic"]):
            self.cyrillic_labels = True
        if found not in self.first:
            shown = str(value) if isinstance(value, list) else key_text(value)
            self.first[found] = (row, shown, options)

    def mixes_scripts(self) -> bool:
        """Return whether a letter may be one of the other script, which looks like it and names another option."""
        cyrillic_only = self.cyrillic_labels
        is_cyrillic = False
        is_latin = False
        for places in self.places:
            letter, latin, cyrillic = (places[WAYS.index(way)] for way in _LETTER_WAYS)
            if letter is None or cyrillic is None:
                continue
            cyrillic_only = cyrillic_only or latin is None
            if latin is not None and latin != cyrillic:
                is_cyrillic = is_cyrillic or letter == cyrillic
                is_latin = is_latin or letter == latin
        return is_cyrillic or (is_latin and cyrillic_only)

    def ways(self) -> tuple[str, ...]:
        """Return the ways to read these keys; letters are taken for look-alikes only where one may be meant so."""
        if not self.mixes_scripts():
            return tuple(way for way in WAYS if way not in ("as Latin", "as Cyrillic"))
        # All letters are of one script; those that are not are slips of the keyboard.
        return tuple(way for way in WAYS if way != "letter")

    def fits(self, ways: Sequence[str]) -> int:
        """Return the number of rows whose key names an option in one of the ways."""
        return sum(
            count for places, count in self.places.items() if place_in(places, ways) is not None
        )

    def readable(self) -> list[Places]:
        """Return what the keys name, of those that name an option in any way."""
        ways = self.ways()
        return [places for places in self.places if place_in(places, ways) is not None]


class UndecidedError(ValueError):
    """The keys do not decide how they are read; the message shows the readings and names the option that chooses."""


def is_missing(value: Any, options: Options) -> bool:
    """Return whether a row has no key."""
    if isinstance(value, list):
        return not value
    if not is_there(value) or not str(value).strip():
        return True
    return str(value).strip() in _NO_KEY and str(value).strip() not in options.texts


def key_text(value: Any) -> str:
    """Return a key as a text: whole numbers without a fraction, truth values as ``true`` and ``false``.

    Raises:
        ValueError: it is an object, or a list of several keys.
    """
    if isinstance(value, list):
        if len(value) != 1:
            raise ValueError(f"the answer is a list of {len(value)}, not one option")
        value = value[0]
    if isinstance(value, dict):
        raise ValueError("the answer is an object, not an option")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def places_of(value: Any, options: Options) -> Places:
    """Return which option a key names in each of :data:`WAYS`.

    Raises:
        ValueError: it is an object, or names several options.
    """
    count = len(options.texts)
    marks = marks_of(value)
    if len(marks) == count and is_one_hot(marks):
        place = marks.index(1)
        return (place,) * len(WAYS)
    text = key_text(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    number = _NUMBER.fullmatch(text)
    # A number beside options that are strings is no text in a file that tells the two apart.
    as_text = None
    if not (is_number and options.strings):
        as_text = _index_of(text, options.texts)
        if as_text is None:
            as_text = _index_of(text, options.written)
    first = int(number[1]) if number else -1
    return (
        _index_of(text, options.labels),
        as_text,
        None if number else _letter_place(text, options),
        first if number and first < count else None,
        first - 1 if number and 1 <= first <= count else None,
        None if number else _letter_place(text, options, "as Latin"),
        None if number else _letter_place(text, options, "as Cyrillic"),
    )


def place_in(places: Places, ways: Sequence[str]) -> int | None:
    """Return the option that a key names in the first of the ways in which it names one."""
    for way in ways:
        place = places[WAYS.index(way)]
        if place is not None:
            return place
    return None


def ways_of(tally: Tally, column: str, *, from_zero: bool = False) -> tuple[str, ...]:
    """Return the ways in which the keys of a column are read, by what all its rows agree with.

    Args:
        column: its name, for the message.
        from_zero: whether the options themselves are numbered from 0.

    Raises:
        UndecidedError: two ways agree with all rows and name different options, or none agrees with all rows.
    """
    readable = tally.readable()
    ways = tally.ways()
    whole = [way for way in ways if readable and _fits_all(readable, (way,))]
    if whole and whole[0] == "label":
        # Labels such as 1, 2, 3 are read as labels, not counted; but the texts may be one another's labels.
        return _agreed(tally, [(way,) for way in whole if way in ("label", "text")], column)
    if from_zero and {"from 0", "from 1"} <= set(whole):
        whole.remove("from 1")
    if whole:
        return _agreed(tally, [(way,) for way in whole], column)
    scripts: list[tuple[str, ...]] = [("label", "text", way) for way in _LETTER_WAYS if way in ways]
    mixed: list[tuple[str, ...]] = [
        (*named, *more) for more in ((), ("from 0",), ("from 1",)) for named in scripts
    ]
    fitting = [ways for ways in mixed if readable and _fits_all(readable, ways)]
    fitting = [ways for ways in fitting if _is_consistent(readable, ways)]
    without_numbers = [ways for ways in fitting if ways in scripts]
    if fitting:
        return _agreed(tally, without_numbers or fitting, column)
    if not readable:
        return scripts[0]
    raise UndecidedError(_contradiction(tally, column))


def said_ways(tally: Tally, said: str, column: str) -> tuple[str, ...]:
    """Return the ways to read keys that are of the kind that the user says.

    Raises:
        UndecidedError: they are letters, and some would name another option as the letter that they look like.
    """
    if said != "letters" or not tally.mixes_scripts():
        return CHOICES[said]
    letters = [CHOICES["latin-letters"], CHOICES["cyrillic-letters"]]
    most = max(map(tally.fits, letters))
    return _agreed(tally, [ways for ways in letters if tally.fits(ways) == most], column)


def said_of(ways: Sequence[str]) -> str:
    """Return in words how keys are read."""
    return ", ".join(_SAID[way] for way in ways)


def _agreed(tally: Tally, fitting: list[tuple[str, ...]], column: str) -> tuple[str, ...]:
    """Return the first of the readings if the others name the same options."""
    best = fitting[0]
    for other in fitting[1:]:
        for places in tally.readable():
            if place_in(places, best) != place_in(places, other):
                one, another = _first_that_differ(places, best, other)
                raise UndecidedError(_two_readings(tally, places, column, one, another))
    return best


def _first_that_differ(
    places: Places, best: Sequence[str], other: Sequence[str]
) -> tuple[str, str]:
    """Return the way of each reading by which a key names its option."""
    names = []
    for ways in (best, other):
        names.append(next((way for way in ways if place_in(places, (way,)) is not None), ways[-1]))
    return names[0], names[1]


def _two_readings(tally: Tally, places: Places, column: str, one: str, other: str) -> str:
    row, key, options = tally.first[places]
    readings = [_reading(options, places, way) for way in (one, other)]
    return (
        f"the answers in '{column}' can be read in two ways: the {key!r} of row {row} names {readings[0]}, or"
        f" {readings[1]}, and no row decides. Say which with --keys {_OPTION_OF[one]} or --keys {_OPTION_OF[other]}."
    )


def _reading(options: Options, places: Places, way: str) -> str:
    place = places[WAYS.index(way)]
    text = options.texts[place] if place is not None else ""
    return f"‘{_short(text)}’ if answers are {_SAID[way]}"


def _contradiction(tally: Tally, column: str) -> str:
    """Say which two rows contradict each other about the way in which keys are read."""
    ranked = sorted(tally.ways(), key=lambda way: -tally.fits((way,)))
    one = ranked[0]
    against = [places for places in tally.readable() if places[WAYS.index(one)] is None]
    other = next(
        way for way in ranked[1:] if any(places[WAYS.index(way)] is not None for places in against)
    )
    there = next(places for places in tally.readable() if places[WAYS.index(one)] is not None)
    telling = [places for places in tally.readable() if places[WAYS.index(other)] is None]
    row, key, _ = tally.first[(telling or [there])[0]]
    other_row, other_key, _ = tally.first[against[0]]
    ways_out = dict.fromkeys(f"--keys {_OPTION_OF[way]}" for way in (one, other))
    return (
        f"the answers in '{column}' contradict each other: the {key!r} of row {row} fits {_SAID[one]}, the"
        f" {other_key!r} of row {other_row} {_SAID[other]} only. Correct the file, or say how they are read with"
        f" {' or '.join(ways_out)}; rows that do not fit are then left out."
    )


def _fits_all(readable: Iterable[Places], ways: Sequence[str]) -> bool:
    return all(place_in(places, ways) is not None for places in readable)


def _is_consistent(readable: Iterable[Places], ways: Sequence[str]) -> bool:
    """Return whether no key names different options in two of the ways."""
    for places in readable:
        named = {places[WAYS.index(way)] for way in ways} - {None}
        if len(named) > 1:
            return False
    return True


def _index_of(text: str, texts: Sequence[str]) -> int | None:
    stripped = [one.strip() for one in texts]
    if text in stripped:
        return stripped.index(text)
    folded = [one.casefold() for one in stripped]
    return folded.index(text.casefold()) if text.casefold() in folded else None


def _letter_place(text: str, options: Options, script: str = "") -> int | None:
    """Return the place of a letter: alone, in brackets, after *option*, or before the text of the option it names.

    Args:
        script: the way that takes it for the letter of one script that it looks like, if it is of the other.
    """
    match = _LETTER.fullmatch(text)
    if match is None:
        return None
    letter = match[1].upper()
    # Full-width letters and digits are the plain ones; signs such as ① would become digits.
    folded = unicodedata.normalize("NFKC", letter)
    if script:
        letter = folded = folded.translate(_LOOKS[script])
    for signs in [_ALPHABETS[script]] if script else WORDS["signs"]:
        place = signs.find(letter) if letter in signs else signs.find(folded)
        if 0 <= place < len(options.texts):
            said = (match[2] or "").strip()
            return place if not said or said == options.texts[place] else None
    return None


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= 40 else f"{folded[:39]}…"

"""The part-of-speech tagger (NLTK's averaged perceptron): its files, and data/interim/tagger, where a run has it."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from sys import intern
from typing import Annotated, Any

from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer, open_bytes, read_json, write_json
from divlogic.io.log import say

PARTS = ("weights", "tagdict", "classes")
FILE_NAME = "averaged_perceptron_tagger_eng.{part}.json"
"""As NLTK names them; ``.gz`` where they are compressed."""
REPORT = "report.json"

# The features of nltk.tag.perceptron.PerceptronTagger, in its order: sums of floats depend on the order.
_FEATURES = (
    "bias", "i suffix", "i pref1", "i-1 tag", "i-2 tag", "i tag+i-2 tag", "i word", "i-1 tag+i word", "i-1 word",
    "i-1 suffix", "i-2 word", "i+1 word", "i+1 suffix", "i+2 word",
)  # fmt: skip
_START = ("-START-", "-START2-")
_END = ("-END-", "-END2-")
_MOST_REMEMBERED = 200_000


def load_tagger(folder: Path) -> QuickTagger:
    """Return the tagger whose JSON files lie in ``folder``: the embedded one, or NLTK's own."""
    parts: dict[str, Any] = {}
    for part in PARTS:
        path = tagger_file(folder, part)
        parts[part] = read_json(path)
        wanted = list if part == "classes" else dict
        if not isinstance(parts[part], wanted):
            raise DivLogicError(
                f"{path} does not hold a JSON {wanted.__name__}; fetch the tagger again."
            )
    return QuickTagger(parts["weights"], parts["tagdict"], set(parts["classes"]))


def tagger_file(folder: Path, part: str) -> Path:
    """Return the file of a part of the tagger, compressed or not.

    Raises:
        DivLogicError: the folder has neither.
    """
    plain = Path(folder) / FILE_NAME.format(part=part)
    for path in (plain.with_name(f"{plain.name}.gz"), plain):
        if path.is_file():
            return path
    raise DivLogicError(f"{plain} is missing; fetch the tagger (divlogic corpora fetch nltk_data).")


def place_tagger(
    source: Annotated[Path, FOLDER, "--in", "The embedded tagger or the fetched nltk_data."],
    *,
    out: Annotated[Path, FOLDER, "Folder of the tagger."],
    report: Annotated[Path, "JSON file: accuracy, or provenance."],
) -> None:
    """Copy the part-of-speech tagger of the run: the embedded one, or NLTK's."""
    names = [FILE_NAME.format(part=part) for part in PARTS]
    found = sorted(path for suffix in ("", ".gz") for path in source.rglob(names[0] + suffix))
    if not found:
        raise DivLogicError(
            f"{source}: {names[0]} is not there; name data/embedded/tagger or the fetched corpus nltk_data."
        )
    digests = {}
    for part, name in zip(PARTS, names, strict=True):
        with open_bytes(tagger_file(found[0].parent, part)) as stream:
            content = stream.read()
        digests[name] = hashlib.sha256(content).hexdigest()
        with atomic_writer(out / f"{name}.gz") as copy:
            copy.write(content)
    load_tagger(out)
    if (shipped := found[0].with_name(REPORT)).is_file():
        write_json(report, read_json(shipped))
    else:
        origin = "NLTK's averaged_perceptron_tagger_eng, as published"
        write_json(report, {"origin": origin, "sha256": digests})
    say(f"tagger: copied from {found[0].parent}.")


class QuickTagger:
    """NLTK's averaged perceptron tagger, several times faster, with the same tags.

    The weights are one dense matrix (features by tags), so that a token costs one row sum. Rows are added in the order
    in which NLTK adds them and ties are broken as there.
    """

    def __init__(
        self, weights: dict[str, dict[str, float]], tagdict: dict[str, str], classes: set[str]
    ) -> None:
        import numpy as np

        # NLTK takes the alphabetically last of equally good tags; argmax takes the first.
        self._tags = sorted(classes, reverse=True)
        self._tagdict = tagdict
        column = {tag: index for index, tag in enumerate(self._tags)}
        self._matrix = np.zeros((len(weights) + 1, len(self._tags)))
        self._rows: dict[str, dict[str, int]] = {name: {} for name in _FEATURES}
        for row, (feature, scores) in enumerate(weights.items(), start=1):
            words = feature.split(" ")
            starts = (
                " ".join(words[:length]) for length in (3, 2, 1)
            )  # a name may open another one
            name = next((start for start in starts if start in self._rows), None)
            if name is None:
                continue
            self._rows[name][feature[len(name) + 1 :]] = row
            for tag, weight in scores.items():
                if tag in column:
                    self._matrix[row, column[tag]] = weight
        self._after_tag: dict[str, dict[str, int]] = {}
        for value, row in self._rows["i-1 tag+i word"].items():
            tag, _, word = value.partition(" ")
            self._after_tag.setdefault(tag, {})[word] = row
        self._seen: dict[tuple[str | None, ...], str] = {}
        self._known: dict[tuple[int, ...], str] = {}
        self._of_word = lru_cache(maxsize=_MOST_REMEMBERED)(self._rows_of_word)
        self._of_neighbour = lru_cache(maxsize=_MOST_REMEMBERED)(self._rows_of_neighbour)
        self._of_tags = lru_cache(maxsize=_MOST_REMEMBERED)(self._rows_of_tags)
        self._sum = np.add.reduce

    def tag(self, tokens: list[str]) -> list[tuple[str, str]]:
        """Tag the words of one sentence."""
        context: list[str] = []
        # One string for each word, so that what is remembered of it is found by identity.
        words = [None, None, *map(intern, tokens), None, None]
        before, before2 = _START
        tagged = []
        tagdict, seen = self._tagdict.get, self._seen.get
        for index, word in enumerate(tokens):
            tag = tagdict(word)
            if not tag:
                place = (before, before2, *words[index : index + 5])
                tag = seen(place)
                if tag is None:
                    context = context or [*_START, *map(_normalised, tokens), *_END]
                    tag = self._predict(index + 2, word, context, before, before2)
                    if len(self._seen) >= _MOST_REMEMBERED:
                        self._seen.clear()
                    self._seen[place] = tag
            tagged.append((word, tag))
            before2, before = before, tag
        return tagged

    def _predict(self, i: int, word: str, context: list[str], before: str, before2: str) -> str:
        bias, tag1, tag2, tags, words_after = self._of_tags(before, before2)
        suffix, first, own = self._of_word(word, context[i])
        neighbour = self._of_neighbour
        before_it, after_it = neighbour(context[i - 1]), neighbour(context[i + 1])
        # In the order of _FEATURES.
        rows = (
            bias, suffix, first, tag1, tag2, tags, own, words_after.get(context[i], 0), before_it[0], before_it[1],
            neighbour(context[i - 2])[2], after_it[3], after_it[4], neighbour(context[i + 2])[5],
        )  # fmt: skip
        tag = self._known.get(rows)
        if tag is None:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            scores: Any = self._sum(self._matrix.take(rows, axis=0), axis=0)
            tag = self._known[rows] = self._tags[int(scores.argmax())]
        return tag

    def _rows_of_tags(self, before: str, before2: str) -> tuple[int, int, int, int, dict[str, int]]:
        """Return the rows of the two tags before a word, and those of each word after the first of them."""
        rows = self._rows
        return (
            rows["bias"].get("", 0),
            rows["i-1 tag"].get(before, 0),
            rows["i-2 tag"].get(before2, 0),
            rows["i tag+i-2 tag"].get(f"{before} {before2}", 0),
            self._after_tag.get(before, {}),
        )

    def _rows_of_word(self, word: str, normalised: str) -> tuple[int, ...]:
        """Return the rows of a word's own features."""
        named = (("i suffix", word[-3:]), ("i pref1", word[:1]), ("i word", normalised))
        return tuple([self._rows[name].get(value, 0) for name, value in named])

    def _rows_of_neighbour(self, word: str) -> tuple[int, ...]:
        """Return the rows of the features of a word that stands one or two places before or after."""
        named = (
            ("i-1 word", word), ("i-1 suffix", word[-3:]), ("i-2 word", word),
            ("i+1 word", word), ("i+1 suffix", word[-3:]), ("i+2 word", word),
        )  # fmt: skip
        return tuple([self._rows[name].get(value, 0) for name, value in named])


def _normalised(word: str) -> str:
    if "-" in word and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    if word and word[0].isdigit():
        return "!DIGITS"
    return word.lower()

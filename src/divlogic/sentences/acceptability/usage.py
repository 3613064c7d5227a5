"""What is counted of tagged sentences: how words follow one another, and how nouns are used.

A file of counts (jsonl) holds the vocabulary in its first row, then the tables. Words are numbers there: their
places in the vocabulary, which is sorted.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.corpora.tagger import load_tagger
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.io.log import say, track
from divlogic.io.shards import HashSet, expanded, hash_of
from divlogic.sentences import lexicon
from divlogic.sentences.tokens import ADJECTIVES, NOUNS, Reader, Sentence, Token

Numbers = NDArray[np.int64]

START, END, NAME, NUMBER = "<s>", "</s>", "<name>", "<number>"
LONGEST = 60
"""Words of the longest sentence that is counted; longer ones are lists and tables."""
_ROW = 100_000
"""Keys of a row of a file of counts."""
_ADVERBS = frozenset({"RB", "RBR", "RBS"})
_PROPER = frozenset({"NNP", "NNPS"})
_INNER = NOUNS | ADJECTIVES
_PARTICIPLES = frozenset({"VBN", "VBG"})
_DETERMINERS = frozenset({"DT", "PDT", "PRP$", "POS", "CD", "WP$"})
_ALWAYS_DETERMINERS = frozenset({"another", "some", "each", "every", "no", "one", "any", "all"})
_SEVERAL = lexicon.listed("words_of_quantity")
SINGULAR = frozenset({"a", "an", "another", "each", "every"})
"""Determiners of singular nouns."""
_AFTER_MODIFIER = frozenset({"NN", "NNS"})


RUNS = "runs"
"""Three words that followed one another."""
USES = (
    *("bare", "determined", "with_a", "plural", "plural_with_a"),
    *("plurals", "modifying", "finite", "capital", "small"),
)
"""Uses of nouns: singular heads without and with a determiner (after a word), with *a*; plural heads, those with *a*;
all plurals, and those that stand before another noun. And words that were verbs of the third person, had
a capital within a sentence, or had none.
"""


@dataclass(frozen=True)
class Usage:
    """Counts over a collection of sentences."""

    words: list[str]
    """the vocabulary"""
    tables: dict[str, tuple[Numbers, Numbers]]
    """keys and how often each was counted, by use: ``word before * n + noun`` for a vocabulary of n, and for
    :data:`RUNS` the three words that followed one another, ``(before * n + middle) * n + after``"""


class Head(NamedTuple):
    """The last noun of a noun phrase."""

    at: int
    article: str | None
    """its determiner in lower case; ``None`` where it has none"""
    before: str
    """the word before its phrase"""
    several: bool
    """whether a word of quantity stands in its phrase (*a few dogs*)"""


def words_of(tokens: Sentence) -> list[str]:
    """Return the words that are counted: in lower case, one word for all names and one for all numbers."""
    return [_word(token) for token in tokens]


def _word(token: Token) -> str:
    if token.text[0].isdigit():
        return NUMBER
    if token.tag in _PROPER and token.text[0].isupper():
        return NAME
    return token.lower


def heads(tokens: Sentence, words: list[str], tag: str) -> Iterator[Head]:
    """Yield the heads of noun phrases that have a tag, *NN* or *NNS*; ``words`` are those of :func:`words_of`."""
    for at, token in enumerate(tokens):
        if token.tag != tag or not words[at].isalpha():
            continue
        if at + 1 < len(tokens) and tokens[at + 1].tag in NOUNS | {"POS", "CD"}:
            continue
        if tag == "NNS" and at + 1 < len(tokens) and tokens[at + 1].tag in ("DT", "PRP$"):
            continue  # *a man pilots his boat*
        first = at - 1
        while first >= 0 and _is_inner(tokens, first, at):
            first -= 1
        several = any(word in _SEVERAL or word == NUMBER for word in words[max(first, 0) : at])
        if first >= 0 and (
            tokens[first].tag in _DETERMINERS or words[first] in _ALWAYS_DETERMINERS
        ):
            yield Head(at, words[first], words[first - 1] if first else START, several)
        else:
            yield Head(at, None, words[first] if first >= 0 else START, several)


def _is_inner(tokens: Sentence, index: int, head: int) -> bool:
    """Return whether a word may stand between the determiner of a phrase and its head."""
    tag, after = tokens[index].tag, tokens[index + 1].tag
    if tag in _INNER:
        return True
    if tag in _PARTICIPLES:
        # *a parked car*, but not *a man parking cars*
        return index > 0 and tokens[index - 1].tag not in NOUNS
    if index + 1 == head:
        return False
    if tag in _ADVERBS:
        return after in ADJECTIVES | _PARTICIPLES
    # *a black and white coat*
    return (
        tag == "CC"
        and index > 0
        and after in ADJECTIVES | {"VBN"}
        and tokens[index - 1].tag in ADJECTIVES | {"NN", "VBN"}
    )


def modifiers(tokens: Sentence) -> Iterator[int]:
    """Yield the places of plural nouns that stand right before the rest of a noun phrase (*sports cars*)."""
    for at, token in enumerate(tokens[:-1]):
        if token.tag != "NNS":
            continue
        tags = [other.tag for other in tokens[at + 1 : at + 3]]
        adjective = tags[0] == "JJ" and len(tags) > 1 and tags[1] in _AFTER_MODIFIER
        if tags[0] in _AFTER_MODIFIER or adjective:
            yield at


def is_capitalised(token: Token) -> bool:
    """Return whether a word has a capital and small letters behind it; *GAO* has none."""
    return token.text.isalpha() and token.text[0].isupper() and token.text[1:].islower()


def count_usage(
    source: Annotated[Path, "--in", "Sentence pairs of a shard (jsonl.gz)."],
    *,
    tagger: Annotated[Path, FOLDER, "Folder of the tagger."],
    out: Annotated[Path, "Counted words of this shard (jsonl.gz)."],
) -> None:
    """Count how the sentences of one shard use words and articles."""
    _write_and_say(out, count(source, Reader(load_tagger(tagger))))


def sum_usage(
    files: Annotated[tuple[Path, ...], ARGUMENT, "SHARD...", expanded],
    *,
    out: Annotated[Path, "Counted words of all shards (jsonl.gz)."],
) -> None:
    """Add up what `count` counted in each shard."""
    _write_and_say(out, add([read_usage(path) for path in sorted(files)]))


def _write_and_say(out: Path, usage: Usage) -> None:
    write_usage(out, usage)
    say(
        f"sentences: {len(usage.words):,} different words, {len(usage.tables[RUNS][0]):,} different runs of three"
    )


def count(source: Path, reader: Reader) -> Usage:
    """Count over the sentence pairs of a shard (jsonl): each premise once, and each hypothesis of a premise once.

    All pairs of a premise are in one shard, so that the sum over the shards does not depend on their number.
    """
    ids: dict[str, int] = {START: 0, END: 1}
    text = array("i")
    uses: dict[str, Counter[tuple[int, int]]] = {use: Counter() for use in USES}
    seen = HashSet()

    def number(word: str) -> int:
        return ids.setdefault(word, len(ids))

    for _, row in track(read_jsonl(source), "pairs"):
        for sentence, key in (
            (row["premise"], row["premise"]),
            (row["hypothesis"], row["premise"] + "\n" + row["hypothesis"]),
        ):
            if not seen.add(hash_of(key)):
                continue
            split = reader.words(" ".join(sentence.replace("’", "'").split()).rstrip(" .!"))
            if not 2 <= len(split) <= LONGEST:
                continue
            tokens = reader.tag(split)
            words = words_of(tokens)
            text.extend((0, 0, *map(number, words), 1))
            for head in heads(tokens, words, "NN"):
                noun = number(words[head.at])
                uses["bare" if head.article is None else "determined"][
                    number(head.before), noun
                ] += 1
                if head.article in ("a", "an"):
                    uses["with_a"][0, noun] += 1
            for head in heads(tokens, words, "NNS"):
                noun = number(words[head.at])
                uses["plural"][0, noun] += 1
                if head.article in SINGULAR and not head.several:
                    uses["plural_with_a"][0, noun] += 1
            for at, token in enumerate(tokens):
                if token.tag == "NNS":
                    uses["plurals"][0, number(words[at])] += 1
                elif token.tag == "VBZ":
                    uses["finite"][0, number(words[at])] += 1
                if at and is_capitalised(token):
                    uses["capital"][0, number(token.lower)] += 1
                elif token.text.isalpha() and token.text.islower():
                    uses["small"][0, number(token.lower)] += 1
            for at in modifiers(tokens):
                uses["modifying"][0, number(words[at])] += 1
    return add([_counted(ids, text, uses)])


def _counted(
    ids: dict[str, int], text: array[int], uses: dict[str, Counter[tuple[int, int]]]
) -> Usage:
    """Return what was counted, by numbers of words in the order in which these were met."""
    n = len(ids)
    line = (
        np.frombuffer(text, dtype=np.int32).astype(np.int64)
        if text
        else np.empty(0, dtype=np.int64)
    )
    before, middle, after = line[:-2], line[1:-1], line[2:]
    within = (after != ids[START]) & (middle != ids[END]) & (before != ids[END])
    runs, times = np.unique((before * n + middle)[within] * n + after[within], return_counts=True)
    tables = {RUNS: (runs, times.astype(np.int64))}
    for use, counter in uses.items():
        keys = np.array([first * n + second for first, second in counter], dtype=np.int64)
        tables[use] = keys, np.array(list(counter.values()), dtype=np.int64)
    return Usage(list(ids), tables)


def add(parts: list[Usage]) -> Usage:
    """Return the sum of counts, with the vocabulary and the keys in order."""
    words = sorted({word for part in parts for word in part.words})
    n = len(words)
    rank = {word: index for index, word in enumerate(words)}
    tables = {}
    for use in (RUNS, *USES):
        renumbered = []
        for part in parts:
            place = np.array([rank[word] for word in part.words], dtype=np.int64)
            keys, size = part.tables[use][0], len(part.words)
            pairs = keys // size if use == RUNS else keys  # of the words before the last one
            numbers = place[pairs // size] * n + place[pairs % size]
            renumbered.append(numbers * n + place[keys % size] if use == RUNS else numbers)
        keys, inverse = np.unique(np.concatenate(renumbered), return_inverse=True)
        times = np.zeros(len(keys), dtype=np.int64)
        np.add.at(times, inverse, np.concatenate([part.tables[use][1] for part in parts]))
        tables[use] = keys, times
    return Usage(words, tables)


def write_usage(path: Path, usage: Usage) -> None:
    """Write counts (jsonl): the vocabulary, then the tables in rows of some thousand keys, as steps from key to key."""

    def rows() -> Iterator[dict[str, Any]]:
        yield {"words": usage.words}
        for use, (keys, times) in usage.tables.items():
            steps = np.diff(keys, prepend=0)
            for start in range(0, max(len(keys), 1), _ROW):
                part = slice(start, start + _ROW)
                yield {"use": use, "steps": steps[part].tolist(), "times": times[part].tolist()}

    write_jsonl(path, rows(), level=1)


def read_usage(path: Path) -> Usage:
    """Read what :func:`write_usage` wrote."""
    words: list[str] = []
    steps: dict[str, list[Numbers]] = {use: [] for use in (RUNS, *USES)}
    times: dict[str, list[Numbers]] = {use: [] for use in (RUNS, *USES)}
    for _, row in read_jsonl(path):
        if "words" in row:
            words = row["words"]
        else:
            steps[row["use"]].append(np.array(row["steps"], dtype=np.int64))
            times[row["use"]].append(np.array(row["times"], dtype=np.int64))
    tables = {
        use: (np.cumsum(np.concatenate(steps[use])), np.concatenate(times[use])) for use in steps
    }
    return Usage(words, tables)

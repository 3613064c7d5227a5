"""Counting how words follow one another and how nouns are used, over all sentences of the corpora.

A file of counts (jsonl) holds the vocabulary in its first row; then a row for each word with what stood around it, and
a row for each use of nouns. Words are numbers there: their places in the vocabulary, which is sorted.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.corpora.tagger import load_tagger
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.io.log import say, track
from divlogic.io.shards import HashSet, expanded, hash_of
from divlogic.sentences.acceptability.usage import (
    END,
    SINGULAR,
    START,
    USES,
    Usage,
    heads,
    is_capitalised,
    modifiers,
    words_of,
)
from divlogic.sentences.tokens import Reader

if TYPE_CHECKING:
    from divlogic.sentences.acceptability.usage import Numbers

LONGEST = 60
"""Words of the longest sentence that is counted; longer ones are lists and tables."""


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
    say(f"sentences: {len(usage.words):,} different words, {len(usage.runs):,} different runs of three")


def count(source: Path, reader: Reader) -> Usage:
    """Count over the sentences of a shard: each premise once, and each hypothesis of a premise once.

    All pairs of a premise are in one shard, so that the sum over the shards does not depend on their number.

    Args:
        source: sentence pairs (jsonl, plain or gzipped), one per row.
        reader: splits and tags sentences.
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
                uses["bare" if head.article is None else "determined"][number(head.before), noun] += 1
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
    return _sorted(ids, text, uses)


def _sorted(ids: dict[str, int], text: array[int], uses: dict[str, Counter[tuple[int, int]]]) -> Usage:
    """Give the words the numbers of their places in the sorted vocabulary."""
    import numpy as np

    words = sorted(ids)
    n = len(words)
    place = np.empty(n, dtype=np.int64)
    for rank, word in enumerate(words):
        place[ids[word]] = rank
    line = place[np.frombuffer(text, dtype=np.int32)] if text else np.empty(0, dtype=np.int64)
    start, end = place[0], place[1]
    before, middle, after = line[:-2], line[1:-1], line[2:]
    within = (after != start) & (middle != end) & (before != end)
    runs, times = np.unique((before * n + middle)[within] * n + after[within], return_counts=True)
    tables = {}
    for use, counter in uses.items():
        keys = np.array([int(place[b]) * n + int(place[w]) for b, w in counter], dtype=np.int64)
        order = np.argsort(keys, kind="stable")
        tables[use] = keys[order], np.array(list(counter.values()), dtype=np.int64)[order]
    return Usage(words, runs, times.astype(np.int64), tables)


def add(parts: list[Usage]) -> Usage:
    """Return the sum of counts."""
    import numpy as np

    words = sorted({word for part in parts for word in part.words})
    n = len(words)
    rank = {word: index for index, word in enumerate(words)}
    places = [np.array([rank[word] for word in part.words], dtype=np.int64) for part in parts]
    runs = [
        (place[part.runs // len(part.words) ** 2] * n + place[part.runs // len(part.words) % len(part.words)]) * n
        + place[part.runs % len(part.words)]
        for part, place in zip(parts, places, strict=True)
    ]  # fmt: skip
    keys, times = _summed(runs, [part.times for part in parts])
    uses = {}
    for use in USES:
        pairs = [
            place[part.uses[use][0] // len(part.words)] * n + place[part.uses[use][0] % len(part.words)]
            for part, place in zip(parts, places, strict=True)
        ]
        uses[use] = _summed(pairs, [part.uses[use][1] for part in parts])
    return Usage(words, keys, times, uses)


def _summed(keys: list[Numbers], times: list[Numbers]) -> tuple[Numbers, Numbers]:
    import numpy as np

    distinct, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(total, inverse, np.concatenate(times))
    return distinct, total


def write_usage(path: Path, usage: Usage) -> None:
    """Write counts (jsonl)."""
    write_jsonl(path, _rows(usage), level=1)


def _rows(usage: Usage) -> Iterator[dict[str, Any]]:
    import numpy as np

    n = len(usage.words)
    yield {"words": usage.words}
    # By the first of three words, so that the rows follow the order of the keys.
    first, rest = usage.runs // n**2, usage.runs % n**2
    bounds = np.flatnonzero(np.diff(first, prepend=-1, append=n))
    for begin, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        yield {
            "first": int(first[begin]),
            "then": rest[begin:stop].tolist(),
            "times": usage.times[begin:stop].tolist(),
        }
    for use in USES:
        keys, times = usage.uses[use]
        yield {"use": use, "pairs": keys.tolist(), "times": times.tolist()}


def read_usage(path: Path) -> Usage:
    """Read what :func:`write_usage` wrote.

    Raises:
        DivLogicError: the file is none of counts, or lacks rows.
    """
    import numpy as np

    words: list[str] | None = None
    runs, times = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    uses: dict[str, tuple[Numbers, Numbers]] = {}
    for number, row in read_jsonl(path):
        try:
            if words is None:
                words = list(map(str, row["words"]))
            elif "use" in row:
                pairs = np.array(row["pairs"], dtype=np.int64)
                uses[row["use"]] = pairs, np.array(row["times"], dtype=np.int64)
            else:
                runs.append(int(row["first"]) * len(words) ** 2 + np.array(row["then"], dtype=np.int64))
                times.append(np.array(row["times"], dtype=np.int64))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise DivLogicError(
                f"{path}, row {number}: not a row of counted words ({error!r}); make the file again."
            ) from error
    if words is None or set(uses) != set(USES):
        raise DivLogicError(f"{path}: rows of counted words are missing; make the file again.")
    return Usage(words, np.concatenate(runs), np.concatenate(times), uses)

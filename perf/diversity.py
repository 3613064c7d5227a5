"""Speed of the diversity phase: counting tokens, readability, subsamples; and the memory of counting a large text.

Run with: python -m perf.diversity [--text FILE] [--punkt FOLDER] [--megabytes 20] [--stream MB] [--out FILE]

Times are processor seconds of one core, the best of three. Without ``--text`` (JSON lines with a field `text`) the text
is drawn from the embedded encyclopedia: its sentences in random order, one word in ten made up, so that memory of words
seen before helps as little as in real text. ``--stream 1000`` also counts 1,000 MB and prints the peak memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from divlogic.diversity.divergence import aligned, measure, token_samples
from divlogic.diversity.measure import reference_texts, splitter
from divlogic.diversity.parameters import DivergenceParameters, TypeTokenParameters
from divlogic.diversity.profile import profile_records
from divlogic.diversity.readability import (
    irregular_words,
    readability_as_published,
    readability_corrected,
    syllable_counter,
    tweet_counter,
)
from divlogic.diversity.words import SentenceSplitter, letter_tokens, rule_splitter, word_tokenizer
from divlogic.records import Record
from perf.machine import machine

EMBEDDED = Path("data/embedded/encyclopedia/articles.jsonl")
REPEATS = 3


def main() -> None:
    """Measure everything and print one line per measurement."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--text", type=Path)
    parser.add_argument("--punkt", type=Path)
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument(
        "--stream", type=int, default=0, help="megabytes to count for the memory measurement"
    )
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    print(machine())
    texts = (
        list(reference_texts(arguments.text))
        if arguments.text
        else list(drawn_texts(arguments.megabytes))
    )
    texts = texts_of(texts, arguments.megabytes)
    split = splitter(arguments.punkt)
    results = {**counting(texts, split), **readability(texts, split), **subsamples(texts)}
    if arguments.stream:
        results |= streaming(arguments.stream)
    for name, value in results.items():
        print(f"{name:<52} {value:12,.2f}")
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def counting(texts: list[str], split: SentenceSplitter) -> dict[str, float]:
    """Measure tokenizing and counting, in megabytes per second."""
    from nltk.tokenize import NLTKWordTokenizer

    nltk = NLTKWordTokenizer().tokenize
    size = megabytes(texts)
    few = texts_of(texts, size / 8)

    def count(tokenize: Callable[[str], list[str]], some: list[str]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for text in some:
            counts.update(tokenize(text))
        return counts

    def plain(text: str) -> list[str]:
        return [token for sentence in split(text) for token in nltk(sentence)]

    same = count(word_tokenizer(split), few) == count(plain, few)
    return {
        "counting, letters (MB/s)": size / seconds(lambda: count(letter_tokens, texts)),
        "counting, NLTK's tokens (MB/s)": size
        / seconds(lambda: count(word_tokenizer(split), texts)),
        "counting, NLTK itself (MB/s)": megabytes(few) / seconds(lambda: count(plain, few)),
        "splitting sentences alone (MB/s)": size / seconds(lambda: [split(text) for text in texts]),
        "tokens the same as NLTK's (1 = yes)": float(same),
    }


def readability(texts: list[str], split: SentenceSplitter) -> dict[str, float]:
    """Measure the published preset against py-readability-metrics in the same run, and the corrected one."""
    from readability import Readability
    from readability.text import Analyzer

    Analyzer._tokenize_sentences = lambda self, text: split(text)  # the same boundaries for both
    text = "".join(texts_of(texts, 1))
    theirs = Readability(text)

    def published() -> dict[str, float | None]:
        return readability_as_published([text], split, tweet_counter(), len(text))

    numbers = (theirs._statistics.num_words, theirs._statistics.num_syllables)
    theirs_counted = (len(theirs._analyzer.sentences), *numbers)
    same = (
        tuple(published()[name] for name in ("sentences", "words", "syllables")) == theirs_counted
    )
    package = seconds(lambda: Readability(text))
    ours = seconds(published)
    corrected = seconds(
        lambda: readability_corrected(texts_of(texts, 1), syllable_counter(irregular_words()))
    )
    return {
        "readability, py-readability-metrics (s per MB)": package / megabytes([text]),
        "readability, as published (s per MB)": ours / megabytes([text]),
        "readability, times faster": package / ours,
        "readability, the same numbers (1 = yes)": float(same),
        "readability, corrected (s per MB)": corrected / megabytes([text]),
    }


def subsamples(texts: list[str]) -> dict[str, float]:
    """Measure KL divergence over a hundred subsamples of 10,000 tokens."""
    half = len(texts) // 2
    sides = [
        Counter(token for text in part for token in letter_tokens(text))
        for part in (texts[:half], texts[half:])
    ]
    p, q = aligned(*sides)

    def run() -> None:
        measure(token_samples(p, q, size=10_000, repeats=100, seed=(1,)), DivergenceParameters())

    return {"KL, 100 subsamples (s)": seconds(run), "KL, words in the vocabulary": float(len(p))}


def streaming(size: int) -> dict[str, float]:
    """Count ``size`` megabytes of records as the phase does, and report the peak memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    block = list(drawn_texts(2))
    blocks = round(size / megabytes(block))
    records = (
        Record(f"{number}-{place}", "large", "", f"{number} {text}", "", (), None)
        for number in range(blocks)
        for place, text in enumerate(block)
    )
    start = time.process_time()
    profile = profile_records("large", records, letter_tokens, TypeTokenParameters())
    spent = time.process_time() - start
    return {
        "stream, size (MB)": blocks * megabytes(block),
        "stream, profile with letters (MB/s)": blocks * megabytes(block) / spent,
        "stream, tokens (millions)": profile.counts["contexts"].total() / 1e6,
        "stream, peak memory before (MB)": before,
        "stream, peak memory after (MB)": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def drawn_texts(size: float) -> Iterator[str]:
    """Yield ``size`` megabytes of text: embedded sentences in random order, one word in ten made up."""
    random = np.random.default_rng(1)
    sentences = [sentence for text in reference_texts(EMBEDDED) for sentence in rule_splitter(text)]
    written = 0
    while written < size * 1e6:
        words = " ".join(
            sentences[pick] for pick in random.integers(len(sentences), size=12)
        ).split(" ")
        for place in random.integers(len(words), size=len(words) // 10):
            words[place] = "".join(map(chr, random.integers(97, 123, size=random.integers(3, 11))))
        text = " ".join(words)
        written += len(text)
        yield text


def texts_of(texts: list[str], size: float) -> list[str]:
    """Return the first texts, up to ``size`` megabytes."""
    taken, room = [], size * 1e6
    for text in texts:
        if room <= 0:
            break
        taken.append(text)
        room -= len(text)
    return taken


def megabytes(texts: list[str]) -> float:
    """Return the size of texts in megabytes of UTF-8."""
    return sum(len(text.encode()) for text in texts) / 1e6


def seconds(run: Callable[[], object]) -> float:
    """Return the processor time of the best of several runs."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    main()

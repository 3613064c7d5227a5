"""Training and measuring of the part-of-speech tagger of embedded runs (NLTK's averaged perceptron).

The model files have the names and layout of nltk_data/taggers/averaged_perceptron_tagger_eng, so that embedded and
full runs load a tagger in the same way.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from divlogic.corpora.tagger import FILE_NAME, PARTS
from divlogic.errors import DivLogicError
from divlogic.io.imports import lean
from divlogic.sentences.tokens import Tagger

TaggedSentence = Sequence[tuple[str, str]]

# Words of these classes may enter the tag dictionary, which overrules the perceptron. Open classes may not: the
# captions know "saw" as a verb in the present tense only, other texts do not.
_CLOSED_TAGS = frozenset(
    ["DT", "CC", "PRP", "PRP$", "MD", "TO", "EX", "WP", "WRB", "WDT", ".", ",", ":"]
)
_TAGGED = re.compile(r"^(.+)/([^/]+)$")


@dataclass(frozen=True)
class Accuracy:
    """Tokens of held-out sentences tagged right; an unknown token is a word that training never saw."""

    sentences: int
    tokens: int
    right: int
    unknown_tokens: int
    unknown_right: int

    @property
    def accuracy(self) -> float:
        return self.right / self.tokens if self.tokens else float("nan")

    @property
    def unknown_accuracy(self) -> float:
        return self.unknown_right / self.unknown_tokens if self.unknown_tokens else float("nan")


@dataclass(frozen=True)
class TaggerReport:
    """What a training run did: sentences learnt from, and the held-out accuracy overall and by source."""

    trained_sentences: int
    trained_tokens: int
    tags: tuple[str, ...]
    overall: Accuracy
    by_source: dict[str, Accuracy]


def train_tagger(
    sentences: Iterable[TaggedSentence] | Mapping[str, Iterable[TaggedSentence]],
    out_dir: Path,
    *,
    iterations: int = 5,
    seed: int = 0,
    held_out: float = 0.1,
) -> TaggerReport:
    """Train a tagger, write its three JSON files under `out_dir`, and measure it on sentences it never saw.

    `sentences` are (word, Penn tag) sequences, or several such corpora by name (each is then reported by itself);
    `held_out` is the share of the distinct sentences of each corpus that is kept for measuring. Same input, same bytes.
    Raises DivLogicError when there is nothing to train on.
    """
    corpora = sentences if isinstance(sentences, Mapping) else {"all": sentences}
    training: list[TaggedSentence] = []
    testing: dict[str, list[TaggedSentence]] = {}
    for number, (name, corpus) in enumerate(corpora.items()):
        learnt, testing[name] = _split(corpus, np.random.SeedSequence([seed, number]), held_out)
        training += learnt
    if not training:
        raise DivLogicError(
            "There are no tagged sentences to train a tagger on; give at least one corpus of them."
        )
    tagger = _train(training, iterations, seed)
    known = {word for sentence in training for word, _ in sentence}
    by_source = {name: measure_tagger(tagger, corpus, known) for name, corpus in testing.items()}
    _save(tagger, Path(out_dir))
    return TaggerReport(
        trained_sentences=len(training),
        trained_tokens=sum(map(len, training)),
        tags=tuple(sorted(tagger.classes)),
        overall=_total(by_source.values()),
        by_source=by_source,
    )


def read_tagged(path: Path) -> Iterator[list[tuple[str, str]]]:
    """Yield the sentences of a file with one `word/TAG word/TAG ./.` sentence per line; `#` starts a comment line."""
    for row, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        tokens: list[tuple[str, str]] = []
        for item in line.split():
            match = _TAGGED.match(item)
            if match is None:
                raise DivLogicError(
                    f"{path}, row {row}: {item!r} is not word/TAG. Fix or delete that row."
                )
            tokens.append((match[1], match[2]))
        yield tokens


def measure_tagger(
    tagger: Tagger, sentences: Iterable[TaggedSentence], known: Iterable[str] = ()
) -> Accuracy:
    """Count the tokens tagged as in `sentences`, and separately those of words not in `known`."""
    known_words = set(known)
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts["sentences"] += 1
        guessed = tagger.tag([word for word, _ in sentence])
        for (word, tag), (_, guess) in zip(sentence, guessed, strict=True):
            counts["tokens"] += 1
            counts["right"] += guess == tag
            if word not in known_words:
                counts["unknown_tokens"] += 1
                counts["unknown_right"] += guess == tag
    names = ("sentences", "tokens", "right", "unknown_tokens", "unknown_right")
    return Accuracy(*(counts[name] for name in names))


def _split(
    corpus: Iterable[TaggedSentence], sequence: np.random.SeedSequence, held_out: float
) -> tuple[list[TaggedSentence], list[TaggedSentence]]:
    distinct: list[TaggedSentence] = list(
        dict.fromkeys(tuple(sentence) for sentence in corpus if sentence)
    )
    order = np.random.default_rng(sequence).permutation(len(distinct))
    kept = set(order[: round(held_out * len(distinct))].tolist())
    learnt = [sentence for place, sentence in enumerate(distinct) if place not in kept]
    return learnt, [sentence for place, sentence in enumerate(distinct) if place in kept]


def _train(training: list[TaggedSentence], iterations: int, seed: int) -> Any:
    """NLTK's training loop; it shuffles with the global random, whose state is set before and restored after."""
    with lean("nltk"):
        from nltk.tag.perceptron import AveragedPerceptron, PerceptronTagger

    class QuickPerceptron(AveragedPerceptron):  # type: ignore[misc]
        """NLTK's perceptron with the weights of each feature as a row of a matrix too: one sum per prediction.

        Rows are added in the order in which NLTK adds them, and ties are broken as there.
        """

        def __init__(self) -> None:
            super().__init__()
            self._labels: list[str] = []
            self._columns: dict[str, int] = {}
            self._rows: dict[str, int] = {}
            self._matrix = np.zeros((1024, 0))

        def predict(
            self, features: Iterable[str], return_conf: bool = False
        ) -> tuple[str, float | None]:
            if not self._labels:
                # NLTK takes the alphabetically last of equally good tags; argmax takes the first.
                self._labels = sorted(self.classes, reverse=True)
                self._columns = {label: column for column, label in enumerate(self._labels)}
                self._matrix = np.zeros((1024, len(self._labels)))
            known = self._rows
            rows = [known[feature] for feature in features if feature in known]
            return self._labels[int(self._matrix.take(rows, axis=0).sum(axis=0).argmax())], None

        def update(self, truth: str, guess: str, features: Iterable[str]) -> None:
            super().update(truth, guess, features)
            if truth == guess:
                return
            changed = (truth, self._columns[truth]), (guess, self._columns[guess])
            for feature in features:
                row = self._rows.setdefault(feature, len(self._rows))
                if row == len(self._matrix):
                    self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
                for label, column in changed:
                    self._matrix[row, column] = self.weights[feature][label]

        def average_weights(self) -> None:
            super().average_weights()
            for feature, row in self._rows.items():
                weights = self.weights[feature]
                self._matrix[row] = [weights.get(label, 0.0) for label in self._labels]

    class ClosedClassTagger(PerceptronTagger):  # type: ignore[misc]
        def _get_features(
            self, i: int, word: str, context: list[str], prev: str, prev2: str
        ) -> dict[str, int]:
            """NLTK's features, written out (its own loop takes five times as long)."""
            before2, before, here, after, after2 = context[i : i + 5]
            return dict.fromkeys(
                (
                    "bias",
                    f"i suffix {word[-3:]}",
                    f"i pref1 {word[:1]}",
                    f"i-1 tag {prev}",
                    f"i-2 tag {prev2}",
                    f"i tag+i-2 tag {prev} {prev2}",
                    f"i word {here}",
                    f"i-1 tag+i word {prev} {here}",
                    f"i-1 word {before}",
                    f"i-1 suffix {before[-3:]}",
                    f"i-2 word {before2}",
                    f"i+1 word {after}",
                    f"i+1 suffix {after[-3:]}",
                    f"i+2 word {after2}",
                ),
                1,
            )

        def _make_tagdict(self, sentences: Iterable[TaggedSentence]) -> None:
            counts: dict[str, Counter[str]] = defaultdict(Counter)
            for sentence in sentences:
                self._sentences.append(sentence)
                for word, tag in sentence:
                    counts[word][tag] += 1
                    self.classes.add(tag)
            for word, tags in counts.items():
                tag, times = tags.most_common(1)[0]
                if len(tags) == 1 and times >= 20 and tag in _CLOSED_TAGS:
                    self.tagdict[word] = tag

    tagger = ClosedClassTagger(load=False)
    tagger.model = QuickPerceptron()
    order = np.random.default_rng(np.random.SeedSequence([seed, len(training)])).permutation(
        len(training)
    )
    state = random.getstate()
    try:
        random.seed(seed)
        tagger.train([training[place] for place in order], nr_iter=iterations)
    finally:
        random.setstate(state)
    return tagger


def _save(tagger: Any, out_dir: Path) -> None:
    from divlogic.io.files import write_text

    weights = {feature: by_tag for feature, by_tag in tagger.model.weights.items() if by_tag}
    values = {"weights": weights, "tagdict": tagger.tagdict, "classes": sorted(tagger.classes)}
    for part in PARTS:
        text = json.dumps(values[part], sort_keys=True, separators=(", ", ": "), ensure_ascii=True)
        write_text(out_dir / FILE_NAME.format(part=part), text + "\n")


def _total(parts: Iterable[Accuracy]) -> Accuracy:
    items = list(parts)
    names = ("sentences", "tokens", "right", "unknown_tokens", "unknown_right")
    return Accuracy(*(sum(getattr(item, name) for item in items) for name in names))

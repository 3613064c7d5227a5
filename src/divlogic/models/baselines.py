"""Baselines that need no key (``baseline/NAME``): they see the prompt that any model sees.

The ones here serve every benchmark. A benchmark offers its own through :func:`offer`; its specification names them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Protocol

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256
from divlogic.io.imports import lean
from divlogic.models.prompts import ParsedPrompt
from divlogic.models.words import fit_transform, rounded, words
from divlogic.records import Record, read_records

_NEGATIONS = frozenset({"not", "never", "no", "nobody", "nothing", "neither", "nor", "¬"})
_Key = tuple[str, str, frozenset[str]]


class Answerer(Protocol):
    """Chooses an option: its index, or ``None`` where the baseline has no answer."""

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        """Return the chosen position; ``rng`` is seeded by the prompt and the run."""


@dataclass(frozen=True)
class Baseline:
    """A baseline by its name, which follows ``baseline/``.

    Attributes:
        build: makes the answerer from the arguments of the parameters' ``args``.
        needs: arguments that name files, which the workflow fills in.
        optional: of these, the ones it can do without.
        code: modules that decide its answers; other code asks it again.
    """

    name: str
    build: Callable[..., Answerer]
    needs: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    code: tuple[Path, ...] = ()


class Uniform:
    """Every option with the same probability."""

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        return int(rng.integers(len(prompt.options)))


class Position:
    """One letter with probability ``strength``, else every option with the same probability."""

    def __init__(self, letter: str = "A", strength: float = 1.0) -> None:
        if letter not in tuple(ascii_uppercase[:10]) or not 0 <= strength <= 1:
            raise DivLogicError(
                f"baseline/position: letter {letter!r} with strength {strength} is impossible; give a letter and"
                " a probability."
            )
        self._position, self._strength = ascii_uppercase.index(letter), strength

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        biased = rng.random() < self._strength
        chosen = self._position if biased else int(rng.integers(len(prompt.options)))
        return chosen if chosen < len(prompt.options) else None


class CommonestLetter:
    """The letter that is most often right in the training records; the first of several."""

    def __init__(self, records: Sequence[Record]) -> None:
        counts = Counter(record.answer for record in records if record.answer is not None)
        self._position = min(counts, key=lambda position: (-counts[position], position))

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        return self._position if self._position < len(prompt.options) else None


class Overlap:
    """The option with the largest share of its words in the content; the alphabetically first of several."""

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        context = set(words(prompt.context))

        def share(option: str) -> float:
            own = set(words(option))
            return len(own & context) / len(own) if own else 0.0

        best = min(prompt.options, key=lambda option: (-share(option), option))
        return prompt.options.index(best)


class Ranker:
    """Logistic regression on TF-IDF and surface features of each (question, option) pair; the best option wins.

    With ``context`` an option is also compared with the content (cosine, share of its words); without, it is the
    hypothesis-only probe. The numbers enter once plain and once per word of the question, since what speaks for an
    option depends on what is asked.
    """

    def __init__(self, records: Sequence[Record], *, context: bool) -> None:
        with lean("sklearn"):
            from sklearn.feature_extraction.text import TfidfVectorizer
            from sklearn.linear_model import LogisticRegression

        self._context = context
        self._chosen: dict[_Key, str] = {}
        self._options: Any = TfidfVectorizer(
            tokenizer=words, token_pattern=None, ngram_range=(1, 2), min_df=2
        )
        self._questions: Any = TfidfVectorizer(tokenizer=words, token_pattern=None, binary=True)
        texts = [option for record in records for option in record.options]
        fit_transform(self._options, texts + [record.context for record in records])
        fit_transform(self._questions, [record.question for record in records])
        items = [
            ParsedPrompt(record.context, record.question, record.options) for record in records
        ]
        right = [
            position == record.answer
            for record in records
            for position in range(len(record.options))
        ]
        self._model = LogisticRegression(
            C=1.0, max_iter=2000, random_state=0, class_weight="balanced"
        )
        self._model.fit(self._features(items), np.array(right))

    def prepare(self, prompts: Sequence[ParsedPrompt]) -> None:
        """Decide many prompts at once, which takes a fraction of the time of one after the other."""
        # The choice depends on the set of options, not on their order: rotations of one instance share it.
        ordered = {
            _key(prompt): replace(prompt, options=tuple(sorted(prompt.options)))
            for prompt in prompts
        }
        wanted = {key: item for key, item in ordered.items() if key not in self._chosen}
        if not wanted:
            return
        scores = iter(rounded(self._model.decision_function(self._features(list(wanted.values())))))
        for key, item in wanted.items():
            own = [next(scores) for _ in item.options]
            self._chosen[key] = item.options[own.index(max(own))]

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        self.prepare([prompt])
        return prompt.options.index(self._chosen[_key(prompt)])

    def _features(self, items: Sequence[ParsedPrompt]) -> Any:
        """Return the sparse feature matrix, one row per option of each item.

        Its columns are the TF-IDF of the option, its surface numbers, and these once per word of the question.
        """
        from scipy import sparse

        options = self._options.transform([option for item in items for option in item.options])
        numbers = np.array([row for item in items for row in self._surface(item)])
        owner = [index for index, item in enumerate(items) for _ in item.options]
        if self._context:
            contexts = self._options.transform([item.context for item in items])[owner]
            cosine = np.asarray(options.multiply(contexts).sum(axis=1)).reshape(-1, 1)
            numbers = np.hstack([numbers, cosine])
        questions = self._questions.transform([item.question for item in items])[owner]
        crossed = [questions.multiply(column.reshape(-1, 1)) for column in numbers.T]
        return sparse.hstack([options, sparse.csr_matrix(numbers), *crossed]).tocsr()

    def _surface(self, item: ParsedPrompt) -> list[list[float]]:
        """Return length, negations and overlap of each option, each as its distance to the mean of the item."""
        context = set(words(item.context)) if self._context else set()
        rows = []
        for option in item.options:
            own = words(option)
            negations = sum(word in _NEGATIONS or word.endswith("n't") for word in own)
            row = [len(own) / 10.0, float(negations)]
            if self._context:
                row.append(len(set(own) & context) / max(len(set(own)), 1))
            rows.append(row)
        values = np.array(rows)
        distances: list[list[float]] = (values - values.mean(axis=0)).tolist()
        return distances


def _key(prompt: ParsedPrompt) -> _Key:
    return prompt.context, prompt.question, frozenset(prompt.options)


_CODE = (Path(__file__), Path(__file__).with_name("words.py"))
_BASELINES = {
    name: Baseline(name, build, needs, code=_CODE)
    for name, build, needs in (
        ("uniform", Uniform, ()),
        ("position", Position, ()),
        ("majority", lambda train: CommonestLetter(_training(train)), ("train",)),
        ("overlap", Overlap, ()),
        ("ranker", lambda train: Ranker(_training(train), context=True), ("train",)),
        ("hypothesis_only", lambda train: Ranker(_training(train), context=False), ("train",)),
    )
}


def offer(baselines: Iterable[Baseline]) -> None:
    """Make a benchmark's own baselines known under their names; offering them again changes nothing."""
    _BASELINES.update((baseline.name, baseline) for baseline in baselines)


def baseline_named(name: str) -> Baseline:
    """Return a baseline."""
    if name not in _BASELINES:
        raise DivLogicError(
            f"unknown baseline 'baseline/{name}'; known are {', '.join(_BASELINES)}."
        )
    return _BASELINES[name]


def files_read(model: str) -> tuple[str, ...]:
    """Return the arguments that name files which a model reads: none but for some of the baselines."""
    kind, _, name = model.partition("/")
    return _BASELINES[name].needs if kind == "baseline" and name in _BASELINES else ()


def files_lacking(name: str, args: Mapping[str, Any]) -> list[str]:
    """Return the arguments that a baseline needs and that are not given."""
    baseline = baseline_named(name)
    return [file for file in baseline.needs if file not in args and file not in baseline.optional]


def build(name: str, args: Mapping[str, Any]) -> Answerer:
    """Make the baseline with the given name and arguments."""
    if lacking := files_lacking(name, args):
        raise DivLogicError(
            f"baseline/{name} reads a file that was not named; give it with --{lacking[0]}, or as `args` in the"
            " parameters."
        )
    try:
        return baseline_named(name).build(**args)
    except TypeError as error:
        raise DivLogicError(
            f"baseline/{name}: wrong arguments ({error}); see `args` in the parameters."
        ) from error


def fingerprint(name: str, args: Mapping[str, Any]) -> str:
    """Return a hash of a baseline's code, its arguments and every file it reads: other answers are not reused."""
    baseline = baseline_named(name)
    files = {key: several(args.get(key) or ()) for key in baseline.needs}
    plain = sorted((key, value) for key, value in args.items() if key not in files)
    digest = hashlib.sha256(repr((name, plain)).encode())
    for path in [*map(str, baseline.code), *(path for key in sorted(files) for path in files[key])]:
        if not Path(path).is_file():
            raise DivLogicError(
                f"{path}: there is no such file, but baseline/{name} reads it; make it first."
            )
        digest.update(file_sha256(Path(path)).encode())
    return digest.hexdigest()


def several(paths: Any) -> list[str]:
    """Return one path or several as a list."""
    return [paths] if isinstance(paths, str) else list(paths)


def _training(path: str) -> list[Record]:
    records = [record for record in read_records(Path(path)) if record.answer is not None]
    if not records:
        raise DivLogicError(
            f"{path}: no record with an answer to learn from; generate a larger unpolished split."
        )
    return records

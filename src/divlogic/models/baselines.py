"""Baselines that need no key (``baseline/NAME``): they see the prompt that any model sees.

The ones here serve every benchmark. A benchmark offers its own through :func:`offer`; its specification names them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Protocol

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256
from divlogic.models.prompts import ParsedPrompt
from divlogic.models.words import words
from divlogic.records import Record, read_records


class Answerer(Protocol):
    """Chooses an option: its index, or ``None`` where the baseline has no answer."""

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        """Return the chosen position; ``rng`` is seeded by the prompt and the run."""


@dataclass(frozen=True)
class Baseline:
    """A baseline by its name.

    Attributes:
        name: what follows ``baseline/``.
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


class Majority:
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


_HERE = Path(__file__)
_RANKERS = (_HERE, _HERE.with_name("rankers.py"), _HERE.with_name("words.py"))


def _ranker(train: str, *, context: bool) -> Answerer:
    from divlogic.models.rankers import Ranker

    return Ranker(_training(train), context=context)


_BASELINES = {
    baseline.name: baseline
    for baseline in (
        Baseline("uniform", Uniform, code=(_HERE,)),
        Baseline("position", Position, code=(_HERE,)),
        Baseline("majority", lambda train: Majority(_training(train)), needs=("train",), code=(_HERE,)),
        Baseline("overlap", Overlap, code=_RANKERS),
        Baseline("ranker", lambda train: _ranker(train, context=True), needs=("train",), code=_RANKERS),
        Baseline(
            "hypothesis_only", lambda train: _ranker(train, context=False), needs=("train",), code=_RANKERS
        ),
    )
}


def offer(baselines: Iterable[Baseline]) -> None:
    """Make a benchmark's own baselines known under their names; offering them again changes nothing."""
    _BASELINES.update((baseline.name, baseline) for baseline in baselines)


def baseline_named(name: str) -> Baseline:
    """Return a baseline.

    Raises:
        DivLogicError: there is none of that name.
    """
    if name not in _BASELINES:
        raise DivLogicError(f"unknown baseline 'baseline/{name}'; known are {', '.join(_BASELINES)}.")
    return _BASELINES[name]


def files_read(model: str) -> tuple[str, ...]:
    """Return the arguments that name files which a model reads: none but for some of the baselines."""
    kind, _, name = model.partition("/")
    return _BASELINES[name].needs if kind == "baseline" and name in _BASELINES else ()


def build(name: str, args: Mapping[str, Any]) -> Answerer:
    """Make the baseline with the given name and arguments.

    Raises:
        DivLogicError: there is no such baseline, or an argument that it needs is missing or unknown.
    """
    baseline = baseline_named(name)
    lacking = [file for file in baseline.needs if file not in args and file not in baseline.optional]
    if lacking:
        raise DivLogicError(
            f"baseline/{name} reads a file that was not named; give it with --{lacking[0]}, or as `args` in the"
            " parameters."
        )
    try:
        return baseline.build(**args)
    except TypeError as error:
        raise DivLogicError(
            f"baseline/{name}: wrong arguments ({error}); see `args` in the parameters."
        ) from error


def fingerprint(name: str, args: Mapping[str, Any]) -> str:
    """Return a hash of a baseline's code, its arguments and every file it reads: other answers are not reused.

    Raises:
        DivLogicError: there is no such baseline, or a file is missing.
    """
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

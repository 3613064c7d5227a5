"""Keys of predictions: the right answer of what was asked, and the digest of the question.

A prediction brings its own right answer, and instances that users bring may have the same ids in every version. A file
of another run would be scored without a word if its readers did not compare both with this run's records.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from divlogic.errors import DivLogicError
from divlogic.io.files import read_as
from divlogic.models.answers import FormOf
from divlogic.models.asking import askable, questions_of
from divlogic.models.predictions import Prediction, prediction_from
from divlogic.models.requests import ClosedQuestion
from divlogic.models.styles import CLOSED
from divlogic.records import grouped, read_records


class QuestionKey(NamedTuple):
    """The right answer, in every form in which predictions give it, and the digest of the question."""

    gold: Collection[str]
    digest: str


KeyOf = Callable[[Prediction], QuestionKey | None]
"""Returns the key of what a prediction answers; ``None`` where it answers nothing of this run."""

_NOTHING = QuestionKey((), "")


def read_matching(path: Path, key_of: KeyOf) -> Iterator[Prediction]:
    """Yield the predictions of a file; one that does not agree with its key is refused."""
    for number, prediction in read_as(path, prediction_from, "a prediction"):
        require_match(path, number, prediction, key_of(prediction))
        yield prediction


def require_match(path: Path, number: int, prediction: Prediction, key: QuestionKey | None) -> None:
    """Refuse the prediction in a row of a file if it has another right answer or question than its key."""
    if key and (prediction.gold not in key.gold or prediction.question not in ("", key.digest)):
        raise DivLogicError(
            f"{path}, row {number}: the answer of '{prediction.model}' to {prediction.instance!r} belongs to another"
            f" version of {prediction.benchmark} (another seed, or other parameters); run the model again, or leave the"
            " file out."
        )


def keys_of_questions(questions: Iterable[ClosedQuestion]) -> KeyOf:
    """Return the keys of questions; answers to others have none."""
    keys = {
        (one.benchmark, one.prompt, one.instance, one.rotation or 0): QuestionKey(
            (one.gold,), one.digest
        )
        for one in questions
    }
    place = attrgetter("benchmark", "prompt", "instance", "rotation")
    return lambda prediction: keys.get(place(prediction))


def keys_of_records(
    files: Mapping[str, Sequence[Path]], pools: Iterable[Path], *, seed: int, form_of: FormOf
) -> KeyOf:
    """Return the keys of the records of each benchmark; each benchmark is read when it is first met.

    Answers that others recorded are to their own questions and have no key, and neither have those to other benchmarks.

    Args:
        pools: training parts, for prompts with solved examples.
        seed: of the draw of examples.
    """
    training = {next(iter(askable(pool))).benchmark: pool for pool in pools}

    @cache
    def right_answers(benchmark: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for one in chain.from_iterable(map(read_records, files[benchmark])):
            if one.answer is not None and one.options:
                forms = (str(one.answer), one.options[one.answer], form_of(one).shown(one.answer))
                # Data that users bring may have an id twice.
                found.setdefault(one.id, set()).update(forms)
        return found

    @cache
    def digests(benchmark: str, prompt: str) -> dict[str, str]:
        pool = training.get(benchmark)
        shown = list(read_records(pool)) if pool and CLOSED[prompt].has_examples else []
        return {
            one.instance: replace(one, benchmark=benchmark).digest
            for path in files[benchmark]
            if path != pool
            for one in questions_of(askable(path), shown, prompt, seed, form_of)
        }

    def key_of(prediction: Prediction) -> QuestionKey | None:
        benchmark, prompt, instance = prediction.benchmark, prediction.prompt, prediction.instance
        if benchmark not in files or prediction.source == "recorded":
            return None
        if (gold := right_answers(benchmark).get(instance)) is None:
            return _NOTHING
        has_digest = prediction.question and prompt in CLOSED
        return QuestionKey(gold, digests(benchmark, prompt).get(instance, "") if has_digest else "")

    return key_of


def by_benchmark(files: Iterable[Path]) -> dict[str, list[Path]]:
    """Return files of records by the benchmark of their first record; those without records are left out."""
    firsts = [(next(read_records(file), None), file) for file in files]
    pairs_of = grouped([(one.benchmark, file) for one, file in firsts if one], lambda pair: pair[0])
    return {benchmark: [file for _, file in pairs] for benchmark, pairs in pairs_of.items()}

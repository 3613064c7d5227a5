"""Has a model seen the test set? TS-Guessing, continuation and Min-K % Prob, per instance.

Sources: Deng et al. 2024 (TS-Guessing: a wrong option is masked and to be filled in; DivLogicEval, Section 3.3, reports
its exact match rate); Shi et al. 2024 (Min-K % Prob); Lin 2004 (ROUGE-L).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray

from divlogic.contamination.learners import solved, stem
from divlogic.contamination.outcomes import Outcome, summarise, write_outcomes
from divlogic.contamination.parameters import ContaminationRun
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.models.asking import AskingOptions, ask
from divlogic.models.prompts import lettered
from divlogic.models.requests import Question, label_of
from divlogic.records import Record, one_line, read_records, spaced_over_types

if TYPE_CHECKING:
    from divlogic.contamination.networks import Causal

TS_EXACT, TS_ROUGE, TS_TOKENS = (
    f"TS-Guessing, {name}" for name in ("exact match", "ROUGE-L F1", "token match")
)
CONTINUATION_EXACT, CONTINUATION_TOKENS = (
    f"continuation, {name}" for name in ("exact match", "token match")
)
MIN_K = "Min-20 % log-probability"

GENERATED = (TS_EXACT, TS_ROUGE)
"""What can be measured of a model that only answers."""

MEASURES = (*GENERATED, TS_TOKENS, CONTINUATION_EXACT, CONTINUATION_TOKENS, MIN_K)

_MASK = "[MASK]"
_LEAST = 0.2  # Shi et al. 2024: the fifth of the tokens that are least likely
_STREAM = 71
LONGEST = 40
"""Tokens of a completion."""


@dataclass(frozen=True, slots=True)
class Guess(Question):
    """A masked instance as it is put to a model, and the wrong option that stood there."""

    hidden: str
    position: int


def guess_of(record: Record, seed: int) -> Guess:
    """Mask one wrong option, drawn by the seed.

    The prompt asks for the option as the method does (Deng et al. 2024, question-multichoice), in this project's words.
    """
    wrong = [place for place in range(len(record.options)) if place != record.answer]
    position = Draws(seed, _STREAM, *record.id.encode()).pick(wrong)
    letter, shown = ascii_uppercase[position], lettered(record)
    shown[position] = f"{letter}. {_MASK}"
    prompt = (
        f"Fill in {_MASK} in option {letter} of this question of a test set. It is one of the wrong options. Reply with"
        f" the text of option {letter} only.\n\n{_on_lines(record, *shown)}\n\nOption {letter}:"
    )
    return Guess(record.benchmark, record.id, prompt, one_line(record.options[position]), position)


def guess_scores(model: Causal, records: Sequence[Record], seed: int) -> NDArray[np.float64]:
    """Return the numbers of :data:`MEASURES` for each record; shape (records, 6).

    All but the last are fractions; that is the mean log-probability, in nats, of the fifth of the tokens of the whole
    text that are least likely.
    """
    guesses = [guess_of(record, seed) for record in records]
    completions = model.generate([guess.input for guess in guesses], LONGEST)
    rows = []
    for record, guess, completion in zip(records, guesses, completions, strict=True):
        _, filled = model.token_scores(guess.input, f" {guess.hidden}")
        logs, likeliest, places = model.text_scores(solved(record))
        before = [*lettered(record)[: guess.position], f"{ascii_uppercase[guess.position]}. "]
        first = len(_on_lines(record, *before))
        continued = [
            hit
            for hit, at in zip(likeliest, places, strict=True)
            if first < at <= first + len(guess.hidden)
        ]
        rows.append(
            [
                *completion_scores(completion, guess.hidden),
                float(np.mean(filled)),
                float(all(continued)),
                float(np.mean(continued)),
                min_k(logs),
            ]
        )
    return np.array(rows)


def completion_scores(completion: str, hidden: str) -> tuple[float, float]:
    """Return exact match and ROUGE-L F1 of the first line of a completion; case and marks make no difference.

    >>> completion_scores(" A man sleeps.", "a man sleeps")
    (1.0, 1.0)
    """
    first = next((line for line in completion.split("\n") if line.strip()), "")
    said, wanted = _words(re.sub(r"^\s*(?:option\s+)?[A-J][.:)]\s+", "", first)), _words(hidden)
    return float(said == wanted), rouge_l(said, wanted)


def rouge_l(said: Sequence[str], wanted: Sequence[str]) -> float:
    """Return the F1 of the longest common subsequence (Lin 2004), 0 where either has no word.

    >>> round(rouge_l(["a", "man", "sleeps"], ["a", "tall", "man", "sleeps"]), 4)
    0.8571
    """
    lengths = [0] * (len(wanted) + 1)
    for word in said:
        diagonal = 0
        for place, other in enumerate(wanted, start=1):
            above = lengths[place]
            lengths[place] = diagonal + 1 if word == other else max(above, lengths[place - 1])
            diagonal = above
    common = lengths[-1]
    return 2 * common / (len(said) + len(wanted)) if common else 0.0


def min_k(logs: Sequence[float]) -> float:
    """Return the mean of the lowest fifth of log-probabilities, of one at least (Shi et al. 2024).

    >>> min_k([-1.0, -5.0, -2.0, -3.0, -1.0])
    -5.0
    """
    count = max(1, int(_LEAST * len(logs)))
    return float(np.mean(sorted(logs)[:count]))


def _on_lines(record: Record, *options: str) -> str:
    return "\n".join([stem(record), *options])


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:['’]\w+)?", text.casefold())


WHOLE = "test"
"""The sample that is asked: the test split, of which nobody knows whether the model has seen it."""


def guess_options(
    given: AskingOptions,
    test: Annotated[Path, "Records with options and answers (jsonl)."],
    out: Annotated[Path, "Outcomes (jsonl)."],
    params: ContaminationRun,
) -> None:
    """Ask a model to fill in a masked wrong option of each instance (TS-Guessing).

    Exact match and ROUGE-L F1 are written. Any model of Inspect's can be asked, or one that is served here.
    """
    settings = params.contamination
    model = given.model(settings.models)
    records = [one for one in read_records(test) if one.answer is not None and len(one.options) > 1]
    if not records:
        raise DivLogicError(
            f"{test}: no record has options and an answer; there is nothing to ask."
        )
    answers = ask(
        [
            [
                guess_of(record, params.seed)
                for record in spaced_over_types(records, settings.guessed)
            ]
        ],
        given.store,
        model=model,
        runs=1,
        sampling=settings.sampling,
        limits=given.limits(settings.limits),
        seed=params.seed,
    )
    scores = [
        completion_scores(request.read(reply) or "", request.question.hidden)
        for request, reply in answers
    ]
    drawn = {"seed": params.seed, "resamples": settings.resamples}
    found: list[Outcome] = []
    for measure, column in zip(GENERATED, np.array(scores).T, strict=True):
        found += summarise(label_of(model), WHOLE, measure, {"before": [column]}, **drawn)
    write_outcomes(out, found)

"""Accuracy on JustLogic by depth, argument form and label, the baseline that needs no key, and recorded questions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.readers import read_benchmark
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.intervals import cluster_means, estimates
from divlogic.io.files import write_jsonl
from divlogic.io.log import say
from divlogic.io.tables import declared_tables
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.recordings.reading import recordings_in
from divlogic.records import Record, read_records

TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))
OVERLAP = "context overlap"
READER = "recorded:justlogic"
"""Reader, as the registry calls it, of answers that were given with the context."""

_NEGATION = re.compile(
    r"n't\b|\b(?:not|no|never|unless|false|wrong|untrue|incorrect|mistaken|mistake|misconception)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Case:
    """One answered instance and what may make it hard.

    Attributes:
        instance: its id; several runs answer the same one.
        system, setting, source: who answered, to which prompt, and where the answer comes from.
        correct: whether the answer is right.
        label: the right answer.
        depth: steps of the argument.
        forms: its argument forms, one per step.
        negations: negating words in context and query.
        words: words of context and query.
    """

    instance: str
    system: str
    setting: str
    source: str
    correct: bool
    label: str
    depth: int
    forms: tuple[str, ...]
    negations: int
    words: int


def cases_of(predictions: Iterable[Prediction], records: Iterable[Record]) -> Iterator[Case]:
    """Join predictions with their instances; instances that were never asked are no cases.

    Raises:
        DivLogicError: a prediction belongs to none of the records, or the records have no depth.
    """
    by_id = {record.id: record for record in records}
    for prediction in predictions:
        if not prediction.asked:
            continue
        record = by_id.get(prediction.instance)
        if record is None:
            raise DivLogicError(
                f"the answer to '{prediction.instance}' of {prediction.benchmark} belongs to none of the records; give"
                " the file that was asked."
            )
        if record.depth is None:
            raise DivLogicError(
                f"the record '{record.id}' has no depth; only JustLogic's kind of records has."
            )
        text = f"{record.context} {record.question}"
        yield Case(
            prediction.instance,
            prediction.model,
            prediction.prompt,
            prediction.source,
            prediction.correct,
            prediction.gold.casefold(),
            record.depth,
            # JustLogic's files write "Modus Tonens".
            tuple(
                name.strip().lower().replace(" ", "_").replace("tonens", "tollens")
                for name in record.forms or ()
            ),
            len(_NEGATION.findall(text)),
            len(text.split()),
        )


def overlap(
    records: Annotated[tuple[Path, ...], ARGUMENT], *, out: Annotated[Path, "Predictions (jsonl)."]
) -> None:
    """Answer JustLogic's RECORDS by word overlap with the context."""
    write_predictions(out, (one for path in records for one in overlap_predictions(read_records(path))))


def recorded_questions(
    folders: Annotated[tuple[Path, ...], ARGUMENT, FOLDER] = (),
    *,
    out: Annotated[Path, "The questions (jsonl)."],
) -> None:
    """Write the questions that JustLogic's recordings in corpus FOLDERS answer; without any, the file is empty.

    Raises:
        DivLogicError: a manifest is missing or a file does not have its form.
    """
    asked: dict[str, Record] = {}
    for recording in recordings_in(folders, READER):
        try:
            # The recording's report counts odd rows.
            records = list(read_benchmark(Path(recording.file), "justlogic", on_problem=lambda *_: None))
        except DivLogicError as error:
            say(f"{error} Its questions are left out.")
            continue
        asked |= {record.id: record for record in records}
    write_jsonl(out, (record.to_json() for record in asked.values()))


def overlap_predictions(records: Iterable[Record]) -> Iterator[Prediction]:
    """Answer by word overlap: the baseline that needs no key and does not reason.

    A query whose words hardly occur in the context is called uncertain. Else it is called true if it holds as many
    negating words (evenly or oddly) as the context's sentence that it shares most words with, and false if not.
    """
    for record in records:
        if record.answer is None:
            continue
        asked = _words(record.question)
        sentences = re.split(r"(?<=\.) ", record.context)
        shared = [len(asked & _words(sentence)) for sentence in sentences]
        # The templates' own words make up a few matches: an absent statement shares less than half of its words.
        if not asked or len(asked & _words(record.context)) / len(asked) < 0.8:
            predicted = "Uncertain"
        else:
            nearest = sentences[max(range(len(sentences)), key=lambda at: (shared[at], -at))]
            same = len(_NEGATION.findall(nearest)) % 2 == len(_NEGATION.findall(record.question)) % 2
            predicted = "True" if same else "False"
        named = (record.benchmark, OVERLAP, "zero_shot", record.id, record.options[record.answer], predicted)
        yield Prediction(*named, source="baseline", choices=len(record.options), depth=record.depth)


def write_groups(cases: Iterable[Case], base: Path, *, seed: int, resamples: int) -> list[dict[str, Any]]:
    """Write the table of accuracy by depth, form and label (csv, md, tex, json); return its rows."""
    hits: dict[tuple[str, str, str, str, Any], list[tuple[str, bool]]] = defaultdict(list)
    for case in cases:
        who = (case.system, case.setting, case.source)
        forms = (("form", form) for form in sorted(set(case.forms)))
        for group in (("depth", case.depth), ("label", case.label), *forms):
            hits[*who, *group].append((case.instance, case.correct))
    rows = []
    for key in sorted(hits, key=lambda key: (*key[:4], key[4] if key[3] != "depth" else f"{key[4]:06d}")):
        shares = cluster_means(*zip(*hits[key], strict=True))
        (accuracy,) = estimates(shares[:, None], seed=seed, resamples=resamples)
        rows.append(TABLES["groups"].row(*key, len(shares), *accuracy.cells("accuracy").values()))
    TABLES["groups"].write(base, rows)
    return rows


def _words(text: str) -> set[str]:
    """Return the words of a text that carry its content."""
    return {word for word in re.findall(r"[a-z']+", text.lower()) if word not in _FRAME_WORDS}


_FRAME_WORDS = set(
    re.findall(
        r"\w+",
        "the a an is are it that true false not case if then either or claim statement at least one of both these be"
        " right wrong correct who say says those anyone idea fact holds to think misconception mistake also can only"
        " when",
    )
)

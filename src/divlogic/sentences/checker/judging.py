"""What the checker thinks of the sentence pairs that benchmarks use, against verdicts of readers."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_as, read_json, read_lines, write_json, write_jsonl
from divlogic.io.log import say
from divlogic.io.tables import write_table
from divlogic.records import read_records
from divlogic.sentences.checker.groups import WANTED, Judge, as_sentence
from divlogic.sentences.checker.labels import COLUMNS as LABEL_COLUMNS
from divlogic.sentences.checker.labels import label_shares, pairs_in_use
from divlogic.sentences.checker.sample import LABELS
from divlogic.sentences.groups import checked_group

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
"""Values of `sentences.min_entailment` that the table tries."""

DIFFERENT = "different variables"
_LABEL_OF = {**WANTED, DIFFERENT: "neutral"}
_STREAM = 89
COLUMNS = (
    *("source", "role", "threshold", "pairs", "refused", "read", "wrong"),
    *("refused_read", "precision", "kept_read", "kept_wrong"),
    *LABEL_COLUMNS,
)
NOTE = """\
What `sentences.min_entailment` would refuse at some thresholds: pairs of a premise and a hypothesis that may stand for
it (entailed), that contradicts it (contradicted), or that words another variable of the same instance and should be
neutral. The checker: an encoder that was trained on sentence pairs with other premises. refused: share of the pairs to
whose label it gives a probability below the threshold, in percent. read: pairs read by hand; wrong: share of these
whose label does not hold for certain. precision: of those read that are refused, the share whose label does not;
kept_wrong: the same share of those read that are kept. Where some were read, doubted ones (below {doubt:g}) were
preferred. A contradiction is read as one if both sentences can hardly be true of one scene; the parameter refuses
entailed hypotheses alone, whatever the checker thinks of contradictions. doubted: share of the instances whose
sentences are tied to one another by at least one refused pair; instances_wrong: by at least one pair whose label does
not hold, as far as the read pairs tell; instances_wrong_kept: the same once the refused pairs are gone. All rows are
recorded{remark}."""
DOUBT = 0.3
"""Half of the pairs that are chosen for reading have a probability below it."""


def pairs_of_groups(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the pairs of a file of sentence groups.

    Raises:
        DivLogicError: the file is missing, or a row is no group.
    """
    for _, group in read_as(path, checked_group, "a group of sentences"):
        for role in WANTED:
            for sentence in group[role]:
                yield _pair(group["source"], role, group["premise"]["text"], sentence["text"])


def pairs_of_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the pairs that word the instances of a benchmark, and the premises of different variables of an instance.

    Raises:
        DivLogicError: the file is missing, or a record does not tell its sentences.
    """
    for record in read_records(path):
        variables = record.sentences or {}
        try:
            for worded in variables.values():
                hypotheses = [("entailed", text) for text in worded["hypotheses"]]
                hypotheses += [("contradicted", worded["contradiction"])] if "contradiction" in worded else []
                for role, text in hypotheses:
                    yield _pair(worded["source"], role, worded["premise"], text)
            for one, other in combinations(variables.values(), 2):
                yield _pair(record.id, DIFFERENT, one["premise"], other["premise"])
        except (KeyError, TypeError) as error:
            raise DivLogicError(
                f"{path}: the record {record.id} does not tell its sentences ({error!r}); give DivLogicEval's records."
            ) from error


def pairs_that_decide(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the entailed pairs by which the sentences of instances are tied, as often as each is used."""
    for _, pairs in pairs_in_use(path):
        for source, premise, hypothesis in pairs:
            yield _pair(source, "entailed", premise, hypothesis)


def judge_pairs(pairs: Iterable[dict[str, Any]], judge: Judge, out: Path, *, most: int, seed: int) -> int:
    """Write pairs with the probabilities of their labels (jsonl), at most ``most`` of each role, drawn at random."""
    by_role: dict[str, dict[str, dict[str, Any]]] = {}
    for pair in pairs:
        by_role.setdefault(pair["role"], {})[pair["id"]] = pair
    chosen: list[dict[str, Any]] = []
    for role in _LABEL_OF:
        own = by_role.get(role, {})
        drawn = Draws(seed, _STREAM).shuffled(sorted(own))[:most]
        chosen += [own[identifier] for identifier in sorted(drawn)]
    if not chosen:
        raise DivLogicError(f"{out}: there is no pair to judge; give groups or records with hypotheses.")
    say(f"judging {len(chosen):,} pairs")
    texts = [(as_sentence(pair["premise"]), as_sentence(pair["hypothesis"])) for pair in chosen]
    for pair, chances in zip(chosen, judge.probabilities(texts), strict=True):
        pair["nli"] = dict(zip(LABELS, (round(chance, 4) for chance in chances), strict=True))
    return write_jsonl(out, chosen)


def to_be_read(judged: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """Return pairs for reading by hand in random order: half of them doubted ones, if there are as many.

    Raises:
        DivLogicError: the file is missing, or a row is no judged pair.
    """
    rows = [row for row in _judged(judged) if row["role"] in WANTED]
    rows = Draws(seed, _STREAM, 1).shuffled(rows)
    doubted = [row for row in rows if _chance(row) < DOUBT][: count // 2]
    others = [row for row in rows if _chance(row) >= DOUBT][: count - len(doubted)]
    return Draws(seed, _STREAM, 2).shuffled([*doubted, *others])


def read_verdicts(path: Path) -> dict[str, bool]:
    """Return what readers found: by the id of a pair whether its label holds (csv: ``id,holds`` with ``yes``, ``no``).

    Raises:
        DivLogicError: the file is missing, or a row is none of these.
    """
    found = {}
    for number, row in enumerate(csv.DictReader(line for _, line in read_lines(path)), start=2):
        if row.get("holds") not in ("yes", "no") or not row.get("id"):
            raise DivLogicError(f"{path}, row {number}: not `id,holds` with `yes` or `no`; correct that row.")
        found[row["id"]] = row["holds"] == "yes"
    return found


def threshold_rows(source: str, judged: Path, verdicts: Mapping[str, bool]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table: for each role and threshold what is refused, and how much of it was wrong.

    Args:
        source: name of what was judged.
        judged: what :func:`judge_pairs` wrote.
        verdicts: what readers found.
    """
    rows = list(_judged(judged))
    for role in _LABEL_OF:
        own = [row for row in rows if row["role"] == role]
        if not own:
            continue
        chances = np.array([_chance(row) for row in own])
        read = [(_chance(row), verdicts[row["id"]]) for row in own if row["id"] in verdicts]
        for threshold in THRESHOLDS:
            refused = [holds for chance, holds in read if chance < threshold]
            kept = [holds for chance, holds in read if chance >= threshold]
            yield {
                "source": source,
                "role": role,
                "threshold": threshold,
                "pairs": len(own),
                "refused": 100 * float((chances < threshold).mean()),
                "read": len(read),
                "wrong": _wrong([holds for _, holds in read]),
                "refused_read": len(refused),
                "precision": _wrong(refused),
                "kept_read": len(kept),
                "kept_wrong": _wrong(kept),
            }


def record_check(
    source: str,
    judged: Path,
    verdicts: Mapping[str, bool],
    origin: Path,
    checker: Path,
    out: Path,
    *,
    deciding: Path | None = None,
) -> None:
    """Write the rows as a recording that later runs show: numbers, what was judged, and by which checker.

    Args:
        source, judged, verdicts: as for :func:`threshold_rows`.
        origin: the file that the pairs are from, whose hash is kept.
        checker: what is known of the checker (``about.json``).
        out: the recording (json).
        deciding: what :func:`judge_pairs` wrote of all :func:`pairs_that_decide`.

    Raises:
        DivLogicError: a file is missing or broken, or ``deciding`` lacks a pair that is in use.
    """
    rows = list(threshold_rows(source, judged, verdicts))
    if deciding is not None:
        instances = _instances(origin, deciding)
        read = [
            (_chance(row), verdicts[row["id"]])
            for row in _judged(judged)
            if row["role"] == "entailed" and row["id"] in verdicts
        ]
        for row in rows:
            if row["role"] == "entailed":
                row |= label_shares(instances, read, row["threshold"], DOUBT)
    about = {"checker": read_json(checker), "judged_sha256": file_sha256(origin)}
    answers = {identifier: "yes" if holds else "no" for identifier, holds in sorted(verdicts.items())}
    write_json(out, {"about": about, "rows": rows, "verdicts": answers}, note=False)


def tabulate_check(recordings: Sequence[Path], out: Path) -> None:
    """Write recorded rows as a table; the note says by their hashes which files were judged.

    Args:
        recordings: files of :func:`record_check`.
        out: the table without suffix.

    Raises:
        DivLogicError: a recording is malformed.
    """
    rows: list[dict[str, Any]] = []
    judged = []
    for path in recordings:
        kept = read_json(path)
        try:
            own = [
                {name: row.get(name) if name in LABEL_COLUMNS else row[name] for name in COLUMNS}
                for row in kept["rows"]
            ]
            judged.append(f"{own[0]['source']} (SHA-256 {kept['about']['judged_sha256'][:12]}…)")
        except (KeyError, TypeError, IndexError) as error:
            raise DivLogicError(
                f"{path}: not a recording of the checker ({error!r}); restore it with git."
            ) from error
        rows += own
    units = dict.fromkeys(("refused", "wrong", "precision", "kept_wrong", *LABEL_COLUMNS[1:]), "percent")
    note = NOTE.format(doubt=DOUBT, remark=f"; judged were {', '.join(judged)}" if judged else "")
    write_table(out, COLUMNS, rows, note, floats={"threshold": 2, **dict.fromkeys(units, 1)}, units=units)


def _instances(records: Path, deciding: Path) -> list[list[float]]:
    chances = {row["id"]: _chance(row) for row in _judged(deciding)}
    found = []
    for name, pairs in pairs_in_use(records):
        identifiers = [_pair(source, "entailed", *texts)["id"] for source, *texts in pairs]
        if any(identifier not in chances for identifier in identifiers):
            raise DivLogicError(
                f"{deciding}: a pair of the record {name} is not judged; judge all of {records} with --in-use and a"
                " larger --most."
            )
        found.append([chances[identifier] for identifier in identifiers])
    return found


def _pair(source: str, role: str, premise: str, hypothesis: str) -> dict[str, Any]:
    identifier = hashlib.sha256(f"{role}\n{premise}\n{hypothesis}".encode()).hexdigest()[:12]
    return {"id": identifier, "source": source, "role": role, "premise": premise, "hypothesis": hypothesis}


def _judged(path: Path) -> Iterator[dict[str, Any]]:
    for _, row in read_as(path, _checked, "a pair that the checker judged"):
        yield row


def _checked(row: dict[str, Any]) -> dict[str, Any]:
    if row["role"] not in _LABEL_OF or not isinstance(row["nli"][_LABEL_OF[row["role"]]], float | int):
        raise ValueError("its role or its probabilities are unknown")
    return row


def _chance(row: Mapping[str, Any]) -> float:
    return float(row["nli"][_LABEL_OF[row["role"]]])


def _wrong(holds: Sequence[bool]) -> float | None:
    return 100 * (1 - sum(holds) / len(holds)) if holds else None

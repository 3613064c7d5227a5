"""What the checker thinks of sentence pairs: in sentence groups, which lose hypotheses, and in benchmarks, against
verdicts of readers."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, combinations, islice
from pathlib import Path
from typing import Annotated, Any

import click
import numpy as np

from divlogic.config.command import ARGUMENT, BASE, FOLDER
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_json, read_jsonl, read_lines, write_json, write_jsonl
from divlogic.io.log import say, track
from divlogic.io.tables import declared_tables
from divlogic.networks.training import PairNetwork
from divlogic.records import grouped, read_records
from divlogic.sentences.checker.training import ABOUT, LABELS, load_checker
from divlogic.sentences.groups import write_counts
from divlogic.sentences.merging import read_counts, watched
from divlogic.sentences.parameters import SentencesRun

WANTED = {"entailed": "entailment", "contradicted": "contradiction"}
"""The label that a hypothesis must bear to its premise, by its role in the group."""

REFUSED = "doubted_by_checker"
_BLOCK = 1024
_ENTAILED = re.compile(r"\(([A-Z]+)0→\1([1-9]\d*)\)")
LABEL_COLUMNS = ("instances", "doubted", "instances_wrong", "instances_wrong_kept")
THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
"""Values of `sentences.min_entailment` that the table tries."""

DIFFERENT = "different variables"
_LABEL_OF = {**WANTED, DIFFERENT: "neutral"}
_STREAM = 89
_TABLE = declared_tables(Path(__file__).with_name("tables.yaml"))["entailment"]
DOUBT = 0.3
"""Half of the pairs that are chosen for reading have a probability below it."""


def as_sentence(text: str) -> str:
    """Return a text in mid-sentence form as a sentence, the form of the pairs that the checker was trained on.

    >>> as_sentence("a man sleeps")
    'A man sleeps.'
    """
    return f"{text[:1].upper()}{text[1:]}."


def check_groups(
    source: Annotated[Path, "--in", "Merged groups (jsonl.gz)."],
    *,
    checker: Annotated[Path, FOLDER, "Folder of the trained checker."],
    counts: Annotated[Path, "Outcomes of sentences until here (csv)."],
    out: Annotated[Path, "Groups with probabilities, filtered (jsonl.gz)."],
    counts_out: Annotated[Path, "Outcomes of sentences (csv)."],
    summary_out: Annotated[Path, "Numbers of groups, sentences, words (json)."],
    params: SentencesRun,
) -> int:
    """Give each hypothesis its probabilities, and leave entailed ones below `sentences.min_entailment` out.

    Contradicted hypotheses tell their probabilities and stay: of those that a checker doubted, a reader found none
    wrong (docs/phases/sentences.md).

    Returns:
        The number of hypotheses that are left out.
    """
    section = params.sentences
    least = section.min_entailment or 0.0
    judge = load_checker(checker, section.checker, params.seed)
    total = read_counts(counts)
    doubted: Counter[tuple[str, str]] = Counter()
    summary: dict[str, int] = {}
    rows = (row for _, row in read_jsonl(source))
    write_jsonl(out, watched(track(_checked(rows, judge, least, doubted), "groups"), summary))
    for (corpus, role), number in doubted.items():
        total[corpus, role, "kept"] -= number
        total[corpus, role, REFUSED] += number
    write_counts(counts_out, total)
    write_json(summary_out, summary)
    say(f"sentences: {doubted.total():,} hypotheses below {least:g} are left out")
    return doubted.total()


def _checked(
    groups: Iterable[dict[str, Any]], judge: PairNetwork, least: float, doubted: Counter[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    rest = iter(groups)
    while block := list(islice(rest, _BLOCK)):
        sentences = [(group, one) for group in block for role in WANTED for one in group[role]]
        pairs = [(group["premise"]["text"], sentence["text"]) for group, sentence in sentences]
        for (_, sentence), chances in zip(sentences, _chances(judge, pairs), strict=True):
            sentence["nli"] = chances
        for group in block:
            kept = [one for one in group["entailed"] if one["nli"][WANTED["entailed"]] >= least]
            doubted[group["corpus"], "entailed"] += len(group["entailed"]) - len(kept)
            group["entailed"] = kept
            yield group


def _chances(judge: PairNetwork, texts: Sequence[tuple[str, str]]) -> Iterator[dict[str, float]]:
    """Yield the probability of each label of each pair, which is judged as two sentences."""
    pairs = [(as_sentence(premise), as_sentence(hypothesis)) for premise, hypothesis in texts]
    for chances in judge.probabilities(pairs):
        yield dict(zip(LABELS, (round(chance, 4) for chance in chances), strict=True))


def pairs_of_groups(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the pairs of a file of sentence groups."""
    for _, group in read_jsonl(path):
        for role in WANTED:
            for sentence in group[role]:
                yield _pair(group["source"], role, group["premise"]["text"], sentence["text"])


def pairs_of_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the pairs that word the instances of a benchmark, and the premises of its different variables."""
    for record in read_records(path):
        variables = record.sentences or {}
        with _telling(path, record.id):
            for worded in variables.values():
                hypotheses = [("entailed", text) for text in worded["hypotheses"]]
                hypotheses += [("contradicted", worded["contradiction"])] if "contradiction" in worded else []
                for role, text in hypotheses:
                    yield _pair(worded["source"], role, worded["premise"], text)
            for one, other in combinations(variables.values(), 2):
                yield _pair(record.id, DIFFERENT, one["premise"], other["premise"])


@contextmanager
def _telling(path: Path, name: str) -> Iterator[None]:
    """Name the file and the record that does not tell its sentences."""
    try:
        yield
    except (KeyError, TypeError, IndexError) as error:
        raise DivLogicError(
            f"{path}: the record {name} does not tell its sentences ({error!r}); give DivLogicEval's records."
        ) from error


def pairs_that_decide(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the entailed pairs by which the sentences of instances are tied, as often as each is used."""
    for source, *texts in chain.from_iterable(pairs for _, pairs in pairs_in_use(path)):
        yield _pair(source, "entailed", *texts)


def judge_pairs(
    *,
    groups: Annotated[Path | None, "Sentence groups to judge (jsonl.gz)."] = None,
    records: Annotated[Path | None, "Records of DivLogicEval whose sentences are judged (jsonl)."] = None,
    in_use: Annotated[bool, "Of the records only the entailed pairs that their labels rest on."] = False,
    checker: Annotated[Path, FOLDER, "Folder of the trained checker."],
    most: Annotated[int, click.IntRange(min=1), "Pairs of each role."] = 2000,
    out: Annotated[Path, "The pairs with their probabilities (jsonl)."],
    params: SentencesRun,
) -> int:
    """Let the checker judge the sentence pairs of groups or of a benchmark, drawn at random."""
    if (groups is None) == (records is None):
        raise DivLogicError("give either --groups or --records.")
    of_records = pairs_that_decide if in_use else pairs_of_records
    by_role: dict[str, dict[str, dict[str, Any]]] = {}
    for pair in pairs_of_groups(groups) if groups else of_records(records) if records else ():
        by_role.setdefault(pair["role"], {})[pair["id"]] = pair
    chosen: list[dict[str, Any]] = []
    for role in _LABEL_OF:
        own = by_role.get(role, {})
        drawn = Draws(params.seed, _STREAM).shuffled(sorted(own))[:most]
        chosen += [own[identifier] for identifier in sorted(drawn)]
    if not chosen:
        raise DivLogicError(f"{out}: there is no pair to judge; give groups or records with hypotheses.")
    say(f"judging {len(chosen):,} pairs")
    judge = load_checker(checker, params.sentences.checker, params.seed)
    texts = [(pair["premise"], pair["hypothesis"]) for pair in chosen]
    for pair, chances in zip(chosen, _chances(judge, texts), strict=True):
        pair["nli"] = chances
    return write_jsonl(out, chosen)


def show_pairs(
    judged: Annotated[Path, ARGUMENT],
    *,
    count: Annotated[int, click.IntRange(min=2), "Pairs to be read."] = 100,
    params: SentencesRun,
) -> None:
    """Print judged pairs for reading by hand, without what the checker thinks of them."""
    for row in to_be_read(judged, count, params.seed):
        click.echo(f"{row['id']}  {row['role']:<12}  {row['premise']}  =>  {row['hypothesis']}")


def to_be_read(judged: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """Return pairs for reading by hand in random order: half of them doubted ones, if there are as many."""
    rows = [row for row in _judged(judged) if row["role"] in WANTED]
    rows = Draws(seed, _STREAM, 1).shuffled(rows)
    doubted = [row for row in rows if _chance(row) < DOUBT][: count // 2]
    others = [row for row in rows if _chance(row) >= DOUBT][: count - len(doubted)]
    return Draws(seed, _STREAM, 2).shuffled([*doubted, *others])


def read_verdicts(path: Path) -> dict[str, bool]:
    """Return what readers found: by the id of a pair whether its label holds (csv: ``id,holds``, ``yes`` or ``no``)."""
    found = {}
    for number, row in enumerate(csv.DictReader(line for _, line in read_lines(path)), start=2):
        if row.get("holds") not in ("yes", "no") or not row.get("id"):
            raise DivLogicError(f"{path}, row {number}: not `id,holds` with `yes` or `no`; correct that row.")
        found[row["id"]] = row["holds"] == "yes"
    return found


def threshold_rows(source: str, judged: Path, verdicts: Mapping[str, bool]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table: for each role and threshold what is refused, and how much of it was wrong."""
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
            named = (source, role, threshold, len(own), 100 * float((chances < threshold).mean()))
            found = [(len(part), _wrong(part)) for part in ([holds for _, holds in read], refused, kept)]
            yield dict(zip(_TABLE.names, (*named, *chain.from_iterable(found)), strict=False))


def record_check(
    judged: Annotated[Path, ARGUMENT],
    *,
    verdicts: Annotated[Path, "What readers found (csv: id,holds)."],
    source: Annotated[str, "Name of what was judged, in the table."],
    origin: Annotated[Path, "The file that was judged."],
    labels: Annotated[Path | None, "Judged pairs in use of all its records (judge --in-use)."] = None,
    checker: Annotated[Path, FOLDER, "Folder of the trained checker."],
    out: Annotated[Path, "The recording (json), in data/recorded/checker."],
) -> None:
    """Record what the checker would refuse and how often it is right: numbers and ids, no sentence."""
    found = read_verdicts(verdicts)
    rows = list(threshold_rows(source, judged, found))
    if labels is not None:
        instances = _instances(origin, labels)
        entailed = (row for row in _judged(judged) if row["role"] == "entailed")
        read = [(_chance(row), found[row["id"]]) for row in entailed if row["id"] in found]
        for row in rows:
            if row["role"] == "entailed":
                row |= label_shares(instances, read, row["threshold"], DOUBT)
    about = {"checker": read_json(checker / ABOUT), "judged_sha256": file_sha256(origin)}
    answers = {identifier: "yes" if holds else "no" for identifier, holds in sorted(found.items())}
    write_json(out, {"about": about, "rows": rows, "verdicts": answers}, note=False)


def tabulate_check(
    recordings: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    out: Annotated[Path, BASE, "Table, without suffix."],
) -> None:
    """Write the table of what the checker would refuse, from recordings.

    The note says by their hashes which files were judged.
    """
    rows, judged = [], []
    for path in recordings:
        kept = read_json(path, "about", "rows")
        own = [{name: row.get(name) for name in _TABLE.names} for row in kept["rows"]]
        judged.append(f"{own[0]['source']} (SHA-256 {kept['about']['judged_sha256'][:12]}…)")
        rows += own
    _TABLE.write(out, rows, doubt=DOUBT, remark=f"; judged were {', '.join(judged)}" if judged else "")


def pairs_in_use(path: Path) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Yield each instance with the pairs (source, premise, hypothesis) by which its sentences are tied to one another.

    Only these decide a label: a hypothesis that stands in no sentence, or without its premise, is a variable by itself.
    """
    for record in read_records(path):
        variables: Mapping[str, Any] = record.sentences or {}
        pairs = []
        with _telling(path, record.id):
            for axiom in record.metadata["worded"]["axioms"]:
                if found := _ENTAILED.fullmatch(axiom):
                    own = variables[found[1]]
                    pairs.append((own["source"], own["premise"], own["hypotheses"][int(found[2]) - 1]))
        yield record.id, pairs


def label_shares(
    instances: Sequence[Sequence[float]], read: Sequence[tuple[float, bool]], threshold: float, doubt: float
) -> dict[str, float | None]:
    """Return how many instances rest on a doubted pair, and how many on a wrong one before and after these are refused.

    Args:
        instances: for each instance the probabilities of the pairs in use.
        read: pairs that were read: their probability, and whether their label holds. They were drawn apart below and
            above ``doubt``, so that the share of wrong ones is taken by the place of a pair between these limits.
        threshold: pairs below it are refused.
        doubt: the limit that the draw had.

    Returns:
        The values of :data:`LABEL_COLUMNS`; ``None`` for what too few read pairs tell.
    """
    bounds = sorted({threshold, doubt})

    def place(chance: float) -> int:
        return sum(chance >= bound for bound in bounds)

    held = grouped(read, lambda one: place(one[0]))
    wrong = {at: 1 - sum(holds for _, holds in own) / len(own) for at, own in held.items()}
    needed = {place(chance) for pairs in instances for chance in pairs}

    def share(least: float) -> float | None:
        if not needed <= wrong.keys():
            return None
        total = 0.0
        for pairs in instances:
            sound = 1.0
            for chance in pairs:
                sound *= 1 - wrong[place(chance)] * (chance >= least)
            total += 1 - sound
        return 100 * total / len(instances)

    doubted = sum(any(chance < threshold for chance in pairs) for pairs in instances)
    values = (len(instances), 100 * doubted / len(instances), share(0.0), share(threshold))
    return dict(zip(LABEL_COLUMNS, values, strict=True))


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
    for _, row in read_jsonl(path):
        yield row


def _chance(row: Mapping[str, Any]) -> float:
    return float(row["nli"][_LABEL_OF[row["role"]]])


def _wrong(holds: Sequence[bool]) -> float | None:
    return 100 * (1 - sum(holds) / len(holds)) if holds else None

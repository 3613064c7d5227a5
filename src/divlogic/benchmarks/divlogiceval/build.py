"""The passes that make DivLogicEval: symbolic instances, plan, wording, assembly.

Work is cut into shards of consecutive indices. An instance depends on the seed, its index and its sentence groups only,
and which groups it receives follows from a prefix sum over all instances; so the union of the shards is the same
however many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.divlogiceval.draw import (
    SymbolicInstance,
    draw_instance,
)
from divlogic.benchmarks.divlogiceval.groups import read_groups, without_shared_sentences
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.realise import realise, symbolic_twin
from divlogic.benchmarks.divlogiceval.sizes import QUARTET, QUESTION_TYPES, share_out
from divlogic.benchmarks.divlogiceval.wording import Wording
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.config.command import ARGUMENT
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import (
    copy_file,
    open_bytes,
    read_as,
    read_json,
    write_csv,
    write_json,
    write_jsonl,
)
from divlogic.io.log import say, track
from divlogic.io.shards import expanded
from divlogic.io.tables import write_listing
from divlogic.records import read_records

SPLITS = ("test", "unpolished")
_ORDER_STREAM = 7
BLOCK = 100 * QUARTET
"""Instances among which the members of quartets are put apart."""


def write_symbolic(out: Path, shard: int, shards: int, parameters: BenchmarksRun) -> int:
    """Draw the symbolic instances of one shard; return their number.

    Each row holds the instance's ``index``, the number of sentence groups that it ``needs``, and the instance.
    """
    settings = parameters.benchmarks.divlogiceval
    check_shard(shard, shards)
    indices = shard_range(wanted_instances(settings), shard, shards)

    def rows() -> Iterator[dict[str, Any]]:
        for index in track(indices, "symbolic instances", total=len(indices)):
            instance = draw_instance(parameters.seed, drawn_index(index, settings), settings)
            yield {"index": index, "needs": len(instance.variables), **instance.to_json()}

    return write_jsonl(out, rows())


def write_plan(
    symbolic: Annotated[tuple[Path, ...], ARGUMENT, expanded],
    groups: Annotated[Path, "Shuffled sentence groups."],
    out: Annotated[Path, "The plan (json)."],
    parameters: BenchmarksRun,
) -> dict[str, Any]:
    """Decide how many instances the sentence groups allow, from the SYMBOLIC shards in order.

    Each group serves at most one instance. The test split is served first. The plan says of each shard with which
    group it begins, and at which byte of the file of groups, so that the shard need not read the groups before.

    Args:
        symbolic: the symbolic shards, in order.
        groups: the shuffled sentence groups.
        out: where the plan is written.
        parameters: wanted sizes.

    Raises:
        DivLogicError: there are too few groups for a single instance of each question type, or the shards are not
            all there in order.
    """
    wanted = {split: getattr(parameters.benchmarks.divlogiceval.splits, split) for split in SPLITS}
    starts: list[dict[str, int]] = []
    expected = possible = taken = used = offset = 0
    with open_bytes(groups) as stream:
        lengths = map(len, stream)
        for path in symbolic:
            starts.append({"group": used, "byte": offset})
            for number, (index, needs, _) in read_as(path, _symbolic_row, "a symbolic instance"):
                if index != expected:
                    raise DivLogicError(
                        f"{path}, row {number}: instance {index} where {expected} was due; give all symbolic"
                        " shards, in order."
                    )
                expected += 1
                if possible == index:
                    own = list(islice(lengths, needs))
                    taken += len(own)
                    if len(own) == needs:
                        possible += 1
                        used += needs
                        offset += sum(own)
        available = taken + sum(1 for _ in lengths)
    made = share_out(possible, wanted, parameters.benchmarks.divlogiceval.splits.reserve)
    for split in SPLITS:
        if made[split] < wanted[split]:
            say(
                f"{split}: {made[split]:,} of {wanted[split]:,} instances, all that {available:,} sentence groups"
                " allow; a larger corpus (corpus_source: full, or `make captions GROUPS=...`) gives more."
            )
    if not any(made.values()):
        raise DivLogicError(
            f"{groups}: {available} sentence groups are too few for one instance of each type (about 20 are needed);"
            " use a larger corpus or relax the filter under 'sentences' in params.yaml."
        )
    plan = {"groups": available, "wanted": wanted, "made": made, "starts": starts}
    write_json(out, plan)
    return plan


def write_worded(
    symbolic: Path,
    shard: int,
    groups: Path,
    plan: dict[str, Any],
    out: Path,
    counts: Path,
    parameters: BenchmarksRun,
) -> int:
    """Word the instances of one shard; return their number.

    Args:
        symbolic: the shard's symbolic instances.
        shard: its number, from 0.
        groups: the shuffled sentence groups.
        plan: what :func:`write_plan` decided.
        out: the shard's records.
        counts: how the wording fared, per question type (summed by :func:`write_verification`).
        parameters: wording settings.
    """
    settings = parameters.benchmarks.divlogiceval
    check_shard(shard, len(plan["starts"]))
    start = plan["starts"][shard]
    sentences = read_groups(groups, settings.max_hypotheses, first=start["group"], offset=start["byte"])
    total = sum(plan["made"].values())
    tally: Counter[tuple[str, str]] = Counter()
    orders = seeded_orders(plan["made"], parameters)

    def rows() -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
        drawn = read_as(symbolic, _symbolic_row, "a symbolic instance")
        for _, (index, needs, instance) in track(drawn, "worded instances"):
            if index >= total:
                break
            own = without_shared_sentences(list(islice(sentences, needs)))
            if len(own) < needs:
                raise DivLogicError(
                    f"{groups}: the sentence groups end before instance {index}; they are not those of the plan:"
                    " make the plan again."
                )
            split, number = place_of(index, plan["made"])
            name = f"divlogiceval-{split}-{orders[split][number]:06d}"
            record, wording = realise(instance, own, settings, parameters.seed, index, id=name, split=split)
            _count(tally, instance, wording)
            yield (split, number // BLOCK), record.to_json()

    blocks = (group for _, group in groupby(rows(), key=itemgetter(0)))
    count = write_jsonl(
        out, (row for block in blocks for row in sorted([row for _, row in block], key=in_order))
    )
    write_json(counts, [[*key, value] for key, value in sorted(tally.items())])
    return count


def write_twin(
    split: Annotated[Path, "--in", "Records of one split (jsonl)."],
    out: Annotated[Path, "The same split of s-DivLogicEval."],
) -> int:
    """Write the symbolic twin of a split: formulas in the place of sentences.

    Raises:
        DivLogicError: the file is missing, or a record does not state its formulas.
    """

    def rows() -> Iterator[dict[str, Any]]:
        for record in read_records(split):
            try:
                yield symbolic_twin(record).to_json()
            except (KeyError, TypeError) as error:
                raise DivLogicError(
                    f"{split}, record {record.id}: not an instance of DivLogicEval; give a split of"
                    " `divlogic benchmarks assemble divlogiceval`."
                ) from error

    return write_jsonl(out, rows())


def write_verification(
    counts: Annotated[tuple[Path, ...], ARGUMENT, expanded],
    out: Annotated[Path, "Table (csv)."],
    parameters: BenchmarksRun,
) -> None:
    """Report how many instances fail at the nli level when worded freely, from the shards' COUNTS.

    Columns: question type; instances; those whose label does not follow from the sentences under the free wording,
    and their share; sentences in use per variable; the level of verification.
    """
    tally: Counter[tuple[str, str]] = Counter()
    for path in counts:
        try:
            for question_type, name, value in read_json(path):
                tally[question_type, name] += value
        except (TypeError, ValueError) as error:
            raise DivLogicError(f"{path}: not the counts of a shard ({error}); word it again.") from error
    rows = []
    for question_type in (*QUESTION_TYPES, "all"):
        types = QUESTION_TYPES if question_type == "all" else (question_type,)

        def total(name: str, types: Sequence[str] = types) -> int:
            return sum(tally[kind, name] for kind in types)

        instances = total("instances")
        failed = instances - total("free_holds")
        rows.append(
            [
                question_type,
                instances,
                failed,
                failed / instances if instances else None,
                total("sentences") / total("variables") if instances else None,
                parameters.benchmarks.divlogiceval.verification,
            ]
        )
    header = (
        "question_type",
        "instances",
        "free_wording_fails_nli",
        "share",
        "sentences_per_variable",
        "verification",
    )
    write_listing(out.with_suffix(""), header, [dict(zip(header, row, strict=True)) for row in rows])


def write_premises_needed(
    splits: Annotated[tuple[Path, ...], ARGUMENT], out: Annotated[Path, "Table (csv)."]
) -> None:
    """Count how many premises the answers in SPLITS need."""
    counts: Counter[tuple[str, int]] = Counter()
    for path in splits:
        for record in read_records(path):
            needed = record.metadata.get("premises_needed")
            if not isinstance(needed, int) or record.question_type not in QUESTION_TYPES:
                raise DivLogicError(
                    f"{path}, record {record.id}: it does not say how many premises its answer needs; give splits"
                    " of DivLogicEval."
                )
            counts[record.question_type, needed] += 1
            counts["all", needed] += 1
    rows = []
    for kind in (*QUESTION_TYPES, "all"):
        own = {needed: count for (name, needed), count in counts.items() if name == kind}
        rows += [
            [kind, needed, own[needed], f"{own[needed] / sum(own.values()):.4f}"] for needed in sorted(own)
        ]
    write_csv(out, ("question_type", "premises_needed", "instances", "share"), rows)


def polish_split(
    source: Annotated[Path, "--in", "Records of one split (jsonl)."],
    out: Annotated[Path, "The finished split."],
    params: BenchmarksRun,
    store: Annotated[Path, "Response store of the model's proposals (appended to)."] = Path(
        ".divlogic/responses/polish.jsonl"
    ),
) -> None:
    """Correct the grammar of the test split with a language model, if `polish.enabled`; else copy the split.

    Proposals are kept: a run that was stopped, or is made again, pays for no answer twice.
    """
    from divlogic.benchmarks.polish.run import apply, ask, wanted_proposals
    from divlogic.models.store import ResponseStore

    settings = params.benchmarks.divlogiceval.polish
    # Only the test split is polished, as in the paper; the other one is called unpolished.
    if not settings.enabled or source.stem != "test":
        copy_file(source, out)
        return
    wanted = wanted_proposals(source, settings)
    with ResponseStore(store) as proposals:
        asked = ask(wanted, proposals, settings, seed=params.seed)
        report = apply(source, out, wanted, proposals.responses, settings)
    say(
        f"{asked:,} proposals asked for; {report.changed_fragments:,} of {report.fragments:,} texts in"
        f" {report.changed_records:,} of {report.records:,} records were corrected."
    )


def read_plan(path: Path) -> dict[str, Any]:
    """Read what :func:`write_plan` wrote.

    Raises:
        DivLogicError: the file is missing or is not a plan.
    """
    plan: dict[str, Any] = read_json(path)
    try:
        numbers = [plan["groups"], *(plan["made"][split] for split in SPLITS)]
        numbers += [start[unit] for start in plan["starts"] for unit in ("group", "byte")]
    except (KeyError, TypeError):
        numbers = [None]
    if not all(isinstance(number, int) and number >= 0 for number in numbers):
        raise DivLogicError(f"{path}: not a plan of `divlogic benchmarks plan`; make it again.")
    return plan


def check_shard(shard: int, shards: int) -> None:
    """Refuse a shard's number beyond the last one.

    Raises:
        DivLogicError: there is no such shard.
    """
    if not 0 <= shard < shards:
        raise DivLogicError(
            f"shard {shard} is not one of the {shards} shards; give a number from 0 to {shards - 1}."
        )


def wanted_instances(settings: DivLogicEvalParameters) -> int:
    """Return the number of instances that the parameters ask for."""
    return settings.splits.test + settings.splits.unpolished


def shard_range(total: int, shard: int, shards: int) -> range:
    """Return the consecutive instance indices of one shard."""
    return range(total * shard // shards, total * (shard + 1) // shards)


def place_of(index: int, made: dict[str, int]) -> tuple[str, int]:
    """Return the split of an instance and its number within that split."""
    for split in SPLITS:
        if index < made[split]:
            return split, index
        index -= made[split]
    raise IndexError(index)


def seeded_orders(made: dict[str, int], parameters: BenchmarksRun) -> dict[str, Sequence[int]]:
    """Return for each split the place of each instance in its file.

    The members of a quartet are drawn one after another. In the file each stands in another quarter of a block of
    1,200 instances, at a place that the seed draws, so that neither order nor number tells of an answer.
    """
    if parameters.benchmarks.divlogiceval.preset != "balanced":
        return {split: range(made[split]) for split in SPLITS}
    orders: dict[str, Sequence[int]] = {}
    for at, split in enumerate(SPLITS):
        draws = Draws(parameters.seed, _ORDER_STREAM, at)
        order = [0] * made[split]
        for start in range(0, made[split], BLOCK):
            quarters: list[list[int]] = [[], [], [], []]
            for number in range(start, min(start + BLOCK, made[split])):
                quarters[number % QUARTET // len(QUESTION_TYPES)].append(number)
            arranged = [number for quarter in quarters for number in draws.shuffled(quarter)]
            for place, number in enumerate(arranged, start):
                order[number] = place
        orders[split] = order
    return orders


def in_order(row: Mapping[str, Any]) -> tuple[int, str]:
    """Return what the rows of the benchmark are sorted by: split and id."""
    return SPLITS.index(row["split"]), row["id"]


def drawn_index(index: int, settings: DivLogicEvalParameters) -> int:
    """Return the place of an instance among all instances that can be drawn: each split begins with whole quartets."""
    test = settings.splits.test
    return index if index < test else index + -test % QUARTET


def _symbolic_row(row: dict[str, Any]) -> tuple[int, int, SymbolicInstance]:
    """Return the index of a symbolic instance, the number of sentence groups that it needs, and the instance."""
    index, needs, instance = row["index"], row["needs"], SymbolicInstance.from_json(row)
    if type(index) is not int or index < 0:
        raise ValueError(f"{index!r} is no index")
    if needs != len(instance.variables):
        raise ValueError(f"it says that it needs {needs!r} groups for {len(instance.variables)} variables")
    return index, needs, instance


def _count(tally: Counter[tuple[str, str]], instance: SymbolicInstance, wording: Wording) -> None:
    kind = instance.question_type
    used = {
        (literal >> 1, choice)
        for statement, row in zip(wording.statements, wording.choices, strict=True)
        for literal, choice in zip(statement[1:], row, strict=True)
    }
    tally[kind, "instances"] += 1
    tally[kind, "free_holds"] += wording.free_holds
    tally[kind, "sentences"] += len(used)
    tally[kind, "variables"] += len({variable for variable, _ in used})

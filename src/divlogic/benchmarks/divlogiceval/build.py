"""The passes that make DivLogicEval: symbolic instances, plan, wording, assembly.

Work is cut into shards of consecutive indices. An instance depends on the seed, its index and its sentence groups only,
and which groups it receives follows from a prefix sum over all instances; so the union of the shards is the same
however many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter

from divlogic.benchmarks.divlogiceval.draw import (
    SymbolicInstance,
    draw_instance,
    groups_taken,
)
from divlogic.benchmarks.divlogiceval.groups import Dealer, read_groups
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalRun
from divlogic.benchmarks.divlogiceval.realise import realise, symbolic_twin
from divlogic.benchmarks.divlogiceval.sizes import QUARTET, QUESTION_TYPES, share_out, whole_rounds
from divlogic.benchmarks.divlogiceval.wording import ChosenWording
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io import files
from divlogic.io.files import (
    open_bytes,
    read_as,
    read_json,
    write_csv,
    write_json,
    write_jsonl,
    write_parts,
)
from divlogic.io.log import say
from divlogic.io.shards import expanded
from divlogic.io.tables import write_listing
from divlogic.records import Record, content_hash, grouped, read_records

SPLITS = ("test", "unpolished")
_ORDER_STREAM = 7
BLOCK = 100 * QUARTET
"""Instances among which the members of quartets are put apart."""


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A row of the drawn instances: an instance, its index, and the number of sentence groups that are taken for it.

    Members of a quartet share their groups, which are taken for the first one.
    """

    index: int
    needs: int
    instance: SymbolicInstance


read_drawn = TypeAdapter(DrawnRow).validate_python
"""Builds a row of the drawn instances from its JSON object."""


def drawn(run: DivLogicEvalRun, shard: int, shards: int) -> Iterator[DrawnRow]:
    """Yield the symbolic instances of one shard."""
    settings = run.benchmarks.divlogiceval
    test = settings.splits.test
    for index in range(*_indices(shard, shards, test, test + settings.splits.unpolished)):
        # Among all instances that can be drawn, each split begins with whole quartets.
        place = index if index < test else index + -test % QUARTET
        instance = draw_instance(run.seed, place, settings)
        yield DrawnRow(index, groups_taken(instance, place), instance)


def _indices(shard: int, shards: int, test: int, total: int) -> tuple[int, int]:
    """Return the first index of a shard and the one after its last; no quartet is divided between shards."""
    ends = []
    for number in (shard, shard + 1):
        index = total * number // shards
        first_of_split = test if index >= test else 0
        ends.append(index - (index - first_of_split) % QUARTET if number < shards else total)
    return ends[0], ends[1]


def write_plan(
    symbolic: Annotated[tuple[Path, ...], ARGUMENT, expanded],
    groups: Annotated[Path, "Shuffled sentence groups."],
    out: Annotated[Path, "The plan (json)."],
    parameters: DivLogicEvalRun,
) -> dict[str, Any]:
    """Decide how many instances the sentence groups allow, from the SYMBOLIC shards in order.

    Each group serves at most one instance, or one quartet. The test split is served first. The plan says of each shard
    with which group it begins, and at which byte of the file of groups, so that the shard need not read the groups
    before.
    """
    wanted = {split: getattr(parameters.benchmarks.divlogiceval.splits, split) for split in SPLITS}
    starts: list[dict[str, int]] = []
    expected = possible = taken = used = offset = 0
    with open_bytes(groups) as stream:
        lengths = map(len, stream)
        for path in symbolic:
            starts.append({"group": used, "byte": offset})
            for number, row in read_as(path, read_drawn, "a symbolic instance"):
                if row.index != expected:
                    raise DivLogicError(
                        f"{path}, row {number}: instance {row.index} instead of {expected}; give all symbolic"
                        " shards, in order."
                    )
                expected += 1
                if possible == row.index:
                    own = list(islice(lengths, row.needs))
                    taken += len(own)
                    if len(own) == row.needs:
                        possible += 1
                        used += row.needs
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
            f"{groups}: {available} sentence groups are too few for one instance of each type (about 40 are needed);"
            " use a larger corpus or relax the filter under 'sentences' in params.yaml."
        )
    plan = {"groups": available, "wanted": wanted, "made": made, "starts": starts}
    write_json(out, plan)
    return plan


def worded(
    run: DivLogicEvalRun,
    drawn: Path,
    shard: int,
    inputs: Mapping[str, Path],
    counts: dict[str, Any],
) -> Iterator[Record]:
    """Yield the worded instances of one shard; count per question type how the wording went.

    Args:
        inputs: ``groups``, the shuffled sentence groups, and ``plan``, what :func:`write_plan` decided.
        counts: gets the counts that :func:`write_verification` sums.
    """
    settings = run.benchmarks.divlogiceval
    plan = read_json(inputs["plan"])
    start = plan["starts"][shard]
    dealer = Dealer(read_groups(inputs["groups"], settings.max_hypotheses, offset=start["byte"]))
    total = sum(plan["made"].values())
    tally: Counter[tuple[str, str]] = Counter()
    orders = seeded_orders(plan["made"], run)

    def records() -> Iterator[tuple[tuple[str, int], Record]]:
        for _, row in read_as(drawn, read_drawn, "a symbolic instance"):
            if row.index >= total:
                break
            own = dealer.groups_of(row.instance)
            split, number = place_of(row.index, plan["made"])
            name = f"divlogiceval-{split}-{orders[split][number]:06d}"
            record, wording = realise(
                row.instance, own, settings, run.seed, row.index, id=name, split=split
            )
            texts = (record.context, record.question, *record.options)
            record = replace(record, id=f"{name}-{content_hash(run.seed, split, *texts)}")
            _count(tally, row.instance, wording)
            yield (split, number // BLOCK), record

    for _, block in groupby(records(), key=itemgetter(0)):
        yield from sorted(
            [record for _, record in block], key=lambda record: in_order(record.to_json())
        )
    counts["wording"] = [[*key, value] for key, value in sorted(tally.items())]


def write_twin(split: Path, out: Path) -> int:
    """Write the symbolic twin of a split: formulas in the place of sentences."""
    return write_jsonl(out, (symbolic_twin(record).to_json() for record in read_records(split)))


def describe(
    splits: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    counts: Annotated[tuple[Path, ...], "How the wording of each shard went (json).", expanded],
    out: Annotated[Path, FOLDER, "Where the tables go."],
    params: DivLogicEvalRun,
) -> None:
    """Tabulate what free wording would break, and how many premises the answers in SPLITS need."""
    write_verification(
        counts, out / "verification.csv", params.benchmarks.divlogiceval.verification
    )
    write_premises_needed(splits, out / "premises_needed.csv")


def write_verification(counts: Sequence[Path], out: Path, level: str) -> None:
    """Report how many instances fail at the nli level when worded freely, from the counts of the shards.

    Columns: question type; instances; those whose label does not follow from the sentences under the free wording,
    and their share; sentences in use per variable; the level of verification.
    """
    tally: dict[str, Counter[str]] = {kind: Counter() for kind in (*QUESTION_TYPES, "all")}
    for path in counts:
        for question_type, name, value in read_json(path)["wording"]:
            for kind in (question_type, "all"):
                tally[kind][name] += value
    rows = []
    for kind, own in tally.items():
        instances, failed = own["instances"], own["instances"] - own["free_holds"]
        rows.append(
            {
                "question_type": kind,
                "instances": instances,
                "free_wording_fails_nli": failed,
                "share": failed / instances if instances else None,
                "sentences_per_variable": own["sentences"] / own["variables"]
                if instances
                else None,
                "verification": level,
            }
        )
    write_listing(out.with_suffix(""), tuple(rows[0]), rows)


def write_premises_needed(splits: Sequence[Path], out: Path) -> None:
    """Count how many premises the answers of each question type need."""
    counts: dict[str, Counter[int]] = {kind: Counter() for kind in (*QUESTION_TYPES, "all")}
    for record in chain.from_iterable(map(read_records, splits)):
        for kind in (str(record.question_type), "all"):
            counts[kind][record.metadata["premises_needed"]] += 1
    rows = [
        [kind, needed, count, f"{count / own.total():.4f}"]
        for kind, own in counts.items()
        for needed, count in sorted(own.items())
    ]
    write_csv(out, ("question_type", "premises_needed", "instances", "share"), rows)


def finish(
    source: Annotated[Path, "--in", FOLDER, "Folder of the splits as they were worded (jsonl.gz)."],
    out: Annotated[Path, FOLDER, "Folder of the finished splits."],
    twin: Annotated[
        Path, FOLDER, "Folder of the symbolic twin's: formulas in the place of sentences."
    ],
    params: DivLogicEvalRun,
    store: Annotated[Path, "Store of proposals (appended to)."] = Path(
        ".divlogic/responses/polish.jsonl"
    ),
) -> None:
    """Finish the splits, and write the symbolic twin: the test split's grammar is corrected if `polish.enabled`.

    Only the test split is polished, as in the paper; the other one is called unpolished.
    """
    for split in SPLITS:
        name = f"{split}.jsonl"
        if split == "test" and params.benchmarks.divlogiceval.polish.enabled:
            polish(source / f"{name}.gz", out / name, params, store)
        else:
            files.copy_file(source / f"{name}.gz", out / name)
        write_twin(out / name, twin / name)


def polish(source: Path, out: Path, params: DivLogicEvalRun, store: Path) -> None:
    """Correct the grammar of a split with a language model.

    Proposals are kept: a run that was stopped, or is made again, pays for no answer twice.
    """
    from divlogic.benchmarks.polish.run import apply, ask, wanted_proposals
    from divlogic.models.requests import ResponseStore

    settings = params.benchmarks.divlogiceval.polish
    wanted = wanted_proposals(source, settings)
    with ResponseStore(store) as proposals:
        asked = ask(wanted, proposals, settings, seed=params.seed)
        counts = apply(source, out, wanted, proposals.responses, settings)
    say(
        f"{asked:,} proposals asked for; {counts['changed_fragments']:,} of {counts['fragments']:,} texts in"
        f" {counts['changed_records']:,} of {counts['records']:,} records were corrected."
    )


def cut_ilogiceval(
    benchmark: Annotated[Path, "--in", FOLDER, "Folder of DivLogicEval's splits."],
    out: Annotated[Path, FOLDER, "Folder of ILogicEval's splits."],
    twin: Annotated[
        Path, FOLDER, "Folder of its symbolic twin's: formulas in the place of sentences."
    ],
    parameters: DivLogicEvalRun,
) -> None:
    """Cut the same instances into ILogicEval's train, validation and test splits, and write the symbolic twin."""
    write_ilogiceval(benchmark, out, parameters)
    for split in ("train", "test"):
        write_twin(out / f"{split}.jsonl", twin / f"{split}.jsonl")


def write_ilogiceval(benchmark: Path, out: Path, parameters: DivLogicEvalRun) -> dict[str, int]:
    """Cut the instances in DivLogicEval's folder into ILogicEval's splits.

    Source: ILogicEval, Section 3.2. Its test split is DivLogicEval's: one data set under two names. Validation takes
    the first unpolished quartets, half of the instances at most, and training the others.

    Returns:
        Number of records per split.
    """
    wanted = parameters.benchmarks.ilogiceval.validation
    # Quartets stay whole: their members stand apart in the file.
    rows = (
        (record.question_type, record.metadata.get("quartet", record.id), record.id)
        for record in read_records(benchmark / "unpolished.jsonl")
    )
    together = grouped(rows, itemgetter(0, 1))
    unpolished = sum(map(len, together.values()))
    # Where sentences ran short, validation must not leave training empty.
    validation = min(wanted, whole_rounds(unpolished // 2))
    if validation < wanted:
        half = "half of the unpolished ones"
        say(f"ilogiceval: {validation:,} validation instances instead of {wanted:,}, {half}.")
    kinds = {kind for kind, _ in together}
    left = dict.fromkeys(kinds, validation // max(1, len(kinds)))
    validating: set[str] = set()
    for (kind, _), members in together.items():
        if left[kind] > 0:
            left[kind] -= len(members)
            validating.update(name for *_, name in members)
    numbers: Counter[str] = Counter()

    def cut() -> Iterator[tuple[str, dict[str, Any]]]:
        for source in SPLITS:
            for record in read_records(benchmark / f"{source}.jsonl"):
                split = (
                    "test"
                    if source == "test"
                    else "validation"
                    if record.id in validating
                    else "train"
                )
                name = f"ilogiceval-{split}-{numbers[split]:06d}-{record.id.rpartition('-')[2]}"
                yield (
                    split,
                    record.to_json() | {"id": name, "benchmark": "ilogiceval", "split": split},
                )
                numbers[split] += 1

    return write_parts(
        {split: out / f"{split}.jsonl" for split in ("train", "validation", "test")}, cut()
    )


def place_of(index: int, made: dict[str, int]) -> tuple[str, int]:
    """Return the split of an instance and its number within that split."""
    for split in SPLITS:
        if index < made[split]:
            return split, index
        index -= made[split]
    raise IndexError(index)


def seeded_orders(made: dict[str, int], parameters: DivLogicEvalRun) -> dict[str, Sequence[int]]:
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


def _count(
    tally: Counter[tuple[str, str]], instance: SymbolicInstance, wording: ChosenWording
) -> None:
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

"""``divlogic sentences train-checker, check, judge, read-pairs, record-check, tabulate-check``."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.errors import DivLogicError
from divlogic.sentences.parameters import SentencesRun


@click.command("train-checker")
@click.option(
    "--pairs", type=FILE, required=True, help="Sentence pairs (nli.jsonl.gz), of this run or another."
)
@click.option("--without", type=FILE, help="Sentence groups whose premises are not trained on.")
@click.option("--work", type=FOLDER, help="Folder of the checkpoint; the same command goes on from there.")
@click.option("--out", type=FOLDER, required=True, help="Folder of the weights.")
@params_option(SentencesRun)
def train_step(pairs: Path, without: Path | None, work: Path | None, out: Path, params: SentencesRun) -> None:
    """Train a classifier of natural language inference that checks the sentences (minutes; needs torch)."""
    from divlogic.sentences.checker.training import train_checker

    train_checker(pairs, out, params.sentences.checker, params.seed, without=without, work=work)


@click.command("check")
@click.option("--in", "source", type=FILE, required=True, help="Merged groups (jsonl.gz).")
@click.option("--checker", type=FOLDER, required=True, help="Folder of the trained checker.")
@click.option("--counts", type=FILE, required=True, help="Outcomes of sentences until here (csv).")
@click.option("--out", type=FILE, required=True, help="Groups with probabilities, filtered (jsonl.gz).")
@click.option("--counts-out", type=FILE, required=True, help="Outcomes of sentences (csv).")
@click.option("--summary-out", type=FILE, required=True, help="Numbers of groups, sentences, words (json).")
@params_option(SentencesRun)
def check_step(
    source: Path,
    checker: Path,
    counts: Path,
    out: Path,
    counts_out: Path,
    summary_out: Path,
    params: SentencesRun,
) -> None:
    """Give each hypothesis its probabilities, and leave entailed ones below `sentences.min_entailment` out."""
    from divlogic.sentences.checker.groups import check_groups
    from divlogic.sentences.checker.training import load_checker

    section = params.sentences
    check_groups(
        source,
        load_checker(checker, section.checker, params.seed),
        section.min_entailment or 0.0,
        counts=counts,
        out=out,
        counts_out=counts_out,
        summary_out=summary_out,
    )


@click.command("judge")
@click.option("--groups", type=FILE, help="Sentence groups to judge (jsonl.gz).")
@click.option("--records", type=FILE, help="Records of DivLogicEval whose sentences are judged (jsonl).")
@click.option(
    "--in-use", is_flag=True, help="Of the records only the entailed pairs that their labels rest on."
)
@click.option("--checker", type=FOLDER, required=True, help="Folder of the trained checker.")
@click.option(
    "--most", type=click.IntRange(min=1), default=2000, show_default=True, help="Pairs of each role."
)
@click.option("--out", type=FILE, required=True, help="The pairs with their probabilities (jsonl).")
@params_option(SentencesRun)
def judge_step(
    groups: Path | None,
    records: Path | None,
    in_use: bool,
    checker: Path,
    most: int,
    out: Path,
    params: SentencesRun,
) -> None:
    """Let the checker judge the sentence pairs of groups or of a benchmark."""
    from divlogic.sentences.checker.judging import (
        judge_pairs,
        pairs_of_groups,
        pairs_of_records,
        pairs_that_decide,
    )
    from divlogic.sentences.checker.training import load_checker

    if (groups is None) == (records is None):
        raise DivLogicError("give either --groups or --records.")
    of_records = pairs_that_decide if in_use else pairs_of_records
    pairs = pairs_of_groups(groups) if groups else of_records(records) if records else iter(())
    judge = load_checker(checker, params.sentences.checker, params.seed)
    judge_pairs(pairs, judge, out, most=most, seed=params.seed)


@click.command("read-pairs")
@click.argument("judged", type=FILE)
@click.option("--count", type=click.IntRange(min=2), default=100, show_default=True, help="Pairs to be read.")
@params_option(SentencesRun)
def read_step(judged: Path, count: int, params: SentencesRun) -> None:
    """Print judged pairs for reading by hand, without what the checker thinks of them."""
    from divlogic.sentences.checker.judging import to_be_read

    for row in to_be_read(judged, count, params.seed):
        click.echo(f"{row['id']}  {row['role']:<12}  {row['premise']}  =>  {row['hypothesis']}")


@click.command("record-check")
@click.argument("judged", type=FILE)
@click.option("--verdicts", type=FILE, required=True, help="What readers found (csv: id,holds).")
@click.option("--source", required=True, help="Name of what was judged, in the table.")
@click.option("--origin", type=FILE, required=True, help="The file that was judged.")
@click.option("--labels", type=FILE, help="Judged pairs in use of all its records (judge --in-use).")
@click.option("--checker", type=FOLDER, required=True, help="Folder of the trained checker.")
@click.option("--out", type=FILE, required=True, help="The recording (json), in data/recorded/checker.")
def record_step(
    judged: Path,
    verdicts: Path,
    source: str,
    origin: Path,
    labels: Path | None,
    checker: Path,
    out: Path,
) -> None:
    """Record what the checker would refuse and how often it is right: numbers and ids, no sentence."""
    from divlogic.sentences.checker.judging import read_verdicts, record_check
    from divlogic.sentences.checker.training import ABOUT

    found = read_verdicts(verdicts)
    record_check(source, judged, found, origin, checker / ABOUT, out, deciding=labels)


@click.command("tabulate-check")
@click.argument("recordings", nargs=-1, type=FILE)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Table, without suffix.")
def tabulate_step(recordings: tuple[Path, ...], out: Path) -> None:
    """Write the table of what the checker would refuse, from recordings."""
    from divlogic.sentences.checker.judging import tabulate_check

    tabulate_check(recordings, out)


commands: list[click.Command] = [
    train_step,
    check_step,
    judge_step,
    read_step,
    record_step,
    tabulate_step,
]

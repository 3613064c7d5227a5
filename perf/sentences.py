"""How fast sentences are filtered and negated, and how much memory a shard takes.

    python -m perf.sentences --in data/interim/corpora/nli.jsonl.gz --tagger data/interim/tagger --out speed.json

Every step is timed on the same sentences, in processor time of one core; ``filter + negation`` is what a run does. The
obvious alternative, NLTK's own tagger in the same filter, is measured beside it. Memory is the peak of a fresh process
that filters one shard, for one and for many shards.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
from nltk.tag.perceptron import PerceptronTagger

from divlogic.corpora.tagger import PARTS, load_tagger, tagger_file
from divlogic.io.files import read_json, read_jsonl, write_json
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.tokens import Reader, Refused, Tagger
from perf.machine import machine

PEAK_OF_A_SHARD = """
import resource, sys, tempfile
from pathlib import Path
from divlogic.corpora.tagger import load_tagger
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.groups import write_filtered
from divlogic.sentences.tokens import Reader
sentences = SentenceFilter(Reader(load_tagger(Path(sys.argv[2]))), SentencesParameters())
if int(sys.argv[3]):
    with tempfile.TemporaryDirectory() as out:
        files = Path(out, "groups.jsonl.gz"), Path(out, "counts.csv")
        write_filtered(Path(sys.argv[1]), sentences, 0, int(sys.argv[3]), *files)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@click.command()
@click.option(
    "--in",
    "source",
    type=click.Path(path_type=Path),
    required=True,
    help="Sentence pairs (jsonl.gz).",
)
@click.option(
    "--tagger",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder of the tagger.",
)
@click.option(
    "--limit", type=int, default=20_000, show_default=True, help="Distinct sentences to measure on."
)
@click.option(
    "--shards", type=int, default=16, show_default=True, help="Number of shards of the memory test."
)
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="Write the numbers as JSON."
)
def main(source: Path, folder: Path, limit: int, shards: int, out: Path | None) -> None:
    """Measure sentences per second and peak memory."""
    click.echo(machine())
    texts = _texts(source, limit)
    nltk_tagger = PerceptronTagger(load=False)
    nltk_tagger.decode_json_params([read_json(tagger_file(folder, part)) for part in PARTS])
    fast = load_tagger(folder)
    reader = Reader(fast)
    words = [reader.words(text) for text in texts]
    _filter(texts[:500], fast)  # the dictionary is loaded outside the timing
    kept = _filter(texts, fast)
    rates = {
        "tokenise": _rate(lambda: [reader.words(text) for text in texts], len(texts)),
        "tag": _rate(lambda: [fast.tag(sentence) for sentence in words], len(texts)),
        "tag (NLTK's own code)": _rate(
            lambda: [nltk_tagger.tag(sentence) for sentence in words], len(texts)
        ),
        "filter + negation": _rate(lambda: _filter(texts, fast), len(texts)),
        "filter + negation (NLTK's own tagger)": _rate(
            lambda: _filter(texts, nltk_tagger), len(texts)
        ),
    }
    peaks = {"tagger alone": _peak(source, folder, 0)}
    peaks |= {f"1 of {number} shards": _peak(source, folder, number) for number in (1, shards)}
    click.echo(f"{len(texts)} distinct sentences, {kept} kept, {limit} asked for\n")
    for name, rate in rates.items():
        click.echo(f"{name:<40}{rate:>12,.0f} sentences/s")
    for name, peak in peaks.items():
        click.echo(f"{'peak memory, ' + name:<40}{peak / 1024:>12,.0f} MiB")
    if out is not None:
        numbers = {"sentences": len(texts), "kept": kept}
        rounded = {name: round(rate) for name, rate in rates.items()}
        write_json(out, {**numbers, "sentences_per_second": rounded, "peak_kib": peaks})


def _texts(source: Path, limit: int) -> list[str]:
    texts: dict[str, None] = {}
    for _, row in read_jsonl(source):
        texts.update({row["premise"]: None, row["hypothesis"]: None})
        if len(texts) >= limit:
            break
    return list(texts)[:limit]


def _filter(texts: list[str], tagger: Tagger) -> int:
    sentences = SentenceFilter(Reader(tagger), SentencesParameters())
    kept = 0
    for text in texts:
        try:
            sentences.keep(text)
        except Refused:
            continue
        kept += 1
    return kept


def _rate(step: Callable[[], object], count: int) -> float:
    started = time.process_time()
    step()
    return count / (time.process_time() - started)


def _peak(source: Path, folder: Path, shards: int) -> int:
    command = [sys.executable, "-c", PEAK_OF_A_SHARD, str(source), str(folder), str(shards)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()

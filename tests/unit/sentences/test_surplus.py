"""Groups that are left out: the least acceptable of too many pairs, whatever the shards, and repeated premises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from divlogic.io.files import read_json, read_jsonl, write_csv, write_jsonl
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.groups import group_id, write_filtered
from divlogic.sentences.merging import read_counts
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.tokens import Reader, Sentence, text_of
from tests.support import csv_rows, nli_pair

from .conftest import ScriptedTagger, merge

NOUNS = ("man", "dog", "woman", "cat", "horse", "cow", "pig", "fox")
SCORES = dict(zip(NOUNS, (0.9, 0.2, 0.5, 0.7, 0.3, 0.8, 0.4, 0.6), strict=True))


class Scripted:
    """Gives each sentence the score of its noun, and one that is about two of them that of the worse."""

    def acceptability(self, tokens: Sentence) -> tuple[float, str]:
        words = text_of(tokens).split()
        return min(score for noun, score in SCORES.items() if noun in words), "unusual_word"


@pytest.fixture
def tagger(tagger: ScriptedTagger) -> ScriptedTagger:
    tagger.learn("A/DT a/DT no/DT is/VBZ singing/VBG sleeping/VBG outside/RB near/IN today/NN")
    return tagger


def pairs() -> list[dict[str, Any]]:
    captions = [("snli", f"A {noun} is singing outside today.") for noun in NOUNS[:4]]
    others = [("multinli", f"A {noun} is sleeping outside today.") for noun in NOUNS]
    rows = []
    for number, (corpus, premise) in enumerate([*captions, *others]):
        # The premise of a pig is usual, its hypothesis is as unusual as a dog.
        hypothesis = f"A {'dog' if 'pig' in premise else premise.split()[1]} is near a cow."
        rows.append(nli_pair(number, "entailment", premise, hypothesis, corpus=corpus))
    return rows


def merged(folder: Path, tagger: ScriptedTagger, judge: Scripted | None, shards: int) -> Path:
    write_jsonl(folder / "nli.jsonl", pairs())
    sentences = SentenceFilter(Reader(tagger), SentencesParameters(), judge)
    files = [(folder / f"{shard}.jsonl", folder / f"{shard}.csv") for shard in range(shards)]
    for shard, (groups, counts) in enumerate(files):
        write_filtered(folder / "nli.jsonl", sentences, shard, shards, groups, counts)
    out = folder / f"groups-{shards}.jsonl"
    ends = (folder / "filter.csv", folder / "summary.json")
    merge([groups for groups, _ in files], [counts for _, counts in files], out, *ends, 0.5)
    return out


def rows_of(folder: Path, tagger: ScriptedTagger, judge: Scripted | None) -> list[dict[str, Any]]:
    return [row for _, row in read_jsonl(merged(folder, tagger, judge, 1))]


def test_the_most_acceptable_groups_stay(tmp_path: Path, tagger: ScriptedTagger) -> None:
    rows = rows_of(tmp_path, tagger, Scripted())
    nouns = {row["premise"]["text"].split()[1] for row in rows if row["corpus"] == "multinli"}
    assert nouns == {"man", "cow", "cat", "fox"}
    assert sum(row["corpus"] == "snli" for row in rows) == 4
    assert not any("acceptability" in row for row in rows)
    assert read_counts(tmp_path / "filter.csv")["multinli", "premise", "over_share"] == 4


def test_a_group_is_as_acceptable_as_its_worst_sentence(
    tmp_path: Path, tagger: ScriptedTagger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SCORES, "pig", 0.95)
    rows = rows_of(tmp_path, tagger, Scripted())
    assert not any("pig" in row["premise"]["text"].split() for row in rows)


@pytest.mark.parametrize("judge", [Scripted(), None])
def test_what_stays_does_not_depend_on_the_shards(
    tmp_path: Path, tagger: ScriptedTagger, judge: Scripted | None
) -> None:
    assert (
        merged(tmp_path, tagger, judge, 1).read_bytes()
        == merged(tmp_path, tagger, judge, 3).read_bytes()
    )


def test_where_nothing_is_judged_the_hash_decides(tmp_path: Path, tagger: ScriptedTagger) -> None:
    rows = rows_of(tmp_path, tagger, None)
    ids = sorted(group_id(row["premise"]) for row in pairs() if row["corpus"] == "multinli")
    assert [row["id"] for row in rows if row["corpus"] == "multinli"] == ids[:4]


def group(identifier, text):
    sentence = {"text": text, "negated": text.replace(" are ", " aren't "), "source": identifier}
    roles = {
        "entailed": [{**sentence, "text": f"people are near {identifier}"}],
        "contradicted": [],
        "neutral": [],
    }
    names = {"id": identifier, "corpus": "captions", "genre": None, "source": identifier}
    return {**names, "premise": sentence, **roles}


def test_the_later_of_two_groups_with_one_premise_is_left_out_and_counted(tmp_path):
    shards = [tmp_path / "0.jsonl.gz", tmp_path / "1.jsonl.gz"]
    later = [group("00000000000b", "Two boys are rowing"), group("00000000000c", "a girl is here")]
    write_jsonl(shards[0], [group("00000000000a", "two boys are rowing")])
    write_jsonl(shards[1], later)
    counts = [tmp_path / "0.csv", tmp_path / "1.csv"]
    header = ("corpus", "role", "outcome", "sentences")
    for path, kept in zip(counts, (1, 2), strict=True):
        write_csv(
            path, header, [["captions", role, "kept", kept] for role in ("premise", "entailed")]
        )
    out = tmp_path / "groups.jsonl.gz"
    merge(shards, counts, out, tmp_path / "filter.csv", tmp_path / "summary.json")
    assert [row["id"] for _, row in read_jsonl(out)] == ["00000000000a", "00000000000c"]
    assert read_json(tmp_path / "summary.json")["groups"] == 2
    rows = csv_rows(tmp_path / "filter.csv")
    found = {(row["role"], row["outcome"]): int(row["sentences"]) for row in rows}
    assert (found.pop(("premise", "kept")), found.pop(("entailed", "kept"))) == (2, 2)
    assert found == {("premise", "repeated_premise"): 1, ("entailed", "premise_dropped"): 1}

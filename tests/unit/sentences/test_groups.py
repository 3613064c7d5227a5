"""Groups by premise: shards, merging, counting, and input that is not as it should be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tools.captions.training import train_tagger

from divlogic.cli import group
from divlogic.corpora.tagger import load_tagger
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_jsonl, row_count, write_jsonl
from divlogic.sentences import groups
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.groups import draw, partition, sentences_of, shard_of, write_filtered
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.source_checks import group_id
from divlogic.sentences.tokens import Reader
from tests.support import MIRROR, call, cases, csv_rows, nli_pair

from .conftest import ScriptedTagger, filtered, merge

cli = group("sentences")

TAGGED = [
    "A/DT The/DT a/DT the/DT No/DT no/DT man/NN dog/NN woman/NN cat/NN horse/NN river/NN is/VBZ isn't/VBZ near/IN",
    "singing/VBG sleeping/VBG running/VBG eating/VBG quickly/RB outside/RB indoors/RB quiet/JJ awake/JJ",
    "He/PRP Hello/UH",
]
NOUNS = ("man", "dog", "woman", "cat", "horse")
VERBS = ("singing", "sleeping", "running", "eating")


def pair(premise: str, hypothesis: str, label: str, number: int = 0) -> dict[str, Any]:
    ids = {"premise_id": f"made:{group_id(premise)}", "pair_id": f"made:{number}"}
    return nli_pair(number, label, premise, hypothesis, corpus="made", **ids)


def many_pairs() -> list[dict[str, Any]]:
    rows = []
    for noun in NOUNS:
        for verb in VERBS:
            premise = f"A {noun} is {verb} near the river."
            rows.append(pair(premise, f"The {noun} is outside today.", "entailment", len(rows)))
            rows.append(pair(premise, f"The {noun} is indoors today.", "contradiction", len(rows)))
            rows.append(pair(premise, f"The {noun} is {verb} quickly.", "neutral", len(rows)))
            rows.append(pair(premise, "Hello there old friend.", "neutral", len(rows)))
    return rows


@pytest.fixture
def sentences(tagger: ScriptedTagger) -> SentenceFilter:
    for line in TAGGED:
        tagger.learn(line)
    return SentenceFilter(Reader(tagger), SentencesParameters(neutrals="keep"))


PREMISE = "A man is singing outside today."


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file of many pairs."""
    return write_pairs(tmp_path, many_pairs())


def write_pairs(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "nli.jsonl.gz"
    write_jsonl(path, rows)
    return path


def shards_of(
    source: Path, sentences: SentenceFilter, shards: int
) -> tuple[list[Path], list[Path]]:
    """Filter a file in shards; return the files of groups and those of counts."""
    files = [source.with_name(f"{shard}-of-{shards}.jsonl.gz") for shard in range(shards)]
    counts = [file.with_suffix(".csv") for file in files]
    for shard in range(shards):
        write_filtered(source, sentences, shard, shards, files[shard], counts[shard])
    return files, counts


def merged(files: list[Path], counts: list[Path]) -> list[bytes]:
    """Merge shards; return the groups, counts and summary."""
    out, table, summary = map(files[0].with_name, ("groups.jsonl.gz", "filter.csv", "summary.json"))
    merge(files, counts, out, table, summary)
    return [path.read_bytes() for path in (out, table, summary)]


def test_the_result_does_not_depend_on_shards_or_on_how_many_may_be_open_at_once(
    source: Path, sentences: SentenceFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = merged(*shards_of(source, sentences, 1))
    for shards, most in ((3, 256), (9, 256), (9, 4), (9, 2)):
        monkeypatch.setattr("divlogic.io.shards.OPEN", most)
        assert merged(*shards_of(source, sentences, shards)) == whole, (shards, most)


def test_a_group_holds_its_premise_and_its_hypotheses_by_label(
    source: Path, sentences: SentenceFilter
) -> None:
    groups, _ = filtered(source, sentences)
    assert [group["id"] for group in groups] == sorted(group["id"] for group in groups)
    assert len(groups) == len(NOUNS) * len(VERBS)
    group = next(g for g in groups if g["premise"]["text"] == "a dog is sleeping near the river")
    assert group["premise"]["negated"] == "no dog is sleeping near the river"
    assert [kept["text"] for kept in group["entailed"]] == ["a dog is outside today"]
    assert [kept["text"] for kept in group["contradicted"]] == ["a dog is indoors today"]
    assert [kept["text"] for kept in group["neutral"]] == ["a dog is sleeping quickly"]


def test_every_sentence_is_counted_once(tmp_path: Path, sentences: SentenceFilter) -> None:
    rows = [
        *many_pairs(),
        pair("Hello there old friend.", "The dog is outside today.", "entailment", 99),
    ]
    _, counts = filtered(write_pairs(tmp_path, rows), sentences)
    premises = sum(n for (_, role, _), n in counts.items() if role == "premise")
    assert premises == len(NOUNS) * len(VERBS) + 1
    assert counts.total() - premises == len(rows)
    assert counts["made", "premise", "interjection"] == 1
    assert counts["made", "entailed", "premise_dropped"] == 1
    assert counts["made", "neutral", "interjection"] == len(NOUNS) * len(VERBS)


@pytest.mark.parametrize(("rows", "kept", "counted"), cases(__file__, "nothing_new"))
def test_what_tells_nothing_new_is_left_out_and_counted(tmp_path, sentences, rows, kept, counted):
    # The premise is set otherwise from the second row on.
    premises = [PREMISE, *[PREMISE.replace(".", " .")] * len(rows)]
    given = [pair(premises[number], *row, number) for number, row in enumerate(rows)]
    (group,), counts = filtered(write_pairs(tmp_path, given), sentences)
    assert [
        one["source"] for role in ("entailed", "neutral", "contradicted") for one in group[role]
    ] == kept
    assert {key: counts["made", *key.split()] for key in counted} == counted


def test_one_of_several_shards_may_hold_no_pair_and_an_only_one_may_not(
    tmp_path: Path, sentences: SentenceFilter
) -> None:
    source, out, counts = write_pairs(tmp_path, []), tmp_path / "out.jsonl", tmp_path / "c.csv"
    assert write_filtered(source, sentences, 0, 2, out, counts)[0] == 0
    with pytest.raises(DivLogicError, match="the file is empty"):
        write_filtered(source, sentences, 0, 1, out, counts)


def test_a_genre_may_be_unknown(tmp_path: Path, sentences: SentenceFilter) -> None:
    rows = [row | {"genre": None} for row in many_pairs()[:1]]
    (group,), _ = filtered(write_pairs(tmp_path, rows), sentences)
    assert group["genre"] is None


def test_shards_that_overlap_are_refused(source: Path, sentences: SentenceFilter) -> None:
    files, counts = shards_of(source, sentences, 1)
    with pytest.raises(DivLogicError, match="in two shards"):
        merged(files * 2, counts * 2)
    assert not source.with_name("groups.jsonl.gz").exists()


def test_nothing_kept_is_an_error_that_names_the_outcomes(
    tmp_path: Path, sentences: SentenceFilter
) -> None:
    source = write_pairs(
        tmp_path, [pair("Hello there old friend.", "The dog is outside today.", "entailment")]
    )
    with pytest.raises(DivLogicError, match=r"no premise passed.*interjection 1"):
        merged(*shards_of(source, sentences, 1))
    assert not source.with_name("groups.jsonl.gz").exists()


def test_the_draw_is_seeded_and_without_repeats(source: Path, sentences: SentenceFilter) -> None:
    path = source.with_name("groups.jsonl.gz")
    write_jsonl(path, filtered(source, sentences)[0])
    drawn = draw(path, 12, 3)
    assert drawn == draw(path, 12, 3)
    assert len({(role, kept["source"]) for role, kept in drawn}) == 12


def test_the_commands_run_from_pairs_to_groups(tmp_path: Path, source: Path) -> None:
    end = [("near", "IN"), ("the", "DT"), ("river", "NN"), (".", ".")]
    tagged = [
        [(article, "DT"), (noun, "NN"), ("is", "VBZ"), (verb, "VBG"), *end]
        for article in ("A", "The", "the")
        for noun in NOUNS
        for verb in VERBS
    ]
    train_tagger(tagged, tmp_path / "tagger", held_out=0.1)
    for shard in (0, 1):
        files = f"--in {source} --out {tmp_path}/{shard}.jsonl.gz --counts {tmp_path}/{shard}.csv"
        call(cli, f"filter --shard {shard} --shards 2 --tagger {tmp_path}/tagger {files}", {})
    out, table, described = (
        tmp_path / name for name in ("groups.jsonl.gz", "filter.csv", "summary.json")
    )
    shards = " ".join(f"{tmp_path}/{shard}.jsonl.gz {tmp_path}/{shard}.csv" for shard in (0, 1))
    call(cli, f"merge --out {out} --counts-out {table} --summary-out {described} {shards}")
    groups = [row for _, row in read_jsonl(out)]
    summary = read_json(described)
    assert summary["groups"] == len(groups) > 0
    kept = sum(1 + len(g["entailed"]) + len(g["contradicted"]) + len(g["neutral"]) for g in groups)
    assert summary["sentences_kept"] == kept
    assert sum(int(row["sentences"]) for row in csv_rows(table) if row["outcome"] == "kept") == kept
    shown = call(cli, f"show --in {out} --count 2")
    assert shown.count("+ ") == shown.count("- ") == 2


def test_a_shard_without_its_counts_is_refused(tmp_path: Path) -> None:
    options = " ".join(
        f"--{name} {tmp_path}/{name}" for name in ("out", "counts-out", "summary-out")
    )
    with pytest.raises(DivLogicError, match="name both files of every shard"):
        call(cli, f"merge {options} {tmp_path}/0.jsonl.gz")


def test_a_pair_on_which_the_annotators_disagree_or_that_was_found_wrong_is_left_out(
    tmp_path: Path, sentences: SentenceFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        pair(PREMISE, "A man is awake today.", "entailment", 1) | {"agreement": 0.6},
        pair(PREMISE, "A man is outside today.", "entailment", 2) | {"agreement": 0.8},
        pair(PREMISE, "A man is quiet today.", "contradiction", 3),
    ]
    refused = frozenset({group_id(PREMISE + rows[2]["hypothesis"])})
    monkeypatch.setattr(groups, "refused", lambda what: refused if what == "pairs" else ())
    (group,), counts = filtered(write_pairs(tmp_path, rows), sentences)
    assert [kept["text"] for kept in group["entailed"]] == ["a man is outside today"]
    assert not group["contradicted"]
    assert counts["made", "entailed", "low_agreement"] == 1
    assert counts["made", "contradicted", "refused_pair"] == 1


def test_a_sentence_that_was_found_wrong_is_left_out_however_it_is_set(
    tmp_path: Path, sentences: SentenceFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ("A man is awake today.", "A man is outside today.")
    source = write_pairs(
        tmp_path, [pair(PREMISE, text, "entailment", n) for n, text in enumerate(texts)]
    )
    listed = frozenset({group_id("a MAN is awake today")})
    monkeypatch.setattr(groups, "refused", lambda what: listed)
    (group,), counts = filtered(source, sentences)
    assert [kept["text"] for kept in group["entailed"]] == ["a man is outside today"]
    assert counts["made", "entailed", "refused_sentence"] == 1
    lenient = replace(
        sentences, settings=sentences.settings.model_copy(update={"source_faults": "keep"})
    )
    (group,), counts = filtered(source, lenient)
    assert len(group["entailed"]) == 2 and not counts["made", "entailed", "refused_sentence"]
    monkeypatch.setattr(groups, "refused", lambda what: frozenset({group_id(PREMISE)}))
    found, counts = filtered(source, sentences)
    assert not found and counts["made", "premise", "refused_sentence"] == 1


@pytest.mark.parametrize("held", [1, 7, 10, 50])
def test_of_a_large_shard_a_part_is_held_at_once_with_the_same_bytes(
    source: Path, sentences: SentenceFilter, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    sizes: list[int] = []
    read = groups._read_pairs

    def watched(*given: Any) -> Any:
        pairs = read(*given)
        sizes.append(sum(len(one.hypotheses) for one in pairs.values()))
        return pairs

    monkeypatch.setattr(groups, "_read_pairs", watched)
    found = []
    for most in (10**6, held):
        out, counts = source.with_name(f"{most}.jsonl.gz"), source.with_name(f"{most}.csv")
        done = write_filtered(source, sentences, 0, 2, out, counts, held=most)
        found.append((out.read_bytes(), counts.read_bytes(), done))
    assert found[0] == found[1]
    assert found[0][2][0] > 1
    assert held == 50 or (len(sizes) > 2 and max(sizes[1:]) < sizes[0])


def pairs(count: int) -> list[dict[str, object]]:
    texts = [
        (f"Lamp number {number // 3} glows.", f"It is day {number}.") for number in range(count)
    ]
    return [nli_pair(number, "neutral", *each) for number, each in enumerate(texts)]


@pytest.mark.parametrize("held", [1, 5_000, 1 << 20])
@pytest.mark.parametrize("shards", [1, 4, 300])
def test_every_pair_is_in_the_shard_of_its_premise_and_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shards: int, held: int
) -> None:
    rows = pairs(200)
    write_jsonl(tmp_path / "nli.jsonl.gz", rows)
    monkeypatch.setattr("divlogic.sentences.groups.HELD_BYTES", held)
    partition(tmp_path / "nli.jsonl.gz", shards=shards, out=tmp_path / "pairs")
    for shard in range(shards):
        path = tmp_path / "pairs" / f"{shard}.jsonl.gz"
        own = [row for row in rows if shard_of(str(row["premise"]), shards) == shard]
        assert [row for _, row in read_jsonl(path)] == own
        assert row_count(path) == len(own)


def test_another_number_of_shards_replaces_the_files(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "nli.jsonl", pairs(30))
    for shards in (5, 2):
        partition(tmp_path / "nli.jsonl", shards=shards, out=tmp_path / "pairs")
    assert sorted(path.name for path in (tmp_path / "pairs").glob("[!.]*")) == [
        "0.jsonl.gz",
        "1.jsonl.gz",
    ]


def test_a_file_without_pairs_is_an_error(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "nli.jsonl", [])
    with pytest.raises(DivLogicError, match="the file is empty"):
        partition(tmp_path / "nli.jsonl", shards=2, out=tmp_path / "pairs")
    assert not (tmp_path / "pairs").exists()


@pytest.mark.mirror
def test_the_real_captions_yield_enough_groups(tmp_path: Path) -> None:
    rows = []
    for path in sorted((MIRROR / "snli").glob("snli_1.0_*.jsonl.gz")):
        for number, row in read_jsonl(path):
            if row["gold_label"] in ("entailment", "neutral", "contradiction"):
                texts = (row["gold_label"], row["sentence1"], row["sentence2"])
                ids = {"premise_id": f"{path.name}:{number}", "pair_id": f"{path.name}:{number}"}
                rows.append(nli_pair(number, *texts, corpus="snli", genre="captions", **ids))
    tagger = load_tagger(MIRROR / "nltk_data" / "taggers" / "averaged_perceptron_tagger_eng")
    keeping = SentenceFilter(Reader(tagger), SentencesParameters(neutrals="keep"))
    groups, _ = filtered(write_pairs(tmp_path, rows), keeping)
    assert len(groups) >= 2500
    assert sum(bool(row["entailed"]) for row in groups) >= 1500
    for row in groups:
        for kept in sentences_of(row):
            assert kept["text"] != kept["negated"]
            assert not set(";(,?") & set(kept["text"])

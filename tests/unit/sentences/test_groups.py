"""Groups by premise: shards, merging, counting, and input that is not as it should be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tools.captions.training import train_tagger

from divlogic.cli import group
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_jsonl, row_count, write_jsonl
from divlogic.io.notes import forget
from divlogic.sentences import groups
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.groups import draw, partition, shard_of, write_filtered
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.source_checks import group_id
from divlogic.sentences.tokens import Reader
from tests.support import call, csv_rows, nli_pair

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


def write_pairs(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "nli.jsonl.gz"
    write_jsonl(path, rows)
    return path


def run(folder: Path, source: Path, sentences: SentenceFilter, shards: int) -> tuple[bytes, bytes, bytes]:
    files, counts = [], []
    for shard in range(shards):
        files.append(folder / f"{shards}-{shard}.jsonl.gz")
        counts.append(folder / f"{shards}-{shard}.csv")
        write_filtered(source, sentences, shard, shards, files[-1], counts[-1])
    outputs = [folder / f"{shards}-{name}" for name in ("groups.jsonl.gz", "filter.csv", "summary.json")]
    merge(files, counts, *outputs)
    return tuple(path.read_bytes() for path in outputs)  # type: ignore[return-value]


def test_the_result_does_not_depend_on_the_number_of_shards(
    tmp_path: Path, sentences: SentenceFilter
) -> None:
    source = write_pairs(tmp_path, many_pairs())
    one, three, seven = (run(tmp_path, source, sentences, shards) for shards in (1, 3, 7))
    assert one == three == seven


def test_a_group_holds_its_premise_and_its_hypotheses_by_label(
    tmp_path: Path, sentences: SentenceFilter
) -> None:
    source = write_pairs(tmp_path, many_pairs())
    groups, _ = filtered(source, sentences)
    assert [group["id"] for group in groups] == sorted(group["id"] for group in groups)
    assert len(groups) == len(NOUNS) * len(VERBS)
    group = next(g for g in groups if g["premise"]["text"] == "a dog is sleeping near the river")
    assert group["premise"]["negated"] == "no dog is sleeping near the river"
    assert [kept["text"] for kept in group["entailed"]] == ["a dog is outside today"]
    assert [kept["text"] for kept in group["contradicted"]] == ["a dog is indoors today"]
    assert [kept["text"] for kept in group["neutral"]] == ["a dog is sleeping quickly"]


def test_every_sentence_is_counted_once(tmp_path: Path, sentences: SentenceFilter) -> None:
    rows = [*many_pairs(), pair("Hello there old friend.", "The dog is outside today.", "entailment", 99)]
    _, counts = filtered(write_pairs(tmp_path, rows), sentences)
    premises = sum(n for (_, role, _), n in counts.items() if role == "premise")
    assert premises == len(NOUNS) * len(VERBS) + 1
    assert counts.total() - premises == len(rows)
    assert counts["made", "premise", "interjection"] == 1
    assert counts["made", "entailed", "premise_dropped"] == 1
    assert counts["made", "neutral", "interjection"] == len(NOUNS) * len(VERBS)


def test_repeated_and_contradictory_hypotheses_are_left_out(
    tmp_path: Path, sentences: SentenceFilter
) -> None:
    premise = "A man is singing outside today."
    rows = [
        pair(premise, "The man is awake today.", "entailment", 1),
        pair(premise, "the man is awake today", "entailment", 2),
        pair("A man is singing outside today .", "A man is singing outside today.", "entailment", 3),
        pair(premise, "The man is quiet today.", "neutral", 4),
        pair(premise, "The man is quiet today.", "contradiction", 5),
    ]
    (group,), counts = filtered(write_pairs(tmp_path, rows), sentences)
    assert [kept["source"] for kept in group["entailed"]] == ["made:1"]
    assert group["neutral"] == group["contradicted"] == []
    assert counts["made", "entailed", "duplicate"] == 2
    assert [counts["made", role, "conflicting_labels"] for role in ("neutral", "contradicted")] == [1, 1]


@pytest.mark.parametrize(
    "text", ["The man is outdoors.", "There is a man outside.", "A man is watching something."]
)
def test_what_anybody_does_at_any_time_is_left_out(
    tmp_path: Path, sentences: SentenceFilter, text: str
) -> None:
    premise = "A man is singing outside today."
    rows = [pair(premise, text, "entailment", 1), pair(premise, "A man is singing today.", "entailment", 2)]
    (group,), counts = filtered(write_pairs(tmp_path, rows), sentences)
    assert [kept["source"] for kept in group["entailed"]] == ["made:2"]
    assert counts["made", "entailed", "any_time"] == 1


def test_an_empty_file_is_an_error_unless_a_step_wrote_it_so(
    tmp_path: Path, sentences: SentenceFilter
) -> None:
    brought = write_pairs(tmp_path, [])
    assert filtered(brought, sentences)[0] == []
    forget(brought)
    with pytest.raises(DivLogicError, match="the file is empty"):
        filtered(brought, sentences)


def test_a_genre_may_be_unknown(tmp_path: Path, sentences: SentenceFilter) -> None:
    rows = [row | {"genre": None} for row in many_pairs()[:1]]
    (group,), _ = filtered(write_pairs(tmp_path, rows), sentences)
    assert group["genre"] is None


def test_shards_that_overlap_are_refused(tmp_path: Path, sentences: SentenceFilter) -> None:
    source = write_pairs(tmp_path, many_pairs())
    shard, counts = tmp_path / "0.jsonl.gz", tmp_path / "0.csv"
    write_filtered(source, sentences, 0, 1, shard, counts)
    with pytest.raises(DivLogicError, match="in two shards"):
        merge([shard, shard], [counts, counts], tmp_path / "g.jsonl", tmp_path / "f.csv", tmp_path / "s.json")
    assert not (tmp_path / "g.jsonl").exists()


def test_nothing_kept_is_an_error_that_names_the_outcomes(tmp_path: Path, sentences: SentenceFilter) -> None:
    rows = [pair("Hello there old friend.", "The dog is outside today.", "entailment")]
    shard, counts = tmp_path / "0.jsonl.gz", tmp_path / "0.csv"
    write_filtered(write_pairs(tmp_path, rows), sentences, 0, 1, shard, counts)
    with pytest.raises(DivLogicError, match=r"no premise passed.*interjection 1"):
        merge([shard], [counts], tmp_path / "g.jsonl", tmp_path / "f.csv", tmp_path / "s.json")
    assert not (tmp_path / "g.jsonl").exists()


def test_the_draw_is_seeded_and_without_repeats(tmp_path: Path, sentences: SentenceFilter) -> None:
    source = write_pairs(tmp_path, many_pairs())
    path = tmp_path / "groups.jsonl.gz"
    write_jsonl(path, filtered(source, sentences)[0])
    drawn = draw(path, 12, 3)
    assert drawn == draw(path, 12, 3)
    assert len({(role, kept["source"]) for role, kept in drawn}) == 12


def test_the_commands_run_from_pairs_to_groups(tmp_path: Path) -> None:
    line = "{article}/DT {noun}/NN is/VBZ {verb}/VBG near/IN the/DT river/NN ./."
    tagged = [
        [tuple(item.rsplit("/", 1)) for item in line.format(article=article, noun=noun, verb=verb).split()]
        for article in ("A", "The", "the")
        for noun in NOUNS
        for verb in VERBS
    ]
    train_tagger(tagged, tmp_path / "tagger", held_out=0.1)
    source = write_pairs(tmp_path, many_pairs())
    for shard in (0, 1):
        files = f"--in {source} --out {tmp_path}/{shard}.jsonl.gz --counts {tmp_path}/{shard}.csv"
        call(cli, f"filter --shard {shard} --shards 2 --tagger {tmp_path}/tagger {files}", {})
    out, table, described = (tmp_path / name for name in ("groups.jsonl.gz", "filter.csv", "summary.json"))
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
    options = " ".join(f"--{name} {tmp_path}/{name}" for name in ("out", "counts-out", "summary-out"))
    with pytest.raises(DivLogicError, match="name both files of every shard"):
        call(cli, f"merge {options} {tmp_path}/0.jsonl.gz")


def test_a_pair_on_which_the_annotators_disagree_or_that_was_found_wrong_is_left_out(
    tmp_path: Path, sentences: SentenceFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    premise = "A man is singing outside today."
    rows = [
        pair(premise, "A man is awake today.", "entailment", 1) | {"agreement": 0.6},
        pair(premise, "A man is outside today.", "entailment", 2) | {"agreement": 0.8},
        pair(premise, "A man is quiet today.", "contradiction", 3),
    ]
    refused = frozenset({group_id(premise + rows[2]["hypothesis"])})
    monkeypatch.setattr(groups, "refused", lambda what: refused if what == "pairs" else ())
    (group,), counts = filtered(write_pairs(tmp_path, rows), sentences)
    assert [kept["text"] for kept in group["entailed"]] == ["a man is outside today"]
    assert not group["contradicted"]
    assert counts["made", "entailed", "low_agreement"] == 1
    assert counts["made", "contradicted", "refused_pair"] == 1


def test_a_sentence_that_was_found_wrong_is_left_out_however_it_is_set(
    tmp_path: Path, sentences: SentenceFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    premise = "A man is singing outside today."
    texts = ("A man is awake today.", "A man is outside today.")
    source = write_pairs(tmp_path, [pair(premise, text, "entailment", n) for n, text in enumerate(texts)])
    listed = frozenset({group_id("a MAN is awake today")})
    monkeypatch.setattr(groups, "refused", lambda what: listed)
    (group,), counts = filtered(source, sentences)
    assert [kept["text"] for kept in group["entailed"]] == ["a man is outside today"]
    assert counts["made", "entailed", "refused_sentence"] == 1
    lenient = replace(sentences, settings=sentences.settings.model_copy(update={"source_faults": "keep"}))
    (group,), counts = filtered(source, lenient)
    assert len(group["entailed"]) == 2 and not counts["made", "entailed", "refused_sentence"]
    monkeypatch.setattr(groups, "refused", lambda what: frozenset({group_id(premise)}))
    found, counts = filtered(source, sentences)
    assert not found and counts["made", "premise", "refused_sentence"] == 1


def test_shards_beyond_what_may_be_open_at_once_are_merged_in_steps(
    tmp_path: Path, sentences: SentenceFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, shards, counts = write_pairs(tmp_path, many_pairs()), [], []
    for shard in range(9):
        shards.append(tmp_path / f"{shard}.jsonl.gz")
        counts.append(tmp_path / f"{shard}.csv")
        write_filtered(source, sentences, shard, 9, shards[-1], counts[-1])
    found = []
    for most in (256, 4, 2):
        monkeypatch.setattr("divlogic.io.shards.OPEN", most)
        out = tmp_path / f"groups-{most}.jsonl.gz"
        merge(shards, counts, out, tmp_path / "filter.csv", tmp_path / "summary.json")
        found.append(out.read_bytes())
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("held", [1, 7, 50])
def test_a_large_shard_filtered_in_parts_gives_the_same_bytes(
    tmp_path: Path, sentences: SentenceFilter, held: int
) -> None:
    source = write_pairs(tmp_path, many_pairs())
    found = []
    for most in (10**6, held):
        out, counts = tmp_path / f"{most}.jsonl.gz", tmp_path / f"{most}.csv"
        done = write_filtered(source, sentences, 0, 2, out, counts, held=most)
        found.append((out.read_bytes(), counts.read_bytes(), done))
    assert found[0] == found[1]
    assert found[0][2][0] > 1


def test_of_a_large_shard_only_a_part_is_held(
    tmp_path: Path, sentences: SentenceFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_pairs(tmp_path, many_pairs())
    held: list[int] = []
    read = groups._read_pairs

    def watched(*given: Any) -> Any:
        pairs = read(*given)
        held.append(sum(len(one.hypotheses) for one in pairs.values()))
        return pairs

    monkeypatch.setattr(groups, "_read_pairs", watched)
    write_filtered(source, sentences, 0, 1, tmp_path / "o.jsonl.gz", tmp_path / "o.csv", held=10)
    assert len(held) > 1 and max(held) < sum(held)


def pairs(count: int) -> list[dict[str, object]]:
    return [
        nli_pair(number, "neutral", f"Lamp number {number // 3} glows.", f"It is day {number}.")
        for number in range(count)
    ]


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
    assert sorted(path.name for path in (tmp_path / "pairs").glob("[!.]*")) == ["0.jsonl.gz", "1.jsonl.gz"]


def test_a_file_without_pairs_is_an_error(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "nli.jsonl", [])
    with pytest.raises(DivLogicError, match="the file is empty"):
        partition(tmp_path / "nli.jsonl", shards=2, out=tmp_path / "pairs")
    assert not (tmp_path / "pairs").exists()

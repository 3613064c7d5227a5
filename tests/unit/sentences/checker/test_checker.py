"""The trained checker of sentence pairs: what it is trained on, what it refuses, and what readers say of it."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_json, read_jsonl, write_csv, write_jsonl
from divlogic.io.tables import read_note, read_table
from divlogic.networks import training as pairs
from divlogic.sentences.checker import judging
from divlogic.sentences.checker.training import LABELS, WEIGHTS, draw_pairs, load_checker, train_checker
from divlogic.sentences.groups import write_counts
from divlogic.sentences.merging import read_counts
from divlogic.sentences.parameters import CheckerParameters, SentencesParameters, SentencesRun
from tests.unit.contamination.samples import WORDS, pair
from tests.unit.networks import tiny

ROOT = Path(__file__).parents[4]
SMALL = {"pairs": 90, "rate": 3e-3, "batch": 8}


class KnowsWords:
    """Judges by the last word of a hypothesis."""

    def probabilities(self, pairs: list[tuple[str, str]]) -> list[list[float]]:
        words = [hypothesis.rstrip(".").split()[-1] for _, hypothesis in pairs]
        return [[0.8 if WORDS[label] == word else 0.1 for label in LABELS] for word in words]


def rows(count: int) -> list[dict[str, Any]]:
    """Pairs of two corpora whose hypotheses end in a word that tells their label."""
    which = itertools.product(("captions", "genres"), range(count), LABELS)
    return [
        pair(number, label, corpus) | {"hypothesis": f"A man is {WORDS[label]}."}
        for corpus, number, label in which
    ]


@pytest.fixture
def checker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose checker knows words."""
    monkeypatch.setattr(judging, "load_checker", lambda *_: KnowsWords())
    (tmp_path / "checker").mkdir()
    (tmp_path / "checker" / "about.json").write_text("{}")
    return tmp_path / "checker"


def verdicts_of(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write what a reader finds who knows who is sad."""
    found = ([row["id"], "no" if "sad" in row["hypothesis"] else "yes"] for row in rows)
    write_csv(path, ["id", "holds"], found)
    return path


def sentence(text: str) -> dict[str, Any]:
    return {"text": text, "negated": f"not {text}", "source": "s", "subject": ["man"], "plural": False}


def group(number: int, entailed: str = "outside") -> dict[str, Any]:
    man = f"a man with {number} dogs"
    names = {
        "id": f"{number:012x}",
        "corpus": "captions",
        "genre": "captions",
        "source": f"captions:{number}",
    }
    hypotheses = {
        "entailed": [sentence(f"{man} is {entailed}")],
        "contradicted": [sentence(f"{man} is asleep")],
    }
    return names | {"premise": sentence(f"{man} walks in a park"), **hypotheses, "neutral": []}


def groups(path: Path, count: int = 10) -> Path:
    """Groups of which the first has a hypothesis that does not follow."""
    write_jsonl(path, [group(number, "outside" if number else "sad") for number in range(count)])
    return path


def test_no_premise_is_trained_on_that_words_a_variable_or_is_tested_with(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "nli.jsonl", rows(200))
    used = {("captions", f"captions:{number}") for number in range(100)}
    train, test = draw_pairs(tmp_path / "nli.jsonl", train=90, seed=1, without=used)
    assert [sum(row.label == label for row in train) for label in range(3)] == [30, 30, 30]
    premises = {(row.corpus, row.pair[0]) for row in train}
    assert test and not premises & {(row.corpus, row.pair[0]) for row in test}
    unused = {f"A man with {number} dogs walks in a park." for number in range(100, 200)}
    assert {text for corpus, text in premises if corpus == "captions"} <= unused
    write_jsonl(tmp_path / "turned.jsonl", rows(200)[::-1])
    assert draw_pairs(tmp_path / "turned.jsonl", train=90, seed=1, without=used) == (train, test)
    everything = {(row["corpus"], row["premise_id"]) for row in rows(200)}
    told = r"no pair labelled 'entailment' is left .*sentences.checker.corpus"
    with pytest.raises(DivLogicError, match=told):
        draw_pairs(tmp_path / "nli.jsonl", train=90, seed=1, without=everything)


def test_doubted_hypotheses_leave_their_group_and_the_others_tell_their_probabilities(
    tmp_path: Path, checker: Path
) -> None:
    source = groups(tmp_path / "merged.jsonl")
    counts = {("captions", "entailed", "kept"): 10, ("captions", "contradicted", "kept"): 10}
    write_counts(tmp_path / "merged.csv", counts)  # type: ignore[arg-type]
    params = SentencesRun(sentences=SentencesParameters(min_entailment=0.3))
    outputs = {"out": "groups.jsonl", "counts_out": "filter.csv", "summary_out": "summary.json"}
    files = {"counts": tmp_path / "merged.csv"} | {key: tmp_path / name for key, name in outputs.items()}
    assert judging.check_groups(source, checker=checker, params=params, **files) == 1
    found = [row for _, row in read_jsonl(tmp_path / "groups.jsonl")]
    assert [len(row["entailed"]) for row in found] == [0, *[1] * 9]
    assert all(len(row["contradicted"]) == 1 and row["contradicted"][0]["nli"] for row in found)
    assert found[1]["entailed"][0]["nli"] == {"entailment": 0.8, "neutral": 0.1, "contradiction": 0.1}
    after = read_counts(tmp_path / "filter.csv")
    assert (after["captions", "entailed", "kept"], after["captions", "entailed", judging.REFUSED]) == (9, 1)


def test_the_table_counts_what_is_refused_and_how_often_readers_agreed(tmp_path: Path, checker: Path) -> None:
    source = groups(tmp_path / "groups.jsonl")
    judged = tmp_path / "judged.jsonl"
    params = SentencesRun(seed=1)
    assert judging.judge_pairs(groups=source, checker=checker, most=100, out=judged, params=params) == 20
    read = judging.to_be_read(judged, 8, 1)
    assert len({row["id"] for row in read}) == 8 and any("sad" in row["hypothesis"] for row in read)
    verdicts = verdicts_of(tmp_path / "verdicts.csv", read)
    found = judging.threshold_rows("captions", judged, judging.read_verdicts(verdicts))
    at = {(row["role"], row["threshold"]): row for row in found}
    strict, lenient = at["entailed", 0.2], at["entailed", 0.05]
    assert (strict["refused"], strict["precision"], strict["kept_wrong"]) == (10, 100, 0)
    assert (lenient["refused"], lenient["precision"]) == (0, None) and lenient["kept_wrong"] > 0

    recording = tmp_path / "recorded.json"
    about = {"source": "captions", "origin": source, "checker": checker}
    judging.record_check(judged, verdicts=verdicts, out=recording, **about)
    assert "dogs" not in recording.read_text()
    judging.tabulate_check((recording,), out=tmp_path / "table")
    assert read_table(tmp_path / "table")[0]["source"] == "captions"
    assert f"captions (SHA-256 {file_sha256(source)[:12]}" in read_note(tmp_path / "table")
    verdicts.write_text("id,holds\nx,perhaps\n")
    (tmp_path / ".verdicts.csv.sum").unlink()
    with pytest.raises(DivLogicError, match="row 2: not `id,holds`"):
        judging.read_verdicts(verdicts)


def test_the_pairs_of_a_benchmark_are_those_that_word_its_instances(tmp_path: Path) -> None:
    variables = {
        name: {"premise": f"a {name} sleeps", "hypotheses": [f"a {name} rests"], "source": f"captions:{name}"}
        for name in ("cat", "dog", "cow")
    }
    variables["cat"]["contradiction"] = "a cat runs"
    record = {"id": "i", "benchmark": "b", "split": "test", "context": "", "question": "", "options": ["x"]}
    write_jsonl(tmp_path / "test.jsonl", [record | {"answer": 0, "sentences": variables}])
    found = [(pair["role"], pair["premise"]) for pair in judging.pairs_of_records(tmp_path / "test.jsonl")]
    assert sorted(role for role, _ in found) == ["contradicted", *[judging.DIFFERENT] * 3, *["entailed"] * 3]
    write_jsonl(tmp_path / "test.jsonl", [record | {"answer": 0, "sentences": {"A": "a cat sleeps"}}])
    with pytest.raises(DivLogicError, match="the record i does not tell its sentences"):
        list(judging.pairs_of_records(tmp_path / "test.jsonl"))


def test_the_share_of_labels_counts_instances_by_the_pairs_that_tie_their_sentences(
    tmp_path: Path, checker: Path
) -> None:
    variables = {
        name: {"premise": f"a {name} walks", "hypotheses": [f"a {name} is sad", f"a {name} is outside"]}
        | {"source": f"captions:{name}"}
        for name in ("cat", "dog")
    }
    sentences = {"A": variables["cat"], "B": variables["dog"]}
    record = {"benchmark": "b", "split": "test", "context": "", "question": "", "options": ["x"], "answer": 0}
    axioms = [["(A0→A1)", "¬(B0∧Bc)"], ["(A0→A2)", "(B0→B2)"], [], ["(A0→A1)", "(B0→B2)"]]
    rows = [
        record | {"id": str(at), "sentences": sentences, "metadata": {"worded": {"axioms": own}}}
        for at, own in enumerate(axioms)
    ]
    records, judged = tmp_path / "test.jsonl", tmp_path / "judged.jsonl"
    write_jsonl(records, rows)
    params = SentencesRun(seed=1)
    assert judging.judge_pairs(records=records, in_use=True, checker=checker, out=judged, params=params) == 3
    verdicts = verdicts_of(tmp_path / "verdicts.csv", judging.to_be_read(judged, 6, 1))
    out = tmp_path / "recorded.json"
    about = {"source": "b", "origin": records, "checker": checker, "verdicts": verdicts}
    judging.record_check(judged, labels=judged, out=out, **about)
    at = {row["threshold"]: row for row in read_json(out)["rows"]}
    strict = {"instances": 4, "doubted": 50, "instances_wrong": 50, "instances_wrong_kept": 0}
    assert at[0.2].items() >= strict.items()
    assert at[0.05].items() >= (strict | {"doubted": 0, "instances_wrong_kept": 50}).items()

    write_jsonl(judged, [row for _, row in read_jsonl(judged) if "cat is sad" not in row["hypothesis"]])
    with pytest.raises(DivLogicError, match="a pair of the record 0 is not judged"):
        judging.record_check(judged, labels=judged, out=out, **about)
    write_jsonl(records, [rows[0] | {"metadata": {"worded": {"axioms": ["(Z0→Z1)"]}}}])
    with pytest.raises(DivLogicError, match="the record 0 does not tell its sentences"):
        list(judging.pairs_that_decide(records))


def test_a_clause_is_judged_as_the_sentence_that_it_was() -> None:
    assert judging.as_sentence("two dogs run") == "Two dogs run."


def test_without_torch_a_sentence_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(DivLogicError, match="make env-learner"):
        load_checker(tmp_path, CheckerParameters(), 1)


def train(folder: Path, out: Path, patch: pytest.MonkeyPatch, *, passes: int = 6) -> dict[str, Any]:
    texts = [text for row in rows(20) for text in (row["premise"], row["hypothesis"])]
    patch.setattr(pairs, "load_encoder", lambda _: (tiny.encoder(), tiny.tokenizer(texts)))
    write_jsonl(folder / "nli.jsonl", rows(60))
    section = SentencesParameters(checker=CheckerParameters(passes=passes, **SMALL))
    params = SentencesRun(seed=1, sentences=section)
    return train_checker(pairs=folder / "nli.jsonl", work=folder / "work", out=out, params=params)


@pytest.mark.slow
def test_a_checker_learns_what_words_tell_and_is_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    about = train(tmp_path, tmp_path / "checker", monkeypatch)
    assert min(about["accuracy"].values()) == 100
    parameters = CheckerParameters(passes=6, **SMALL)
    checker = load_checker(tmp_path / "checker", parameters, 1)
    texts = [("A man with 3 dogs walks in a park.", f"A man is {word}.") for word in WORDS.values()]
    chances = checker.probabilities(texts)
    assert [row.index(max(row)) for row in chances] == [0, 1, 2]
    assert checker.probabilities(texts[::-1]) == chances[::-1]
    with pytest.raises(DivLogicError, match="weights of another model or length"):
        load_checker(tmp_path / "checker", CheckerParameters(longest=32), 1)
    (tmp_path / "checker" / WEIGHTS).write_bytes(b"torn")
    with pytest.raises(DivLogicError, match="not the weights of a network that can be read"):
        load_checker(tmp_path / "checker", parameters, 1)


_TRAIN = """
import sys
from pathlib import Path
import pytest
from tests.unit.sentences.checker import test_checker as tests
from divlogic.sentences.checker import training
training._STEPS_KEPT = 2
tests.train(Path(sys.argv[1]), Path(sys.argv[1], "checker"), pytest.MonkeyPatch(), passes=40)
"""


@pytest.mark.slow
def test_a_checker_that_was_killed_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([f"{ROOT / 'src'}", f"{ROOT}", *sys.path])}

    def start(folder: str) -> subprocess.Popen[bytes]:
        (tmp_path / folder).mkdir(exist_ok=True)
        return subprocess.Popen(
            [sys.executable, "-c", _TRAIN, str(tmp_path / folder)], cwd=ROOT, env=environment
        )

    killed = start("killed")
    while not (tmp_path / "killed" / "work" / "checkpoint.pt").exists() and killed.poll() is None:
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert not (tmp_path / "killed" / "checker").exists()
    assert [start(folder).wait() for folder in ("killed", "whole")] == [0, 0]
    one, other = (
        torch.load(tmp_path / folder / "checker" / "weights.pt", weights_only=True)["weights"]
        for folder in ("killed", "whole")
    )
    assert all(bool((one[name] == other[name]).all()) for name in one)

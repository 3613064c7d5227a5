"""The grammar polish: how a model is asked (by a real server on this machine) and its proposals are applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from divlogic.benchmarks.cli import cli
from divlogic.benchmarks.polish.parameters import PolishParameters
from divlogic.benchmarks.polish.run import PROMPT, apply, ask, fragments, wanted_proposals
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.models.parameters import LimitParameters
from divlogic.models.requests import ResponseStore, read_responses
from divlogic.records import Record, read_records
from tests.integration.fault_server import Handler, serving
from tests.support import call

ORIGINAL = "If two man is riding a horse, then a women isn't baking bread."
CORRECTED = "If two men are riding a horse, then a woman isn't baking bread."
LIMITS = LimitParameters(timeout=60, first_wait=0.01, attempts=2, give_up_after=3)


def corrected(prompt: str) -> str:
    text = prompt.split("\n\n", 1)[1]
    return text.replace("two man is", "two men are").replace("a women", "a woman")


@pytest.fixture
def server() -> Iterator[tuple[str, type[Handler]]]:
    with serving(answer=corrected) as running:
        yield running


def parameters(address: str = "http://127.0.0.1:9/v1", **values: object) -> PolishParameters:
    given = {"trials": 2, "min_ratio": 0.3, "model": "tiny", "base_url": address, **values}
    return PolishParameters(enabled=True, **given)


def write_records(path: Path, count: int = 3) -> Path:
    rows = [
        Record(
            id=f"r{index}",
            benchmark="divlogiceval",
            split="test",
            context=f"Number {index} is here. {ORIGINAL}",
            question="Which of the options can be inferred?",
            options=("It rains.", "It snows.", ORIGINAL, f"Option {index} holds."),
            answer=index % 4,
            formulas={"premises": ["A", "(B→¬C)"], "conclusion": None},
        ).to_json()
        for index in range(count)
    ]
    write_jsonl(path, rows)
    return path


def texts_of(source: Path) -> set[str]:
    return {text for record in read_records(source) for part in fragments(record) for text in part}


def asked(source: Path, store: Path, settings: PolishParameters) -> int:
    with ResponseStore(store) as opened:
        return ask(wanted_proposals(source, settings), opened, settings, seed=1, limits=LIMITS)


def applied(source: Path, store: Path, settings: PolishParameters) -> Counter[str]:
    """Write ``out.jsonl`` next to the records."""
    wanted = wanted_proposals(source, settings)
    return apply(source, source.with_name("out.jsonl"), wanted, read_responses(store), settings)


def test_every_fragment_is_asked_for_once_per_trial_and_the_records_are_corrected(
    server: tuple[str, type[Handler]], tmp_path: Path
) -> None:
    source, store = write_records(tmp_path / "in.jsonl"), tmp_path / "s.sqlite"
    settings = parameters(server[0])
    texts = texts_of(source)
    assert asked(source, store, settings) == 2 * len(texts)
    assert server[1].asked == Counter({PROMPT.format(text=text): 2 for text in texts})
    # The trials are samples of their own; the paper names no temperature, so that none is sent.
    assert len({body["seed"] for body in server[1].bodies}) == 2
    assert not any("temperature" in body or "max_tokens" in body for body in server[1].bodies)

    counts = applied(source, store, settings)
    assert counts == {"records": 3, "changed_records": 3, "fragments": 18, "changed_fragments": 6}
    before, after = list(read_records(source)), list(read_records(tmp_path / "out.jsonl"))
    for old, new in zip(before, after, strict=True):
        assert new.context == old.context.replace(ORIGINAL, CORRECTED)
        assert new.options == (*old.options[:2], CORRECTED, old.options[3])
        assert new.metadata["unpolished"] == {"context": old.context, "options": list(old.options)}
        assert (new.id, new.answer, new.formulas) == (old.id, old.answer, old.formulas)


def test_changes_wait_for_peoples_verdicts_which_are_kept(
    server: tuple[str, type[Handler]], tmp_path: Path
) -> None:
    source, store = write_records(tmp_path / "in.jsonl"), tmp_path / "s.sqlite"
    review = tmp_path / "review.csv"
    given = source, store, parameters(server[0], review=str(review))
    asked(*given)
    with pytest.raises(DivLogicError, match=r"review.csv: 1 of 1 changes wait to be approved"):
        applied(*given)
    assert not (tmp_path / "out.jsonl").exists()
    empty = review.read_text()
    assert empty == f'text,change,approved\n"{ORIGINAL}","{CORRECTED}",\n'
    with pytest.raises(DivLogicError, match="wait to be approved"):
        applied(*given)
    assert review.read_text() == empty
    for verdict, changed in (("No", 0), ("yes", 6)):
        review.write_text(empty.replace(",\n", f",{verdict}\n"))
        assert applied(*given)["changed_fragments"] == changed
    review.write_text(empty.replace(",\n", ",perhaps\n"))
    with pytest.raises(DivLogicError, match=r"review.csv, row 2: 'perhaps' is no verdict"):
        applied(*given)
    review.write_text("text\n")
    with pytest.raises(DivLogicError, match="not a table with the columns text, change, approved"):
        applied(*given)


def test_the_command_asks_applies_and_runs_again_on_its_own_store(
    server: tuple[str, type[Handler]], tmp_path: Path
) -> None:
    source = write_records(tmp_path / "test.jsonl")
    params = {"seed": 1, "benchmarks": {"divlogiceval": {"polish": parameters(server[0]).model_dump()}}}
    outputs = []
    for name in ("one", "two"):
        out = tmp_path / f"{name}.jsonl"
        files = f"--in {source} --out {out} --store {tmp_path}/store.sqlite"
        call(cli, f"divlogiceval polish {files}", params)
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    assert server[1].asked.total() == 2 * len(texts_of(source))


def test_the_result_does_not_depend_on_concurrency(server: tuple[str, type[Handler]], tmp_path: Path) -> None:
    source = write_records(tmp_path / "in.jsonl", 5)
    outputs = set()
    for concurrency in (1, 8):
        settings, store = parameters(server[0], concurrency=concurrency), tmp_path / f"{concurrency}.jsonl"
        asked(source, store, settings)
        applied(source, store, settings)
        outputs.add((tmp_path / "out.jsonl").read_bytes())
    assert len(outputs) == 1


def test_what_came_in_before_an_error_is_kept_and_not_paid_for_again(tmp_path: Path) -> None:
    source, store = write_records(tmp_path / "in.jsonl"), tmp_path / "store.sqlite"
    total = 2 * len(texts_of(source))

    def breaks(handler: Handler, prompt: str, before: int) -> bool:
        if handler.asked.total() > 5:
            handler.reply(400, b"no more")
            return True
        return False

    with serving(breaks, corrected) as (address, _), pytest.raises(DivLogicError, match="given up"):
        asked(source, store, parameters(address, concurrency=1))
    assert len(read_responses(store)) == 5
    with serving(answer=corrected) as (address, handler):
        assert asked(source, store, parameters(address)) == total - 5
        assert handler.asked.total() == total - 5


def test_an_answer_that_was_cut_off_is_no_proposal(tmp_path: Path) -> None:
    source, store = write_records(tmp_path / "in.jsonl", 1), tmp_path / "store.sqlite"

    def cut(handler: Handler, prompt: str, before: int) -> bool:
        handler.say(corrected(prompt), finish_reason="length")
        return True

    with serving(cut) as (address, _):
        settings = parameters(address)
        asked(source, store, settings)
    assert applied(source, store, settings)["changed_records"] == 0


def test_applying_before_asking_is_refused(tmp_path: Path) -> None:
    source = write_records(tmp_path / "in.jsonl")
    with pytest.raises(DivLogicError, match="run `divlogic benchmarks divlogiceval polish` first"):
        apply(source, tmp_path / "out.jsonl", wanted_proposals(source, parameters()), {}, parameters())
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"model": None}, "model is not set"),
        ({"base_url": None}, "base_url is not set, and 'tiny' names no provider"),
    ],
)
def test_a_server_and_a_model_must_be_named(tmp_path: Path, given: dict[str, None], sentence: str) -> None:
    with pytest.raises(DivLogicError, match=sentence):
        asked(write_records(tmp_path / "in.jsonl"), tmp_path / "store.sqlite", parameters(**given))


def test_a_context_that_does_not_split_into_its_sentences_stays_whole() -> None:
    def record(context: str) -> Record:
        return Record(
            "r", "b", "s", context, "q", ("a",), 0, formulas={"premises": ["A", "B"], "conclusion": None}
        )

    assert fragments(record("It rains. It snows."))[0] == ["It rains.", "It snows."]
    assert fragments(record("It rains in St. Ives. It snows."))[0] == ["It rains in St. Ives. It snows."]

"""The grammar polish: how a model is asked (by a real server on this machine) and its proposals are applied."""

from __future__ import annotations

import gzip
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
Server = tuple[str, type[Handler]]
LIMITS = LimitParameters(timeout=60, first_wait=0.01, attempts=2, give_up_after=3)


def corrected(prompt: str) -> str:
    text = prompt.split("\n\n", 1)[1]
    return text.replace("two man is", "two men are").replace("a women", "a woman")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(answer=corrected) as running:
        yield running


def parameters(address: str = "http://127.0.0.1:9/v1", **values: object) -> PolishParameters:
    given = {"trials": 2, "min_ratio": 0.3, "model": "tiny", "base_url": address, **values}
    return PolishParameters(enabled=True, **given)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    rows = [
        Record(
            *(
                f"r{index}",
                "divlogiceval",
                "test",
                f"Number {index} is here. {ORIGINAL}",
                "What follows?",
            ),
            options=("It rains.", "It snows.", ORIGINAL, f"Option {index} holds."),
            answer=index % 4,
            formulas={
                "premises": ["A", "(B→¬C)"],
                "conclusion": None,
                "drawn_options": list("ABCD"),
            },
        ).to_json()
        for index in range(3)
    ]
    write_jsonl(tmp_path / "test.jsonl", rows)
    return tmp_path / "test.jsonl"


def texts_of(source: Path) -> set[str]:
    return {text for record in read_records(source) for part in fragments(record) for text in part}


def asked(source: Path, settings: PolishParameters) -> int:
    with ResponseStore(source.with_name("store.sqlite")) as opened:
        return ask(wanted_proposals(source, settings), opened, settings, seed=1, limits=LIMITS)


def applied(source: Path, settings: PolishParameters) -> Counter[str]:
    """Write ``out.jsonl`` next to the records."""
    wanted, responses = (
        wanted_proposals(source, settings),
        read_responses(source.with_name("store.sqlite")),
    )
    return apply(source, source.with_name("out.jsonl"), wanted, responses, settings)


def test_every_fragment_is_asked_for_once_per_trial_and_the_records_are_corrected(
    server: Server, source: Path
) -> None:
    settings, texts = parameters(server[0]), texts_of(source)
    assert asked(source, settings) == 2 * len(texts)
    assert server[1].asked == Counter({PROMPT.format(text=text): 2 for text in texts})
    # The paper names no temperature, so that none is sent; the trials differ by the server's own.
    unwanted = {"temperature", "max_tokens", "seed"}
    assert not any(unwanted & set(body) for body in server[1].bodies)

    counts = applied(source, settings)
    assert counts == {"records": 3, "changed_records": 3, "fragments": 18, "changed_fragments": 6}
    after = read_records(source.with_name("out.jsonl"))
    for old, new in zip(read_records(source), after, strict=True):
        assert new.context == old.context.replace(ORIGINAL, CORRECTED)
        assert new.options == (*old.options[:2], CORRECTED, old.options[3])
        assert new.metadata["unpolished"] == {"context": old.context, "options": list(old.options)}
        assert (new.id, new.answer, new.formulas) == (old.id, old.answer, old.formulas)


def test_changes_wait_for_peoples_verdicts_which_are_kept(server: Server, source: Path) -> None:
    review = source.with_name("review.csv")
    settings = parameters(server[0], review=str(review))
    asked(source, settings)
    for _ in range(2):
        with pytest.raises(DivLogicError, match=r"review.csv: 1 of 1 changes wait to be approved"):
            applied(source, settings)
        assert review.read_text() == f'text,change,approved\n"{ORIGINAL}","{CORRECTED}",\n'
    assert not source.with_name("out.jsonl").exists()
    empty = review.read_text()
    for verdict, changed in (("No", 0), ("yes", 6)):
        review.write_text(empty.replace(",\n", f",{verdict}\n"))
        assert applied(source, settings)["changed_fragments"] == changed
    for text, sentence in (
        (empty.replace(",\n", ",perhaps\n"), r"review.csv, row 2: 'perhaps' is no verdict"),
        ("text\n", "not a table with the columns text, change, approved"),
    ):
        review.write_text(text)
        with pytest.raises(DivLogicError, match=sentence):
            applied(source, settings)


def test_the_command_asks_applies_and_runs_again_on_its_own_store(
    server: Server, source: Path
) -> None:
    params = {
        "seed": 1,
        "benchmarks": {"divlogiceval": {"polish": parameters(server[0]).model_dump()}},
    }
    outputs = []
    # What a step hands on lies packed; what it makes of it, for a user, does not.
    given = source.with_name("given")
    given.mkdir()
    rows = source.read_bytes()
    for split in ("test", "unpolished"):
        (given / f"{split}.jsonl.gz").write_bytes(gzip.compress(rows))
    for name in ("one", "two"):
        out, twin = source.with_name(name), source.with_name(f"s-{name}")
        options = f"--in {given} --out {out} --twin {twin} --store {source}.sqlite"
        call(cli, f"divlogiceval finish {options}", params)
        outputs.append((out / "test.jsonl").read_bytes())
        assert (out / "unpolished.jsonl").read_bytes() == rows
        assert next(iter(read_records(twin / "test.jsonl"))).context == "A, (B→¬C)"
    assert outputs[0] == outputs[1] != source.read_bytes()
    assert server[1].asked.total() == 2 * len(texts_of(source))


def test_the_result_does_not_depend_on_concurrency(server: Server, source: Path) -> None:
    outputs = set()
    for concurrency in (1, 8):
        settings = parameters(server[0], concurrency=concurrency)
        assert asked(source, settings) == 2 * len(texts_of(source))
        applied(source, settings)
        source.with_name("store.sqlite").unlink()
        outputs.add(source.with_name("out.jsonl").read_bytes())
    assert len(outputs) == 1


def test_what_came_in_before_an_error_is_kept_and_not_paid_for_again(source: Path) -> None:
    def breaks(handler: Handler, prompt: str, before: int) -> bool:
        if handler.asked.total() > 5:
            handler.reply(400, b"no more")
            return True
        return False

    with serving(breaks, corrected) as (address, _), pytest.raises(DivLogicError, match="given up"):
        asked(source, parameters(address, concurrency=1))
    assert len(read_responses(source.with_name("store.sqlite"))) == 5
    with serving(answer=corrected) as (address, handler):
        assert (
            asked(source, parameters(address))
            == 2 * len(texts_of(source)) - 5
            == handler.asked.total()
        )


def test_an_answer_that_was_cut_off_is_no_proposal(source: Path) -> None:
    def cut(handler: Handler, prompt: str, before: int) -> bool:
        handler.say(corrected(prompt), finish_reason="length")
        return True

    with serving(cut) as (address, _):
        settings = parameters(address)
        asked(source, settings)
    assert applied(source, settings)["changed_records"] == 0


def test_applying_before_asking_is_refused(source: Path) -> None:
    with pytest.raises(DivLogicError, match="run `divlogic benchmarks divlogiceval finish` first"):
        applied(source, parameters())
    assert not source.with_name("out.jsonl").exists()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"model": None}, "model is not set"),
        ({"base_url": None}, "base_url is not set, and 'tiny' names no provider"),
    ],
)
def test_a_server_and_a_model_must_be_named(
    source: Path, given: dict[str, None], sentence: str
) -> None:
    with pytest.raises(DivLogicError, match=sentence):
        wanted_proposals(source, parameters(**given))


@pytest.mark.parametrize(
    ("context", "parts"),
    [
        ("It rains. It snows.", ["It rains.", "It snows."]),
        ("It rains in St. Ives. It snows.", ["It rains in St. Ives. It snows."]),
    ],
)
def test_a_context_that_does_not_split_into_its_sentences_stays_whole(
    context: str, parts: list[str]
) -> None:
    formulas = {"premises": ["A", "B"], "conclusion": None}
    assert fragments(Record("r", "b", "s", context, "q", ("a",), 0, formulas=formulas))[0] == parts

"""The grammar polish: how the model is asked (by a real server on this machine) and its answers applied."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from divlogic.benchmarks.polish import (
    PROMPT,
    ChatClient,
    ProposalStore,
    apply,
    ask,
    fragments,
)
from divlogic.config import PolishParameters
from divlogic.errors import DivLogicError
from divlogic.files import write_jsonl
from divlogic.records import Record, read_records

ORIGINAL = "If two man is riding a horse, then a women isn't baking bread."
CORRECTED = "If two men are riding a horse, then a woman isn't baking bread."


# The server


class Server:
    """A chat server on 127.0.0.1 whose behaviour per request is given by ``script``; then it answers properly."""

    def __init__(self) -> None:
        self.script: list[str] = []
        self.prompts: Counter[str] = Counter()
        self.keys: list[str | None] = []
        self.delay = lambda prompt: 0.0
        self.correct = lambda text: text.replace("two man is", "two men are").replace("a women", "a woman")
        self.lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                outer.handle(self)

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        self.released = threading.Event()
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def handle(self, request) -> None:
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        prompt = body["messages"][0]["content"]
        with self.lock:
            self.prompts[prompt] += 1
            self.keys.append(request.headers.get("Authorization"))
            action = self.script.pop(0) if self.script else "ok"
        time.sleep(self.delay(prompt))
        text = self.correct(prompt.split("\n\n", 1)[1])
        answer = {
            "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
            "usage": {"total_tokens": 9},
        }
        if action == "hang":
            self.released.wait(20)
            return
        if action == "cut":
            payload = json.dumps(answer).encode()
            request.send_response(200)
            request.send_header("Content-Length", str(len(payload)))
            request.end_headers()
            request.wfile.write(payload[: len(payload) // 2])
            request.wfile.flush()
            request.connection.shutdown(socket.SHUT_RDWR)
            return
        status, headers = 200, {}
        if action.isdigit():
            status, answer = int(action), {"error": {"message": "no, sk-test-secret is no good"}}
            if status == 429:
                headers["Retry-After"] = "7"
        elif action == "length":
            answer["choices"][0]["finish_reason"] = "length"
        elif action == "odd":
            answer = {"choices": []}
        payload = b'{"choices": [' if action == "malformed" else json.dumps(answer).encode()
        request.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(payload))}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(payload)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-secret")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    running = Server()
    yield running
    running.released.set()
    running.http.shutdown()
    running.http.server_close()


@pytest.fixture
def waits():
    return []


@pytest.fixture
def client(server, waits):
    made = ChatClient(server.url, "tiny", attempts=4, timeout=0.5, first_wait=0.5, sleep=waits.append)
    yield made
    made.close()


def parameters(**values):
    return PolishParameters(enabled=True, model="tiny", **{"trials": 2, "min_ratio": 0.3, **values})


def write_records(path, count=3):
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


def test_the_key_is_sent_but_never_shown(server, client, capsys):
    server.script = ["500", "401"]
    with pytest.raises(DivLogicError, match="status 401") as caught:
        client.ask("x\n\ny")
    assert server.keys == ["Bearer sk-test-secret"] * 2
    shown = capsys.readouterr()
    assert "sk-test-secret" not in str(caught.value) + shown.err + shown.out


def test_without_a_key_none_is_sent(server, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    ChatClient(server.url, "tiny").ask("x\n\ny")
    assert server.keys == [None]


@pytest.mark.parametrize("trouble", ["500", "503", "cut", "malformed", "odd", "hang"])
def test_a_passing_trouble_is_tried_again(server, client, waits, trouble):
    server.script = [trouble, trouble]
    text, details = client.ask("x\n\ntwo man is here")
    assert text == "two men are here"
    assert details == {"finish_reason": "stop", "usage": {"total_tokens": 9}}
    assert waits == [0.5, 1.0]


def test_the_server_says_how_long_to_wait(server, client, waits):
    server.script = ["429"]
    client.ask("x\n\ny")
    assert waits == [7.0]


def test_a_lasting_trouble_ends_in_a_sentence(server, client):
    server.script = ["500"] * 9
    with pytest.raises(DivLogicError, match="status 500 after 4 attempts"):
        client.ask("x\n\ny")
    assert sum(server.prompts.values()) == 4


def test_a_refusal_is_not_tried_again(server, client):
    server.script = ["404"]
    with pytest.raises(DivLogicError, match=r"check polish\.base_url"):
        client.ask("x\n\ny")
    assert sum(server.prompts.values()) == 1


def test_a_server_that_is_not_there_is_told_of(waits):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(DivLogicError, match="after 2 attempts"):
        ChatClient(url, "tiny", attempts=2, sleep=waits.append).ask("x")
    with pytest.raises(DivLogicError, match="not an http address"):
        ChatClient("example.org/v1", "tiny", attempts=2, sleep=waits.append).ask("x")


def test_an_answer_that_ran_out_of_tokens_is_no_proposal(server, client):
    server.script = ["length"]
    assert client.ask("x\n\ny")[0] is None


# Asking and applying


def test_every_fragment_is_asked_for_once_per_trial_and_the_records_are_corrected(server, client, tmp_path):
    source, store = write_records(tmp_path / "in.jsonl"), ProposalStore(tmp_path / "store.jsonl")
    asked = ask(source, store, parameters(), client=client)
    texts = {text for record in read_records(source) for part in fragments(record) for text in part}
    assert asked == len(store) == 2 * len(texts)
    assert server.prompts == Counter({PROMPT.format(text=text): 2 for text in texts})

    report = apply(source, tmp_path / "out.jsonl", store, parameters())
    assert (report.records, report.changed_records) == (3, 3)
    assert (report.fragments, report.changed_fragments) == (18, 6)
    before, after = list(read_records(source)), list(read_records(tmp_path / "out.jsonl"))
    for old, new in zip(before, after, strict=True):
        assert new.context == old.context.replace(ORIGINAL, CORRECTED)
        assert new.options == (*old.options[:2], CORRECTED, old.options[3])
        assert new.metadata["unpolished"] == {"context": old.context, "options": list(old.options)}
        assert (new.id, new.answer, new.formulas) == (old.id, old.answer, old.formulas)


def test_a_second_run_asks_for_nothing(server, client, tmp_path):
    source = write_records(tmp_path / "in.jsonl")
    ask(source, ProposalStore(tmp_path / "store.jsonl"), parameters(), client=client)
    sent = sum(server.prompts.values())
    assert ask(source, ProposalStore(tmp_path / "store.jsonl"), parameters(), client=client) == 0
    assert sum(server.prompts.values()) == sent


def test_the_result_does_not_depend_on_the_order_of_arrival(server, tmp_path):
    source = write_records(tmp_path / "in.jsonl", 5)
    outputs = []
    for name, delay in (("one", lambda prompt: 0.0), ("two", lambda prompt: (len(prompt) * 7 % 5) / 200)):
        server.delay = delay
        store = ProposalStore(tmp_path / f"{name}.jsonl")
        concurrency = 1 if name == "one" else 8
        ask(source, store, parameters(base_url=server.url, concurrency=concurrency))
        apply(source, tmp_path / f"{name}.out", store, parameters())
        outputs.append((tmp_path / f"{name}.out").read_bytes())
    assert outputs[0] == outputs[1]


def test_what_came_in_before_an_error_is_kept_and_not_paid_for_again(server, client, tmp_path):
    source, path = write_records(tmp_path / "in.jsonl"), tmp_path / "store.jsonl"
    server.script = ["ok"] * 5 + ["400"] * 40
    with pytest.raises(DivLogicError, match="status 400"):
        ask(source, ProposalStore(path), parameters(concurrency=1), client=client)
    assert len(ProposalStore(path)) == 5
    server.script, server.prompts = [], Counter()
    again = ChatClient(server.url, "tiny")
    total = 2 * len({t for r in read_records(source) for part in fragments(r) for t in part})
    assert ask(source, ProposalStore(path), parameters(), client=again) == total - 5
    assert sum(server.prompts.values()) == total - 5


def test_a_torn_last_line_is_asked_again_and_harms_nothing(server, client, tmp_path):
    source, path = write_records(tmp_path / "in.jsonl"), tmp_path / "store.jsonl"
    ask(source, ProposalStore(path), parameters(), client=client)
    whole = ProposalStore(path)
    path.write_bytes(path.read_bytes()[:-20])
    torn = ProposalStore(path)
    assert len(torn) == len(whole) - 1
    assert ask(source, torn, parameters(), client=client) == 1
    assert len(ProposalStore(path)) == len(whole)
    apply(source, tmp_path / "out.jsonl", ProposalStore(path), parameters())


def test_a_last_line_that_lacks_only_its_end_counts(tmp_path):
    path = tmp_path / "store.jsonl"
    ProposalStore(path).add("m", "p", 0, "text")
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    store = ProposalStore(path)
    store.add("m", "p", 1, "other")
    again = ProposalStore(path)
    assert [again.get("m", "p", trial) for trial in (0, 1)] == ["text", "other"]


def test_answers_are_kept_apart_by_model_prompt_and_trial_and_never_overwritten(tmp_path):
    store = ProposalStore(tmp_path / "store.jsonl")
    store.add("m", "p", 0, "first")
    store.add("m", "p", 0, "second")
    assert ProposalStore(tmp_path / "store.jsonl").get("m", "p", 0) == "first"
    assert not any((store.has("n", "p", 0), store.has("m", "q", 0), store.has("m", "p", 1)))
    assert len((tmp_path / "store.jsonl").read_bytes().splitlines()) == 1


def test_a_foreign_row_in_the_store_is_named(tmp_path):
    path = tmp_path / "store.jsonl"
    path.write_text('{"something": "else"}\n')
    with pytest.raises(DivLogicError, match="row 1: no answer of a model"):
        ProposalStore(path)


def test_applying_before_asking_is_refused(tmp_path):
    source = write_records(tmp_path / "in.jsonl")
    with pytest.raises(DivLogicError, match="run `divlogic benchmarks polish` first"):
        apply(source, tmp_path / "out.jsonl", ProposalStore(tmp_path / "store.jsonl"), parameters())
    assert not (tmp_path / "out.jsonl").exists()


def test_a_server_and_a_model_must_be_named(tmp_path):
    source, store = write_records(tmp_path / "in.jsonl"), ProposalStore(tmp_path / "store.jsonl")
    with pytest.raises(DivLogicError, match="base_url is not set"):
        ask(source, store, parameters())
    with pytest.raises(DivLogicError, match="model is not set"):
        ask(source, store, PolishParameters(base_url="http://127.0.0.1:1/v1"))


def test_a_context_that_does_not_split_into_its_sentences_stays_whole():
    def record(context):
        return Record(
            "r", "b", "s", context, "q", ("a",), 0, formulas={"premises": ["A", "B"], "conclusion": None}
        )

    assert fragments(record("It rains. It snows."))[0] == ["It rains.", "It snows."]
    assert fragments(record("It rains in St. Ives. It snows."))[0] == ["It rains in St. Ives. It snows."]

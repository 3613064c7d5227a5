"""The policy by itself: what replies and failures mean, whoever reports them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from divlogic.models.outcome import Asked, Failure, Kind, Reason, Reply, is_final, outcome
from divlogic.models.replies import failure_of, failure_of_body, tokens_of

PLAIN = Asked(sent={"temperature", "max_tokens"}, shortest=False)


@pytest.mark.parametrize(
    ("reply", "kind", "reason"),
    [
        (Reply("Answer: A", "stop"), "answer", "answer"),
        (Reply("Answer: A", "max_tokens"), "cut", "max_tokens"),
        (Reply("", "max_tokens", thoughts=True), "cut", "max_tokens"),
        (Reply("I cannot.", "content_filter"), "refused", "content_filter"),
        (Reply(" \n\u00a0", "stop"), "fault", "empty"),
        (Reply("A", "abort"), "fault", "odd_stop"),
        (Reply("", "tool_calls"), "fault", "tool_calls"),
        (Reply("too long", "model_length"), "fault", "too_long"),
        (Reply("", "no choice"), "fault", "odd_stop"),
    ],
)
def test_a_reply_is_an_answer_a_refusal_cut_or_a_fault(
    reply: Reply, kind: Kind, reason: Reason
) -> None:
    found = outcome(reply, PLAIN)
    assert (found.kind, found.reason) == (kind, reason)
    assert found.advice


@pytest.mark.parametrize(
    ("mass", "reason"),
    [(0.97, "answer"), (0.0101, "answer"), (0.0099, "no_letter"), (0.0, "no_letter")],
)
def test_letters_with_less_than_a_hundredth_of_the_probability_are_none(
    mass: float, reason: Reason
) -> None:
    reply = Reply("x", "max_tokens", has_logprobs=True, mass=mass, likeliest="<think>")
    found = outcome(reply, Asked(likelihood=True))
    assert (found.kind, found.reason) == ("answer", reason)


@pytest.mark.parametrize(
    ("status", "body", "kind", "reason"),
    [
        (400, '{"error": {"code": "content_filter", "message": "filtered"}}', "refused", "content_filter"),
        (400, '{"code": "data_inspection_failed", "message": "inappropriate"}', "refused", "content_filter"),
        (401, "no", "fatal", "auth"),
        (400, '{"error": {"message": "API key not valid. Please pass a valid API key."}}', "fatal", "auth"),
        (402, "pay", "fatal", "quota"),
        (429, '{"error": {"code": "insufficient_quota"}}', "fatal", "quota"),
        (429, "You exceeded your current quota. Please retry in 33.4s.", "fault", "rate_limit"),
        (429, "slow down", "fault", "rate_limit"),
        (
            429,
            '{"error": {"message": "exceeded your current quota", "details": [{"quotaId": "RequestsPerDay"},'
            ' {"retryDelay": "7s"}]}}',
            "fatal",
            "quota",
        ),
        (
            404,
            '{"error": {"type": "not_found_error", "message": "model: claude-x"}}',
            "fatal",
            "unknown_model",
        ),
        (404, '{"error": "model \\"m\\" not found, try pulling it first"}', "fatal", "unknown_model"),
        (404, "<html>404 Not Found</html>", "fatal", "no_route"),
        (405, "Method Not Allowed", "fatal", "no_route"),
        (307, "", "fatal", "no_route"),
        (413, "", "fault", "too_long"),
        (400, '{"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}', "fault", "too_long"),
        (400, "something else", "fault", "rejected"),
        (500, "oops", "fault", "server"),
        (504, "", "fault", "timeout"),
        (200, '{"error": "Unexpected endpoint or method. (POST /chat/completions)"}', "fatal", "no_route"),
        (200, '{"error": {"code": "502", "message": "upstream"}}', "fault", "server"),
    ],
)  # fmt: skip
def test_the_words_of_a_provider_decide_before_its_status(
    status: int, body: str, kind: Kind, reason: Reason
) -> None:
    found = outcome(failure_of_body(status, body), PLAIN)
    assert (found.kind, found.reason) == (kind, reason)


def test_a_context_too_short_for_the_shortest_question_is_too_short_for_all() -> None:
    failure = failure_of_body(400, '{"error": {"code": "context_length_exceeded"}}')
    assert outcome(failure, Asked(shortest=True)).kind == "fatal"
    assert outcome(failure, Asked(shortest=False)).kind == "fault"


def test_the_limit_of_answers_is_lifted_only_where_all_questions_need_it() -> None:
    of_this_question = Failure(
        "maximum context length is 100 tokens (56 in the messages, 64 in the completion)",
        status=400,
    )
    of_the_model = Failure("max_tokens is too large: 9000; 4096 are supported", status=400)
    sent = {"max_tokens"}
    assert outcome(of_this_question, Asked(sent, shortest=True)).leave_out == "max_tokens"
    assert outcome(of_this_question, Asked(sent)).reason == "too_long"
    assert outcome(of_the_model, Asked(sent)).leave_out == "max_tokens"


def test_a_parameter_is_left_out_only_if_it_was_sent_and_nobody_set_it() -> None:
    failure = failure_of_body(400, '{"error": {"message": "no", "param": "temperature"}}')
    free = outcome(failure, Asked(sent={"temperature"}))
    assert (free.kind, free.leave_out) == ("fault", "temperature")
    fixed = outcome(failure, Asked(sent={"temperature"}, fixed={"temperature"}))
    assert (fixed.kind, fixed.reason) == ("fatal", "parameter")
    assert outcome(failure, Asked(sent={"top_p"})).reason == "rejected"


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("top_logprobs must be between 0 and 8", 8),
        ("top_logprobs: Input should be less than or equal to 3", 3),
        ("'top_logprobs' exceeds the maximum of 10", 10),
        ("top_logprobs is too large", 5),
    ],
)
def test_the_largest_number_of_alternatives_is_taken_from_the_words(words: str, most: int) -> None:
    found = outcome(Failure(words, status=400), Asked(sent={"top_logprobs"}, likelihood=True))
    assert (found.leave_out, found.most) == ("top_logprobs", most)


class ModelGenerateError(RuntimeError):
    """As Inspect's, whose text is the request."""

    status_code = 400


class BadRequestError(Exception):
    """As those of the vendors' packages."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.status_code = 400
        self.response = SimpleNamespace(text=text, headers={})


def test_a_question_that_speaks_of_a_filter_is_no_refusal() -> None:
    """Inspect's error quotes the question, and its parameters; what the server said stands in its cause."""
    try:
        try:
            raise BadRequestError('{"error": {"message": "Bad things happened"}}')
        except BadRequestError as error:
            raise ModelGenerateError("a content filter was flagged; temperature: 0.0") from error
    except ModelGenerateError as error:
        found = outcome(failure_of(error), PLAIN)
    assert (found.kind, found.reason) == ("fault", "rejected")
    assert found.words == "status 400: Bad things happened"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ConnectionRefusedError("refused"), "connection"),
        (TimeoutError(), "timeout"),
        (ConnectionResetError("reset"), "connection"),
        (KeyError("choices"), "malformed"),
        (RuntimeError("odd"), "rejected"),
    ],
)
def test_an_exception_without_a_status_is_sorted_by_its_type(
    error: Exception, reason: Reason
) -> None:
    assert outcome(failure_of(error), PLAIN).reason == reason


@pytest.mark.parametrize(
    ("text", "stop", "final"),
    [
        ("Answer: A", "stop", True),
        ("", "stop", False),
        (" ", "unknown", False),
        ("", "max_tokens", True),
        ("", "content_filter", True),
        ("", "empty", False),
        ("", "too_long", False),
    ],
)
def test_an_empty_reply_is_never_final_also_one_that_an_earlier_version_kept(
    text: str, stop: str, final: bool
) -> None:
    assert is_final(text, stop) is final


def test_impossible_log_probabilities_are_left_out_one_by_one() -> None:
    top = [
        {"token": "A", "logprob": -0.5},
        {"token": "B", "logprob": None},
        {"token": "C", "logprob": float("-inf")},
        {"token": "D", "logprob": 0.25},
        {"token": "E", "logprob": True},
        {"token": "F", "logprob": 10**400},
    ]
    (row,) = tokens_of({"content": [{"token": "A", "logprob": -0.5, "top_logprobs": top}]})
    assert {each["token"]: each["logprob"] for each in row["top_logprobs"]} == {"A": -0.5, "D": 0.0}


@pytest.mark.parametrize(
    "given",
    [
        {"content": [{"token": "A", "logprob": -0.5, "top_logprobs": {"A": -0.5, "B": -1.0}}]},
        {"tokens": ["A"], "token_logprobs": [-0.5], "top_logprobs": [{"A": -0.5, "B": -1.0}]},
    ],
)
def test_alternatives_may_stand_in_a_mapping(given: dict[str, object]) -> None:
    (row,) = tokens_of(given)
    assert {each["token"]: each["logprob"] for each in row["top_logprobs"]} == {
        "A": -0.5,
        "B": -1.0,
    }


@pytest.mark.parametrize("given", [None, {}, [], {"content": None}, {"content": [None, {}]}])
def test_no_log_probabilities_are_none(given: object) -> None:
    assert tokens_of(given) == []

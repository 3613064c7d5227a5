"""No key, token or password is ever shown."""

from __future__ import annotations

import pytest

from divlogic.models.redaction import redact
from tests.support import cases


@pytest.mark.parametrize("secret", ["k3y", "ab 12 cd", "p@ss/w+rd", "a-long-secret-0123", "x"])
@pytest.mark.parametrize(
    "message",
    [
        "wrong key: Bearer {}",
        "denied ({})",
        "GET http://host/v1?api_key={}&x=1",
        "GET https://host/v1?x=1&token={}",
        "x-api-key: {}, host",
        '{{"api_key": "{}"}}',
    ],
)
def test_the_key_of_the_environment_is_masked_wherever_it_stands(
    monkeypatch: pytest.MonkeyPatch, secret: str, message: str
) -> None:
    monkeypatch.setenv("DIVLOGIC_API_KEY", secret)
    shown = redact(message.format(secret))
    words = shown.replace("x-api-key", "").replace("x=1", "").replace("***", " ")
    assert secret not in words
    assert "***" in shown


@pytest.mark.parametrize(("message", "secret"), cases(__file__, "credentials"))
def test_credentials_that_no_variable_holds_are_masked_by_their_form(
    message: str, secret: str
) -> None:
    assert secret not in redact(message)


def test_a_variable_that_only_sounds_like_a_secret_masks_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "refused")
    monkeypatch.setenv("USE_KEY", "true")
    assert redact("connection refused, this is true") == "connection refused, this is true"

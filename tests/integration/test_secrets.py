"""Keys of models stand in no log, error, store or result: runs in which the server repeats each key that it is sent."""

from __future__ import annotations

import io
import json
import logging
import re
import shutil
import zipfile
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from click.testing import CliRunner

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.evaluation.rotations import rotation_json
from divlogic.io.files import write_jsonl
from divlogic.io.log import set_up
from divlogic.models.parameters import model_named
from divlogic.models.redaction import sent_secrets, without_secrets
from divlogic.parameters import validate
from tests.integration.fault_server import Behaviour, Handler, serving
from tests.integration.workspace import run, set_params
from tests.unit.evaluation.samples import rotations

pytestmark = pytest.mark.integration

FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "short key": ("k3y7", {"DIVLOGIC_API_KEY": "{}"}),
    "key with a space": ("ab 12 cd", {"DIVLOGIC_API_KEY": "{}"}),
    "long key": ("not-a-real-secret-0123456789", {"DIVLOGIC_API_KEY": "{}"}),
    "key with marks": ("p@ss/w+rd", {"DIVLOGIC_API_KEY": "{}"}),
    "basic": ("Basic dXNlcjpwdzEyMw==", {"DIVLOGIC_API_KEY": "{}"}),
    "password in the address": ("pw9x7q", {"DIVLOGIC_BASE_URL": "http://someone:{}@{}"}),
    "key in the address": ("q7w8e9", {"DIVLOGIC_BASE_URL": "http://{1}?api_key={0}"}),
}
"""A secret, and the variable that holds it: alone, or in an address (before or behind the host)."""


def echo(status: int, until: int) -> Behaviour:
    """Refuse the first attempts with everything that was sent, so that a cut at 200 letters goes through a key."""

    def reply(handler: Handler, prompt: str, before: int) -> None:
        if before < until:
            sent = f"{handler.headers.get('Authorization')} {handler.path}"
            place = 185 - len(sent) - sum(prompt.encode()) % 12
            handler.reply(status, f"{sent} {'x' * place} {sent}".encode())

    return reply


def half_json(handler: Handler, prompt: str, before: int) -> None:
    if before == 0:
        handler.reply(
            200, f'{{"sent": "{handler.headers.get("Authorization")} {handler.path}'.encode()
        )


def answer_with_it(handler: Handler, prompt: str, before: int) -> None:
    handler.say(f"You sent {handler.headers.get('Authorization')} to {handler.path}. Answer: A")


def spellings(secret: str) -> set[str]:
    found = {
        secret,
        quote(secret, safe=""),
        quote_plus(secret),
        b64encode(secret.encode()).decode(),
    }
    # What "user:password@" becomes on its way.
    return {*found, b64encode(f"someone:{secret}".encode()).decode()}


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, of archives (Inspect logs) each member."""
    import inspect_ai.log  # noqa: F401 - lets zipfile read how Inspect compresses

    found: dict[str, bytes] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            found[str(path)] = whole = path.read_bytes()
            if zipfile.is_zipfile(io.BytesIO(whole)):
                with zipfile.ZipFile(path) as archive:
                    found |= {f"{path}:{name}": archive.read(name) for name in archive.namelist()}
    return found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "behaviour",
    [echo(500, 1), echo(401, 99), half_json, answer_with_it],
    ids=["fails once", "refuses", "answers half", "answers with it"],
)
def test_no_file_and_no_line_of_a_run_holds_the_key(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    behaviour: Callable[[Handler, str, int], bool],
) -> None:
    secret, variables = FORMS[form]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(logging.getLogger("divlogic"), "propagate", False)
    write_jsonl(Path("rotations.jsonl"), map(rotation_json, rotations(1)))
    limits = {"first_wait": 0.01, "attempts": 3, "give_up_after": 2}
    params = {"evaluation": {"models": [{"name": "compatible/fake"}], "limits": limits}}
    command = (
        "evaluation run rotations.jsonl --model compatible/fake --store store.sqlite"
        " --summary summary.json --out answers.jsonl --inspect-logs logs --params"
    )
    monkeypatch.delenv("DIVLOGIC_API_KEY", raising=False)
    with serving(behaviour) as (address, handler):
        monkeypatch.setenv("DIVLOGIC_BASE_URL", address)
        for name, text in variables.items():
            monkeypatch.setenv(name, text.format(secret, address.removeprefix("http://")))
        set_up(logging.DEBUG)
        done = CliRunner().invoke(cli, [*command.split(), json.dumps(params)])
        sent = f"{handler.headers_seen} {handler.paths}"
    told = f"{done.output} {done.exception}"
    Path("said.txt").write_text(told, encoding="utf-8")
    assert any(spelling in sent for spelling in spellings(secret)), (
        "no key was sent: nothing is shown"
    )
    # A refusal ends the run, and an address with a query is none; all else is answered in the end.
    assert isinstance(done.exception, DivLogicError) or Path("answers.jsonl").is_file(), told
    # A short key may be part of a longer word by chance; a run of letters and digits of its own is no chance.
    shown = re.compile(
        rb"(?<![A-Za-z0-9])(?:%s)(?![A-Za-z0-9])"
        % b"|".join(re.escape(spelling.encode()) for spelling in spellings(secret))
    )
    assert [place for place, content in contents(tmp_path).items() if shown.search(content)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "behaviour", [echo(401, 99), answer_with_it], ids=["refuses", "answers with it"]
)
def test_no_file_of_a_workflow_holds_the_key(
    workspace: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    behaviour: Callable[[Handler, str, int], bool],
) -> None:
    secret = "-".join(
        ["not", "a", "real", "secret", "9876543210"]
    )  # as it stands in no file of the tree
    folder = shutil.copytree(workspace, tmp_path / "run", symlinks=True)
    model = {"models": [{"name": "compatible/fake"}], "limits": {"give_up_after": 2}}
    set_params(folder, {"evaluation": model})
    with serving(behaviour) as (address, handler):
        monkeypatch.setenv("DIVLOGIC_BASE_URL", address)
        monkeypatch.setenv("DIVLOGIC_API_KEY", secret)
        answers = "data/interim/evaluation/compatible-fake.jsonl.gz"
        options = ("--cores", "1", "--rerun-triggers", "mtime", "--verbose", "--printshellcmds")
        done = run(folder, "snakemake", answers, *options, check=False)
        assert f"Bearer {secret}" in str(handler.headers_seen)
    (folder / "said.txt").write_text(done.stdout + done.stderr, encoding="utf-8")
    found = contents(folder)
    for logs in ("/.snakemake/log/", "/.snakemake/metadata/"):
        assert any(logs in place for place in found)
    assert any(b"Bearer ***" in content for content in found.values())
    words = [spelling.encode() for spelling in spellings(secret)]
    assert [
        place for place, content in found.items() if any(word in content for word in words)
    ] == []


MODEL = {"name": "compatible/fake"}
POLISH = {"enabled": True, "model": "m"}
REFUSED: dict[str, Callable[[str], object]] = {
    "base_url': the address": lambda url: validate(
        {"evaluation": {"models": [{**MODEL, "base_url": url}]}}
    ),
    "polish.base_url': the address": lambda url: validate(
        {"benchmarks": {"divlogiceval": {"polish": {**POLISH, "base_url": url}}}}
    ),
    "--base-url: the address": lambda url: model_named([], "compatible/fake", url),
}


@pytest.mark.parametrize("place", REFUSED)
@pytest.mark.parametrize(
    "address",
    [
        "http://someone:pw9x7q@127.0.0.1/v1",
        "http://pw9x7q@host/v1",
        "https://host/v1?x=1&api_key=pw9x7q",
    ],
)
def test_an_address_with_a_key_in_it_is_refused_without_showing_it(
    place: str, address: str
) -> None:
    with pytest.raises(DivLogicError, match=f"{place} holds credentials.*DIVLOGIC_API_KEY") as told:
        REFUSED[place](address)
    assert "pw9x7q" not in str(told.value)


def test_a_key_among_a_models_arguments_is_refused_without_showing_it() -> None:
    model = {"name": "openai/gpt-4o", "args": {"api_key": "pw9x7q"}}
    with pytest.raises(DivLogicError, match="'api_key' would be printed and kept") as told:
        validate({"evaluation": {"models": [model]}}, "params.yaml")
    assert "pw9x7q" not in str(told.value)


def test_a_placeholder_for_a_key_may_be_a_word_of_an_answer() -> None:
    sent = sent_secrets("http://someone:pw9x7q@host/v1?api_key=q7w8e9&n=1234", "test", None)
    assert without_secrets("a test: 1234, pw9x7q and q7w8e9. Answer: A", sent) == (
        "a test: 1234, *** and ***. Answer: A"
    )

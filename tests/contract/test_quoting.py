"""What a user gives reaches the shell in quotes: every substitution in a rule's shell text is quoted."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import orjson
import pytest

from divlogic.config.option import read_mapping, read_params
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.parameters import validate
from tests.contract.graph import snakemake_jobs

ROOT = Path(__file__).resolve().parents[2]
RULES = sorted((ROOT / "workflow").rglob("*.smk"))
SHELL = re.compile(r"\bshell:\s*(\"\"\".*?\"\"\"|\"[^\n]*\"|'[^\n]*')", re.DOTALL)
SUBSTITUTION = re.compile(r"(?<!\{)\{([^{}]+)\}(?!\})")


def shell_texts() -> dict[str, str]:
    return {
        f"{path.relative_to(ROOT)}:{text[: found.start()].count(chr(10)) + 1}": found[1]
        for path in RULES
        for text in [path.read_text(encoding="utf-8")]
        for found in SHELL.finditer(text)
    }


def test_every_shell_text_is_looked_at():
    texts = shell_texts()
    rules = sum(len(re.findall(r"^rule ", path.read_text(encoding="utf-8"), re.MULTILINE)) for path in RULES)
    assert rules > 40
    assert rules - 10 < len(texts) <= rules


def test_every_substitution_is_quoted():
    bare = {
        place: open_
        for place, text in shell_texts().items()
        if (
            open_ := [
                name for name in SUBSTITUTION.findall(text) if not name.endswith(":q") and name != "threads"
            ]
        )
    }
    assert bare == {}


def test_braces_in_a_label_are_no_wildcards_and_reach_the_command():
    replay = {"file": "data/registry.yaml", "format": "predictions", "model": "x{a}"}
    jobs = snakemake_jobs(evaluation={"replays": [replay]})
    (command,) = [job.command for job in jobs if job.rule == "read_recordings"]
    (given,) = [word for word in shlex.split(command) if word.startswith('{"')]
    assert orjson.loads(given)["model"] == "x{a}"


@pytest.mark.parametrize(
    ("section", "value"),
    [
        ("evaluation", {"benchmarks": ['x; touch f; echo "']}),
        ("evaluation", {"benchmarks": ["../../../../pwn"]}),
        ("evaluation", {"benchmarks": ["a" * 65]}),
        ("evaluation", {"prompts": ["$(touch f)"]}),
        ("evaluation", {"models": [{"name": "baseline/uniform", "benchmarks": ["/etc/passwd"]}]}),
        ("evaluation", {"models": [{"name": "lamp\nlamp"}]}),
        ("corpora", {"full": ["../snli"]}),
    ],
)
def test_a_name_that_is_none_is_refused(section, value):
    with pytest.raises(DivLogicError, match=f"parameter '{section}"):
        validate({section: value})


@pytest.mark.parametrize(
    "value",
    [
        {"sentences": {"min_tokens": 31}},
        {"sentences": {"min_tokens": 12, "max_tokens": 11}},
        {"benchmarks": {"justlogic": {"statements": {"min_tokens": 9, "max_tokens": 8}}}},
    ],
)
def test_a_smallest_value_above_the_largest_is_refused(value):
    with pytest.raises(DivLogicError, match=r"section '.*': min_tokens is \d+ and max_tokens \d+"):
        validate(value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seed: 1\nseed: 2\n", "line 2: the key 'seed' appears twice"),
        ("sentences:\n  shards: 2\n  min_tokens: 3\n  shards: 4\n", "line 4: the key 'shards' appears twice"),
        ("evaluation: {runs: 1, runs: 2}\n", "the key 'runs' appears twice"),
        ("seed: " + "[" * 100_000, "nested deeper"),
        ("a: {" * 50 + "}" * 50, "nested deeper"),
        ("seed: 2026-13-45\n", "not valid YAML"),
        ("seed: 0x_\n", "not valid YAML"),
    ],
)
def test_a_file_that_a_loader_would_pass_over_or_break_at_is_refused(tmp_path, text, told):
    (tmp_path / "params.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DivLogicError, match=rf"params\.yaml: .*{told}"):
        read_mapping(tmp_path / "params.yaml")


@pytest.mark.parametrize("text", ['{"seed": 1, "seed": 2}', '{"a":' * 5000 + "1" + "}" * 5000])
def test_the_same_holds_of_parameters_on_the_command_line(text):
    with pytest.raises(DivLogicError, match="--params: "):
        read_params(EvaluationRun, [text])


def test_one_key_may_stand_in_several_sections(tmp_path):
    (tmp_path / "params.yaml").write_text("a: {runs: 1}\nb: [{runs: 2}, {runs: 3}]\nc: x\n", encoding="utf-8")
    assert read_mapping(tmp_path / "params.yaml")["b"][1] == {"runs": 3}

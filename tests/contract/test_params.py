"""params.yaml, its schema and its model stay in step."""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import divlogic
from divlogic.config.keys import PHASE_KEYS
from divlogic.config.option import STRICT, read_params
from divlogic.config.section import check
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.paper.parameters import ProvenanceRun
from divlogic.parameters import Parameters, default_yaml, load, schema, validate
from tests.contract.graph import ROOT


def difference(name: str, expected: str) -> str:
    found = (ROOT / name).read_text(encoding="utf-8")
    lines = difflib.unified_diff(found.splitlines(), expected.splitlines(), name, "generated", lineterm="")
    return "\n".join(lines)


def test_params_yaml_is_what_the_model_generates():
    assert difference("params.yaml", default_yaml()) == "", "run `divlogic config default --out params.yaml`"


def test_the_schema_is_what_the_model_generates():
    expected = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    name = "workflow/schemas/params.schema.json"
    assert difference(name, expected) == "", f"run `divlogic config schema --out {name}`"


def test_params_yaml_loads_as_the_defaults():
    assert load(ROOT / "params.yaml") == Parameters()


def test_every_section_belongs_to_a_phase():
    read = {key for keys in PHASE_KEYS.values() for key in keys}
    assert read == set(Parameters.model_fields)


def test_variants_are_of_known_generators_and_have_a_name_each():
    variant = {"name": "deep", "benchmark": "logicnli"}
    for benchmark in divlogic.names():
        validate({"benchmarks": {"variants": [{**variant, "benchmark": benchmark}]}})
    for changed, message in (
        ({"benchmark": "logicnly"}, r"variants\.0\.benchmark.* is 'logicnly'"),
        ({"name": "a/b"}, r"variants\.0\.name"),
        ({"size": 0}, r"variants\.0\.size' is 0"),
        ({"levels": 2}, "did you mean 'level'"),
    ):
        with pytest.raises(DivLogicError, match=message):
            validate({"benchmarks": {"variants": [{**variant, **changed}]}})
    with pytest.raises(DivLogicError, match="deep: more than one variant has this name; rename one"):
        validate({"benchmarks": {"variants": [variant, variant]}})


def test_the_word_null_on_the_command_line_means_no_mirror():
    assert validate({"mirror": "null"}).mirror is None


@pytest.mark.parametrize("text", ["- a\n- b\n", "a: [1\n"])
def test_a_parameter_file_that_is_no_mapping_is_refused(tmp_path, text):
    path = tmp_path / "params.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DivLogicError, match=str(path)):
        load(path)


def test_a_missing_parameter_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(DivLogicError, match="no such file"):
        load(tmp_path / "params.yaml")


def test_every_parameter_has_a_description():
    def walk(model, prefix):
        for name, field in model.model_fields.items():
            inner = field.annotation
            if isinstance(inner, type) and hasattr(inner, "model_fields"):
                assert inner.__doc__, prefix + name
                walk(inner, f"{prefix}{name}.")
            else:
                assert field.description, prefix + name

    walk(Parameters, "")


def test_a_phase_reads_its_own_section_and_leaves_the_others_unread():
    values = {"seed": 7, "evaluation": {"runs": 3}, "diversity": {"no_such_key": 1}}
    params = check(EvaluationRun, values)
    assert (params.seed, params.evaluation.runs, hasattr(params, "diversity")) == (7, 3, False)


def test_the_report_says_the_parameters_of_every_phase():
    assert set(PHASE_KEYS["paper"]) <= ProvenanceRun.model_fields.keys()


def test_an_unknown_top_level_key_is_refused_by_every_phase():
    with pytest.raises(DivLogicError, match="unknown parameter 'evaluaton'; did you mean 'evaluation'"):
        check(EvaluationRun, {"evaluaton": {}})


def test_a_step_of_the_workflow_cannot_read_a_key_that_its_rule_did_not_hand_over(monkeypatch):
    monkeypatch.setenv(STRICT, "1")
    given = ['{"seed": 7, "evaluation": {"runs": 3}}', '{"evaluation": {"limits": {"attempts": 2}}}']
    params = read_params(EvaluationRun, given)
    assert (params.seed, params.evaluation.runs, params.evaluation.limits.attempts) == (7, 3, 2)
    with pytest.raises(DivLogicError, match="'resamples' of EvaluationParameters was not passed"):
        _ = params.evaluation.resamples
    with pytest.raises(DivLogicError, match="'timeout' of LimitParameters was not passed"):
        _ = params.evaluation.limits.timeout


def test_the_overlay_of_a_local_model_is_allowed_and_keeps_the_baselines() -> None:
    given = read_params(Parameters, ("params.yaml", "config/local_model.yaml"))
    own, further = (
        [model for model in given.evaluation.models if model.name.startswith("local/") is local]
        for local in (False, True)
    )
    assert own == Parameters().evaluation.models
    assert [model.label for model in further] == ["SmolLM2-135M"]


@pytest.mark.parametrize("path", sorted((ROOT / "config").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_file_of_config_is_valid_over_the_parameters(path: Path) -> None:
    assert read_params(Parameters, ("params.yaml", str(path))) != Parameters()


def test_a_section_that_repeats_itself_without_end_is_refused(tmp_path):
    path = tmp_path / "params.yaml"
    rows = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(DivLogicError, match=r"line 2: .* has an anchor itself"):
        load(path)


def test_a_plain_alias_is_allowed(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text(
        "evaluation:\n  sampling: &s {max_tokens: 7}\nprior_knowledge:\n  sampling: *s\n", "utf-8"
    )
    assert load(path).prior_knowledge.sampling.max_tokens == 7


def test_a_file_laid_over_the_parameters_is_read_as_strictly(tmp_path):
    over = tmp_path / "over.yaml"
    over.write_text("seed: 1\nseed: 2\n", encoding="utf-8")
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--quiet", "all", "--nolock"]
    done = subprocess.run(
        [*command, "--snakefile", "workflow/rules/corpora.smk", "--configfile", str(over), "--", "corpora"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert f"{over}: line 2: the key 'seed' appears twice" in done.stderr


@pytest.mark.parametrize(
    "values",
    [
        {"seed": float("nan")},
        {"diversity": {"as_published": {"smoothing": float("inf")}}},
        {"diversity": {"sensitivity": {"smoothing": [0.1, float("nan")]}}},
        {
            "benchmarks": {
                "divlogiceval": {"rule_weights": {"implication": float("nan"), "not_and": 1, "or": 1}}
            }
        },
        {"benchmarks": {"divlogiceval": {"literal_divisor": float("inf")}}},
        {"evaluation": {"models": [{"name": "a/b", "args": {"x": [float("-inf")]}}]}},
    ],
)
def test_a_number_that_is_none_is_refused_wherever_it_stands(values):
    with pytest.raises(DivLogicError, match="a finite number"):
        validate(values)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"corpus_sorce": "full"}, "unknown parameter 'corpus_sorce'; did you mean 'corpus_source'"),
        ({"benchmarks": {"divlogiceval": {"splits": {"tests": 3}}}}, r"divlogiceval\.splits\.tests.*'test'"),
        ({"corpus_source": "half"}, "parameter 'corpus_source' is 'half'"),
        ({"mirror": "a\0b"}, "control character"),
        ({"evaluation": {"replays": [{"file": "a\x1bb", "format": "inspect"}]}}, "control character"),
        ({"diversity": {"sensitivity": {"smoothing": [-1.0]}}}, "smoothing.0"),
        ({"diversity": {"sensitivity": {"sizes": [0]}}}, "sizes.0"),
        ({"evaluation": {"models": [{"name": "a/b", "base_url": "file:///etc/passwd"}]}}, "http://"),
        ({"evaluation": {"models": [{"name": "a/b", "base_url": "http://a b/v1"}]}}, "no blanks"),
    ],
)
def test_a_key_that_is_unknown_and_a_value_that_is_wrong_or_could_do_harm_are_named(values, why):
    with pytest.raises(DivLogicError, match=why):
        validate(values)


@pytest.mark.parametrize("section", ["divlogiceval", "justlogic", "logicnli"])
def test_a_run_may_have_ten_thousand_shards(section):
    most = {"shards": 10_000}
    assert validate({"sentences": most, "benchmarks": {section: most}}).sentences.shards == 10_000
    with pytest.raises(DivLogicError, match=rf"benchmarks\.{section}\.shards"):
        validate({"benchmarks": {section: {"shards": 10_001}}})

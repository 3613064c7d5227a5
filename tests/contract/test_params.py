"""params.yaml, its schema and its model stay in step."""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic.fields import FieldInfo

import divlogic
from divlogic.config.keys import PHASE_KEYS
from divlogic.config.option import STRICT, read_mapping, read_params, read_values
from divlogic.config.section import Section, check
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.paper.parameters import ProvenanceRun
from divlogic.parameters import Parameters, default_yaml, lay, load, schema, validate
from tests.contract.graph import ROOT
from tests.support import cases

TOO_DEEP = ("seed: " + "[" * 100_000, "a: {" * 50 + "}" * 50)


def difference(name: str, expected: str) -> str:
    found = (ROOT / name).read_text(encoding="utf-8")
    lines = difflib.unified_diff(
        found.splitlines(), expected.splitlines(), name, "generated", lineterm=""
    )
    return "\n".join(lines)


CONFIGURATIONS = sorted(path.name for path in (ROOT / "config").glob("*.yaml"))


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_configuration_that_is_laid_over_the_parameters_says_what_configfile_says(
    name: str, tmp_path: Path
) -> None:
    out = tmp_path / "params.yaml"
    file = ROOT / "config" / name
    lay((file,), params=ROOT / "params.yaml", out=out)
    values, where = read_values((str(ROOT / "params.yaml"), str(file)))
    assert load(out) == validate(values, where)
    assert load(out) != load(ROOT / "params.yaml")


def test_each_configuration_is_recorded_as_the_readme_says() -> None:
    readme = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    lines = [line for line in readme.splitlines() if line.startswith("$ divlogic config lay")]
    named = {line.split()[4].removeprefix("config/") for line in lines}
    assert named == set(CONFIGURATIONS)


def test_params_yaml_is_what_the_model_generates():
    assert difference("params.yaml", default_yaml()) == "", (
        "run `divlogic config default --out params.yaml`"
    )


def test_the_schema_is_what_the_model_generates():
    expected = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    name = "workflow/schemas/params.schema.json"
    assert difference(name, expected) == "", f"run `divlogic config schema --out {name}`"


def test_params_yaml_loads_as_the_defaults():
    assert load(ROOT / "params.yaml") == Parameters()


def test_every_section_belongs_to_a_phase():
    read = {key for keys in PHASE_KEYS.values() for key in keys}
    assert read == set(Parameters.model_fields)


@pytest.mark.parametrize("benchmark", divlogic.names())
def test_every_generator_may_draw_a_variant(benchmark):
    assert validate({"benchmarks": {"variants": [{"name": "deep", "benchmark": benchmark}]}})


def test_the_word_null_on_the_command_line_means_no_mirror():
    assert validate({"mirror": "null"}).mirror is None


def written(folder: Path, text: str) -> Path:
    path = folder / "params.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "told"), [*cases(__file__, "files"), *((text, "nested deeper") for text in TOO_DEEP)]
)
def test_a_file_that_a_loader_would_pass_over_or_break_at_is_refused(tmp_path, text, told):
    with pytest.raises(DivLogicError, match=rf"{tmp_path}/params\.yaml: .*{told}"):
        load(written(tmp_path, text))


@pytest.mark.parametrize("text", ['{"seed": 1, "seed": 2}', '{"a":' * 5000 + "1" + "}" * 5000])
def test_the_same_holds_of_parameters_on_the_command_line(text):
    with pytest.raises(DivLogicError, match="--params: "):
        read_params(EvaluationRun, [text])


def test_one_key_may_stand_in_several_sections(tmp_path):
    text = "a: {runs: 1}\nb: [{runs: 2}, {runs: 3}]\nc: x\n"
    assert read_mapping(written(tmp_path, text))["b"][1] == {"runs": 3}


def test_a_plain_alias_is_allowed(tmp_path):
    text = "evaluation:\n  sampling: &s {max_tokens: 7}\nprior_knowledge:\n  sampling: *s\n"
    assert load(written(tmp_path, text)).prior_knowledge.sampling.max_tokens == 7


def test_a_missing_parameter_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(DivLogicError, match="no such file"):
        load(tmp_path / "params.yaml")


def parameters(
    section: type[Section] = Parameters, prefix: str = ""
) -> Iterator[tuple[str, FieldInfo]]:
    """Yield every parameter by its full name."""
    for name, field in section.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, Section):
            assert inner.__doc__, prefix + name
            yield from parameters(inner, f"{prefix}{name}.")
        else:
            yield prefix + name, field


def test_every_parameter_has_a_description_and_stands_on_the_parameters_page():
    page = (ROOT / "docs" / "parameters.md").read_text(encoding="utf-8")
    assert [
        name for name, field in parameters() if not field.description or f"`{name}`" not in page
    ] == []


def test_a_phase_reads_its_own_section_and_leaves_the_others_unread():
    values = {"seed": 7, "evaluation": {"runs": 3}, "diversity": {"no_such_key": 1}}
    params = check(EvaluationRun, values)
    assert (params.seed, params.evaluation.runs, hasattr(params, "diversity")) == (7, 3, False)


def test_the_report_says_the_parameters_of_every_phase():
    assert set(PHASE_KEYS["paper"]) <= ProvenanceRun.model_fields.keys()


def test_an_unknown_top_level_key_is_refused_by_every_phase():
    with pytest.raises(
        DivLogicError, match="unknown parameter 'evaluaton'; did you mean 'evaluation'"
    ):
        check(EvaluationRun, {"evaluaton": {}})


def test_a_step_of_the_workflow_cannot_read_a_key_that_its_rule_did_not_hand_over(monkeypatch):
    monkeypatch.setenv(STRICT, "1")
    given = [
        '{"seed": 7, "evaluation": {"runs": 3}}',
        '{"evaluation": {"limits": {"attempts": 2}}}',
    ]
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


@pytest.mark.parametrize(
    "path", sorted((ROOT / "config").glob("*.yaml")), ids=lambda path: path.stem
)
def test_every_file_of_config_is_valid_over_the_parameters(path: Path) -> None:
    assert read_params(Parameters, ("params.yaml", str(path))) != Parameters()


def test_a_file_laid_over_the_parameters_is_read_as_strictly(tmp_path):
    over = written(tmp_path, "seed: 1\nseed: 2\n")
    command = f"-m snakemake --dry-run --nolock --snakefile workflow/rules/corpora.smk --configfile {over}"
    given = [sys.executable, *command.split(), "--", "corpora"]
    done = subprocess.run(given, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"{over}: line 2: the key 'seed' appears twice" in done.stderr


@pytest.mark.parametrize(("values", "why"), cases(__file__, "refused"))
def test_a_value_that_is_unknown_wrong_or_could_do_harm_is_refused_by_its_name(values, why):
    with pytest.raises(DivLogicError, match=why):
        validate(values)


@pytest.mark.parametrize("section", ["divlogiceval", "justlogic", "logicnli"])
def test_a_run_may_have_ten_thousand_shards(section):
    most = {"shards": 10_000}
    assert validate({"sentences": most, "benchmarks": {section: most}}).sentences.shards == 10_000
    with pytest.raises(DivLogicError, match=rf"benchmarks\.{section}\.shards"):
        validate({"benchmarks": {section: {"shards": 10_001}}})

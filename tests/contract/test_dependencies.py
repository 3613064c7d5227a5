"""A rule depends on what it reads and no more: its own parameters, its own modules."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import grimp
import pytest
import yaml

from divlogic.cli import modules_of
from divlogic.config.keys import PHASE_KEYS
from divlogic.io.imports import PACKAGE, _imports, code_files
from tests.contract.graph import ROOT, Job, snakemake_jobs
from tests.support import some

COMMAND = re.compile(r"^\s*divlogic ((?:[a-z][\w-]* ?)+)", re.MULTILINE)


@cache
def jobs(change: str = "{}") -> tuple[Job, ...]:
    """Return every job of the workflow with the parameters of a YAML text."""
    return tuple(snakemake_jobs(**yaml.safe_load(change)))


def jobs_again(change: str, base: str = "{}") -> dict[tuple[str, ...], Job]:
    """Return the jobs, by their outputs, that a change of the parameters runs after a whole run.

    A job runs when it is new, when its parameters or inputs are others, or when such a job makes one of its inputs.
    """
    before = {job.outputs: job for job in jobs(base)}
    after = {job.outputs: job for job in jobs(change)}
    changed = {
        outputs
        for outputs, job in after.items()
        if outputs not in before
        or (job.params, set(job.inputs)) != (before[outputs].params, set(before[outputs].inputs))
    }
    return with_followers(changed, after)


def with_followers(
    changed: set[tuple[str, ...]], after: dict[tuple[str, ...], Job]
) -> dict[tuple[str, ...], Job]:
    """Return the changed jobs, and those that read what such a job makes."""
    maker = {path: outputs for outputs in after for path in outputs}
    while True:
        more = {
            outputs
            for outputs, job in after.items()
            if outputs not in changed and any(maker.get(path) in changed for path in job.inputs)
        }
        if not more:
            return {outputs: after[outputs] for outputs in changed if outputs}
        changed = changed | more


def run_again(change: str, base: str = "{}") -> Counter[str]:
    """Count by rule the jobs that a change of the parameters runs after a whole run."""
    return Counter(job.rule for job in jobs_again(change, base).values())


def models_with(label: str, name: str) -> str:
    """Return the parameters with another model at the end of the list."""
    models = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))["evaluation"][
        "models"
    ]
    return yaml.safe_dump({"evaluation": {"models": [*models, {"name": name, "label": label}]}})


def test_nothing_runs_again_where_nothing_changed() -> None:
    assert not run_again("{}")


def test_an_import_runs_what_reads_it_and_no_generator() -> None:
    after = {job.outputs: job for job in jobs()}
    reading = {outputs for outputs, job in after.items() if "data/imported" in job.inputs}
    again = with_followers(reading, after)
    assert {after[outputs].rule for outputs in reading} == {"collect_benchmarks", "browse_items"}
    made = (
        "data/benchmarks/",
        "data/sentences/",
        "data/evaluation/",
        "data/raw/",
        "data/hardening/",
    )
    assert not [path for outputs in again for path in outputs if path.startswith(made)]
    rules = Counter(job.rule for job in again.values())
    asking = {
        "run_baselines",
        "run_model",
        "ask_benchmark",
        "ask_llmeval_logic",
        "rotate_benchmark",
    }
    assert not rules.keys() & asking
    assert len(again) <= 30, rules


@pytest.mark.parametrize(
    ("name", "rule"), [("compatible/one", "run_model"), ("baseline/uniform", "run_baselines")]
)
def test_a_new_model_runs_that_model_and_what_shows_models(name: str, rule: str) -> None:
    found = jobs_again(models_with("another", name)).values()
    again = Counter(job.rule for job in found)
    assert again["run_model"] + again["run_baselines"] == again[rule] == again["ask_benchmark"] == 1
    assert again["rotate_benchmark"] == again["gather_tables"] - 1 == 0
    assert {job.phase for job in found} == {"evaluation", "paper"}


def test_other_limits_run_nothing_again() -> None:
    limits = "limits: {concurrency: 3, attempts: 9}"
    assert not run_again(f"{{evaluation: {{{limits}}}, prior_knowledge: {{{limits}}}}}")


def test_a_variant_is_drawn_beside_a_run_that_stays() -> None:
    variant = "{name: deep, benchmark: logicnli, size: 8, level: 6, seed: 4}"
    assert run_again(f"{{benchmarks: {{variants: [{variant}]}}}}") == Counter(draw_variant=1)


def test_another_mirror_runs_nothing_again() -> None:
    full = "{corpus_source: full, mirror: %s}"
    assert not run_again(full % "../elsewhere", base=full % "../mirror")


def test_a_change_of_the_report_runs_the_report_alone() -> None:
    again = jobs_again("{paper: {tolerances: {bits: {absolute: 0.2}}}}").values()
    assert {job.phase for job in again} == {"paper"}


def test_a_parameter_of_one_benchmark_leaves_the_others_alone() -> None:
    again = {
        path
        for outputs in jobs_again("{benchmarks: {justlogic: {max_nesting: 3}}}")
        for path in outputs
        if path.startswith(("data/benchmarks/", "results/benchmarks/", "data/interim/benchmarks/"))
    }
    assert any(path.startswith("data/benchmarks/justlogic/") for path in again)
    assert all("justlogic" in path for path in again), again


def test_the_resamples_of_the_intervals_ask_no_model_again() -> None:
    again = run_again("{evaluation: {resamples: 200}}")
    assert again["score_predictions"] == 1
    assert not again.keys() & {"run_model", "run_baselines", "rotate_benchmark", "ask_benchmark"}


def test_a_rule_depends_on_the_code_of_its_commands() -> None:
    missing = set()
    for job in jobs() + jobs("{corpus_source: full, mirror: ../mirror}"):
        for command in COMMAND.findall(job.shell):
            modules = modules_of(command.strip())
            if not {f"src/{path}" for path in code_files(*modules)} <= job.code:
                missing.add(f"rule {job.rule} lacks {' '.join(modules)}")
    assert not sorted(missing)


def test_imports_read_from_the_text_are_those_of_the_syntax_tree() -> None:
    graph = grimp.build_graph("divlogic", cache_dir=None)
    wrong = {
        module: {*_imports(PACKAGE, module)} ^ graph.find_modules_directly_imported_by(module)
        for module in graph.modules
        if not module.endswith(".benchmark")
    }
    assert not {module: found for module, found in wrong.items() if found}


def test_code_follows_imports_inside_functions_and_takes_the_data_files_that_modules_name(
    tmp_path,
) -> None:
    package = tmp_path / "divlogic"
    texts = dict.fromkeys(("__init__.py", "a/__init__.py", "b/__init__.py", "b/part.html.j2"), "")
    texts |= {
        "a/one.py": "def late():\n    from divlogic.b import (\n        two,  # why\n        other as o,\n    )\n",
        "b/two.py": "DATA = ('words.yaml', 'page.html.j2')\n",
        "b/page.html.j2": "{% include 'part.html.j2' %}",
        "b/words.yaml": "",
        "b/unread.yaml": "",
        "c.py": "import divlogic.a.one\n",
    }
    for name, text in texts.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = [path.as_posix() for path in code_files("a.one", package=package)]
    read = (
        "a/__init__.py a/one.py b/__init__.py b/page.html.j2 b/part.html.j2 b/two.py b/words.yaml"
    )
    assert found == [f"divlogic/{name}" for name in read.split()]
    with pytest.raises(ValueError, match=r"no module divlogic\.d"):
        code_files("d", package=package)


METRICS = {"src/divlogic/evaluation/__init__.py", "src/divlogic/evaluation/metrics.py"}
"""Pure functions of answers, which the phase after the evaluation scores by too."""


DRAWN_FOR_OTHERS = {"draw_ladder", "draw_compared_figures"}
"""Rules of the last phase that draw what is put together there: the ladder with the evaluation's models in it, and the
phases' figures with the printed numbers beside theirs."""


def test_no_rule_depends_on_a_phase_that_it_does_not_serve() -> None:
    phases = set(PHASE_KEYS)
    for job in some(jobs()):
        shared = METRICS if job.phase == "contamination" else set()
        if job.rule in DRAWN_FOR_OTHERS:
            continue
        below = {path.split("/")[2] for path in job.code - shared} & phases
        assert not below & {"paper", "evaluation", "diversity", "prior_knowledge"} - {job.phase}, (
            job.rule
        )

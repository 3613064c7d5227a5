"""Snakemake's fine graph and DVC's coarse one say the same."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import orjson
import pytest
import yaml

from divlogic.config.keys import PHASE_KEYS
from divlogic.evaluation.parameters import ROTATED_SETS
from divlogic.paper.model import FIGURES
from tests.contract.graph import ROOT, covers, dvc_stages, jobs_sources_and_targets, snakemake_jobs
from tests.support import some

FULL = {"corpus_source": "full", "mirror": "../mirror"}
MORE_JOBS = yaml.safe_load(Path(__file__).with_name("more_jobs.yaml").read_text(encoding="utf-8"))

of_each_run = pytest.mark.parametrize(
    "config", [{}, FULL, MORE_JOBS], ids=["embedded", "full", "more"]
)


@pytest.fixture(scope="module", params=[{}, FULL], ids=["embedded", "full"])
def graphs(request):
    return snakemake_jobs(**request.param), dvc_stages(
        request.param.get("corpus_source", "embedded")
    )


def phases_of(stage, stages):
    """Return the phases of a stage: its own, or the ones that measure, which have no stage of their own."""
    return (
        [stage] if stage in PHASE_KEYS else [phase for phase in PHASE_KEYS if phase not in stages]
    )


def test_every_phase_has_a_file_of_its_name_and_each_but_those_that_measure_a_stage(graphs):
    jobs, stages = graphs
    assert {job.phase for job in jobs} == set(PHASE_KEYS)
    assert set(stages) - set(PHASE_KEYS) == {"measurements"}
    for name, stage in stages.items():
        assert stage["cmd"] == f"snakemake --snakefile workflow/rules/{name}.smk {name}"
    for phase in PHASE_KEYS:
        assert phase == "collection" or (ROOT / "src" / "divlogic" / phase).is_dir()


def test_every_figure_of_the_report_has_a_caption_and_every_caption_a_figure(graphs):
    jobs, _ = graphs
    outputs = [Path(path) for job in jobs if job.rule == "write_report" for path in job.outputs]
    gathered = {path.stem for path in outputs if path.parent.name == "figures"}
    captions = {figure.name for figure in FIGURES}
    assert gathered <= captions
    # These two say nothing before a model has answered, and are drawn for one that does.
    assert captions - gathered <= {"failures", "justlogic_groups"}


def test_every_output_lies_in_exactly_one_out_of_its_own_stage(graphs):
    jobs, stages = graphs
    outs = [(name, out) for name, stage in stages.items() for out in stage["outs"]]
    for job in some(jobs):
        for output in job.outputs:
            (owner,) = [name for name, out in outs if covers(out, output)]
            assert job.phase in phases_of(owner, stages), f"{output} of rule {job.rule}"


def test_dvc_removes_what_a_stage_makes_before_it_runs(graphs):
    # An output with settings may persist: restored files of other parameters would then stay.
    _, stages = graphs
    outs = [out for stage in stages.values() for out in stage["outs"]]
    assert outs and all(isinstance(out, str) for out in outs)


def test_every_intermediate_file_is_compressed_and_so_has_a_checksum(graphs):
    jobs, _ = graphs
    own_formats = {
        "data/interim/contamination/transfer_answers.npy",  # read by numpy at random places
    }
    files = {
        path
        for job in jobs
        for path in job.outputs
        if path.startswith("data/interim/") and not path.rpartition("/")[2].isidentifier()
    }
    assert files
    assert [path for path in sorted(files - own_formats) if not path.endswith(".gz")] == []


def test_every_out_is_made_by_some_rule(graphs):
    jobs, stages = graphs
    made = [output for job in jobs for output in job.outputs]
    for stage in some(stages.values()):
        for out in stage["outs"]:
            assert any(covers(out, output) for output in made), out


def test_every_external_input_of_a_stage_is_a_dependency_of_it(graphs):
    jobs, stages = graphs
    for name, stage in some(stages.items()):
        own = [job for job in jobs if job.phase in phases_of(name, stages)]
        known = [*(output for job in own for output in job.outputs), *stage["deps"]]
        for job in own:
            unknown = [
                path
                for path in {*job.inputs, *job.code}
                if not any(covers(one, path) for one in known)
            ]
            assert not unknown, f"rule {job.rule}"


def test_every_dependency_of_a_stage_is_an_input_of_its_phases(graphs):
    jobs, stages = graphs
    for name, stage in some(stages.items()):
        phases = phases_of(name, stages)
        inputs = [path for job in jobs if job.phase in phases for path in (*job.inputs, *job.code)]
        assert {f"workflow/rules/{file}.smk" for file in (name, *phases)} <= set(stage["deps"])
        for dep in stage["deps"]:
            # A full run does not read what the repository ships, and an embedded one has no published benchmarks: that
            # a stage depends on them all the same is only cautious.
            cautious = dep in ("data/embedded", "data/raw/embedded", "data/recorded")
            cautious |= dep.startswith("workflow")
            assert cautious or any(covers(dep, path) for path in inputs), f"{dep} of {name}"


def test_every_parameter_that_a_phase_reads_is_a_parameter_of_its_stage(graphs):
    jobs, stages = graphs
    for name, stage in some(stages.items()):
        assert set(stage["params"]) == {
            key for phase in phases_of(name, stages) for key in PHASE_KEYS[phase]
        }
    for job in some(jobs):
        if "config" in job.params:
            assert set(orjson.loads(job.params["config"])) <= set(PHASE_KEYS[job.phase]), job.rule


def test_no_phase_reads_what_a_later_one_makes(graphs):
    jobs, _ = graphs
    order = list(PHASE_KEYS)
    makers = {output: job.phase for job in jobs for output in job.outputs}
    for job in some(jobs):
        later = [
            path
            for path in job.inputs
            if order.index(makers.get(path, job.phase)) > order.index(job.phase)
        ]
        assert not later, f"rule {job.rule}"


def test_every_rule_says_what_it_does():
    for file in some(sorted((ROOT / "workflow" / "rules").rglob("*.smk"))):
        _, *rules = file.read_text(encoding="utf-8").split("\nrule ")
        assert [rule.split()[0] for rule in rules if not re.match(r'\w+:\n\s+"""', rule)] == [], (
            file.name
        )


@pytest.mark.parametrize("config", [{}, FULL], ids=["embedded", "full"])
def test_every_input_is_an_output_or_is_checked_before_the_first_job(config):
    jobs, sources, _ = jobs_sources_and_targets(**config)
    made = [output for job in jobs for output in job.outputs]
    unchecked = {
        f"{path} of rule {job.rule}"
        for job in jobs
        for path in job.inputs
        if path not in sources and not any(covers(output, path) for output in made)
    }
    assert not sorted(unchecked)


@of_each_run
def test_the_targets_name_a_file_of_each_job(config):
    # A job that failed, none of whose files are asked for, would be forgotten, and what an earlier run made would stay.
    jobs, _, targets = jobs_sources_and_targets(**config)
    assert [
        f"{job.rule}: {job.outputs[0]}" for job in jobs if targets.isdisjoint(job.outputs)
    ] == []


@of_each_run
def test_a_command_names_files_only_as_the_job_s_own_inputs_and_outputs(config):
    # Where jobs work on copies, a path that stands as text in a rule is none of a copy.
    for job in some(jobs_sources_and_targets(**config)[0]):
        files = map(Path, (*job.inputs, *job.outputs))
        paths = {path for file in files for path in (file, *file.parents[:-2])}
        named = "|".join(sorted(re.escape(str(path)) for path in paths))
        command = job.copied.replace(shlex.quote(str(job.params.get("config"))), "")
        text = re.findall(rf"(?<![\w./-])(?:{named})(?![\w.-])", command)
        assert text == [], f"rule {job.rule}"


def test_few_shot_examples_of_ilogiceval_come_from_its_training_split():
    jobs, _, _ = jobs_sources_and_targets(**MORE_JOBS)
    inputs = {
        path: job.inputs for job in jobs if job.rule == "rotate_benchmark" for path in job.outputs
    }
    for name, pool in some(ROTATED_SETS.items()):
        records = {f"data/benchmarks/{name}/{split}.jsonl" for split in ("test", pool)}
        assert records <= set(inputs[f"data/evaluation/rotations/{name}/three_shot.jsonl.gz"])


def test_braces_in_a_label_are_no_wildcards_and_reach_the_command():
    jobs, _, _ = jobs_sources_and_targets(**MORE_JOBS)
    commands = [job.command for job in jobs if job.rule == "read_recordings"]
    given = [word for command in commands for word in shlex.split(command) if word.startswith('{"')]
    assert given and {orjson.loads(text)["model"] for text in given} == {"x{a}"}


def test_a_model_that_answers_has_every_figure():
    jobs = snakemake_jobs(**MORE_JOBS)
    outputs = [Path(path) for job in jobs if job.rule == "write_report" for path in job.outputs]
    gathered = {path.stem for path in outputs if path.parent.name == "figures"}
    assert gathered == {figure.name for figure in FIGURES}

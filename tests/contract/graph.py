"""Both graphs of the workflow, read from Snakemake and DVC themselves."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml

from divlogic.io.imports import code_files

ROOT = Path(__file__).resolve().parents[2]
COPIES = "copies/"
"""Where the files of a job lie in :attr:`Job.copied`."""


@dataclass(frozen=True)
class Job:
    """One job of the Snakemake graph with the phase file that its rule stands in."""

    rule: str
    phase: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    params: dict[str, Any]
    shell: str = ""
    command: str = ""
    copied: str = ""
    """The command where inputs and outputs lie elsewhere, as on a cluster whose jobs work on copies."""

    @property
    def code(self) -> set[str]:
        """The files of the package that the job runs."""
        *modules, _ = str(self.params.get("code", "none")).split()
        return {f"src/{path}" for path in code_files(*modules)}


def snakemake_jobs(root: Path = ROOT, **config: Any) -> list[Job]:
    """Return every job that `snakemake all` would run in a tree with the given configuration."""
    return jobs_sources_and_targets(root, **config)[0]


def jobs_sources_and_targets(
    root: Path = ROOT, **config: Any
) -> tuple[list[Job], set[str], set[str]]:
    """Return every job, the inputs that `source` of workflow/common.smk has checked, and what `all` names."""
    return _graph(root, json.dumps(config))


@functools.cache
def _graph(root: Path, config: str) -> tuple[list[Job], set[str], set[str]]:
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import (
        ConfigSettings,
        DAGSettings,
        OutputSettings,
        ResourceSettings,
    )

    with (
        contextlib.chdir(root),
        contextlib.redirect_stdout(io.StringIO()),
        patch.dict(os.environ),  # the workflow sets variables for its steps
        SnakemakeApi(OutputSettings(quiet=None)) as api,
    ):
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(config=json.loads(config)),
            snakefile=root / "Snakefile",
        )
        workflow.dag(DAGSettings(targets={"all"}, forceall=True)).printrulegraph()
        jobs = [
            Job(
                rule=job.rule.name,
                phase=Path(job.rule.snakefile)
                .relative_to(root / "workflow" / "rules")
                .with_suffix("")
                .parts[0],
                inputs=tuple(map(str, job.input)),
                outputs=tuple(map(str, job.output)),
                params=dict(job.params.items()),
                shell=job.rule.shellcmd or "",
                command=job.shellcmd or "",
                copied=_copied(job),
            )
            for job in workflow._workflow.dag.jobs
            if job.rule.name != "all"
        ]
        if sys.modules.get("pandas", io) is None:
            del sys.modules["pandas"]  # which the workflow hides from Snakemake
        (target,) = [job for job in workflow._workflow.dag.jobs if job.rule.name == "all"]
        return jobs, workflow._workflow.globals["SOURCES"], set(map(str, target.input))


def _copied(job: Any) -> str:
    for name in ("input", "output"):
        files = getattr(job, name)
        setattr(job, name, type(files)(toclone=files, custom_map=lambda path: COPIES + path))
    job._params = None
    return job.shellcmd or ""


def dvc_stages(corpus_source: str = "embedded") -> dict[str, dict[str, list[str]]]:
    """Return the stages of dvc.yaml with their deps, params and outs, templates filled in."""
    text = (
        (ROOT / "dvc.yaml").read_text(encoding="utf-8").replace("${corpus_source}", corpus_source)
    )
    stages: dict[str, dict[str, list[str]]] = yaml.safe_load(text)["stages"]
    return stages


def covers(folder: str, path: str) -> bool:
    """Tell whether ``path`` is ``folder`` or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")

"""Everything that the Makefile installs is pinned with its hashes, and `make lock` writes every lock."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.contract.graph import ROOT
from tests.support import some

LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
ENVIRONMENTS = [
    "env",
    "env-beside",
    "env-field",
    "env-neural",
    "env-learner",
    "env-providers",
    "test-learner",
    "test-slurm",
]


def commands_of(*targets: str) -> list[str]:
    """Return the commands that make would run for targets of which nothing is there."""
    given = ["make", "--dry-run", "--always-make", *targets]
    done = subprocess.run(given, cwd=ROOT, capture_output=True, text=True, check=True)
    return re.split(r"\n|;|&&|\|\|", done.stdout.replace("\\\n", " "))


def test_every_package_of_every_lock_has_hashes() -> None:
    for lock in some(LOCKS):
        packages = re.findall(
            r"^[a-z].*(?:\n[ ]+--hash.*)*", lock.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert packages, lock.name
        bare = [
            text
            for text in packages
            if not re.match(r"\S+==\S+ .*\\\n +--hash=sha256:\w{64}", text)
        ]
        assert not bare, (lock.name, bare)


def test_what_the_makefile_installs_comes_from_locks_with_hashes() -> None:
    installs = [
        given for given in commands_of(*ENVIRONMENTS) if re.search(r"\bpip\b.* install\b", given)
    ]
    # This checkout itself, and PyTorch without CUDA (TORCH=cpu).
    own = [command for command in installs if "--editable ." in command or "+cpu" in command]
    bare = [
        command for command in installs if "--require-hashes" not in command and command not in own
    ]
    assert not bare
    named = set(re.findall(r"requirements/([\w-]+)\.lock", "".join(installs)))
    assert named >= {"divlogic", "uv", "slurm", "providers"}


def test_setting_up_makes_dvcs_private_folder() -> None:
    assert any("tools.private_cache" in command for command in commands_of("env"))


def test_lock_writes_every_lock_with_hashes(tmp_path: Path) -> None:
    uv = tmp_path / "uv"
    uv.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n', encoding="utf-8")
    uv.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["make", "lock"], cwd=ROOT, env=environment, check=True, capture_output=True)
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert all("--generate-hashes" in call for call in calls)
    written = sorted(call.split("--output-file ")[1] for call in calls)
    assert written == [lock.relative_to(ROOT).as_posix() for lock in LOCKS]

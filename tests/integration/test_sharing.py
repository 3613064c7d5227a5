"""Recorded results shared: `make restore` from a remote in a folder and from one behind a real SSH server; figures to
compare by `dvc metrics`, `dvc plots` and `dvc params`."""

from __future__ import annotations

import getpass
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.integration.workspace import digests, kill_when, run, set_params

pytestmark = [pytest.mark.integration, pytest.mark.slow]

CLEAN = "Data and pipelines are up to date."
SSHD = shutil.which("sshd", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")


def clone(recorded: Path, folder: Path) -> Path:
    """Clone the repository, and lend the clone this interpreter's programs as its own environment."""
    run(folder, "git", "clone", "--quiet", str(recorded), "clone")
    environment = folder / "clone" / ".venv"
    environment.mkdir()
    (environment / "bin").symlink_to(Path(sys.executable).parent)
    (environment / ".ready").touch()
    return folder / "clone"


def restore(folder: Path, recorded: Path) -> None:
    """Run `make restore`; the clone then holds the recorded bytes and has nothing to do."""
    run(folder, "make", "restore")
    assert digests(folder) == digests(recorded)
    assert CLEAN in run(folder, "dvc", "status").stdout
    assert "Nothing to be done" in run(folder, "snakemake", "all").stderr
    assert digests(folder) == digests(recorded)


def test_make_restore_fetches_everything_from_a_remote_in_a_folder(recorded, tmp_path):
    restore(clone(recorded, tmp_path), recorded)


def test_a_push_and_a_pull_that_are_cut_in_the_middle_go_on_when_they_are_run_again(recorded, tmp_path):
    store = recorded / ".dvc" / "cut"
    run(recorded, "dvc", "remote", "add", "--local", "--force", "cut", str(store))
    assert kill_when(recorded, ".dvc/cut/files/md5/*/*", "dvc", "push", "--remote", "cut"), "nothing was cut"
    run(recorded, "dvc", "push", "--remote", "cut")
    folder = clone(recorded, tmp_path)
    run(folder, "dvc", "remote", "add", "--local", "--default", "cut", str(store))
    assert kill_when(folder, ".dvc/cache/files/md5/*/*", "dvc", "pull"), "nothing was cut"
    restore(folder, recorded)


@pytest.mark.skipif(SSHD is None, reason="needs sshd (apt-get install openssh-server)")
@pytest.mark.skipif(not importlib.util.find_spec("dvc_ssh"), reason="needs pip install 'divlogic[ssh]'")
def test_make_restore_fetches_everything_over_ssh(recorded, ssh_server, tmp_path):
    store = tmp_path / "store"
    address = f"ssh://{getpass.getuser()}@127.0.0.1:{ssh_server.port}{store}"
    run(recorded, "dvc", "remote", "add", "--local", "--force", "far", address)
    run(recorded, "dvc", "remote", "modify", "--local", "far", "keyfile", str(ssh_server.key))
    run(recorded, "dvc", "push", "--remote", "far")
    assert any(store.rglob("*")), "nothing was pushed to the server's folder"

    folder = clone(recorded, tmp_path)
    run(folder, "dvc", "remote", "add", "--local", "--default", "far", address)
    run(folder, "dvc", "remote", "modify", "--local", "far", "keyfile", str(ssh_server.key))
    restore(folder, recorded)


@pytest.mark.skipif(SSHD is None, reason="needs sshd (apt-get install openssh-server)")
@pytest.mark.skipif(not importlib.util.find_spec("dvc_ssh"), reason="needs pip install 'divlogic[ssh]'")
def test_a_key_that_the_server_does_not_know_restores_nothing(recorded, ssh_server, tmp_path):
    stranger = new_key(tmp_path / "stranger")
    folder = clone(recorded, tmp_path)
    address = f"ssh://{getpass.getuser()}@127.0.0.1:{ssh_server.port}{tmp_path / 'store'}"
    run(folder, "dvc", "remote", "add", "--local", "--default", "far", address)
    run(folder, "dvc", "remote", "modify", "--local", "far", "keyfile", str(stranger))
    refused = run(folder, "make", "restore", check=False)
    assert refused.returncode != 0
    assert not (folder / "data" / "benchmarks").exists()


def test_metrics_show_a_run_in_one_line(recorded):
    shown = run(recorded, "dvc", "metrics", "show").stdout
    assert max(map(len, shown.splitlines())) <= 120
    metrics = json.loads((recorded / "results/paper/metrics.json").read_text(encoding="utf-8"))
    assert [word for word in shown.split() if word in metrics] == sorted(metrics)
    assert metrics["contradicted"] == 0 < metrics["instances"]


def test_every_metric_and_plot_is_a_recorded_result(recorded):
    shown = json.loads(run(recorded, "dvc", "metrics", "show", "--json").stdout)
    assert not any("error" in entry for entry in shown[""]["data"].values())
    said = run(recorded, "dvc", "plots", "show", "--json").stdout
    plots = json.loads(said)
    assert plots.get("errors", []) == []
    assert len(plots["data"]) >= 4
    (recorded / "dvc_plots").exists() and shutil.rmtree(recorded / "dvc_plots")


def test_params_and_metrics_diff_show_what_a_change_did(recorded, tmp_path):
    folder = clone(recorded, tmp_path)
    run(folder, "dvc", "pull", "corpora", "sentences")
    set_params(folder, {"sentences": {"max_tokens": 12}})
    run(folder, "dvc", "repro", "sentences")
    params = json.loads(run(folder, "dvc", "params", "diff", "--json").stdout)
    assert params["params.yaml"]["sentences.max_tokens"]["new"] == 12
    summary = "results/sentences/summary.json"
    metrics = json.loads(run(folder, "dvc", "metrics", "diff", "--json", "--targets", summary).stdout)
    change = metrics[summary]["groups"]
    assert 0 < change["new"] < change["old"]


@pytest.fixture(scope="module")
def ssh_server(tmp_path_factory):
    """A real sshd on a free port of the loopback, with a host key and one user's key of its own."""
    server = SshServer(tmp_path_factory.mktemp("sshd"))
    yield server
    server.process.terminate()
    server.process.wait(timeout=120)


class SshServer:
    """sshd in the foreground; ``port`` and the user's private ``key`` are what a client needs."""

    def __init__(self, folder: Path) -> None:
        self.key = new_key(folder / "user")
        host = new_key(folder / "host")
        shutil.copy(self.key.with_suffix(".pub"), folder / "authorized_keys")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        if os.geteuid() == 0:
            # sshd run by root wants this folder, which the system's own service would have made.
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        settings = {
            "ListenAddress": f"127.0.0.1:{self.port}",
            "HostKey": host,
            "AuthorizedKeysFile": folder / "authorized_keys",
            "PidFile": folder / "sshd.pid",
            "PasswordAuthentication": "no",
            "PermitRootLogin": "prohibit-password",
            "UsePAM": "no",
            "StrictModes": "no",  # pytest's temporary folder lies under one that all may write
            "Subsystem": "sftp internal-sftp",
        }
        path = folder / "sshd_config"
        path.write_text("".join(f"{name} {value}\n" for name, value in settings.items()), encoding="utf-8")
        log = folder / "sshd.log"
        self.process = subprocess.Popen([SSHD, "-D", "-f", str(path), "-E", str(log)])
        deadline = time.monotonic() + 120
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"sshd did not come up:\n{log.read_text(encoding='utf-8')}")
            time.sleep(0.1)

    def _answers(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0


def new_key(path: Path) -> Path:
    """Make an Ed25519 key pair without a passphrase; return the private key's path."""
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path

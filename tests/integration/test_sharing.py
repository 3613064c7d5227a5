"""Recorded results shared: `make restore` from a remote in a folder and from one behind a real SSH server; figures to
compare by `dvc metrics`, `dvc plots` and `dvc params`."""

from __future__ import annotations

import getpass
import importlib.util
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.integration.beside import free_port, started
from tests.integration.workspace import CLEAN, digests, kill_when, refused, run, set_params

pytestmark = [pytest.mark.integration, pytest.mark.slow]

SSHD = shutil.which("sshd", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
needs_ssh = pytest.mark.skipif(
    SSHD is None or not importlib.util.find_spec("dvc_ssh"),
    reason="needs sshd (apt-get install openssh-server) and pip install 'divlogic[ssh]'",
)


def restore(clone: Path, recorded: Path) -> None:
    """Run `make restore`; the clone then holds the recorded bytes and has nothing to do."""
    run(clone, "make", "restore")
    assert digests(clone) == digests(recorded)
    assert CLEAN in run(clone, "dvc", "status").stdout
    assert "Nothing to be done" in run(clone, "snakemake", "all").stderr
    assert digests(clone) == digests(recorded)


def test_make_restore_fetches_everything_from_a_remote_in_a_folder(recorded, clone):
    restore(clone, recorded)


@pytest.mark.late
def test_a_push_and_a_pull_that_are_cut_in_the_middle_go_on_when_they_are_run_again(
    recorded, clone
):
    store = recorded / ".dvc" / "cut"
    run(recorded, "dvc", "remote", "add", "--local", "--force", "cut", str(store))
    assert kill_when(recorded, ".dvc/cut/files/md5/*/*", "dvc", "push", "--remote", "cut"), (
        "nothing was cut"
    )
    run(recorded, "dvc", "push", "--remote", "cut")
    run(clone, "dvc", "remote", "add", "--local", "--default", "cut", str(store))
    assert kill_when(clone, ".dvc/cache/files/md5/*/*", "dvc", "pull"), "nothing was cut"
    restore(clone, recorded)


@needs_ssh
def test_make_restore_fetches_everything_over_ssh(recorded, clone, add_remote, tmp_path):
    store = tmp_path / "store"
    add_remote(recorded, store)
    run(recorded, "dvc", "push", "--remote", "far")
    assert any(store.rglob("*")), "nothing was pushed to the server's folder"
    add_remote(clone, store, "--default")
    restore(clone, recorded)


@needs_ssh
def test_a_key_that_the_server_does_not_know_restores_nothing(clone, add_remote, tmp_path):
    add_remote(clone, tmp_path / "store", "--default", key=new_key(tmp_path / "stranger"))
    refused(clone, "make", "restore")
    assert not (clone / "data" / "benchmarks").exists()


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


def test_params_and_metrics_diff_show_what_a_change_did(clone):
    run(clone, "dvc", "pull", "corpora", "sentences")
    set_params(clone, {"sentences": {"max_tokens": 12}})
    run(clone, "dvc", "repro", "sentences")
    params = json.loads(run(clone, "dvc", "params", "diff", "--json").stdout)
    assert params["params.yaml"]["sentences.max_tokens"]["new"] == 12
    summary = "results/sentences/summary.json"
    metrics = json.loads(
        run(clone, "dvc", "metrics", "diff", "--json", "--targets", summary).stdout
    )
    change = metrics[summary]["groups"]
    assert 0 < change["new"] < change["old"]


@pytest.fixture(scope="module")
def add_remote(tmp_path_factory):
    """Adds to a repository a folder behind a real sshd on the loopback, with a host key and a user's key of its own."""
    folder, port = tmp_path_factory.mktemp("sshd"), free_port()
    key, host = new_key(folder / "user"), new_key(folder / "host")
    shutil.copy(key.with_suffix(".pub"), folder / "authorized_keys")
    if os.geteuid() == 0:
        # sshd run by root wants this folder, which the system's own service would have made.
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    settings = {
        "ListenAddress": f"127.0.0.1:{port}",
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
    path.write_text(
        "".join(f"{name} {value}\n" for name, value in settings.items()), encoding="utf-8"
    )

    def add(repository: Path, store: Path, *options: str, key: Path = key) -> None:
        address = f"ssh://{getpass.getuser()}@127.0.0.1:{port}{store}"
        run(repository, "dvc", "remote", "add", "--local", *options, "--force", "far", address)
        run(repository, "dvc", "remote", "modify", "--local", "far", "keyfile", str(key))

    with started([SSHD, "-D", "-e", "-f", path], folder, port):
        yield add


def new_key(path: Path) -> Path:
    """Make an Ed25519 key pair without a passphrase; return the private key's path."""
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path

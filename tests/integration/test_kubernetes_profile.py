"""The Kubernetes profile: the jobs that it asks a cluster for, and that what such jobs make has the usual bytes."""

from __future__ import annotations

import importlib.util
import shutil
from typing import Any

import pytest
import yaml

from divlogic.io.files import read_jsonl
from tests.integration.kubernetes_api import KubernetesApi
from tests.integration.workspace import ROOT, TINY, copy_tree, environment, run, set_params

pytestmark = pytest.mark.integration

PROFILE = ROOT / "profiles" / "kubernetes"
VOLUME = "/divlogic"
SHARDS = [f"data/interim/benchmarks/divlogiceval/drawn/{shard}.jsonl.gz" for shard in range(2)]
FILTERED = "data/interim/sentences/0.jsonl.gz"
WORDED = "data/interim/benchmarks/divlogiceval/realised/0.jsonl.gz"
"""Made of what nine other jobs make: a folder, files of a folder that is filled at once, single files."""
PLUGINS = ("snakemake_executor_plugin_kubernetes", "snakemake_storage_plugin_fs")
plugins = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, PLUGINS)) or shutil.which("rsync") is None,
    reason="needs its plugins and rsync: make test-kubernetes",
)


def profile() -> dict[str, Any]:
    """Return the settings of the profile."""
    settings: dict[str, Any] = yaml.safe_load((PROFILE / "config.yaml").read_text(encoding="utf-8"))
    return settings


def test_head_and_jobs_mount_the_same_claim_at_the_same_place():
    settings = profile()
    entries = yaml.safe_load_all((PROFILE / "head.yaml").read_text(encoding="utf-8"))
    objects = {entry["kind"]: entry for entry in entries}
    claim = objects["PersistentVolumeClaim"]["metadata"]["name"]
    pod = objects["Job"]["spec"]["template"]["spec"]
    head = pod["containers"][0]
    assert settings["kubernetes-persistent-volumes"] == f"{claim}:{VOLUME}"
    assert pod["volumes"][0]["persistentVolumeClaim"]["claimName"] == claim
    assert head["workingDir"] == head["volumeMounts"][0]["mountPath"] == VOLUME
    assert settings["default-storage-prefix"] == VOLUME
    assert head["image"] == pod["initContainers"][0]["image"] == settings["container-image"]
    namespaces = {entry["metadata"].get("namespace", "divlogic") for entry in objects.values()}
    assert namespaces == {settings["kubernetes-namespace"]}


def test_a_job_s_folder_has_what_the_rules_look_at_when_they_are_read(tmp_path):
    run(tmp_path, "bash", "-c", profile()["precommand"].replace(VOLUME, str(ROOT)))
    assert "filter_sentences" in run(tmp_path, "snakemake", "--dry-run", FILTERED).stdout


@pytest.fixture(scope="module")
def cluster_run(tmp_path_factory):
    """A workspace, the volume of the profile, in which shards were drawn and worded as Kubernetes jobs."""
    folder = copy_tree(tmp_path_factory.mktemp("volume"))
    set_params(folder, TINY)
    own = tmp_path_factory.mktemp("profile")
    text = (PROFILE / "config.yaml").read_text(encoding="utf-8")
    # The volume is this folder; nothing else of the profile is changed.
    (own / "config.yaml").write_text(text.replace(VOLUME, str(folder)), encoding="utf-8")
    path = {name: environment(folder)[name] for name in ("PATH", "PYTHONPATH")}
    api = KubernetesApi(tmp_path_factory.mktemp("pods"), path)
    kubeconfig = api.write_kubeconfig(own / "kubeconfig")
    command = [
        "env",
        f"KUBECONFIG={kubeconfig}",
        "snakemake",
        "--profile",
        str(own),
        "--retries",
        "0",
    ]
    try:
        run(folder, *command, "--seconds-between-status-checks", "1", "--", *SHARDS, WORDED)
    except AssertionError as error:
        printed = "\n".join(log.read_text(encoding="utf-8")[-4000:] for log in api.logs)
        raise AssertionError(f"{error}\n\nThe jobs printed:\n{printed}") from None
    finally:
        api.close()
    return folder, api.manifests


@pytest.mark.slow
@plugins
def test_each_shard_is_one_job_with_the_volume_the_image_and_the_resources_of_the_profile(
    cluster_run,
):
    folder, manifests = cluster_run
    drawn = [manifest for manifest in manifests if "draw_instances" in str(manifest)]
    assert len(drawn) == len(SHARDS)
    for manifest in drawn:
        pod = manifest["spec"]["template"]["spec"]
        container = pod["containers"][0]
        assert container["image"] == "divlogic:latest"
        assert {"name": "divlogic", "mountPath": str(folder)} in container["volumeMounts"]
        claims = [
            volume.get("persistentVolumeClaim", {}).get("claimName") for volume in pod["volumes"]
        ]
        assert "divlogic" in claims
        requests = container["resources"]["requests"]
        assert (requests["memory"], requests["ephemeral-storage"]) == ("2000M", "4000M")


@pytest.mark.slow
@plugins
def test_kubernetes_jobs_make_the_bytes_of_a_local_run(cluster_run, tmp_path):
    folder, _ = cluster_run
    local = copy_tree(tmp_path / "local")
    set_params(local, TINY)
    run(local, "snakemake", "--cores", "2", "--", *SHARDS, WORDED)
    for shard in (*SHARDS, WORDED):
        assert (folder / shard).read_bytes() == (local / shard).read_bytes()
        assert any(read_jsonl(local / shard))

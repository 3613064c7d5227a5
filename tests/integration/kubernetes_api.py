"""A Kubernetes API server on the loopback that knows batch jobs, and runs each job's command on this machine."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

import yaml


class _Server(http.server.ThreadingHTTPServer):
    request_queue_size = (
        128  # connections that wait while a busy machine starts threads; the default is 5
    )


class KubernetesApi:
    """The server; ``manifests`` are the jobs that it was given, ``logs`` what their containers printed.

    A container's command runs as a process of this machine in an empty folder of its own, which stands for the
    manifest's empty volume ``/workdir``. Persistent volumes are not mounted: their mount path must exist here.
    """

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.manifests: list[dict[str, Any]] = []
        self.logs: list[Path] = []
        self.exit_codes: dict[str, int | None] = {}
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def write_kubeconfig(self, path: Path) -> Path:
        """Write the configuration by which a client finds the server; return its path."""
        address = f"http://127.0.0.1:{self._server.server_port}"
        entry = {
            "clusters": [{"name": "loopback", "cluster": {"server": address}}],
            "users": [{"name": "nobody", "user": {}}],
            "contexts": [{"name": "here", "context": {"cluster": "loopback", "user": "nobody"}}],
            "current-context": "here",
        }
        path.write_text(
            yaml.safe_dump({"apiVersion": "v1", "kind": "Config", **entry}), encoding="utf-8"
        )
        return path

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()

    def start(self, manifest: dict[str, Any]) -> None:
        """Take a job and run its container."""
        self.manifests.append(manifest)
        name = manifest["metadata"]["name"]
        self.exit_codes[name] = None
        threading.Thread(target=self._run, args=(name, manifest), daemon=True).start()

    def status(self, name: str) -> dict[str, int]:
        """Return a job's status as the API words it."""
        code = self.exit_codes[name]
        return {"active": 1} if code is None else {"succeeded": 1} if code == 0 else {"failed": 1}

    def _run(self, name: str, manifest: dict[str, Any]) -> None:
        container = manifest["spec"]["template"]["spec"]["containers"][0]
        workdir = tempfile.mkdtemp(prefix="workdir-", dir=self.folder)
        log = self.folder / f"{name}.log"
        self.logs.append(log)
        given = {entry["name"]: entry.get("value", "") for entry in container.get("env", [])}
        with log.open("wb") as stream:
            done = subprocess.run(
                [*container["command"], *container["args"]],
                cwd=workdir,
                env=os.environ | self.environment | given,
                stdout=stream,
                stderr=stream,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        self.exit_codes[name] = done.returncode


def _handler(api: KubernetesApi) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path.endswith("/jobs"):
                api.start(body)
            self._answer(body, 201)

        def do_GET(self) -> None:
            parts = self.path.partition("?")[0].split("/")
            if parts[-1] == "status":
                self._answer({"metadata": {"name": parts[-2]}, "status": api.status(parts[-2])})
            else:
                self._answer({"kind": "PodList", "apiVersion": "v1", "items": []})

        def do_DELETE(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self._answer({"kind": "Status", "apiVersion": "v1", "status": "Success"})

        def _answer(self, body: dict[str, Any], code: int = 200) -> None:
            content = json.dumps(body).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            """Say nothing on standard error."""

    return Handler

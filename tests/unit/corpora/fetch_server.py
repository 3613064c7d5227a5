"""A small file server on the loopback interface that can misbehave as real ones do."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Resource:
    """A file to serve; ``faults`` are used up one for each request.

    A fault is a status code (500, 404, 429, ...) or ``("cut", n)``: the connection is closed after n bytes of
    the body.
    """

    content: bytes
    etag: str | None = '"first"'
    modified: str | None = None
    ranges: bool = True
    announce_length: bool = True
    headers: dict[str, str] = field(default_factory=dict)
    faults: list[int | tuple[str, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Request:
    """What a client asked for and what status it got."""

    path: str
    range: str | None
    if_range: str | None
    status: int


class _Server(ThreadingHTTPServer):
    request_queue_size = (
        128  # connections that wait while a busy machine starts threads; the default is 5
    )


class FileServer:
    """Serves ``resources`` (path → Resource) and keeps the requests."""

    def __init__(self) -> None:
        self.resources: dict[str, Resource] = {}
        self.requests: list[Request] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer._answer(self)

            def log_message(self, *args: object) -> None:
                pass

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )
        self._thread.start()

    def url(self, path: str) -> str:
        """Return the address of a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

    def put(self, path: str, content: bytes, **options: object) -> str:
        """Serve ``content`` under a path and return its address."""
        self.resources[path] = Resource(content, **options)  # type: ignore[arg-type]
        return self.url(path)

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        wanted, condition = handler.headers.get("Range"), handler.headers.get("If-Range")
        resource = self.resources.get(handler.path)
        fault = resource.faults.pop(0) if resource and resource.faults else None
        status, start = 200, 0
        if resource is None:
            status = 404
        elif isinstance(fault, int):
            status = fault
        elif wanted and resource.ranges and condition in (resource.etag, resource.modified):
            start = int(re.fullmatch(r"bytes=(\d+)-", wanted)[1])  # type: ignore[index]
            status = 206 if start < len(resource.content) else 416
        self.requests.append(Request(handler.path, wanted, condition, status))
        handler.send_response(status)
        if resource is None or status not in (200, 206):
            if status == 416:
                handler.send_header("Content-Range", f"bytes */{len(resource.content)}")  # type: ignore[union-attr]
            for name, value in (resource.headers if resource else {}).items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
            return
        body = resource.content[start:]
        if resource.announce_length:
            handler.send_header("Content-Length", str(len(body)))
        if status == 206:
            last = len(resource.content) - 1
            handler.send_header("Content-Range", f"bytes {start}-{last}/{last + 1}")
        for name, value in (("ETag", resource.etag), ("Last-Modified", resource.modified)):
            if value:
                handler.send_header(name, value)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(body[: fault[1]] if isinstance(fault, tuple) else body)
        handler.wfile.flush()
        handler.close_connection = True

"""Environments that behave badly, as callables ``(seed, index)``; the worker calls them in another process."""

from __future__ import annotations

import os
import socket
import time
import urllib.request
from typing import Any


def tidy(seed: int, index: int) -> dict[str, Any]:
    return {
        "question": f"Is {seed + index} even?",
        "options": ["yes", "no"],
        "answer": ["yes", "no"][(seed + index) % 2],
        "group": index // 2,
    }


def raising(seed: int, index: int) -> dict[str, Any]:
    if index == 3:
        raise RuntimeError("the moon\nis full")
    return tidy(seed, index)


def looping(seed: int, index: int) -> dict[str, Any]:
    while index == 3:
        try:
            time.monotonic()
        except Exception:
            continue
    return tidy(seed, index)


def sleeping(seed: int, index: int) -> dict[str, Any]:
    time.sleep(3600)
    return tidy(seed, index)


def hungry(seed: int, index: int) -> dict[str, Any]:
    held = bytearray(8 * 1024**3)
    return tidy(seed, index + len(held))


def calling(seed: int, index: int) -> dict[str, Any]:
    urllib.request.urlopen("http://example.invalid/items")
    return tidy(seed, index)


def connecting(seed: int, index: int) -> dict[str, Any]:
    socket.socket().connect(("127.0.0.1", 9))
    return tidy(seed, index)


def leaving(seed: int, index: int) -> dict[str, Any]:
    os._exit(3)


def printing(seed: int, index: int) -> dict[str, Any]:
    print("{'item': 1}")
    os.system("echo noise")
    return tidy(seed, index)


def keyed(seed: int, index: int) -> dict[str, Any]:
    return {**tidy(seed, index), "question": f"{os.environ['OPENAI_API_KEY']} {index}?"}


def unanswerable(seed: int, index: int) -> dict[str, Any]:
    return {**tidy(seed, index), "answer": "perhaps"}


def empty(seed: int, index: int) -> dict[str, Any]:
    return {"question": " "}


def mistaken(seed: int, index: int) -> dict[str, Any]:
    """Return Barbara, which is valid; each tenth item says that it is not."""
    text = (
        f"Item {seed}-{index}. Consider these statements:\n1. All herons are bakers\n2. All clerks are herons\n\n"
        "Does it logically follow that:\nAll clerks are bakers?"
    )
    return {"question": text, "answer": "No" if index % 10 == 9 else "Yes"}

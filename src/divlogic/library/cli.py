"""``divlogic seal``: sealed test sets."""

from __future__ import annotations

from divlogic.config.command import Commands

cli = Commands(
    "seal",
    "Seal a fresh test set: publish questions, grade, open, and let anyone verify every byte.",
    {
        "new": "library.seal:new",
        "draw": "library.seal:draw",
        "grade": "library.seal:grade",
        "open": "library.seal:open_seal",
        "verify": "library.seal:verify",
    },
)

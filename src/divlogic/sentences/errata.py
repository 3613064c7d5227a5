"""What reading found wrong in the corpora, and how a sentence is named without being shown.

The lists lie beside this file. They name sentences and pairs by hashes: no sentence of a corpus may be copied, and ids
differ between the distributions of a corpus. They hold what was found in the part of each corpus that was read, and
grow with every reading.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

_MARKS = bytes(number for number in range(128) if not chr(number).isalnum())


def group_id(text: str) -> str:
    """Return the id of a sentence, and of a premise's group: 12 hexadecimal digits of a SHA-256.

    It is that of the letters and digits: blanks, marks and case are left out, so that tokenised and plain copies of a
    sentence fall together.
    """
    return hashlib.sha256(letters_of(text).encode()).hexdigest()[:12]


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    if text.isascii():  # ten times as fast
        return text.lower().encode().translate(None, _MARKS).decode()
    return "".join(filter(str.isalnum, text.lower()))


@lru_cache(maxsize=1)
def refused_pairs() -> frozenset[str]:
    """Return :func:`group_id` of premise and hypothesis of pairs whose label does not hold (``refused_pairs.txt``)."""
    return _listed("refused_pairs.txt")


@lru_cache(maxsize=1)
def refused_sentences() -> frozenset[str]:
    """Return :func:`group_id` of the sentences that were found wrong (``refused_sentences.txt``)."""
    return _listed("refused_sentences.txt")


def _listed(name: str) -> frozenset[str]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return frozenset(entry for line in lines if (entry := line.partition("#")[0].strip()))

"""What a user gives reaches the shell in quotes: every substitution in a rule's shell text is quoted."""

from __future__ import annotations

import re

from tests.contract.graph import ROOT

RULES = sorted((ROOT / "workflow").rglob("*.smk"))
SHELL = re.compile(r"\bshell:\s*(\"\"\".*?\"\"\"|\"[^\n]*\"|'[^\n]*')", re.DOTALL)
SUBSTITUTION = re.compile(r"(?<!\{)\{([^{}]+)\}(?!\})")


def shell_texts() -> dict[str, str]:
    return {
        f"{path.relative_to(ROOT)}:{text[: found.start()].count(chr(10)) + 1}": found[1]
        for path in RULES
        for text in [path.read_text(encoding="utf-8")]
        for found in SHELL.finditer(text)
    }


def test_every_shell_text_is_looked_at():
    texts = shell_texts()
    rules = sum(
        len(re.findall(r"^rule ", path.read_text(encoding="utf-8"), re.MULTILINE)) for path in RULES
    )
    assert rules > 40
    assert rules - 10 < len(texts) <= rules


def test_every_substitution_is_quoted():
    bare = {
        (place, name)
        for place, text in shell_texts().items()
        for name in SUBSTITUTION.findall(text)
        if not name.endswith(":q") and name != "threads"
    }
    assert bare == set()

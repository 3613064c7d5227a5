"""The published benchmarks: where each one's files lie, and what the papers call it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to have a benchmark: files below its corpus folder, their format, and what part that is.

    Attributes:
        files: patterns; all files that match any of them are read, in name order.
        format: a name of the reader's formats.
        part: how the table says which part was used.
        expected: records of the whole part, ``None`` if not known.
        exact: whether the part is the test set that the papers measured.
    """

    files: tuple[str, ...]
    format: str
    part: str
    expected: int | None = None
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Comparator:
    """A published benchmark; the first of its choices that is there is used."""

    name: str
    title: str
    folders: tuple[str, ...]
    choices: tuple[Choice, ...]

    def find(self, roots: list[Path]) -> tuple[Choice, list[Path]] | None:
        """Return the first choice with files below one of the roots, best choice first."""
        for choice in self.choices:
            for root in roots:
                for folder in self.folders:
                    files = sorted({path for one in choice.files for path in (root / folder).glob(one)})
                    if files:
                        return choice, files
        return None


COMPARATORS: tuple[Comparator, ...] = (
    Comparator(
        "reclor",
        "ReClor",
        ("reclor",),
        (
            Choice(("**/test.json",), "reclor", "test", 1000),
            Choice(("**/val.json",), "reclor", "validation instead of test", 500, exact=False),
        ),
    ),
    Comparator(
        "logiqa2",
        "LogiQA2",
        ("logiqa2",),
        (Choice(("**/test.jsonl", "**/test.txt"), "logiqa2", "test", 1572),),
    ),
    Comparator(
        "ruletaker",
        "RuleTaker",
        ("ruletaker",),
        (Choice(("**/depth-[01235]/test.jsonl",), "ruletaker", "test of depths 0-3 and 5", 100_000),),
    ),
    Comparator(
        "logicnli",
        "LogicNLI",
        ("logicnli",),
        (
            Choice(("**/test_language.json",), "logicnli", "test", 2000),
            Choice(("**/dev_language.json",), "logicnli", "dev instead of test", 2000, exact=False),
        ),
    ),
    Comparator(
        "folio",
        "FOLIO",
        ("folio",),
        (
            Choice(("**/*folio*test*.jsonl",), "folio", "test", 227),
            Choice(
                ("**/*v0.0*validation*.jsonl",), "folio", "v0.0 validation instead of test", 204, exact=False
            ),
            Choice(
                ("**/*folio*v2*validation*.jsonl",),
                "folio",
                "v2 validation instead of test",
                203,
                exact=False,
            ),
        ),
    ),
    Comparator(
        "robustlr",
        "RobustLR",
        ("robustlr",),
        (
            Choice(
                ("**/*chat*.jsonl", "**/robustlr.jsonl"),
                "robustlr_chat",
                "GLoRE's selection",
                None,
                exact=False,
            ),
            Choice(("**/*.jsonl",), "robustlr_text", "GLoRE's selection", None, exact=False),
        ),
    ),
    Comparator(
        "prontoqa_ood",
        "PrOntoQA-OOD",
        ("prontoqa_ood",),
        (
            Choice(("**/*.zip",), "prontoqa_ood", "generated test problems", None),
            Choice(("**/*.json",), "prontoqa_ood", "generated test problems", None),
            Choice(("**/*.jsonl",), "prontoqa_ood_flat", "generated test problems", None),
        ),
    ),
    Comparator(
        "clutrr",
        "CLUTRR",
        ("clutrr",),
        (Choice(("**/clutrr_test.csv", "**/test.csv"), "clutrr", "test (2-10 relations)", 1048),),
    ),
    Comparator(
        "proofwriter",
        "ProofWriter",
        ("proofwriter",),
        (
            Choice(("**/OWA/depth-0/meta-test.jsonl",), "proofwriter_meta", "OWA depth 0 test", None),
            Choice(
                ("**/logicllm_test.json",),
                "proofwriter_logicllm",
                "OWA depth 5, Logic-LLM's test",
                600,
                exact=False,
            ),
            Choice(
                ("**/logicllm_dev.json",),
                "proofwriter_logicllm",
                "OWA depth 5, Logic-LLM's dev",
                600,
                exact=False,
            ),
            Choice(
                ("**/satlm_proofd5_test.json",),
                "proofwriter_satlm",
                "OWA depth 5, SAT-LM's",
                1000,
                exact=False,
            ),
        ),
    ),
    Comparator(
        "justlogic",
        "JustLogic",
        ("justlogic",),
        (
            Choice(("**/test_dataset.csv",), "justlogic", "test", 1050),
            Choice(
                ("**/validate_dataset.csv",), "justlogic", "validation instead of test", 1050, exact=False
            ),
        ),
    ),
    Comparator(
        "llmeval_logic_base",
        "LLMEval-Logic Base",
        ("llmeval_logic",),
        (Choice(("**/llmeval_logic_base.json",), "llmeval_base", "public part", None, exact=False),),
    ),
    Comparator(
        "llmeval_logic_hard",
        "LLMEval-Logic Hard",
        ("llmeval_logic",),
        (Choice(("**/llmeval_logic_hard.json",), "llmeval_hard", "public part", None, exact=False),),
    ),
)
"""Every published benchmark that is measured when its files are there."""

_OWN = {
    "divlogiceval": "DivLogicEval",
    "ilogiceval": "ILogicEval",
    "s-divlogiceval": "s-DivLogicEval",
    "justlogic_generated": "JustLogic (generated)",
}

TITLES = _OWN | {one.name: one.title for one in COMPARATORS}
"""How the papers write each benchmark's name."""

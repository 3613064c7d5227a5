"""The symbolic reader: parses the English back through the templates and solves what it reads.

It receives, for each instance, which sentence words which variable (the relations of the NLI corpus, which no text
can show), and nothing else: neither the formulas nor the answer. That it scores 100 proves every instance end to end,
from the text to the label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.benchmarks.divlogiceval.groups import negations_of, wanted_rows
from divlogic.errors import DivLogicError
from divlogic.logic import Formula, entails, parse
from divlogic.models.baselines import Answerer, Baseline, several
from divlogic.models.prompts import ParsedPrompt
from divlogic.records import read_records

if TYPE_CHECKING:
    import numpy as np

Sentences = Mapping[str, Any]
Formulas = Sequence[Formula]


class SymbolicReader:
    """Reads and solves DivLogicEval instances and those of its symbolic twin.

    Args:
        records: benchmark files; of each record only the text (to find it) and ``sentences`` are used.
        groups: sentence groups with the negation of each sentence; needed unless all records are symbolic.
    """

    def __init__(self, records: Sequence[Path], groups: Path | None) -> None:
        self._sentences: dict[tuple[str, str], Sentences] = {}
        wanted: set[str] = set()
        for path in records:
            for record in read_records(path):
                sentences = record.sentences or {}
                self._sentences[_key(record.context, record.options)] = sentences
                wanted |= {entry["group"] for entry in sentences.values()}
        if wanted and groups is None:
            raise DivLogicError(
                "baseline/symbolic_reader needs the sentence groups; give them as its argument `groups`."
            )
        self._negations: dict[tuple[str, str], str] = {}
        for row in wanted_rows(groups, wanted) if groups else ():
            self._negations |= negations_of(row)
        self._chosen: dict[tuple[str, str], str | None] = {}

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        from divlogic.benchmarks.templates import load_templates

        key = _key(prompt.context, prompt.options)
        question_type = load_templates().question_type(prompt.question)
        if question_type is None or key not in self._sentences:
            return None
        if key not in self._chosen:
            self._chosen[key] = self._answer(prompt, question_type, self._sentences[key])
        chosen = self._chosen[key]
        return prompt.options.index(chosen) if chosen is not None else None

    def _answer(self, prompt: ParsedPrompt, question_type: str, sentences: Sentences) -> str | None:
        """Return the one option that answers the question; ``None`` if none or several do, or a text is unreadable."""
        try:
            premises, conclusion, options = self._read(prompt, sentences)
        except ValueError:
            return None
        answers = solve(question_type, premises, conclusion, options)
        right = [option for option, holds in zip(prompt.options, answers, strict=True) if holds]
        return right[0] if len(right) == 1 else None

    def _read(
        self, prompt: ParsedPrompt, sentences: Sentences
    ) -> tuple[Formulas, Formula | None, Formulas]:
        """Return the premises, the conclusion if one is drawn, and the options."""
        if not sentences:
            premises, _, conclusion = prompt.context.partition(" ⊨ ")
            stated, options = (
                list(map(parse, texts)) for texts in (premises.split(", "), prompt.options)
            )
            return stated, parse(conclusion) if conclusion else None, options
        from divlogic.benchmarks.templates import FrameReader

        reader = FrameReader(dict(self._clauses(sentences)))
        statements, goal = reader.read_sentences(prompt.context)
        stated = [reading.formula for reading in statements]
        return (
            stated,
            goal.formula if goal else None,
            [reader.read(option).formula for option in prompt.options],
        )

    def _clauses(self, sentences: Sentences) -> Iterator[tuple[str, str]]:
        """Yield every clause that may occur with the literal it says; a contradiction says the negation."""
        for variable, entry in sentences.items():
            for text in (entry["premise"], *entry["hypotheses"]):
                yield text, variable
                yield self._negations[entry["group"], text], f"¬{variable}"
            if "contradiction" in entry:
                yield entry["contradiction"], f"¬{variable}"


def solve(
    question_type: str, premises: Formulas, conclusion: Formula | None, options: Formulas
) -> list[bool]:
    """Tell for each option whether it answers the question, by truth tables.

    ``3c1e`` asks for what follows, ``3e1c`` for what does not, ``missing_premise`` for what makes the conclusion
    follow. Source: DivLogicEval, Section 2.1.
    """
    if question_type == "missing_premise":
        if conclusion is None:
            return [False] * len(options)
        return [entails([*premises, option], conclusion) for option in options]
    follows = [entails(premises, option) for option in options]
    return [not yes for yes in follows] if question_type == "3e1c" else follows


def _key(context: str, options: Sequence[str]) -> tuple[str, str]:
    """Return a key of an instance that is the same for every rotation."""
    return " ".join(context.split()), "\n".join(
        sorted(" ".join(option.split()) for option in options)
    )


def _symbolic_reader(records: str | list[str], groups: str | None = None) -> Answerer:
    return SymbolicReader(
        [Path(path) for path in several(records)], Path(groups) if groups else None
    )


_NEEDS = ("records", "groups")
BASELINE = Baseline(
    "symbolic_reader", _symbolic_reader, _NEEDS, optional=("groups",), code=(Path(__file__),)
)

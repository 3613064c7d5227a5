"""The four layers of normalisation (paper, Section 2.1): pure functions that return the new object and their findings.

The paper names the layers and requires that meaning does not change; its Appendix A is not available, so that what each
layer does is this project's reading. :func:`checked` decides the theory again after each layer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from divlogic.benchmarks.llmeval_logic.formal import (
    Published,
    arities,
    declared,
    formalization_of,
    query_tokens,
)
from divlogic.benchmarks.llmeval_logic.glosses import folded, templated
from divlogic.benchmarks.llmeval_logic.notation import print_formula, read_formula, spelled, tokens_of
from divlogic.benchmarks.llmeval_logic.schema import Finding
from divlogic.errors import DivLogicError
from divlogic.logic.deciding import Decision, TableDecider, Z3Decider
from divlogic.logic.theory import Answer

Layer = Callable[[Published], tuple[Published, list[Finding]]]


def lexical(raw: Published) -> tuple[Published, list[Finding]]:
    """Use one spelling per operator and bracket; remove ``$``, spacing commands and surplus white space."""
    counts: Counter[str] = Counter()

    def respelled(text: str) -> str:
        new = spelled(tokens_of(text))
        counts.update([] if new == text else ["formulas"])
        return new

    new = replace(
        raw,
        premises=tuple(map(respelled, raw.premises)),
        queries=tuple(map(respelled, raw.queries)),
        parameters={_name(key): value.strip() for key, value in raw.parameters.items()},
        translation={_key(key): " ".join(value.split()) for key, value in raw.translation.items()},
    )
    findings = [Finding(raw.id, "lexical", "respelled", f"{counts['formulas']} formulas")] if counts else []
    return new, findings


def syntactic(raw: Published) -> tuple[Published, list[Finding]]:
    """Parse every formula and print it canonically, with the scope of quantifiers explicit."""
    findings: list[Finding] = []

    def printed(text: str) -> str:
        sentence = read_formula(text)
        try:
            other = read_formula(text, scope="rest")
        except ValueError:
            other = sentence
        if other != sentence:
            findings.append(Finding(raw.id, "syntactic", "ambiguous_scope", text))
        return print_formula(sentence)

    queries = []
    for text in raw.queries:
        kind, arguments = query_tokens(text)
        parts = [printed(spelled(part)) if len(part.signs) > 1 else part.signs[0] for part in arguments]
        queries.append(f"{kind}({', '.join(parts)})")
    new = replace(raw, premises=tuple(map(printed, raw.premises)), queries=tuple(queries))
    return new, findings


def semantic(raw: Published) -> tuple[Published, list[Finding]]:
    """Align symbols with glosses, query types with labels, and the answer's words with the formal answer."""
    findings: list[Finding] = []

    def note(kind: str, detail: str) -> None:
        findings.append(Finding(raw.id, "semantic", kind, detail))

    used = arities(raw)
    glosses: dict[str, str] = {}
    for key, value in raw.translation.items():
        name, variables = declared(key)
        if name is None or name in glosses:
            continue
        arity = used.get(name, 0)
        template = templated(value, arity, variables)
        glosses[name] = template
        if arity and any(f"{{{place}}}" not in template for place in range(arity)):
            note("gloss_without_place", f"{key}: {value}")
    for name in used:
        if not glosses.get(name):
            note("no_gloss", name)
    seen: dict[str, str] = {}
    for name, value in glosses.items():
        if folded(value) in seen and name in used:
            note("same_gloss", f"{seen[folded(value)]} and {name}: {value}")
        seen.setdefault(folded(value), name)
    kinds = [query_tokens(text)[0] for text in raw.queries]
    if list(raw.label_types) != kinds:
        note("label_type", f"labelled {'+'.join(raw.label_types)}, asks {'+'.join(kinds)}")
    read = answers_in_words(raw.answer_text, kinds)
    if read is not None and list(read) != [
        answer if kind in ("possible", "necessary") else None
        for kind, answer in zip(kinds, raw.answers, strict=False)
    ]:
        note("answer_text", f"'{raw.answer_text}' against {', '.join(raw.answers)}")
    kept = {key: value for key, value in raw.translation.items() if declared(key)[0] not in glosses}
    return replace(raw, translation={**glosses, **kept}), findings


def types(raw: Published) -> tuple[Published, list[Finding]]:
    """Declare every symbol once with kind and arity; set aside what is not a symbol.

    Raises:
        ValueError: a symbol is used otherwise than declared, or with two arities.
    """
    findings: list[Finding] = []

    def note(kind: str, detail: str) -> None:
        findings.append(Finding(raw.id, "types", kind, detail))

    symbols = formalization_of(raw).symbols
    used = set(arities(raw))
    for symbol in symbols:
        if symbol.name not in raw.parameters:
            note("undeclared", f"{symbol.name} ({symbol.kind}, {symbol.arity} terms by its use)")
        elif symbol.name not in used:
            note("unused", symbol.name)
    for name in raw.parameters:
        if name not in {symbol.name for symbol in symbols}:
            note("variable", f"{name} is bound wherever it occurs")
    names = {symbol.name for symbol in symbols}
    translation: dict[str, str] = {}
    for key, value in raw.translation.items():
        named, _ = declared(key)
        if named in names:
            translation[str(named)] = value
        else:
            note("no_symbol", f"{key}: {value}")
    word = {"prop": "Bool", "const": "Thing"}
    parameters = {
        symbol.name: symbol.sort or word.get(symbol.kind, f"Function({symbol.arity})") for symbol in symbols
    }
    return replace(raw, parameters=parameters, translation=translation), findings


LAYERS: tuple[Layer, ...] = (lexical, syntactic, semantic, types)


def normalised(raw: Published) -> tuple[Published, list[Finding]]:
    """Apply the four layers in order.

    Raises:
        ValueError: a formula or a query cannot be read.
    """
    findings: list[Finding] = []
    for layer in LAYERS:
        raw, found = layer(raw)
        findings += found
    return raw, findings


def checked(raw: Published) -> tuple[Published, list[Finding]]:
    """Apply the layers and decide the theory after each.

    Raises:
        DivLogicError: a layer changed an answer.
    """
    findings: list[Finding] = []
    before = _decided(raw)
    for layer in LAYERS:
        raw, found = layer(raw)
        findings += found
        after = _decided(raw)
        if after != before:
            raise DivLogicError(
                f"item {raw.id}: the {layer.__name__} layer changes its answers; report this item, normalisation must"
                " keep the meaning."
            )
    return raw, findings


_WORDS = (
    ("没有这种可能", "impossible"), ("不可能", "impossible"), ("有这种可能", "possible"), ("有可能", "possible"),
    ("不一定", "unnecessary"), ("一定", "necessary"), ("不能", "unnecessary"), ("不是", "unnecessary"),
    ("不会", "unnecessary"), ("是", "necessary"), ("会", "necessary"), ("能", "necessary"), ("可能", "possible"),
)  # fmt: skip


def answers_in_words(text: str, kinds: list[str]) -> tuple[str | None, ...] | None:
    """Read the verdicts of an answer in Chinese words, one sentence per query.

    Returns:
        One verdict per query, ``None`` for a query that asks for no verdict; ``None`` where the text cannot be read.
    """
    parts = [part.strip() for part in re.split(r"[。.;；!！\n]", text) if part.strip()]
    if len(parts) != len(kinds):
        return None
    verdicts: list[str | None] = []
    for part, kind in zip(parts, kinds, strict=True):
        if kind not in ("possible", "necessary"):
            verdicts.append(None)
            continue
        word = next((verdict for said, verdict in _WORDS if part == said), None)
        fits = {"possible": ("possible", "impossible"), "necessary": ("necessary", "unnecessary")}[kind]
        if word not in fits:
            return None
        verdicts.append(word)
    return tuple(verdicts) if any(verdicts) else None


def _decided(raw: Published) -> tuple[Answer | None, ...]:
    theory = formalization_of(raw)
    found: Decision = TableDecider().decide(theory) if theory.propositional else Z3Decider().decide(theory)
    return tuple(verdict.answer for verdict in found.verdicts)


def _name(key: str) -> str:
    return re.sub(r"[\\{}$\s]", "", key)


def _key(key: str) -> str:
    return " ".join(key.split())

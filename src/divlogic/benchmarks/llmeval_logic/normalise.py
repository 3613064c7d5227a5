"""The four layers of normalisation (paper, Section 2.1): pure functions that return the new object and their findings.

The paper names the layers and requires that meaning does not change; its Appendix A is not available, so that what each
layer does is this project's reading. No layer may change an answer; the tests decide the theory after each.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace

from divlogic.benchmarks.llmeval_logic.formal import arities, declared, formalization_of, query_tokens
from divlogic.benchmarks.llmeval_logic.glosses import folded, templated
from divlogic.benchmarks.llmeval_logic.notation import print_formula, read_formula, spelled, tokens_of
from divlogic.benchmarks.llmeval_logic.reader import PublishedBaseItem
from divlogic.benchmarks.llmeval_logic.schema import VERDICTS


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that normalisation changed or that a reader should know."""

    item: str
    layer: str
    kind: str
    detail: str


Noted = list[tuple[str, str]]
"""The kinds and details of a layer's findings, which it adds."""


def lexical(raw: PublishedBaseItem, noted: Noted) -> PublishedBaseItem:
    """Use one spelling per operator and bracket; remove ``$``, spacing commands and surplus white space."""
    premises, queries = (
        tuple(spelled(tokens_of(text)) for text in texts) for texts in (raw.premises, raw.queries)
    )
    pairs = zip((*raw.premises, *raw.queries), (*premises, *queries), strict=True)
    if changed := sum(old != new for old, new in pairs):
        noted.append(("respelled", f"{changed} formulas"))
    return replace(
        raw,
        premises=premises,
        queries=queries,
        parameters={re.sub(r"[\\{}$\s]", "", key): value.strip() for key, value in raw.parameters.items()},
        translation={
            " ".join(key.split()): " ".join(value.split()) for key, value in raw.translation.items()
        },
    )


def syntactic(raw: PublishedBaseItem, noted: Noted) -> PublishedBaseItem:
    """Parse every formula and print it canonically, with the scope of quantifiers explicit."""

    def printed(text: str) -> str:
        sentence = read_formula(text)
        with suppress(ValueError):
            if read_formula(text, scope="rest") != sentence:
                noted.append(("ambiguous_scope", text))
        return print_formula(sentence)

    queries = []
    for text in raw.queries:
        kind, arguments = query_tokens(text)
        parts = [printed(spelled(part)) if len(part.signs) > 1 else part.signs[0] for part in arguments]
        queries.append(f"{kind}({', '.join(parts)})")
    return replace(raw, premises=tuple(map(printed, raw.premises)), queries=tuple(queries))


def semantic(raw: PublishedBaseItem, noted: Noted) -> PublishedBaseItem:
    """Align symbols with glosses, query types with labels, and the answer's words with the formal answer."""
    used = arities(raw)
    glosses: dict[str, str] = {}
    for key, value in raw.translation.items():
        name, variables = declared(key)
        if name is None or name in glosses:
            continue
        arity = used.get(name, 0)
        glosses[name] = templated(value, arity, variables)
        if any(f"{{{place}}}" not in glosses[name] for place in range(arity)):
            noted.append(("gloss_without_place", f"{key}: {value}"))
    for name in used:
        if not glosses.get(name):
            noted.append(("no_gloss", name))
    seen: dict[str, str] = {}
    for name, value in glosses.items():
        if folded(value) in seen and name in used:
            noted.append(("same_gloss", f"{seen[folded(value)]} and {name}: {value}"))
        seen.setdefault(folded(value), name)
    kinds = [query_tokens(text)[0] for text in raw.queries]
    if list(raw.label_types) != kinds:
        noted.append(("label_type", f"labelled {'+'.join(raw.label_types)}, asks {'+'.join(kinds)}"))
    read = answers_in_words(raw.answer_text, kinds)
    if read is not None and list(read) != [
        answer if kind in _WORDED else None for kind, answer in zip(kinds, raw.answers, strict=False)
    ]:
        noted.append(("answer_text", f"'{raw.answer_text}' against {', '.join(raw.answers)}"))
    kept = {key: value for key, value in raw.translation.items() if declared(key)[0] not in glosses}
    return replace(raw, translation={**glosses, **kept})


def types(raw: PublishedBaseItem, noted: Noted) -> PublishedBaseItem:
    """Declare every symbol once with kind and arity; set aside what is not a symbol.

    Raises:
        ValueError: a symbol is used otherwise than declared, or with two arities.
    """
    symbols = {symbol.name: symbol for symbol in formalization_of(raw).symbols}
    used = set(arities(raw))
    for name, symbol in symbols.items():
        if name not in raw.parameters:
            noted.append(("undeclared", f"{name} ({symbol.kind}, {symbol.arity} terms by its use)"))
        elif name not in used:
            noted.append(("unused", name))
    for name in raw.parameters:
        if name not in symbols:
            noted.append(("variable", f"{name} is bound wherever it occurs"))
    translation: dict[str, str] = {}
    for key, value in raw.translation.items():
        named, _ = declared(key)
        if named in symbols:
            translation[str(named)] = value
        else:
            noted.append(("no_symbol", f"{key}: {value}"))
    words = {"prop": "Bool", "const": "Thing"}
    parameters = {
        name: symbol.sort or words.get(symbol.kind, f"Function({symbol.arity})")
        for name, symbol in symbols.items()
    }
    return replace(raw, parameters=parameters, translation=translation)


LAYERS = (lexical, syntactic, semantic, types)


def normalised(raw: PublishedBaseItem) -> tuple[PublishedBaseItem, list[Finding]]:
    """Apply the four layers in order.

    Raises:
        ValueError: a formula or a query cannot be read.
    """
    findings: list[Finding] = []
    for layer in LAYERS:
        noted: Noted = []
        raw = layer(raw, noted)
        findings += [Finding(raw.id, layer.__name__, *each) for each in noted]
    return raw, findings


_WORDS = {
    **dict.fromkeys(("有这种可能", "有可能", "可能"), "possible"),
    **dict.fromkeys(("没有这种可能", "不可能"), "impossible"),
    **dict.fromkeys(("一定", "是", "会", "能"), "necessary"),
    **dict.fromkeys(("不一定", "不是", "不会", "不能"), "unnecessary"),
}


_WORDED = ("possible", "necessary")


def answers_in_words(text: str, kinds: list[str]) -> tuple[str | None, ...] | None:
    """Read the verdicts of an answer in Chinese words, one sentence per query.

    Returns:
        One verdict per query, ``None`` for a query that asks for no verdict; ``None`` where the text cannot be read.
    """
    parts = [part.strip() for part in re.split(r"[。.;；!！\n]", text) if part.strip()]
    if len(parts) != len(kinds):
        return None
    verdicts = [
        _WORDS.get(part, "") if kind in _WORDED else None for part, kind in zip(parts, kinds, strict=True)
    ]
    fits = all(
        verdict is None or verdict in VERDICTS[kind] for verdict, kind in zip(verdicts, kinds, strict=True)
    )
    return tuple(verdicts) if fits and any(verdicts) else None

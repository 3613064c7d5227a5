"""The symbolic form of a record as lines to read, for any benchmark: formulas, proof, meaning of symbols."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from divlogic.records import Record

Line = tuple[str, str]
"""A name and what stands behind it."""

_SIGNS = {"and": " ∧ ", "or": " ∨ ", "->": " → ", "<->": " ↔ ", "xor": " ⊕ "}
_SHOWN_ELSEWHERE = (
    "premises", "conclusion", "necessary", "query", "statement", "options", "symbolic_options", "drawn_options",
    "argument", "proof", "fol", "facts", "rules", "people", "symbols", "queries",
)  # fmt: skip


def formula_lines(record: Record) -> list[Line]:
    """Return the formulas of a record, without those of its options (see :func:`option_formulas`)."""
    symbols = dict(record.formulas or {})
    if isinstance(fol := symbols.get("fol"), dict):
        symbols |= fol
    lines: list[Line] = []
    premises = symbols.get("premises") or symbols.get("facts")
    if premises and all(isinstance(one, str) for one in premises):
        lines.append(("premises", ", ".join(premises)))
    else:
        lines += [("premise", _formula(one)) for one in _values(premises)]
    if not symbols.get("premises"):
        lines += [("rule", _formula(one)) for one in _values(symbols.get("rules"))]
    for name in ("conclusion", "necessary", "query", "statement"):
        if symbols.get(name) is not None:
            lines.append((name, _formula(symbols[name])))
    # What no other benchmark has is shown as it stands.
    lines += [
        (name, _formula(value))
        for name, value in symbols.items()
        if name not in _SHOWN_ELSEWHERE and value not in (None, [], {}, "")
    ]
    return lines


def option_formulas(record: Record) -> dict[int, str]:
    """Return the formula of each option; a contradiction together with what it amounts to."""
    symbols = record.formulas or {}
    plain = symbols.get("options") or []
    amounts = symbols.get("symbolic_options") or plain
    return {
        index: formula if formula == amount else f"{formula}: {amount}"
        for index, (formula, amount) in enumerate(zip(plain, amounts, strict=False))
    }


def proof_lines(record: Record) -> list[Line]:
    """Return the steps that lead to the answer, where the record carries them."""
    symbols = record.formulas or {}
    argument = symbols.get("argument")
    if isinstance(argument, str):
        return [("step", line.strip()) for line in argument.splitlines() if line.strip()]
    lines = [("step", _inference(step)) for step in argument or ()]
    proof = symbols.get("proof")
    for side, head in (("statement", "proof"), ("opposite", "against it")):
        steps = proof.get(side) if isinstance(proof, dict) else None
        lines += [
            (head, _derived(number, step)) for number, step in enumerate(steps or (), start=1)
        ]
    return lines


def meaning_lines(record: Record) -> list[Line]:
    """Return what each symbol stands for, and what else may word it."""
    lines: list[Line] = []
    for name, entry in (record.sentences or {}).items():
        if not isinstance(entry, dict):
            lines.append((name, str(entry)))
        elif name.isdigit() and "text" in entry and not entry.get("negated"):
            continue  # a sentence of the context under its number, not a symbol
        else:
            lines.append((name, entry.get("premise") or entry.get("text") or ""))
            lines += [("negated", entry["negated"])] if entry.get("negated") else []
            lines += [("entails", text) for text in entry.get("hypotheses", ())]
            lines += [("excludes", entry["contradiction"])] if entry.get("contradiction") else []
    for symbol in (record.formulas or {}).get("symbols") or ():
        gloss = symbol.get("gloss", {}) if isinstance(symbol, dict) else {}
        if gloss:
            texts = [text for key, text in gloss.items() if "not" not in key]
            lines.append((symbol["name"], " / ".join(texts)))
    return lines


def wordings(record: Record) -> dict[str, list[str]]:
    """Return per symbol the texts that may word it in the passage; for LogicNLI one per sentence."""
    found: dict[str, list[str]] = {}
    for name, entry in (record.sentences or {}).items():
        if isinstance(entry, dict):
            keys = ("premise", "text", "negated", "contradiction")
            texts = [entry[key] for key in keys if entry.get(key)] + list(
                entry.get("hypotheses", ())
            )
        else:
            texts = [str(entry)]
        found[name] = texts
    return found


def questions_of(record: Record) -> list[dict[str, str]]:
    """Return the sub-questions of a record with their answers, where it has any."""
    found = []
    for number, one in enumerate(record.metadata.get("questions") or (), start=1):
        if isinstance(one, dict):
            text = one.get("zh") or one.get("text") or one.get("en") or ""
            second = one.get("en", "") if one.get("zh") else ""
            found.append({"name": str(one.get("id", number)), "text": text, "translation": second})
            found[-1]["answer"] = str(one.get("answer", ""))
    return found


def _values(several: Any) -> list[Any]:
    if isinstance(several, dict):
        return list(several.values())
    return [several] if isinstance(several, str) else list(several or ())


def _inference(step: Any) -> str:
    """Return a step of an argument in one line."""
    if not isinstance(step, dict):
        return _formula(step)
    return f"{', '.join(step['premises'])} ⊢ {step['conclusion']} ({step['form']})"


def _derived(number: int, step: Mapping[str, Any]) -> str:
    """Return a step of a LogicNLI proof: its number, the literal, and where it comes from."""
    literal = _literal(step["literal"])
    if "fact" in step:
        return f"{number}. {literal} (fact {step['fact'] + 1})"
    used = ", ".join(str(place + 1) for place in step.get("premises", ()))
    return f"{number}. {literal} (rule {step['rule'] + 1} from {used})"


def _literal(value: Sequence[str]) -> str:
    who, what, sign = value
    return f"{'' if sign == '+' else '¬'}{what}({who})"


def _formula(value: Any) -> str:
    """Return any formula as text: a string as it is, an S-expression infix, a rule of LogicNLI, else its JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "formula" in value:
        name = f"{value['id']}: " if value.get("id") else ""
        return name + _infix(value["formula"])
    if isinstance(value, dict) and {"p", "q"} <= value.keys():
        sign = " ↔ " if value.get("type") == "equ" else " → "
        return _side(value["p"]) + sign + _side(value["q"])
    if isinstance(value, list) and len(value) == 3 and value[2] in ("+", "-"):
        return _literal(value)
    import orjson

    return orjson.dumps(value).decode()


def _side(side: Mapping[str, Any]) -> str:
    return _SIGNS.get(side.get("conj", ""), " ∧ ").join(_literal(fact) for fact in side["fact"])


def _infix(expression: Any) -> str:
    if not isinstance(expression, list):
        return str(expression)
    head, *rest = expression
    if head == "not":
        return f"¬{_infix(rest[0])}"
    if head in _SIGNS:
        return f"({_SIGNS[head].join(map(_infix, rest))})"
    if head in ("=", "!="):
        return f"{_infix(rest[0])} {'=' if head == '=' else '≠'} {_infix(rest[1])}"
    if head in ("forall", "exists"):
        *bound, body = rest
        names = ", ".join(_names(bound))
        return f"{'∀' if head == 'forall' else '∃'}{names} {_infix(body)}"
    return f"{head}({', '.join(map(_infix, rest))})"


def _names(bound: Any) -> Iterator[str]:
    for one in bound:
        if isinstance(one, list):
            yield from _names(one)
        else:
            yield str(one)

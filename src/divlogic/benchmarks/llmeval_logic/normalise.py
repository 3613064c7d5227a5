"""The four layers of normalisation (paper, Section 2.1): pure functions that return the new object and their findings.

The paper names the layers and requires that meaning does not change; its Appendix A is not available, so that what each
layer does is this project's reading. :func:`checked` decides the theory again after each layer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from divlogic.benchmarks.llmeval_logic.glosses import folded, templated
from divlogic.benchmarks.llmeval_logic.notation import (
    Token,
    print_formula,
    read_formula,
    read_tokens,
    spelled,
    split_arguments,
    tokens_of,
)
from divlogic.benchmarks.llmeval_logic.schema import Finding
from divlogic.errors import DivLogicError
from divlogic.logic.deciding import Decision, TableDecider, Z3Decider
from divlogic.logic.fol import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.theory import (
    QUERY_TYPES,
    Answer,
    Formalization,
    Gloss,
    Premise,
    Query,
    Symbol,
    sorted_models,
    target_name,
    vocabulary,
)


@dataclass(frozen=True, slots=True)
class Published:
    """A formalization as the published file has it: all strings.

    Attributes:
        parameters: symbol -> ``Bool``, ``Function(n)`` or a sort.
        translation: symbol, or predicate with its variables, -> gloss.
        answer_text: the answer in words.
    """

    id: str
    parameters: Mapping[str, str]
    translation: Mapping[str, str]
    premises: tuple[str, ...]
    queries: tuple[str, ...]
    answers: tuple[str, ...]
    label_types: tuple[str, ...]
    answer_text: str = ""


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
        kind, arguments = _query_tokens(text)
        parts = [printed(spelled(part)) if len(part) > 1 else part[0].text for part in arguments]
        queries.append(f"{kind}({', '.join(parts)})")
    new = replace(raw, premises=tuple(map(printed, raw.premises)), queries=tuple(queries))
    return new, findings


def semantic(raw: Published) -> tuple[Published, list[Finding]]:
    """Align symbols with glosses, query types with labels, and the answer's words with the formal answer."""
    findings: list[Finding] = []

    def note(kind: str, detail: str) -> None:
        findings.append(Finding(raw.id, "semantic", kind, detail))

    arities = _arities(raw)
    glosses: dict[str, str] = {}
    for key, value in raw.translation.items():
        name, variables = _declared(key)
        if name is None or name in glosses:
            continue
        arity = arities.get(name, 0)
        template = templated(value, arity, variables)
        glosses[name] = template
        if arity and any(f"{{{place}}}" not in template for place in range(arity)):
            note("gloss_without_place", f"{key}: {value}")
    for name in arities:
        if not glosses.get(name):
            note("no_gloss", name)
    seen: dict[str, str] = {}
    for name, value in glosses.items():
        if folded(value) in seen and name in arities:
            note("same_gloss", f"{seen[folded(value)]} and {name}: {value}")
        seen.setdefault(folded(value), name)
    kinds = [_query_tokens(text)[0] for text in raw.queries]
    if list(raw.label_types) != kinds:
        note("label_type", f"labelled {'+'.join(raw.label_types)}, asks {'+'.join(kinds)}")
    read = answers_in_words(raw.answer_text, kinds)
    if read is not None and list(read) != [
        answer if kind in ("possible", "necessary") else None
        for kind, answer in zip(kinds, raw.answers, strict=False)
    ]:
        note("answer_text", f"'{raw.answer_text}' against {', '.join(raw.answers)}")
    kept = {key: value for key, value in raw.translation.items() if _declared(key)[0] not in glosses}
    return replace(raw, translation={**glosses, **kept}), findings


def types(raw: Published) -> tuple[Published, list[Finding]]:
    """Declare every symbol once with kind and arity; set aside what is no symbol.

    Raises:
        ValueError: a symbol is used otherwise than declared, or with two arities.
    """
    findings: list[Finding] = []

    def note(kind: str, detail: str) -> None:
        findings.append(Finding(raw.id, "types", kind, detail))

    symbols = formalization_of(raw).symbols
    used = set(_arities(raw))
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
        declared, _ = _declared(key)
        if declared in names:
            translation[str(declared)] = value
        else:
            note("no_symbol", f"{key}: {value}")
    parameters = {
        symbol.name: symbol.sort or ("Bool" if symbol.kind == "prop" else f"Function({symbol.arity})")
        for symbol in symbols
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


def formalization_of(raw: Published, licence: str = "", source: str = "") -> Formalization:
    """Build the formalization of a published item, at whatever stage of normalisation.

    Raises:
        ValueError: a formula or query cannot be read, or a symbol is used otherwise than declared.
    """
    premises = []
    for number, text in enumerate(raw.premises, start=1):
        try:
            premises.append(Premise(f"P{number}", read_formula(text), Gloss()))
        except ValueError as error:
            raise ValueError(f"premise {number}: {error}") from error
    queries = []
    for number, text in enumerate(raw.queries, start=1):
        try:
            queries.append(_query(f"Q{number}", text))
        except ValueError as error:
            raise ValueError(f"question {number}: {error}") from error
    theory = Formalization((), tuple(premises), tuple(queries), "open", licence, source)
    return replace(theory, symbols=_symbols(raw, theory))


def published_answer(text: str, query: Query, constants: tuple[str, ...]) -> Answer:
    """Read a formal answer: a verdict, or ``{(A, B), ()}``; ``{}`` is no model, ``()`` one without any target.

    Raises:
        ValueError: it does not fit the query.
    """
    kinds = {"possible": ("possible", "impossible"), "necessary": ("necessary", "unnecessary")}
    if query.type in kinds:
        if text.strip() not in kinds[query.type]:
            raise ValueError(f"the answer '{text}' of {query.id} is not {' or '.join(kinds[query.type])}")
        return text.strip()
    bare = "".join(token.text + " " for token in tokens_of(text) if token.text != ".").strip()
    if not (bare.startswith("(") and bare.endswith(")")):
        raise ValueError(f"the answer '{text}' of {query.id} is no set of models")
    inner = bare[1:-1].strip()
    models = re.findall(r"\(([^()]*)\)", inner)
    if re.sub(r"\([^()]*\)|[\s,]", "", inner):
        raise ValueError(f"the answer '{text}' of {query.id} is no set of models; write {{(A, B), (C)}}")
    rows = [[name for name in re.split(r"[\s,]+", model.strip()) if name] for model in models]
    names = list(constants) if query.type == "enumerate_objects" else list(map(target_name, query.targets))
    return sorted_models(rows, names)


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


def _query_tokens(text: str) -> tuple[str, list[list[Token]]]:
    """Return a query's type and arguments.

    Raises:
        ValueError: it is not of the form ``type(...)``, or of no known type.
    """
    tokens = tokens_of(text)
    if len(tokens) < 3 or not tokens[0].is_name or tokens[1].text != "(" or tokens[-1].text != ")":
        raise ValueError(f"'{text}' is no query; write type(formula) or type(target, ...)")
    if tokens[0].text not in QUERY_TYPES:
        raise ValueError(f"unknown query type '{tokens[0].text}'; known are {', '.join(QUERY_TYPES)}")
    arguments = split_arguments(tokens[2:-1])
    if not arguments:
        raise ValueError(f"'{text}' asks about nothing")
    return tokens[0].text, arguments


def _query(name: str, text: str) -> Query:
    kind, arguments = _query_tokens(text)
    if kind in ("possible", "necessary"):
        if len(arguments) != 1:
            raise ValueError(f"'{text}' has {len(arguments)} arguments and {kind} takes one")
        return Query(name, kind, read_tokens(arguments[0]))  # type: ignore[arg-type]
    objects = _objects(arguments)
    if objects is not None:
        formula, variable = objects
        return Query(name, "enumerate_objects", formula, variable=variable)
    targets = []
    for part in arguments:
        sentence = read_tokens(part)
        if not isinstance(sentence, Atom) or sentence.terms:
            raise ValueError(f"the target '{spelled(part)}' at column {part[0].column} is no proposition")
        targets.append(sentence)
    return Query(name, kind, targets=tuple(targets))  # type: ignore[arg-type]


def _objects(arguments: list[list[Token]]) -> tuple[Sentence, str] | None:
    """Read ``(formula, variable)``: one argument is a name that stands free in the other."""
    if len(arguments) != 2:
        return None
    for formula, variable in (arguments, arguments[::-1]):
        if len(variable) == 1 and len(formula) > 1:
            sentence = read_tokens(formula)
            if variable[0].text in vocabulary([sentence]).constants:
                return sentence, variable[0].text
    return None


def _arities(raw: Published) -> dict[str, int]:
    """Return the arity of every symbol that formulas use, constants included, sorted by name."""
    theory = formalization_of(replace(raw, parameters={}))
    return {symbol.name: symbol.arity for symbol in theory.symbols}


def _symbols(raw: Published, theory: Formalization) -> tuple[Symbol, ...]:
    """Return the declared symbols in their order, then those inferred from use.

    Raises:
        ValueError: a symbol is used otherwise than declared, or with two arities.
    """
    used = vocabulary(theory.sentences())
    variables = {query.variable for query in theory.queries}
    uses: dict[str, tuple[str, int]] = dict.fromkeys(used.propositions, ("prop", 0))
    for name, arity in used.predicates:
        if name in uses:
            raise ValueError(f"'{name}' is used with {uses[name][1]} terms and with {arity}")
        uses[name] = ("pred", arity)
    for name in used.constants:
        if name in uses:
            raise ValueError(f"'{name}' is used as a formula and as a term")
        if name not in variables:
            uses[name] = ("const", 0)
    glosses: dict[str, tuple[str, tuple[str, ...]]] = {}
    for key, value in raw.translation.items():
        declared, names = _declared(key)
        if declared is not None:
            glosses.setdefault(declared, (value, names))
    bound = variables | {name for sentence in theory.sentences() for name in _bound(sentence)}
    symbols = []
    for name in (*raw.parameters, *sorted(set(uses) - set(raw.parameters))):
        sort = raw.parameters.get(name, "")
        kind, arity = _kind(sort) or uses.get(name, ("const", 0))
        if kind == "const" and name in bound and name not in uses:
            continue  # a variable that is listed with its sort is no symbol
        if name in uses and uses[name] != (kind, arity):
            found = uses[name]
            raise ValueError(
                f"'{name}' is declared {sort} and used as a {found[0]} with {found[1]} terms; correct one of them"
            )
        value, names = glosses.get(name, ("", ()))
        gloss = Gloss(zh=templated(value, arity, names)) if value else Gloss()
        word = sort if kind == "const" else ""
        symbols.append(Symbol(name, kind, arity, word, gloss))  # type: ignore[arg-type]
    return tuple(symbols)


def _kind(sort: str) -> tuple[str, int] | None:
    """Return the kind and arity that a declaration names; ``None`` where it names none that is known."""
    match = re.fullmatch(r"\s*(?:Function|Predicate|Relation)\s*\(\s*(\d+)\s*\)\s*", sort)
    if match:
        return "pred", int(match[1])
    if sort.strip().lower() in ("bool", "boolean"):
        return "prop", 0
    return ("const", 0) if re.fullmatch(r"\w+", sort.strip()) else None


def _bound(sentence: Sentence) -> set[str]:
    """Return the variables that a sentence binds."""
    match sentence:
        case Negation(operand):
            return _bound(operand)
        case Binary(_, left, right):
            return _bound(left) | _bound(right)
        case Quantified(_, variable, body):
            return {variable} | _bound(body)
        case _:
            return set()


def _name(key: str) -> str:
    return re.sub(r"[\\{}$\s]", "", key)


def _key(key: str) -> str:
    return " ".join(key.split())


def _declared(key: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the name and the variables of a translation's key; ``None`` where it is a formula or a sentence."""
    match = re.fullmatch(
        r"\s*([^\W\d]\w*'*)\s*(?:[(（]\s*([^()（）]*)[)）])?\s*", re.sub(r"[{}$\\]", "", key)
    )
    if match is None:
        return None, ()
    terms = tuple(part.strip() for part in re.split(r"[,，]", match[2])) if match[2] else ()
    if any(not re.fullmatch(r"[u-z]\d*'*", term) for term in terms):
        return None, ()
    return match[1], terms

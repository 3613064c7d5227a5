"""Formalizations as the published files have them, all strings, read into theories; the labels of their queries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.columns import located, text
from divlogic.benchmarks.llmeval_logic import notation
from divlogic.benchmarks.llmeval_logic.reader import PublishedBaseItem, base_item
from divlogic.benchmarks.llmeval_logic.schema import VERDICTS
from divlogic.benchmarks.verdict import Verdict, judged
from divlogic.logic import theory
from divlogic.logic.syntax import Atom, Sentence
from divlogic.logic.theory import Answer, Formalization, Gloss, Premise, Query, Symbol, vocabulary
from divlogic.records import Record

OPTIONS = ("是", "否")
"""Options of the records of possible and necessary queries."""


def formalization_of(raw: PublishedBaseItem, licence: str = "", source: str = "") -> Formalization:
    """Build the formalization of a published item; a ValueError says what cannot be read or is used otherwise."""
    premises, queries = [], []
    for number, formula in enumerate(raw.premises, start=1):
        with located(f"premise {number}"):
            premises.append(Premise(f"P{number}", notation.read_formula(formula)))
    for number, asked in enumerate(raw.queries, start=1):
        with located(f"question {number}"):
            queries.append(_query(f"Q{number}", asked))
    sentences = [premise.formula for premise in premises]
    for query in queries:
        sentences += query.targets if query.formula is None else (query.formula,)
    symbols = _symbols(raw, sentences, {query.variable for query in queries})
    return Formalization(symbols, tuple(premises), tuple(queries), "open", licence, source)


def published_answer(text: str, query: Query, constants: tuple[str, ...]) -> Answer:
    """Read a formal answer: a verdict, or ``{(A, B), ()}``; ``{}`` is no model, ``()`` one without any target.

    One that does not fit the query is a ValueError.
    """
    if query.type in VERDICTS:
        said = " ".join(text.lower().replace("_", " ").split()).strip(".。")
        said = {"not possible": "impossible", "not necessary": "unnecessary"}.get(said, said)
        if said not in VERDICTS[query.type]:
            raise ValueError(
                f"the answer '{text}' of {query.id} is not {' or '.join(VERDICTS[query.type])}"
            )
        return said
    signs = [sign for sign in notation.tokens_of(text.replace("∅", "{}")).signs if sign != "."]
    bare = " ".join(signs)
    if re.fullmatch(r"\(\s*[^()]*\s*\)", bare) and not text.strip().startswith(("{", r"\{", "∅")):
        bare = f"({bare})"  # one model without the braces around it
    if not re.fullmatch(r"\(\s*(?:\([^()]*\)[\s,]*)*\)", bare):
        raise ValueError(
            f"the answer '{text}' of {query.id} is not a set of models; write {{(A, B), (C)}}"
        )
    models = re.findall(r"\(([^()]*)\)", bare[1:-1])
    rows = [[name for name in re.split(r"[\s,]+", model.strip()) if name] for model in models]
    names = (
        constants
        if query.type == "enumerate_objects"
        else tuple(map(theory.target_name, query.targets))
    )
    return theory.sorted_models(rows, names)


def llmeval_queries(item: dict[str, Any]) -> Iterator[Record]:
    """Read the possible and necessary queries of an item of Base as records with two options.

    Answers of Base are free text; probes, prompts and the label audit need options. The label is the formal answer.
    """
    raw, original = base_item(item), item["original"]
    formalization, asked = formalization_of(raw), text(original["question"], "question")
    for place, query in enumerate(formalization.queries):
        if query.type not in ("possible", "necessary"):
            continue
        answer = published_answer(raw.answers[place], query, formalization.constants)
        yield Record(
            id=f"{raw.id}-{place + 1}",
            benchmark="llmeval_logic_queries",
            split="test",
            context=text(original["background"], "background"),
            question=_part(asked, place + 1, len(formalization.queries)),
            options=OPTIONS,
            answer=VERDICTS[query.type].index(str(answer)),
            question_type=query.type,
            formulas={
                "parameters": dict(raw.parameters),
                "premise": list(raw.premises),
                "question": [raw.queries[place]],
                "answer": [raw.answers[place]],
            },
            sentences=dict(raw.translation),
            metadata={"title": item.get("title", ""), "item": raw.id},
        )


def _part(asked: str, number: int, count: int) -> str:
    """Return the sentence of a text of several questions that asks one of them; else the text, and which is meant."""
    parts = [part.strip() for part in re.findall(r"[^？?]*[？?]", asked)]
    if count == 1:
        return asked
    return parts[number - 1] if len(parts) == count else f"{asked}（这里只答第{number}问。）"


def audit_query(record: Record) -> Verdict | None:
    """Derive the label of a query's record from the formulas; ``None`` for a record without."""
    from divlogic.logic.deciding import decide

    formulas = record.formulas or {}
    if not formulas.get("question"):
        return None
    premises, queries = tuple(formulas["premise"]), tuple(formulas["question"])
    item = PublishedBaseItem(record.id, formulas["parameters"], {}, premises, queries, ())
    try:
        formalization = formalization_of(item)
    except ValueError as error:
        return judged(record, None, "not parsed", str(error))
    answer = decide(formalization, where=f"{record.benchmark}, {record.id}").verdicts[0].answer
    if answer is None:
        return judged(record, None, "undecided", "Z3's resource limit was reached")
    derived = OPTIONS[VERDICTS[formalization.queries[0].type].index(str(answer))]
    return judged(record, derived, "label", f"the premises say {answer}")


def declared(key: str) -> tuple[str | None, tuple[str, ...]]:
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


def _query(name: str, text: str) -> Query:
    tokens = notation.tokens_of(text)
    signs = tokens.signs
    if len(signs) < 3 or not signs[0][0].isalnum() or signs[1] != "(" or signs[-1] != ")":
        raise ValueError(f"'{text}' is not a query; write type(formula) or type(target, ...)")
    kind = signs[0].lower()
    if kind not in theory.QUERY_TYPES:
        raise ValueError(
            f"unknown query type '{signs[0]}'; known are {', '.join(theory.QUERY_TYPES)}"
        )
    arguments = notation.split_arguments(tokens.part(2, len(signs) - 1))
    if not arguments:
        raise ValueError(f"'{text}' asks about nothing")
    if kind in ("possible", "necessary"):
        if len(arguments) != 1:
            raise ValueError(f"'{text}' has {len(arguments)} arguments and {kind} takes one")
        return Query(name, kind, notation.read_tokens(arguments[0]))
    if objects := _objects(arguments):
        formula, variable = objects
        return Query(name, "enumerate_objects", formula, variable=variable)
    targets = []
    for part in arguments:
        sentence = notation.read_tokens(part)
        if not isinstance(sentence, Atom) or sentence.predicate == "=":
            raise ValueError(
                f"the target '{notation.print_formula(sentence)}' at column {part.column(0)} is not a proposition"
            )
        targets.append(sentence)
    return Query(name, kind, targets=tuple(targets))


def _objects(arguments: list[notation.Tokens]) -> tuple[Sentence, str] | None:
    """Read ``(formula, variable)``: one argument is a name that stands free in the other."""
    if len(arguments) != 2:
        return None
    for formula, variable in (arguments, arguments[::-1]):
        if len(variable.signs) == 1 and len(formula.signs) > 1:
            sentence = notation.read_tokens(formula)
            if variable.signs[0] in vocabulary([sentence]).constants:
                return sentence, variable.signs[0]
    return None


def _symbols(
    raw: PublishedBaseItem, sentences: list[Sentence], variables: set[str]
) -> tuple[Symbol, ...]:
    """Return the declared symbols in their order, then those inferred from use."""
    used = vocabulary(sentences)
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
        found, names = declared(" ".join(key.split()))
        if found is not None:
            glosses.setdefault(found, (" ".join(value.split()), names))
    sorts = {re.sub(r"[\\{}$\s]", "", key): value.strip() for key, value in raw.parameters.items()}
    bound = variables.union(used.bound)
    symbols = []
    for name in (*sorts, *sorted(uses.keys() - sorts.keys())):
        sort = sorts.get(name, "")
        kind, arity = _kind(sort) or uses.get(name, ("const", 0))
        if kind == "const" and name in bound and name not in uses:
            continue  # a variable that is listed with its sort is not a symbol
        if name in uses and uses[name] != (kind, arity):
            use = "a {} with {} terms".format(*uses[name])
            raise ValueError(f"'{name}' is declared {sort} and used as {use}; correct one of them")
        value, names = glosses.get(name, ("", ()))
        gloss = Gloss(zh=notation.templated(value, arity, names)) if value else Gloss()
        sort_of_constant = (sort or "Thing") if kind == "const" else ""
        symbols.append(Symbol(name, kind, arity, sort_of_constant, gloss))  # type: ignore[arg-type]
    return tuple(symbols)


def _kind(sort: str) -> tuple[str, int] | None:
    """Return the kind and arity that a declaration names; ``None`` where it names none that is known."""
    match = re.fullmatch(
        r"\s*(?:function|predicate|relation)\s*[(（]\s*(\d+)\s*[)）]\s*", sort.lower()
    )
    if match:
        return "pred", int(match[1])
    if sort.strip().lower() in ("bool", "boolean", "prop", "proposition"):
        return "prop", 0
    return ("const", 0) if re.fullmatch(r"\w+", sort.strip()) else None

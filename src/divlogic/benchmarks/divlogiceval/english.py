"""Does the English say what the formula says? Rates of the ways in which it may not, counted on finished instances.

Each class is decided from the finished record, its sentences and their tags. The frames are read back from the text;
grammar, sensitive content and lexical entailment are judged by the lists of :mod:`divlogic.sentences`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.divlogiceval.check import label_problems
from divlogic.benchmarks.divlogiceval.groups import negations_of, wanted_rows
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalRun
from divlogic.benchmarks.templates import FrameReader, Reading
from divlogic.config.option import FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import read_yaml, write_csv
from divlogic.io.log import track
from divlogic.logic import Formula, Implies, Not, Var, minimal_premises, parse, variables
from divlogic.records import Record, read_records, spaced_over_types
from divlogic.sentences import lexicon, source_checks
from divlogic.sentences.clause import analyse
from divlogic.sentences.lexicon import is_only_finite, lemmas_of
from divlogic.sentences.repair import repaired
from divlogic.sentences.subject import Content, Subject, content_of, subject_of_clause
from divlogic.sentences.tokens import Reader as TokenReader, Refused

CLASSES: dict[str, str] = read_yaml(Path(__file__).with_name("english.yaml"))
COLUMNS = ("class", "instances", "share", "of", "meaning")

_NT = re.compile(r"n't\b|\b(?:is|are|was|were|am|may|might) not\b")
_ARTICLES = frozenset({"a", "an", "the"})
_BE = frozenset({"is", "are", "was", "were"})


@dataclass(frozen=True, slots=True)
class SentenceInUse:
    """A sentence that words a variable.

    Attributes:
        variable: the variable; group: the sentence group that words it.
        role: ``p`` the premise, ``h`` a hypothesis, ``c`` a contradiction.
        text, negated: the sentence and its negation.
        subject, content: what it is about and what it says; ``None`` where its tags cannot be analysed. Of a sentence
            that the text does not use they are left out.
    """

    variable: str
    group: str
    role: str
    text: str
    negated: str
    subject: Subject | None = None
    content: Content | None = None


def write_english(
    source: Annotated[Path, "--in", "Test split before any polish (jsonl)."],
    groups: Annotated[Path, "Sentence groups (jsonl.gz)."],
    tagger: Annotated[Path, FOLDER, "Folder of the tagger."],
    out: Annotated[Path, "Table (csv)."],
    params: DivLogicEvalRun,
) -> None:
    """Count how often the English of a split says something else than its formulas."""
    from divlogic.corpora.tagger import load_tagger

    reader = TokenReader(load_tagger(tagger))
    listed = _looked_at(list(read_records(source)), params.benchmarks.divlogiceval.audited)
    if not listed:
        raise DivLogicError(f"{source}: there is no record in it to look at; regenerate the file.")
    wanted = {entry["group"] for record in listed for entry in (record.sentences or {}).values()}
    negations: dict[tuple[str, str], str] = {}
    genres: dict[str, str | None] = {}
    for row in wanted_rows(groups, wanted):
        genres[row["id"]] = row["genre"]
        negations |= negations_of(row)
    counts: Counter[str] = Counter()
    for record in track(listed, "instances looked at"):
        counts.update(classes_of(record, negations, reader, genres))
    total = len(listed)
    rows = [
        (name, counts[name], f"{counts[name] / total:.4f}", total, why)
        for name, why in CLASSES.items()
    ]
    write_csv(out, COLUMNS, rows)


def _looked_at(records: Sequence[Record], most: int | None) -> list[Record]:
    """Return at most ``most`` records, spaced over the question types, but one at least of each."""
    types = {record.question_type for record in records}
    return spaced_over_types(records, most and max(most, len(types)))


def classes_of(
    record: Record,
    negations: Mapping[tuple[str, str], str],
    reader: TokenReader,
    genres: Mapping[str, str | None],
) -> set[str]:
    """Return the classes that an instance belongs to.

    Args:
        negations: the negation of each sentence, by group and text; genres: the genre of each group.

    Raises:
        ValueError: its text cannot be read back through the templates.
    """
    atoms = dict(_atoms(record, negations))
    frames = FrameReader(dict(_clauses(atoms)))
    premises, conclusion = frames.read_sentences(record.context)
    options = [frames.read(option) for option in record.options]
    names = _in_order((*premises, *([conclusion] if conclusion else []), *options))
    used = [_analysed(atoms[name], reader) for name in names]
    found = set()
    entailments = list(_entailments(record, premises, conclusion, options))
    if any(_narrow(reading, atoms) for given, goal in entailments for reading in (*given, goal)):
        found.add("narrow_negation")
    universal = [
        (all(one.frame.universal for one in given), goal.frame.universal)
        for given, goal in entailments
    ]
    if (False, True) in universal:
        found.add("universal_option")
    found |= _of_subjects(used)
    if axioms := list(_lexical(used)):
        found.add("lexical_entailment")
        formulas = record.formulas or {}
        # The label changes, or the context becomes contradictory.
        if any(label_problems(record, formulas, formulas["symbolic_options"], axioms)):
            found.add("lexical_label")
    if _needs_one_event(record, used):
        found.add("one_event")
    for atom in used:
        if source_checks.problem(atom.text) is not None:
            found.add("source_grammar")
        if source_checks.outcome(atom.text, genres[atom.group]):
            found.add("sensitive")
        if has_broken_verb(atom.text):
            found.add("broken_verb")
    return found


def has_broken_verb(text: str) -> bool:
    """Return whether a form of *be* is followed by a word that is only a base form, or a second finite verb comes."""
    words = text.split()
    be = next((i for i, word in enumerate(words) if word in _BE), len(words))
    finite = [
        at for at in range(be + 1, len(words) - 1) if is_only_finite(words[at], words[at + 1])
    ]
    return any(words[at - 1] != "to" and not _after_article(words[be + 1 : at]) for at in finite)


def _after_article(words: Sequence[str]) -> bool:
    """Return whether a noun must follow (*behind a rotten*), even one that the dictionary has as a verb (*log*)."""
    *_, before, last = ("", "", *words)
    return last in _ARTICLES or (before in _ARTICLES and "NOUN" not in lemmas_of(last))


def _atoms(
    record: Record, negations: Mapping[tuple[str, str], str]
) -> Iterator[tuple[str, SentenceInUse]]:
    for variable, entry in (record.sentences or {}).items():
        roles = [("p", entry["premise"]), *(("h", text) for text in entry["hypotheses"])]
        if "contradiction" in entry:
            roles.append(("c", entry["contradiction"]))
        for number, (role, text) in enumerate(roles):
            negated = "" if role == "c" else negations[entry["group"], text]
            yield (
                f"{variable}{number}",
                SentenceInUse(variable, entry["group"], role, text, negated),
            )


def _analysed(atom: SentenceInUse, reader: TokenReader) -> SentenceInUse:
    """Find out what the sentence of an atom is about and what it says."""
    subject = _subject(atom.text, reader)
    content = content_of(atom.text, subject) if subject else None
    return replace(atom, subject=subject, content=content)


def _subject(text: str, reader: TokenReader) -> Subject | None:
    try:
        tokens = repaired(reader.tag(reader.words(text)))
        return subject_of_clause(tokens, analyse(tokens))
    except Refused:
        return None


def _clauses(atoms: Mapping[str, SentenceInUse]) -> Iterator[tuple[str, Formula]]:
    for name, atom in atoms.items():
        yield atom.text, Var(name)
        if atom.negated:
            yield atom.negated, Not(Var(name))


def _in_order(readings: Iterable[Reading]) -> list[str]:
    """Name the atoms in the order in which the text has them."""
    names: dict[str, None] = {}
    for reading in readings:
        for slot in reading.frame.order:
            names |= dict.fromkeys(variables(reading.literals[slot]))
    return list(names)


def _entailments(
    record: Record,
    premises: Sequence[Reading],
    conclusion: Reading | None,
    options: Sequence[Reading],
) -> Iterator[tuple[list[Reading], Reading]]:
    """Yield what must follow, with the statements that it needs."""
    formulas = record.formulas or {}
    given = [parse(text) for text in formulas["premises"]]
    choices = [parse(text) for text in formulas["symbolic_options"]]
    answer = record.answer
    assert answer is not None
    if record.question_type == "missing_premise":
        assert conclusion is not None
        stated, goal = [*premises, options[answer]], parse(formulas["conclusion"])
        yield _needed([*given, choices[answer]], goal, stated), conclusion
        return
    for index, choice in enumerate(choices):
        if (index == answer) != (record.question_type == "3e1c"):
            yield _needed(given, choice, premises), options[index]


def _needed(given: Sequence[Formula], goal: Formula, readings: Sequence[Reading]) -> list[Reading]:
    # Of several such sets the one without the first premises.
    kept = minimal_premises(given[::-1], goal) or ()
    return [readings[-1 - index] for index in kept]


def _narrow(reading: Reading, atoms: Mapping[str, SentenceInUse]) -> bool:
    """Return whether a statement negates the verb of a clause whose subject is *a*, *one*, a number or *a group of*."""
    denied = [literal.operand for literal in reading.literals if isinstance(literal, Not)]
    for atom in (atoms[operand.predicate] for operand in denied if isinstance(operand, Var)):
        first = atom.text.split()[0]
        opens = (
            first in ("a", "an", "one", "another") or first.isdigit() or first in lexicon.NUMBERS
        )
        if opens and _NT.search(atom.negated) and not _NT.search(atom.text):
            return True
    return False


def _of_subjects(used: Sequence[SentenceInUse]) -> set[str]:
    found = set()
    introduced: set[str] = set()
    for place, atom in enumerate(used):
        if atom.role == "p":
            introduced.add(atom.variable)
        if atom.subject is None:
            continue
        others = [other for other in used if other.variable != atom.variable]
        if any(
            other.subject and set(other.subject.heads) & set(atom.subject.heads) for other in others
        ):
            found.add("shared_subject")
        if atom.subject.opener == "definite":
            words = {
                lexicon.singular(word) for other in others for word in other.text.lower().split()
            }
            if not words.isdisjoint(atom.subject.heads):
                found.add("definite_rival")
            if atom.role != "p" and (atom.variable, "p") not in [
                (one.variable, one.role) for one in used[:place]
            ]:
                found.add("definite_first")
    return found


def _lexical(used: Sequence[SentenceInUse]) -> Iterator[Formula]:
    """Yield what the words of the sentences add: ``A→B`` for variables, a contradicting sentence being ``¬A``."""
    pairs = [
        (one, other) for one, other in product(used, repeat=2) if one.variable != other.variable
    ]
    for one, other in pairs:
        if one.content and other.content and one.content.entails(other.content):
            yield Implies(_literal(one), _literal(other))


def _literal(atom: SentenceInUse) -> Formula:
    return Not(Var(atom.variable)) if atom.role == "c" else Var(atom.variable)


def _needs_one_event(record: Record, used: Sequence[SentenceInUse]) -> bool:
    """Return whether the label is another one without what an NLI contradiction excludes.

    Annotators had to take both sentences of a pair for one scene (Bowman et al. 2015, Section 2.1), so that *a
    man is asleep* excludes *a man is running*; it does not exclude that any other man is. Two sentences whose subjects
    are definite or named, with the same head nouns, tell of one event in any reading.
    """
    worded = record.metadata.get("worded")
    if worded is None:
        return False
    subjects = {(atom.variable, atom.role): atom.subject for atom in used}
    axioms = [parse(text) for text in worded["axioms"]]
    pairs = [[subjects.get((min(variables(axiom))[0], role)) for role in "pc"] for axiom in axioms]
    paired = zip(axioms, pairs, strict=True)
    kept = [axiom for axiom, pair in paired if not isinstance(axiom, Not) or _one_subject(*pair)]
    return len(kept) < len(axioms) and any(label_problems(record, worded, worded["options"], kept))


def _one_subject(one: Subject | None, other: Subject | None) -> bool:
    if one is None or other is None:
        return False
    return set(one.heads) == set(other.heads) and {one.opener, other.opener} <= {"definite", "name"}

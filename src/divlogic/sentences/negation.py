"""Negation of one-verb sentences, and back (DivLogicEval, Appendix C)."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from divlogic.sentences import lexicon
from divlogic.sentences.clause import Clause, analyse, has_joined_verbs
from divlogic.sentences.subject import coordinated
from divlogic.sentences.tokens import ADJECTIVES, NOUNS, Refused, Sentence, Token

_ODD_OR_POLAR = lexicon.ODD_WHEN_NEGATED | lexicon.TO_NEGATIVE.keys() | lexicon.TO_POSITIVE.keys()


def _negated_existential(tokens: Sentence, clause: Clause) -> Sentence:
    """Return the negation of a *there is* / *there are* sentence.

    Articles and bare plurals change with *no*, numbers with *n't*, *some* with *n't any*.

    Raises:
        Refused: what *there* tells of is definite, vaguely quantified, or of unknown countability.
    """
    start = clause.finite + 1 if clause.negation is None else clause.negation + 1
    if start >= len(tokens):
        raise Refused("existential")
    opening, rest = tokens[: clause.finite + 1], tokens[start:]
    if any(token.lower in _ODD_OR_POLAR for token in rest[1:]):
        raise Refused("polarity")
    if _adds_a_phrase(rest):
        # *there are no dogs and a cat*: the negation would reach the first half only.
        raise Refused("existential")
    if clause.negation is not None:
        if rest[0].lower == "any":
            return (*opening, Token("some", "DT"), *rest[1:])
        if _is_number(rest[0]):
            return (*opening, *rest)
        raise Refused("quantifier")
    if rest[0].lower in ("no", "nobody", "nothing"):
        return (
            *opening,
            *_without_no(rest, plural=tokens[clause.finite].lower in lexicon.PLURAL_VERBS),
        )
    return _denied(opening, rest)


def check_countable(tokens: Sentence, clause: Clause) -> None:
    """Refuse *there is no* with a noun that may not take *a* in the positive sentence (*no sarcasm*)."""
    start, finite = clause.finite + 1, tokens[clause.finite].lower
    if clause.negation is not None or tokens[start].lower != "no" or finite in lexicon.PLURAL_VERBS:
        return
    head = _head_noun(tokens[start + 1 :])
    if head and head != "one" and not lexicon.is_count(head) and head not in lexicon.MASS:
        raise Refused("countability")


def _denied(opening: Sentence, rest: Sentence) -> Sentence:
    first = rest[0].lower
    nt = Token("n't", "RB")
    if first in ("a", "an"):
        if len(rest) > 1 and rest[1].lower in lexicon.VAGUE_AFTER_A:
            raise Refused("quantifier")
        return (*opening, Token("no", "DT"), *rest[1:])
    if first in lexicon.INDEFINITES:
        return (*opening, *(Token(word, "NN") for word in lexicon.INDEFINITES[first]), *rest[1:])
    if first == "some":
        return (*opening, nt, Token("any", "DT"), *rest[1:])
    if _is_number(rest[0]):
        return (*opening, nt, *rest)
    plural = opening[-1].lower in lexicon.PLURAL_VERBS
    bare = (
        rest[0].tag in NOUNS | ADJECTIVES | {"VBG", "VBN"} and first not in lexicon.HARD_QUANTIFIERS
    )
    if bare and (plural or _head_noun(rest) in lexicon.MASS):
        return (*opening, Token("no", "DT"), *rest)
    raise Refused("quantifier")


def _without_no(rest: Sentence, *, plural: bool) -> Sentence:
    for positive, words in lexicon.INDEFINITES.items():
        if tuple(token.lower for token in rest[: len(words)]) == words:
            return (Token(positive, "NN"), *rest[len(words) :])
    after = rest[1:]
    if rest[0].lower != "no" or not after or after[0].lower in ("more", "longer", "such", "other"):
        raise Refused("quantifier")
    if plural or _head_noun(after) in lexicon.MASS:
        return after
    return (Token("an" if lexicon.starts_with_vowel(after[0].text) else "a", "DT"), *after)


def _adds_a_phrase(rest: Sentence, tags: frozenset[str] = frozenset()) -> bool:
    tags |= {"DT", "CD", "PRP$"}
    return any(a.lower in ("and", "or") and b.tag in tags for a, b in pairwise(rest))


def _is_number(token: Token) -> bool:
    return (
        token.tag == "CD" or token.lower in lexicon.NUMBERS
    )  # *twelve* is often taken for an adjective


def _head_noun(rest: Sentence) -> str:
    """Return the last noun of the phrase that ``rest`` opens with."""
    head = ""
    for token in rest:
        if token.tag in NOUNS:
            head = token.lower
        elif token.tag not in ADJECTIVES | {"VBG", "VBN", "CC"}:
            break
    return head


CONTRACTED = {"can": "ca", "will": "wo", "shall": "sha"}
FULL = {short: full for full, short in CONTRACTED.items()}
UNCONTRACTED = frozenset({"am", "may", "might"})
"""Finite words after which *not* stays a word of its own."""

_SMALL_NUMBERS = lexicon.word_set(
    "one two three four five six seven eight nine ten 1 2 3 4 5 6 7 8 9 10"
)
"""Numbers that *no* may stand before."""

_NEGATIVE_FIRST = frozenset({"not", "no", *(words[0] for words in lexicon.INDEFINITES.values())})
_WITH_NEGATIVE = lexicon.UNIVERSALS | lexicon.INDEFINITES.keys() | {"some"}
"""Quantifiers that have a negative one."""
_VALUES = (frozenset(lexicon.TO_POSITIVE.values()), frozenset(lexicon.TO_NEGATIVE.values()))

DO_FORMS = {"VBZ": "does", "VBP": "do", "VB": "do", "VBD": "did"}


_GROUPS = {"group": "some", "bunch": "some", "couple": "two", "pair": "two"}
_PLURAL_OF = {"is": "are", "was": "were", "has": "have"}
_SINGULAR_OF = {plural: singular for singular, plural in _PLURAL_OF.items()}
_COUNTING = lexicon.HARD_QUANTIFIERS | lexicon.FUNCTION_WORDS - {"the"}
_OF_KINDS, _FRACTIONS = lexicon.listed("of_kinds"), lexicon.listed("fractions")
_UNCLEAR = lexicon.listed("unclear_under_not")

Scope = Literal["wide_scope", "as_published"]
"""Where the negation of an indefinite subject goes: to the subject (*no man is*), or to the verb (*a man isn't*)."""


def negated(tokens: Sentence, scope: Scope = "wide_scope") -> Sentence:
    """Return the negation of a tagged sentence in mid-sentence form.

    A main verb gets *don't* / *doesn't* / *didn't* and its lemma, an auxiliary or *be* gets *n't*; a negated sentence
    goes back to its positive form, so that negating twice gives the sentence again. Subjects whose quantifier would
    take *not* into its scope change the quantifier instead (*some dogs* and *no dogs*, *every* and *not every*). With
    ``wide_scope`` so do *a*, *one* and numbers (*a man* and *no man*, *two men* and *no two men*).

    Raises:
        Refused: the sentence is no one-verb sentence, or its negation is not certain.
    """
    if not tokens:
        raise Refused("no_verb")
    plain = _without_negative_subject(tokens, scope)
    if plain is not None:
        clause = analyse(plain)
        if clause.negation is not None:
            raise Refused("negative_word")
        _check_words(plain, clause)
        universal = tokens[0].lower == "not" and plain[0].lower != "one"
        return plain if universal else _swap(plain, clause.last + 1, lexicon.TO_POSITIVE)
    clause = analyse(tokens)
    if clause.existential:
        if scope == "wide_scope" and _adds_a_phrase(tokens, NOUNS | ADJECTIVES):
            # *there are no shops and restaurants*: neither, though *both* is denied.
            raise Refused("existential")
        return _negated_existential(tokens, clause)
    _check_words(tokens, clause)
    before = tokens[: clause.finite]
    if any(token.lower == "than" and adverb.tag == "RB" for adverb, token in pairwise(before)):
        # The verb found is that of a comparison: *a nurse screens less often than doctors recommend*.
        raise Refused("subordinate_clause")
    subject = _with_negative_subject(tokens, clause)
    if subject is None and scope == "wide_scope":
        subject = _with_denied_subject(tokens, clause)
    if subject is not None:
        return subject
    if has_joined_verbs(tokens, clause.last + 1):
        raise Refused("several_verbs")
    if tokens[0].lower in lexicon.HARD_QUANTIFIERS or _is_vague(tokens):
        raise Refused("quantifier")
    if scope == "wide_scope" and (
        any(token.lower in _UNCLEAR for token in tokens[1:])
        or _adds_a_phrase(tokens[clause.last + 1 :])
        or (tokens[0].lower == "little" and tokens[1].tag == "NN")
    ):
        raise Refused("quantifier")
    return (
        _restored(tokens, clause) if clause.negation is not None else _negated_verb(tokens, clause)
    )


def quantified(tokens: Sentence, *, stronger: bool = True) -> Sentence:
    """Write several that nothing counts with the quantifier that they are read with; any other sentence as it is.

    *People sing* becomes *some people sing*, *people don't sing* becomes *no people sing* (if it may become
    ``stronger``), *the dogs run* becomes *all the dogs run*; for a group see :func:`of_members`.

    Raises:
        Refused: what is said holds of the kind alone (*donkeys are the main transport*), or of two kinds at once.
    """
    words = [token.lower for token in tokens]
    start = 2 if words[0] == "there" else 0
    if words[start : start + 1] in (["a"], ["an"]):
        return of_members(tokens, start)
    bare = tokens[0].tag in NOUNS | ADJECTIVES | {"VBG", "VBN"}
    if (words[0] != "the" and not bare) or words[0] in _COUNTING:
        return tokens
    counted = (Token("some", "DT") if bare else Token("all", "PDT"), *tokens)
    try:
        clause = analyse(counted)
    except Refused:
        return tokens  # for another reason
    subject = counted[: clause.subject]
    tags = {token.tag for token in subject}
    # *the Moors*, *Ana's goats*, *the two goats*: those that are meant are known.
    known = bool(tags & {"NNP", "NNPS", "JJS", "RBS", "CD"}) and not (
        bare and subject[clause.head].tag == "NNS" and "POS" not in tags
    )
    denied = clause.negation is not None
    if (
        clause.number != "plural"
        or subject[clause.head].tag == "NN"  # *the shelter found homes*: "all" made it a plural
        or known
        or words[1] in _SMALL_NUMBERS
        or coordinated(subject)
        or (denied and not bare)
    ):
        return tokens
    after = counted[clause.last + 1 : clause.last + 2]
    if not _OF_KINDS.isdisjoint(words) or (
        clause.kind == "be" and after and after[0].lower == "the"
    ):
        raise Refused("quantifier")
    if not denied:
        return counted
    if not stronger:
        raise Refused("contrary")
    return negated(_restored(counted, clause))


def of_members(tokens: Sentence, start: int) -> Sentence:
    """Name the members of a group in its place: *some men* for *a group of men*, *two men* for *a couple of men*.

    That no group of men sings leaves men who sing. The verb of another collection agrees with its *a*. The phrase
    that may be about a collection opens at ``start``.

    Raises:
        Refused: no form of the verb would agree.
    """
    clause = analyse(tokens)
    verb, members = tokens[clause.finite], tokens[start + 3 :]
    opener = _GROUPS.get(tokens[start + 1].lower) if tokens[start + 2 : start + 3] else None
    head = _head_noun(members[1:] if members and _is_number(members[0]) else members)
    if opener is not None and tokens[start + 2].lower == "of" and lexicon.is_animate(head):
        plural = _PLURAL_OF.get(
            verb.lower, lexicon.lemma_of(verb.lower, "VBZ") if verb.tag == "VBZ" else verb.lower
        )
        if plural is None or clause.negation is not None or members[0].tag in ("DT", "PRP$"):
            raise Refused("agreement")
        counted = _is_number(members[0]) or (start and opener == "some")
        opening = () if counted else (Token(opener, "CD" if opener == "two" else "DT"),)
        tokens = (*tokens[:start], *opening, *members)
        place = clause.finite if start else clause.finite - 3 + len(opening)
        verb = Token(plural, "VBP" if verb.tag == "VBZ" else verb.tag)
    elif not start and tokens[clause.head].lower in lexicon.COLLECTIONS and clause.kind != "do":
        singular = _SINGULAR_OF.get(
            verb.lower,
            lexicon.inflect(verb.lower, "VBZ") if verb.tag in ("VBP", "VB") else verb.lower,
        )
        if singular is None:
            raise Refused("agreement")
        place, verb = clause.finite, Token(singular, verb.tag.replace("VBP", "VBZ"))
    else:
        return tokens
    return (*tokens[:place], verb, *tokens[place + 1 :])


def contrary(tokens: Sentence, clause: Clause) -> bool:
    """Return whether a positive clause and the denial of its verb may both be false.

    So they may of several that no quantifier counts (*the men are singing* and *the men aren't singing*: half of them
    are), and of a stuff in progress (*food is being served*).
    """
    if clause.existential or tokens[0].lower in _WITH_NEGATIVE:
        return False
    finite = tokens[clause.finite].lower
    stuff = tokens[0].tag == "NN" and tokens[clause.head].tag == "NN"
    group = tokens[clause.finite : clause.last + 1]
    if stuff and clause.kind == "be" and any(token.tag == "VBG" for token in group):
        return True
    return clause.number == "plural" or (
        clause.number == "either" and finite in lexicon.PLURAL_VERBS
    )


def contradicts(tokens: Sentence, negation: Sentence, clause: Clause) -> bool:
    """Return whether exactly one of a sentence and its negation is true; ``clause`` analyses the positive one."""
    positive, other = (
        (negation, tokens) if tokens[0].lower in _NEGATIVE_FIRST else (tokens, negation)
    )
    if other[0].lower in _NEGATIVE_FIRST:
        # *no men and women*: of both, or of either?
        return other[0].lower == "not" or not coordinated(positive[: clause.subject])
    return not contrary(positive, clause)


def generic(tokens: Sentence, clause: Clause) -> bool:
    """Return whether *a* stands for a kind, as outside of captions: *a negative margin means loss*, *a bat is blind*.

    That some bat is blind is not what such a sentence says, so that *no bat is blind* is no denial of it.
    """
    if tokens[0].lower not in ("a", "an") or clause.existential:
        return False
    finite, last = tokens[clause.finite], clause.last
    following = tokens[last + 1] if last + 1 < len(tokens) else Token(".", ".")
    if clause.kind == "be":
        usual = following.tag not in ("IN", "RB") or following.lower in _OF_KINDS | {"very"}
        return finite.lower == "is" and (
            (last == clause.finite and usual) or tokens[last].tag == "VBN"
        )
    return clause.kind == "main" and finite.tag == "VBZ"


def _negated_verb(tokens: Sentence, clause: Clause) -> Sentence:
    finite = tokens[clause.finite]
    rest = _swap(tokens, clause.last + 1, lexicon.TO_NEGATIVE)
    if clause.kind != "main":
        word = finite.lower
        mark = "not" if word in UNCONTRACTED else "n't"
        verb = (Token(CONTRACTED.get(word, finite.text), finite.tag), Token(mark, "RB"))
        return (*rest[: clause.finite], *verb, *rest[clause.finite + 1 :])
    lemma = lexicon.lemma_of(finite.lower, "VBP" if finite.tag == "VB" else finite.tag)
    if lemma is None or lemma == "be":
        raise Refused("not_negatable")
    following = tokens[clause.last + 1 : clause.last + 2]
    if lemma == "have" and any(
        word.tag not in ADJECTIVES and lexicon.is_only_verb(word.lower) for word in following
    ):
        raise Refused("verb_form")  # *has undergone/RP a change*
    helper = (Token(DO_FORMS[finite.tag], finite.tag), Token("n't", "RB"))
    # *didn't always talk*: the helper goes before the adverbs that stand before the verb.
    adverbs = rest[clause.subject : clause.finite]
    return (
        *rest[: clause.subject],
        *helper,
        *adverbs,
        Token(lemma, "VB"),
        *rest[clause.finite + 1 :],
    )


def _restored(tokens: Sentence, clause: Clause) -> Sentence:
    finite = tokens[clause.finite]
    after = clause.finite + 2
    rest = _swap(tokens, clause.last + 1, lexicon.TO_POSITIVE)
    if clause.kind != "do":
        return (
            *rest[: clause.finite],
            Token(FULL.get(finite.lower, finite.text), finite.tag),
            *rest[after:],
        )
    tag = {"does": "VBZ", "do": "VBP", "did": "VBD"}[finite.lower]
    form = lexicon.inflect(rest[clause.last].lower, tag)
    if form is None:
        raise Refused("not_negatable")
    return (
        *rest[: clause.finite],
        *rest[after : clause.last],
        Token(form, tag),
        *rest[clause.last + 1 :],
    )


def _with_negative_subject(tokens: Sentence, clause: Clause) -> Sentence | None:
    """Negate the quantifier of the subject where *not* after the verb would say something else."""
    first = tokens[0].lower
    if first not in _WITH_NEGATIVE:
        return None
    # *someone's way*: the subject is the way, and the pronoun no longer carries the negation.
    if clause.negation is not None or any(token.tag == "POS" for token in tokens[: clause.subject]):
        raise Refused("quantifier")
    if first in lexicon.UNIVERSALS:
        return (Token("not", "RB"), *tokens)
    swapped = _swap(tokens, clause.last + 1, lexicon.TO_NEGATIVE)
    if first in lexicon.INDEFINITES:
        return (*(Token(word, "NN") for word in lexicon.INDEFINITES[first]), *swapped[1:])
    if clause.number != "plural" or tokens[1].tag == "CD":
        raise Refused("quantifier")
    return (Token("no", "DT"), *swapped[1:])


def _with_denied_subject(tokens: Sentence, clause: Clause) -> Sentence | None:
    """Deny that there is such a subject: *no man*, *not one man*, *no two men*, *no group of men*."""
    first = tokens[0]
    article = first.lower in ("a", "an")
    if not article and first.tag != "CD" and first.lower not in _SMALL_NUMBERS:
        return None
    # *a man and a woman*: no word before the first noun reaches the second one.
    if clause.negation is not None or _is_vague(tokens) or coordinated(tokens[: clause.subject]):
        raise Refused("scope")
    if (not article and first.lower not in _SMALL_NUMBERS) or tokens[1].lower in _FRACTIONS:
        raise Refused("scope")  # *no two thirds of the barns*
    swapped = _swap(tokens, clause.last + 1, lexicon.TO_NEGATIVE)
    if first.lower == "one":
        return (Token("not", "RB"), *swapped)
    return (Token("no", "DT"), *(swapped[1:] if article else swapped))


def _without_negative_subject(tokens: Sentence, scope: Scope) -> Sentence | None:
    """Undo :func:`_with_negative_subject`: *no one* to *someone*, *no dogs* to *some dogs*, *not all* to *all*.

    And :func:`_with_denied_subject`: *no man* to *a man*, *not one man* to *one man*, *no two men* to *two men*.
    """
    if tokens[0].lower not in _NEGATIVE_FIRST:
        return None
    words = tuple(token.lower for token in tokens[:2])
    if words[0] == "not":
        if words[-1] not in lexicon.UNIVERSALS and not (
            scope == "wide_scope" and words[-1] == "one"
        ):
            raise Refused("negative_word")
        return tokens[1:]
    for indefinite, negative in lexicon.INDEFINITES.items():
        if words[: len(negative)] == negative:
            return (Token(indefinite, "NN"), *tokens[len(negative) :])
    if words[0] != "no":
        return None
    if scope == "wide_scope" and len(tokens) > 1:
        if tokens[1].tag == "CD" or words[1] in _SMALL_NUMBERS:
            return tokens[1:]
        article = Token("an" if lexicon.starts_with_vowel(tokens[1].text) else "a", "DT")
        try:
            if analyse((article, *tokens[1:])).number != "plural":
                return (article, *tokens[1:])
        except Refused:
            pass  # *a dogs*: several are meant
    plain = (Token("some", "DT"), *tokens[1:])
    if analyse(plain).number != "plural":
        raise Refused("quantifier")
    return plain


def _swap(tokens: Sentence, start: int, words: dict[str, str]) -> Sentence:
    """Exchange *some* and *any* (and their compounds) in the predicate.

    Raises:
        Refused: the predicate already holds a word of the other polarity.
    """
    others = _VALUES[words is lexicon.TO_NEGATIVE]
    lower = [token.lower for token in tokens[start:]]
    if not others.isdisjoint(lower) or any(
        one == "any" and two in ("longer", "more") for one, two in pairwise(lower)
    ):
        raise Refused("polarity")  # *any longer* has no positive form with *some*
    if words.keys().isdisjoint(lower):
        return tokens
    return (*tokens[:start], *(Token(words.get(t.lower, t.text), t.tag) for t in tokens[start:]))


def _check_words(tokens: Sentence, clause: Clause) -> None:
    """Refuse words that would be odd, or mean something else, under negation."""
    for index, token in enumerate(tokens):
        if index == clause.negation:
            continue
        if token.lower in lexicon.ODD_WHEN_NEGATED and not (
            index == 0 and token.lower in lexicon.UNIVERSALS
        ):
            raise Refused("polarity")
        if token.lower == "all" and index and tokens[index - 1].lower == "at":
            raise Refused("polarity")


def _is_vague(tokens: Sentence) -> bool:
    return tokens[0].lower == "a" and len(tokens) > 1 and tokens[1].lower in lexicon.VAGUE_AFTER_A

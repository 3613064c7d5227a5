"""Faults that a sentence brings from its corpus: fragments, pointers at nothing, typos; and sensitive content.

The checks read plain text. The lists are short and closed, so that what they refuse can be read here;
results/sentences/filter.csv counts what each one dropped.
"""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from itertools import pairwise
from operator import or_

from divlogic.sentences import lexicon
from divlogic.sentences.compounds import NUMBERS, lacks_hyphen
from divlogic.sentences.inflection import in_dictionary

_NOT_LAST = lexicon.word_set(
    "a an the of with and or nor but for from at into onto his my your our their its is are was were be been am being"
    " that which who as than to very so because while has have had does do did each every between among toward towards"
    " during until upon against via per if not no all some too"
)
"""Words with which no sentence ends: what follows them was lost."""

_POINTERS = re.compile(
    r"\b(?:this|these|those|such|the (?:latter|former|same|above|following|said|rest)|aforementioned|thereof|hereby"
    r"|today's|thereby|herein|therein|respectively|that (?:\w+ )?(?:is|was|are|were))\b",
    re.IGNORECASE,
)
"""Words that point at something said before, which no single sentence has."""
_POINTING_WORD = re.compile(
    r"\b(?:this|these|those|such|latter|former|same|above|following|said|rest|aforementioned|thereof|hereby|today's"
    r"|thereby|herein|therein|respectively|that|others?)\b",
    re.IGNORECASE,
)
"""One word of each of these phrases."""
_ALLOWED_POINTERS = re.compile(r"\bthe rest of\b|\bsuch as\b|\bthe same time\b", re.IGNORECASE)

_OTHER = re.compile(r"^(?!.*\b(?:one|each|an?|two|both)\b.*\bthe others?\b).*\bthe others?\b", re.IGNORECASE)
"""*The other* without a first one."""

_HIS_OR_HER = lexicon.word_set("his her himself herself")
_OF_PERSONS = (
    "er",
    "or",
    "ist",
    "ian",
    "ess",
    "maid",
    "wife",
    "guard",
    "ee",
    "mate",
    "champion",
    "sergeant",
    "geisha",
)
_ITS_OR_THEIR = lexicon.word_set("its their itself themselves theirs")

_REAL_WORD_TYPOS = re.compile(
    r"\b(?:in front an?|each others|kids (?:toys|lives|clothes|games)|in at|(?:blonde?|red|brown|black|grey)-hair"
    r"|aline|alot|infront|in font of|wile|there (?:own|hands|heads|arms|bikes|dog|dogs)|then the other"
    r"|its (?:a|the)|towns local|sin men|a long (?:a|the)|on his on|there is two|there are a"
    r"|is been|are been|peoples are|peoples is|is consisting|are consisting|off of off|and all|the they|at at|by by"
    r"|is is|are are|the a|a the|mens|womens|childrens|it's (?:head|tail|mouth|legs|back)|loose (?:his|her|the|a)"
    r"|motorcross|icecream|swimsuites|gentlemens|skate board park|peaking (?:out|through)"
    r"|dawning (?:a|the)|bare (?:a|the)"
    r"|brakes? (?:the|a)|does there|do there|did there"
    r"|skiiers?|(?:his|her) haircut by|a (?:\w+ )?scissors|besides the (?:people|man|woman|road)|food of table"
    r"|(?:red|black|white) shows is|check with an? \w+ shirt|group on (?:fans|people|men|women|kids)|off the full"
    r"|(?:is|are) wearing (?:\w+ ){1,4}(?:strives|runs|walks|stands|performs) (?:for|on|in|at|to|down)"
    r"|(?:in|with|wearing) (?:(?:black|white|red|blue|green|purple|pink|brown|gray|grey) )?"
    r"(?:suit|tie|hat|shirt|jacket)"
    r"|(?:to|on|with|of|near|behind) (?:dog|cat|patient|horse|table|bench|fence|bicycle|skateboard)"
    r"(?=$| (?:seat|with|in|on|at|of|while|near|by|from)\b)"
    r"|(?:to|at|near|by|from|outside) (?:bus stop|security guard|train station|street corner)|closer to ground"
    r"|wonder(?:s|ing)? (?:in|through|along|across|around) (?:the|a)|scrapp(?:ing|ed|es) (?:paint|ice|snow|off)"
    r"|(?:is|are) laying (?:on|in|down|outside|under|near|by|next|across|around|at)|laying down|starring at"
    r"|siting (?:in|on|at|down|next|by)|dire straights|arm and arm|a gather of"
    r"|(?:a|the) couple (?:kids|children|people|men|women|boys|girls|dogs)"
    r"|one and other|concrete ruble|teenage (?:is|was)|(?:his|her|their) (?:moms|dads) [a-z]+"
    r"|rid(?:e|es|ing) (?:roller-?coaster|bike|bicycle|horse|skateboard|motorcycle))\b",
    re.IGNORECASE,
)
"""Misspellings that are words of their own, and words that only a slip puts side by side: without an article between
them (*a man in suit*), or with an auxiliary in what should be a relative clause (*is wearing purple strives*).
"""
_SLIPPING_WORD = re.compile(
    r"\b(?:front|others?|kids|aline|alot|infront|font|wile|there|then|its|towns|sin|long|his|been|peoples"
    r"|consisting|off|all|they|mens|womens|childrens|it's|loose|motorcross|icecream|swimsuites|gentlemens|skate"
    r"|peaking|dawning|bare|brakes?|skiiers?|haircut|scissors|besides|food|shows|check|group|full"
    r"|strives|runs|walks|stands|performs|suit|tie|hat|shirt|jacket|dog|cat|patient|horse|table|bench|fence"
    r"|bicycle|bike|skateboard|motorcycle|roller-?coaster|stop|guard|station|corner|closer|ruble|teenage"
    r"|moms|dads|wonder(?:s|ing)?|scrapp(?:ing|ed|es)|laying|starring|siting|straights|arm|gather|couple)\b|-hair\b",
    re.IGNORECASE,
)
_SLIPPING_PAIR = re.compile(r"\b(?:in at|at at|by by|is is|are are|the a|a the)\b", re.IGNORECASE)
"""One word, or two short ones, of each of these phrases."""
_SLIPS_OF_CASE = re.compile(
    r"\ba (?:A|I|E(?!u))[a-z]+|\bthe [A-Z][a-z]+ the [A-Z]|\b[A-Z]{2}[a-z]{3}|\b(?:from|in|of|at|to|the)[A-Z]"
    r"|\b[A-Z]{5,}s\b"
)
"""*A Earthen*, *of the British the Collins*, *GLobal*, *fromEdinburgh*."""
_WITHOUT_CAPITAL = lexicon.word_set(
    "republican american chilean chinese french english african indian german italian mexican"
)
_FRAGMENT = re.compile(r"(?:an?|the|one) (?:\w+ )?(?!is\b|are\b)\w+ (?:wearing|holding) (?:\w+ )?glasses")
"""What the tagger takes for a sentence, since *glasses* is a verb too."""

_BARE_PERSONS = re.compile(
    rf"there (?:is|are|was|were) (?:(?:an?|some|no|not|any|{NUMBERS}) )?"
    r"(?:(?:young|old|older|little|small|big|tall|single|other) )?(?:persons?|people|individuals?|adults?|m[ae]n"
    r"|wom[ae]n|humans?|lady|ladies|child|children|kids?|girls?|boys?)"
)
"""*There are two individuals*: most sentences about persons say so, whatever else they are about."""
_FOR_LONG = re.compile(r"\bfor long(?= (?:in|on|at|by|with|to)\b|$)")
_SAME = re.compile(r"(?:(?:an?|the) )?(.+) (?:is|are|was|were) (?:(?:an?|the) )?\1")
"""*A good idea is a good idea*: it says nothing, and its denial cannot be."""
_OPENING_NUMERAL = re.compile(r"\d{1,3}(?:,\d{3})* [A-Za-z]")
"""*3 people are outside*, and its denial, *no 3 people*: a sentence opens with a word."""

_SENSITIVE = re.compile(
    r"\b(?:sex|sexy|sexual|(?:hetero|homo|bi|trans)sexuals?|gays?|lesbians?|sexually|porn\w*|nude|nudes|nudity|naked|topless|nipples?|breasts?|penis(?:es)?|vaginas?|genitals?|genitalia|testicles?|scrotum|prostitution"
    r"|masturbat\w+|orgasm\w*|orgy|erotic|fetish|strip(?:per|pers|tease|ping naked| clubs?)|prostitut\w+|whores?|sluts?"
    r"|rap(?:e|es|ed|ing|ist|ists)|molest\w*|pedophil\w+|incest|bondage|lingerie|thongs?|butts?|butt-?naked|undress\w*|suicid\w+"
    r"|terroris\w+|jihad\w*|nazis?|hitler|holocaust|genocide|lynch\w*|slaves?|nigg\w+|negro\w*|faggots?|fags?|retard\w*"
    r"|midgets?|orientals?|blacks|gypsy|gypsies|tranny|crippled?|behead\w*|murder\w*|corpses?|abortions?|rapists?|hookers?"
    r"|condoms?|bitch\w*|bastards?|fuck\w*|shit\w*|cunts?|dick|cocaine|heroin|meth|make love|making love"
    r"|busted|nudists?|slaughter\w*|massacre\w*|touching (?:him|her|them)sel(?:f|ves))\b",
    re.IGNORECASE,
)
_YOUNG = re.compile(
    r"\b(?:baby|babies|infants?|toddlers?|child|children|kids?|boys?|girls?|newborns?)\b", re.IGNORECASE
)
_UNCLOTHED = re.compile(
    r"\b(?:shirtless|bare-?chested|unclothed|no clothes|without clothes|no pants|without pants|diapers? only|underwear"
    r"|bathing|bathes?|bathtub|(?:in|takes?|taking|gets?|getting|has|have|having) (?:the|a) bath|in (?:the|a) shower"
    r"|on (?:the|a) (?:toilet|potty)|panties|bras?|bikinis?|kissing an? (?:man|old man))\b",
    re.IGNORECASE,
)
_LIVING = re.compile(
    r"\b(?:Obama|Trump|Clintons?|Bush|Biden|Putin|Gates|Bezos|Musk|Giuliani|Gore|Cheney|Rumsfeld|Blair|Thatcher|Reagan"
    r"|Schwarzenegger|Madonna|Beyonc[eé]|Rihanna|Bieber|Spears|Kardashian|Winfrey|Oprah|Leno|Letterman|Spielberg|Cruise"
    r"|Gingrich|McCain|Dole|Lewinsky|Starr|Tripp|Buchanan|Forbes|Bradley|Perot|Netanyahu|Arafat|Sharon|Milosevic|Yeltsin"
    r"|Saddam|Hussein|bin Laden|Ladin|Osama|Jordan|Woods|Beckham|Ronaldo|Messi|Federer|Nadal|Bryant"
    r"|Simpson|Jackson|Elton"
    r"|McCartney|Jagger|Dylan|Swift|Gaga|Kaczynski|McVeigh|Ashcroft|Rove|Kerry|Nader|Pelosi|Murdoch|Turner|Soros|Atta"
    r"|Moussaoui|Rehnquist|Scalia|Souter|Ginsburg|Greenspan|Reno|Albright|Powell|Rice|Tenet|Freeh|Berger|Clarke)\b"
)
"""Family names of public persons of the corpora's years; a person who shares such a name is refused too."""
_TITLED = re.compile(
    r"\b(?:President|Senator|Sen|Secretary|Governor|Gov|Rep|Prime Minister|Pope)\.? [A-Z][a-z]+"
)
_FULL_NAME = re.compile(r"(?<![.\w] )\b[A-Z][a-z]{2,} (?:[A-Z]\.? )?[A-Z][a-z]{2,}\b")


def problem(text: str) -> str | None:
    """Return why a sentence in mid-sentence form cannot stand alone or was misspelt, or ``None``.

    The reasons are ``cut_off``, ``points_back``, ``no_antecedent``, ``quantifier``, ``existential``, ``polarity``,
    ``tautology``, ``numeral``, ``hyphen`` and ``typo``.
    """
    split = text.split()
    if split and split[-1].strip(".,'").lower() in _NOT_LAST:
        return "cut_off"
    hints = reduce(or_, map(_hints, split), 0)
    if hints & _MAY_POINT and (_POINTERS.search(_ALLOWED_POINTERS.sub(" ", text)) or _OTHER.search(text)):
        return "points_back"
    if hints & _OWNER and _lacks_antecedent(split):
        return "no_antecedent"
    if text.endswith("glasses") and _FRAGMENT.fullmatch(text):
        return "cut_off"
    if "very few" in text.lower():
        # What is the case of very few is denied neither by *very few ... not* nor by *no*.
        return "quantifier"
    if split and split[0] in ("everyone", "everybody"):
        return "quantifier"  # it tells of the persons of all other sentences, too
    if _BARE_PERSONS.fullmatch(text):
        return "existential"
    if _FOR_LONG.search(text):
        return "polarity"  # at home in denials
    if _SAME.fullmatch(text):
        return "tautology"
    if _OPENING_NUMERAL.match(text):
        return "numeral"
    if lacks_hyphen(text):
        return "hyphen"
    if hints & _TYPO or is_slip(text, hints) or (not text.islower() and _SLIPS_OF_CASE.search(text)):
        return "typo"
    if "$" in text and "dollar" in text:
        return "typo"  # *$3 million dollars*
    return None


def is_slip(text: str, hints: int | None = None) -> bool:
    """Return whether a text holds one of the phrases of :data:`_REAL_WORD_TYPOS`.

    Args:
        text: words parted by single blanks.
        hints: those of its words, if they are known.
    """
    if hints is None:
        hints = reduce(or_, map(_hints, text.split()), 0)
    # Sixty phrases at every word take long: they are looked for only where one word of one of them is.
    return bool(
        (hints & _MAY_SLIP or _SLIPPING_PAIR.search(text) is not None) and _REAL_WORD_TYPOS.search(text)
    )


_MAY_POINT, _OWNER, _TYPO, _MAY_SLIP, _SENSITIVE_WORD, _YOUNG_WORD = (1 << place for place in range(6))


@lru_cache(maxsize=100_000)
def _hints(word: str) -> int:
    """Return what a word tells of the sentence that it stands in, as a sum of flags; asked once per word.

    The flags are: it may belong to a phrase that points at something said before; it needs somebody or something to
    refer to; it is a typo; it may belong to a phrase that is a slip.
    """
    return (
        _MAY_POINT * (_POINTING_WORD.search(word) is not None)
        | _OWNER * (word.strip(".,'").lower() in _HIS_OR_HER | _ITS_OR_THEIR)
        | _TYPO * (word in _WITHOUT_CAPITAL or (word.isalpha() and word.islower() and is_typo(word)))
        | _MAY_SLIP * (_SLIPPING_WORD.search(word) is not None)
    )


def sensitive(text: str) -> bool:
    """Return whether a sentence names a living person, or tells of sex, nakedness, slurs or undressed children."""
    words = text.split()
    # The patterns of one word are asked word by word, which is remembered; those of several only where they may be.
    hints = reduce(or_, map(_delicate, words), 0)
    if hints & _SENSITIVE_WORD:
        return True
    lower = text.lower()
    if ("love" in lower or "touching" in lower or "strip" in lower) and _SENSITIVE.search(text):
        return True
    if hints & _YOUNG_WORD and _UNCLOTHED.search(text):
        return True
    if text[1:].islower():
        return False
    if _LIVING.search(text) or _TITLED.search(text):
        return True
    # *Ricky Martin*, *Orrin Hatch*: many a family name is a word of the dictionary too.
    if any(first in _GIVEN and second[:1].isupper() for first, second in pairwise(words)):
        return True
    return any(_is_personal(match[0]) for match in _FULL_NAME.finditer(text))


@lru_cache(maxsize=100_000)
def _delicate(word: str) -> int:
    """Return as a sum of flags whether a word is sensitive by itself, and whether it names somebody young."""
    named = _SENSITIVE.search(word) is not None or _LIVING.search(word) is not None
    return _SENSITIVE_WORD * named | _YOUNG_WORD * (_YOUNG.search(word) is not None)


@lru_cache(maxsize=50_000)
def is_typo(word: str) -> bool:
    """Return whether no dictionary has a lower-case word while a common one is one letter away."""
    if len(word) < 6 or in_dictionary(word) or word in lexicon.MORE_WORDS or word in lexicon.FUNCTION_WORDS:
        return False
    base = lexicon.singular(word)
    if (
        base in lexicon.MORE_WORDS
        or word.endswith(("er", "ers"))
        or (word.endswith("ly") and lexicon.is_known(word[:-2]))
    ):
        return False
    near = _one_letter_away(word) - {word + "s", word.removesuffix("s"), base}
    return any(in_dictionary(other) for other in near)


def _lacks_antecedent(words: list[str]) -> bool:
    """Return whether *his* or *its* comes before anything that it could belong to."""
    person = thing = False
    for index, raw in enumerate(words):
        word = raw.strip(".,'").lower()
        if word in _HIS_OR_HER and not person:
            return True
        if word in _ITS_OR_THEIR and not (person or thing):
            return True
        named = raw[:1].isupper() and (index > 0 or not lexicon.is_known(word) or len(words) > 1)
        owner = word.removesuffix("'s").removesuffix("s'")
        person = person or named or lexicon.is_animate(owner) or word in lexicon.INDEFINITES
        person = person or lexicon.singular(owner).endswith(_OF_PERSONS)
        person = person or word in ("everyone", "everybody", "one", "no-one", "nobody")
        thing = thing or person or (word.isalpha() and word not in lexicon.FUNCTION_WORDS)
    return False


def _is_personal(name: str) -> bool:
    """Return whether two capitalised words are rather a person's name than a place or a body (*New York*)."""
    return all(not in_dictionary(part.strip(".").lower()) for part in name.split()) and not any(
        part in _PLACES for part in name.split()
    )


_GIVEN = lexicon.word_set(
    "Adam Al Alan Albert Alex Andrew Andy Angela Ann Anna Anne Anthony Arnold Arthur Barbara Barry Ben Bernard"
    " Bernie Betty Bill Bob Brad Brian Bruce Carl Carol Charles Charlie Chris Christopher Craig Dan Daniel Danny"
    " Dave David Dennis Diana Diane Dick Don Donald Donna Doug Ed Eddie Edward Elizabeth Ellen Emily Emma Eric"
    " Frank Fred Gary George Gerald Gloria Gordon Greg Harold Harry Heather Helen Henry Howard Hugh Ian Jack Jacob"
    " James Jane Janet Jason Jay Jeff Jeffrey Jennifer Jerry Jesse Jessica Jim Jimmy Joan Joe John Johnny Jonathan"
    " Joseph Joyce Judith Judy Julia Julie Justin Karen Karl Kate Kathleen Kathy Keith Ken Kenneth Kevin Kim Larry"
    " Laura Lawrence Leonard Linda Lisa Louis Lyndon Margaret Maria Marie Marilyn Mark Martha Martin Mary Matt"
    " Matthew Michael Michelle Mick Mike Monica Nancy Nathan Neil Newt Nicholas Nick Norman Orrin Oscar Pamela Pat"
    " Patricia Patrick Paul Paula Peter Phil Philip Rachel Ralph Ray Raymond Rebecca Richard Rick Ricky Robert"
    " Roger Ron Ronald Rosa Ross Roy Rudy Russell Ruth Ryan Sally Sam Samuel Sandra Sara Sarah Scott Sean Sharon"
    " Sonny Stephanie Stephen Steve Steven Stuart Sue Susan Ted Terry Theresa Thomas Tim Timothy Tina Todd Tom"
    " Tommy Tony Victor Vincent Virginia Walter Warren Wayne Wendy William Willie"
)
"""Given names that, before another capitalised word, tell that a person is named."""

_PLACES = lexicon.word_set(
    "New York San Los Las Santa Saint Angeles Francisco Vegas Hong Kong Costa Rica Puerto Rico Sri Lanka Saudi Arabia"
    " Tel Aviv Kuala Lumpur Buenos Aires Rio Janeiro Monte Carlo El Salvador Sierra Leone Notre Dame"
)


def _one_letter_away(word: str) -> set[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    found = set()
    for i in range(len(word)):
        found.add(word[:i] + word[i + 1 :])
        if i + 1 < len(word):
            found.add(word[:i] + word[i + 1] + word[i] + word[i + 2 :])
        found.update(word[:i] + letter + word[i + 1 :] for letter in letters)
    for i in range(len(word) + 1):
        found.update(word[:i] + letter + word[i:] for letter in letters)
    return {other for other in found if len(other) > 3} - {word}

"""The closed word lists of the filter of generic statements."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


KEPT_WITHOUT_NEGATION = _set(
    "not_negatable no_round_trip polarity quantifier several_verbs subordinate_clause relative_clause unknown_word"
    " uncertain_modal uncertain_name"
)
"""Reasons of the sentence filter that make no bad statement."""

# Words that would mix with the connectives around a statement, or that point outside it.
OPEN_WORDS = _set(
    "if unless or nor either neither whether but however therefore thus hence otherwise provided assuming"
    " i me my we us our you your yours he him she this that these those it they isa etc eg ie"
)
ALLOWED_INSIDE = _set("that it they")
NEGATIVE = _set("not no never none nobody nothing n't cannot hardly rarely seldom without few little")
NO_SUBJECT_FIRST = _set("VB VBD VBP VBZ MD IN CC TO WRB WP WDT PRP PRP$ UH RB")
"""Tags with which a statement that opens with its subject does not begin."""

PROPER = _set(
    "african alaskan amazonian american andean antarctic arab arabian arctic argentine asian athenian atlantic aztec"
    " australian austrian balinese baltic bavarian belgian bolivian brazilian british buddhist bulgarian burmese"
    " californian canadian caribbean catholic caucasian celtic chilean chinese christian colombian cuban czech danish"
    " dutch egyptian english ethiopian european finnish french german greek hawaiian hebrew himalayan hindu hispanic"
    " hungarian icelandic inca indian indonesian iranian iraqi irish islamic israeli italian jamaican japanese"
    " javanese jewish kenyan korean latin lebanese madagascan malay malaysian maltese mayan mediterranean mexican"
    " mongolian moroccan muslim nepalese nigerian norse norwegian olympic pacific pakistani palestinian persian"
    " peruvian polish polynesian portuguese protestant roman romanian russian saudi saxon scandinavian scottish"
    " serbian siberian sicilian somali spanish sumatran swedish swiss syrian tasmanian thai tibetan turkish"
    " ukrainian venetian victorian viennese vietnamese viking welsh venus jupiter saturn europe asia africa antarctica"
)
"""Words that English writes with a capital, most of them adjectives; GenericsKB lower-cases many of its terms."""

COMMON_TOO = _set("polish")
"""Those that are another word where they are no adjective."""

LIGHT = _set(
    "a an the some most many all few each every are is have has had can may be been being was were do does"
    " don't doesn't often usually and or of in on at to from for with by as into onto over under about than through"
    " between during after before its it their they them that which who there very more much also such"
    " other another one only not"
)
"""Words that leave open whether two statements say the same."""

STRUCTURED_SOURCES = ("conceptnet", "wordnet", "tuplekb")
"""Sources of GenericsKB whose statements were put together from entries of a knowledge base."""

VAGUE = _set(
    "thing things aspect aspects quality qualities feature features effect effects part parts change changes chance"
    " chances area areas activity activities form forms type types kind kinds level levels number numbers factor"
    " factors function functions property properties characteristic characteristics ability abilities instinct role"
    " roles result results way ways place places purpose purposes process processes action actions event events matter"
    " object objects entity condition conditions state states attribute attributes individual individuals unit units"
    " amount amounts sort sorts appearance appearances structure structures behavior behaviors need needs value values"
    " mean means issue issues problem problems situation situations section sections group groups"
)
"""Nouns that say nothing where a statement ends in them alone (*general principles explain aspects*)."""

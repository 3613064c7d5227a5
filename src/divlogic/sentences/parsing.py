"""Whether a sentence parses, by link grammar (Sleator & Temperley 1993), a library that is no Python package.

Its dictionary says for each word which words it links to, on the left and on the right, and what an unusual use
costs; a sentence parses if links join all of its words. *A shed is being painted buy three cooks* does not: nothing
links to *buy*. Unusual is much that is right, too: the less a use may cost, the more long sentences are refused.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

from divlogic.errors import DivLogicError

INSTALL = "`apt-get install liblink-grammar5 link-grammar-dictionaries-en` (Debian, Ubuntu)"
UNPARSED = "unparsed"
"""Outcome of sentences that do not parse, in filter.csv."""

_LIBRARY, _FILE = "link-grammar", "liblink-grammar.so.5"
_LINKAGES = 100
"""Linkages of a sentence that are looked at; of more, so many are drawn, always the same ones."""


class LinkParser:
    """Parses English sentences.

    Args:
        most: largest cost of a use of a word (0.3: strict; 2: every use that the dictionary has).

    Raises:
        DivLogicError: the library or its English dictionary is not installed.
    """

    def __init__(self, most: float) -> None:
        library = self._library = _library()
        self._dictionary = library.dictionary_create_lang(b"en")
        if not self._dictionary:
            raise DivLogicError(
                f"link grammar is installed without its English dictionary; install it with {INSTALL}, or set"
                " sentences.max_link_cost to null."
            )
        options = self._options = library.parse_options_create()
        library.parse_options_set_verbosity(options, 0)
        library.parse_options_set_spell_guess(
            options, 0
        )  # of a misspelt word nothing is asked but its links
        library.parse_options_set_disjunct_cost(options, most)
        library.parse_options_set_linkage_limit(options, _LINKAGES)
        # No limit of time: what parses must not depend on the machine.
        library.parse_options_set_max_parse_time(options, -1)
        library.parse_options_set_min_null_count(options, 0)
        library.parse_options_set_max_null_count(options, 0)

    @property
    def version(self) -> str:
        """Return the version of the library (*link-grammar-5.12.0*)."""
        name: bytes = self._library.linkgrammar_get_version()
        return name.decode()

    def parses(self, text: str) -> bool:
        """Return whether links join all words of a sentence in mid-sentence form (*a man sleeps*)."""
        written = f"{text[:1].upper()}{text[1:]}."
        sentence = self._library.sentence_create(written.encode(), self._dictionary)
        try:
            if self._library.sentence_split(sentence, self._options) < 0:
                return False
            return bool(self._library.sentence_parse(sentence, self._options) > 0)
        finally:
            self._library.sentence_delete(sentence)


@cache
def _library() -> ctypes.CDLL:
    """Return the library with the types of its functions; what it would print is left unsaid."""
    try:
        library = ctypes.CDLL(ctypes.util.find_library(_LIBRARY) or _FILE)
    except OSError as error:
        raise DivLogicError(
            f"sentences.max_link_cost asks for link grammar, which is not installed ({error}); install it with"
            f" {INSTALL}, or set sentences.max_link_cost to null."
        ) from error
    pointer, number, text = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
    for name, result, *arguments in (
        ("dictionary_create_lang", pointer, text),
        ("linkgrammar_get_version", text),
        ("parse_options_create", pointer),
        ("parse_options_set_verbosity", None, pointer, number),
        ("parse_options_set_spell_guess", None, pointer, number),
        ("parse_options_set_disjunct_cost", None, pointer, ctypes.c_float),
        ("parse_options_set_linkage_limit", None, pointer, number),
        ("parse_options_set_max_parse_time", None, pointer, number),
        ("parse_options_set_min_null_count", None, pointer, number),
        ("parse_options_set_max_null_count", None, pointer, number),
        ("sentence_create", pointer, text, pointer),
        ("sentence_split", number, pointer, pointer),
        ("sentence_parse", number, pointer, pointer),
        ("sentence_delete", None, pointer),
        ("lg_error_set_handler", pointer, pointer, pointer),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    library.lg_error_set_handler(None, None)
    return library

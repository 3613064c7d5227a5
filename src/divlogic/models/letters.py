"""Letters of options, and the one reader of answers: exported tasks copy this file and ``answer_words.yaml``.

An answer is read in five steps, each in linear time:

1. thoughts are cut (:func:`after_thinking`);
2. full width, LaTeX and emphasis become plain text (:func:`_plain`);
3. the text is parted where the model begins another question or turn, and the first part with an answer counts
   (:func:`_parts`);
4. in that part the strongest form of answer decides (:func:`_read_part`): ``<answer>`` tags, an announcement
   ("Answer: B", of several the last), a first or last line that is an answer, an option picked in passing ("so B");
5. what is named must be one option: two, none and one outside the list are no answer.

The words of all languages, tags and tokens are in ``answer_words.yaml``; examples of every rule are the table in
``docs/answers.md``, which is also the test.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Literal, NamedTuple

LETTERS = "ABCD"
OPTIONS = len(LETTERS)

WORDS_FILE = Path(__file__).with_name("answer_words.yaml")
"""What the reader knows of models and languages."""


def option_at(position: int, rotation: int, count: int = OPTIONS) -> int:
    """Return the index of the option that stands at ``position`` (0 = A) in ``rotation``, of ``count`` options."""
    return (position + rotation) % count


def position_of(option: int, rotation: int, count: int = OPTIONS) -> int:
    """Return where the option with index ``option`` stands in ``rotation``: the inverse of :func:`option_at`."""
    return (option - rotation) % count


def parse_answer(text: str | None, count: int = OPTIONS) -> str | None:
    """Return the letter, of the first ``count``, that an answer names, or ``None`` if it names none or several."""
    return read_choice(text, ascii_uppercase[:count], ())


def option_named(text: str | None, options: tuple[str, ...]) -> str | None:
    """Return the option or label that an answer names; case, blanks and marks make no difference."""
    name = read_choice(text, "", options)
    return None if name is None else options[int(name)]


Tags = tuple[tuple[str, str], ...]
"""Start and end of a model's thoughts, besides those of ``answer_words.yaml``."""


def read_choice(
    text: str | None, letters: str, options: tuple[str, ...], thoughts: Tags = ()
) -> str | None:
    """Return the one answer that a reply names; ``None`` where it names none or several.

    Args:
        text: what the model replied.
        letters: the letters of the options, such as ``ABCD``; empty where the answers are labels.
        options: the texts of the options in the order of the letters, by which an answer may name them; or the labels.
        thoughts: further tags of this model.

    Returns:
        A letter; without letters the index of a label, as a text.
    """
    # Short replies come again and again; long ones hardly ever, and would fill the memory.
    read = _read_cached if text and len(text) <= _SHORT else _read
    return read(text or "", letters, options, thoughts)


_SHORT = 200


def _read(text: str, letters: str, options: tuple[str, ...], thoughts: Tags) -> str | None:
    choices = _choices(letters, options)
    plain = _plain(after_thinking(text, thoughts))
    words = _grammar(_languages_in(plain))
    spoken = False
    for part in _parts(plain):
        # Whoever has spoken, even without an answer, and then begins another question, answers that one.
        if spoken and part.begins == "question":
            return None
        found = _read_part(part, choices, words)
        if found is not _UNSAID:
            return found.name
        spoken = spoken or (not part.restated and bool(part.text.strip()))
    return None


_read_cached = lru_cache(maxsize=4096)(_read)


# 1. Thoughts ---------------------------------------------------------------------------------------------------------


def after_thinking(text: str, further: Tags = ()) -> str:
    """Return a text without its thoughts; nothing where a thought is not finished.

    Args:
        text: what a model wrote.
        further: tags of this model, (start, end), besides those of ``answer_words.yaml``.
    """
    tags, pattern = _thought_tags(further)
    if not any(map(text.lower().__contains__, tags)):
        return text
    spoken: list[str] = []
    thinking = False
    position = 0
    for tag in pattern.finditer(text):
        if tag["start"]:
            if not thinking:
                spoken.append(text[position : tag.start()])
            thinking = True
            continue
        if not thinking:
            # The start was in the prompt, or got lost: all before was a thought.
            spoken.clear()
        thinking = False
        position = tag.end()
    if thinking:
        return ""
    return "".join([*spoken, text[position:]])


@lru_cache(maxsize=64)
def _thought_tags(further: Tags) -> tuple[list[str], re.Pattern[str]]:
    """Return all tags in lower case, and what finds them."""
    rows = [*_words()["thoughts"], *({"start": start, "end": end} for start, end in further)]
    starts = {row["start"] for row in rows if "start" in row}
    ends = {row["end"] for row in rows}
    pattern = f"(?P<start>{_literally(starts)})|(?P<end>{_literally(ends)})"
    return [tag.lower() for tag in starts | ends], re.compile(pattern, re.IGNORECASE)


# 2. Plain text -------------------------------------------------------------------------------------------------------

_BOX = "\x02"
"""Stands for ``\\boxed`` in plain text."""

_INVISIBLE = dict.fromkeys(
    [0xAD, 0x2060, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_LATEX_SPACE = re.compile(r"\\[()\[\],;: !]|\$")
_EMPHASIS = re.compile(r"<(?P<tag>b|i|u|em|strong)>(?P<inside>[^<]*+)</(?P=tag)>")
# Quotation marks of other scripts, with the blank that French sets inside them.
_QUOTES = re.compile(r"[「『」』《》〈〉„‟‹›]|«[^\S\n]?|[^\S\n]?»")
_OPEN, _CLOSE = r"*_`\"'“‘\[<({【〔", r"*_`\"'“”’\])>}】〕"
# A letter in marks of its own: "**B**", "<B>", "'B'", "[B.]"; six marks on each side bound the search;
# "<s>" is a token.
_MARKED_LETTER = re.compile(
    rf"[{_OPEN}](?<![\w{_OPEN}][{_OPEN}])[{_OPEN}]{{0,5}}(?P<letter>(?!s>)[A-Za-z])[.:)]?[{_CLOSE}]{{1,6}}(?!\w)"
)


def _plain(text: str) -> str:
    """Return a text in half width, without LaTeX and emphasis; a letter in marks of its own becomes ``(B)``."""
    text = unicodedata.normalize("NFKC", text).translate(_INVISIBLE)
    # One letter only is longer in lower case.
    text = text.replace("İ", "I")
    text = _QUOTES.sub('"', text)
    if "\\" in text or "$" in text:
        boxes, styles = _latex()
        text = text.replace("\\_", "_")
        text = styles.sub("", boxes.sub(_BOX, text))
        text = _LATEX_SPACE.sub(" ", text)
    text = _EMPHASIS.sub(r"**\g<inside>**", text)
    text = _MARKED_LETTER.sub(r"(\g<letter>)", text)
    return text.replace("*", "").replace("`", "")


@cache
def _latex() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what opens a box, and what opens another style."""
    names = _words()["latex"]
    boxes = re.compile(rf"\\(?:{_literally(names['boxes'])})(?![A-Za-z])")
    styles = re.compile(rf"\\(?:{_literally(names['styles'])})(?![A-Za-z])\s?\{{?")
    return boxes, styles


# 3. Parts ------------------------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A stretch of a reply from one heading to the next.

    Attributes:
        begins: what its heading begins: the model's own reply, another question or turn, or a passage of one.
        restated: whether it repeats or invents a question, so that only a plain answer in it counts.
    """

    text: str
    begins: Literal["reply", "question", "passage"] = "reply"
    restated: bool = False


def _parts(text: str) -> Iterator[_Part]:
    """Yield the parts of a plain text, from one token or heading of a turn to the next."""
    start, begins, restated = 0, "reply", False
    for mark in _turns(text):
        yield _Part(text[start : mark.start()], begins, restated)  # type: ignore[arg-type]
        start = mark.end()
        restated = mark.lastgroup in ("question", "numbered", "passage")
        begins = mark.lastgroup if mark.lastgroup in ("reply", "passage") else "question"
    yield _Part(text[start:], begins, restated)  # type: ignore[arg-type]


def turn_after(text: str, position: int) -> int:
    """Return where, behind a position, another question or turn begins; the length of the text if none does."""
    mark = next(_turns(text, position), None)
    return len(text) if mark is None else mark.start()


def _turns(text: str, position: int = 0) -> Iterator[re.Match[str]]:
    """Return the tokens and headings of turns in a text, in their order."""
    has_token = any(map(text.lower().__contains__, _words()["tokens"]))
    return _turn_marks(has_token).finditer(text, position)


@cache
def _turn_marks(tokens: bool) -> re.Pattern[str]:
    """Return what ends a part: a heading at the beginning of a line, a line of ``#`` alone, a token anywhere."""
    headings = _words()["headings"]
    question = _literally(headings["question"])
    number = r"(?:[ \t]*\d{1,3})"
    pattern = (
        rf"^[ \t#>*-]*+(?:"
        rf"(?P<reply>{_literally(headings['reply'])}[ \t]*:\**)"
        rf"|(?P<question>{question}{number}?[ \t]*:|q\d{{0,3}}[.)](?=\s))"
        rf"|(?P<numbered>{question}{number}\**[ \t]*$)"
        rf"|(?P<passage>{_literally(headings['passage'])}{number}?[ \t]*:)"
        rf"|(?P<rule>(?<=#)$)"
        rf")"
    )
    if tokens:
        # The header of a turn names the role behind its token.
        pattern += rf"|(?P<token>{_literally(_words()['tokens'])}(?:(?:assistant|model)\b)?)"
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)


# 4. The answer of a part ---------------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """What a form of answer says: the name of one option, or that it is none or several (``None``)."""

    name: str | None


_UNSAID = _Found("")
"""Nothing was said about the answer."""

_NO_OPTION = _Found(None)

_TAG = re.compile(r"<(?P<close>/?)(?:final_)?answer>", re.IGNORECASE)


def _read_part(part: _Part, choices: _Choices, words: _Grammar) -> _Found:
    """Return what the strongest form of answer in a part says."""
    tagged = _tagged(part.text)
    if tagged is not None:
        found = _choice_after(tagged, 0, choices, words, strict=False)
        if found is None:
            found = _read_part(_Part(tagged), choices, words)
        return _NO_OPTION if found is _UNSAID or isinstance(found, _Excluded) else found
    found = _announced(part.text, choices, words)
    if found is _UNSAID:
        found = _line(part, choices, words)
    if found is _UNSAID and not part.restated:
        found = _in_passing(part.text, choices, words)
    return found


def _tagged(text: str) -> str | None:
    """Return the content of the ``<answer>`` tags; empty if they differ, ``None`` without any."""
    contents: list[str] = []
    start: int | None = None
    for tag in _TAG.finditer(text):
        if not tag["close"]:
            start = tag.end()
        elif start is not None:
            contents.append(text[start : tag.start()].strip())
            start = None
    if not contents and start is not None:
        # Many servers stop at the closing tag and leave it out.
        contents.append(text[start:].strip())
    if not contents:
        return None
    same = len({content.casefold() for content in contents}) == 1
    return contents[0] if same else ""


def _announced(text: str, choices: _Choices, words: _Grammar) -> _Found:
    """Return what the last announcement says, such as "Answer: B"; remarks that only mention an answer say nothing."""
    said = _UNSAID
    repeated, end = "", 0
    for cue in words.cue.finditer(text):
        if _is_about_another(text, cue, words):
            continue
        strict = cue["bare"] is not None or cue["chosen"] is not None
        found = _choice_after(
            text,
            cue.end(),
            choices,
            words,
            strict=strict,
            denied=words.denied_cue.search(cue[0]) is not None,
        )
        if found is None or (strict and found.name is None):
            continue
        if isinstance(found, _Excluded):
            # "The answer is not A" takes an A back, and otherwise says nothing.
            said = _NO_OPTION if found.name == said.name else said
            continue
        again = cue[0].casefold() == repeated and not text[end : cue.start()].strip(
            _AROUND + choices.letters
        )
        # "Answer: A", "Answer: B" in two lines, and no word between them, corrects nothing.
        said = _NO_OPTION if again and found.name != said.name else found
        repeated, end = cue[0].casefold(), cue.end()
    return said


def _is_about_another(text: str, cue: re.Match[str], words: _Grammar) -> bool:
    """Return whether a cue supposes ("if the answer is A") or speaks of a wrong answer ("the wrong answer is A")."""
    before = max(0, cue.start() - _BEFORE)
    if words.supposed.search(text, before, cue.start()):
        return True
    if words.would.search(cue[0]) and words.if_behind.match(text, cue.end()):
        return True
    return words.other.search(text, before, cue.end()) is not None


_BEFORE = 40
"""Characters before a cue in which "if" makes it a supposition."""


def _line(part: _Part, choices: _Choices, words: _Grammar) -> _Found:
    """Return what the first and the last line say, where they are an answer; two different answers are none."""
    lines = [line.strip(" \t#>-•").lstrip("=>∴→⇒ ") for line in part.text.splitlines()]
    lines = [line for line in lines if line.strip(_AROUND)]
    if not lines:
        return _UNSAID
    found: list[_Found] = []
    if not part.restated or len(lines) == 1:
        found.append(_answer_line(lines[0], choices, words))
    if len(lines) > 1:
        found.append(_answer_line(lines[-1], choices, words))
    if not choices.letters and found and found[-1] is _UNSAID:
        sentence = _SENTENCE_END.split(lines[-1])[-1]
        label = choices.whole(sentence)
        found[-1] = _UNSAID if label is None else _Found(label)
    if choices.letters and len(lines) == 1 and found[0] is _UNSAID:
        found[0] = _sole(lines[0], choices, words)
    listed = [match["letter"] for line in lines if (match := _LISTED.match(line))]
    if _in_sequence(listed[:2]) and _LISTED.match(lines[0]):
        # "A. …", then "B. …": the options are gone through.
        found[0] = _UNSAID
    if _in_sequence(listed[-2:]) and _LISTED.match(lines[-1]):
        found[-1] = _UNSAID
    said = [one for one in found if one is not _UNSAID]
    if not said:
        return _UNSAID
    return said[0] if len(set(said)) == 1 else _NO_OPTION


_AROUND = " \t\n*_`\"'“”‘’()[]<>{}.,:;"
_SENTENCE_END = re.compile(r"[.!?]\s|。")
_LISTED = re.compile(r"\(?(?P<letter>[A-Z])[.):]+\s*\S")


def _in_sequence(letters: Sequence[str]) -> bool:
    """Return whether two letters follow each other in the alphabet."""
    return len(letters) == 2 and ord(letters[1]) - ord(letters[0]) == 1


def _sole(line: str, choices: _Choices, words: _Grammar) -> _Found:
    """Return the option of which a reply says nothing but that it is chosen: "Only B must hold.", "B it is."."""
    # In a longer reply such words may speak of an option that is not the answer: a question may ask what need not hold.
    sole = words.sole.fullmatch(line)
    if sole is None or sole["letter"] not in choices.letters:
        return _UNSAID
    return _Found(sole["letter"]) if sole["lead"] or sole["holds"] else _UNSAID


def _answer_line(line: str, choices: _Choices, words: _Grammar) -> _Found:
    """Return what a line says that is or opens with an answer: "B", "(B) Lee sleeps.", "neutral, since …"."""
    whole = choices.whole(line)
    if whole is not None:
        return _Found(whole)
    if not choices.letters:
        fill = words.fill.match(line)
        # "a contradiction", and not "no contradiction"
        named = choices.whole(line[fill.end() :]) if fill and not words.denied.match(line) else None
        if named is not None:
            return _Found(named)
        return _label_at(line, 0, choices, words) or _UNSAID
    opening = words.option_before.match(line)
    start = opening.end() if opening else 0
    letter = _LETTER.match(line, start)
    if letter is None or not (letter["letter"].isupper() or opening):
        return _UNSAID
    behind = letter.end()
    opens = (
        letter["bracket"]
        or _STOP.match(line, behind)
        or words.because.match(line, behind)
        or words.join.match(line, behind)
    )
    if not opens or _FORMULA.match(line, behind):
        return _UNSAID
    rest = line[behind:].strip(_AROUND)
    if len(rest) == 1 and rest in choices.letters and rest != letter["letter"].upper():
        # "A: B" may say anything.
        return _UNSAID
    return _letter_found(line, letter, choices, words)


def _in_passing(text: str, choices: _Choices, words: _Grammar) -> _Found:
    """Return the one option that is picked or called right in running text; a mere mention is no answer."""
    named: set[str] = set()
    for statement in words.statement.finditer(text):
        if _is_about_another(text, statement, words) or words.denied_cue.search(statement[0]):
            continue
        found = _choice_after(text, statement.end(), choices, words, strict=True)
        if found is not None and found.name is not None and not isinstance(found, _Excluded):
            named.add(found.name)
    if choices.letters:
        for right in words.right.finditer(text):
            if right["letter"] in choices.letters and not _is_about_another(text, right, words):
                named.add(right["letter"])
    return _Found(named.pop()) if len(named) == 1 else _UNSAID


# 5. One option -------------------------------------------------------------------------------------------------------


class _Excluded(_Found):
    """An option that is said not to be the answer."""


class _Choices(NamedTuple):
    """The possible answers.

    Attributes:
        letters: of the options; empty where the answers are labels.
        names: by the folded text of an option or label.
        texts: matches any of these texts; ``None`` where there are none.
        marks_count: whether options differ in their marks alone, so that these are not folded away.
    """

    letters: str
    names: dict[str, str]
    texts: re.Pattern[str] | None
    marks_count: bool = False

    def name(self, text: str) -> str:
        """Return the name of an option by its text as it was found."""
        return self.names[text.casefold() if self.marks_count else _folded(text)]

    def whole(self, line: str) -> str | None:
        """Return the name of the option that a line is, but for marks around it."""
        line = line.strip(_AROUND)
        match = self.texts.match(line) if self.texts else None
        if match is None or line[match.end() :].strip(_AROUND + "!"):
            return None
        return self.name(match[0])


_MARKS = re.compile(r"[\W_]+")


def _folded(text: str) -> str:
    return _MARKS.sub("", text).casefold()


@lru_cache(maxsize=1024)
def _choices(letters: str, options: tuple[str, ...]) -> _Choices:
    """Return the possible answers in the form in which they are looked for."""
    names = letters or [str(index) for index in range(len(options))]
    texts: dict[str, str] = {}
    for name, option in zip(names, options, strict=False):
        text = _plain(option).strip()
        # An option whose text is a letter of another one is named by its own letter only.
        if text and text.strip(_AROUND) not in [*letters]:
            texts[name] = text
    by_text = {_folded(text): name for name, text in texts.items()}
    marks_count = len(by_text) < len(texts) or "" in by_text
    if marks_count:
        # Options such as "+" and "−" are told apart by their marks.
        by_text = {text.casefold(): name for name, text in texts.items()}
        patterns = [re.escape(text) for text in texts.values()]
    else:
        patterns = [_any_marks_between_words(text) for text in texts.values()]
    if not patterns:
        return _Choices(letters, {}, None)
    longest_first = "|".join(sorted(patterns, key=len, reverse=True))
    pattern = re.compile(rf"(?:{longest_first})(?![^\W_])", re.IGNORECASE)
    return _Choices(letters, by_text, pattern, marks_count)


def _any_marks_between_words(text: str) -> str:
    words = re.findall(r"[^\W_]+", text)
    return r"[\W_]{0,8}".join(map(re.escape, words))


# Letters of alphabets with spaces between words, and digits: no letter of an option is followed by one.
_WORD = r"0-9A-Za-zÀ-\u04ff"
# A letter may be followed by the verb of Turkish ("B'dir"), and by no other apostrophe ("D'accord", "I'm").
_LETTER = re.compile(
    rf"(?P<bracket>\()?(?P<letter>[A-Za-z])(?![{_WORD}])(?(bracket)[.:]?\))"
    r"(?:['’][dt][iıuü]r)?(?!['’][A-Za-z])"
)
# Every repetition is bounded or ends at the next line, so that no text is gone over again and again.
_GLUE = re.compile(r"(?:[\s\"'“”‘’【〔(\[{<:=→>,،_\x02]|[-–—](?=\s)|\.{3}){0,40}+")
_STOP = re.compile(
    r"\)\s|[\"'“”’)\]}>»】〕_]{0,8}+(?:\s*+$|[^\S\n]*+\n|[^\S\n]*+[.,:;!、。।—–](?!\w)|\s+-\s|\s+\()"
)
_ARROW = re.compile(r"[\"'”’)\]}>]{0,4}[^\S\n]{1,3}(?:→|⇒|[-=]>)[^\S\n]{1,3}")
_QUESTION = re.compile(r"[\"'”’)\]}>»_]{0,8}+\s?\?")
_FORMULA = re.compile(r"\s*+(?:[=+∧∨¬→↔⇒⇔|^]|->|<(?!/))")
_LOWER_WORD = re.compile(r"[\"'”’)]{0,8}+\s+[a-z]")
_LETTER_MARK = re.compile(r"[.):\]]{0,2}[\s\"'“”‘’]{1,4}")
_NEXT_WORD = re.compile(rf"[\"'”’)]{{0,8}}+[^\S\n]*+[{_WORD}]")
_FILLERS = 10
"""Words at most between a cue and the answer ("the answer is, I think, the option B")."""


def _choice_after(
    text: str,
    position: int,
    choices: _Choices,
    words: _Grammar,
    *,
    strict: bool,
    denied: bool = False,
) -> _Found | None:
    """Return what stands behind a cue, over words such as "the option"; ``None`` if it is no answer.

    Args:
        text: the plain text.
        position: where the cue ends.
        choices: the possible answers.
        words: of the languages of the text.
        strict: whether a sentence may not go on behind the answer, as in "so B follows".
        denied: whether the cue itself denies what follows, as in "la respuesta no es B".
    """
    for _ in range(_FILLERS):
        glue = _GLUE.match(text, position)
        position = glue.end() if glue else position
        label = None if denied else _label_at(text, position, choices, words)
        if label is not None:
            return label
        denial = words.denied.match(text, position)
        if denied and denial is None:
            denial = words.fill.match(text, position)
        denied = False
        excluded = _excluded(text, denial.end(), choices) if denial else None
        if excluded is not None:
            name, position = excluded
            but = words.but.match(text, position)
            if but is None:
                return _Excluded(name)
            position = but.end()
            continue
        if words.none.match(text, position):
            return _NO_OPTION
        letter = _LETTER.match(text, position)
        # A small letter that is none of the options' is a variable or a word.
        possible = letter is not None and (
            letter["letter"].isupper() or letter["letter"].upper() in choices.letters
        )
        if (
            letter
            and possible
            and choices.letters
            and _is_option(text, letter, words, strict=strict)
        ):
            return _letter_found(text, letter, choices, words)
        filler = words.around.match(text, position)
        if filler is None:
            return None
        position = filler.end()
    return None


def _excluded(text: str, position: int, choices: _Choices) -> tuple[str, int] | None:
    """Return the option that stands behind a "not", and where it ends."""
    label = choices.texts.match(text, position) if choices.texts else None
    if label is not None:
        return choices.name(label[0]), label.end()
    letter = _LETTER.match(text, position)
    if letter is not None and letter["letter"].upper() in choices.letters:
        return letter["letter"].upper(), letter.end()
    return None


def _is_option(text: str, letter: re.Match[str], words: _Grammar, *, strict: bool) -> bool:
    """Return whether a letter is an option rather than an article, a pronoun, a variable or a question."""
    behind = letter.end()
    if (
        _QUESTION.match(text, behind)
        or _FORMULA.match(text, behind)
        or words.wrong.match(text, behind)
        or words.provided.match(text, behind)
    ):
        return False
    if letter["bracket"] or words.because.match(text, behind) or words.join.match(text, behind):
        return True
    if letter["letter"].isupper() and _article(text, letter):
        return False
    goes_on = _NEXT_WORD.match(text, behind)
    return (letter["letter"].isupper() and not strict) or not goes_on


def _letter_found(text: str, letter: re.Match[str], choices: _Choices, words: _Grammar) -> _Found:
    """Return the option of a letter, unless a second one is joined to it or it is no option."""
    name = letter["letter"].upper()
    if name not in choices.letters or _is_joined(text, letter, choices, words):
        return _NO_OPTION
    if _text_behind(text, letter, choices) not in (None, name):
        return _NO_OPTION
    return _Found(name)


_SENTENCE = 3
"""Words from which the text of an option behind a letter is a quotation of it, and no remark."""


def _text_behind(text: str, letter: re.Match[str], choices: _Choices) -> str | None:
    """Return the option whose whole text, of three words or more, stands behind a letter; ``None`` without one."""
    glue = _LETTER_MARK.match(text, letter.end())
    quoted = choices.texts.match(text, glue.end()) if glue and choices.texts else None
    if quoted is None or len(quoted[0].split()) < _SENTENCE:
        return None
    return choices.name(quoted[0])


def _is_joined(text: str, letter: re.Match[str], choices: _Choices, words: _Grammar) -> bool:
    """Return whether a second option follows a letter, as in "A or B", and not the next clause, as in "B, A fails"."""
    join = words.join.match(text, letter.end())
    second = _LETTER.match(text, join.end()) if join else None
    if join is None or second is None:
        return False
    if second["letter"].upper() not in choices.letters.replace(letter["letter"].upper(), ""):
        return False
    goes_on = _NEXT_WORD.match(text, second.end()) and not words.join.match(text, second.end())
    if not goes_on:
        return True
    if join["comma"] or _begins_clause(join):
        return False
    return second["letter"].isupper() and not _article(text, second)


def _begins_clause(join: re.Match[str]) -> bool:
    """Return whether a join begins a clause where words follow, as ", and" does and ", or" does not."""
    return join["aside"] is not None and join["either"] is None


def _article(text: str, letter: re.Match[str]) -> bool:
    """Return whether a letter is the article or the pronoun of English."""
    return letter["letter"] in "aAI" and _LOWER_WORD.match(text, letter.end()) is not None


def _label_at(text: str, position: int, choices: _Choices, words: _Grammar) -> _Found | None:
    """Return the option that stands in words at a position and ends there, or nothing."""
    match = choices.texts.match(text, position) if choices.texts else None
    if match is None or _QUESTION.match(text, match.end()):
        return None
    name = choices.name(match[0])
    second = _second_label(text, match.end(), choices, words)
    if second is not None and second != name:
        return _NO_OPTION
    arrow = _ARROW.match(text, match.end())
    if arrow or _STOP.match(text, match.end()) or words.because.match(text, match.end()):
        return _Found(name)
    return None


def _second_label(text: str, position: int, choices: _Choices, words: _Grammar) -> str | None:
    """Return the name of the option in words that is joined to the one before a position; ``None`` without any."""
    join = words.join.match(text, position)
    between = join or _ARROW.match(text, position)
    second = choices.texts.match(text, between.end()) if between and choices.texts else None
    if second is None:
        return None
    if join and _begins_clause(join) and _NEXT_WORD.match(text, second.end()):
        return None
    return choices.name(second[0])


# Words ---------------------------------------------------------------------------------------------------------------


@cache
def _words() -> dict[str, Any]:
    """Return what ``answer_words.yaml`` says, read once."""
    import yaml

    # In the form that plain text has.
    text = unicodedata.normalize("NFKC", WORDS_FILE.read_text(encoding="utf-8"))
    words: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return words


class _Phrase(NamedTuple):
    """A pattern that begins with one of some words; looking for these first takes a fifth of the time."""

    first_words: re.Pattern[str]
    pattern: re.Pattern[str]

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches of the pattern in plain text, in their order."""
        lower = text.lower()
        position = 0
        while first := self.first_words.search(lower, position):
            match = self.pattern.match(text, first.start())
            position = match.end() if match else first.start() + 1
            if match:
                yield match


class _Grammar(NamedTuple):
    """The patterns of the languages that a text is in.

    Attributes:
        cue: announces an answer; ``bare``: by a noun alone, ``chosen``: by a verb.
        statement: names an answer in passing.
        right: says of a letter that it is the answer.
        option_before: "option" before a letter.
        around: a word that may stand between a cue and an answer.
        join: stands between two answers.
        because: begins a reason.
        denied: "not"; ``denied_cue``: a cue that ends with one, as in "la respuesta no es".
        fill: a few words that may stand before an answer.
        provided: an "if" right behind an answer; ``if_behind``: one soon behind a cue that ends with ``would``.
        sole: a whole reply that says of one option that it is chosen.
        none: says that no option is meant.
        but: stands between an excluded answer and the right one.
        wrong: says of a letter before it that it is not the answer.
        supposed: "if", or a doubt, with the few words before a cue.
        other: says of an answer that it is not the one given, with the few words before a cue.
    """

    cue: _Phrase
    statement: _Phrase
    right: re.Pattern[str]
    option_before: re.Pattern[str]
    around: re.Pattern[str]
    join: re.Pattern[str]
    because: re.Pattern[str]
    denied: re.Pattern[str]
    denied_cue: re.Pattern[str]
    fill: re.Pattern[str]
    provided: re.Pattern[str]
    would: re.Pattern[str]
    if_behind: re.Pattern[str]
    sole: re.Pattern[str]
    none: re.Pattern[str]
    but: re.Pattern[str]
    wrong: re.Pattern[str]
    supposed: re.Pattern[str]
    other: re.Pattern[str]


def _languages_in(text: str) -> tuple[str, ...]:
    """Return the languages of which a word that announces an answer is in the text; English always."""
    text = text.lower()
    keys = _keys_of_languages(text.isascii())
    return (
        "en",
        *(language for language, words in keys.items() if any(map(text.__contains__, words))),
    )


@cache
def _keys_of_languages(ascii_only: bool) -> dict[str, list[str]]:
    """Return by language, but for English, the words that announce an answer; without those that no such text has."""
    found: dict[str, list[str]] = {}
    for language, words in _words()["languages"].items():
        for kind in ("answers", "options", "chosen", "picks", "subjects"):
            for word in words.get(kind, ()):
                if language != "en" and (word.isascii() or not ascii_only):
                    found.setdefault(language, []).append(word)
    return found


@lru_cache(maxsize=256)
def _grammar(languages: tuple[str, ...]) -> _Grammar:
    """Return the patterns of some languages."""

    def of(*kinds: str) -> set[str]:
        rows = [_words()["languages"][language] for language in languages]
        return {word for row in rows for kind in kinds for word in row.get(kind, ())}

    def one_of(*kinds: str) -> str:
        return _one_of(of(*kinds))

    # Up to eight words between a noun and its verb: "the answer to this question is B"; no capital letter alone.
    word = r"[\"'“(]?(?:[^\W_][\w'’-]{1,30}|(?-i:[a-z]))[\"'”)]?"
    gap = rf"(?:[^\S\n]+{word}){{0,8}}?[^\S\n]{{0,2}}"
    verb = rf"{gap}(?:{one_of('is')})"
    colon = r"[\s\"'”’)\]_]{0,4}(?:[:=→】>]|[-–—](?=\s))"
    around = one_of("around")
    conjunction = rf"(?:(?P<either>{one_of('either')})|{one_of('or')})"
    hedge = rf"(?:(?:{one_of('hedges')})\s*)?"
    fill = rf"(?:(?:{around})\s+){{0,2}}"
    letter = r"\(?(?P<letter>[A-Z])\)?"
    options = one_of("options")
    patterns = {
        "cue": rf"(?P<box>{_BOX})|(?P<chosen>{one_of('chosen')})"
        rf"|(?:{one_of('answers')})(?:{colon}|{verb}|(?P<bare>(?=\s|\()))"
        rf"|(?:{options})(?:{colon}|{verb})",
        "statement": rf"(?:{one_of('subjects')})(?:{colon}|{verb})|(?:{one_of('picks')})",
        "right": rf"(?<![{_WORD}'’])(?-i:{letter})\s*(?:{one_of('right')})",
        "option_before": rf"(?:{options})[\s:]*",
        "around": rf"(?:{around})",
        "join": rf"[\"'”’)\]}}>.\s]{{0,4}}(?:(?P<aside>[,(]\s{{0,2}})?{conjunction}|/|(?P<comma>,|、)|&)"
        rf"[\s\"'“‘(\[<]{{0,4}}(?!(?:{one_of('not')})){hedge}{fill}\(?",
        "because": rf"[\"'”’)\]}}>,\s]{{0,4}}\s(?:{one_of('because')})",
        "denied": rf"(?:{one_of('not')})\s*{fill}",
        "denied_cue": rf"(?:{one_of('not')})\s*(?:{one_of('is')})\s*$",
        "fill": fill,
        "would": rf"(?:{one_of('would')})\s*$",
        # Sixty characters of the same sentence are room for a short answer.
        "if_behind": rf"[^.\n]{{0,60}}?(?:{one_of('if')})",
        # In lower case: "B If Kim swims" is the option B and its text.
        "provided": rf"\s+(?-i:{one_of('if')})",
        "sole": rf"(?P<lead>(?:(?:{one_of('lead')}),?\s+){{1,3}})?(?-i:{letter})"
        rf"(?P<holds>\s+(?:{one_of('holds')}))?[.!\s]*",
        "none": one_of("none"),
        "but": rf"[,\s]{{0,3}}(?:{one_of('but')})",
        "wrong": rf"[\"'”’)\]}}>]{{0,4}}\s*(?:{one_of('wrong')})",
        "other": rf"(?:{one_of('other')})(?:\s+[\w'’]{{1,20}}){{0,2}}[\s:=\"]{{0,4}}$",
        "supposed": rf"(?:{one_of('if', 'doubts')})(?:\s+(?!(?:{one_of('but')}))[\w'’]{{1,20}}){{0,3}}\s*$",
    }
    compiled: dict[str, Any] = {
        name: re.compile(text, re.IGNORECASE) for name, text in patterns.items()
    }
    firsts = {
        "cue": {_BOX, *of("answers", "options", "chosen")},
        "statement": of("subjects", "picks"),
    }
    for name, first_words in firsts.items():
        compiled[name] = _Phrase(re.compile(_literally(first_words)), compiled[name])
    return _Grammar(**compiled)


# Scripts that set no space between words: Thai, and all from the radicals of Chinese on (Japanese, Korean).
_UNSPACED = r"\u0e00-\u0e7f\u2e80-\U0003ffff"


def _one_of(words: Iterable[str]) -> str:
    """Return a pattern of any of some words, whole ones where the script sets spaces between words."""
    groups: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for word in words:
        # A single letter is a word in lower case alone: "a", and not the option A.
        text = f"(?-i:{word})" if len(word) == 1 else _literally([word])
        before = _WHOLE_BEFORE if re.match(rf"[^\W{_UNSPACED}]", word) else ""
        behind = _WHOLE_BEHIND if re.search(rf"[^\W{_UNSPACED}]$", word) else ""
        groups.setdefault((before, behind), []).append((-len(word), text))
    found = []
    for (before, behind), texts in sorted(groups.items()):
        found.append(f"{before}(?:{'|'.join(text for _, text in sorted(texts))}){behind}")
    # Without any word nothing matches.
    return "|".join(found) or "(?!)"


_WHOLE_BEFORE, _WHOLE_BEHIND = r"(?<![^\W_])", r"(?![^\W_])"


def _literally(words: Iterable[str]) -> str:
    """Return a pattern of texts as they stand, the longest first."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    found = "|".join(re.escape(word).replace(r"\ ", r"[^\S\n]+") for word in ordered)
    return f"(?:{found})" if found else "(?!)"

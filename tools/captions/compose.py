"""Caption groups: a premise with its entailed, contradicted and neutral hypotheses, and the tags of every word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer
from tools.captions.contradictions import contradicted
from tools.captions.dice import Dice
from tools.captions.entailments import entailed
from tools.captions.lexicon import Lexicon
from tools.captions.loader import load_lexicon
from tools.captions.neutrals import neutral
from tools.captions.premises import Situation, draw_premise
from tools.captions.words import Token, join_tokens, repeats_itself

ENTAILMENT, CONTRADICTION, NEUTRAL = "entailment", "contradiction", "neutral"

_REDRAWS = 200  # attempts at a premise that no earlier group has
_TRIES = 12  # attempts at a hypothesis before the group does without it


@dataclass(frozen=True)
class Sentence:
    """A sentence as its tokens with Penn Treebank tags, the full stop included."""

    tokens: tuple[Token, ...]

    @property
    def text(self) -> str:
        return join_tokens(self.tokens)


@dataclass(frozen=True)
class CaptionGroup:
    """One premise and its labelled hypotheses (at least one of each label)."""

    index: int
    premise: Sentence
    hypotheses: tuple[tuple[str, Sentence], ...]

    def rows(self) -> Iterator[dict[str, object]]:
        """The group as SNLI's official jsonl rows, one per hypothesis."""
        caption = f"divlogic-{self.index:06d}#0"
        seen: dict[str, int] = {}
        for label, hypothesis in self.hypotheses:
            seen[label] = seen.get(label, 0) + 1
            yield {
                "annotator_labels": [label],
                "captionID": caption,
                "gold_label": label,
                "pairID": f"{caption}r{seen[label]}{label[0]}",
                "sentence1": self.premise.text,
                "sentence2": hypothesis.text,
            }


def compose_captions(count: int, seed: int, lexicon_dir: Path) -> Iterator[CaptionGroup]:
    """Compose `count` groups with distinct premises; group i is drawn from SeedSequence([seed, i, attempt]).

    Attempt 0 depends on (seed, i) alone. Only when its premise is one of an earlier group is attempt 1, 2, ... made;
    so a longer run begins with the groups of a shorter one. Raises DivLogicError when the lexicon runs dry.
    """
    lexicon = load_lexicon(Path(lexicon_dir))
    seen: set[str] = set()
    for index in range(count):
        for attempt in range(_REDRAWS):
            group = _compose_group(lexicon, index, Dice(seed, index, attempt))
            text = group.premise.text.casefold()
            if text not in seen:
                seen.add(text)
                yield group
                break
        else:
            raise DivLogicError(
                f"The caption lexicon in {lexicon_dir} yields no new premise after {index} groups. "
                "Ask for fewer groups or add entries to the lexicon."
            )


def write_captions(out: Path, count: int, seed: int, lexicon_dir: Path) -> None:
    """Write `count` groups to `out` as SNLI's official jsonl (gzipped when the name ends in .gz)."""
    with atomic_writer(out) as stream:
        for group in compose_captions(count, seed, lexicon_dir):
            stream.writelines(
                orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in group.rows()
            )


def tagged_captions(count: int, seed: int, lexicon_dir: Path) -> Iterator[list[Token]]:
    """Yield `count` tagged sentences: (word, Penn tag) tokens of premises and hypotheses, group by group."""
    given = 0
    groups = compose_captions(count, seed, lexicon_dir)  # each group holds several sentences
    while given < count:
        group = next(groups)
        for sentence in (group.premise, *(hypothesis for _, hypothesis in group.hypotheses)):
            if given < count:
                given += 1
                yield list(sentence.tokens)


def _compose_group(lexicon: Lexicon, index: int, dice: Dice) -> CaptionGroup:
    while True:
        situation, premise = draw_premise(lexicon, dice)
        taken = {_content(premise)}
        hypotheses: list[tuple[str, Sentence]] = []
        for label, make, wanted in (
            (ENTAILMENT, entailed, dice.weighted([(0.3, 1), (0.45, 2), (0.25, 3)])),
            (CONTRADICTION, contradicted, dice.weighted([(0.6, 1), (0.4, 2)])),
            (NEUTRAL, neutral, dice.weighted([(0.6, 1), (0.4, 2)])),
        ):
            found = _some(make, lexicon, situation, dice, wanted, taken)
            hypotheses += [(label, Sentence(tokens)) for tokens in found]
        if len({label for label, _ in hypotheses}) == 3:
            return CaptionGroup(index, Sentence(premise), tuple(hypotheses))


def _some(
    make: Callable[[Lexicon, Situation, Dice], tuple[Token, ...] | None],
    lexicon: Lexicon,
    situation: Situation,
    dice: Dice,
    wanted: int,
    taken: set[tuple[str, ...]],
) -> list[tuple[Token, ...]]:
    """Up to `wanted` different sentences from a maker, none of them said before in the group."""
    found: list[tuple[Token, ...]] = []
    for _ in range(_TRIES * wanted):
        if len(found) == wanted:
            break
        tokens = make(lexicon, situation, dice)
        if tokens is None or repeats_itself(tokens) or (content := _content(tokens)) in taken:
            continue
        taken.add(content)
        found.append(tokens)
    return found


def _content(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """What a sentence says whatever its determiners and verb forms ("The dog swims" is "A dog is swimming" again)."""
    lemma = "".join(
        word[:3]
        for word, tag in tokens
        if tag in {"VBG", "VBZ", "VBP"} and word not in {"is", "are"}
    )
    return (
        lemma,
        *(word.lower() for word, tag in tokens if tag not in {"DT", "VBZ", "VBP", "VBG", "EX"}),
    )

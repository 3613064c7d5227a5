"""What each generator gives to a data set: the records of a group, and how they are asked and answered."""

from __future__ import annotations

import atexit
import hashlib
import importlib
import lzma
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

import orjson

from divlogic.benchmarks import made
from divlogic.benchmarks.divlogiceval.draw import SymbolicInstance
from divlogic.benchmarks.divlogiceval.groups import SentenceGroup, Spacing, without_shared_sentences
from divlogic.benchmarks.divlogiceval.sizes import QUARTET, QUESTION_TYPES
from divlogic.benchmarks.llmeval_logic.asked import asked_in_record
from divlogic.config.section import Section
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import read_yaml, writing
from divlogic.models.answers import AnswerFormat, format_of
from divlogic.models.prompts import render_closed
from divlogic.models.styles import CLOSED
from divlogic.models.sub_answers import SubQuestion, prompt, read_reply
from divlogic.records import Record

_ATTEMPT = 2**24
"""Distance of the index that is drawn in place of one that cannot be worded."""

_ENDLESS = 2**40
_SENTENCES_STREAM = 7
_STRATEGIES = ("set_valued", "counterfactual")
"""Ways of asking that each item of LLMEval-Logic has, named among its operators."""


class ItemSource:
    """Groups of one generator, by the functions of its room (``draw.py``, ``realise.py``, ``check.py``).

    Attributes:
        room: folder of the benchmark.
        group_size: records of a group.
        version: raised whenever a draw changes; tests hold it by recorded checksums.
        data: names of the package's data files that wording reads, by input.
    """

    room: ClassVar[str]
    group_size: ClassVar[int] = 1
    version: ClassVar[int] = 1
    data: ClassVar[Mapping[str, str]] = {}

    def __init__(self, parameters: Any, seed: int) -> None:
        self.parameters, self.seed = parameters, seed
        self._draw, self._realise = self._module("draw"), self._module("realise")
        inputs = {name: package_file(file) for name, file in self.data.items()}
        self._resources = self._realise.resources(inputs)

    @classmethod
    def _spec(cls) -> Any:
        return vars(made)[cls.room.upper()]

    @classmethod
    def _module(cls, part: str) -> Any:
        return importlib.import_module(f"divlogic.benchmarks.{cls.room}.{part}")

    @classmethod
    def parameters_model(cls) -> type[Section]:
        """Return the section of params.yaml that configures the generator."""
        found: type[Section] = cls._spec().generator.parameters
        return found

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """Return what a configuration of the library may name."""
        return tuple(cls.parameters_model().model_fields)

    @classmethod
    def configured(cls, config: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the section that a configuration of the library gives."""
        return dict(config)

    def group(self, number: int) -> list[Record]:
        """Return the records of a group; one that cannot be worded is replaced by one of a far index."""
        for attempt in range(64):
            group = self.drawn(number + attempt * _ATTEMPT)
            if group is None:
                continue
            records = self._realise.realise(group, self._resources, self.parameters, self.seed)
            if records:
                return list(records[: self.group_size])
        raise RuntimeError(f"{self.room}: group {number} cannot be worded with these parameters")

    def drawn(self, index: int) -> Any:
        """Return a symbolic group."""
        return self._draw.draw(self.parameters, self.seed, index)

    def problems(self, record: Record) -> list[str]:
        """Return what a solver objects to; nothing means that the label is confirmed."""
        found: list[str] = self._module("check").problems(record)
        return found

    def question(self, record: Record) -> tuple[str, str]:
        """Return the prompt of a record and its answer as a completion gives it."""
        assert record.answer is not None
        prompt = render_closed(record, CLOSED["zero_shot"], (), self.form)
        return prompt, self.form(record).shown(record.answer)

    @classmethod
    def form(cls, record: Record) -> AnswerFormat:
        """Return the form of a record's answer."""
        found: AnswerFormat = cls._spec().answers or format_of(record)
        return found

    def about(self, record: Record) -> dict[str, Any]:
        """Return what else of a record its answers are read by, beside the options: part of the metadata."""
        return {}

    @classmethod
    def read(cls, text: str | None, about: Mapping[str, Any]) -> str | None:
        """Return the answer that a completion gives, as :meth:`question` gives it; ``None``: none.

        Args:
            text: the completion.
            about: metadata of the item: ``options``, and what :meth:`about` adds.
        """
        record = Record(
            id="",
            benchmark="",
            split="",
            context="",
            question="",
            options=tuple(about["options"]),
            answer=None,
        )
        return cls.form(record).read(text, record.options)

    @classmethod
    def share_right(cls, answer: str, expected: str) -> float:
        """Return how much of an answer that was read is right, 0 to 1."""
        return float(answer == expected)

    def difficulty(self, record: Record) -> dict[str, Any]:
        """Return what the difficulty of a record is measured by."""
        return {"depth": record.depth}


class LogicNLISource(ItemSource):
    """Quartets of statements over one theory: entailment, contradiction, neutral and paradox."""

    room, group_size, version = "logicnli", 4, 8

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """Return the keys of the section and of its section ``balanced``."""
        inner: Any = cls.parameters_model().model_fields["balanced"].annotation
        return (*super().keys(), *inner.model_fields)

    @classmethod
    def configured(cls, config: Mapping[str, Any]) -> dict[str, Any]:
        """Return the configuration with the keys of the section ``balanced`` in their place."""
        inner = set(cls.keys()) - set(super().keys())
        nested = {key: value for key, value in config.items() if key in inner}
        rest = {key: value for key, value in config.items() if key not in nested}
        return {**rest, "balanced": {**rest.get("balanced", {}), **nested}}


class JustLogicSource(ItemSource):
    """Threes of arguments: true, false and uncertain."""

    room, group_size, version = "justlogic", 3, 13
    data: ClassVar[Mapping[str, str]] = {"statements": "statements.jsonl"}

    def __init__(self, parameters: Any, seed: int) -> None:
        """Take one split without end, so that a three depends on its index alone."""
        whole = {"train": 0.0, "validation": 0.0, "test": 1.0}
        endless = {**parameters.model_dump(), "per_depth": 3 * _ENDLESS, "splits": whole}
        super().__init__(type(parameters).model_validate(endless), seed)

    def group(self, number: int) -> list[Record]:
        """Return the three in the order of their ids, which are mixed: in that of the labels the place would tell."""
        return sorted(super().group(number), key=lambda record: record.id)


class DivLogicEvalSource(ItemSource):
    """Quartets of one question type: each option is the right one once."""

    room, group_size, version, data = "divlogiceval", 4, 13, {"groups": "groups.jsonl"}

    def __init__(self, parameters: Any, seed: int) -> None:
        self.parameters, self.seed = parameters, seed
        self._draw, self._realise = self._module("draw"), self._module("realise")
        self._rows = _lines(self.data["groups"])

    def group(self, number: int) -> list[Record]:
        """Return the four members; those of a quartet share their sentence groups."""
        quartet, kind = divmod(number, len(QUESTION_TYPES))
        first = QUARTET * quartet + kind
        records: list[Record] = []
        groups: list[SentenceGroup] = []
        for member in range(self.group_size):
            place = first + member * len(QUESTION_TYPES)
            instance = self._draw.draw_instance(self.seed, place, self.parameters)
            if member == 0 or instance.quartet is None:
                groups = self._sentence_groups(place, len(instance.variables))
            records.append(self._worded(instance, groups, place))
        return records

    def _sentence_groups(self, place: int, count: int) -> list[SentenceGroup]:
        """Draw so many sentence groups that are about different things."""
        draws = Draws(self.seed, place, _SENTENCES_STREAM)
        spacing = Spacing(count + 1)
        chosen: set[int] = set()
        while len(chosen) < count:
            at = draws.below(len(self._rows))
            if at not in chosen and spacing.take(orjson.loads(self._rows[at])):
                chosen.add(at)
        groups = [
            SentenceGroup.from_json(row, self.parameters.max_hypotheses) for row in spacing.rows
        ]
        return without_shared_sentences(groups)

    def _worded(
        self, instance: SymbolicInstance, groups: Sequence[SentenceGroup], place: int
    ) -> Record:
        record: Record = self._realise.realise(
            instance,
            groups,
            self.parameters,
            self.seed,
            place,
            id=hashlib.blake2b(
                f"{self.room} {self.seed} {place}".encode(), digest_size=8
            ).hexdigest(),
            split="test",
        )[0]
        return record

    def difficulty(self, record: Record) -> dict[str, Any]:
        """Return the question type, the construction, and the numbers of premises and lexical steps needed."""
        names = ("construction", "premises_needed", "lexical_steps")
        known = {name: record.metadata.get(name) for name in names}
        return {"question_type": record.question_type, **known}


class ILogicEvalSource(DivLogicEvalSource):
    """DivLogicEval's instances under the name of its predecessor."""

    def group(self, number: int) -> list[Record]:
        """Return the four members, as records of ILogicEval."""
        return [replace(record, benchmark="ilogiceval") for record in super().group(number)]


class LLMEvalLogicSource(ItemSource):
    """Scenarios with several sub-questions; an answer is a JSON object from the number of each to its answer."""

    room, version, data = "llmeval_logic", 9, {"seeds": "seeds.jsonl"}

    @classmethod
    def parameters_model(cls) -> type[Section]:
        """Return the section of the hardener."""
        inner: Any = super().parameters_model().model_fields["hardener"].annotation
        return inner  # type: ignore[no-any-return]

    def drawn(self, index: int) -> Any:
        """Return the index: an item is worded while it is drawn."""
        return index

    def question(self, record: Record) -> tuple[str, str]:
        """Return the scenario with its sub-questions in Chinese, and the answers as a JSON object."""
        asked = asked_in_record(record)
        shown = prompt(
            record.context,
            [one["zh"] for one in record.metadata["questions"]],
            [one.question for one in asked],
            [[option.zh for option in one.options] for one in asked],
        )
        return shown, _object(one.question.written(one.key()) for one in asked)

    def about(self, record: Record) -> dict[str, Any]:
        """Return what each sub-question asks for: the reader's part of the metadata."""
        return {"sub_questions": [str(one.question) for one in asked_in_record(record)]}

    @classmethod
    def read(cls, text: str | None, about: Mapping[str, Any]) -> str | None:
        """Return the answers of a completion in the form of the key; ``null`` stands for one that is not read.

        ``None``: no answer is read.
        """
        asked = _asked(about)
        found = read_reply(text or "", asked)
        if found is None or all(answer is None for answer in found):
            return None
        return _object(
            None if answer is None else one.written(answer)
            for one, answer in zip(asked, found, strict=True)
        )

    @classmethod
    def share_right(cls, answer: str, expected: str) -> float:
        """Return the share of the sub-questions that are answered rightly."""
        given, wanted = orjson.loads(answer), orjson.loads(expected)
        right = sum(bool(given.get(key) == value) for key, value in wanted.items())
        return float(right / len(wanted))

    def difficulty(self, record: Record) -> dict[str, Any]:
        """Return the number of operators and of sub-questions."""
        operators = len(record.forms or ()) - len(_STRATEGIES)
        return {"operators": operators, "questions": len(record.metadata["questions"])}


def _asked(about: Mapping[str, Any]) -> list[SubQuestion]:
    """Return what the sub-questions of an item ask for, from its metadata."""
    listed = about.get("sub_questions")
    if not listed:
        raise DivLogicError(
            "the item does not say what its sub-questions ask for (`sub_questions`); draw it anew with this version."
        )
    return [SubQuestion.from_text(one) for one in listed]


def _object(values: Iterable[Any]) -> str:
    """Return the values of the sub-questions as a JSON object under their numbers."""
    return orjson.dumps(
        {str(number): value for number, value in enumerate(values, start=1)}
    ).decode()


@cache
def _lines(name: str) -> list[bytes]:
    """Return the lines of a data file of the package; each is parsed when it is drawn."""
    packed = files("divlogic.library").joinpath("data", f"{name}.xz").read_bytes()
    return lzma.decompress(packed).splitlines(keepends=True)


def temporary_folder() -> Path:
    """Return a new folder that ends with the process."""
    folder = Path(tempfile.mkdtemp(prefix="divlogic-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def package_file(name: str) -> Path:
    """Return a data file of the package, unpacked into a temporary folder.

    It is made by ``python -m tools.package_data`` from what the workflow makes.
    """
    path = temporary_folder() / name
    with writing(path):
        path.write_bytes(b"".join(_lines(name)))
    return path


SOURCES: dict[str, type[ItemSource]] = {
    "divlogiceval": DivLogicEvalSource,
    "ilogiceval": ILogicEvalSource,
    "justlogic": JustLogicSource,
    "logicnli": LogicNLISource,
    "llmeval_logic": LLMEvalLogicSource,
}


LEVELS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    name: tuple(levels)
    for name, levels in read_yaml(Path(__file__).with_name("levels.yaml")).items()
}
"""Levels of difficulty: whole configurations that are valid together, easiest first."""

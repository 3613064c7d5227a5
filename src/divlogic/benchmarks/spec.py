"""What a benchmark is: its answers, how it is generated, which official files it has, how its labels are audited.

A benchmark is a folder of this package. Its ``benchmark.yaml`` declares a :class:`Benchmark`, which ``made.py``
reads and ``registry.py`` lists. Reading a spec imports no generator: what needs more than the standard library is named
as an :data:`Entry`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from divlogic.benchmarks.source import OnProblem, SourceFile
from divlogic.benchmarks.verdict import Verdict
from divlogic.config.section import Section
from divlogic.io.files import read_yaml
from divlogic.models.answers import AnswerFormat
from divlogic.models.parameters import ClosedQuestionParameters
from divlogic.records import Record

T = TypeVar("T")

Entry: TypeAlias = str
"""A function or a value of this package, imported when it is used: ``benchmarks.folio_audit:audit_folio``."""

Columns: TypeAlias = Mapping[str, Any]
"""What the columns of a release mean, by name; see :func:`divlogic.benchmarks.release.card.schema_of`."""

Audit: TypeAlias = Callable[[Record], Verdict | None]
"""Derives the label of a record again; ``None`` for a record that carries no symbolic form.

A benchmark names its audit as an entry: a function, which may take the ``seconds`` of Z3 for one label.
"""


@dataclass(frozen=True, slots=True)
class Format:
    """How the rows of a published file look, and how a row becomes records.

    Attributes:
        name: what the corpora registry (``reader: benchmark:<name>``) and the command line call it.
        about: one line for a listing.
        fields: fields that a row has; what sniffing looks for.
        records: turns (row name, row, file) into records; raises ValueError for a malformed row.
        rows: yields (row name, row) of a file whose rows are not simply its lines or items.
        fits: tells whether a first row that has the fields is of this format.
        encoding: of the texts, where the bytes need not tell it; told from them if empty.
        name_part: what the names of the format's files hold, for folders and archives of mixed files.
        unique: whether the source's own ids are unique; if not, a repeated id gets ``-2``, ``-3``.
    """

    name: str
    about: str
    fields: tuple[str, ...]
    records: Callable[[str, Any, SourceFile], Iterable[Record]]
    rows: Callable[[SourceFile, OnProblem | None], Iterator[tuple[str, Any]]] | None = None
    fits: Callable[[Mapping[str, Any], SourceFile], bool] | None = None
    encoding: str = ""
    name_part: str = ""
    unique: bool = True


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A printed table, as data/published names it (``DivLogicEval``, ``Table 4``)."""

    paper: str
    number: str


DIVERGENCE_TABLE = PaperTable("DivLogicEval", "Table 4")
COMPLEXITY_TABLE = PaperTable("JustLogic", "Natural language complexity")
PRIOR_KNOWLEDGE_TABLE = PaperTable("JustLogic", "Proving its prior knowledge independence")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a published benchmark that tables can be measured on.

    Attributes:
        corpus: name of the corpus in data/registry.yaml.
        files: the registered paths that make it up; those that are here are read, in name order. How a file is read
            is its ``reader`` in the registry.
        description: how a table says which part was used (``test``, ``validation instead of test``).
        expected: records of the whole part, ``None`` if not known.
        exact: whether it is the test set that the papers measured.
        tables: the printed tables whose paper measured this very part; they use it even where an earlier part is here.
        by_folder: name the folders of the files that are here in the description (``test of depth-3, depth-5``).
        reader: the format that its files are read in; empty: the one that the registry names.
    """

    corpus: str
    files: tuple[str, ...]
    description: str
    expected: int | None = None
    exact: bool = True
    tables: tuple[PaperTable, ...] = ()
    by_folder: bool = False
    reader: str = ""

    def described(self, names: Iterable[str]) -> str:
        """Return the description of what is here, from the registered paths of its files."""
        if not self.by_folder:
            return self.description
        return f"{self.description} of " + ", ".join(Path(name).parent.name for name in names)


@dataclass(frozen=True, slots=True)
class Published:
    """Records of a published benchmark that stand under one name in collections, tables and figures.

    Attributes:
        name: that name; the ``benchmark`` of its records.
        parts: best first; the first that is here is measured.
        audit: derives its labels again, where its files carry a symbolic form.
        view: whether it reads texts that stand in the tables already in another form; probes and the label audit use
            it, tables that count words do not.
        pool: name of the records that few-shot examples are drawn from; empty, or where they are not here: some of
            these records are shown and not asked.
        reproduces: name of the records whose printed numbers were measured on these; empty: they have its own name.
    """

    name: str
    title: str
    parts: tuple[Part, ...]
    audit: Entry = ""
    view: bool = False
    pool: str = ""
    reproduces: str = ""


@dataclass(frozen=True, slots=True)
class Generator:
    """How a benchmark is made.

    Attributes:
        parameters: its section ``benchmarks.<name>`` of params.yaml; the generic rules read its key ``shards``.
        draw, realise: the two sharded steps; empty where the benchmark has rules of its own for them.
            ``draw(run, shard, shards)`` yields the symbolic instances of a shard as rows; the union of all shards does
            not depend on their number. ``realise(run, drawn, shard, inputs, counts)`` yields the records of a shard, in
            order, and puts into ``counts`` how the wording went. ``run`` is the ``BenchmarksRun``.
        verify: confirms every label of a split with a solver and writes a report (records, report);
            raises DivLogicError where a label is not confirmed.
        inputs: names of the files that ``realise`` reads in addition to the drawn instances.
        records: the ``benchmark`` of its records; empty: the benchmark's name. A benchmark that is also published
            uses ``<name>_generated``.
        audit: derives the labels of generated records again (:data:`Audit`).
        twins: further benchmarks that are made of the same instances: name -> title.
        help: what the command group ``divlogic benchmarks <name>`` says of itself.
        commands: the steps of that group: those that it alone has.
        measures: further measurements by command name (``divlogic benchmarks <command> <name>``); each is called with
            (source, table, processes), where the source is a file of records or a folder of published layout.
        tabled: the split that tables are measured on, where rules of its own make the splits; empty: none.
        order: returns what the rows of its records are sorted by, where the instances of a shard do not follow one
            another; empty: those of the next shard come behind those of one.
    """

    parameters: type[Section]
    draw: Entry = ""
    realise: Entry = ""
    verify: Entry = ""
    inputs: tuple[str, ...] = ()
    records: str = ""
    title: str = ""
    audit: Entry = ""
    twins: Mapping[str, str] = field(default_factory=dict)
    help: str = ""
    commands: Mapping[str, Entry] = field(default_factory=dict)
    measures: Mapping[str, Entry] = field(default_factory=dict)
    tabled: str = ""
    order: Entry = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How a split is put to models, with its context and one prompt per record (``divlogic evaluation ask <name>``).

    Attributes:
        parameters: its section ``evaluation.<name>`` of params.yaml; has ``prompts``, ``sampling`` and ``number``.
        number: key of the number of records, or of groups of records, that are asked; ``null`` asks all.
        choose: returns that many of the records in their order; ``None``: records that are evenly spaced
            over the question types and depths.
        split: what is asked.
        pool: the split that solved examples are drawn from.
        if_named: whether only those models are asked that name the benchmark among theirs.
        once: whether every model is asked once, for any numbers of runs and of instances.
    """

    parameters: type[Section] = ClosedQuestionParameters
    number: str = "instances"
    choose: Callable[[list[Record], int | None], list[Record]] | None = None
    split: str = "test"
    pool: str = "train"
    if_named: bool = False
    once: bool = False


@dataclass(frozen=True, slots=True)
class Licence:
    """Under what terms a release stands.

    Attributes:
        name: identifier as Hugging Face spells it (``cc0-1.0``, ``cc-by-sa-4.0``, ``other``).
    """

    name: str
    url: str
    note: str


class Planned(NamedTuple):
    """How many records were planned of a split, or of several splits together, of one configuration of a release."""

    config: str
    splits: tuple[str, ...]
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFacts:
    """What a benchmark's spec says of its release; the rest is known only once it is made.

    Attributes:
        licences: by source of the corpora (``embedded``, ``full``).
        role: role of the corpora that its sentences come from (``nli``, ``generics``); empty: from no corpus.
        configs: configuration name, which is also the folder of its splits -> what it is, in a phrase.
        parameters: dotted keys of params.yaml that the data depends on.
        reports: title of a table -> its csv file in the benchmark's results.
        planned: ``planned(run, files)`` returns the :class:`Planned` of a run, which its plan may lower from what the
            parameters want; ``files`` are those that the rule names.
        wanted: split -> dotted key of params.yaml that asks for its number of instances, of which fewer may be made.
        tasks, tags: for the card's header.
        kept_apart: metadata of a test record that tell which records belong together; they stand in a file of keys.
    """

    summary: str
    citation: str
    licences: Mapping[str, Licence]
    columns: Columns
    role: str
    configs: Mapping[str, str]
    parameters: tuple[str, ...]
    planned: Entry
    reports: Mapping[str, str] = field(default_factory=dict)
    wanted: Mapping[str, str] = field(default_factory=dict)
    tasks: tuple[str, ...] = ("question-answering",)
    tags: tuple[str, ...] = ("logical-reasoning", "synthetic")
    kept_apart: tuple[str, ...] = ()


def read_release(path: Path) -> ReleaseFacts:
    """Read what a spec says of a release (``release.yaml`` of the benchmark's folder)."""
    from pydantic import TypeAdapter

    return TypeAdapter(ReleaseFacts).validate_python(read_yaml(path))


def split_file(split: str, is_compressed: bool) -> str:
    """Return the name of the file of a split."""
    return f"{split}.jsonl.zst" if is_compressed else f"{split}.jsonl"


@dataclass(frozen=True)
class Benchmark:
    """One benchmark, generated, published or both.

    Attributes:
        name: its folder, its key in params.yaml, its outputs, its page.
        language: of its texts, ISO 639-1.
        answers: the form of an answer, with prompt, reading and chance level; ``None``: it differs between records.
        splits: in the order in which they are written.
        compressed: those of the splits whose files are compressed; the others are read by eye.
        generator: how it is made; ``None``: published only.
        parts: its official files under its own name, best first; empty: there are none.
        audit: derives the labels of those files again (see :attr:`Generator.audit`).
        published: its official records; by default those of ``parts``.
        release: its :class:`ReleaseFacts`; empty: not released.
        tables: the printed tables that it stands in.
        baselines: name → a baseline that reads its form, offered to the models as ``baseline/NAME``.
        asked: how a split is asked with one prompt per record; ``None``: not in this form.
        not_rotated: names of its records that are not asked in all rotations -> why, and what to do instead.
    """

    name: str
    title: str
    paper: str
    answers: AnswerFormat | None
    language: str = "en"
    splits: tuple[str, ...] = ("test",)
    compressed: tuple[str, ...] = ()
    generator: Generator | None = None
    parts: tuple[Part, ...] = ()
    audit: str = ""
    published: tuple[Published, ...] = ()
    formats: tuple[Format, ...] = ()
    release: Entry = ""
    tables: tuple[PaperTable, ...] = ()
    baselines: Mapping[str, Entry] = field(default_factory=dict)
    asked: Asked | None = None
    not_rotated: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.parts:
            own = Published(self.name, self.title, self.parts, self.audit)
            object.__setattr__(self, "published", (own,))

    def file_of(self, split: str) -> str:
        """Return the name of a split's file in the folder of the benchmark."""
        return split_file(split, split in self.compressed)

    @property
    def records(self) -> tuple[Published, ...]:
        """Return its sets of records: the published ones, those made here, and their twins."""
        made = self.generator
        names = {self.generated_name: self.generated_title, **made.twins} if made else {}
        own = [Published(name, title, (), made.audit) for name, title in names.items() if made]
        return (*self.published, *own)

    @property
    def generated_name(self) -> str:
        """Return the name that its generated records carry; empty if it is not generated."""
        return (self.generator.records or self.name) if self.generator else ""

    @property
    def generated_title(self) -> str:
        """Return the title of its generated records; empty if it is not generated."""
        return (self.generator.title or self.title) if self.generator else ""


def declared_benchmark(
    facts: Mapping[str, Any],
    code: Mapping[str, Mapping[str, Any]],
    *,
    parameters: type[Section] | None = None,
    **more: Any,
) -> Benchmark:
    """Return the benchmark that a mapping of YAML declares.

    Args:
        facts: fields of :class:`Benchmark`; ``parts``, ``published``, ``formats`` and ``generator`` have the fields of
            their classes, and a printed table is a pair of paper and number.
        code: format -> its fields that are code.
        parameters: section of the generator.
        more: fields of the benchmark that are code.
    """
    own: dict[str, Any] = {
        "parts": _parts(facts),
        "published": tuple(
            _made(Published, one, parts=_parts(one)) for one in facts.get("published", ())
        ),
        "formats": tuple(
            _made(Format, one, **code[one["name"]]) for one in facts.get("formats", ())
        ),
        "tables": _tables(facts),
    }
    if parameters is not None:
        own["generator"] = _made(Generator, facts["generator"], parameters=parameters)
    return _made(Benchmark, facts, **own | more)


def _parts(facts: Mapping[str, Any]) -> tuple[Part, ...]:
    return tuple(_made(Part, one, tables=_tables(one)) for one in facts.get("parts", ()))


def _tables(facts: Mapping[str, Any]) -> tuple[PaperTable, ...]:
    return tuple(PaperTable(*pair) for pair in facts.get("tables", ()))


def _made(kind: Callable[..., T], facts: Mapping[str, Any], **more: Any) -> T:
    """Return an object with the fields of a YAML mapping, in which lists become tuples."""
    plain = {
        name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()
    }
    return kind(**plain | more)

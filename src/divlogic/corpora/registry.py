"""data/registry.yaml: every corpus with its version, licence, citation, addresses and checksums."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from divlogic.config.option import read_mapping
from divlogic.config.section import Section, check_section
from divlogic.errors import DivLogicError, nearest

REGISTRY = Path("data/registry.yaml")
Role = Literal[
    "nli",
    "generics",
    "wikipedia",
    "tagger",
    "tokenizer",
    "wordnet",
    "comparator",
    "recorded",
    "templates",
]
"""What a corpus feeds: sentence pairs, generic statements, prose, NLTK's data, tables of comparison, templates."""


def load_registry(path: Path) -> dict[str, Corpus]:
    """Read and check the registry; the corpora keep the order of the file."""
    values = read_mapping(Path(path), "there is no such registry; name it with --registry.")
    return check_section(Registry, values, str(path), what="key").corpora


def select(registry: dict[str, Corpus], names: list[str]) -> dict[str, Corpus]:
    """Return the named corpora in the order of ``names``."""
    for name in names:
        if name not in registry:
            hint = nearest(name, registry, "`divlogic corpora list` shows those there are.")
            raise DivLogicError(f"no corpus is called '{name}'; {hint}")
    return {name: registry[name] for name in names}


def corpora_by_role(registry: dict[str, Corpus], parameters: Any) -> dict[str, list[str]]:
    """Return the names of a run's corpora by role, and under ``all`` every one, in the registry's order.

    ``corpus_source`` and ``corpora.full`` of the parameters choose those of the run.
    """
    source = parameters.corpus_source
    wanted = parameters.corpora.full if source == "full" else registry
    names = [
        name for name, corpus in registry.items() if name in wanted and corpus.source == source
    ]
    roles = sorted({role for corpus in registry.values() for role in corpus.roles})
    return {"all": names} | {
        role: [name for name in names if role in registry[name].roles] for role in roles
    }


def _relative(path: str) -> str:
    """Refuse a path that could lead out of the corpus folder."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\\" in path:
        raise ValueError("a path must be relative, with forward slashes and without '..'")
    return path


RelativePath = Annotated[str, AfterValidator(_relative)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Url = Annotated[str, Field(pattern=r"^https?://\S+$")]
Reader = Annotated[
    str,
    Field(
        pattern=r"^(nli|nli_tokenised|generics_tsv|generics_parquet|wikipedia_jsonl|wikipedia_parquet|text_lines"
        r"|benchmark:[a-z0-9_]+|recorded:[a-z0-9_]+)$"
    ),
]
"""Name of the reader of a file; ``benchmark:…`` and ``recorded:…`` are formats that later phases read."""


class CorpusLicence(Section):
    """Under what terms a corpus may be used."""

    name: str
    url: Url | None = None
    notes: str | None = None


class Citation(Section):
    """The publication to cite."""

    authors: str
    title: str
    venue: str
    year: int
    url: Url | None = None


class RegisteredFile(Section):
    """One official file of a corpus.

    Attributes:
        path: its name inside the corpus folder.
        urls: official addresses, tried in order; archive_urls: tried after all of those.
        sha256, bytes: of the file as downloaded; ``None``: the first download's are recorded and then checked.
        bytes_between: size at least and at most, of a file whose checksum could not be had.
        git_blob: the id of its content in the owner's git, which is a checksum too (SHA-1), or its first digits.
        rows: of data, over all members.
        members: the members of a zip that are read, or unpacked (none given: all).
        optional: taken where it is there (in the mirror or placed by hand); its absence is no failure.
        instead_of: the path of another file, of which this is another form with the same rows: taken where that one
            cannot be had.
        unpack: unpack the zip into ``into`` instead of keeping it; unpacked_bytes: its
            maximum size.
        series: the entry's path, ``rubrics/{000-246}.json``, that stands for a file per number; each is optional, since
            such an entry is for series with gaps. Addresses hold ``{}`` where the number goes.
    """

    path: RelativePath
    urls: list[Url] = Field([])
    archive_urls: list[Url] = Field([])
    sha256: Sha256 | None = None
    git_blob: str | None = Field(None, pattern=r"^[0-9a-f]{8,40}$")
    bytes: int | None = Field(None, ge=0)
    bytes_between: tuple[Annotated[int, Field(ge=1)], int] | None = None
    rows: int | None = Field(None, ge=0)
    reader: Reader | None = None
    members: list[RelativePath] = Field([])
    optional: bool = False
    instead_of: str = ""
    unpack: bool = False
    into: RelativePath = "."
    unpacked_bytes: int | None = Field(None, ge=1)
    series: str = ""

    @model_validator(mode="after")
    def _sizes_are_limits(self) -> RegisteredFile:
        if self.unpack and self.unpacked_bytes is None:
            raise ValueError(
                f"'{self.path}' is unpacked, so it needs 'unpacked_bytes', the size at most"
            )
        if self.bytes_between is not None and self.bytes_between[0] > self.bytes_between[1]:
            raise ValueError(
                f"'bytes_between' of '{self.path}' has a least size above its greatest"
            )
        return self


class StandIn(Section):
    """A partial or converted copy that a mirror may hold in the place of an official file.

    Attributes:
        mirror: its path inside the mirror folder; path: its name inside the corpus folder.
        of: the path of the official file that it stands for.
        part: which part of the official file it is, in words.
    """

    mirror: RelativePath
    path: RelativePath
    of: RelativePath
    sha256: Sha256
    bytes: int | None = Field(None, ge=0)
    rows: int | None = Field(None, ge=0)
    part: str
    reader: Reader | None = None


class EmbeddedFile(Section):
    """One file of a corpus written for this project."""

    path: RelativePath
    reader: Reader | None = None


class Corpus(Section):
    """One corpus of the registry."""

    title: str
    version: str
    licence: CorpusLicence
    citation: Citation
    homepage: Url | None = None
    roles: list[Role] = Field(min_length=1)
    gated: bool = False
    by_hand: str | None = None
    notes: str | None = None
    mirror_folders: list[RelativePath] = Field([])
    files: list[RegisteredFile] = Field([])
    stand_ins: list[StandIn] = Field([])
    embedded: list[EmbeddedFile] = Field([])

    @field_validator("files", mode="before")
    @classmethod
    def _numbered(cls, value: Any) -> Any:
        return (
            [each for row in value for each in _series(row)] if isinstance(value, list) else value
        )

    @property
    def optional(self) -> bool:
        """Whether a run can do without it: nothing is made of it, it is only compared with."""
        return set(self.roles) <= {"comparator", "recorded"}

    @property
    def _required(self) -> list[RegisteredFile]:
        return [file for file in self.files if not file.optional and not file.instead_of]

    @property
    def source(self) -> Literal["embedded", "full"]:
        """Which kind of run uses the corpus."""
        return "embedded" if self.embedded else "full"

    @property
    def bytes(self) -> int | None:
        """Size of the official files, or ``None`` where one is not known."""
        sizes = [file.bytes for file in self._required]
        return None if not sizes or None in sizes else sum(size or 0 for size in sizes)

    @property
    def rows(self) -> int | None:
        """Rows of the official files, or ``None`` where one is not known."""
        rows = [file.rows for file in self._required]
        return None if not rows or None in rows else sum(count or 0 for count in rows)

    @model_validator(mode="after")
    def _holds_together(self) -> Corpus:
        if bool(self.files) == bool(self.embedded):
            raise ValueError("give either 'files' or 'embedded'")
        paths = [file.path for file in self.files]
        if len(set(paths)) < len(paths):
            raise ValueError("two files have the same path")
        for file in self.files:
            if file.instead_of and file.instead_of not in paths:
                raise ValueError(
                    f"'{file.path}' stands for '{file.instead_of}', which is no file here"
                )
        for stand_in in self.stand_ins:
            if stand_in.of not in paths:
                raise ValueError(
                    f"the stand-in '{stand_in.path}' is of '{stand_in.of}', which is no file here"
                )
        if self.gated and not self.by_hand:
            raise ValueError("a gated corpus must say in 'by_hand' how to get it")
        if any(not file.urls and not file.archive_urls for file in self.files) and not self.by_hand:
            raise ValueError("a file without an address needs 'by_hand'")
        return self


def _series(row: Any) -> list[Any]:
    """Return one entry per number for a path like ``rubrics/{000-246}.json``; any other entry as it is."""
    path = str(row.get("path", "")) if isinstance(row, dict) else ""
    match = re.fullmatch(r"(.*)\{(\d+)-(\d+)\}(.*)", path)
    if match is None:
        return [row]
    before, first, last, after = match.groups()
    numbers = [f"{number:0{len(first)}}" for number in range(int(first), int(last) + 1)]
    return [
        {
            **row,
            "path": f"{before}{number}{after}",
            "urls": [url.replace("{}", number) for url in row.get("urls", ())],
            "optional": True,
            "series": path,
        }
        for number in numbers
    ]


class Registry(Section):
    """The whole file."""

    corpora: dict[Annotated[str, Field(pattern=r"^[a-z0-9_]{1,64}$")], Corpus]

    @model_validator(mode="after")
    def _every_file_is_known(self) -> Registry:
        for name, corpus in self.corpora.items():
            for file in corpus.files:
                if file.sha256 is None and file.bytes_between is None:
                    raise ValueError(
                        f"the file '{file.path}' of '{name}' has neither 'sha256' nor 'bytes_between' (at least,"
                        " at most): anything would pass for it"
                    )
        return self

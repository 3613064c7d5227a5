"""One form for every corpus: data/interim/corpora/{nli,generics,wikipedia}.jsonl.gz."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.corpora.manifest import Manifest, ManifestFile, problems, read_manifest
from divlogic.corpora.readers import PairRow, files_for, read_articles, read_generics, read_pairs
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.io.log import say, track
from divlogic.io.shards import HashSet, hash_of

Role = Literal["nli", "generics", "wikipedia"]
MAX_NAMED = 20
"""Malformed rows that the log names one by one; further ones are only counted."""


@dataclass
class RowTally:
    """What became of the rows of one corpus; ``malformed`` also decides whether such a row stops the run."""

    corpus: str
    skip_malformed: bool = False
    counts: Counter[str] = field(default_factory=Counter)

    def malformed(self, problem: str) -> None:
        """Count and name a malformed row."""
        if not self.skip_malformed:
            raise DivLogicError(f"{problem}; fix or delete that row, or pass --skip-malformed.")
        self.counts["malformed"] += 1
        if self.counts["malformed"] <= MAX_NAMED:
            say(f"skipped: {problem}")
        elif self.counts["malformed"] == MAX_NAMED + 1:
            say(f"skipped: further malformed rows of {self.corpus} are only counted.")

    def sentence(self) -> str:
        """Say in one line what became of the rows."""
        kept = self.counts["kept"]
        dropped = [
            f"{count:,} {reason}"
            for reason, count in sorted(self.counts.items())
            if reason != "kept"
        ]
        return f"{self.corpus}: {kept:,} rows kept" + (
            f"; left out: {', '.join(dropped)}" if dropped else ""
        )


def normalise_corpora(
    folders: Annotated[tuple[Path, ...], ARGUMENT, FOLDER, "FOLDER..."],
    *,
    role: Annotated[Role, "What to read."],
    out: Annotated[Path, "The jsonl file to write (.gz: compressed)."],
    skip_malformed: Annotated[bool, "Count and name malformed rows instead of stopping."] = False,
) -> list[RowTally]:
    """Write the rows of corpus folders in one form; the order of the folders is that of the rows.

    Of ``nli``: corpus, genre, premise_id, pair_id, label, premise, hypothesis and, where annotators are named,
    agreement; of ``generics``: term, sentence, score, source; of ``wikipedia``: title, text.
    """
    tallies: list[RowTally] = []

    def rows() -> Iterator[dict[str, Any]]:
        for folder in folders:
            manifest = read_manifest(folder)
            wrong = problems(folder, manifest, checksums=False)
            if wrong:
                raise DivLogicError(
                    f"{folder}: {'; '.join(wrong)}; fetch or make the corpus again."
                )
            say(f"{manifest.corpus}:")
            tally = RowTally(manifest.corpus, skip_malformed)
            tallies.append(tally)
            seen = HashSet()
            premises = _PremiseIds(manifest)
            for path, file in files_for(manifest, folder, role):
                before = tally.counts.copy()
                source = (seen, path, file, tally)
                for row in _pairs(premises, *source) if role == "nli" else _texts(*source):
                    tally.counts["kept"] += 1
                    yield row
                kept = tally.counts["kept"] - before["kept"]
                read = tally.counts.total() - before.total()
                say(f"  {file.name}: {kept:,} of {read:,} rows kept; the file is {file.part}")
            say(tally.sentence())
            if not tally.counts["kept"]:
                raise DivLogicError(
                    f"{folder}: no usable row for '{role}' was found; fetch the corpus again or correct it."
                )

    write_jsonl(out, track(rows(), f"{role} rows"))
    return tallies


def _pairs(
    premises: _PremiseIds, seen: HashSet, path: Path, file: ManifestFile, tally: RowTally
) -> Iterator[dict[str, Any]]:
    """Yield the normalised pairs of one file; see :class:`_PremiseIds` for ids and overlapping files."""
    for row in read_pairs(path, file, tally.malformed):
        identity: tuple[str, ...] = (row.premise, row.hypothesis, row.label)
        if premises.overlapping:
            identity = _letters(row.premise), _letters(row.hypothesis)
        if row.label == "-":
            tally.counts["without a gold label"] += 1
        elif not row.premise or not row.hypothesis:
            tally.counts["empty"] += 1
        elif not _is_new(seen, *identity):
            tally.counts["duplicate"] += 1
        else:
            premise_id, premise = premises.settle(row)
            own = row.pair_id is not None and _is_new(premises.pair_ids, row.pair_id)
            yield {
                "corpus": tally.corpus,
                "genre": row.genre,
                "premise_id": premise_id,
                "pair_id": f"{tally.corpus}:{row.pair_id if own else _made_id(row)}",
                "label": row.label,
                "premise": premise,
                "hypothesis": row.hypothesis,
                **({} if row.agreement is None else {"agreement": row.agreement}),
            }


def _texts(
    seen: HashSet, path: Path, file: ManifestFile, tally: RowTally
) -> Iterator[dict[str, Any]]:
    """Yield the statements or articles of one file; the same sentence on the same term, or the same text, once."""
    generic = file.reader in ("generics_tsv", "generics_parquet")
    for row in (read_generics if generic else read_articles)(path, file, tally.malformed):
        identity = (row["term"], row["sentence"].rstrip(". ")) if generic else (row["text"],)
        if not all(identity):
            tally.counts["empty"] += 1
        elif not _is_new(seen, *identity):
            tally.counts["duplicate"] += 1
        else:
            yield row | {"source": row["source"] or tally.corpus} if generic else row


class _PremiseIds:
    """Gives every premise one id and, where partial copies overlap, one wording.

    The id is ``corpus:captionID`` or ``corpus:promptID``; a premise without one, or whose id already belongs to
    another premise (MultiNLI has a few), gets ``corpus:file:row`` of the first row it occurs in. Where copies
    overlap, the first row of a premise settles id and wording for all rows with the same letters and digits;
    the files come in the order raw before tokenised, so that the raw wording wins.
    """

    def __init__(self, manifest: Manifest) -> None:
        self.corpus = manifest.corpus
        # Partial copies of a corpus may overlap, raw or tokenised: letters and digits say there what is the same.
        pairs = [file for file in manifest.files if (file.reader or "").startswith("nli")]
        self.overlapping = any(not file.part.startswith("whole") for file in pairs)
        self.pair_ids = HashSet()
        self._known: dict[int, tuple[str, str | None]] = {}
        self._ids, self._owners = HashSet(), HashSet()

    def settle(self, row: PairRow) -> tuple[str, str]:
        """Return the id and the wording of a row's premise."""
        key = hash_of(_letters(row.premise) if self.overlapping else row.premise)
        if not self.overlapping and row.premise_id and self._owns(row.premise_id, key):
            return f"{self.corpus}:{row.premise_id}", row.premise
        if key not in self._known:
            own = row.premise_id
            if own is None or not self._owns(own, key):
                own = _made_id(row)
            self._known[key] = (f"{self.corpus}:{own}", row.premise if self.overlapping else None)
        premise_id, wording = self._known[key]
        return premise_id, wording or row.premise

    def _owns(self, own: str, key: int) -> bool:
        """Return whether an id belongs to a premise; one that belongs to none is given to it."""
        owner = hash_of(f"{own}\0{key}")
        if not self._ids.add(hash_of(own)) and owner not in self._owners:
            return False
        self._owners.add(owner)
        return True


def _letters(text: str) -> str:
    """Return the letters and digits of a text, or the text if it has none."""
    return "".join(filter(str.isalnum, text)) or text


def _is_new(seen: HashSet, *parts: str) -> bool:
    """Note a row by its hash; return whether it was not there yet."""
    return seen.add(hash_of("\0".join(parts)))


def _made_id(row: PairRow) -> str:
    """Make an id for a row from its file and number."""
    return f"{PurePosixPath(row.where.rsplit(':', 1)[-1]).name.split('.jsonl')[0]}:{row.row}"

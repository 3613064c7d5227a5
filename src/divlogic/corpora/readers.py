"""Reading the corpora row by row: SNLI, MultiNLI and XNLI pairs, generic statements, Wikipedia prose."""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import orjson

from divlogic.corpora.manifest import Manifest, ManifestFile
from divlogic.errors import DivLogicError
from divlogic.io.files import open_bytes, read_yaml
from divlogic.io.foreign import BeyondError, Lined, check_json
from divlogic.records import one_line

LABELS = ("entailment", "neutral", "contradiction")
Malformed = Callable[[str], None]
"""Called with a sentence for a row that cannot be used; the row is then skipped."""


_JOINTS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in read_yaml(Path(__file__).with_name("joints.yaml"))
)


@dataclass(frozen=True, slots=True)
class PairRow:
    """One sentence pair as it stands in its file.

    Attributes:
        where: corpus file (and member); row: its number from 1.
        label: one of ``LABELS`` or ``-`` (the annotators did not agree).
        premise_id, pair_id: the corpus' own ids, ``None`` where the file has none.
        agreement: share of the annotators who gave the gold label; ``None`` where fewer than three are named.
    """

    where: str
    row: int
    label: str
    premise: str
    hypothesis: str
    genre: str | None
    premise_id: str | None
    pair_id: str | None
    agreement: float | None = None


def read_pairs(path: Path, file: ManifestFile, malformed: Malformed) -> Iterator[PairRow]:
    """Yield the pairs of one file in SNLI's or MultiNLI's jsonl form: loose, gzipped, or inside the zip.

    Rows of another language than English (XNLI) are passed over.
    """
    for where, number, row in _objects(path, file.members, malformed):
        if row.get("language", "en") != "en":
            continue
        problem = _pair_problem(row)
        if problem:
            malformed(f"{where}, row {number}: {problem}")
            continue
        tokenised = file.reader == "nli_tokenised" or str(row.get("text_form")).endswith(
            "tokenised"
        )
        form = detokenise if tokenised else one_line
        yield PairRow(
            where,
            number,
            row["gold_label"],
            form(row["sentence1"]),
            form(row["sentence2"]),
            row.get("genre") or ("captions" if "captionID" in row else None),
            _id(row.get("captionID", row.get("promptID"))),
            _id(row.get("pairID")),
            _agreement(row),
        )


def read_generics(path: Path, file: ManifestFile, malformed: Malformed) -> Iterator[dict[str, Any]]:
    """Yield term, sentence, score and source of a GenericsKB table (columns named in its header).

    It is tab-separated, or the hub's parquet file, whose columns have the same names with underscores. Needed are TERM
    and GENERIC SENTENCE; SOURCE and SCORE are read where they are there.
    """
    if file.reader == "generics_parquet":
        yield from _parquet_generics(path)
        return
    header: list[str] | None = None
    for _, number, line in _lines(path, file.members, malformed):
        cells = line.split("\t")
        if header is None:
            header = [cell.strip().upper() for cell in cells]
            for column in ("TERM", "GENERIC SENTENCE"):
                if column not in header:
                    raise DivLogicError(
                        f"{path}, row {number}: the column '{column}' is missing; found {', '.join(header)}."
                    )
            continue
        if len(cells) != len(header):
            malformed(f"{path}, row {number}: {len(cells)} columns instead of {len(header)}")
            continue
        row = dict(zip(header, cells, strict=True))
        score = row.get("SCORE", "").strip()
        try:
            yield {
                "term": one_line(row["TERM"]),
                "sentence": one_line(row["GENERIC SENTENCE"]),
                "score": float(score) if score else None,
                "source": row.get("SOURCE") or None,
            }
        except ValueError:
            malformed(f"{path}, row {number}: the score is '{score}', not a number")


def read_articles(path: Path, file: ManifestFile, malformed: Malformed) -> Iterator[dict[str, Any]]:
    """Yield title and text of one file: Hugging Face's parquet, jsonl (also WikiExtractor's) or plain lines.

    The title is empty for untitled lines.
    """
    if file.reader == "wikipedia_parquet":
        yield from _parquet_articles(path)
    elif file.reader == "text_lines":
        for _, _, line in _lines(path, file.members, malformed):
            yield {"title": "", "text": line.strip()}
    else:
        for where, number, row in _objects(path, file.members, malformed):
            title, text = row.get("title", ""), row.get("text")
            if isinstance(text, str) and isinstance(title, str):
                # WikiExtractor repeats the title as the first line of the text.
                yield {"title": title, "text": text.removeprefix(f"{title}\n\n").strip()}
            else:
                malformed(
                    f"{where}, row {number}: the field 'text' or 'title' is missing or is not a string"
                )


def files_for(manifest: Manifest, folder: Path, role: str) -> list[tuple[Path, ManifestFile]]:
    """Return the files of a corpus folder that a role reads."""
    readers = {
        "nli": ("nli", "nli_tokenised"),
        "generics": ("generics_tsv", "generics_parquet"),
        "wikipedia": ("wikipedia_jsonl", "wikipedia_parquet", "text_lines"),
    }[role]
    files = [(Path(folder) / file.name, file) for file in manifest.files if file.reader in readers]
    if not files:
        raise DivLogicError(
            f"{folder}: nothing there can be read as '{role}'; name a corpus with that role."
        )
    return files


def _raw_lines(path: Path, members: tuple[str, ...]) -> Iterator[tuple[str, int, bytes]]:
    """Yield (place, row number, line) of a file (unpacked if gzipped) or a zip's members, without blank lines."""
    try:
        with contextlib.ExitStack() as stack:
            if path.suffix == ".zip" and path.is_file():
                archive = stack.enter_context(zipfile.ZipFile(path))
                names = members or [name for name in archive.namelist() if name.endswith(".jsonl")]
                streams = [
                    (f"{path}:{PurePosixPath(name).name}", archive.open(name)) for name in names
                ]
            else:
                streams = [(str(path), stack.enter_context(open_bytes(path)))]
            for where, stream in streams:
                empty = True
                lines = io.BufferedReader(Lined(stream, where), buffer_size=1 << 18)
                for number, raw in enumerate(lines, start=1):
                    if not raw.isspace():
                        empty = False
                        yield where, number, raw
                if empty:
                    raise DivLogicError(f"{where}: the file is empty; fetch or make it again.")
    except KeyError as error:  # of ZipFile.open
        raise DivLogicError(f"{path}: {error.args[0]}; fetch the registered version.") from error
    except (EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise DivLogicError(f"{path}: not a whole zip file ({error}); fetch it again.") from error


def _lines(
    path: Path, members: tuple[str, ...], malformed: Malformed
) -> Iterator[tuple[str, int, str]]:
    """Yield (place, row number, text) of the lines that are UTF-8."""
    for where, number, raw in _raw_lines(path, members):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            malformed(
                f"{where}, row {number}: not valid UTF-8 ({error.reason} at byte {error.start})"
            )
        else:
            yield where, number, line.rstrip("\r\n")


def _objects(
    path: Path, members: tuple[str, ...], malformed: Malformed
) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield (place, row number, object) of the lines that are JSON objects."""
    for where, number, raw in _raw_lines(path, members):
        try:
            check_json(raw, f"{where}, row {number}")
            row = orjson.loads(raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw)
        except BeyondError as error:
            malformed(f"{where}, row {number}: {error.reason}")
            continue
        except orjson.JSONDecodeError as error:
            malformed(f"{where}, row {number}: not valid JSON ({error.msg})")
            continue
        if isinstance(row, dict):
            yield where, number, row
        else:
            malformed(f"{where}, row {number}: a JSON {type(row).__name__} instead of an object")


def _agreement(row: dict[str, Any]) -> float | None:
    """Return the share of a pair's annotators who gave its gold label, where at least three are named."""
    labels = row.get("annotator_labels")
    if not isinstance(labels, list):
        return None
    given = [label for label in labels if label in LABELS]
    if len(given) < 3:
        return None
    return round(given.count(row["gold_label"]) / len(given), 2)


def _pair_problem(row: dict[str, Any]) -> str | None:
    """Say what keeps a row from being a sentence pair."""
    for name in ("gold_label", "sentence1", "sentence2"):
        if name not in row:
            return f"the column '{name}' is missing"
        if not isinstance(row[name], str):
            return f"the column '{name}' is not a string"
    if row["gold_label"] not in (*LABELS, "-"):
        return f"the label is '{row['gold_label']}', not one of {', '.join(LABELS)} or -"
    return None


def _id(value: Any) -> str | None:
    return None if value in (None, "") else str(value)


def _parquet_articles(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the articles of a parquet file."""
    for row in _parquet_rows(path, needed=("text",), optional=("title",)):
        yield {"title": row.get("title") or "", "text": (row["text"] or "").strip()}


def _parquet_generics(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the statements of the hub's copy of GenericsKB-Best."""
    for row in _parquet_rows(
        path, needed=("term", "generic_sentence"), optional=("score", "source")
    ):
        score = row.get("score")
        yield {
            "term": one_line(row["term"] or ""),
            "sentence": one_line(row["generic_sentence"] or ""),
            "score": None if score is None else float(score),
            "source": row.get("source") or None,
        }


def _parquet_rows(
    path: Path, *, needed: tuple[str, ...], optional: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a parquet file with these columns, a few hundred at a time."""
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    if not path.is_file():
        raise DivLogicError(f"{path}: there is no such file; fetch the corpus again.")
    try:
        with parquet.ParquetFile(path) as table:
            names = table.schema_arrow.names
            if lacking := [name for name in needed if name not in names]:
                raise DivLogicError(
                    f"{path}: the column '{lacking[0]}' is missing; found {', '.join(names)}; fetch the registered"
                    " version."
                )
            columns = [name for name in (*needed, *optional) if name in names]
            if not table.metadata.num_rows:
                raise DivLogicError(f"{path}: the file is empty; fetch it again.")
            for batch in table.iter_batches(batch_size=512, columns=columns):
                yield from batch.to_pylist()
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DivLogicError(
            f"{path}: not a whole parquet file ({error}); fetch it again."
        ) from error


def detokenise(text: str) -> str:
    """Return a tokenised sentence in ordinary spelling (``did n't`` → ``didn't``, ``there .`` → ``there.``).

    Of the sentences of MultiNLI that are known both in tokens and raw, nineteen in twenty come out as they were
    to the letter; the others differ in a space next to a mark, mostly where the raw text itself has an odd one.
    """
    text = one_line(text)
    for pattern, replacement in _JOINTS:
        text = pattern.sub(replacement, text)
    text = text.replace("``", '"').replace("''", '"')
    # A free-standing apostrophe is a closing quotation mark or the genitive of a plural.
    text = re.sub(r" '(?= |$)", "'", text)
    return one_line(_straight_quotes(text))


def _straight_quotes(text: str) -> str:
    """Close up free-standing straight quotation marks, opening and closing in turn."""
    done, rest, opening = "", text, True
    while '"' in rest:
        before, _, rest = rest.partition('"')
        if before[-1:] in ("", " ") and rest[:1] in ("", " "):
            before, rest = (before, rest.lstrip()) if opening else (before.rstrip(), rest)
        done += f'{before}"'
        opening = not opening
    return done + rest

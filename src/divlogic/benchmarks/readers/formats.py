"""Every format that can be read, and how to tell which one a file has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.readers import generic, inference, published
from divlogic.benchmarks.readers.source import OnProblem, SourceFile, report, rows, source_files
from divlogic.errors import DivLogicError
from divlogic.progress import track
from divlogic.records import Record


@dataclass(frozen=True, slots=True)
class Format:
    """How one published format looks and how a row of it becomes records.

    Attributes:
        name: what the format is called on the command line.
        about: one line for a listing.
        fields: fields that a row has (at the top; ``a.b`` is field b inside a); what sniffing looks for.
        records: turns (row name, row, file) into records; raises ValueError for a malformed row.
        encoding: of CSV files.
        name_part: what the names of the format's files hold, for folders and archives of mixed files.
        unique: whether the source's own ids are unique; if not, a repeated id gets ``-2``, ``-3``.
    """

    name: str
    about: str
    fields: tuple[str, ...]
    records: Callable[[str, Any, SourceFile], Iterable[Record]]
    encoding: str = "utf-8-sig"
    name_part: str = ""
    unique: bool = True


FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        Format("reclor", "ReClor val.json / test.json", ("answers", "id_string"), published.reclor),
        Format(
            "logiqa2", "LogiQA 2.0 JSON lines", ("text", "options", "type"), published.logiqa2, unique=False
        ),
        Format(
            "proofwriter_meta",
            "ProofWriter's own meta-*.jsonl (theories with questions)",
            ("theory", "questions"),
            inference.proofwriter_meta,
            name_part="meta-",
        ),
        Format(
            "ruletaker",
            "RuleTaker theories with questions (file or depth folders)",
            ("context", "questions"),
            inference.ruletaker,
        ),
        Format(
            "logicnli",
            "LogicNLI *_language.json with *_logic.json beside it, or the zip",
            ("facts", "rules", "statements", "labels"),
            inference.logicnli,
            name_part="_language",
        ),
        Format(
            "robustlr_chat", "RobustLR, GLoRE chat JSON lines", ("input", "ideal"), inference.robustlr_chat
        ),
        Format(
            "robustlr_text",
            "RobustLR JSON lines with premise, hypothesis, ideal",
            ("premise", "hypothesis", "ideal"),
            inference.robustlr_text,
        ),
        Format(
            "prontoqa_ood",
            "PrOntoQA-OOD as generated (JSON object of examples, or their zip)",
            ("test_example",),
            published.prontoqa_ood,
        ),
        Format(
            "prontoqa_ood_flat",
            "PrOntoQA-OOD JSON lines, one problem each",
            ("question", "query", "chain_of_thought"),
            published.prontoqa_ood,
        ),
        Format("clutrr", "CLUTRR CSV", ("story", "query", "target_text"), published.clutrr),
        Format(
            "justlogic",
            "JustLogic CSV (ISO-8859-1)",
            ("paragraph", "conclusion", "arg", "statements"),
            inference.justlogic,
            encoding="iso-8859-1",
        ),
        Format("folio", "FOLIO v0.0 and v2 JSON lines", ("premises", "conclusion", "label"), inference.folio),
        Format("llmeval_base", "LLMEval-Logic Base", ("original", "formalization"), published.llmeval_base),
        Format(
            "llmeval_hard", "LLMEval-Logic Hard", ("background", "question", "answer"), published.llmeval_hard
        ),
        Format(
            "proofwriter_logicllm",
            "ProofWriter as in Logic-LLM (options with letters)",
            ("context", "question", "options", "answer"),
            inference.proofwriter_logicllm,
        ),
        Format(
            "proofwriter_satlm",
            "ProofWriter as in SAT-LM (context as a list)",
            ("context", "question", "label"),
            inference.proofwriter_satlm,
        ),
        Format("csv", "own data: CSV with the record's fields", ("question", "options"), generic.record_csv),
        Format(
            "jsonl", "own data: JSON with the record's fields", ("question", "options"), generic.record_json
        ),
    )
}
"""Formats by name, in the order in which sniffing tries them."""


def read_benchmark(
    path: Path, format: str | None = None, *, split: str | None = None, on_problem: OnProblem | None = None
) -> Iterator[Record]:
    """Yield the records of a benchmark file, folder or zip archive, one row in memory at a time.

    Args:
        path: the file; of a folder or archive every file that has the format is read, in name order.
        format: a name of :data:`FORMATS`; sniffed if left out.
        split: read only this split (of a folder or archive).
        on_problem: called for each malformed row, which is then skipped.

    Raises:
        DivLogicError: the path or format is unknown, nothing in it has the format, a document is broken, or,
            without ``on_problem``, a row is malformed.
    """
    chosen = _format(format) if format else detect_format(path)
    several = Path(path).is_dir() or Path(path).suffix == ".zip"
    files = [file for file in source_files(Path(path)) if not several or _has_format(file, chosen)]
    files = [file for file in files if split is None or not several or file.split == split]
    if not files:
        raise DivLogicError(
            f"{path}: no file there has the format '{chosen.name}'; name another with --format."
        )
    seen: dict[str, int] = {}
    for file in files:
        for record in track(_read_file(file, chosen, on_problem), f"Reading {file.name}"):
            if chosen.unique:
                yield record
                continue
            seen[record.id] = seen.get(record.id, 0) + 1
            yield record if seen[record.id] == 1 else _renamed(record, seen[record.id])


def detect_format(path: Path) -> Format:
    """Return the format of a file (or of the first recognised file of a folder or archive).

    Raises:
        DivLogicError: no format fits.
    """
    files = source_files(Path(path))
    for file in files:
        for one in FORMATS.values():
            if _has_format(file, one):
                return one
    raise DivLogicError(
        f"{path}: the format is not recognised; name one with --format ({', '.join(FORMATS)})."
    )


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise DivLogicError(f"there is no format '{name}'; known: {', '.join(FORMATS)}.")
    return FORMATS[name]


def _has_format(file: SourceFile, one: Format) -> bool:
    if one.name_part not in file.name:
        return False
    if one.name in ("csv", "jsonl") and (one.name == "csv") != file.name.endswith(".csv"):
        return False
    if one.name_part == "" and "_logic." in file.name:
        return False  # the symbolic half of a LogicNLI pair
    row = _first_row(file)
    if not isinstance(row, dict) or not all(field in row for field in one.fields):
        return False
    if one.name == "proofwriter_logicllm":
        return isinstance(row["answer"], str) and len(row["answer"]) == 1
    if one.name == "proofwriter_satlm":
        return isinstance(row["context"], list)
    if one.name == "llmeval_hard":
        return isinstance(row["question"], list)
    return True


def _first_row(file: SourceFile) -> Any:
    try:
        encoding = (
            "iso-8859-1" if file.name.endswith(".csv") else "utf-8-sig"
        )  # any byte will do to see a header
        return next(rows(file, encoding=encoding, on_problem=lambda problem: None), (None, None))[1]
    except (DivLogicError, UnicodeDecodeError):
        return None


def _read_file(file: SourceFile, one: Format, on_problem: OnProblem | None) -> Iterator[Record]:
    if one.name == "logicnli":
        source = inference.logicnli_rows(file, on_problem)
    else:
        source = rows(file, encoding=one.encoding, on_problem=on_problem)
    for name, row in source:
        try:
            # A row's records are made before the first is handed on: a row counts whole or not at all.
            records = list(one.records(name, row, file))
        except KeyError as error:
            report(file, name, f"the field {error} is missing", on_problem)
        except (ValueError, TypeError, AttributeError, SyntaxError, IndexError) as error:
            report(file, name, str(error) or type(error).__name__, on_problem)
        else:
            yield from records


def _renamed(record: Record, occurrence: int) -> Record:
    from dataclasses import replace

    return replace(record, id=f"{record.id}-{occurrence}")

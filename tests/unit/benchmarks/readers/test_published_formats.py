"""Every published layout becomes the one record."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from divlogic.benchmarks.readers.formats import FORMATS, detect_format, read_benchmark
from divlogic.benchmarks.readers.importing import ProblemLog
from divlogic.errors import DivLogicError
from divlogic.records import Record
from tests.unit.benchmarks.readers import samples as s

LAYOUTS: dict[str, Callable[[Path], Path]] = {
    "reclor": lambda d: s.document(d / "val.json", [s.RECLOR]),
    "logiqa2": lambda d: s.lines(d / "test.txt", s.LOGIQA2),
    "ruletaker": lambda d: s.lines(d / "test.jsonl", s.RULETAKER),
    "folio": lambda d: s.lines(d / "folio-validation.jsonl", s.FOLIO_V0),
    "robustlr_chat": lambda d: s.lines(d / "robustlr.jsonl", s.ROBUSTLR_CHAT),
    "robustlr_text": lambda d: s.lines(d / "robustlr_text.jsonl", s.ROBUSTLR_TEXT),
    "prontoqa_ood": lambda d: s.document(d / "1hop_ModusPonens.json", s.PRONTOQA_NESTED),
    "prontoqa_ood_flat": lambda d: s.lines(d / "prontoqa_ood_flat.jsonl", s.PRONTOQA_FLAT),
    "clutrr": lambda d: s.table(d / "clutrr_test.csv", s.CLUTRR),
    "justlogic": lambda d: s.table(d / "validate_dataset.csv", s.JUSTLOGIC, encoding="iso-8859-1"),
    "llmeval_logic_base": lambda d: s.document(d / "llmeval_logic_base.json", [s.LLMEVAL_BASE]),
    "llmeval_logic_hard": lambda d: s.document(d / "llmeval_logic_hard.json", [s.LLMEVAL_HARD]),
    "proofwriter_logicllm": lambda d: s.document(d / "logicllm_dev.json", [s.PROOFWRITER_LOGICLLM]),
    "proofwriter_satlm": lambda d: s.document(
        d / "satlm_proofd5_test.json", [s.PROOFWRITER_SATLM], indent=None
    ),
    "proofwriter_meta": lambda d: s.lines(d / "meta-test.jsonl", s.PROOFWRITER_META),
    "csv": lambda d: s.table(
        d / "mine.csv", {"question": "Wet?", "options": "yes|no", "answer": "A"}
    ),
    "jsonl": lambda d: s.lines(d / "mine.jsonl", s.OWN),
}


def logicnli(folder: Path, split: str = "dev") -> Path:
    s.document(folder / f"{split}_logic.json", {"0": s.LOGICNLI_LOGIC}, indent=None)
    return s.document(folder / f"{split}_language.json", {"0": s.LOGICNLI_LANGUAGE}, indent=None)


def read(path: Path, **options: str) -> list[Record]:
    return list(read_benchmark(path, **options))


def test_every_format_has_a_layout_here() -> None:
    # Read where they are named only: from the files of llmeval_logic_base, and a layout that is not known.
    named = {"llmeval_logic_queries", "divlogiceval_published"}
    assert set(LAYOUTS) | {"logicnli"} | named == set(FORMATS)


@pytest.mark.parametrize("name", list(LAYOUTS))
def test_a_format_is_recognised_and_its_records_survive_json(name: str, tmp_path: Path) -> None:
    path = LAYOUTS[name](tmp_path)
    assert detect_format(path).name == name
    records = read(path)
    assert records
    assert [Record.from_json(record.to_json()) for record in records] == records


def test_a_reclor_test_item_has_no_answer(tmp_path: Path) -> None:
    item = {key: value for key, value in s.RECLOR.items() if key != "label"}
    assert [record.answer for record in read(s.document(tmp_path / "test.json", [item]))] == [None]


def test_a_logiqa_item_keeps_its_kinds_of_reasoning_and_repeated_ids_become_different(
    tmp_path: Path,
) -> None:
    records = read(s.lines(tmp_path / "test.jsonl", s.LOGIQA2, s.LOGIQA2))
    assert [record.id for record in records] == ["11", "11-2"]
    assert records[0].metadata == {"reasoning": ["Disjunctive Reasoning"]}


def test_a_ruletaker_theory_gives_one_record_per_question_with_its_depth(tmp_path: Path) -> None:
    for depth in (0, 3):
        (tmp_path / f"depth-{depth}").mkdir()
        s.lines(tmp_path / f"depth-{depth}" / "test.jsonl", s.RULETAKER)
    records = read(tmp_path)
    assert [record.answer for record in records] == [0, 1, 0, 1]
    assert {record.metadata["part"] for record in records} == {"depth-0", "depth-3"}
    assert {record.depth for record in records} == {1}


def test_a_logicnli_statement_carries_the_theory_in_symbols(tmp_path: Path) -> None:
    first, second = read(logicnli(tmp_path))
    assert first.context == "Ada is brave. Ben is not loud. If someone is brave, then he is loud."
    assert (first.options[first.answer or 0], second.options[second.answer or 0]) == (
        "entailment",
        "neutral",
    )
    assert first.formulas is not None
    assert first.formulas["statement"] == ["Ada", "loud", "+"]
    assert first.formulas["people"] == ["Ada", "Ben"]


def test_logicnli_is_read_from_its_zip_split_by_split(tmp_path: Path) -> None:
    for split in ("dev", "test"):
        logicnli(tmp_path, split)
    archive = tmp_path / "LogicNLI_sim.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in sorted(tmp_path.glob("*.json")):
            packed.write(file, f"LogicNLI_sim/{file.name}")
    assert detect_format(archive).name == "logicnli"
    assert [record.split for record in read(archive)] == [
        "validation",
        "validation",
        "test",
        "test",
    ]
    assert [record.id for record in read(archive) if record.split == "test"] == [
        "test-0-0",
        "test-0-1",
    ]


def test_logicnli_without_its_symbolic_half_has_no_formulas(tmp_path: Path) -> None:
    path = logicnli(tmp_path)
    (tmp_path / "dev_logic.json").unlink()
    assert all(record.formulas is None for record in read(path))


def test_both_folio_versions_give_the_same_context_and_unknown_is_uncertain(tmp_path: Path) -> None:
    (old,) = read(s.lines(tmp_path / "old-validation.jsonl", s.FOLIO_V0))
    (new,) = read(s.lines(tmp_path / "new-validation.jsonl", s.FOLIO_V2))
    assert old.context == new.context == "All owls are birds. Uma is an owl."
    assert new.options[new.answer or 0] == "Uncertain"
    assert new.id == "99"


def test_both_robustlr_layouts_give_the_same_record(tmp_path: Path) -> None:
    assert read(s.lines(tmp_path / "a.jsonl", s.ROBUSTLR_CHAT)) == read(
        s.lines(tmp_path / "b.jsonl", s.ROBUSTLR_TEXT)
    )


def test_both_prontoqa_layouts_give_the_same_record(tmp_path: Path) -> None:
    (nested,) = read(LAYOUTS["prontoqa_ood"](tmp_path))
    (flat,) = read(LAYOUTS["prontoqa_ood_flat"](tmp_path))
    assert nested == flat
    assert nested.id == "1hop_ModusPonens-example1"


def test_a_clutrr_story_offers_the_relations_as_options(tmp_path: Path) -> None:
    (record,) = read(LAYOUTS["clutrr"](tmp_path))
    assert record.options[record.answer or 0] == "nephew"
    assert record.depth == 2


def test_the_three_proofwriter_layouts_agree_on_what_is_asked(tmp_path: Path) -> None:
    (logicllm,) = read(LAYOUTS["proofwriter_logicllm"](tmp_path))
    (satlm,) = read(LAYOUTS["proofwriter_satlm"](tmp_path))
    known, unknown = read(LAYOUTS["proofwriter_meta"](tmp_path))
    assert logicllm.question == "Tom is calm."
    assert logicllm.context == satlm.context
    assert (logicllm.depth, satlm.depth, known.depth) == (5, 5, 0)
    assert (known.answer, unknown.answer) == (0, 2)


def test_justlogic_labels_are_folded_and_bytes_outside_utf8_are_read(tmp_path: Path) -> None:
    row = {**s.JUSTLOGIC, "label": "True", "paragraph": "A café \xad opens."}
    (record,) = read(s.table(tmp_path / "validate.csv", row, encoding="iso-8859-1"))
    assert record.context == "A café \xad opens."
    assert record.answer == 0
    assert record.forms == ("Modus Ponens",)
    assert record.sentences == {"0": "Owls hoot.", "1": "Foxes dig dens."}


def test_every_question_of_a_hard_llmeval_item_is_a_record(tmp_path: Path) -> None:
    assert [record.id for record in read(LAYOUTS["llmeval_logic_hard"](tmp_path))] == ["8-1", "8-2"]


def test_a_gzipped_file_reads_as_the_plain_one(tmp_path: Path) -> None:
    path = s.lines(tmp_path / "test.jsonl", s.LOGIQA2)
    packed = tmp_path / "test.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read(packed) == read(path)


def test_a_json_document_is_read_in_pieces_whatever_its_spacing(tmp_path: Path) -> None:
    items = [{**s.RECLOR, "id_string": f"val_{n}", "context": "word " * 40} for n in range(900)]
    loose = s.document(tmp_path / "val.json", items, indent=3)
    tight = s.document(tmp_path / "val_tight.json", items, indent=None)
    assert [record.id for record in read(loose)] == [item["id_string"] for item in items]
    assert read(loose) == read(tight)


def test_malformed_rows_are_counted_and_named_and_the_others_kept(tmp_path: Path) -> None:
    path = s.lines(
        tmp_path / "test.jsonl",
        s.LOGIQA2,
        "{not json",
        {**s.LOGIQA2, "answer": 4},
        {key: value for key, value in s.LOGIQA2.items() if key != "text"},
        {**s.LOGIQA2, "id": 12, "options": "A B"},
        {**s.LOGIQA2, "id": 13},
    )
    log = ProblemLog()
    assert [record.id for record in read_benchmark(path, "logiqa2", on_problem=log)] == ["11", "13"]
    assert [problem.row for problem in log.problems] == ["2", "3", "4", "5"]
    assert "the field 'text' is missing" in log.problems[2].reason
    assert log.summary().startswith("4 malformed rows left out (test.jsonl row 2: not valid JSON")
    assert log.summary().endswith("and 1 more)")


def test_a_malformed_row_is_an_error_that_names_it_when_nobody_counts(tmp_path: Path) -> None:
    path = s.lines(tmp_path / "test.jsonl", s.LOGIQA2, {**s.LOGIQA2, "answer": "B"})
    with pytest.raises(DivLogicError, match=r"test\.jsonl, row 2: the field 'answer' is 'B'"):
        read(path)


@pytest.mark.parametrize(
    ("name", "row", "reason"),
    [
        ("clutrr", {**s.CLUTRR, "target_text": "boss"}, "not a known relation"),
        ("clutrr", {**s.CLUTRR, "query": "(Cy, Bob"}, "closed|EOF|syntax"),
        (
            "justlogic",
            {**s.JUSTLOGIC, "label": "Perhaps"},
            "the label 'Perhaps' is none of True, False, Uncertain",
        ),
        ("justlogic", {**s.JUSTLOGIC, "depth": "deep"}, "invalid literal"),
    ],
)
def test_a_bad_cell_of_a_csv_row_is_told(
    name: str, row: dict[str, str], reason: str, tmp_path: Path
) -> None:
    path = s.table(tmp_path / "test.csv", row)
    with pytest.raises(DivLogicError, match=rf"row 1: .*({reason})"):
        read(path, format=name)


def test_a_csv_row_with_too_few_cells_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("question,options,answer\nWet?,yes|no,A\nDry?,yes\n", encoding="utf-8")
    log = ProblemLog()
    assert len(list(read_benchmark(path, on_problem=log))) == 1
    assert log.problems[0].reason == "does not have the header's 3 columns"


def test_a_json_document_that_breaks_off_is_an_error(tmp_path: Path) -> None:
    path = s.document(tmp_path / "val.json", [s.RECLOR, s.RECLOR])
    path.write_text(path.read_text()[:-40])
    with pytest.raises(DivLogicError, match="row 2: broken JSON document"):
        read(path, format="reclor")


def test_a_logicnli_theory_without_partner_is_told(tmp_path: Path) -> None:
    path = logicnli(tmp_path)
    s.document(tmp_path / "dev_logic.json", {"7": s.LOGICNLI_LOGIC}, indent=None)
    with pytest.raises(
        DivLogicError, match=r"row 0: has no partner in dev_logic\.json \(there: 7\)"
    ):
        read(path)


def test_unknown_paths_formats_and_layouts_are_told(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="no such file or folder"):
        read(tmp_path / "nothing")
    with pytest.raises(DivLogicError, match="holds no data file"):
        read(tmp_path)
    strange = s.lines(tmp_path / "strange.jsonl", {"a": 1})
    with pytest.raises(DivLogicError, match=r"the columns are a\. Needed are a question"):
        read(strange)
    with pytest.raises(DivLogicError, match="no format 'morse'"):
        read(strange, format="morse")

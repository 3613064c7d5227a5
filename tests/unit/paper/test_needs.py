"""What the printed numbers need that a run does not have: said of each, and refused where it is a slip."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import read_yaml
from divlogic.paper.gather import gather_tables, write_tables
from divlogic.paper.model import COUNTED, MEANINGS, REASONS, SHORT, ReportTable, TableCell
from divlogic.paper.parameters import PaperParameters
from divlogic.paper.scoreboard import score_tables, total_of
from divlogic.published import folded_name, read_needs
from divlogic.published.needs import NEEDS, ModelEntry
from tests.contract.graph import ROOT
from tests.support import csv_rows
from tests.unit.paper.miniature import write_printed, write_results

PUBLISHED = ROOT / "data/published"


def gathered_without_results(folder: Path, published: Path) -> list[ReportTable]:
    """Return the tables as a run without any result but the audit shows them."""
    return gather_tables(write_results(folder), published, PaperParameters(), ())


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[ReportTable]:
    return gathered_without_results(tmp_path_factory.mktemp("results"), PUBLISHED)


def cell_of(tables: list[ReportTable], name: str, column: str, *words: str) -> TableCell:
    """Return the cell of a row that has all the words among its heads."""
    (table,) = (table for table in tables if table.name.startswith(name))
    place = [one.name for one in table.columns].index(column)
    (row,) = (row for row in table.rows if set(words) <= set(row.heads))
    return row.cells[place]


def test_of_every_printed_number_it_is_said_what_it_needs(tables: list[ReportTable]) -> None:
    counts = total_of(score_tables(tables, PaperParameters()))
    assert counts["unknown"] == 0
    # 814 printed numbers; of the 12 cells that print several (104/ 125/ ...) as many count as were measured.
    assert counts["cells"] == sum(counts[name] for name in COUNTED) == 814 - 12
    # Nothing was measured, so nothing may look like it.
    assert counts["comparable"] == counts["generated"] == 0


def test_every_need_is_a_status_with_a_meaning_of_one_sentence() -> None:
    assert set(NEEDS) <= set(REASONS)
    for name, meaning in MEANINGS.items():
        assert len(meaning) > 20 and not meaning.endswith(".") and ". " not in meaning, name


# Read in the papers and, of models, in the providers' lists: what each of these needs.
KNOWN = [
    ("divlogiceval_table8", "Test", ("Mixtral", "ACC", "0-shot"), "needs_gpu"),
    ("divlogiceval_table8", "Test", ("Qwen2.5", "CIR", "3-shot"), "needs_key"),
    ("divlogiceval_table8", "Test", ("OpenAI o1-preview", "PC", "0-shot"), "withdrawn"),
    ("divlogiceval_section_3_3", "exact match rate", ("GPT-3.5",), "withdrawn"),
    ("divlogiceval_section_4_2", "Test", ("Human",), "people"),
    ("divlogiceval_table5", "origin", ("LLaMA2", "SNLI"), "needs_gpu"),
    ("divlogiceval_table4", "Vocabulary", ("PrOntoQA-OOD",), "unavailable"),
    ("divlogiceval_table7", "Size", ("RobustLR",), "unavailable"),
    ("ilogiceval_table1", "Test-H", ("MERIt",), "needs_gpu"),
    ("ilogiceval_table3", "Test", ("GPT4", "ACC", "0-shot"), "unavailable"),
    ("ilogiceval_table3", "Test-3c1e", ("GPT4", "ACC", "0-shot"), "withdrawn"),
    ("ilogiceval_table3", "Test-3c1e", ("Human",), "people"),
    ("ilogiceval_table4", "s-ILogicEval", ("GPT-4", "ACC", "0-shot"), "withdrawn"),
    ("justlogic_llm", "Accuracy (%)", ("Random Probability",), "arithmetic"),
    ("justlogic_llm", "Accuracy (%)", ("Human Ceiling",), "people"),
    ("justlogic_llm", "Accuracy (%)", ("OpenAI o1-preview",), "unavailable"),
    ("justlogic_proving", "Random probability", ("FOLIO",), "arithmetic"),
    ("logicnli_table1", "#FOLs", ("CLUTRR",), "people"),
    ("logicnli_table3", "RoBERTa", ("epochs",), "design"),
    ("logicnli_table4", "Test-A", ("XLNet",), "needs_gpu"),
    ("logicnli_table4", "Test-A", ("Random",), "arithmetic"),
    ("logicnli_table6", "∀", ("Human",), "people"),
    ("llmeval_logic_authors_readme", "lowest", (), "withdrawn"),
    ("llmeval_logic_abstract_and", "Rubric atoms", ("LLMEval-Logic Base",), "unavailable"),
]


@pytest.mark.parametrize(("table", "column", "words", "need"), KNOWN)
def test_a_number_that_no_run_has_says_what_it_needs(
    tables: list[ReportTable], table: str, column: str, words: tuple[str, ...], need: str
) -> None:
    cell = cell_of(tables, table, column, *words)
    assert (cell.status, cell.measured) == (need, None)


def test_the_note_of_a_table_says_whose_numbers_need_what(tables: list[ReportTable]) -> None:
    (table,) = (table for table in tables if table.name == "logicnli_table6")
    (note,) = (note for note in table.notes if note.startswith("Not measured in this run"))
    assert "people: Human (people answered" in note
    assert "needs a GPU: BERT, RoBERTa, XLNet (networks trained" in note


def test_models_are_withdrawn_exactly_where_the_configuration_of_the_papers_models_says_so() -> (
    None
):
    asked = read_yaml(ROOT / "config/paper_models.yaml")["evaluation"]["models"]
    entries = [entry for entry in read_needs(PUBLISHED).entries if isinstance(entry, ModelEntry)]
    compared = 0
    for model in asked:
        name = folded_name(model["name"]).removesuffix("turbo")
        needs = {
            entry.need
            for entry in entries
            for known in entry.names
            if folded_name(known).startswith(name)
        }
        if needs:
            compared += 1
            open_weights = model["name"].startswith("together/")
            gone = {"needs_gpu"} if open_weights else {"withdrawn"}
            assert needs == (gone if model.get("withdrawn") else {"needs_key"}), model["name"]
    assert compared >= 8


def refused(folder: Path, text: str) -> str:
    """Return the sentence with which a file of needs is refused."""
    write_printed(folder)
    (folder / "needs.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DivLogicError) as error:
        gathered_without_results(folder / "results", folder)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("cells: [{system: Nobody, need: people, reason: why}]", "the entry of system: Nobody (people)"),
        ("cells: [{system: BERT, need: luck, reason: why}]", "cells 0 need"),
        ("cells: [{system: BERT, need: people, reason: ''}]", "cells 0 reason"),
        ("cells: [{systems: BERT, need: people, reason: why}]", "cells 0 systems"),
        ("models: [{names: [BERT], need: people}]", "models 0 reason"),
        (
            "{cells: [{system: BERT, need: people, reason: a}], models: [{names: [bert], need: needs_gpu, reason: b}]}",
            "the entry of names: bert (needs_gpu)",
        ),
    ],
)  # fmt: skip
def test_a_slip_in_what_numbers_need_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    said = refused(tmp_path, text)
    assert str(tmp_path / "needs.yaml") in said and sentence in said


def test_a_number_of_which_nothing_is_said_is_unknown_and_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_printed(tmp_path)
    found: list[ReportTable] = gathered_without_results(tmp_path / "results", tmp_path)
    (table,) = (table for table in found if table.name == "logicnli_table9")
    assert [cell.status for cell in table.cells()] == ["unknown"]
    assert "warning: logicnli_table9: 1 printed numbers" in capsys.readouterr().err


def test_the_page_of_the_phase_says_what_every_status_means() -> None:
    page = (ROOT / "docs/phases/paper.md").read_text(encoding="utf-8")
    for name, meaning in MEANINGS.items():
        assert f"| {SHORT[name]} | {meaning} |" in page


def test_the_csv_of_a_table_without_a_number_of_ours_says_what_the_printed_ones_need(
    tables: list[ReportTable], tmp_path: Path
) -> None:
    write_tables([table for table in tables if table.name == "logicnli_table6"], tmp_path)
    rows = {row["System"]: row for row in csv_rows(tmp_path / "logicnli_table6.csv")}
    assert rows["Human"]["∧, status"] == "published only: people"
    assert rows["BERT"]["∧, status"] == "published only: needs a GPU"
    assert "∧, here" not in rows["BERT"]

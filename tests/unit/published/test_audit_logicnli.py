"""LogicNLI's printed cells that contradict each other, and copies of the tables in which they do not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from divlogic.published import read_published
from divlogic.published.audit import RULES, audit_logicnli_cells, write_audit

PUBLISHED = Path(__file__).parents[3] / "data" / "published"


def test_the_contradicting_cells_of_tables_2_4_6_and_7_are_named() -> None:
    found = {
        (f.cell.table, f.cell.benchmark or f.cell.system, f.cell.column, f.rule)
        for f in audit_logicnli_cells(read_published(PUBLISHED))
    }
    assert found == {
        ("Table 2", "LogicNLI Train-R(s)", "", "sizes_of_r"),
        ("Table 2", "d-LogicNLI Test-G(s)", "", "sentence_length"),
        ("Table 2", "d-LogicNLI Test-T", "", "sentence_length"),
        *(
            ("Table 4", system, "Test-T (P-Acc.)", "p_acc_twice")
            for system in ("BERT", "RoBERTa", "XLNet")
        ),
        *(("Table 7", system, "P-Acc", "p_acc_twice") for system in ("BERT", "RoBERTa", "XLNet")),
        *(("Table 6", "Random", symbol, "floor_of_sign") for symbol in "∧∨→≡∀∃"),
    }
    assert {rule for *_, rule in found} <= set(RULES)


@pytest.mark.parametrize(
    ("file", "old", "new", "rule", "more"),
    [
        ("logicnli_table2", "instances,96000,96000", "instances,128000,128000", "sizes_of_r", -1),
        ("logicnli_table2", "d-LogicNLI Test-T,facts_and_rules,15,15", "d-LogicNLI Test-T,facts_and_rules,22,22",
         "sentence_length", -1),
        ("logicnli_table7", "BERT,,LogicNLI,indicator,P-Acc,55.9", "BERT,,LogicNLI,indicator,P-Acc,61.1",
         "p_acc_twice", -2),
        ("logicnli_table7", "δA→G,43.5", "δA→G,43.9", "degradation", 1),
        ("logicnli_table4", "Test-T (P-EM),9.3", "Test-T (P-EM),9.31", "whole_targets", 1),
        ("logicnli_table2", "LogicNLI Dev-R(s),instances,16000,16000", "LogicNLI Dev-R(s),instances,14000,14000",
         "sizes_of_r", 1),
    ],
)  # fmt: skip
def test_a_mended_cell_is_no_finding_and_a_spoilt_one_is(
    tmp_path: Path, file: str, old: str, new: str, rule: str, more: int
) -> None:
    assert count(changed(tmp_path, file, old, new), rule) == count(PUBLISHED, rule) + more


def test_findings_on_measures_stand_under_benchmark_and_measure(tmp_path: Path) -> None:
    write_audit(read_published(PUBLISHED), tmp_path / "audit.csv")
    text = (tmp_path / "audit.csv").read_text()
    assert (
        "LogicNLI,Table 2,LogicNLI Train-R(s),,,,instances,96000,sizes_of_r,128000: 8 sizes of 16000"
        in text
    )


def changed(folder: Path, file: str, old: str, new: str) -> Path:
    shutil.copytree(PUBLISHED, folder / "published")
    path = folder / "published" / f"{file}.csv"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder / "published"


def count(folder: Path, rule: str) -> int:
    return sum(finding.rule == rule for finding in audit_logicnli_cells(read_published(folder)))

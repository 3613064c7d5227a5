"""The measuring script runs with any engine that has the released entry, from a checkout outside the repository."""

import json
from pathlib import Path

from click.testing import CliRunner

from tests.support import module_at
from tests.unit.benchmarks.llmeval_logic import samples

SCRIPT = Path(__file__).parents[4] / "perf/llmeval_logic.py"
ENGINE = """
def solve_record(record, data_map, timeout_ms):
    from code.fl_eval.z3_judge.tokens import tokens  # imported when it is called, as some of the released modules are

    print("said while it works")
    return {"answer_tokens": tokens(record)}
"""
TOKENS = """
def tokens(record):
    if record["sample_id"] == 5:
        raise RuntimeError("no objects")
    return list(record["FL"]["answer"])
"""


def test_the_ways_are_timed_in_one_run_and_their_answers_compared(tmp_path):
    import code as standard_library

    script = module_at(SCRIPT)
    engine = tmp_path / "peer/code/fl_eval/z3_judge/core.py"
    engine.parent.mkdir(parents=True)
    engine.write_text(ENGINE)
    engine.with_name("tokens.py").write_text(TOKENS)
    source = samples.folder(tmp_path / "in")
    options = f"--in {source} --peer {tmp_path}/peer --rounds 1 --items 6 --out {tmp_path}/o.json"
    result = CliRunner().invoke(script.main, options.split(), catch_exceptions=False)
    assert result.exit_code == 0
    found = json.loads((tmp_path / "o.json").read_text())
    # What the engine fails at is no right answer and stops nothing.
    assert found["agree"] == {"released engine": 3, "z3": 4, "tables and z3": 4}
    assert "item 5: the released engine fails (no objects)" in result.stderr
    assert set(found["memory_growth_mib"]) == {"whole", "second_half"}
    assert set(found["times_faster"]) == {"z3", "tables and z3"}
    # The released package is named like a module of the standard library, which stays what it was.
    import code

    assert code is standard_library
    refused = CliRunner().invoke(
        script.main, ["--in", str(source), "--peer", str(tmp_path / "none")]
    )
    assert "no function code.fl_eval.z3_judge.core:solve_record" in refused.output

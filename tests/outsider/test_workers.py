"""What a stranger tries with data sets and processes: scripts of their own, threads, pickles, caches."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import divlogic


def ran(
    script: str, folder: Path, *, through_stdin: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a script in a folder of its own, as a file or through standard input."""
    path = folder / "mine.py"
    path.write_text(textwrap.dedent(script), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-" if through_stdin else str(path)],
        cwd=folder,
        input=path.read_text(encoding="utf-8") if through_stdin else None,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


POOL = """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    import divlogic

    data = divlogic.create("logicnli", size=40, seed=5, level=2)

    def answer(place):
        return data[place]["answer"]

    def score(place):
        item = data[place]
        return divlogic.score_answer(f"Answer: {item['answer']}", item)

    if __name__ == "__main__":
        print(data[7]["answer"])
        for method in ("spawn", "forkserver", "fork"):
            context = multiprocessing.get_context(method)
            with ProcessPoolExecutor(2, mp_context=context) as pool:
                assert list(pool.map(answer, range(8))) == [item["answer"] for item in data[:8]], method
                assert list(pool.map(score, range(4))) == [1.0] * 4, method
                # A method of the data set itself, bound to it, travels too.
                assert list(pool.map(data.__getitem__, [3, 9])) == [data[3], data[9]], method
        print("done")
"""


def test_a_guarded_script_draws_in_processes_of_each_kind(tmp_path: Path) -> None:
    result = ran(POOL, tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "done"
    # Nothing of the script ran twice where it should not.
    assert result.stdout.count("done") == 1
    assert not result.stderr, result.stderr


def test_a_script_without_a_guard_draws_once_and_starts_no_process(tmp_path: Path) -> None:
    script = """
        import multiprocessing
        multiprocessing.set_start_method("spawn")
        import divlogic
        print("begun")
        data = divlogic.create("justlogic", size=30, seed=6, level=2)
        assert len(data[:]) == 30
        assert all(data.verify(item) for item in data[:6])
        assert not multiprocessing.active_children()
        print("done")
    """
    for through_stdin in (False, True):
        result = ran(script, tmp_path, through_stdin=through_stdin)
        assert result.returncode == 0, result.stderr
        assert result.stdout.splitlines() == ["begun", "done"]


def test_a_script_without_a_guard_that_spawns_is_told_so_by_python(tmp_path: Path) -> None:
    # Python's own rule, not ours; the package must add no hang to it.
    script = """
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        import divlogic
        data = divlogic.create("logicnli", size=8, seed=5, level=1)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            print(list(pool.map(data.__getitem__, [0])))
    """
    result = ran(script, tmp_path)
    assert result.returncode != 0
    assert "bootstrapping phase" in result.stderr


def test_threads_draw_the_same_items_as_one_after_the_other() -> None:
    data = divlogic.create("logicnli", size=24, seed=8, level=2)
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(data.__getitem__, reversed(range(24))))
    again = divlogic.create("logicnli", size=24, seed=8, level=2)
    assert drawn[::-1] == again[:]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_of_pickle_carries_a_data_set_that_was_used(protocol: int) -> None:
    data = divlogic.create("justlogic", size=9, seed=9, depth=2)
    first = data[:3]
    other = pickle.loads(pickle.dumps(data, protocol))
    assert other[:3] == first
    assert (other.name, other.seed, len(other)) == ("justlogic", 9, 9)


def test_datasets_knows_a_data_set_again_and_tells_it_from_another(tmp_path: Path) -> None:
    # Dataset.map and from_generator name their cache by this; in another process it must be the same.
    script = """
        from datasets.fingerprint import Hasher
        import divlogic
        one = divlogic.create("logicnli", size=8, seed=1, level=1)
        print(Hasher.hash(one))
        one[:]
        print(Hasher.hash(one))
        print(Hasher.hash(divlogic.create("logicnli", size=8, seed=2, level=1)))
    """
    pytest.importorskip("datasets")
    results = [ran(script, tmp_path) for _ in range(2)]
    assert not results[0].returncode, results[0].stderr
    fresh, used, other = results[0].stdout.split()
    assert fresh == used
    assert fresh != other
    assert results[0].stdout == results[1].stdout

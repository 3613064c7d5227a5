"""Data sets in other processes: pickled, copied, in workers that are spawned, and behind `datasets`."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import divlogic
from divlogic.library.sources import SOURCES
from tests.unit.library.test_adapters import needed

NAMES = tuple(SOURCES)


@pytest.mark.parametrize("name", NAMES)
def test_a_data_set_travels_as_its_name_and_arguments(name: str) -> None:
    data = divlogic.create(name, size=6, seed=2**70, level=2)
    data[0]  # what is in the cache does not travel
    pickled = pickle.dumps(data)
    assert len(pickled) < 1000
    for other in (pickle.loads(pickled), copy.deepcopy(data), copy.copy(data)):
        assert other[:] == data[:]
        assert (other.name, other.seed, other.level, len(other)) == (name, 2**70, 2, 6)


def test_the_arguments_travel_whole() -> None:
    for data in (
        divlogic.create("logicnli", size=4, noise=[2], depth=3),
        divlogic.create("logicnli", size=4, allotment="once", split="d_test", seed=3),
    ):
        assert pickle.loads(pickle.dumps(data))[:] == data[:]


def test_mixtures_and_streams_travel_and_go_on_where_they_were() -> None:
    mixed = divlogic.mix({"logicnli": 1, "justlogic": 1}, size=24, level=[1, 2], groups=True)
    assert pickle.loads(pickle.dumps(mixed))[:] == mixed[:]
    endless = divlogic.stream("logicnli", seed=3, start=5)
    next(endless)
    other = pickle.loads(pickle.dumps(endless))
    assert next(other) == next(endless) == divlogic.create("logicnli", seed=3)[6]
    assert next(copy.deepcopy(endless)) == next(endless)


WORK = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
import divlogic

def work():
    sets = [
        divlogic.create("logicnli", size=8, level=2),
        divlogic.mix({"logicnli": 1, "justlogic": 1}, size=12, groups=True),
        divlogic.create("llmeval_logic", size=2),
    ]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        for data in sets:
            assert list(pool.map(data.__getitem__, range(len(data)))) == data[:]
    print("done")
"""
GUARDED = f"{WORK}\nif __name__ == '__main__':\n    work()\n"


def test_spawned_workers_draw_the_same_items(tmp_path: Path) -> None:
    (tmp_path / "guarded.py").write_text(GUARDED, encoding="utf-8")
    # A program from the command line is not run again by its workers, so that it needs no guard.
    for arguments in ([str(tmp_path / "guarded.py")], ["-c", f"{WORK}\nwork()"]):
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
        assert done.stdout == "done\n", done.stderr[-2000:]


def generated(data: Sequence[Any], places: list[int]) -> Iterator[dict[str, Any]]:
    for place in places:
        yield {"place": place, "question": data[place]["question"]}


def test_a_generator_of_datasets_draws_in_several_processes(tmp_path: Path) -> None:
    datasets = needed("datasets", "datasets")
    data = divlogic.create("logicnli", size=8, level=2)
    drawn = datasets.Dataset.from_generator(
        generated,
        gen_kwargs={"data": data, "places": list(range(8))},
        num_proc=2,
        cache_dir=str(tmp_path),
    )
    found = {row["place"]: row["question"] for row in drawn}
    assert found == {place: item["question"] for place, item in enumerate(data)}


def test_a_loader_of_torch_draws_in_spawned_workers() -> None:
    torch = needed("torch", "torch")
    data = divlogic.create("logicnli", size=8, level=2)
    loader = torch.utils.data.DataLoader(
        data, batch_size=4, num_workers=2, multiprocessing_context="spawn", collate_fn=list
    )
    assert [item for batch in loader for item in batch] == data[:]

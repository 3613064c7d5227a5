"""What ReClor is."""

from __future__ import annotations

from divlogic.benchmarks.reclor.reader import reclor
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Benchmark, Format, Part, Published
from divlogic.models.answers import Letters

RECLOR = Benchmark(
    name="reclor",
    title="ReClor",
    paper="Yu et al., 2020",
    answers=Letters(4),
    splits=("train", "validation", "test"),
    published=(
        Published(
            "reclor",
            "ReClor",
            (
                Part("reclor", ("test.json",), "test", 1000),
                Part("reclor", ("val.json",), "validation instead of test", 500, exact=False),
                Part("reclor", ("train.json",), "train instead of test", 4638, exact=False),
            ),
        ),
    ),
    formats=(Format("reclor", "ReClor val.json / test.json", ("answers", "id_string"), reclor),),
    tables=(DIVERGENCE_TABLE,),
)

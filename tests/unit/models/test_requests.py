"""Which answers are wanted of a model."""

from __future__ import annotations

from dataclasses import replace

from divlogic.evaluation.rotations import RotationRow, rotation_rows, style_named
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.requests import limited, requests_of
from tests.unit.evaluation.samples import records


def rows(benchmark: str, count: int) -> list[RotationRow]:
    own = [replace(record, benchmark=benchmark) for record in records(count)]
    return list(rotation_rows(own, style_named("zero_shot"), seed=1))


def test_only_the_first_instances_of_each_benchmark_are_asked_with_all_their_rotations() -> None:
    model = ModelParameters(name="m/n", instances=2)
    kept = limited([*rows("a", 5), *rows("b", 4)], model)
    assert {name: sum(row.benchmark == name for row in kept) for name in "ab"} == {"a": 8, "b": 8}
    # One file at a time, as the export reads them, gives the same.
    assert kept == [*limited(rows("a", 5), model), *limited(rows("b", 4), model)]


def test_a_run_a_model_and_a_sampling_have_keys_of_their_own() -> None:
    asked, warm = rows("a", 1), SamplingParameters(temperature=1.0)
    cold = SamplingParameters()
    models = [ModelParameters(name="m/n"), ModelParameters(name="m/n", base_url="http://elsewhere/v1")]
    keys = [
        request.key for model in models for s in (cold, warm) for request in requests_of(asked, model, 2, s)
    ]
    assert len(set(keys)) == len(keys) == 2 * 2 * 2 * 4

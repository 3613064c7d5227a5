"""Which answers are wanted of a model."""

from __future__ import annotations

from dataclasses import replace

from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.requests import ClosedQuestion, limited, requests_of
from divlogic.models.runner import BLOCK, with_shared_beginnings
from tests.unit.evaluation.samples import rotations


def rows(benchmark: str, count: int) -> list[ClosedQuestion]:
    return [replace(row, benchmark=benchmark) for row in rotations(count)]


def test_only_the_first_instances_of_each_benchmark_are_asked_with_all_their_rotations() -> None:
    model = ModelParameters(name="m/n", instances=2)
    kept = limited([*rows("a", 5), *rows("b", 4)], model)
    assert {name: sum(row.benchmark == name for row in kept) for name in "ab"} == {"a": 8, "b": 8}
    # One file at a time, as the export reads them, gives the same.
    assert kept == [*limited(rows("a", 5), model), *limited(rows("b", 4), model)]


def test_a_style_may_have_a_number_of_instances_of_its_own() -> None:
    model = ModelParameters(name="m/n", instances=2, prompt_instances={"likelihood": 3})
    likely = [replace(row, prompt="likelihood") for row in rows("a", 5)]
    assert len(limited([*rows("a", 5), *likely], model)) == 4 * (2 + 3)
    alone = ModelParameters(name="m/n", prompt_instances={"likelihood": 1})
    assert len(limited([*rows("a", 5), *likely], alone)) == 4 * (5 + 1)


def test_what_begins_alike_is_asked_together_block_by_block() -> None:
    asked = [
        replace(row, prompt=style) for style in ("zero_shot", "likelihood") for row in rows("a", BLOCK + 1)
    ]
    given = list(requests_of(asked, ModelParameters(name="m/n"), 1, SamplingParameters()))
    ordered = with_shared_beginnings(given)
    assert sorted(map(id, ordered)) == sorted(map(id, given))
    instances = [request.question.instance for request in ordered]
    last = rows("a", BLOCK + 1)[-1].instance
    assert set(instances[-8:]) == {last} and last not in instances[:-8]
    inputs = [request.question.input for request in ordered[:-8]]
    assert inputs == sorted(inputs) and inputs[0] == inputs[1]


def test_a_run_a_model_and_a_sampling_have_keys_of_their_own() -> None:
    asked, warm = rows("a", 1), SamplingParameters(temperature=1.0)
    cold = SamplingParameters()
    models = [ModelParameters(name="m/n"), ModelParameters(name="m/n", args={"top_k": 1})]
    keys = [
        request.key for model in models for s in (cold, warm) for request in requests_of(asked, model, 2, s)
    ]
    assert len(set(keys)) == len(keys) == 2 * 2 * 2 * 4


def test_the_address_of_a_server_is_no_part_of_an_answer_s_key() -> None:
    asked = rows("a", 1)
    addresses = (None, "http://localhost:8080/v1", "http://127.0.0.1:9090/v1")
    keys = {
        tuple(
            request.key
            for request in requests_of(
                asked, ModelParameters(name="m/n", base_url=address), 1, SamplingParameters()
            )
        )
        for address in addresses
    }
    assert len(keys) == 1


def test_likelihood_is_asked_under_a_key_of_its_own_that_no_length_changes() -> None:
    short, long = SamplingParameters(max_tokens=64), SamplingParameters(max_tokens=2048)
    asked = rotations(1, "likelihood")
    model = ModelParameters(name="m/n")
    first, second = (
        [request.key for request in requests_of(asked, model, 1, sampling)] for sampling in (short, long)
    )
    assert first == second

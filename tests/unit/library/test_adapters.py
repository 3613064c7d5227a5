"""The library under others: each test runs where its package is installed, and says what to install elsewhere.

They need none of the workflow's packages: ``make test-adapters`` runs them in an environment of their own.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import divlogic
from divlogic.errors import DivLogicError
from divlogic.library import lm_eval as tasks, reasoning_gym, trl

SAID = "Answer: neutral"


def needed(module: str, package: str) -> Any:
    if os.environ.get("DIVLOGIC_ADAPTERS"):  # make test-adapters, which has installed them all
        return importlib.import_module(module)
    return pytest.importorskip(
        module,
        reason=f"{package} is not installed here: pip install {package}, in an environment of its own",
    )


@pytest.mark.parametrize(
    ("missing", "call", "install"),
    [
        ("datasets", lambda: trl.dataset([]), "datasets"),
        ("reasoning_gym", reasoning_gym.register, "reasoning-gym"),
        (
            "inspect_ai",
            lambda: importlib.import_module("divlogic.library.inspect_tasks"),
            "inspect-ai",
        ),
        ("verifiers", lambda: importlib.import_module("divlogic_env"), "verifiers>=0.4"),
    ],
)
def test_a_missing_library_gets_a_sentence(
    monkeypatch: pytest.MonkeyPatch, missing: str, call: Callable[[], object], install: str
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    for name in ("divlogic.library.inspect_tasks", "divlogic_env"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(
        DivLogicError, match=f"this needs the package '{missing}.*'; `pip install '{install}'`"
    ):
        call()


def test_reasoning_gym_draws_scores_and_mixes_the_items() -> None:
    rg = needed("reasoning_gym", "reasoning-gym")
    names = reasoning_gym.register()
    assert (
        set(names) == {f"divlogic_{name}" for name in divlogic.names()} <= set(rg.factory.DATASETS)
    )
    assert reasoning_gym.register() == names
    data = rg.create_dataset("divlogic_logicnli", seed=42, size=8, level=3)
    other = rg.create_dataset("divlogic_logicnli", seed=43, size=8, level=3)
    assert [one["question"] for one in data] == [
        item["question"] for item in divlogic.create("logicnli", size=8, seed=42, level=3)
    ]
    assert not {one["question"] for one in data} & {one["question"] for one in other}
    assert sum(data.score_answer(SAID, entry) for entry in data) == 2
    assert [one["question"] for one in pickle.loads(pickle.dumps(data))] == [
        one["question"] for one in data
    ]
    from reasoning_gym.composite import DatasetSpec

    parts = [DatasetSpec(name, 1.0, {}) for name in names[:2]]
    mixed = rg.create_dataset("composite", seed=1, size=6, datasets=parts)
    assert all(mixed.score_answer(entry["answer"], entry) == 1.0 for entry in mixed)
    curriculum = rg.factory.create_curriculum("divlogic_logicnli")
    assert curriculum.generate_configuration().level == 1
    curriculum.increment_attr_level("level")
    assert curriculum.generate_configuration({"size": 4, "seed": 1}).level == 2


def test_lm_eval_scores_items_and_groups() -> None:
    lm_eval = needed("lm_eval", "lm-eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    manager = TaskManager(include_path=str(Path(tasks.__path__[0])), include_defaults=False)
    assert "divlogic" in manager.all_groups

    class Neutral(LM):  # type: ignore[misc]
        def generate_until(self, requests: list[Any], **_: Any) -> list[str]:
            return [SAID] * len(requests)

        loglikelihood = loglikelihood_rolling = generate_until

    found = lm_eval.simple_evaluate(
        Neutral(), tasks=["divlogic_logicnli"], task_manager=manager, limit=40, bootstrap_iters=0
    )
    (scores,) = found["results"].values()
    assert scores["items,none"] == 0.25
    assert scores["groups,none"] == 0.0


def test_inspect_draws_the_items_of_a_task(tmp_path: Path) -> None:
    inspect = needed("inspect_ai", "inspect-ai")
    from divlogic.library.inspect_tasks import items

    output = inspect.model.ModelOutput.from_content("mockllm/model", SAID)
    model = inspect.model.get_model("mockllm/model", custom_outputs=[output] * 8)
    task = items(benchmark="logicnli", size=8, seed=7, level=5)
    (log,) = inspect.eval(task, model=model, log_dir=str(tmp_path), display="none")
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert (metrics["accuracy"], metrics["groups_right"]) == (0.25, 0.0)
    # Two quartets are two clusters: eight statements are not eight independent answers.
    assert metrics["lower"] <= 0.25 <= metrics["upper"] and metrics["stderr"] >= 0.0
    drawn = divlogic.create("logicnli", size=8, seed=7, level=5)
    assert {one.input for one in log.samples} == {item["question"] for item in drawn}


def test_trl_trains_on_the_rewards(tmp_path: Path) -> None:
    needed("trl", "trl")
    needed("torch", "torch")
    from tools.grpo import tiny
    from trl import GRPOConfig, GRPOTrainer

    data = divlogic.create("justlogic", size=6, seed=1, level=1)
    model, tokenizer = tiny(data)
    sizes = {
        "max_steps": 1,
        "per_device_train_batch_size": 12,
        "num_generations": 2,
        "logging_steps": 1,
    }
    plain = {
        "shuffle_dataset": False,
        "save_strategy": "no",
        "report_to": "none",
        "use_cpu": True,
        "bf16": False,
    }
    settings = GRPOConfig(output_dir=str(tmp_path), max_completion_length=3, **sizes, **plain)
    rewards = {
        "reward_funcs": [trl.item_reward, trl.group_reward],
        "train_dataset": trl.dataset(data),
    }
    trainer = GRPOTrainer(model=model, processing_class=tokenizer, args=settings, **rewards)
    trainer.train()
    logged = trainer.state.log_history[0]
    assert logged["groups_whole"] == 1.0
    assert logged["rewards/item_reward/mean"] >= logged["rewards/group_reward/mean"]


class Scripted(BaseHTTPRequestHandler):
    """A chat model that always says the same, as a stream."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for delta, end in (({"role": "assistant", "content": SAID}, None), ({}, "stop")):
            choice = {"index": 0, "delta": delta, "finish_reason": end}
            chunk = {
                "id": "1",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "scripted",
            }
            self.wfile.write(f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


@pytest.mark.parametrize(("reward", "mean"), [("item", 0.25), ("group", 0.0)])
def test_verifiers_runs_groups_and_rewards_them(
    tmp_path: Path, address: str, reward: str, mean: float
) -> None:
    needed("verifiers", "verifiers")
    command = [
        str(Path(sys.executable).with_name("vf-eval")),
        "divlogic-env",
        "--no-push",
        "-m",
        "scripted",
    ]
    command += [
        "--env.taskset.benchmark",
        "logicnli",
        "--env.taskset.size",
        "16",
        "--env.taskset.level",
        "2",
    ]
    command += ["--env.reward", reward, "--env.agent.runtime.type", "subprocess"]
    command += [
        "--client.base-url",
        address,
        "--client.api-key-var",
        "KEY",
        "--output-dir",
        str(tmp_path),
    ]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "KEY": "x"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (path,) = tmp_path.rglob("traces.jsonl")
    episodes = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    runs = [run for episode in episodes for run in episode["traces"]]
    assert [run["errors"] for run in runs] == [[]] * 16
    assert sum(run["rewards"]["right"]["score"] for run in runs) == 16 * mean
    assert {run["metrics"]["group"] for run in runs} == {0.0}

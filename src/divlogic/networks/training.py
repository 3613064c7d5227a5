"""Training that can be killed: the same numbers come out of it however often it was resumed.

And encoders of pairs of texts with a linear layer on top, which gives each pair one or several scores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path
from divlogic.io.log import say
from divlogic.networks.library import device_of, load_encoder, precision, torch_library


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a network is trained.

    Attributes:
        rate: learning rate of AdamW, constant once it is reached.
        batch: rows per step.
        weight_decay: AdamW's.
        steps_kept: steps after which a checkpoint is written.
        seed: of the order of rows and of dropout.
        warm_up: share of the steps over which the rate rises from 0.
        judged: steps after which the network is judged; the weights judged best stay. ``None``: the last ones.
    """

    rate: float
    batch: int
    weight_decay: float = 0.01
    steps_kept: int = 50
    seed: int = 0
    warm_up: float = 0.0
    judged: int | None = None


class Trainer:
    """Trains the parameters of a module that want it, with checkpoints in a folder.

    Args:
        loss_of: returns the mean loss of a batch of rows, as a tensor to be differentiated.
        folder: where the checkpoint lies; ``None``: nowhere.
        about: what else decides the outcome (the model, its sizes); a checkpoint of something else is refused.
        groups: parameters with options of their own, as torch's optimisers take them; ``None``: all alike.
    """

    def __init__(
        self,
        module: Any,
        loss_of: Callable[[Sequence[Any]], Any],
        schedule: Schedule,
        folder: Path | None,
        about: dict[str, Any],
        groups: Any = None,
    ) -> None:
        import torch

        self._torch, self._module, self._loss_of = torch, module, loss_of
        self._schedule, self._about = schedule, about
        self._file = folder / "checkpoint.pt" if folder else None
        wanted = groups or [value for value in module.parameters() if value.requires_grad]
        self.optimiser = torch.optim.AdamW(
            wanted, lr=schedule.rate, weight_decay=schedule.weight_decay
        )
        self.step = self._passes = 0
        self.losses: list[float] = []
        self._best: tuple[float, dict[str, Any]] | None = None

    def run(
        self, rows: Sequence[Any], passes: int, judge: Callable[[], float] | None = None
    ) -> None:
        """Go over ``rows`` ``passes`` times more, from the last checkpoint on.

        ``judge`` returns how good the network is, where the schedule has it judged.
        """
        if not rows:
            raise DivLogicError("there is no row to train on; give a data set that is not empty.")
        self._passes += passes
        identity = self._identity(rows) if self._file else ""
        self._resume(identity)
        size = self._schedule.batch
        per_pass = -(-len(rows) // size)
        total = per_pass * self._passes
        # AdamW decides nothing until here, so that a run that had ended is the same as one that goes on.
        self._module.train()
        order: Sequence[int] = ()
        while self.step < total:
            number, place = divmod(self.step, per_pass)
            if not place or not order:
                order = Draws(self._schedule.seed, number).shuffled(range(len(rows)))
            chosen = [rows[at] for at in order[place * size : (place + 1) * size]]
            # Seeded again at each step: a resumed run draws the same dropout.
            self._torch.manual_seed((self._schedule.seed * 1_000_003 + self.step) % 2**63)
            if rising := self._schedule.warm_up * total:
                for group in self.optimiser.param_groups:
                    group["lr"] = self._schedule.rate * min(1.0, (self.step + 1) / rising)
            loss = self._loss_of(chosen)
            self.optimiser.zero_grad()
            loss.backward()
            self._torch.nn.utils.clip_grad_norm_(self._module.parameters(), 1.0)
            self.optimiser.step()
            self.losses.append(loss.item())
            self.step += 1
            judged, last = self._schedule.judged, self.step == total
            if judge and judged and (last or self.step % judged == 0):
                self._judge(judge)
            if last or self.step % self._schedule.steps_kept == 0:
                say(f"step {self.step:,} of {total:,}: loss {self.losses[-1]:.4f}")
                self._keep(identity)
        self._module.eval()
        if judge and self._best:
            self._put(self._best[1])

    def _judge(self, judge: Callable[[], float]) -> None:
        self._module.eval()
        value = judge()
        self._module.train()
        if self._best is None or value > self._best[0]:
            self._best = (
                value,
                {name: weights.detach().clone() for name, weights in self._trained().items()},
            )

    def _put(self, weights: dict[str, Any]) -> None:
        own = self._trained()
        with self._torch.no_grad():
            for name, value in weights.items():
                own[name].copy_(value)

    def _identity(self, rows: Sequence[Any]) -> str:
        about = orjson.dumps([asdict(self._schedule), self._about], option=orjson.OPT_SORT_KEYS)
        digest = hashlib.sha256(about)
        for row in rows:
            digest.update(repr(row).encode())
        return digest.hexdigest()

    def _trained(self) -> dict[str, Any]:
        return {
            name: value for name, value in self._module.named_parameters() if value.requires_grad
        }

    def _keep(self, identity: str) -> None:
        if self._file is None:
            return
        state = {
            "identity": identity,
            "step": self.step,
            "losses": self.losses,
            "weights": {name: value.detach() for name, value in self._trained().items()},
            "optimiser": self.optimiser.state_dict(),
            "best": self._best,
        }
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(self._file) as temporary:
            self._torch.save(state, temporary)

    def _resume(self, identity: str) -> None:
        if self.step or self._file is None or not self._file.is_file():
            return
        state = _read_state(self._file, "a checkpoint", "identity")
        if state["identity"] != identity:
            raise DivLogicError(
                f"{self._file}: a checkpoint of another data set, model or setting; delete it, or name another folder"
                " with --work."
            )
        self._put(state["weights"])
        self._best = state["best"]
        self.optimiser.load_state_dict(state["optimiser"])
        self.step, self.losses = state["step"], list(state["losses"])
        say(f"{self._file}: goes on after step {self.step:,}.")


def _read_state(path: Path, what: str, key: str) -> dict[str, Any]:
    """Read what torch has saved; it has a value under ``key``."""
    import torch

    try:
        state: dict[str, Any] = torch.load(path, weights_only=True)
        _ = state[key]
    except Exception as error:  # torn files raise any error of pickle
        raise DivLogicError(
            f"{path}: not {what} that can be read ({type(error).__name__}); delete it and train again."
        ) from error
    return state


def label_loss(scores_of: Callable[[Sequence[Any]], Any], rows: Sequence[tuple[Any, int]]) -> Any:
    """Return the mean cross-entropy of rows with a label each, from their scores of shape (rows, labels)."""
    import torch

    scores = scores_of([row for row, _ in rows])
    labels = torch.tensor([label for _, label in rows], device=scores.device)
    return torch.nn.functional.cross_entropy(scores, labels)


Pair = tuple[str, str]

_BATCH, _TOGETHER = 32, 8
"""Pairs that are asked at once, and those of them that are padded to one length."""


class PairNetwork:
    """An encoder with a linear layer on the mean of its last states.

    Args:
        model: ``minilm-l6-v2``, a folder of `transformers` or a name of the hub.
        outputs: scores of a pair.
        longest: tokens of a pair; the first text is cut at its end.
        work: folder of its checkpoint; ``None``: none is written.
        loaded: a model and its tokenizer, instead of those that ``model`` names.
    """

    def __init__(
        self,
        model: str,
        schedule: Schedule,
        *,
        outputs: int,
        longest: int = 256,
        work: Path | None = None,
        loaded: tuple[Any, Any] | None = None,
    ) -> None:
        torch = self._torch = torch_library()
        self.device = device_of(torch)
        torch.manual_seed(schedule.seed % 2**63)
        body, self._tokenizer = loaded or load_encoder(model)
        limit = getattr(body.config, "max_position_embeddings", longest)
        self._longest = min(longest, limit)
        head = torch.nn.Linear(body.config.hidden_size, outputs)
        self._module = torch.nn.ModuleDict({"body": body, "head": head}).to(self.device)
        self._module.eval()
        self._about = {"model": model, "longest": self._longest, "outputs": outputs}
        self.restart(schedule, work)

    def fit(
        self, rows: Sequence[Any], passes: int, judge: Callable[[], float] | None = None
    ) -> None:
        """Go over rows ``passes`` times more; by themselves rows are a pair and its label, ``((a, b), 0)``."""
        self._trainer.run(rows, passes, judge)

    def restart(self, schedule: Schedule, work: Path | None) -> None:
        """Begin another training of the weights as they are, with an optimiser and a checkpoint of its own."""
        self._trainer = Trainer(self._module, self.loss, schedule, work, self._about)

    def loss(self, rows: Sequence[Any]) -> Any:
        """Return the mean loss of rows; of pairs with a label each by itself."""
        return label_loss(self.scores, rows)

    def scores(self, pairs: Sequence[Pair]) -> Any:
        """Return the scores of pairs as a tensor of shape (pairs, outputs)."""
        given = self._tokenizer(
            [first for first, _ in pairs],
            [second for _, second in pairs],
            truncation="longest_first",
            max_length=self._longest,
        )
        # Pairs of similar length together: less of what is multiplied is padding.
        order = sorted(range(len(pairs)), key=lambda at: (len(given["input_ids"][at]), at))
        parts = [order[start : start + _TOGETHER] for start in range(0, len(order), _TOGETHER)]
        found = [
            self._encoded({name: [rows[at] for at in places] for name, rows in given.items()})
            for places in parts
        ]
        back = sorted(range(len(order)), key=order.__getitem__)
        return self._torch.cat(found)[back]

    def _encoded(self, rows: dict[str, list[list[int]]]) -> Any:
        given = self._tokenizer.pad(rows, return_tensors="pt").to(self.device)
        with precision(self._torch):
            states = self._module["body"](**given).last_hidden_state.float()
        mask = given["attention_mask"][:, :, None]
        return self._module["head"]((states * mask).sum(dim=1) / mask.sum(dim=1))

    def fixed_scores(self, pairs: Sequence[Pair]) -> list[list[float]]:
        """Return the scores of pairs as numbers, rounded so that their order does not hang on the batches."""
        order = sorted(range(len(pairs)), key=lambda at: (sum(map(len, pairs[at])), at))
        found: list[list[float]] = [[] for _ in pairs]
        with self._torch.no_grad():
            for start in range(0, len(order), _BATCH):
                places = order[start : start + _BATCH]
                rows = self.scores([pairs[at] for at in places]).tolist()
                for place, row in zip(places, rows, strict=True):
                    found[place] = [round(value, 4) for value in row]
        return found

    def probabilities(self, pairs: Sequence[Pair]) -> list[list[float]]:
        """Return the probabilities of the outputs for pairs; shape (pairs, outputs)."""
        rows = self._torch.tensor(self.fixed_scores(pairs))
        found: list[list[float]] = self._torch.softmax(rows, dim=-1).tolist() if pairs else []
        return found

    def save(self, path: Path) -> None:
        """Write the weights."""
        weights = {name: value.cpu() for name, value in self._module.state_dict().items()}
        with atomic_path(path) as temporary:
            self._torch.save({"about": self._about, "weights": weights}, temporary)

    def load(self, path: Path) -> None:
        """Take over the weights that :meth:`save` wrote; a missing or torn file, or another model's, is an error."""
        state = _read_state(path, "the weights of a network", "about")
        if state["about"] != self._about:
            raise DivLogicError(
                f"{path}: weights of another model or length ({state['about']}); train the network again."
            )
        self._module.load_state_dict(state["weights"])

"""Encoders of pairs of texts with a linear layer on top, which gives each pair one or several scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path
from divlogic.networks.library import device_of, load_encoder, precision, torch_library
from divlogic.networks.training import Schedule, Trainer

Pair = tuple[str, str]

_BATCH, _TOGETHER = 32, 8
"""Pairs that are asked at once, and those of them that are padded to one length."""


class PairNetwork:
    """An encoder with a linear layer on the mean of its last states.

    Args:
        model: ``minilm-l6-v2``, a folder of `transformers` or a name of the hub.
        schedule: how it is trained.
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
        self._trainer = Trainer(self._module, self.loss, schedule, work, self._about)
        self._passes = 0

    def fit(self, rows: Sequence[Any], passes: int, judge: Callable[[], float] | None = None) -> None:
        """Go over rows ``passes`` times more; by themselves rows are a pair and its label, ``((a, b), 0)``."""
        self._passes += passes
        self._trainer.run(rows, self._passes, judge)

    def restart(self, schedule: Schedule, work: Path | None) -> None:
        """Begin another training of the weights as they are, with an optimiser and a checkpoint of its own."""
        self._trainer, self._passes = Trainer(self._module, self.loss, schedule, work, self._about), 0

    def loss(self, rows: Sequence[Any]) -> Any:
        """Return the mean loss of rows; of pairs with a label each by itself."""
        wanted = self._torch.tensor([label for _, label in rows], device=self.device)
        return self._torch.nn.functional.cross_entropy(self.scores([pair for pair, _ in rows]), wanted)

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
                for place, row in zip(
                    places, self.scores([pairs[at] for at in places]).tolist(), strict=True
                ):
                    found[place] = [round(value, 4) for value in row]
        return found

    def probabilities(self, pairs: Sequence[Pair]) -> list[list[float]]:
        """Return the probabilities of the outputs for pairs; shape (pairs, outputs)."""
        rows = self._torch.tensor(self.fixed_scores(pairs))
        found: list[list[float]] = self._torch.softmax(rows, dim=-1).tolist() if pairs else []
        return found

    def save(self, path: Path) -> None:
        """Write the weights."""
        with atomic_path(path) as temporary:
            self._torch.save(
                {"about": self._about, "weights": {k: v.cpu() for k, v in self._module.state_dict().items()}},
                temporary,
            )

    def load(self, path: Path) -> None:
        """Take over the weights that :meth:`save` wrote.

        Raises:
            DivLogicError: the file is missing, torn, or of another model.
        """
        try:
            state = self._torch.load(path, weights_only=True)
            about, weights = state["about"], state["weights"]
        except Exception as error:  # torn files raise any error of pickle
            raise DivLogicError(
                f"{path}: no weights that can be read ({type(error).__name__}); train the network again."
            ) from error
        if about != self._about:
            raise DivLogicError(
                f"{path}: weights of another model or length ({about}); train the network again."
            )
        self._module.load_state_dict(weights)

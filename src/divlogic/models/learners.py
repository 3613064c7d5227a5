"""Classifiers of records with labels, behind one interface: fit on records, predict their labels, seeded.

Those of the extra ``neural`` are a small transformer trained from scratch, and any encoder of `transformers`. Both read
``facts and rules [SEP] statement`` and end in a two-layer perceptron, as the paper's models do (Tian et al. 2021,
Section 5.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, read_json, write_json
from divlogic.io.imports import lean
from divlogic.io.log import say
from divlogic.models.words import (
    DIGITS,
    fit_transform,
    followed_sentences,
    highest_scored,
    words_and_pairs,
)
from divlogic.networks.library import device_of, load_body, load_tokenizer, precision, torch_library
from divlogic.networks.training import Schedule, Trainer, label_loss
from divlogic.records import Record


class Learner(Protocol):
    """Learns from records with answers and labels others; the same records and seed give the same labels."""

    def fit(self, records: Iterable[Record]) -> None:
        """Learn from records, which are read once; does nothing where there is nothing to learn."""

    def predict(self, records: Sequence[Record]) -> list[str]:
        """Return a label, one of its options, for each record."""


def labelled(records: Iterable[Record]) -> Iterator[tuple[Record, str]]:
    """Yield training records with their right labels."""
    record = None
    for record in records:
        if record.answer is None:
            raise DivLogicError(
                f"record {record.id} of {record.split} has no answer to learn from; train on labelled records only."
            )
        yield record, record.options[record.answer]
    if record is None:
        raise DivLogicError(
            "there is no record to learn from; give a training set that is not empty."
        )


class Majority:
    """The label that is most frequent in training; of several, the alphabetically first."""

    def __init__(self) -> None:
        self._label = ""

    def fit(self, records: Iterable[Record]) -> None:
        counts = Counter(label for _, label in labelled(records))
        self._label = min(counts, key=lambda label: (-counts[label], label))

    def predict(self, records: Sequence[Record]) -> list[str]:
        return [self._label] * len(records)


class BagOfWords:
    """A linear classifier by stochastic gradient descent on the TF-IDF of words and pairs of adjacent words.

    Texts share most of their sentences, so that each sentence is read once, and a text is the sum of its sentences.
    """

    def __init__(self, seed: int) -> None:
        with lean("sklearn"):
            from sklearn.feature_extraction.text import CountVectorizer
            from sklearn.linear_model import SGDClassifier

        self._sentences: Any = CountVectorizer(analyzer=followed_sentences, dtype=np.float32)
        self._counts: Any = CountVectorizer(analyzer=words_and_pairs, dtype=np.float32)
        self._weights: Any = None
        self._model: Any = SGDClassifier(
            alpha=1e-4, max_iter=20, tol=None, random_state=seed % 2**31
        )

    def fit(self, records: Iterable[Record]) -> None:
        known, labels = zip(*labelled(records), strict=True)
        rows = self._rows(known, partial(fit_transform, self._counts))
        texts = sum(
            np.bincount(part, minlength=rows.shape[1]) for part in np.array_split(rows.indices, 64)
        )
        # What fewer than five texts hold has no weight.
        self._weights = (np.log((1 + rows.shape[0]) / (1 + texts)) + 1) * (texts >= 5)
        self._model.fit(self._weighted(rows), labels)

    def predict(self, records: Sequence[Record]) -> list[str]:
        rows = self._weighted(self._rows(records, self._counts.transform))
        return [str(label) for label in highest_scored(self._model, rows)]

    def _rows(self, records: Iterable[Record], counts: Callable[[Sequence[str]], Any]) -> Any:
        uses = fit_transform(self._sentences, (f"{one.context} {one.question}" for one in records))
        words = counts(self._sentences.get_feature_names_out())
        del self._sentences.vocabulary_  # it weighs as much as the texts
        rows = uses @ words
        del uses, words
        rows.data = rows.data.astype(np.float64)
        return rows

    def _weighted(self, rows: Any) -> Any:
        """Weigh the counts in place, part by part: TfidfTransformer needs as much memory again as the matrix."""
        from sklearn.preprocessing import normalize

        for start in range(0, len(rows.data), 10**6):
            part = slice(start, start + 10**6)
            rows.data[part] *= self._weights[rows.indices[part]]
        return normalize(rows, copy=False)


PADDING, UNKNOWN, START, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"

Tokens = Callable[[Record], tuple[list[str], list[str]]]
"""Returns the tokens of a record's context, and those of its statement."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a network is trained; the defaults are those of the paper's Table 3 for BERT.

    Attributes:
        epochs: maximum number of training epochs.
        patience: epochs without a better accuracy on the validation set after which training stops.
        rate: learning rate of AdamW.
        head_rate: learning rate of the perceptron; ``None``: that of the rest.
        decay: factor of the learning rate from epoch to epoch.
        longest: tokens of a record; longer ones are cut at their end: the longer text first, by a network that is
            trained from nothing the context.
    """

    epochs: int = 20
    patience: int = 5
    batch: int = 16
    rate: float = 5e-6
    head_rate: float | None = None
    decay: float = 0.9
    weight_decay: float = 1e-5
    longest: int = 512


SCRATCH = Training(epochs=20, rate=5e-4, batch=32, longest=640)
"""Defaults of a network that starts from nothing."""

_WIDTH, _LAYERS, _HEADS = 64, 2, 4
"""Its sizes."""


class Network:
    """What both learners share: batches, training with early stop, prediction, saving."""

    def __init__(self, seed: int, training: Training, validation: Sequence[Record] = ()) -> None:
        self.seed, self.training, self.validation = seed, training, validation
        self.labels: list[str] = []
        self._module: Any = None
        self._torch = torch_library()
        self._device = device_of(self._torch)

    def fit(self, records: Iterable[Record]) -> None:
        pairs = list(labelled(records))
        self.labels = sorted({label for _, label in pairs})
        self._torch.manual_seed(self.seed % 2**63)
        self._prepare([record for record, _ in pairs])
        self._module = self._built().to(self._device)
        self._train([(self._encoded(record), self.labels.index(label)) for record, label in pairs])

    def predict(self, records: Sequence[Record]) -> list[str]:
        if self._module is None:
            raise DivLogicError(
                "a network was asked before it was trained; fit it, or load a saved one."
            )
        found: list[str] = []
        self._module.eval()
        with self._torch.no_grad():
            for start in range(0, len(records), self.training.batch):
                rows = [
                    self._encoded(record) for record in records[start : start + self.training.batch]
                ]
                places = self._scores(rows).round(decimals=DIGITS).argmax(dim=1).tolist()
                found += [self.labels[place] for place in places]
        return found

    def save(self, folder: Path) -> None:
        """Write the trained network into a folder; the same network gives the same bytes."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        state = {
            key: value.cpu().contiguous()
            for key, value in sorted(self._module.state_dict().items())
        }
        with atomic_path(folder / "weights.safetensors") as temporary:
            save_file(state, temporary)
        described = {
            "labels": self.labels,
            "training": asdict(self.training),
            **self._described(folder),
        }
        write_json(folder / "network.json", described)

    def load(self, folder: Path) -> None:
        """Read a network that :meth:`save` wrote."""
        from safetensors.torch import load_file

        described = read_json(folder / "network.json")
        try:
            self.labels = list(described["labels"])
            self._restore(described, folder)
            self.training = Training(**described["training"])
            self._module = self._built().to(self._device)
            self._module.load_state_dict(load_file(folder / "weights.safetensors"))
        except (KeyError, OSError, RuntimeError, TypeError) as error:
            raise DivLogicError(
                f"{folder}: not a saved network of this learner ({error}); train it again with --save."
            ) from error

    def _train(self, rows: list[tuple[Any, int]]) -> None:
        settings = self.training
        schedule = Schedule(settings.rate, settings.batch, settings.weight_decay, seed=self.seed)
        trainer = Trainer(
            self._module, partial(label_loss, self._scores), schedule, None, {}, self._groups()
        )
        best, waited, kept = -1.0, 0, None
        for epoch in range(1, settings.epochs + 1):
            trainer.run(rows, 1)
            for group in trainer.optimiser.param_groups:
                group["lr"] *= settings.decay
            if not self.validation:
                continue
            pairs = zip(self.predict(self.validation), self.validation, strict=True)
            share = fmean(label == record.options[record.answer or 0] for label, record in pairs)
            say(f"epoch {epoch}: {100 * share:.1f} % right on the validation set")
            if share > best:
                best, waited = share, 0
                kept = {key: value.clone() for key, value in self._module.state_dict().items()}
            elif (waited := waited + 1) >= settings.patience:
                break
        if kept is not None:
            self._module.load_state_dict(kept)

    def _groups(self) -> Any:
        if (rate := self.training.head_rate) is None:
            return None
        body = [
            value for name, value in self._module.named_parameters() if not name.startswith("head.")
        ]
        return [{"params": body}, {"params": list(self._module["head"].parameters()), "lr": rate}]

    def _head(self, width: int) -> Any:
        nn = self._torch.nn
        return nn.Sequential(
            nn.Linear(width, width), nn.Tanh(), nn.Dropout(0.1), nn.Linear(width, len(self.labels))
        )

    def _prepare(self, records: Sequence[Record]) -> None:
        """Learn what the encoding of records needs."""
        raise NotImplementedError

    def _built(self) -> Any:
        """Return an untrained module with a part ``head``."""
        raise NotImplementedError

    def _encoded(self, record: Record) -> Any:
        raise NotImplementedError

    def _scores(self, rows: Sequence[Any]) -> Any:
        """Return the scores of the labels for encoded records, shape (records, labels)."""
        raise NotImplementedError

    def _described(self, folder: Path) -> dict[str, Any]:
        raise NotImplementedError

    def _restore(self, described: dict[str, Any], folder: Path) -> None:
        raise NotImplementedError


class SmallTransformer(Network):
    """A transformer from scratch over whole words.

    Args:
        seed: of the weights and of the order of training.
        tokens: returns the words of context and statement; names and properties as numbered tokens make it learn rules
            instead of words.
        validation: records that early stop looks at.
    """

    def __init__(
        self,
        seed: int,
        tokens: Tokens,
        *,
        training: Training = SCRATCH,
        validation: Sequence[Record] = (),
    ) -> None:
        super().__init__(seed, training, validation)
        self._tokens = tokens
        self._words: dict[str, int] = {}

    def _prepare(self, records: Sequence[Record]) -> None:
        found = {word for record in records for part in self._tokens(record) for word in part}
        listed = [PADDING, UNKNOWN, START, END, *sorted(found)]
        self._words = {word: number for number, word in enumerate(listed)}

    def _built(self) -> Any:
        nn, width = self._torch.nn, _WIDTH
        layer = nn.TransformerEncoderLayer(
            width, _HEADS, 4 * width, dropout=0.1, batch_first=True, norm_first=True
        )
        return nn.ModuleDict(
            {
                "words": nn.Embedding(len(self._words), width, padding_idx=0),
                "places": nn.Embedding(self.training.longest, width),
                "body": nn.TransformerEncoder(layer, _LAYERS, enable_nested_tensor=False),
                "head": self._head(width),
            }
        )

    def _encoded(self, record: Record) -> list[int]:
        context, statement = self._tokens(record)
        room = self.training.longest - 3
        statement = statement[:room]
        text = [START, *context[: room - len(statement)], END, *statement, END]
        unknown = self._words[UNKNOWN]
        return [self._words.get(word, unknown) for word in text]

    def _scores(self, rows: Sequence[list[int]]) -> Any:
        torch, module = self._torch, self._module
        padded = torch.nn.utils.rnn.pad_sequence(
            [torch.tensor(row) for row in rows], batch_first=True
        )
        numbers = padded.to(self._device)
        places = torch.arange(numbers.shape[1], device=self._device)
        given = module["words"](numbers) + module["places"](places)
        return module["head"](module["body"](given, src_key_padding_mask=numbers == 0)[:, 0])

    def _described(self, folder: Path) -> dict[str, Any]:
        return {"words": list(self._words)}

    def _restore(self, described: dict[str, Any], folder: Path) -> None:
        self._words = {word: number for number, word in enumerate(described["words"])}


class Encoder(Network):
    """An encoder of `transformers` that is fine-tuned, with the input form of the paper.

    A decoder is read at its last token, which alone has seen all others; a line break stands for its missing [SEP].

    Args:
        seed: of the head, of dropout and of the order of training.
        model: name on the hub, a folder that ``save_pretrained`` wrote, or a GGUF file.
        validation: records that early stop looks at.
    """

    def __init__(
        self,
        seed: int,
        model: str,
        *,
        training: Training = Training(),
        validation: Sequence[Record] = (),
    ) -> None:
        super().__init__(seed, training, validation)
        self._model = model
        self._tokenizer: Any = None
        self._separator = ""

    def _prepare(self, records: Sequence[Record]) -> None:
        self._tokenizer = load_tokenizer(self._model)
        self._separator = "" if self._tokenizer.sep_token else "\n"
        limit = getattr(self._tokenizer, "model_max_length", self.training.longest)
        self.training = replace(self.training, longest=min(self.training.longest, limit))

    def _built(self) -> Any:
        body = load_body(self._model)
        return self._torch.nn.ModuleDict(
            {"body": body, "head": self._head(body.config.hidden_size)}
        )

    def _encoded(self, record: Record) -> tuple[str, str]:
        return record.context, record.question

    def _scores(self, rows: Sequence[tuple[str, str]]) -> Any:
        given = self._tokenizer(
            [context for context, _ in rows],
            [self._separator + statement for _, statement in rows],
            truncation="longest_first",
            max_length=self.training.longest,
            padding=True,
            return_tensors="pt",
        ).to(self._device)
        body = self._module["body"]
        # The [CLS] of XLNet is the last token.
        place = -1 if self._separator or getattr(body.config, "model_type", "") == "xlnet" else 0
        with precision(self._torch):
            states = body(**given).last_hidden_state[:, place].float()
        return self._module["head"](states)

    def _described(self, folder: Path) -> dict[str, Any]:
        self._tokenizer.save_pretrained(folder / "encoder")
        self._module["body"].save_pretrained(folder / "encoder")
        return {"encoder": "encoder"}

    def _restore(self, described: dict[str, Any], folder: Path) -> None:
        self._model = str(folder / described["encoder"])
        self._prepare(())

"""The generators as data sets of `reasoning_gym`, with curricula of their levels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from divlogic.errors import DivLogicError, needing
from divlogic.library.dataset import Credit, Item, create, levels, names, score_answer

PREFIX = "divlogic_"


@dataclass
class Config:
    """Configuration of a data set.

    Attributes:
        seed, size: as everywhere in reasoning_gym.
        level: of difficulty, from 1.
        credit: ``each``: of an item with sub-questions the share that is right counts.
        parameters: further ones of the generator.
    """

    seed: int | None = None
    size: int = 500
    level: int | None = None
    credit: Credit = "all"
    parameters: dict[str, Any] = field(default_factory=dict)

    def validate(self) -> None:
        """Refuse what no data set can be made of; level and parameters are checked by the generator."""
        if self.size < 1:
            raise DivLogicError(f"size is {self.size}; give 1 or more.")


def _made(name: str, config: Config) -> Any:
    """Return the data set of a pickle."""
    register()
    from reasoning_gym.factory import DATASETS

    kind, _ = DATASETS[name]
    return kind(config)


def register() -> tuple[str, ...]:
    """Register each generator as ``divlogic_<name>`` if it is not, and return these names."""
    with needing("reasoning-gym"):
        from reasoning_gym.coaching import BaseCurriculum, ScalarAttributeDefinition
        from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset

    class Generated(ProceduralDataset):  # type: ignore[misc]
        name: str

        def __init__(self, config: Config) -> None:
            super().__init__(config=config, seed=config.seed, size=config.size)
            drawn = {"size": self.size, "seed": self.seed, "level": config.level}
            self.data = create(self.name, **drawn, **config.parameters)

        def __getitem__(self, idx: int) -> Item:
            item = self.data[idx]
            return {**item, "metadata": {**item["metadata"], "source_dataset": PREFIX + self.name}}

        def score_answer(self, answer: str | None, entry: Item) -> float:
            return score_answer(answer, entry, credit=self.config.credit)

        def __reduce__(self) -> tuple[Any, ...]:
            # Another process registers the generators before it makes the data set.
            return _made, (PREFIX + self.name, self.config)

    class Levels(BaseCurriculum):  # type: ignore[misc]
        name: str

        def __init__(self) -> None:
            super().__init__(PREFIX + type(self).name, Config)
            numbers = list(range(1, len(levels(type(self).name)) + 1))
            level = ScalarAttributeDefinition(name="level", field_name="level", levels=numbers)
            self._define_attributes(level)

    for name in names():
        if PREFIX + name not in DATASETS:
            classes = (type(kind.__name__, (kind,), {"name": name}) for kind in (Generated, Levels))
            dataset, curriculum = classes
            register_dataset(PREFIX + name, dataset, Config, curriculum)
    return tuple(PREFIX + name for name in names())

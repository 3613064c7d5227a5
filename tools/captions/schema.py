"""What a lexicon file may say; unknown keys are refused, so that a misspelt key cannot pass in silence."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Setting = Literal["outdoors", "indoors", ""]
Who = Literal["adult", "grown", "any", "young", "child", "baby", "roles"]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True, frozen=True)


class NounEntry(_Entry):
    """A subject noun; `is` are its hypernyms (keys of nouns.yaml), `not` its excluding co-hyponyms."""

    one: str | None = None
    many: str | None = None
    sex: Literal["m", "f", ""] = ""
    age: Literal["adult", "teen", "child", "baby", ""] = ""
    above: list[str] = Field(default_factory=list, alias="is")
    excludes: list[str] = Field(default_factory=list, alias="not")
    adjectives: str = ""
    general: bool = False
    loose: bool = False


class PlaceEntry(_Entry):
    """A place phrase; `near` and `setting` replace the scene's own, `tag` is what an activity's `where` names."""

    at: str
    near: list[str] | None = None
    setting: Setting | None = None
    tag: str = ""


class ActivityEntry(_Entry):
    """A verb phrase led by its lemma (`(a|b)` offers alternatives), what follows from it and what may be added."""

    do: str
    many: str | None = None
    up: list[str] = Field(min_length=1)
    why: list[str] = Field(default_factory=list)
    how: list[str] = Field(default_factory=list)
    pose: Literal[
        "sit",
        "stand",
        "walk",
        "run",
        "ride",
        "swim",
        "lie",
        "climb",
        "kneel",
        "fly",
        "move",
        "park",
        "",
    ] = ""
    free: bool = False
    who: Who | None = None
    by: list[str] = Field(default_factory=list)
    where: list[str] = Field(default_factory=list)
    spry: bool | None = None
    passive: bool = False
    number: Literal["one", "many", ""] = ""


class SceneFile(_Entry):
    """A setting in which its roles, activities and places go together naturally."""

    root: Literal["person", "animal", "thing"] = "person"
    family: str = ""
    setting: Setting
    near: list[str] = Field(default_factory=list)
    wear: list[str] = Field(default_factory=list)
    who: Who = "grown"
    spry: bool = False
    pose: Literal[
        "sit",
        "stand",
        "walk",
        "run",
        "ride",
        "swim",
        "lie",
        "climb",
        "kneel",
        "fly",
        "move",
        "park",
        "",
    ] = ""
    familiar: bool = False
    general: bool = True
    role_is: str = "person"
    roles: list[str | NounEntry]
    places: list[str | PlaceEntry] = Field(min_length=1)
    activities: list[ActivityEntry] = Field(min_length=1)


class AttributeEntry(_Entry):
    say: str
    many: str | None = None
    value: str = ""
    fits: list[str]
    state: bool = False


class CommonFile(_Entry):
    """Words (parted by spaces) that only the tagger's training sentences use."""

    transitive: str
    intransitive: str
    nouns: str
    adjectives: str
    adverbs: str


class PairEntry(_Entry):
    """Two subjects joined by "and": the key of the first, the words of the second, the key of what both are."""

    first: str
    second: str
    together: str


class SaidOf(_Entry):
    of: str
    say: str


class AttributesFile(_Entry):
    axes: dict[str, list[AttributeEntry]]
    colours: list[str]
    wardrobe: dict[str, list[str]]
    pairs: list[PairEntry]
    relations: list[SaidOf]
    states: list[SaidOf]
    times: list[SaidOf]
    names: list[str]
    everyday: list[str] = []
    trades: list[str] = []
    open_air: str = ""
    unsure: str = ""
    vague: list[str] = []

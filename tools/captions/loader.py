"""Reading the lexicon's YAML files: every phrase is tagged, every reference checked, every error names its entry."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from tools.captions.lexicon import (
    Activity,
    Attribute,
    Garment,
    Lexicon,
    Noun,
    Place,
    Scene,
    VerbPhrase,
)
from tools.captions.schema import (
    ActivityEntry,
    AttributesFile,
    CommonFile,
    NounEntry,
    PlaceEntry,
    SceneFile,
)
from tools.captions.words import Phrase, is_plural_noun_phrase, plural, tag_phrase

_PATHS = frozenset(["along", "across", "through", "past", "down", "around", "over", "into"])


@lru_cache(maxsize=4)
def load_lexicon(folder: Path) -> Lexicon:
    """Read and check every file of a lexicon folder; raises DivLogicError naming the file and entry at fault."""
    return _Loader(Path(folder)).load()


class _Loader:
    """Turns the YAML entries into tagged phrases; keeps the word-to-tag table and the verb forms at hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "nouns.yaml").is_file():
            raise DivLogicError(
                f"{folder} holds no caption lexicon (nouns.yaml is missing). "
                "Give the folder tools/captions/lexicon of the repository."
            )
        self.tags = {
            str(word): tag
            for tag, words in self.read("words.yaml").items()
            for word in str(words).split()
        }
        self.forms: dict[str, dict[str, str]] = self.read("verbs.yaml")
        self.nouns: dict[str, Noun] = {}
        self.open_air: set[str] = set()
        self.unsure: set[str] = set()
        self.vague: set[str] = set()

    def load(self) -> Lexicon:
        entries = {
            key: NounEntry.model_validate(value) for key, value in self.read("nouns.yaml").items()
        }
        for key in entries:
            self.nouns[key] = self.noun(key, entries[key], entries)
        attributes = self.validate(AttributesFile, "attributes.yaml")
        self.open_air, self.unsure = (
            {*words.split()} for words in (attributes.open_air, attributes.unsure)
        )
        self.vague = {*attributes.vague}
        wardrobe = {
            kind: tuple(self.garment(item, kind) for item in items)
            for kind, items in attributes.wardrobe.items()
        }
        scenes = tuple(
            self.scene(path, entries, wardrobe)
            for path in sorted((self.folder / "scenes").glob("*.yaml"))
        )
        familiar: dict[str, tuple[Place, ...]] = {}
        for setting in ("indoors", "outdoors"):
            familiar[setting] = tuple(
                place
                for scene in scenes
                if scene.familiar
                for place in scene.places
                if place.setting == setting and not place.path and not place.tag
            )
        return Lexicon(
            nouns=self.nouns,
            general=tuple(noun for noun in self.nouns.values() if noun.general),
            scenes=scenes,
            attributes=tuple(
                Attribute(
                    phrase=self.phrase(item.say),
                    many=self.phrase(item.many or item.say),
                    axis=axis,
                    value=item.value or item.say,
                    fits=frozenset(item.fits),
                    state=item.state,
                )
                for axis, items in attributes.axes.items()
                for item in items
            ),
            colours=tuple(self.phrase(colour) for colour in attributes.colours),
            pairs=tuple((p.first, self.phrase(p.second), p.together) for p in attributes.pairs),
            relations=tuple((r.of, self.phrase(r.say)) for r in attributes.relations),
            states=tuple((s.of, self.verb_phrase(s.say)) for s in attributes.states),
            times=tuple((t.of, self.phrase(t.say)) for t in attributes.times),
            common={
                kind: tuple(words.split())
                for kind, words in self.validate(CommonFile, "common.yaml").model_dump().items()
            },
            names=tuple(map(self.phrase, attributes.names)),
            forms=self.forms,
            everyday=frozenset(attributes.everyday),
            trades=frozenset(attributes.trades),
            familiar_places=familiar,
        )

    def read(self, name: str) -> Any:
        import yaml

        path = self.folder / name
        try:
            return yaml.load(
                path.read_text(encoding="utf-8"),
                Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader),
            )
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise DivLogicError(
                f"{path} is not a readable lexicon file: {error}. Restore it from git."
            ) from error

    def validate(self, model: Any, name: str) -> Any:
        from pydantic import ValidationError

        try:
            return model.model_validate(self.read(name))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise DivLogicError(
                f"{self.folder / name}, entry {where}: {first['msg']}. Correct that entry."
            ) from error

    def phrase(self, text: str) -> Phrase:
        return tag_phrase(text, self.tags, self.forms)

    def noun(
        self, key: str, entry: NounEntry, entries: dict[str, NounEntry], general_is: str = "person"
    ) -> Noun:
        chain: list[str] = []
        above = list(entry.above or ([] if key in {"person", "animal", "thing"} else [general_is]))
        if not entry.above and entry.sex:
            above = ["man" if entry.sex == "m" else "woman", *above]
        excludes = set(entry.excludes)
        sex, age, adjectives = entry.sex, entry.age, entry.adjectives
        while above:
            parent = above.pop(0)
            if parent not in entries:
                raise DivLogicError(
                    f"{self.folder}: {key!r} has the unknown hypernym {parent!r}; add it to nouns.yaml."
                )
            if parent in chain:
                continue
            chain.append(parent)
            excludes |= set(entries[parent].excludes)
            sex, age = sex or entries[parent].sex, age or entries[parent].age
            adjectives = adjectives or entries[parent].adjectives
            above.extend(
                entries[parent].above
                or ([] if parent in {"person", "animal", "thing"} else ["person"])
            )
        root = next(
            (name for name in ("person", "animal", "thing") if name == key or name in chain),
            "person",
        )
        one = entry.one or key
        many = entry.many or plural(one)
        return Noun(
            key=key,
            one=self.phrase(one),
            many=self.plural_phrase(many),
            root=root,
            sex=sex,
            age=age or ("adult" if root == "person" else ""),
            ancestors=tuple(
                sorted(chain, key=lambda name: {"person": 1, "animal": 1, "thing": 1}.get(name, 0))
            ),
            excludes=frozenset(excludes - set(chain) - {key}),
            adjectives=adjectives or root,
            loose=entry.loose,
            general=entry.general,
        )

    def plural_phrase(self, many: str) -> Phrase:
        phrase = self.phrase(many)
        return (*phrase[:-1], (phrase[-1][0], "NNS"))

    def verb_phrase(self, text: str, many: str | None = None, passive: bool = False) -> VerbPhrase:
        lemma, _, rest = text.partition(" ")
        many_lemma, _, many_rest = (many or text).partition(" ")
        if lemma not in self.forms or many_lemma != lemma:
            raise DivLogicError(
                f"{self.folder / 'verbs.yaml'} lacks the verb {lemma!r} of the phrase {text!r}; add it."
            )
        one = self.phrase(rest)
        # "A depth of a shaft is being measured", "not all the gears are being tested": no subjects to deny anything of.
        passive = passive and not rest.startswith("the ")
        return VerbPhrase(lemma, one, self.phrase(many_rest), passive, is_plural_noun_phrase(one))

    def garment(self, text: str, kind: str) -> Garment:
        bare, _, sex = text.partition(" :")
        coloured = not bare.startswith("plain ")
        name = bare.removeprefix("plain ")
        phrase = self.phrase(name)
        if phrase[-1][1] == "NNS":
            return Garment(phrase, phrase, coloured, sex, kind)
        return Garment(
            (("a", "DT"), *phrase), self.plural_phrase(plural(name)), coloured, sex, kind
        )

    def scene(
        self, path: Path, entries: dict[str, NounEntry], wardrobe: dict[str, tuple[Garment, ...]]
    ) -> Scene:
        name = f"scenes/{path.name}"
        file: SceneFile = self.validate(SceneFile, name)
        roles = []
        for role in file.roles:
            entry = NounEntry(one=role) if isinstance(role, str) else role
            key = _TAG.sub("", entry.one or "")
            known = self.nouns.get(key)
            roles.append(known or self.noun(key, entry, entries, file.role_is))
        unknown = [wear for wear in file.wear if wear not in wardrobe]
        if unknown:
            raise DivLogicError(
                f"{path}: no wardrobe called {unknown[0]!r} in attributes.yaml; use {sorted(wardrobe)}."
            )
        return Scene(
            key=path.stem,
            root=file.root,
            family=file.family or path.stem,
            setting=file.setting,
            familiar=file.familiar,
            general=file.general,
            roles=tuple(roles),
            places=tuple(self.place(place, file) for place in file.places),
            activities=tuple(self.activity(entry, file, path) for entry in file.activities),
            wear=frozenset(file.wear),
            garments=tuple(garment for wear in file.wear for garment in wardrobe[wear]),
        )

    def place(self, entry: str | PlaceEntry, file: SceneFile) -> Place:
        """Return a place with what follows from its own words; that a scene is mostly indoors is no entailment."""
        entry = PlaceEntry(at=entry) if isinstance(entry, str) else entry
        words = [word.split("/")[0] for word in entry.at.split()]
        usual = file.setting if entry.setting is None else entry.setting
        inside = words[0] == "in" and words[1] != "front" and not self.unsure & {*words}
        open_air = usual == "outdoors" and bool(self.open_air & {*words})
        setting = usual if inside or open_air or usual[:-1] in words else ""
        shared = [
            place
            for place in file.near
            if any(word.startswith(place.split()[-1]) for word in words)
        ]
        near = shared if entry.near is None else entry.near
        return Place(
            self.phrase(entry.at),
            tuple(map(self.phrase, near)),
            setting,
            entry.tag,
            entry.at.split()[0] in _PATHS,
        )

    def activity(self, entry: ActivityEntry, file: SceneFile, path: Path) -> Activity:
        singular = list(_alternatives(entry.do))
        plurals = list(_alternatives(entry.many)) if entry.many else singular
        if len(plurals) != len(singular):
            raise DivLogicError(
                f"{path}, activity {entry.do!r}: 'many' must offer as many alternatives as 'do'."
            )
        variants = tuple(
            self.verb_phrase(s, m, entry.passive) for s, m in zip(singular, plurals, strict=True)
        )
        above = {
            text: self.verb_phrase(text, _OWN_PART.sub(_many_parts, text)) for text in entry.up
        }
        lemmas = frozenset(vp.lemma for vp in (*variants, *above.values()))
        words = frozenset(
            w for vp in (*variants, *above.values()) for w, tag in vp.one if tag.startswith("NN")
        )
        return Activity(
            scene=path.stem,
            variants=variants,
            hypernyms=tuple(phrase for text, phrase in above.items() if text not in self.vague),
            purposes=tuple(self.phrase(p) for text in entry.why for p in _alternatives(text)),
            manners=tuple(map(self.phrase, entry.how)),
            pose=entry.pose or file.pose,
            busy=not entry.free,
            who=entry.who or file.who,
            by=frozenset(_TAG.sub("", name) for name in entry.by),
            where=frozenset(entry.where),
            spry=file.spry if entry.spry is None else entry.spry,
            number=entry.number,
            lemma_set=lemmas,
            word_set=words,
        )


_OWN_PART = re.compile(
    r"(POSS) (beak|body|brain|face|head|mouth|neck|nose|tail|tongue|trunk|voice)\b"
)


def _many_parts(match: re.Match[str]) -> str:
    """Several animals use their beaks, not their beak."""
    return f"{match[1]} {plural(match[2])}"


_TAG = re.compile(r"/[A-Z]+")


def _alternatives(text: str) -> list[str]:
    """Every reading of `mend (a net|a torn sail) (slowly|)`, in written order."""
    parts = re.split(r"\(([^)]*)\)", text)
    choices = [part.split("|") if index % 2 else [part] for index, part in enumerate(parts)]
    return [" ".join("".join(pick).split()) for pick in itertools.product(*choices)]

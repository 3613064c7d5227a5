"""Which words say more than others: a small lexicon of kinds, and the entailment between clauses that it shows.

The lexicon is our own and covers what captions tell of: persons, animals, vehicles, garments, places, and ways of
moving, looking and speaking. It errs on the side of seeing an entailment, for what it sees is kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from divlogic.sentences import lexicon
from divlogic.sentences.inflection import lemmas_of
from divlogic.sentences.subject import Subject

_KINDS = """
person: adult child worker player performer artist athlete couple family human someone somebody anyone crowd group
adult: man woman guy gentleman lady mother father husband wife grandmother grandfather bride groom parent
man: guy gentleman businessman husband father groom waiter fisherman cowboy policeman monk fireman grandfather male
woman: lady businesswoman wife mother bride waitress nun ballerina grandmother policewoman female
child: boy girl kid baby toddler infant schoolboy schoolgirl youngster
kid: boy girl child toddler
boy: schoolboy
girl: schoolgirl
baby: infant
female: woman girl lady
male: man boy guy
worker: builder welder roofer miner waiter waitress chef cook janitor cashier barista nurse doctor fireman policeman
 farmer mechanic carpenter electrician plumber baker butcher gardener
performer: dancer singer musician actor juggler acrobat magician clown mime guitarist drummer violinist pianist
musician: guitarist drummer violinist pianist cellist
athlete: player runner skier surfer skater swimmer gymnast boxer wrestler golfer cyclist
player: goalie batter pitcher catcher quarterback golfer
cyclist: bicyclist biker
animal: dog cat horse cow bull goat lamb pig bird elephant camel donkey monkey bear lion tiger zebra giraffe rabbit
 squirrel mouse rat turtle frog snake shark dolphin whale fish sheep pet insect deer pony fox wolf seal otter
dog: puppy poodle greyhound terrier retriever bulldog spaniel labrador husky corgi collie
cat: kitten tabby
horse: pony mare stallion
bird: duck goose swan seagull pigeon chicken parrot owl eagle hawk crow robin sparrow penguin flamingo rooster hen
vehicle: car bus truck van taxi motorcycle bike bicycle tractor boat ship train scooter ambulance helicopter plane
boat: canoe kayak sailboat ship raft ferry
bike: bicycle motorcycle
bicycle: bike
clothes: shirt dress coat jacket hat pants jeans skirt suit uniform sweater t-shirt shorts vest hoodie apron costume
 gown outfit cap scarf
shirt: t-shirt blouse
hat: cap beanie helmet sombrero
coat: jacket parka
food: bread meat fruit cake pizza sandwich rice vegetable burger apple banana soup noodle fish ice-cream cookie meal
 lunch dinner breakfast snack
meal: lunch dinner breakfast
drink: water juice beer wine coffee tea soda milk
instrument: guitar drum violin piano flute trumpet saxophone cello accordion harmonica banjo clarinet tuba
building: house church school store shop restaurant barn tower hotel station castle museum hospital
store: shop supermarket market bakery
outside: park beach street field yard lake river mountain road forest garden sidewalk ocean pool lawn grass snow
 hill trail desert sky playground sea shore cliff farm pond wood tree bench sand sunny
outdoors: park beach street field yard lake river mountain road forest garden sidewalk ocean lawn grass snow hill trail
 desert outside playground sea shore cliff farm pond wood sand
outdoor: outdoors outside
inside: room kitchen house office bed couch restaurant classroom gym store sofa bedroom
indoors: room kitchen house office bed couch restaurant classroom gym store sofa bedroom inside
water: lake river ocean sea pool pond wave
street: road avenue
road: street highway
city: downtown street
sport: soccer basketball baseball football tennis hockey volleyball rugby golf cricket lacrosse
game: soccer basketball baseball football tennis hockey volleyball rugby chess cards poker
ball: basketball football baseball
sit: seat rest lounge
rest: sit sleep lie nap lounge relax
relax: sit rest lie lounge nap
sleep: nap doze
stand: lean pose wait
move: walk run jog jump ride drive swim dance climb skate ski surf race march crawl slide fly hike bike cycle
run: jog sprint race chase
walk: stroll hike march wander
jump: leap hop
play: perform strum drum
perform: sing dance juggle play act
travel: ride drive walk fly sail
ride: bike cycle
look: watch stare gaze observe see view read
see: watch look view
watch: observe stare view
talk: speak chat converse discuss
speak: talk
eat: dine chew bite snack
work: repair build weld cook clean paint dig fix construct
make: build cook bake paint construct
cook: bake grill fry
clean: wash sweep wipe mop scrub
wash: scrub
hold: carry grip grab grasp hug
carry: haul lug
touch: hold hug kiss pet
smile: grin laugh
wear: dress
near: by beside next
big: large huge giant
large: big huge giant
small: little tiny
little: small tiny
young: little
old: elderly
happy: smile laugh
"""

_STOP = lexicon.word_set(
    "a an the this that these those some any his her its their is are was were be been being am has have"
    " had do does did there and or of in on at to from with by for into onto near up down over under"
    " through along around off out as while up together n't not no 's very"
)


@dataclass(frozen=True, slots=True)
class Content:
    """What a clause says, word by word.

    Attributes:
        words: lemmas of each content word of the clause.
        implied: every lemma of the clause and all that the lexicon ranks above them.
        subjects: what the clause may be taken to be about: its heads and all kinds above them.
        heads: its heads.
        plural: whether the subject names several.
    """

    words: tuple[frozenset[str], ...]
    implied: frozenset[str]
    subjects: frozenset[str]
    heads: tuple[str, ...]
    plural: bool

    def entails(self, other: Content) -> bool:
        """Return whether this clause, by its words alone, makes another one true."""
        if other.plural != self.plural and other.plural:
            return False
        if self.subjects.isdisjoint(other.heads):
            return False
        implied = self.implied
        return all(not implied.isdisjoint(lemmas) for lemmas in other.words)


def content_of(text: str, subject: Subject) -> Content:
    """Return what a positive clause in mid-sentence form says."""
    said = [meaning for meaning in map(_meaning, text.lower().split()) if meaning is not None]
    implied = frozenset().union(*[above for _, above in said])
    subjects = frozenset().union(*map(_above, subject.heads))
    return Content(tuple([lemmas for lemmas, _ in said]), implied, subjects, subject.heads, subject.plural)


@lru_cache(maxsize=100_000)
def _meaning(word: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the lemmas of a word in lower case and all kinds that they belong to; ``None`` where it says nothing."""
    word = word.strip(".,'")
    if not word or word in _STOP:
        return None
    lemmas = _lemmas(word)
    return lemmas, frozenset().union(*map(_above, lemmas))


@lru_cache(maxsize=50_000)
def _lemmas(word: str) -> frozenset[str]:
    if word == "people":
        return frozenset({"person"})
    found = {lemma for lemmas in lemmas_of(word).values() for lemma in lemmas}
    return frozenset(found | {word})


@lru_cache(maxsize=50_000)
def _above(word: str) -> frozenset[str]:
    """Return a word and every kind that it belongs to."""
    found: set[str] = set()
    todo = [word]
    while todo:
        current = todo.pop()
        if current in found:
            continue
        found.add(current)
        todo += _parents().get(current, ())
        if lexicon.is_person(current):
            todo.append("person")
        elif lexicon.is_animal(current):
            todo.append("animal")
    if "person" in found:
        found.update(("someone", "somebody", "human"))
    return frozenset(found)


@lru_cache(maxsize=1)
def _parents() -> dict[str, tuple[str, ...]]:
    parents: dict[str, list[str]] = {}
    for line in _KINDS.replace("\n ", " ").strip().splitlines():
        kind, _, members = line.partition(":")
        for member in members.split():
            parents.setdefault(member, []).append(kind)
    return {word: tuple(kinds) for word, kinds in parents.items()}

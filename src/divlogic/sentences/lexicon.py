"""The small closed word lists that the rules of this phase speak of."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from divlogic.sentences.inflection import can_be_verb, in_dictionary, is_plural_noun, lemmas_of


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


_set = word_set


# Verbs -----------------------------------------------------------------------------------------------------
BE = _set("is are am was were")
HAVE = _set("has have had")
DO = _set("does do did")
MODALS = _set("can could will would should may might must shall ca wo sha need dare ought")
SINGULAR_VERBS = _set("is was has does")
PLURAL_VERBS = _set("are were have do")
SAFE_PARTICIPLES = {
    "dressed": _set("in as like up for"),
    "seated": _set("in on at around near next outside inside by together"),
    "covered": _set("in with by"),
    "surrounded": _set("by"),
    "gathered": _set("in on at around near outside inside together for under by"),
    "parked": _set("in on at near next outside by along beside"),
    "filled": _set("with"),
    "crowded": _set("around into together"),
    "lined": _set("up"),
}
"""Bare past participles that a form of *be* may safely be put before, with the words that must follow."""

SCENE_VERBS = _set(
    "smile wave look watch talk laugh stare pose jump sit sing listen gather point cheer march wait chat hug kiss swim"
    " climb read sleep lean gaze"
)
"""Verbs of captions that the tagger takes for the last noun of a compound (*people in a restaurant smile at her*)."""

# Subjects --------------------------------------------------------------------------------------------------
PLURAL_NOUNS = _set("people men women children police cattle teeth feet geese mice folk folks")
EITHER_NUMBER = _set(
    "couple group pair team crowd band family class staff crew audience choir trio duo army public committee troupe"
    " bunch gang herd flock pack panel majority sheep deer fish press government company data media orchestra"
    " party series lot row set number faculty gathering species aircraft means headquarters"
)
COLLECTIONS = _set(
    "couple group pair crowd bunch gang trio duo team band row pack herd flock line circle troupe gathering"
)
"""Nouns that hand the number and the kind of their *of* phrase on (*a group of women*)."""
MASCULINE = _set(
    "man men boy boys guy guys gentleman gentlemen father fathers male males husband king son sons brother brothers dad"
    " businessman businessmen groom waiter uncle grandfather prince fisherman fishermen cowboy policeman monk"
    " policemen firemen fireman salesman salesmen mailman workman workmen craftsman craftsmen actor"
)
FEMININE = _set(
    "woman women girl girls lady ladies mother mothers female females wife queen daughter daughters sister sisters mom"
    " businesswoman businesswomen bride waitress aunt grandmother princess ballerina actress nun policewoman"
    " cheerleader cheerleaders"
)
PERSONS = _set(
    "person child kid baby toddler infant teen teenager adult player worker performer dancer singer musician artist"
    " student teacher soldier officer runner biker cyclist bicyclist skier surfer skater swimmer climber hiker walker"
    " rider driver chef cook farmer doctor nurse vendor cop clown bartender youth couple individual tourist"
    " spectator pedestrian gymnast athlete guitarist drummer skateboarder snowboarder rollerblader wakeboarder"
    " motorcyclist scientist technician customer friend sibling parent human fan commuter passenger golfer boxer"
    " wrestler goalie referee coach batter pitcher catcher quarterback photographer painter sculptor carpenter welder"
    " mechanic barber hairdresser pilot sailor firefighter lifeguard magician juggler acrobat mime model reporter"
    " speaker politician protester protestor demonstrator preacher priest conductor violinist pianist cellist barista"
    " butcher baker tailor weaver gardener miner logger janitor cashier clerk shopper patron diner guest visitor"
    " resident elder senior grandparent peasant villager native adolescent crowd group team family class"
    " audience choir band crew trio duo pair cheerleader kayaker canoeist rower racer jogger sprinter jumper diver"
    " camper explorer traveler backpacker bystander onlooker scout recruit marine veteran guard graduate student"
    " professor lawyer judge librarian engineer surgeon patient operator builder contractor roofer plumber"
    " electrician busker trainer seller keeper maker instructor leader buyer dealer manager director editor owner host"
    " guide porter ranger cleaner courier decorator dentist florist grocer jockey knitter locksmith midwife novelist"
    " optician pensioner pharmacist physicist pupil schoolboy schoolgirl shepherd stylist toddler trapper tutor vet"
    " veterinarian volunteer worshipper youngster newcomer companion neighbor neighbour colleague cousin nephew"
    " niece twin orphan candidate apprentice assistant attendant"
)
ANIMALS = _set(
    "dog puppy cat kitten horse pony cow bull goat lamb pig bird duck goose swan seagull pigeon chicken parrot"
    " elephant camel donkey monkey ape gorilla bear lion tiger zebra giraffe rabbit squirrel mouse rat turtle frog"
    " snake shark dolphin whale poodle greyhound terrier collie retriever dachshund bulldog animal pet beast creature"
    " tabby mare stallion hamster gerbil otter seal fox wolf hare hedgehog badger beaver moose bison buffalo ox ram ewe"
    " crow robin sparrow peacock pheasant turkey pelican flamingo parakeet canary spaniel labrador husky corgi mastiff"
    " insect bee butterfly spider lizard rooster hen calf foal mule kangaroo penguin owl eagle hawk"
)
COUNT_THINGS = _set(
    "car bus truck train boat bike bicycle motorcycle plane airplane van taxi ship scooter vehicle tractor helicopter"
    " canoe kayak sailboat skateboard ball table chair bench tree house building street road bridge river lake park"
    " camera phone computer guitar hat shirt dress book picture sign store shop restaurant school church game race"
    " parade party festival concert wedding class market field stage pool beach mountain window door bed sofa"
    " couch umbrella balloon flag kite ladder statue fountain city town room kitchen problem reason way chance"
    " difference plan rule law book letter question answer report story system program need place difference link"
    " connection limit"
)
NEED_ARTICLE = _set(
    "car bus truck boat bike bicycle motorcycle van helicopter kayak sailboat skateboard scooter table chair bench tree"
    " house building street road bridge river lake park hat shirt dress jacket coat helmet sign store shop"
    " restaurant mountain window sofa couch umbrella balloon flag kite ladder statue fountain city room"
    " kitchen curb hill sidewalk racetrack field grill microphone bag backpack"
    " presentation speech photo dog cat horse man woman boy girl"
)
"""Things and beings that no idiom has without an article after a verb or a preposition (*by bus* aside)."""
MASS = _set(
    "water snow ice rain food music grass sand mud smoke fire traffic furniture luggage money paint work fun trash"
    " garbage equipment art air dirt dust fog sunlight light noise information evidence research time space"
    " bread rice milk beer wine coffee tea fruit meat news clothing hair wood metal construction"
)
ABSTRACT_ENDINGS = (
    "ness",
    "ity",
    "tion",
    "sion",
    "ment",
    "ance",
    "ence",
    "ism",
    "ship",
    "hood",
    "ics",
    "ure",
    "acy",
)
FEATURES = _set(
    "hair beard mustache moustache hat cap glasses sunglasses goggles backpack shirt jacket coat helmet ponytail tattoo"
    " tattoos bag purse scarf dress headphones umbrella cane skirt vest uniform bandanna bandana mohawk"
    " apron suit pants jeans shorts sweater hoodie dreadlocks pigtails"
    " collar collars boots gloves mittens shawl overalls spectacles braids curls"
)
"""What a person has on: after *with*, a participle tells of the person, not of these."""
COLOURS = _set(
    "black white red blue green yellow brown gray grey orange pink purple tan gold silver blond blonde"
)
DEPICTIONS = _set(
    "picture photo photograph image view scene shot closeup painting drawing portrait snapshot display street area"
    " room field road park beach city town"
)
"""Heads after which a participle tells of what is seen in them, not of them."""

# Opening words ---------------------------------------------------------------------------------------------
INTERJECTIONS = _set(
    "oh uh um uh-huh yeah yes yep no-no nope ok okay well hmm mm hm huh wow hey hi hello please thanks alas ah aw gee"
    " right sure anyway bye eh er ha hush ouch oops"
)
CONJUNCTIONS = _set(
    "and but or nor so yet because cause since although though while whereas unless until when if as than"
)
PERSONAL = _set("i you we me us it's he she it they him her them one's")
THIRD_PERSON = _set("he she it they")
FIRST_SECOND_OWNERS = _set("my your our")
OBJECT_PRONOUNS = _set("i me you we us him them it she he they thou thee ya y'all em 'em")

# Scope -----------------------------------------------------------------------------------------------------
NUMBERS = _set(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"
)
INDEFINITES = {
    "someone": ("no", "one"),
    "somebody": ("nobody",),
    "something": ("nothing",),
}
UNIVERSALS = _set("everyone everybody everything every all")
HARD_QUANTIFIERS = _set(
    "each both either neither few many most several more less fewer half none any anyone anybody anything only almost"
    " nearly at about over under plenty lots numerous various multiple another other others not never hardly"
    " just even also maybe perhaps probably much enough such certain whatever nothing nobody no"
)
VAGUE_AFTER_A = _set("few lot bit majority handful number variety minority fraction plethora myriad dozen")
TO_NEGATIVE = {
    "some": "any",
    "someone": "anyone",
    "somebody": "anybody",
    "something": "anything",
    "somewhere": "anywhere",
}
TO_POSITIVE = {negative: positive for positive, negative in TO_NEGATIVE.items()}
ODD_WHEN_NEGATED = _set(
    "too also already yet ever anymore still either even only just nearly almost hardly barely rarely seldom scarcely"
    " probably maybe perhaps possibly certainly clearly obviously apparently definitely surely likely sometimes"
    " occasionally never not n't no nobody nothing none neither nor nowhere without unfortunately luckily fortunately"
    " actually indeed instead however therefore rather quite somewhat pretty fairly merely simply well-known"
    " always constantly mostly mainly generally once again finally soon now then currently presently"
    " much many recently previously originally initially largely partly partially"
)
SUBORDINATORS = _set(
    "while whilst because although though unless until whereas when whenever where wherever if whether how why who"
    " whom whose which what that lest since but yet so"
)
UNCERTAIN_MODALS = _set("may might must shall sha need dare ought")

OPENING_ADVERBS = _set(
    "meanwhile today yesterday tomorrow tonight nowadays overnight afterwards afterward thus hence perhaps maybe then"
    " now here there sometimes often usually once soon later recently"
)
_CONSONANT_SOUND = (
    "unic",
    "unif",
    "unio",
    "uniq",
    "unis",
    "unit",
    "univ",
    "use",
    "usu",
    "eu",
    "one",
    "once",
    "ewe",
    "ubi",
    "ute",
    "uto",
    "ura",
)

# Spelling --------------------------------------------------------------------------------------------------
FUNCTION_WORDS = _set(
    "a an the of and with at for from into in on by to onto towards toward during against beside besides because but"
    " than among amongst amid amidst upon beneath atop as or nor if per via versus until unto whilst every each this"
    " that these those some any no all both half his her its their my your our him them himself herself itself"
    " themselves one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million"
    " billion someone somebody something everyone everybody everything anyone anybody anything nobody nothing"
    " whom whose who which what when where while though although since without within along across around"
    " n't not is are was were am be been being has have had does do did can could will would should may might must"
    " ca wo sha shall 's ' 're 've 'd 'll he she it they we you i me us mine other another such own same there here"
)
MORE_WORDS = _set(
    "sunglasses t-shirt t-shirts tee-shirt cellphone cellphones cafe shirtless lab rugby tv frisbee hoodie tattoo"
    " tattoos tattooed trunk trunks scuba jean wetsuit wetsuits bandanna bandannas bandana bandanas laundromat"
    " rollerskating rollerblading rollerblades rollerblader rollerbladers rollerskates rollerskater trashcan trashcans"
    " headscarf headscarves cop cops scenery reflection handstand storefront gallery firetruck tutu tutus"
    " motocross hotdog hotdogs boardwalk accessories windsurfer teddy photoshoot karaoke alleyway"
    " waterskiing themed texting tech sightseeing seagull seagulls riverbank pub pajama pajamas mohawk mic kart"
    " kabobs jumpsuit joyously dreadlocks burger burgers breakdancer breakdancers beanie ad ads waterpark survivor"
    " survivors surfboarder superhero superheroes selfie selfies popsicle pogo pinata ping-pong limo layup"
    " kickboxing harmonica hairnet hairnets cheerleading closeup burgundy birdhouse backseat yo-yo"
    " windbreaker whiteboard waterfront wakeboard wakeboarder wakeboarding veggies turquoise terrier tambourines sunhat"
    " sundress slideshow sleeved skydive skydiver skydivers skateboarder skateboarders snowboarder snowboarders"
    " sequined"
    " sandcastle salsa pitbull payphone ox mariachi groomsmen hairstyle goofy flashcards duffel clarinet cityscape"
    " chihuahua calligraphy cornfield workspace windowsill velodrome tracksuit terracotta swingset speedboat spectating"
    " spectate snowsuit smartphone skatepark seatbelt satchel rollercoaster pompoms paycheck paintball onstage"
    " mountaintop messily memorabilia loincloth loafers limbo lightbulb lazily hangout gothic gal"
    " fairway daycare crevasse conga campsite bistro bungee beret backflip argyle worksite wildflowers whitewater"
    " warlord waterslide underway turtleneck teens sync summery stupidly sombrero sleepover skyward"
    " signage shyly signpost sideshow shotput barista baristas kayaker kayakers busker buskers unicyclist unicycle"
    " bollard bollards bobble barre flamenco eclair eclairs gondolier gondoliers cappuccino beetroot parka lycra stile"
    " mole moles ringed petri igloo mandolin tambourine kimono translator linocut mantelpiece tai risotto balaclava"
    " first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth hundredth thousandth"
    " clothespin clothespins bonsai koi snowcat peloton"
    " farmhand farmhands clownfish county website websites internet online email emails software database"
)


def is_person(noun: str) -> bool:
    """Return whether a noun, singular or plural, names a person or people."""
    word = noun.lower()
    if word in MASCULINE or word in FEMININE or word in ("people", "folk", "folks", "police"):
        return True
    return singular(word) in PERSONS or word.endswith(
        ("woman", "women", "sman", "smen", "person", "ist", "ists")
    )


def is_animal(noun: str) -> bool:
    """Return whether a noun, singular or plural, names an animal."""
    return singular(noun.lower()) in ANIMALS


def is_animate(noun: str) -> bool:
    """Return whether a noun names a person or an animal."""
    return is_person(noun) or is_animal(noun)


def is_count(noun: str) -> bool:
    """Return whether a singular noun surely needs an article."""
    word = noun.lower()
    return is_animate(word) or word in COUNT_THINGS


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """Return the singular of a noun from the dictionary, or by dropping a final *s* of a word that it lacks."""
    if word.endswith("men") and len(word) > 3:
        return word[:-2] + "an"
    lemmas = lemmas_of(word).get("NOUN", ())
    if lemmas:
        return word if word in lemmas else lemmas[0]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=100_000)
def is_known(word: str) -> bool:
    """Return whether a lower-case word is English as far as the dictionary and simple derivation can tell."""
    if word in FUNCTION_WORDS or word in MORE_WORDS or in_dictionary(word):
        return True
    if "-" in word:
        return all(is_known(part) for part in word.split("-") if part)
    if not word:
        return False  # nothing is left of a lone *s*, nor of letters that are no accented Latin ones
    if not word.isalpha():
        # Numbers and clitics are fine, a stray full stop or two words run together (*street.the*) are not.
        return word.strip("'").isalnum() or word[0].isdigit()
    if not word.isascii():
        return is_known(_without_accents(word))
    if any(is_compound(word[:i], word[i:]) for i in range(3, len(word) - 3)):
        return True
    if word.endswith("ly"):
        return any(in_dictionary(stem) for stem in (word[:-2], word[:-2] + "le", word[:-3] + "y"))
    if word.endswith("s") and not word.endswith("ss"):
        return is_known(word[:-1])
    if word.startswith("un"):
        return in_dictionary(word[2:])
    if word.endswith("less"):
        return in_dictionary(word[:-4])
    if word.endswith("er"):
        return can_be_verb(word[:-2]) or can_be_verb(word[:-1])
    return False


def is_compound(first: str, second: str) -> bool:
    """Return whether two words may have grown together (*bank note*, *lake side*); the second has to be a noun."""
    opener = lemmas_of(first)
    return (
        ("NOUN" in opener or "ADJ" in opener)
        and "NOUN" in lemmas_of(second)
        and second not in ("other", "others")
    )


_SPELT_OUT = 3
"""Letters of an abbreviation that is read letter by letter; longer ones are often read as words (*a NASA probe*)."""


def _without_accents(word: str) -> str:
    return unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode()


def starts_with_vowel(word: str) -> bool:
    """Return whether a word takes *an*: by its sound, as far as spelling tells.

    Up to three capitals are read letter by letter (*a UN court*, *an SUV*, *an X-ray*).
    """
    letters = word.partition("-")[0]
    if letters.isupper() and len(letters) <= _SPELT_OUT:
        return letters[0] in "AEFHILMNORSX"
    word = word.lower()
    if word.startswith(("hour", "honest", "honor", "honour", "heir")):
        return True
    return word[0] in "aeiou" and not word.startswith(_CONSONANT_SOUND)


def is_plural(noun: str) -> bool:
    """Return whether a noun form is plural."""
    return noun.lower() in PLURAL_NOUNS or is_plural_noun(noun)

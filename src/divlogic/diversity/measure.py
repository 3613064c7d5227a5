"""Measure a whole collection: profiles, divergence from the reference, readability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.benchmarks.spec import COMPLEXITY_TABLE, DIVERGENCE_TABLE
from divlogic.config.command import ARGUMENT, BASE, FOLDER
from divlogic.corpora.registry import load_registry
from divlogic.diversity.divergence import (
    Counts,
    Divergence,
    TextSample,
    aligned,
    drawn,
    js_distance,
    measure,
    token_samples,
)
from divlogic.diversity.parameters import DivergenceParameters, DiversityParameters, DiversityRun
from divlogic.diversity.profile import Profile, distinct_texts, profile_records
from divlogic.diversity.readability import Readability, readability_as_published, readability_corrected
from divlogic.diversity.reference import reference_texts
from divlogic.diversity.sentence_split import SentenceSplitter, punkt_splitter, rule_splitter
from divlogic.diversity.share import measure_shares
from divlogic.diversity.shipped import (
    FURTHER_REFERENCES,
    REFERENCE,
    adopt,
    measurable,
    shipped_readability,
    shipped_references,
    write_reference,
)
from divlogic.diversity.syllables import SyllableCounter, pronouncing_dictionary
from divlogic.diversity.tweets import TweetWords
from divlogic.diversity.words import ByScript, Tokenizer, WordTokenizer, alphabetic, letter_tokens
from divlogic.io.files import file_sha256, write_json
from divlogic.io.log import say
from divlogic.io.tables import rounded
from divlogic.records import Record

LITERAL = "literal"
"""Preset of the paper's literal words: only the side of Wikipedia is cut to FOLIO's size."""
_SEEDS = {"as_published": 1, "corrected": 2, "sensitivity": 3, "further": 4}


Collection = Annotated[Path, "--in", FOLDER, "Folder that `divlogic benchmarks collect` wrote."]
Profiles = Annotated[Path, FOLDER, "Folder of profiles that `profile` wrote."]
ReferenceTexts = Annotated[Path, "Wikipedia sample: JSON lines with a field `text`."]
Punkt = Annotated[
    Path | None, FOLDER, "Folder with NLTK's punkt_tab; without it sentences are split by rules."
]
JsonFile = Annotated[Path, "JSON file to write."]


def profile(
    *,
    collection: Collection,
    reference: ReferenceTexts,
    punkt: Punkt = None,
    shipped: Annotated[Path | None, FOLDER, "Folder of shipped profiles, for what is not here."] = None,
    params: DiversityRun,
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Count the tokens of every benchmark and of the reference."""
    embedded = params.corpus_source == "embedded"
    profile_collection(collection, reference, out, params.diversity, punkt, shipped, embedded)


def divergence(
    *,
    collection: Collection,
    profiles: Profiles,
    reference: ReferenceTexts,
    punkt: Punkt = None,
    params: DiversityRun,
    out: JsonFile,
) -> None:
    """Measure KL divergence and Jensen-Shannon distance to the reference, in both presets."""
    found = divergence_collection(collection, profiles, reference, params.diversity, params.seed, punkt)
    write_json(out, rounded(found))


def sensitivity(
    splits: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    collection: Collection,
    profiles: Profiles,
    params: DiversityRun,
    out: JsonFile,
    shares: Annotated[Path | None, BASE, "Table of KL by MultiNLI's share, without its suffix."] = None,
) -> None:
    """Measure how KL depends on the smoothing and on the size of the subsample.

    With SPLITS of DivLogicEval and --shares, also how it depends on the share of sentences from MultiNLI.
    """
    known = english_profiles(collection, profiles)
    write_json(out, rounded(sensitivity_grid(known, params.diversity, params.seed)))
    if shares is not None:
        size = sample_size(params.diversity.as_published, known, params.diversity.minimum_tokens)
        measure_shares(splits, known[REFERENCE], size, shares, params.diversity, params.seed)


def readability(
    *,
    collection: Collection,
    profiles: Profiles,
    punkt: Punkt = None,
    pronunciations: Annotated[Path | None, "Pronouncing dictionary in the CMU layout."] = None,
    params: DiversityRun,
    out: JsonFile,
) -> None:
    """Score Flesch-Kincaid grade and reading ease, as published and corrected."""
    counter = SyllableCounter(pronouncing_dictionary(pronunciations) if pronunciations else None)
    write_json(out, rounded(readability_collection(collection, profiles, params.diversity, punkt, counter)))


def ship_reference(
    files: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    name: Annotated[str, "Name of the reference."],
    corpus: Annotated[str, "Corpus in the registry that FILES are a part of."],
    part: Annotated[str, "Which part, in words."],
    punkt: Punkt = None,
    registry: Annotated[Path, "The corpora."] = Path("data/registry.yaml"),
    commit: Annotated[str, "The commit that the profile is made by."],
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Write the profile of a reference that the repository ships: word counts of FILES (jsonl, or a text per line)."""
    parameters = DiversityParameters()
    texts = (text for path in files for text in reference_texts(path))
    profile = reference_profile(name, texts, tokenizer(parameters, punkt), parameters)
    sources = tuple(f"{file_sha256(path)}  {path.name}" for path in files)
    described = load_registry(registry)[corpus]
    write_reference(profile, described, corpus, part=part, sources=sources, commit=commit, out=out)
    say(f"{name}: {profile.instances:,} texts, {profile.filtered('contexts', 'alphabetic').total():,} words")


def splitter(punkt: Path | None) -> SentenceSplitter:
    """Return Punkt if its folder is given, else the rules."""
    return punkt_splitter(punkt) if punkt else rule_splitter


def tokenizer(parameters: DiversityParameters, punkt: Path | None) -> Tokenizer:
    """Return the tokenizer that the parameters ask for."""
    return ByScript(letter_tokens if parameters.tokenizer == "letters" else WordTokenizer(splitter(punkt)))


def profile_collection(
    collection: Path,
    reference: Path,
    out: Path,
    parameters: DiversityParameters,
    punkt: Path | None = None,
    shipped: Path | None = None,
    shipped_reference: bool = False,
) -> list[Profile]:
    """Write a profile of every benchmark that is here, and of the reference, as `<name>.json.gz`.

    Args:
        collection, reference, out: folder of benchmarks, file of the reference's texts, folder of the profiles.
        parameters, punkt: how words are counted.
        shipped: folder of shipped profiles; they stand in for published benchmarks that are not here.
        shipped_reference: the shipped profile of the reference stands in for ``reference``.
    """
    tokenize = tokenizer(parameters, punkt)
    profiles = []
    for one in load_collection(collection, further=True):
        if one.available:
            records = collected_records(collection, one.stem)
            profiles.append(profile_records(one.stem, records, tokenize, parameters.type_token))
    profiles.append(reference_profile(REFERENCE, reference_texts(reference), tokenize, parameters))
    for profile in profiles:
        profile.save(out / f"{profile.benchmark}.json.gz")
        say(f"{profile.benchmark}: {profile.counts['instances'].total():,} tokens")
    for one in adopt(collection, shipped, out, reference=shipped_reference) if shipped else []:
        say(f"{one.stem}: not here; its word counts come from {shipped}")
    return profiles


def reference_profile(
    name: str, texts: Iterable[str], tokenize: Tokenizer, parameters: DiversityParameters
) -> Profile:
    """Count the tokens of a reference."""
    records = (Record(str(number), name, "", text, "", (), None) for number, text in enumerate(texts))
    return profile_records(name, records, tokenize, parameters.type_token)


def divergence_collection(
    collection: Path,
    profiles: Path,
    reference: Path,
    parameters: DiversityParameters,
    seed: int,
    punkt: Path | None = None,
) -> list[dict[str, Any]]:
    """Return one row per benchmark and preset: KL and Jensen–Shannon distance with intervals, and their size.

    Further presets are ``literal``, as published with all words of the benchmark, and the names of larger references.
    """
    stems = _stems(collection, profiles)
    with_texts = {one.benchmark for one in load_collection(collection, DIVERGENCE_TABLE) if one.available}
    known = english_profiles(collection, profiles)
    names = [name for name in known if name != REFERENCE]
    tokenize = tokenizer(parameters, punkt)
    rows = []
    for preset in ("as_published", "corrected"):
        chosen: DivergenceParameters = getattr(parameters, preset)
        size = sample_size(chosen, known, parameters.minimum_tokens)
        base_seed = (seed, _SEEDS[preset])
        sample: Callable[[str], Divergence]
        if chosen.unit == "token":

            def sample(name: str, chosen: DivergenceParameters = chosen, size: int = size) -> Divergence:
                return _by_tokens(known[name], known[REFERENCE], chosen, size, (*base_seed, _number(name)))  # noqa: B023
        else:
            reference_samples = _reference_samples(
                known[REFERENCE] if REFERENCE in shipped_references(profiles) else None,
                (_filter(tokenize(text), chosen.tokens) for text in reference_texts(reference)),
                chosen,
                size,
                (*base_seed, 0),
            )

            def sample(name: str, chosen: DivergenceParameters = chosen, size: int = size) -> Divergence:
                texts = TextSample(size=size, repeats=chosen.repeats, seed=(*base_seed, _number(name)))  # noqa: B023
                for text in _texts(collected_records(collection, stems[name]), chosen.scope):
                    texts.add(_filter(tokenize(text), chosen.tokens))
                pairs = (aligned(*pair) for pair in zip(texts.samples(), reference_samples, strict=True))  # noqa: B023
                return _summarise(pairs, chosen)

        for name in names:
            if chosen.unit == "text" and name not in with_texts:
                continue  # a shipped profile holds no texts to draw
            if known[name].filtered(chosen.scope, chosen.tokens).total() < parameters.minimum_tokens:
                continue  # the table says why its cell is blank
            found = sample(name)
            rows.append({"benchmark": name, "preset": preset, **_flat(found), "smoothing": chosen.smoothing})
            say(f"{name}, {preset}: KL {found.kl.mean:.2f} ({found.kl.low:.2f}-{found.kl.high:.2f})")
    chosen = parameters.as_published
    size = sample_size(chosen, known, parameters.minimum_tokens)
    others = {LITERAL: known[REFERENCE], **further_references(profiles)}
    for preset, wiki in others.items():
        # Large references are drawn from once for all benchmarks.
        measured = [row["benchmark"] for row in rows if row["preset"] == "as_published"]
        words, *own = aligned(
            *(one.filtered(chosen.scope, chosen.tokens) for one in (wiki, *map(known.__getitem__, measured)))
        )
        draws = [drawn(words, size, (seed, _SEEDS["further"], at)) for at in range(chosen.repeats)]
        for name, counts in zip(measured, own, strict=True):
            found = _summarise(_against(draws, counts, name, seed, cut=preset != LITERAL), chosen)
            rows.append({"benchmark": name, "preset": preset, **_flat(found), "smoothing": chosen.smoothing})
    return rows


def further_references(profiles: Path) -> dict[str, Profile]:
    """Return the profiles of larger references that are here, by name."""
    files = {name: profiles / f"{name}.json.gz" for name in FURTHER_REFERENCES}
    return {name: Profile.load(path) for name, path in files.items() if path.is_file()}


def english_profiles(collection: Path, profiles: Path) -> dict[str, Profile]:
    """Return the profile of every benchmark in Latin letters, and of the reference, by name."""
    stems = {**_stems(collection, profiles), REFERENCE: REFERENCE}
    known = {name: Profile.load(profiles / f"{stem}.json.gz") for name, stem in stems.items()}
    return {name: profile for name, profile in known.items() if profile.english}


def sensitivity_grid(
    known: Mapping[str, Profile], parameters: DiversityParameters, seed: int
) -> list[dict[str, Any]]:
    """Return KL for every benchmark, α and subsample size of the grid, otherwise as published."""
    chosen, grid = parameters.as_published, parameters.sensitivity
    wiki = known[REFERENCE]
    rows = []
    for name, profile in known.items():
        if name == REFERENCE:
            continue
        p, q = aligned(
            profile.filtered(chosen.scope, chosen.tokens), wiki.filtered(chosen.scope, chosen.tokens)
        )
        for size in grid.sizes:
            if size > min(int(p.sum()), int(q.sum())):
                continue
            draws = (seed, _SEEDS["sensitivity"], _number(name), size)
            samples = list(token_samples(p, q, size=size, repeats=grid.repeats, seed=draws))
            distances = [js_distance(*pair) for pair in samples]
            for smoothing in grid.smoothing:
                found = measure(
                    samples,
                    smoothing=smoothing,
                    base=chosen.base,
                    reverse=chosen.direction == "reference_to_benchmark",
                    confidence=chosen.confidence,
                    distances=distances,
                )
                rows.append({"benchmark": name, "smoothing": smoothing, **_flat(found)})
    return rows


def readability_collection(
    collection: Path,
    profiles: Path,
    parameters: DiversityParameters,
    punkt: Path | None,
    syllables: SyllableCounter,
) -> list[dict[str, Any]]:
    """Return one row per benchmark: grade and ease in both presets, and the counts behind them."""
    split, words = splitter(punkt), TweetWords()
    rows = []
    for one in load_collection(collection, COMPLEXITY_TABLE):
        if not one.available or not Profile.load(profiles / f"{one.stem}.json.gz").english:
            continue
        name, stem = one.benchmark, one.stem
        separator = parameters.readability.separators.get(name, "")
        texts = (published_text(record) + separator for record in collected_records(collection, stem))
        published = readability_as_published(
            texts, split, characters=parameters.readability.characters, words=words
        )
        corrected = readability_corrected(distinct_texts(collected_records(collection, stem)), syllables)
        rows.append(
            {"benchmark": name, **_scores(published, "as_published"), **_scores(corrected, "corrected")}
        )
    here = {row["benchmark"] for row in rows}
    rows += [
        {"benchmark": name, **scores}
        for name, scores in sorted(shipped_readability(profiles).items())
        if name not in here
    ]
    return rows


def published_text(record: Record) -> str:
    """Return a context as JustLogic's authors measured it: FOLIO's premises, too, joined with nothing."""
    if record.benchmark == "folio" and "premises" in record.metadata:
        return "".join(record.metadata["premises"])
    return record.context


def sample_size(chosen: DivergenceParameters, profiles: dict[str, Profile], minimum: int) -> int:
    """Return the tokens in a subsample: a number, a benchmark's token count, or the smallest one's."""
    if isinstance(chosen.size, int):
        return chosen.size
    totals = {
        name: profile.filtered(chosen.scope, chosen.tokens).total() for name, profile in profiles.items()
    }
    if chosen.size in totals and totals[chosen.size] >= minimum:
        return min(totals[chosen.size], totals[REFERENCE])
    large = [total for total in totals.values() if total >= minimum]
    return min(large or totals.values())


def _stems(collection: Path, profiles: Path) -> dict[str, str]:
    """Return the benchmarks that divergence is measured on, and the stems of their profiles."""
    found = measurable(collection, profiles, DIVERGENCE_TABLE)
    return {one.benchmark: one.stem for one in found if one.available}


def _reference_samples(
    shipped: Profile | None,
    texts: Iterable[list[str]],
    chosen: DivergenceParameters,
    size: int,
    seed: tuple[int, ...],
) -> list[dict[str, int]]:
    """Draw the reference's side of each subsample: whole texts, or tokens where only a profile is here."""
    if shipped is None:
        wiki = TextSample(size=size, repeats=chosen.repeats, seed=seed)
        for tokens in texts:
            wiki.add(tokens)
        return list(wiki.samples())
    counts = shipped.filtered(chosen.scope, chosen.tokens)
    words = sorted(counts)
    vector = np.array([counts[word] for word in words], dtype=np.int64)
    drawn = token_samples(vector, vector, size=size, repeats=chosen.repeats, seed=seed)
    return [{w: int(n) for w, n in zip(words, first, strict=True) if n} for first, _ in drawn]


def _texts(records: Iterator[Record], scope: str) -> Iterator[str]:
    if scope == "distinct_contexts":
        return distinct_texts(records)
    if scope == "contexts":
        return (record.context for record in records)
    return (" ".join((record.context, record.question, *record.options)) for record in records)


def _by_tokens(
    profile: Profile, wiki: Profile, chosen: DivergenceParameters, size: int, seed: tuple[int, ...]
) -> Divergence:
    p, q = aligned(profile.filtered(chosen.scope, chosen.tokens), wiki.filtered(chosen.scope, chosen.tokens))
    return _summarise(token_samples(p, q, size=size, repeats=chosen.repeats, seed=seed), chosen)


def _against(
    draws: Sequence[Counts], counts: Counts, name: str, seed: int, *, cut: bool
) -> Iterator[tuple[Counts, ...]]:
    """Yield a benchmark's words and each draw of a reference: both cut to one size, or the benchmark's whole."""
    for place, draw in enumerate(draws):
        key = (seed, _SEEDS["further"], _number(name), place)
        own = drawn(counts, int(draw.sum()), key) if cut else counts
        other = drawn(draw, int(own.sum()), key) if cut else draw
        words = (own > 0) | (other > 0)
        yield own[words], other[words]


def _summarise(samples: Iterable[Any], chosen: DivergenceParameters) -> Divergence:
    return measure(
        samples,
        smoothing=chosen.smoothing,
        base=chosen.base,
        reverse=chosen.direction == "reference_to_benchmark",
        confidence=chosen.confidence,
    )


def _filter(tokens: list[str], kind: str) -> list[str]:
    if kind == "alphabetic":
        return alphabetic(tokens)
    return tokens if kind == "cased" else [token.lower() for token in tokens]


def _number(name: str) -> int:
    """Return a number for a name, the same everywhere, so that a benchmark's draws do not depend on the others."""
    return int.from_bytes(name.encode()[:16].ljust(16, b"\0")) % (2**63)


def _flat(found: Divergence) -> dict[str, Any]:
    return {
        "kl": found.kl.mean,
        "kl_low": found.kl.low,
        "kl_high": found.kl.high,
        "js": found.js.mean,
        "js_low": found.js.low,
        "js_high": found.js.high,
        "size": found.size,
    }


def _scores(found: Readability, preset: str) -> dict[str, Any]:
    return {
        f"flesch_kincaid_{preset}": found.grade,
        f"flesch_ease_{preset}": found.ease,
        f"sentences_{preset}": found.counts.sentences,
        f"words_{preset}": found.counts.words,
        f"syllables_{preset}": found.counts.syllables,
    }

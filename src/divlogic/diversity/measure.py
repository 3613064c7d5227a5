"""Measure a whole collection: profiles, divergence from the reference, readability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.benchmarks.spec import COMPLEXITY_TABLE, DIVERGENCE_TABLE
from divlogic.config.command import ARGUMENT, BASE, FOLDER
from divlogic.config.option import read_values
from divlogic.corpora import PAIR_CORPORA
from divlogic.corpora.registry import load_registry
from divlogic.diversity import divergence as kl, readability as grades, shipped as profiled, words
from divlogic.diversity.parameters import DivergenceParameters, DiversityParameters, DiversityRun
from divlogic.diversity.profile import Profile, distinct_texts, profile_records
from divlogic.diversity.shipped import FURTHER_REFERENCES, REFERENCE
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_jsonl, read_lines, write_json
from divlogic.io.log import say
from divlogic.io.tables import rounded, write_table
from divlogic.records import Record, read_records

LITERAL = "literal"
"""Preset of the paper's literal words: only the side of Wikipedia is cut to FOLIO's size."""
Row = dict[str, Any]
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
    shipped: Annotated[
        Path | None, FOLDER, "Folder of shipped profiles, for what is not here."
    ] = None,
    params: DiversityRun,
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> list[Profile]:
    """Count the tokens of every benchmark and of the reference.

    Returns:
        What was counted; published benchmarks that are not here have their shipped profiles in the folder, and so has
        the reference of an embedded run.
    """
    parameters = params.diversity
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
    embedded = params.corpus_source == "embedded"
    for one in profiled.adopt(collection, shipped, out, reference=embedded) if shipped else []:
        say(f"{one.stem}: not here; its word counts come from {shipped}")
    return profiles


def divergence(
    *,
    collection: Collection,
    profiles: Profiles,
    reference: ReferenceTexts,
    punkt: Punkt = None,
    params: DiversityRun,
    out: JsonFile,
) -> list[Row]:
    """Measure KL divergence and Jensen-Shannon distance to the reference, in both presets.

    Further presets are ``literal``, as published with all words of the benchmark, and the names of larger references.
    """
    parameters, seed = params.diversity, params.seed
    stems = _stems(collection, profiles)
    with_texts = {
        one.benchmark for one in load_collection(collection, DIVERGENCE_TABLE) if one.available
    }
    known = english_profiles(collection, profiles)
    names = [name for name in known if name != REFERENCE]
    tokenize = tokenizer(parameters, punkt)
    rows = []

    def draws_of(
        texts: Iterable[str], chosen: DivergenceParameters, draws: tuple[int, ...]
    ) -> kl.TextSample:
        sample = kl.TextSample(size=size, repeats=chosen.repeats, seed=draws)
        for text in texts:
            tokens = (
                tokenize(text) if chosen.tokens == "cased" else list(map(str.lower, tokenize(text)))
            )
            sample.add(words.alphabetic(tokens) if chosen.tokens == "alphabetic" else tokens)
        return sample

    for preset in ("as_published", "corrected"):
        chosen: DivergenceParameters = getattr(parameters, preset)
        size = sample_size(chosen, known, parameters.minimum_tokens)
        base = (seed, _SEEDS[preset])
        wiki = known[REFERENCE].filtered(chosen.scope, chosen.tokens)
        if chosen.unit == "token":
            wiki_samples = []
        elif REFERENCE in profiled.shipped_references(profiles):
            wiki_samples = list(_drawn_tokens(wiki, chosen, size, (*base, 0)))
        else:
            wiki_samples = list(draws_of(reference_texts(reference), chosen, (*base, 0)).samples())
        for name in names:
            tokens = known[name].filtered(chosen.scope, chosen.tokens)
            if tokens.total() < parameters.minimum_tokens:
                continue  # the table says why its cell is blank
            draws = (*base, _number(name))
            samples: Iterable[tuple[kl.Counts, ...]]
            if chosen.unit == "token":
                p, q = kl.aligned(tokens, wiki)
                samples = kl.token_samples(p, q, size=size, repeats=chosen.repeats, seed=draws)
            elif name in with_texts:  # a shipped profile holds no texts to draw
                texts = _texts(collected_records(collection, stems[name]), chosen.scope)
                pairs = zip(draws_of(texts, chosen, draws).samples(), wiki_samples, strict=True)
                samples = starmap(kl.aligned, pairs)
            else:
                continue
            found = kl.measure(samples, chosen)
            rows.append(
                {"benchmark": name, "preset": preset, **found, "smoothing": chosen.smoothing}
            )
            say(
                f"{name}, {preset}: KL {found['kl']:.2f} ({found['kl_low']:.2f}-{found['kl_high']:.2f})"
            )
    chosen = parameters.as_published
    size = sample_size(chosen, known, parameters.minimum_tokens)
    files = {name: profiles / f"{name}.json.gz" for name in FURTHER_REFERENCES}
    larger = {name: Profile.load(path) for name, path in files.items() if path.is_file()}
    measured = [row["benchmark"] for row in rows if row["preset"] == "as_published"]
    for preset, other in {LITERAL: known[REFERENCE], **larger}.items():
        # Large references are drawn from once for all benchmarks.
        sides = (other, *map(known.__getitem__, measured))
        counts, *own = kl.aligned(*(one.filtered(chosen.scope, chosen.tokens) for one in sides))
        drawings = [
            kl.drawn(counts, size, (seed, _SEEDS["further"], at)) for at in range(chosen.repeats)
        ]
        for name, side in zip(measured, own, strict=True):
            found = kl.measure(_against(drawings, side, name, seed, cut=preset != LITERAL), chosen)
            rows.append(
                {"benchmark": name, "preset": preset, **found, "smoothing": chosen.smoothing}
            )
    write_json(out, rounded(rows))
    return rows


def sensitivity(
    splits: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    collection: Collection,
    profiles: Profiles,
    params: DiversityRun,
    out: JsonFile,
    shares: Annotated[
        Path | None, BASE, "Table of KL by MultiNLI's share, without its suffix."
    ] = None,
) -> None:
    """Measure how KL depends on the smoothing and on the size of the subsample.

    With SPLITS of DivLogicEval and --shares, also how it depends on the share of sentences from MultiNLI.
    """
    chosen, grid = params.diversity.as_published, params.diversity.sensitivity
    known = english_profiles(collection, profiles)
    wiki = known[REFERENCE].filtered(chosen.scope, chosen.tokens)
    rows = []
    for name, profile in known.items():
        if name == REFERENCE:
            continue
        p, q = kl.aligned(profile.filtered(chosen.scope, chosen.tokens), wiki)
        for size in grid.sizes:
            if size > min(int(p.sum()), int(q.sum())):
                continue
            draws = (params.seed, _SEEDS["sensitivity"], _number(name), size)
            samples = list(kl.token_samples(p, q, size=size, repeats=grid.repeats, seed=draws))
            distances = [kl.js_distance(*pair) for pair in samples]
            for smoothing in grid.smoothing:
                found = kl.measure(
                    samples, chosen.model_copy(update={"smoothing": smoothing}), distances
                )
                rows.append({"benchmark": name, "smoothing": smoothing, **found})
    write_json(out, rounded(rows))
    if shares is not None:
        tokens = sample_size(chosen, known, params.diversity.minimum_tokens)
        parts = kl.take_apart(
            (record for path in splits for record in read_records(path)), PAIR_CORPORA
        )
        mixed = kl.kl_by_share(
            parts, known[REFERENCE], grid.shares, tokens, params.diversity, params.seed
        )
        write_table(
            shares, kl.COLUMNS, mixed, kl.note(parts, mixed, grid.shares), units={"kl_bits": "bits"}
        )


def readability(
    *,
    collection: Collection,
    profiles: Profiles,
    punkt: Punkt = None,
    pronunciations: Annotated[Path | None, "Pronouncing dictionary in the CMU layout."] = None,
    params: DiversityRun,
    out: JsonFile,
) -> list[Row]:
    """Score Flesch-Kincaid grade and reading ease, as published and corrected."""
    known = (
        grades.pronouncing_dictionary(pronunciations)
        if pronunciations
        else grades.irregular_words()
    )
    count, tweets = grades.syllable_counter(known), grades.tweet_counter()
    parameters, split = params.diversity.readability, splitter(punkt)
    rows: dict[str, Row] = {}
    for one in load_collection(collection, COMPLEXITY_TABLE):
        if not one.available or not Profile.load(profiles / f"{one.stem}.json.gz").english:
            continue
        separator = parameters.separators.get(one.benchmark, "")
        texts = (
            published_text(record) + separator for record in collected_records(collection, one.stem)
        )
        published = grades.readability_as_published(texts, split, tweets, parameters.characters)
        corrected = grades.readability_corrected(
            distinct_texts(collected_records(collection, one.stem)), count
        )
        row: Row = {"benchmark": one.benchmark, "part": one.stem}
        row |= {f"{name}_as_published": value for name, value in published.items()}
        rows[one.benchmark] = row | {
            f"{name}_corrected": value for name, value in corrected.items()
        }
    for name, shipped in sorted(profiled.shipped_readability(profiles, COMPLEXITY_TABLE).items()):
        rows.setdefault(name, {"benchmark": name, **shipped})
    write_json(out, rounded(list(rows.values())))
    return list(rows.values())


def ship_reference(
    files: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    name: Annotated[str, "Name of the reference."],
    corpus: Annotated[str, "Corpus in the registry that FILES are a part of."],
    part: Annotated[str, "Which part, in words."],
    punkt: Punkt = None,
    registry: Annotated[Path, "The corpora."] = Path("data/registry.yaml"),
    citation: Annotated[
        str, "Who published FILES, if not the corpus' dump (a JSON object: authors, title)."
    ] = "",
    commit: Annotated[str, "The commit that the profile is made by."],
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Write the profile of a reference that the repository ships: word counts of FILES (jsonl, or a text per line)."""
    parameters = DiversityParameters()
    texts = (text for path in files for text in reference_texts(path))
    profile = reference_profile(name, texts, tokenizer(parameters, punkt), parameters)
    sources = tuple(f"{file_sha256(path)}  {path.name}" for path in files)
    about = profiled.facts_of(load_registry(registry)[corpus])
    if citation:
        # Selections by others are not of the version that the registry names.
        about |= {"version": None, "citation": read_values([citation])[0]}
    about |= {"corpus": corpus, "commit": commit, "part": part, "sources": sources}
    row = {"form": profiled.FORM, "about": about, "profile": profile.to_json()}
    write_json(out / f"{name}.json.gz", row)
    say(
        f"{name}: {profile.instances:,} texts, {profile.filtered('contexts', 'alphabetic').total():,} words"
    )


def reference_texts(path: Path) -> Iterator[str]:
    """Yield the texts of a reference: JSON lines with a field `text`, or plain text with one text per line."""
    lines: Iterable[tuple[int, Any]] = read_lines(path)
    if Path(path.name.removesuffix(".gz")).suffix in (".jsonl", ".json"):
        lines = ((number, row.get("text")) for number, row in read_jsonl(path))
    found = False
    for number, text in lines:
        if not isinstance(text, str):
            raise DivLogicError(
                f"{path}, row {number}: has no field 'text'; fix or delete that row."
            )
        if text.strip():
            found = True
            yield text
    if not found:
        raise DivLogicError(f"{path}: holds no text; fetch or make the Wikipedia sample again.")


def splitter(punkt: Path | None) -> words.SentenceSplitter:
    """Return Punkt if its folder is given, else the rules."""
    return words.punkt_splitter(punkt) if punkt else words.rule_splitter


def tokenizer(parameters: DiversityParameters, punkt: Path | None) -> words.Tokenizer:
    """Return the tokenizer that the parameters ask for."""
    return words.by_script(
        words.letter_tokens
        if parameters.tokenizer == "letters"
        else words.word_tokenizer(splitter(punkt))
    )


def reference_profile(
    name: str, texts: Iterable[str], tokenize: words.Tokenizer, parameters: DiversityParameters
) -> Profile:
    """Count the tokens of a reference."""
    records = (
        Record(str(number), name, "", text, "", (), None) for number, text in enumerate(texts)
    )
    return profile_records(name, records, tokenize, parameters.type_token)


def english_profiles(collection: Path, profiles: Path) -> dict[str, Profile]:
    """Return the profile of every benchmark in Latin letters, and of the reference, by name."""
    stems = {**_stems(collection, profiles), REFERENCE: REFERENCE}
    known = {name: Profile.load(profiles / f"{stem}.json.gz") for name, stem in stems.items()}
    return {name: profile for name, profile in known.items() if profile.english}


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
        name: own.filtered(chosen.scope, chosen.tokens).total() for name, own in profiles.items()
    }
    if chosen.size in totals and totals[chosen.size] >= minimum:
        return min(totals[chosen.size], totals[REFERENCE])
    return min([total for total in totals.values() if total >= minimum] or totals.values())


def _stems(collection: Path, profiles: Path) -> dict[str, str]:
    """Return the benchmarks that divergence is measured on, and the stems of their profiles."""
    found = profiled.measurable(collection, profiles, DIVERGENCE_TABLE)
    return {one.benchmark: one.stem for one in found if one.available}


def _drawn_tokens(
    counts: Counter[str], chosen: DivergenceParameters, size: int, seed: tuple[int, ...]
) -> Iterator[dict[str, int]]:
    """Draw tokens of a reference of which only a profile is here."""
    (vector,), vocabulary = kl.aligned(counts), sorted(counts)
    for repeat in range(chosen.repeats):
        found = kl.drawn(vector, size, (*seed, repeat)).tolist()
        yield {word: number for word, number in zip(vocabulary, found, strict=True) if number}


def _texts(records: Iterator[Record], scope: str) -> Iterator[str]:
    if scope == "distinct_contexts":
        return distinct_texts(records)
    if scope == "contexts":
        return (record.context for record in records)
    return (" ".join((record.context, record.question, *record.options)) for record in records)


def _against(
    draws: Sequence[kl.Counts], counts: kl.Counts, name: str, seed: int, *, cut: bool
) -> Iterator[tuple[kl.Counts, ...]]:
    """Yield a benchmark's words and each draw of a reference: both cut to one size, or the benchmark's whole."""
    for place, draw in enumerate(draws):
        key = (seed, _SEEDS["further"], _number(name), place)
        own, other = kl.present(counts, draw)
        if cut:
            own = kl.drawn(own, int(other.sum()), key)
            own, other = kl.present(own, kl.drawn(other, int(own.sum()), key))
        yield own, other


def _number(name: str) -> int:
    """Return a number for a name, the same everywhere, so that a benchmark's draws do not depend on the others."""
    return int.from_bytes(name.encode()[:16].ljust(16, b"\0")) % (2**63)

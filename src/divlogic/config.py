"""The parameters of params.yaml: one pydantic model per section, from which the JSON schema is generated."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError, model_validator

from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.diversity.parameters import DiversityParameters
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.paper.parameters import PaperParameters
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters
from divlogic.section import Section

PHASE_KEYS: dict[str, tuple[str, ...]] = {
    "corpora": ("corpus_source", "mirror", "seed", "corpora"),
    "sentences": ("corpus_source", "seed", "sentences"),
    "benchmarks": ("corpus_source", "seed", "benchmarks"),
    "diversity": ("corpus_source", "seed", "diversity"),
    "prior_knowledge": ("corpus_source", "seed", "prior_knowledge"),
    "evaluation": ("corpus_source", "seed", "evaluation"),
    "paper": (
        *("corpus_source", "seed", "corpora", "sentences", "benchmarks"),
        *("diversity", "prior_knowledge", "evaluation", "paper"),
    ),
}
"""The top-level keys that each phase reads: what its rules hand over and its DVC stage lists as ``params``."""


class CaptionParameters(Section):
    """The composed caption corpus (the embedded stand-in for SNLI)."""

    groups: int = Field(11500, ge=1, description="premises to compose, each with its hypotheses")


class TaggerParameters(Section):
    """Training of the part-of-speech tagger of embedded runs; full runs use NLTK's own weights."""

    sentences: int = Field(
        3000,
        ge=10,
        description="caption sentences, and as many retold in other tenses, that train the tagger",
    )
    iterations: int = Field(4, ge=1, description="passes of the averaged perceptron")
    held_out: float = Field(0.1, gt=0, lt=1, description="share of the sentences kept for measuring accuracy")


class CorporaParameters(Section):
    """Which corpora are fetched or composed."""

    captions: CaptionParameters = CaptionParameters()
    tagger: TaggerParameters = TaggerParameters()
    full: list[str] = Field(
        [
            *("snli", "multinli", "xnli", "genericskb", "simple_wikipedia", "nltk_data"),
            *(
                "logiqa2",
                "folio",
                "ruletaker",
                "logicnli",
                "clutrr",
                "proofwriter",
                "justlogic",
                "llmeval_logic",
            ),
            *("reclor", "robustlr", "prontoqa_ood", "recorded_ilogiceval", "recorded_justlogic"),
        ],
        description="registry names that `corpus_source: full` fetches",
    )
    missing_comparators: Literal["skip", "stop"] = Field(
        "skip",
        description="what a published benchmark or recorded answers that cannot be had do to a full run: the tables"
        " show them as unavailable, or the run stops",
    )


class SentencesParameters(Section):
    """Filter, negation and grouping of sentences (DivLogicEval, Appendix C)."""

    shards: int = Field(2, ge=1, le=4096, description="shards of the work; the result does not depend on it")
    min_tokens: int = Field(4, ge=1, description="shortest sentence kept, in tokens")
    max_tokens: int = Field(30, ge=2, description="longest sentence kept, in tokens")
    pronoun_subjects: Literal["resolve", "drop"] = Field(
        "resolve",
        description="a pronoun subject of a hypothesis is replaced by its premise's subject where that is certain, or"
        " every such hypothesis is dropped",
    )
    forbidden_marks: str = Field(";(,?", description="characters that a kept sentence may not contain")


class PolishParameters(Section):
    """Optional grammar correction by a language model (DivLogicEval, Section 2.1 and Appendix G)."""

    enabled: bool = Field(False, description="ask a model to correct the wording of the polished splits")
    base_url: str | None = Field(None, description="address of an OpenAI-compatible server, ending in /v1")
    model: str | None = Field(None, description="model name as that server knows it")
    trials: int = Field(3, ge=1, description="proposals asked per text; the smallest accepted change wins")
    min_ratio: float = Field(
        0.5, ge=0, le=1, description="longest common substring over the longer text must exceed this"
    )
    concurrency: int = Field(4, ge=1, description="requests under way at once")


class SplitSizes(Section):
    """Wanted number of instances per split; each split is balanced over the three question types."""

    test: int = Field(
        900, ge=3, multiple_of=3, description="the test split, every label of which Z3 confirms"
    )
    unpolished: int = Field(
        1500, ge=0, multiple_of=3, description="the split for few-shot examples and training"
    )
    reserve: float = Field(
        0.25,
        ge=0,
        lt=1,
        description="share of the instances left to the unpolished split where sentences run short",
    )


class DivLogicEvalParameters(Section):
    """Construction of DivLogicEval (paper Section 2.1, Appendices A and B)."""

    variables: int = Field(8, ge=3, le=8, description="propositional variables A, B, ... (x)")
    n: int = Field(3, ge=2, le=6, description="maximum number of propositions per variable (Algorithm 1)")
    cap_probability: float = Field(
        0.1, ge=0, le=1, description="selection weight of a variable used n-1 times (Appendix B)"
    )
    rule_weights: dict[Literal["implication", "not_and", "or"], float] = Field(
        {"implication": 0.5, "not_and": 0.25, "or": 0.25}, description="probability of each rule of Eq. 1"
    )
    literal_divisor: float = Field(
        1.5, gt=0, description="a context holds 0 to floor(|x'| / this) single literals"
    )
    literal_negation: float = Field(
        1 / 3, ge=0, le=1, description="probability that such a literal is negated"
    )
    option_forms: Literal["as_published", "matched"] = Field(
        "matched",
        description="matched: the options of an item share their logical form, so that the form alone tells nothing;"
        " as_published: options are drawn from their groups whatever their form",
    )
    contradictions: dict[Literal["3c1e", "3e1c", "missing_premise"], float] = Field(
        {"3c1e": 1.0, "3e1c": 0.0, "missing_premise": 1.0},
        description="probability that, where there is one, an NLI contradiction words one wrong option (of 3e1c the"
        " right one: there it is the only option that does not follow, and its words would give it away)",
    )
    verification: Literal["symbolic", "nli"] = Field(
        "nli", description="level at which a label must hold: of the formulas, or of the sentences as worded"
    )
    max_hypotheses: int = Field(
        2,
        ge=0,
        le=3,
        description="entailed hypotheses of a group that may word its variable beside the premise",
    )
    splits: SplitSizes = SplitSizes()
    shards: int = Field(2, ge=1, le=4096, description="shards of the work; the result does not depend on it")
    polish: PolishParameters = PolishParameters()

    @model_validator(mode="after")
    def _some_rule(self) -> DivLogicEvalParameters:
        weights = self.rule_weights.values()
        if min(weights, default=0) < 0 or sum(weights) <= 0:
            raise ValueError("rule_weights must not be negative, and one at least must be positive")
        return self


class ILogicEvalParameters(Section):
    """The predecessor's splits: the same instances, cut into train, validation and test (ILogicEval, Section 3.2)."""

    validation: int = Field(
        300,
        ge=0,
        multiple_of=3,
        description="validation instances taken from the unpolished ones (900 in the paper); the rest trains",
    )


class BenchmarksParameters(Section):
    """The benchmarks that are generated."""

    divlogiceval: DivLogicEvalParameters = DivLogicEvalParameters()
    ilogiceval: ILogicEvalParameters = ILogicEvalParameters()
    justlogic: JustLogicParameters = JustLogicParameters()


class Parameters(Section):
    """Everything that params.yaml may say."""

    corpus_source: Literal["embedded", "full"] = Field(
        "embedded", description="embedded: the small corpora of this repository; full: the real ones"
    )
    mirror: str | None = Field(
        None, description="folder of already downloaded corpora, looked into before the network"
    )
    seed: int = Field(20260101, ge=0, lt=2**63, description="seed of everything that is drawn at random")
    corpora: CorporaParameters = CorporaParameters()
    sentences: SentencesParameters = SentencesParameters()
    benchmarks: BenchmarksParameters = BenchmarksParameters()
    diversity: DiversityParameters = DiversityParameters()
    prior_knowledge: PriorKnowledgeParameters = PriorKnowledgeParameters()
    evaluation: EvaluationParameters = EvaluationParameters()
    paper: PaperParameters = PaperParameters()

    @model_validator(mode="before")
    @classmethod
    def _read_null(cls, value: Any) -> Any:
        # `snakemake --config mirror=null` arrives as the word, not as YAML's null.
        if isinstance(value, dict) and value.get("mirror") in ("null", "None", ""):
            value = {**value, "mirror": None}
        return value


def validate(values: dict[str, Any], where: str = "params.yaml") -> Parameters:
    """Check a configuration and fill in the defaults.

    Raises:
        DivLogicError: a key is unknown (the nearest known one is suggested) or a value is not allowed.
    """
    try:
        return Parameters.model_validate(values)
    except ValidationError as error:
        raise DivLogicError(f"{where}: " + "; ".join(map(_sentence, error.errors()))) from error


def load(path: Path) -> Parameters:
    """Read and check a parameter file.

    Raises:
        DivLogicError: the file is missing, is not YAML, or says something that is not allowed.
    """
    import yaml

    if not path.is_file():
        raise DivLogicError(f"{path}: there is no such file; run from the folder that holds params.yaml.")
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except UnicodeDecodeError as error:
        raise DivLogicError(f"{path}: not valid UTF-8 ({error.reason}); save it as UTF-8.") from error
    except yaml.YAMLError as error:
        raise DivLogicError(f"{path}: not valid YAML ({' '.join(str(error).split())}).") from error
    if not isinstance(values, dict):
        raise DivLogicError(f"{path}: expected a mapping of parameters, found a {type(values).__name__}.")
    return validate(values, str(path))


def schema() -> dict[str, Any]:
    """Return the JSON schema of params.yaml."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Parameters.model_json_schema()}


def _sentence(error: Any) -> str:
    """Turn one pydantic error into a sentence with the parameter's full name."""
    place = [str(part) for part in error["loc"] if part != "[key]"]
    name = ".".join(place)
    if error["type"] == "extra_forbidden":
        known = _keys_of_section(place[:-1])
        near = difflib.get_close_matches(place[-1], known, n=1, cutoff=0.5)
        hint = f"did you mean '{near[0]}'?" if near else f"known there: {', '.join(known)}"
        return f"unknown parameter '{name}'; {hint}"
    return f"parameter '{name}' is {error['input']!r}: {error['msg'][0].lower()}{error['msg'][1:]}"


def _keys_of_section(place: list[str]) -> list[str]:
    """List the known keys of the section at ``place`` (the top level for an empty list)."""
    section: type[BaseModel] = Parameters
    for part in place:
        annotation = section.model_fields[part].annotation
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return []
        section = annotation
    return list(section.model_fields)

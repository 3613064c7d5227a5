"""The parameters of params.yaml: the root composes the sections, each of which lives with its owner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from divlogic.benchmarks.parameters import BenchmarksParameters
from divlogic.config.option import read_mapping
from divlogic.config.section import RunParameters, check
from divlogic.contamination.parameters import ContaminationParameters
from divlogic.corpora.parameters import CorporaParameters
from divlogic.diversity.parameters import DiversityParameters
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.hardening.parameters import HardeningParameters
from divlogic.paper.parameters import PaperParameters
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters
from divlogic.sentences.parameters import SentencesParameters


class Parameters(RunParameters):
    """Everything that params.yaml may say."""

    corpora: CorporaParameters = CorporaParameters()
    sentences: SentencesParameters = SentencesParameters()
    benchmarks: BenchmarksParameters = BenchmarksParameters()
    hardening: HardeningParameters = HardeningParameters()
    diversity: DiversityParameters = DiversityParameters()
    prior_knowledge: PriorKnowledgeParameters = PriorKnowledgeParameters()
    evaluation: EvaluationParameters = EvaluationParameters()
    contamination: ContaminationParameters = ContaminationParameters()
    paper: PaperParameters = PaperParameters()


def validate(values: dict[str, Any], where: str = "params.yaml") -> Parameters:
    """Check a configuration and fill in the defaults.

    Raises:
        DivLogicError: a key is unknown (the nearest known one is suggested) or a value is not allowed.
    """
    return check(Parameters, values, where)


def load(path: Path) -> Parameters:
    """Read and check a parameter file.

    Raises:
        DivLogicError: the file is missing, is not YAML, or says something that is not allowed.
    """
    return validate(read_mapping(path), str(path))


def schema() -> dict[str, Any]:
    """Return the JSON schema of params.yaml."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Parameters.model_json_schema()}

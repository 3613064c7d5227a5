"""The parameters of params.yaml, composed of the sections of all phases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel

from divlogic.benchmarks.parameters import BenchmarksParameters
from divlogic.config import section
from divlogic.config.command import ARGUMENT
from divlogic.config.option import read_mapping, read_values
from divlogic.config.section import RunParameters
from divlogic.contamination.parameters import ContaminationParameters
from divlogic.corpora.parameters import CorporaParameters
from divlogic.diversity.parameters import DiversityParameters
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.hardening.parameters import HardeningParameters
from divlogic.io.files import write_json, write_text
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
    return section.check(Parameters, values, where)


def load(path: Path) -> Parameters:
    """Read and check a parameter file.

    Raises:
        DivLogicError: the file is missing, is not YAML, or says something that is not allowed.
    """
    return validate(read_mapping(path), str(path))


def schema() -> dict[str, Any]:
    """Return the JSON schema of params.yaml."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Parameters.model_json_schema(),
    }


def write_schema(*, out: Annotated[Path, "Where to write the JSON schema."]) -> None:
    """Write the JSON schema of params.yaml."""
    write_json(out, schema())


def write_default(*, out: Annotated[Path, "Where to write the parameters."]) -> None:
    """Write params.yaml with every parameter at its default, each with its description."""
    write_text(out, default_yaml())


def lay(
    files: Annotated[tuple[Path, ...], ARGUMENT, "FILE..."],
    *,
    params: Annotated[Path, "Parameters that the files are laid over."] = Path("params.yaml"),
    out: Annotated[Path, "Where to write the parameters."] = Path("params.yaml"),
) -> None:
    """Write params.yaml with files of `config/` laid over it, so that DVC records a run by its real parameters."""
    values, where = read_values(tuple(map(str, (params, *files))))
    laid = " and ".join(map(str, files))
    head = f"# Every parameter of the workflow, with {laid} laid over it (`divlogic config lay`).\n"
    text = head + "".join(_section_lines(validate(values, where), 0))
    write_text(out, text)


def default_yaml() -> str:
    """Return params.yaml with every parameter at its default and its description above it."""
    head = (
        "# Every parameter of the workflow, with its default. `divlogic config check` says what is wrong with it;\n"
        "# workflow/schemas/params.schema.json lets an editor complete and check it.\n"
    )
    return head + "".join(_section_lines(Parameters(), 0))


def _section_lines(section: BaseModel, depth: int) -> list[str]:
    """Render the fields of a section as commented YAML lines."""
    import textwrap

    import yaml

    indent = "  " * depth
    lines: list[str] = []
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        description = field.description or (type(value).__doc__ or "").strip().splitlines()[0]
        lines.append("\n" if depth == 0 else "")
        lines += [
            f"{line}\n"
            for line in textwrap.wrap(
                description, 100, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# "
            )
        ]
        if isinstance(value, BaseModel):
            lines.append(f"{indent}{name}:\n")
            lines += _section_lines(value, depth + 1)
        else:
            text = yaml.safe_dump(
                {name: _plain(value)}, sort_keys=False, allow_unicode=True, width=100
            )
            lines.append(textwrap.indent(text, indent))
    return lines


def _plain(value: Any) -> Any:
    """Return a value as YAML can write it; of a list of models only what is set."""
    if isinstance(value, list):
        return [
            item.model_dump(mode="json", exclude_unset=True)
            if isinstance(item, BaseModel)
            else item
            for item in value
        ]
    return value

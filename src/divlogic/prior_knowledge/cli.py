"""``divlogic prior_knowledge``: probe, ask, export, replay, table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from divlogic.cli import params_option

if TYPE_CHECKING:
    from divlogic.config import Parameters
    from divlogic.models.parameters import ModelParameters
    from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group("prior_knowledge")
def cli() -> None:
    """Test whether questions can be answered without their context."""


@cli.command("probe")
@click.argument("records", nargs=-1, required=True, type=_FILE)
@click.option("--benchmark", help="Name to give the benchmark; by default the records' own.")
@click.option(
    "--out", type=_FILE, required=True, help="Answers of the classifier and of the majority (jsonl)."
)
@params_option
def probe_step(records: tuple[Path, ...], benchmark: str | None, out: Path, params: Parameters) -> None:
    """Cross-validate a question-only classifier on RECORDS (all splits of one benchmark)."""
    from dataclasses import replace

    from divlogic.models.closed_answers import write_answers
    from divlogic.prior_knowledge.probe import probe
    from divlogic.records import read_records

    read = [record for path in records for record in read_records(path)]
    answers = probe(read, _section(params).probe, params.seed)
    if benchmark:
        answers = [replace(answer, benchmark=benchmark) for answer in answers]
    write_answers(out, answers)


@cli.command("ask")
@click.option("--in", "source", type=_FILE, required=True, help="Records (jsonl).")
@click.option("--pool", type=_FILE, help="Records of the training part, for solved examples.")
@click.option(
    "--model", "name", required=True, help="Label or name of a model of the parameters, or any other."
)
@click.option("--base-url", help="Address of an OpenAI-compatible server, for a model not in the parameters.")
@click.option("--store", type=_FILE, required=True, help="Response store (appended to).")
@params_option
def ask_step(
    source: Path, pool: Path | None, name: str, base_url: str | None, store: Path, params: Parameters
) -> None:
    """Ask a model the questions to which the store has no answer yet."""
    from divlogic.prior_knowledge.steps import ask_file

    section = _section(params)
    ask_file(source, pool, store, model=_model(section, name, base_url), parameters=section, seed=params.seed)


@cli.command("export")
@click.option("--in", "source", type=_FILE, required=True, help="Records (jsonl).")
@click.option("--pool", type=_FILE, help="The same pool as for `ask`.")
@click.option("--store", type=_FILE, required=True, help="Response store.")
@click.option("--model", "names", multiple=True, help="Only these models; by default all of the parameters.")
@click.option("--base-url", help="Address that went with --base-url of `ask`.")
@click.option("--out", type=_FILE, required=True, help="Answers (jsonl).")
@params_option
def export_step(
    source: Path,
    pool: Path | None,
    store: Path,
    names: tuple[str, ...],
    base_url: str | None,
    out: Path,
    params: Parameters,
) -> None:
    """Write the stored answers to the questions, in a fixed order."""
    from divlogic.models.closed_answers import write_answers
    from divlogic.prior_knowledge.steps import answers_to_file

    section = _section(params)
    models = [_model(section, name, base_url) for name in names] or section.models
    write_answers(
        out,
        (
            answer
            for model in models
            for answer in answers_to_file(
                source, pool, store, model=model, parameters=section, seed=params.seed
            )
        ),
    )


@cli.command("replay")
@click.argument("source", metavar="FILE", type=_FILE)
@click.option(
    "--benchmark", required=True, help="Benchmark that the answers belong to (clutrr, logiqa2, ...)."
)
@click.option("--model", "system", default="GPT-4", show_default=True, help="Whose answers they are.")
@click.option("--prompt", default="", help="Prompt style that was used.")
@click.option(
    "--choices", type=click.IntRange(2), help="Answers to choose from; counted from the labels if not given."
)
@click.option("--out", type=_FILE, required=True, help="Answers (jsonl).")
def replay_step(
    source: Path, benchmark: str, system: str, prompt: str, choices: int | None, out: Path
) -> None:
    """Read a FILE of answers that JustLogic's authors recorded."""
    from divlogic.models.closed_answers import write_answers
    from divlogic.models.label_recordings import read_justlogic, recorded_answers

    predictions = list(read_justlogic(source))
    write_answers(
        out,
        recorded_answers(predictions, benchmark=benchmark, system=system, prompt=prompt, choices=choices),
    )


@cli.command("probe-collection")
@click.argument("splits", nargs=-1, type=_FILE)
@click.option(
    "--in", "collection", type=_FOLDER, required=True, help="Folder of `divlogic benchmarks collect`."
)
@click.option("--out", type=_FILE, required=True, help="Answers (jsonl).")
@params_option
def probe_collection_step(splits: tuple[Path, ...], collection: Path, out: Path, params: Parameters) -> None:
    """Run the probe on every benchmark of a collection; of generated ones on all their SPLITS."""
    from divlogic.prior_knowledge.steps import probe_collection

    probe_collection(collection, splits, out, _section(params), params.seed)


@cli.command("ask-collection")
@click.option(
    "--in", "collection", type=_FOLDER, required=True, help="Folder of `divlogic benchmarks collect`."
)
@click.option(
    "--model", "name", required=True, help="Label or name of a model of the parameters, or any other."
)
@click.option("--base-url", help="Address of an OpenAI-compatible server, for a model not in the parameters.")
@click.option("--store", type=_FILE, required=True, help="Response store (appended to).")
@click.option(
    "--pool",
    "pools",
    multiple=True,
    type=_FILE,
    help="Training part of a generated benchmark, for solved examples; repeatable.",
)
@click.option("--out", type=_FILE, required=True, help="Answers (jsonl).")
@params_option
def ask_collection_step(
    collection: Path,
    name: str,
    base_url: str | None,
    store: Path,
    pools: tuple[Path, ...],
    out: Path,
    params: Parameters,
) -> None:
    """Ask a model the questions of every benchmark of a collection, without their contexts."""
    from divlogic.prior_knowledge.steps import ask_collection

    section = _section(params)
    model = _model(section, name, base_url)
    ask_collection(collection, store, out, pools=pools, model=model, parameters=section, seed=params.seed)


@cli.command("recorded")
@click.argument("folders", nargs=-1, type=_FOLDER)
@click.option("--out", type=_FILE, required=True, help="Answers (jsonl).")
def recorded_step(folders: tuple[Path, ...], out: Path) -> None:
    """Read the recorded answers in corpus FOLDERS; without any, the file is empty."""
    from divlogic.prior_knowledge.steps import replay_folders

    replay_folders(folders, out)


@cli.command("table")
@click.argument("answers", nargs=-1, type=_FILE)
@click.option(
    "--published", type=_FILE, help="The printed table (data/published/justlogic_prior_knowledge.csv)."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Table, without its suffix.")
@click.option("--figure", type=click.Path(path_type=Path), help="Figure, without its suffix.")
@params_option
def table_step(
    answers: tuple[Path, ...], published: Path | None, out: Path, figure: Path | None, params: Parameters
) -> None:
    """Test the files of ANSWERS against guessing and write the table (csv, md, tex) and the figure (svg, png)."""
    from divlogic.models.closed_answers import read_answers
    from divlogic.prior_knowledge.independence import draw_independence, write_independence

    section = _section(params)
    rows = write_independence(
        (answer for path in answers for answer in read_answers(path)),
        published,
        out,
        seed=params.seed,
        resamples=section.resamples,
        level=section.level,
    )
    if figure is not None:
        draw_independence(rows, figure)


def _section(params: Parameters) -> PriorKnowledgeParameters:
    from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters

    return getattr(params, "prior_knowledge", None) or PriorKnowledgeParameters()


def _model(section: PriorKnowledgeParameters, name: str, base_url: str | None) -> ModelParameters:
    from divlogic.models.parameters import model_named

    return model_named(section.models, name, base_url)

"""``divlogic benchmarks llmeval_logic``: the steps that LLMEval-Logic alone has."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.io.shards import expanded


@click.group("llmeval_logic")
def cli() -> None:
    """Steps of LLMEval-Logic: own seeds, the symbolic hardener."""


@cli.command("seeds")
@click.option("--in", "source", type=FOLDER, required=True, help="Folder of scenarios (yaml).")
@click.option("--out", type=FILE, required=True, help="Seeds (jsonl).")
def seeds_step(source: Path, out: Path) -> None:
    """Read the scenarios and check every answer with both deciders."""
    from divlogic.benchmarks.llmeval_logic.seeds import write_seeds

    write_seeds(source, out)


@cli.command("harden")
@click.option("--in", "source", type=FILE, required=True, help="Seeds (jsonl).")
@click.option("--shard", type=click.IntRange(0), required=True, help="Number of this shard, from 0.")
@click.option("--shards", type=click.IntRange(1), required=True, help="Number of shards.")
@click.option("--out", type=FILE, required=True, help="Hard items of this shard (jsonl).")
@click.option("--counts", type=FILE, required=True, help="Draws by operator and gate (json).")
@params_option(BenchmarksRun)
def harden_step(
    source: Path, shard: int, shards: int, out: Path, counts: Path, params: BenchmarksRun
) -> None:
    """Draw one shard of hard items by operators on the seeds' theories."""
    from divlogic.benchmarks.llmeval_logic.hardener.build import write_shard

    write_shard(
        source,
        out,
        counts,
        shard=shard,
        shards=shards,
        seed=params.seed,
        parameters=params.benchmarks.llmeval_logic.hardener,
    )


@cli.command("assemble")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="SHARD... COUNTS...", callback=expanded)
@click.option("--seeds", type=FILE, required=True, help="Seeds (jsonl).")
@click.option("--out", type=FOLDER, required=True, help="Folder of the splits base and hard.")
@click.option("--tables", type=FOLDER, required=True, help="Folder of the tables hardening and panel.")
def assemble_step(files: tuple[Path, ...], seeds: Path, out: Path, tables: Path) -> None:
    """Put the shards (jsonl.gz) and their counts (json) together: splits, tables of gates and of the panel."""
    from divlogic.benchmarks.llmeval_logic.hardener.report import write_sets

    shards = [path for path in files if path.suffix != ".json"]
    counts = [path for path in files if path.suffix == ".json"]
    write_sets(shards, counts, seeds, out, tables)


@cli.command("figures")
@click.option("--panel", type=FILE, required=True, help="Table of the panel, without its suffix.")
@click.option("--sensitivity", type=FILE, required=True, help="Table of sensitivity, without its suffix.")
@click.option("--out", type=FOLDER, required=True, help="Folder of the figures (svg and png).")
def figures_step(panel: Path, sensitivity: Path, out: Path) -> None:
    """Draw what solvers of the panel answer, and what formal signals let through."""
    from divlogic.benchmarks.llmeval_logic.figures import draw_panel, draw_sensitivity

    draw_panel(panel, out / "panel")
    draw_sensitivity(sensitivity, out / "sensitivity")


@cli.command("confirm")
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option("--out", type=FILE, required=True, help="Counts (json).")
def confirm_step(files: tuple[Path, ...], out: Path) -> None:
    """Decide every question of FILES (jsonl) by Z3, from what the records state."""
    from divlogic.benchmarks.llmeval_logic.hardener.confirm import write_confirmation

    write_confirmation(files, out)


@cli.command("published")
@click.option("--in", "source", type=FOLDER, required=True, help="Folder of published layout.")
@click.option("--out", type=FOLDER, required=True, help="Folder of the tables.")
def published_step(source: Path, out: Path) -> None:
    """Verify the published items, audit their rubrics, measure sensitivity, count what is there."""
    from divlogic.benchmarks.llmeval_logic.published_tables import measure_published

    measure_published(source, out)

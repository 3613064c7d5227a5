# What is looked at before the first job: files that come from elsewhere, what jobs cannot start without, corpora, models.
import shutil
import time

# Below DVC the files that earlier stages made may have been restored: `dvc status` knows what they were made with.
if Path("data/interim").is_dir() and not (
    Path(".snakemake/metadata").is_dir() or "DVC_STAGE" in os.environ or "--touch" in sys.argv
):
    sys.exit(
        "divlogic: data/interim comes from elsewhere, and nothing here says which parameters its files were made with;"
        " Snakemake would take them for those of this run. Move data/interim away, or, if they are, run:"
        " snakemake --touch --cores 1 all"
    )


def what_no_job_can_do_without():
    """Yield what would let each job fail: Snakemake removes the outputs of a job before it starts."""
    program = shutil.which("divlogic")
    here = Path(sys.executable).parent
    if program is None:
        yield (
            "the program `divlogic` is not on PATH, and every job calls it; activate the environment, or run:"
            f" PATH={here}:$PATH snakemake ..."
        )
    else:
        with open(program, "rb") as file:
            interpreter = Path(os.fsdecode(file.readline()[2:]).strip())
        # Programs that call another one (a wrapper in sh, `env python`) are trusted.
        if interpreter.name.startswith("python") and not (
            interpreter.parent.is_dir() and interpreter.parent.samefile(here)
        ):
            yield (
                f"`divlogic` on PATH is {program}, of another environment than this Snakemake ({here}); activate one of"
                " them."
            )
    # Snakemake refuses what a job has written if an input is newer, but only after the job.
    given = {Path(str(file)) for job in workflow.dag.needrun_jobs() for file in job.input}
    ahead = [(file.stat().st_mtime, file) for file in given if file.is_file()]
    newest, file = max(ahead, default=(0, None))
    # File systems round times, and servers of files have clocks of their own: two seconds are neither.
    if newest > time.time() + 2:
        yield (
            f"the clock says {time.strftime('%Y-%m-%d %H:%M:%S')}, and {file} is of"
            f" {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(newest))}; set the clock, or, if it is right, give such"
            " files the present time (touch FILE)."
        )


def check_run():
    """Say how many sentence pairs there are, and stop if they are far too few or a model cannot be asked."""
    if problems := list(what_no_job_can_do_without()):
        sys.exit("\n".join(f"divlogic: {problem}" for problem in problems))
    # Snakemake's limit of 100 new jobs per second: after each job one look more at all that are ready, every second to the end.
    workflow.scheduler.job_rate_limiter = None
    # A corpus that cannot be had stops what needs it, and nothing else.
    workflow.scheduler.keepgoing |= PARAMS.corpus_source == "full"
    from divlogic.preflight import corpora_notices, instances_notice, model_problems  # not for a dry run

    try:
        notices = [*corpora_notices(PARAMS), instances_notice(PARAMS)]
    except DivLogicError as error:
        sys.exit(f"divlogic: {error}")
    for notice in filter(None, notices):
        print(f"divlogic: {notice}", file=sys.stderr)
    if problems := model_problems(PARAMS):
        sys.exit("\n".join(f"divlogic: {problem}" for problem in problems))


# A phase by itself; the whole workflow has its own, which takes the place of this one.
onstart:
    check_run()

# What is looked at before the first job and said after the last: files that come from elsewhere, corpora, models.
import shutil
import subprocess

# Below DVC the files are compared as they are; see `check_parameters`.
if Path("data/interim").is_dir() and not (
    Path(".snakemake/metadata").is_dir() or "DVC_STAGE" in os.environ or "--touch" in sys.argv
):
    sys.exit(
        "divlogic: data/interim comes from elsewhere, and nothing here says which parameters its files were made with;"
        " Snakemake would take them for those of this run. Move data/interim away, or, if they are, run:"
        " snakemake --touch --cores 1 all"
    )


def files_made_otherwise():
    """Return the files that would stay as they are and were made with other parameters: they were put or restored here.

    Snakemake compares parameters with its own records, which do not change with the file.
    """
    if workflow.touch or not any(str(trigger) == "params" for trigger in workflow.rerun_triggers):
        return []
    staying = [
        job for job in workflow.dag.jobs if "config" in job.params.keys() and not workflow.dag.needrun(job)
    ]
    return [
        Path(file)
        for job in staying
        for file in job.output
        if params_of_files(Path(file)) - {digest_of(job.params.config)}
    ]


def check_parameters():
    """Stop if a file that stays was made with other parameters; below DVC, which has a copy of it, make it again.

    A stage's command is `snakemake --forcerun PHASE -- PHASE`: the phase itself is always due, so that this is called.
    """
    others = files_made_otherwise()
    if not others:
        return
    names = ", ".join(map(str, others[:3])) + (f" and {len(others) - 3:,} more" if len(others) > 3 else "")
    if "DVC_STAGE" not in os.environ:
        sys.exit(
            f"divlogic: {names}: made with other parameters than those of this run, and put here from elsewhere. Delete"
            " what is not of this run and run the same command again, or, if a file is right, run: divlogic accept FILE"
        )
    print(f"divlogic: {names}: restored, of other parameters; made again", file=sys.stderr)
    for path in others:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    # What is due was settled before: the same command settles it once more, within this one's lock.
    command = [sys.executable, "-m", "snakemake", "--nolock", *sys.argv[1:]]
    sys.exit(subprocess.run(command, check=False).returncode)


def check_run():
    """Say what the corpora cannot give, and stop if that is too much or a model cannot be asked."""
    check_parameters()
    # Snakemake's limit of 100 new jobs per second: after each job one look more at all that are ready, every second to the end.
    workflow.scheduler.job_rate_limiter = None
    from divlogic.preflight import instances_notice, model_problems  # not for a dry run

    try:
        notice = instances_notice(PARAMS)
    except DivLogicError as error:
        sys.exit(f"divlogic: {error}")
    if notice:
        print(f"divlogic: {notice}", file=sys.stderr)
    if problems := model_problems(PARAMS):
        sys.exit("\n".join(f"divlogic: {problem}" for problem in problems))


# A phase by itself; the whole workflow has its own, which takes the place of this one.
onstart:
    check_run()

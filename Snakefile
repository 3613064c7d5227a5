# DivLogic: `snakemake --cores all all` makes everything; one file per phase under workflow/rules.
import time

from snakemake.utils import min_version

min_version("9.0")


include: "workflow/common.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/sentences.smk"
include: "workflow/rules/benchmarks.smk"
include: "workflow/rules/collection.smk"
include: "workflow/rules/hardening.smk"
include: "workflow/rules/diversity.smk"
include: "workflow/rules/prior_knowledge.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/contamination.smk"
include: "workflow/rules/paper.smk"


rule all:
    """Everything that the workflow can make with the current parameters."""
    default_target: True
    input:
        rules.corpora.input,
        rules.sentences.input,
        rules.benchmarks.input,
        rules.collection.input,
        rules.hardening.input,
        rules.diversity.input,
        rules.prior_knowledge.input,
        rules.evaluation.input,
        rules.contamination.input,
        rules.paper.input,


STARTED = time.time()


# What the corpora cannot give is said before hours are spent, and which models cannot be asked.
onstart:
    check_run()


# Results equal to those of dvc.lock enter DVC's cache, so that `dvc status` is clean; others are left to `make record`.
onsuccess:
    from divlogic.paper.scoreboard import run_summary

    print(*run_summary(Path(), time.time() - STARTED, STARTED), sep="\n", file=sys.stderr)
    shell(
        "test ! -d .dvc || (python -m tools.private_cache && dvc commit --quiet) < /dev/null 2> /dev/null"
        " || echo 'These results are not those of dvc.lock; record them with: make record' >&2"
    )
    if configfiles(sys.argv):
        print(
            "divlogic: this run had a --configfile, which DVC does not see: before you record it, write it into params.yaml"
            " (divlogic config lay FILE)",
            file=sys.stderr,
        )

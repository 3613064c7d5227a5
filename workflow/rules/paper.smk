# Paper: every table and figure of the papers, printed and measured, on one page, in one PDF and on a scoreboard.
#
# Inputs   results/{benchmarks,diversity,prior_knowledge,evaluation,contamination}/, data/benchmarks/, data/imported/, notebooks/, results/corpora/corpora.json, data/published/, requirements/divlogic.lock
# Outputs  data/interim/paper/, results/paper/{index.html,items.html,paper.pdf,scoreboard.csv,scoreboard.json,totals.json}, results/paper/items/,
#          results/paper/tables/*.{csv,md,tex}, results/paper/figures/*.{svg,png,pdf}, results/paper/notebooks/*.html


if "PARAMS" not in globals():

    include: "../common.smk"


from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.evaluation.asked import is_asked
from divlogic.paper.model import file_names

PROVENANCE_KEYS = [key for key in KEYS if key not in EXECUTION_KEYS]
GATHERED_TABLES = [
    *expand(
        "results/diversity/{table}.{suffix}",
        table=["table4", "table7", "splits", "complexity", "statistics"],
        suffix=["csv", "json"],
    ),
    *expand(
        "results/evaluation/{table}.{suffix}",
        table=["table1", "table2", "table3", "table6", "table8", "label_accuracy"],
        suffix=["csv", "json"],
    ),
    *expand(
        "results/evaluation/logicnli/{table}.{suffix}",
        table=["diagnosis", "connectives"],
        suffix=["csv", "json"],
    ),
    *expand("results/benchmarks/logicnli/{table}.{suffix}", table=["sets", "floors"], suffix=["csv", "json"]),
    *expand("results/evaluation/llmeval_logic/scores.{suffix}", suffix=["csv", "json"]),
    *(
        expand("results/benchmarks/llmeval_logic/published/composition.{suffix}", suffix=["csv", "json"])
        if PARAMS.corpus_source == "full" and "llmeval_logic" in CORPORA["all"]
        else []
    ),
    *expand("results/contamination/table5.{suffix}", suffix=["csv", "json"]),
    *expand("results/evaluation/published_audit.{suffix}", suffix=["csv", "json"]),
    *expand("results/prior_knowledge/independence.{suffix}", suffix=["csv", "json"]),
]
# Of baselines alone these two say nothing: they wait for answers of models, asked here or recorded by the authors.
is_answered = PARAMS.corpus_source == "full" or any(
    not model.name.startswith("baseline/") for model in PARAMS.evaluation.models
)
MODEL_FIGURES = [
    *(["results/evaluation/justlogic_groups.svg"] if is_answered else []),
    *(["results/evaluation/llmeval_logic/failures.svg"] if PARAMS.evaluation.llmeval_logic.models else []),
]
GATHERED_FIGURES = [
    "results/paper/ladder.svg",
    "results/prior_knowledge/shortcuts.svg",
    "results/contamination/leak.svg",
    "results/evaluation/logicnli/logicnli_curves.svg",
    "results/benchmarks/llmeval_logic/sensitivity.svg",
    "results/benchmarks/llmeval_logic/panel.svg",
    *MODEL_FIGURES,
    *expand(
        "results/diversity/figures/{figure}.svg",
        figure=["kl_sensitivity", "rank_frequency"],
    ),
    # Printed and measured in one picture: drawn here.
    *expand(
        "results/paper/{figure}.svg",
        figure=["figure2", "kl_vocabulary", "readability", "independence"],
    ),
]
COMPARED_FIGURES = ["figure2", "kl_vocabulary", "kl_by_share", "readability", "independence"]
REPORT_TABLES = file_names(Path("data/published"))
NOTEBOOKS = ["01_quickstart", "02_diversity", "03_evaluation", "04_build_your_own_benchmark", "05_quartets"]
# Of the predecessor's splits the browser shows nothing: they are the same instances, cut otherwise.
ITEMS = [
    f"data/benchmarks/{folder}/{one.file_of(split)}"
    for one in BENCHMARKS
    if one.generator and one.name != "ilogiceval"
    for folder in (one.name, *one.generator.twins)
    for split in one.splits
]
ITEM_ANSWERS = [
    "results/evaluation/predictions.jsonl",
    "data/interim/evaluation/justlogic/overlap.jsonl.gz",
    "data/interim/evaluation/logicnli/answers.jsonl.gz",
    *(
        f"data/interim/evaluation/{benchmark}/models/{model_slug(model)}.jsonl.gz"
        for benchmark in ASKED_BENCHMARKS
        for model in PARAMS.evaluation.models
        if is_asked(benchmark, model, PARAMS.evaluation)
    ),
    # What recorded models answered to DivLogicEval is among the predictions.
    *(
        f"data/interim/evaluation/{benchmark}/recorded_models.jsonl.gz"
        for benchmark in ASKED_BENCHMARKS
        if recorded_models(PARAMS.evaluation.models)
    ),
]
ITEM_OUTCOMES = [
    f"data/interim/evaluation/llmeval_logic/models/{model_slug(model)}.jsonl.gz"
    for model in PARAMS.evaluation.llmeval_logic.models
]
REPORT_FIGURES = [Path(figure).stem for figure in GATHERED_FIGURES]


rule paper:
    """All outputs of the phase."""
    input:
        expand("data/interim/paper/{file}.json.gz", file=["tables", "findings"]),
        "results/paper/ladder.csv",
        expand("results/paper/{figure}.svg", figure=COMPARED_FIGURES),
        expand("results/paper/figures/{figure}.svg", figure=REPORT_FIGURES),
        "results/paper/index.html",
        "results/paper/paper.pdf",
        "results/paper/scoreboard.csv",
        "results/paper/items.html",
        "results/paper/metrics.json",
        expand("results/paper/notebooks/{notebook}.html", notebook=NOTEBOOKS),


rule gather_tables:
    """Put the printed number and ours side by side in every table of the papers, and count the reproduced ones."""
    input:
        results=GATHERED_TABLES,
        corpora="results/corpora/corpora.json",
        published=[*published_files(), source("data/published/needs.yaml")],
        lock=source("requirements/divlogic.lock"),
    output:
        files=[
            *[
                reported(f"results/paper/tables/{table}.csv", "Published and measured", "gathered_table")
                for table in REPORT_TABLES
            ],
            *expand(
                "results/paper/tables/{table}.{suffix}", table=REPORT_TABLES, suffix=["md", "tex", "json"]
            ),
        ],
        tables="data/interim/paper/tables.json.gz",
        scoreboard=report(
            "results/paper/scoreboard.csv",
            caption="../report/scoreboard.rst",
            category="Reproduction",
            labels={"what": "Scoreboard", "kind": "csv"},
        ),
        described="results/paper/scoreboard.json",
        totals="results/paper/totals.json",
        provenance="data/interim/paper/provenance.json.gz",
    log:
        "logs/paper/gather_tables.log",
    benchmark:
        "logs/paper/gather_tables.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("paper gather"),
        results=lambda wildcards, input: Path(input.corpora).parents[1],
        published=lambda wildcards, input: Path(input.published[0]).parent,
        out=subpath(output[0], parent=True),
        config=params_of(*PROVENANCE_KEYS),
    shell:
        """
        divlogic paper gather \
            {input.results:q} \
            {input.corpora:q} \
            {input.published:q} \
            --results {params.results:q} \
            --published {params.published:q} \
            --corpora {input.corpora:q} \
            --lock {input.lock:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            --tables {output.tables:q} \
            --scoreboard {output.scoreboard:q} \
            --totals {output.totals:q} \
            --provenance {output.provenance:q} \
            2> {log:q}
        """


rule draw_compared_figures:
    """Draw the figures that show printed numbers beside measured ones."""
    input:
        tables=[
            "results/evaluation/table8.json",
            "results/diversity/table4.json",
            "results/diversity/kl_by_share.json",
            "results/diversity/complexity.json",
            "results/prior_knowledge/independence.json",
        ],
        published=published_files(),
    output:
        [reported(f"results/paper/{figure}.svg", "Published and measured") for figure in COMPARED_FIGURES],
        expand("results/paper/{figure}.png", figure=COMPARED_FIGURES),
    log:
        "logs/paper/draw_compared_figures.log",
    benchmark:
        "logs/paper/draw_compared_figures.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("paper figures"),
        results=lambda wildcards, input: Path(input.tables[0]).parents[1],
        published=lambda wildcards, input: Path(input.published[0]).parent,
        out=subpath(output[0], parent=True),
        config=params_of("evaluation.none_outcome"),
    shell:
        """
        divlogic paper figures \
            --results {params.results:q} \
            --published {params.published:q} \
            --params {params.config:q} \
            --out {params.out:q} \
            2> {log:q}
        """


rule write_report:
    """Gather the figures of all phases, each also as a PDF; write the report as one HTML page and as a PDF."""
    input:
        tables="data/interim/paper/tables.json.gz",
        provenance="data/interim/paper/provenance.json.gz",
        scoreboard="results/paper/scoreboard.json",
        figures=GATHERED_FIGURES,
        png=[figure.replace(".svg", ".png") for figure in GATHERED_FIGURES],
        findings="data/interim/paper/findings.json.gz",
    output:
        page=report(
            "results/paper/index.html",
            caption="../report/page.rst",
            category="Reproduction",
            labels={"what": "Report", "kind": "html"},
        ),
        pdf=report(
            "results/paper/paper.pdf",
            caption="../report/pdf.rst",
            category="Reproduction",
            labels={"what": "Report", "kind": "pdf"},
        ),
        figures=expand(
            "results/paper/figures/{figure}.{suffix}", figure=REPORT_FIGURES, suffix=["svg", "png", "pdf"]
        ),
    log:
        "logs/paper/write_report.log",
    benchmark:
        "logs/paper/write_report.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("paper report"),
        figures=subpath(output[2], parent=True),
    shell:
        """
        divlogic paper report \
            {input.figures:q} \
            --tables {input.tables:q} \
            --scoreboard {input.scoreboard:q} \
            --figures {params.figures:q} \
            --provenance {input.provenance:q} \
            --findings {input.findings:q} \
            --page {output.page:q} \
            --pdf {output.pdf:q} \
            2> {log:q}
        """


rule draw_ladder:
    """Draw accuracy by the number of steps that instances need: of readers, probes and the evaluation's models."""
    input:
        ladder="results/prior_knowledge/ladder.json",
        predictions="results/evaluation/predictions.jsonl",
        asked="data/benchmarks/divlogiceval/test.jsonl",
    output:
        reported("results/paper/ladder.csv", "Findings"),
        reported("results/paper/ladder.svg", "Findings"),
        multiext("results/paper/ladder", ".md", ".tex", ".json", ".png"),
    log:
        "logs/paper/draw_ladder.log",
    benchmark:
        "logs/paper/draw_ladder.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("prior_knowledge ladder"),
        ladder=subpath(input.ladder, strip_suffix=".json"),
        base=subpath(output[0], strip_suffix=".csv"),
    shell:
        """
        divlogic prior_knowledge ladder \
            {params.ladder:q} \
            --predictions {input.predictions:q} \
            --asked {input.asked:q} \
            --out {params.base:q} \
            2> {log:q}
        """


rule collect_findings:
    """Take what the report leads with from the results of all phases, and the six numbers of `dvc metrics show`."""
    input:
        confirmed=[
            f"results/benchmarks/{one.name}/z3.json"
            for one in BENCHMARKS
            if one.generator and one.generator.verify
        ],
        instances="data/interim/paper/instances.json.gz",
        plan="data/interim/benchmarks/divlogiceval/plan.json.gz",
        verification="results/benchmarks/divlogiceval/verification.json",
        shortcuts="results/prior_knowledge/shortcuts_summary.json",
        leak="results/contamination/summary.json",
        audit="data/interim/collection/audit.json.gz",
        contradictions="results/evaluation/published_audit.json",
        words="results/diversity/table4.json",
        independence="results/prior_knowledge/independence.json",
        scores="results/evaluation/table1.json",
        divergence="results/diversity/metrics.json",
        totals="results/paper/totals.json",
    output:
        findings="data/interim/paper/findings.json.gz",
        metrics="results/paper/metrics.json",
    log:
        "logs/paper/collect_findings.log",
    benchmark:
        "logs/paper/collect_findings.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("paper findings"),
    shell:
        """
        divlogic paper findings \
            {input.confirmed:q} \
            --instances {input.instances:q} \
            --plan {input.plan:q} \
            --verification {input.verification:q} \
            --shortcuts {input.shortcuts:q} \
            --leak {input.leak:q} \
            --audit {input.audit:q} \
            --contradictions {input.contradictions:q} \
            --words {input.words:q} \
            --independence {input.independence:q} \
            --scores {input.scores:q} \
            --divergence {input.divergence:q} \
            --totals {input.totals:q} \
            --out {output.findings:q} \
            --metrics {output.metrics:q} \
            2> {log:q}
        """


rule browse_items:
    """Write a page that shows every generated instance with its symbolic form and every answer to it."""
    input:
        records=ITEMS,
        imported=source("data/imported"),
        predictions=ITEM_ANSWERS,
        outcomes=ITEM_OUTCOMES,
    output:
        page=report(
            "results/paper/items.html",
            caption="../report/items.rst",
            category="Reproduction",
            labels={"what": "Every instance", "kind": "html"},
        ),
        data=directory("results/paper/items"),
        counts="data/interim/paper/instances.json.gz",
    log:
        "logs/paper/browse_items.log",
    benchmark:
        "logs/paper/browse_items.tsv"
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("paper items"),
        predictions=lambda wildcards, input: [
            f"--{kind}={path}" for kind in ("predictions", "outcomes") for path in getattr(input, kind)
        ],
        config=params_of("paper.items"),
    shell:
        """
        divlogic paper items \
            {input.records:q} \
            --imported {input.imported:q} \
            {params.predictions:q} \
            --params {params.config:q} \
            --out {output.page:q} \
            --data {output.data:q} \
            --counts {output.counts:q} \
            2> {log:q}
        """


rule run_notebooks:
    """Run the notebooks on the results of this run, and write each as one page."""
    input:
        notebooks=[source(f"notebooks/{notebook}.ipynb") for notebook in NOTEBOOKS],
        records=["data/benchmarks/divlogiceval/test.jsonl", "data/benchmarks/logicnli/test.jsonl"],
        benchmarks=[
            "results/benchmarks/divlogiceval/verification.csv",
            "results/benchmarks/divlogiceval/z3.json",
        ],
        diversity=["results/diversity/table4.csv", "results/diversity/complexity.csv"],
        evaluation=expand(
            "results/evaluation/{table}.csv",
            table=["scores", "table1", "published_audit", "llmeval_logic/scores", "logicnli/diagnosis"],
        ),
        formal="results/benchmarks/llmeval_logic/sensitivity.csv",
    output:
        [
            report(
                f"results/paper/notebooks/{notebook}.html",
                caption="../report/notebook.rst",
                category="Notebooks",
                labels={"what": notebook, "kind": "html"},
            )
            for notebook in NOTEBOOKS
        ],
    log:
        "logs/paper/run_notebooks.log",
    benchmark:
        "logs/paper/run_notebooks.tsv"
    priority: 10
    conda:
        "../envs/divlogic.yaml"
    params:
        code=code_of("paper notebooks"),
        folder=subpath(output[0], parent=True),
        workdir=lambda wildcards, input: Path(input.notebooks[0]).parent,
    shell:
        """
        divlogic paper notebooks {input.notebooks:q} \
            --workdir {params.workdir:q} \
            --out {params.folder:q} \
            2> {log:q}
        """

"""Tables and figures of DivLogicEval and of its predecessor, ILogicEval."""

from __future__ import annotations

from functools import partial

from divlogic.paper.declaration import Figure, TableDeclaration, benchmark_rows, system_rows

_METRICS = {name: name for name in ("ACC", "CIR", "PC")}
_TYPES = {
    "Test": "test", "Test-3e1c": "test_3e1c", "Test-3c1e": "test_3c1e", "Test-3e1e": "test_3c1e",
    "Test-missing": "test_missing",
}  # fmt: skip
"""DivLogicEval prints 3c1e as 3e1e."""
_RUNS = {**{f"run{number}": f"run{number}" for number in range(1, 6)}, "CV": "CV"}
_FIVE_RUNS = "Five runs and their coefficient of variation"
_PER_TYPE = "Scores per question type"
_SYMBOLS = "Natural language against symbols"
_ILOGICEVAL_TEST = 900
"""Instances of ILogicEval's test set, as it prints."""

TABLES = (
    TableDeclaration(
        paper="DivLogicEval",
        number="Table 1",
        title="ACC against CIR and PC",
        rows=("system", "version", "setting"),
        column="metric",
        reads=("evaluation/table1",),
        columns=_METRICS,
        measured=partial(system_rows, benchmark="divlogiceval"),
    ),
    TableDeclaration(
        paper="DivLogicEval",
        number="Table 2",
        title=_FIVE_RUNS,
        rows=("system", "version", "metric"),
        reads=("evaluation/table2",),
        columns=_RUNS,
        measured=partial(system_rows, by=("metric",), benchmark="divlogiceval"),
    ),
    TableDeclaration(
        paper="DivLogicEval",
        number="Table 3",
        title="The prompt, and the prompt that asks not to reason logically",
        reads=("evaluation/table3",),
        columns={"Origin": "origin", "NoLR": "nolr", "Delta": "delta"},
        measured=partial(system_rows, by=("benchmark", "metric")),
    ),
    TableDeclaration(
        paper="DivLogicEval",
        number="Table 4",
        title="Vocabulary and divergence from Wikipedia",
        rows=("benchmark",),
        column="measure",
        reads=("diversity/table4",),
        columns={"instances": "instances", "vocabulary": "vocabulary_lower", "kl": "kl_bits"},
        measured=benchmark_rows,
        remark="Vocabulary is compared with vocabulary_lower (lower-cased tokens); the phase's own table has both"
        " counts.",
    ),
    TableDeclaration(
        paper="DivLogicEval",
        number="Table 5",
        title="Further training on the sources, and what it does",
        rows=("system", "version", "setting"),
        remark="No run here trains Llama 2; learners that are trained here stand in results/contamination/table5.csv.",
    ),
    TableDeclaration(
        paper="DivLogicEval",
        number="Table 6",
        title=_SYMBOLS,
        reads=("evaluation/table6",),
        columns={"DivLogicEval": "divlogiceval", "s-DivLogicEval": "s_divlogiceval"},
        measured=partial(system_rows, by=("shots", "metric")),
    ),
    TableDeclaration(
        paper="DivLogicEval",
        number="Table 7",
        title="Benchmarks compared: source, options, size",
        rows=("benchmark",),
        column="measure",
        reads=("diversity/table7",),
        columns={"options": "options"},
        measured=benchmark_rows,
        noted=False,
        remark="Options are counted from the instances here; sizes are as published, since no run has all splits.",
    ),
    TableDeclaration(
        paper="DivLogicEval",
        number="Table 8",
        title=_PER_TYPE,
        reads=("evaluation/table8",),
        columns=_TYPES,
        measured=partial(system_rows, by=("shots", "metric"), benchmark="divlogiceval"),
    ),
    TableDeclaration(
        paper="DivLogicEval",
        number="Section 3.3",
        title="Options that GPT-3.5 completes word for word",
        rows=("system", "metric"),
        remark="No run here asks GPT-3.5; models that are trained here stand in results/contamination/guessing.csv.",
    ),
    TableDeclaration(paper="DivLogicEval", number="Section 4.2", title="Human performance"),
    TableDeclaration(
        paper="ILogicEval",
        number="Table 1",
        title="ReClor after training on further data first",
        rows=("system", "setting"),
        remark="No run here has ReClor; encoders that are trained here stand in results/contamination/transfer.csv.",
    ),
    TableDeclaration(
        paper="ILogicEval",
        number="Table 2",
        title=_FIVE_RUNS,
        rows=("system", "version", "metric"),
        reads=("evaluation/table2",),
        columns=_RUNS,
        measured=partial(system_rows, by=("metric",), benchmark="ilogiceval"),
    ),
    TableDeclaration(
        paper="ILogicEval",
        number="Table 3",
        title=_PER_TYPE,
        reads=("evaluation/table8",),
        columns=_TYPES,
        measured=partial(
            system_rows, by=("shots", "metric"), benchmark="ilogiceval", instances=_ILOGICEVAL_TEST
        ),
    ),
    TableDeclaration(paper="ILogicEval", number="Table 4", title=_SYMBOLS),
    TableDeclaration(
        paper="ILogicEval",
        number="Table 5",
        title="Benchmarks compared: source, options, splits, vocabulary",
        rows=("benchmark",),
        column="measure",
        reads=("diversity/table7",),
        columns={"options": "options", "vocabulary": "vocabulary_lower"},
        measured=partial(benchmark_rows, sizes=True),
        noted=False,
        remark="Options, words and the size of the split that is here are counted from its instances. The printed"
        " vocabulary is that of all splits, which no run has.",
    ),
    TableDeclaration(paper="ILogicEval", number="Section 5.2", title="Human performance on symbols"),
)

FIGURES = (
    Figure(
        "figure2",
        "Models by shots, metric and question type",
        "Figure 2 of DivLogicEval: scores per question type with no and with three solved examples. Hollow marks"
        " are printed in the papers, filled ones were measured here.",
        "divlogiceval_table8",
    ),
    Figure(
        "kl_vocabulary",
        "Divergence from Wikipedia, and vocabulary",
        "Each benchmark of Table 4, in the order of its divergence from Wikipedia. Bars are the intervals of the"
        " subsamples.",
        "divlogiceval_table4",
    ),
    Figure(
        "kl_sensitivity",
        "How the divergence depends on smoothing and sample size",
        "The same benchmarks under other values of additive smoothing and other sample sizes, neither of which the"
        " paper states.",
        "divlogiceval_table4",
    ),
    Figure(
        "rank_frequency",
        "Rank and frequency of words",
        "Share of all words that each word has, by its rank, next to Wikipedia's. A line ends where the vocabulary"
        " of the benchmark does.",
        "divlogiceval_table4",
    ),
)

"""The report's figures: those that the phases drew, as svg, png and pdf in one folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, copy_file


@dataclass(frozen=True)
class Figure:
    """One figure: its file name without suffix, its title, what it shows in words, and the table that it belongs to."""

    name: str
    title: str
    text: str
    table: str = ""


LEAD = "shortcuts"
LEAK = "leak"
FIRST = (LEAD, LEAK)
"""The figures of the report's first screen."""

FIGURES = (
    Figure(
        LEAD,
        "How far an answer can be predicted without reasoning",
        "Accuracy above guessing of classifiers that do not reason, one point per question type and probe: of options"
        " drawn as published, and of the balanced benchmarks that are made here. Filled marks see the options or"
        " the statement alone.",
    ),
    Figure(
        LEAK,
        "What a leaked test set does to its scores",
        "Scores before (hollow) and after (filled) training on the leaked instances themselves: on these, on others of"
        " the test split, and on fresh ones drawn with another seed. What leaked ones alone gain is memory;"
        " rotations undo memory of letters, but not of the options. A learner that does not look at the order of the"
        " options has equal ACC, CIR and PC even where it knows nothing.",
    ),
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
    Figure(
        "readability",
        "Reading difficulty, published, reproduced and corrected",
        "JustLogic's Flesch–Kincaid grades as published, as reproduced, and with sentence boundaries kept.",
        "justlogic_natural_language_complexity",
    ),
    Figure(
        "independence",
        "Accuracy without the context",
        "JustLogic's test of prior knowledge: accuracy of answers given without the context; a bar marks guessing.",
        "justlogic_proving_its_prior_knowledge_independence",
    ),
    Figure(
        "justlogic_groups",
        "What makes JustLogic's items hard",
        "Accuracy on JustLogic by depth of the argument and by its forms; the dotted line marks guessing.",
        "justlogic_llm_performance_on_justlogic",
    ),
    Figure(
        "logicnli_curves",
        "LogicNLI: accuracy by noise and by depth",
        "Accuracy of learners and models on the generated LogicNLI, with 95 % intervals: by the sentences added to the"
        " same core (left, with least-squares lines; the paper's Figure 3), and by the rounds of chaining that a label"
        " needs (right, the depths trained on before the line; Figure 4). The dotted line marks guessing. Equal"
        " points lie side by side.",
        "logicnli_table7",
    ),
    Figure(
        "sensitivity",
        "Wrong formalizations that a signal lets through",
        "LLMEval-Logic: mutants of the gold formalizations that are not equivalent to them, and the share that the"
        " answer check, the rubric, and both together do not notice. The equivalence check lets none through.",
    ),
    Figure(
        "panel",
        "What solvers without search answer, before and after hardening",
        "LLMEval-Logic (generated): sub-questions that shallow solvers get right on the scenarios, on hard items as"
        " drawn, and on those that were kept.",
    ),
)
"""In the report's order."""


def gather_figures(sources: Sequence[Path], out: Path) -> list[Path]:
    """Copy each svg with its png into ``out`` and add a pdf; return the paths.

    Raises:
        DivLogicError: a source is no svg, has no caption or no png, or cannot be read as a drawing.
    """
    paths: list[Path] = []
    known = {figure.name for figure in FIGURES}
    for source in sources:
        if source.suffix != ".svg":
            raise DivLogicError(f"{source}: expected the svg of a figure, whose png lies in the same folder.")
        if source.stem not in known:
            raise DivLogicError(
                f"{source}: this figure has no caption; write one in FIGURES in src/divlogic/paper/figures.py."
            )
        for suffix in (".svg", ".png"):
            copy_file(source.with_suffix(suffix), out / f"{source.stem}{suffix}")
            paths.append(out / f"{source.stem}{suffix}")
        paths.append(out / f"{source.stem}.pdf")
        svg_to_pdf(source, paths[-1])
    return paths


def svg_to_pdf(source: Path, out: Path) -> None:
    """Write a drawing as a one-page pdf of its own size; the same svg gives the same bytes.

    Raises:
        DivLogicError: the svg cannot be read as a drawing.
    """
    import tempfile

    import typst

    page = (
        '#set document(date: none)\n#set page(width: auto, height: auto, margin: 0pt)\n#image("figure.svg")\n'
    )
    with tempfile.TemporaryDirectory() as folder:
        copy_file(source, Path(folder) / "figure.svg")
        (Path(folder) / "figure.typ").write_text(page, encoding="utf-8")
        try:
            pdf = typst.compile(
                Path(folder) / "figure.typ", root=Path(folder), ignore_system_fonts=True, timestamp=0
            )
        except typst.TypstError as error:
            raise DivLogicError(
                f"{source}: Typst cannot read this drawing ({error}); draw it again."
            ) from error
    with atomic_path(out) as temporary:
        temporary.write_bytes(pdf)


def list_figures(folder: Path) -> list[Figure]:
    """Return the figures of a folder in the report's order, without those that have no caption (an older run's)."""
    return [figure for figure in FIGURES if (Path(folder) / f"{figure.name}.svg").is_file()]

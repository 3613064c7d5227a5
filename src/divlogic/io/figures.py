"""Figures: one look for all phases, and files that are the same bytes for the same data."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.io.files import atomic_path, read_yaml
from divlogic.io.imports import lean
from divlogic.io.tables import read_cells

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

COLUMN_WIDTH = 3.4
"""Width of a column of the papers' layout, in inches."""

PAGE_WIDTH = 7.0
"""Width of both columns, in inches."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
"""Okabe & Ito's palette, which colour-blind readers can tell apart; black and grey take yellow's place."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""So that a series is known by its shape as well as by its colour."""

_STYLE: dict[str, Any] = read_yaml(Path(__file__).with_name("figures.yaml"))


def __getattr__(name: str) -> Any:
    """Return ``sns``, which is seaborn, imported on first use."""
    if name != "sns":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with lean("seaborn"):
        import seaborn
    return seaborn


@contextlib.contextmanager
def style() -> Iterator[Any]:
    """Lend ``pyplot`` with the house style, without a display; the caller's settings come back afterwards."""
    import matplotlib

    matplotlib.use("Agg")
    from cycler import cycler

    settings: dict[str, Any] = {**_STYLE, "axes.prop_cycle": cycler(color=list(COLOURS))}
    with matplotlib.rc_context(settings):  # type: ignore[arg-type]
        from matplotlib import pyplot

        yield pyplot


def read_frame(base: Path) -> pd.DataFrame:
    """Read a table (of :func:`divlogic.io.tables.write_table`, without suffix) as a frame; empty cells are missing."""
    import pandas as pd

    columns, rows = read_cells(base)
    return pd.DataFrame(rows, columns=pd.Index(columns)).infer_objects()


def with_ends(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return each row three times: with its value, and with both ends of its interval in the value's place.

    The ends are in the columns `value`_low and `value`_high; a row without an interval is there once. With
    :data:`GIVEN` seaborn draws the values and intervals of the table, and none of its own. Not for `lineplot`, which
    sorts the rows before it looks at them.
    """
    import pandas as pd

    ends = [
        frame.assign(**{value: frame[f"{value}_{end}"]}).dropna(subset=[value])
        for end in ("low", "high")
        if f"{value}_{end}" in frame
    ]
    return pd.concat([frame, *ends], ignore_index=True)


def _ends(rows: pd.Series) -> tuple[Any, Any]:
    return (rows.iloc[1], rows.iloc[2]) if len(rows) == 3 else (float("nan"), float("nan"))


GIVEN: dict[str, Any] = {"estimator": lambda rows: rows.iloc[0], "errorbar": _ends}
"""Options of a seaborn function that draw the value and the interval of :func:`with_ends`."""


def points(
    axes: Any, frame: pd.DataFrame, value: str, by: str, order: Sequence[str], **look: Any
) -> None:
    """Draw a value of each row, with its interval if the frame has one, as a point on the row's line of an order."""
    looks: dict[str, Any] = {
        "y": by,
        "order": order,
        "linestyle": "none",
        "legend": False,
        **GIVEN,
        **look,
    }
    __getattr__("sns").pointplot(with_ends(frame, value), x=value, ax=axes, **looks)


def save_figure(fig: Figure, base: Path) -> list[Path]:
    """Write a figure as `base`.svg and `base`.png, without dates or versions, and close it; return the paths.

    Call it inside :func:`style`, so that the identifiers in the svg are the same every time.
    """
    from matplotlib import pyplot

    typeset_powers(fig)
    settle_layout(fig)
    paths = []
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
    for kind, fields in metadata.items():
        path = Path(base).with_name(f"{Path(base).name}.{kind}")
        with atomic_path(path) as temporary:
            fig.savefig(temporary, format=kind, dpi=200, metadata=fields)
        paths.append(path)
    pyplot.close(fig)
    return paths


def settle_layout(fig: Figure) -> None:
    """Lay a figure out once and round the places of its axes.

    The solver of the layout differs in the last digits from process to process, and the identifiers of an svg's clips
    are digests of such places.
    """
    if (engine := fig.get_layout_engine()) is not None:
        engine.execute(fig)
    fig.set_layout_engine("none")
    for axes in fig.axes:
        left, bottom, width, height = (round(number, 6) for number in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))


def typeset_powers(fig: Figure) -> None:
    """Let the ticks of logarithmic axes, and nothing else, be read as formulas: matplotlib writes powers as such."""
    for axes in fig.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() == "log":
                for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                    tick.label1.set_parse_math(True)


def series(names: Sequence[str]) -> dict[str, Any]:
    """Return seaborn's options for a colour and a mark of each series, no two of 64 the same, and :data:`GIVEN`."""
    several = len(COLOURS)
    return GIVEN | {
        "hue_order": list(names),
        "palette": [COLOURS[place % several] for place in range(len(names))],
        "markers": [
            MARKERS[(place + place // several) % len(MARKERS)] for place in range(len(names))
        ],
    }


def explain(figure: Any, marks: Sequence[dict[str, Any]], place: str, **layout: Any) -> None:
    """Explain the marks and lines of a figure, each given by its look and its ``label``, outside the axes."""
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], **mark) for mark in marks]
    figure.legend(handles=handles, loc=f"outside {place}", **layout)


def explain_series(figure: Any, names: Sequence[str]) -> None:
    """Explain the series below a figure."""
    looks = series(names)
    marks = [
        {"color": colour, "marker": marker, "label": name}
        for name, colour, marker in zip(names, looks["palette"], looks["markers"], strict=True)
    ]
    explain(figure, marks, "lower center", ncols=min(4, max(len(names), 1)))


def sizes(rows: pd.DataFrame) -> str:
    """Return how many instances a point rests on: ``, 4 to 30 instances a point``."""
    found = sorted({int(size) for size in rows["instances"].dropna()})
    if not found:
        return ""
    return f", {found[0]}" + (f" to {found[-1]}" if len(found) > 1 else "") + " instances a point"

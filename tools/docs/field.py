"""docs/field.md: environments of other packages and ours, as `make field` measured them."""

from __future__ import annotations

from pathlib import Path

from divlogic.field.floors import MOST_LABELS, SURE
from divlogic.field.table import read_rows

TABLE = Path("data/field/environments.csv")

_HEAD = Path(__file__).with_name("templates") / "field.md"


def field_page(root: Path) -> str:
    """Return the page; without a table it is the head of it alone."""
    rows = read_rows(root / TABLE)
    versions = sorted({(row["package"], row["version"]) for row in rows if row["version"]})
    order = list(dict.fromkeys(row["package"] for row in rows))
    versions.sort(key=lambda one: order.index(one[0]))
    dates = sorted({row["date"] for row in rows})
    head = _HEAD.read_text(encoding="utf-8").format(
        rows=len(rows),
        environments=len({(row["package"], row["name"]) for row in rows}),
        versions=", ".join(f"{package} {version}" for package, version in versions),
        date=" to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else "no day",
        labels=MOST_LABELS,
        sure=SURE,
        summary=_summary(rows),
    )
    return head + "".join(map(_row, rows)) + _findings(rows)


def _summary(rows: list[dict[str, str]]) -> str:
    """Return what the table says, counted for each package."""
    lines = []
    for package in dict.fromkeys(row["package"] for row in rows):
        own = [row for row in rows if row["package"] == package]
        probed = [row for row in own if row["best"]]
        above = sum(row["above"] == "yes" for row in probed)
        checked = [row for row in own if row["checked"]]
        wrong, labels = [sum(int(row[name]) for row in checked) for name in ("wrong", "checked")]
        lines.append(
            f"- **{package}**: a probe is above guessing in {above} of {len(probed)} rows that were probed; "
            + (
                f"{wrong:,} of {labels:,} checked labels are wrong."
                if checked
                else "no label was checked."
            )
        )
    return "\n".join(lines)


def _row(row: dict[str, str]) -> str:
    best = "–"
    if row["best"]:
        best = f"{row['best']} {row['best_right']} ({row['best_low']}–{row['best_high']})"
        best = f"**{best}**" if row["above"] == "yes" else best
    wrong = "not checked"
    if row["checked"]:
        wrong = f"{row['wrong']} of {int(row['checked']):,}"
    if row["wrong"] not in ("", "0"):
        share = 100 * int(row["wrong"]) / int(row["checked"])
        wrong = f"**{wrong}**: {share:.1f} % ({row['wrong_low']}–{row['wrong_high']})"
    shared = f"{row['shared']} %" if row["shared"] else "–"
    if row["again"] not in ("", "100.0"):
        shared += f"; again {row['again']} %"
    remarks = "; ".join(filter(None, (row["fault"], row["note"])))
    cells = (
        f"{row['package']} `{row['name']}`",
        row["level"],
        row["items"],
        wrong,
        row["constant_right"] or "–",
        best,
        row["guessing"] or "–",
        shared,
        remarks.replace("|", "\\|"),
    )
    return "| " + " | ".join(cells) + " |\n"


def _findings(rows: list[dict[str, str]]) -> str:
    """Return what was found, each with the line that shows it again."""
    text = "\n## Wrong labels\n\n"
    wrong = [row for row in rows if row["wrong"] not in ("", "0")]
    for row in wrong:
        counted = f"{row['wrong']} of {int(row['checked']):,} labels are right in no reading"
        text += (
            f"- {row['package']} {row['version']} `{row['name']}`: {counted} (wrong by reading: {row['readings']}). The"
            " first of them, with a model that shows it:\n\n"
            f"    ```console\n    $ divlogic field show {row['package']} {row['name']} --seed {row['seed']}"
            f" --level {row['level']} --index {row['first_wrong']}\n    ```\n"
        )
    text += "" if wrong else "None was found.\n"
    text += (
        "\n## Floors above guessing\n\nEach line measures one again and writes a page with the words behind it.\n\n"
        "| environment | above guessing by | strongest cue | line |\n| --- | ---: | --- | --- |\n"
    )
    above = [row for row in rows if row["above"] == "yes"]
    above.sort(key=lambda row: float(row["guessing"]) - float(row["best_right"]))
    for row in above:
        cue = (
            f"{row['cue']}: {row['cue_right']} % of {row['cue_rows']}"
            if row["cue"]
            else "no single word"
        )
        more = float(row["best_right"]) - float(row["guessing"])
        line = f"divlogic audit --package {row['package']} --name {row['name']} --levels {row['level']}"
        text += (
            f"| {row['package']} `{row['name']}`, level {row['level']} | {more:.1f} points"
            f" | {cue.replace('|', '')} | `{line} --seed {row['seed']}` |\n"
        )
    return text

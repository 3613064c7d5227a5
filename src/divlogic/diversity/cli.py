"""``divlogic diversity``: measure benchmarks, and write tables and figures."""

from __future__ import annotations

from divlogic.config.command import Commands

cli = Commands(
    "diversity",
    "Measure vocabulary, distance to Wikipedia, readability and labels of every benchmark.",
    {
        "profile": "diversity.measure:profile",
        "ship": "diversity.shipped:ship_profiles",
        "ship-reference": "diversity.measure:ship_reference",
        "divergence": "diversity.measure:divergence",
        "sensitivity": "diversity.measure:sensitivity",
        "readability": "diversity.measure:readability",
        "tables": "diversity.report:tables",
        "figures": "diversity.plots:figures",
    },
)

"""``divlogic corpora``: list, fetch, place and normalise the corpora that sentences come from."""

from __future__ import annotations

from divlogic.config.command import Commands

cli = Commands(
    "corpora",
    "Fetch and list the corpora that sentences come from.",
    {
        "list": "corpora.status:list_corpora",
        "status": "corpora.status:show_status",
        "fetch": "corpora.obtain:fetch_corpora",
        "place": "corpora.obtain:place",
        "normalise": "corpora.normalise:normalise_corpora",
        "tagger": "corpora.tagger:place_tagger",
        "summarise": "corpora.status:summarise",
    },
)

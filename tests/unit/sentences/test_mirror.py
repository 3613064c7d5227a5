"""The yield on the real SNLI, where it is at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.corpora.tagger import load_tagger
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.sentences.filtering import SentenceFilter
from divlogic.sentences.groups import sentences_of
from divlogic.sentences.parameters import SentencesParameters
from divlogic.sentences.tokens import Reader
from tests.support import MIRROR

from .conftest import filtered


@pytest.mark.mirror
def test_the_real_captions_yield_enough_groups(tmp_path: Path) -> None:
    rows = []
    for path in sorted((MIRROR / "snli").glob("snli_1.0_*.jsonl.gz")):
        for number, row in read_jsonl(path):
            if row["gold_label"] in ("entailment", "neutral", "contradiction"):
                ids = {"premise_id": f"{path.name}:{number}", "pair_id": f"{path.name}:{number}"}
                texts = {"premise": row["sentence1"], "hypothesis": row["sentence2"]}
                rows.append(
                    {"corpus": "snli", "genre": "captions", "label": row["gold_label"], **ids, **texts}
                )
    source = tmp_path / "nli.jsonl.gz"
    write_jsonl(source, rows)
    tagger = load_tagger(MIRROR / "nltk_data" / "taggers" / "averaged_perceptron_tagger_eng")
    groups, _ = filtered(source, SentenceFilter(Reader(tagger), SentencesParameters(neutrals="keep")))
    assert len(groups) >= 2500
    assert sum(bool(group["entailed"]) for group in groups) >= 1500
    for group in groups:
        for kept in sentences_of(group):
            assert kept["text"] != kept["negated"]
            assert not set(";(,?") & set(kept["text"])

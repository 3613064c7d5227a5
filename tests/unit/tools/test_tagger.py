"""The embedded tagger: deterministic to the byte, as NLTK would train it, loadable, measured on unseen sentences."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from tools.captions import LEXICON, TAGGED, retold_captions, tagged_captions
from tools.captions.training import measure_tagger, read_tagged, train_tagger

from divlogic.corpora.tagger import load_tagger, place_tagger
from divlogic.errors import DivLogicError

ROOT = Path(__file__).parents[3]
NAMES = [
    f"averaged_perceptron_tagger_eng.{part}.json" for part in ("weights", "tagdict", "classes")
]


@pytest.fixture(scope="module")
def corpora():
    return {
        "captions": list(tagged_captions(500, 1, LEXICON)),
        "retold": list(retold_captions(500, 2, LEXICON)),
        "hand": list(read_tagged(TAGGED)),
    }


@pytest.fixture(scope="module")
def trained(corpora, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagger")
    return folder, train_tagger(corpora, folder, iterations=3, seed=4, held_out=0.1)


def test_the_hand_tagged_sentences_are_many_distinct_and_cover_the_tags():
    sentences = list(read_tagged(TAGGED))
    assert len(sentences) >= 300
    assert len({tuple(sentence) for sentence in sentences}) == len(sentences)
    tags = {tag for sentence in sentences for _, tag in sentence}
    wanted = {
        "MD", "VBD", "VB", "VBN", "VBP", "VBZ", "VBG", "TO", "PRP", "PRP$", "WRB", "WP", "WDT", "EX", "POS", "UH",
        "JJR", "JJS", "RBR", "RBS", "CD", "NNP", "NNPS", "RP", "PDT",
    }  # fmt: skip
    assert wanted <= tags
    assert all(sentence[-1][1] == "." for sentence in sentences)


def test_training_twice_gives_the_same_bytes_and_leaves_the_global_random_alone(
    corpora, trained, tmp_path
):
    folder, report = trained
    random.seed(99)
    expected = random.Random(99).random()
    again = train_tagger(corpora, tmp_path, iterations=3, seed=4, held_out=0.1)
    assert random.random() == expected
    assert again == report
    for name in NAMES:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_held_out_sentences_are_tagged_well(trained):
    _, report = trained
    least = {"captions": 0.95, "retold": 0.88, "hand": 0.7}
    assert all(report.by_source[source].accuracy > share for source, share in least.items())
    assert report.overall.tokens == sum(part.tokens for part in report.by_source.values())
    assert report.overall.unknown_tokens > 0


def test_a_held_out_sentence_is_never_a_training_sentence(tmp_path):
    sentence = [("Dogs", "NNS"), ("bark", "VBP"), (".", ".")]
    other = [("Cats", "NNS"), ("sleep", "VBP"), (".", ".")]
    report = train_tagger([sentence] * 50 + [other], tmp_path, iterations=1, seed=0, held_out=0.5)
    assert report.trained_sentences == 1
    assert report.overall.sentences == 1


def test_the_loaded_tagger_tags_negation_and_past_tense(trained):
    tagger = load_tagger(trained[0])
    tagged = tagger.tag(["A", "sailor", "did", "not", "coil", "a", "rope", "."])
    assert tagged[2:5] == [("did", "VBD"), ("not", "RB"), ("coil", "VB")]
    assert dict(tagger.tag(["She", "mended", "a", "net", "."]))["mended"] == "VBD"


def test_it_learns_exactly_what_nltk_learns(corpora, tmp_path):
    from nltk.tag.perceptron import PerceptronTagger

    class Reference(PerceptronTagger):
        def _make_tagdict(self, sentences):
            # No tag dictionary on either side: 15 sentences are too few for one.
            for sentence in sentences:
                self._sentences.append(sentence)
                self.classes.update(tag for _, tag in sentence)

    sample = [tuple(sentence) for sentence in corpora["hand"][:15]]
    train_tagger(sample, tmp_path, iterations=4, seed=8, held_out=0.0)
    order = np.random.default_rng(np.random.SeedSequence([8, len(sample)])).permutation(len(sample))
    reference = Reference(load=False)
    state = random.getstate()
    random.seed(8)
    reference.train([sample[place] for place in order], nr_iter=4)
    random.setstate(state)
    weights = json.loads((tmp_path / NAMES[0]).read_text())
    assert weights == {
        feature: by_tag for feature, by_tag in reference.model.weights.items() if by_tag
    }
    assert json.loads((tmp_path / NAMES[1]).read_text()) == {}


def test_accuracy_counts_unknown_words_by_themselves(trained):
    tagger = load_tagger(trained[0])
    sentence = [("The", "DT"), ("zyx", "NN"), (".", ".")]
    result = measure_tagger(tagger, [sentence], known={"The", "."})
    assert (result.sentences, result.tokens, result.unknown_tokens) == (1, 3, 1)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, r"weights\.json is missing"),
        ({NAMES[0]: "{}", NAMES[1]: "{"}, r"tagdict\.json: not valid JSON"),
        ({NAMES[0]: "{}", NAMES[1]: "[]"}, r"tagdict\.json does not hold a JSON dict"),
    ],
)
def test_a_missing_or_broken_model_file_is_named(tmp_path, files, message):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(DivLogicError, match=message):
        load_tagger(tmp_path)


def test_nothing_to_train_on_is_refused(tmp_path):
    with pytest.raises(DivLogicError, match="no tagged sentences"):
        train_tagger([], tmp_path)


def test_a_row_that_is_not_word_slash_tag_is_named(tmp_path):
    path = tmp_path / "tagged.txt"
    path.write_text("# comment\nDogs/NNS bark/VBP ./.\nDogs bark\n")
    with pytest.raises(DivLogicError, match="row 3: 'Dogs' is not word/TAG"):
        list(read_tagged(path))


def test_the_shipped_tagger_and_its_accuracy_are_copied(tmp_path):
    place_tagger(
        ROOT / "data/embedded/tagger", out=tmp_path / "tagger", report=tmp_path / "report.json"
    )
    assert load_tagger(tmp_path / "tagger").tag(["A", "dog", "barks", "."])[1] == ("dog", "NN")
    assert (
        json.loads((tmp_path / "report.json").read_text())["held_out"]["overall"]["accuracy"] > 0.98
    )


def test_published_weights_are_copied_with_their_checksums(trained, tmp_path):
    place_tagger(trained[0], out=tmp_path / "tagger", report=tmp_path / "report.json")
    assert sorted(json.loads((tmp_path / "report.json").read_text())["sha256"]) == sorted(NAMES)
    with pytest.raises(DivLogicError, match="is not there; name data/embedded/tagger"):
        place_tagger(tmp_path / "none", out=tmp_path / "again", report=tmp_path / "report.json")

"""Which recordings a run has: those in the folders of its corpora, by what their names say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson

from divlogic.corpora.manifest import read_manifest
from divlogic.errors import DivLogicError
from divlogic.models.recordings.reading import FORMATS, Recording

ILOGICEVAL = re.compile(r"(?P<shots>\d)-shot-(?P<model>.+?)(?:-(?P<run>\d+))?\.txt(?:\.gz)?")
JUSTLOGIC = re.compile(
    r"(?P<shots>\d)_shot_(?P<thought>cot_)?(?:w_depth_)?(?P<system>llama8B|llama70B|openai_o1_preview|openai_o1)"
    r"_results\.csv(?:\.gz)?"
)
JUSTLOGIC_PRIOR = re.compile(r"ci_results_(?P<benchmark>[a-z]+)\.csv(?:\.gz)?")

_SETTINGS = {"0": "zero_shot", "3": "three_shot", "6": "six_shot"}
_SYSTEMS = {
    "llama8B": "Llama3-8B",
    "llama70B": "Llama3-70B",
    "openai_o1": "OpenAI o1",
    "openai_o1_preview": "OpenAI o1-preview",
}
"""The systems as JustLogic prints them."""

_RENAMED = {"logiqa": "logiqa2"}


def recordings_in(folders: Sequence[Path], reader: str) -> Iterator[Recording]:
    """Yield the recordings in corpus folders that have a reader of the registry (``recorded:ilogiceval``, ...).

    Model, setting and run stand in the file name; files with other names are passed over.

    Raises:
        DivLogicError: a manifest is missing.
    """
    pattern, build = READERS[reader]
    for folder in folders:
        for file in read_manifest(folder).files:
            found = pattern.fullmatch(Path(file.name).name)
            if file.reader == reader and found:
                recording = build(str(Path(folder, file.name)), found)
                if recording is not None:
                    yield recording


def recording_from(text: str) -> Recording:
    """Return the recording that a JSON object describes.

    Raises:
        DivLogicError: it is no JSON object, lacks the file, or has an unknown field or format.
    """
    try:
        values = orjson.loads(text)
        recording = Recording(**{name: value for name, value in values.items() if value is not None})
        for name, kind in (("file", str), ("model", str), ("prompt", str), ("benchmark", str), ("run", int)):
            if not isinstance(getattr(recording, name), kind):
                raise TypeError(f"the field '{name}' is not a {'number' if kind is int else 'string'}")
    except (orjson.JSONDecodeError, TypeError, AttributeError) as error:
        raise DivLogicError(
            f"not a recording ({error}): {text[:80]}; give an object with the fields file, format, model, prompt, run."
        ) from error
    if recording.format not in FORMATS:
        raise DivLogicError(
            f"{recording.file}: unknown format '{recording.format}'; known are {', '.join(FORMATS)}."
        )
    return recording


def _ilogiceval(file: str, name: re.Match[str]) -> Recording | None:
    # ILogicEval's files show 0 or 3 solved examples.
    if name["shots"] not in ("0", "3"):
        return None
    return Recording(
        file,
        "ilogiceval",
        model=f"{name['model']} (recorded)",
        prompt=_SETTINGS[name["shots"]],
        run=int(name["run"] or 1) - 1,
    )


def _justlogic(file: str, name: re.Match[str]) -> Recording | None:
    prompt = "chain_of_thought" if name["thought"] else _SETTINGS.get(name["shots"])
    if prompt is None:
        return None
    return Recording(file, "justlogic", model=_SYSTEMS[name["system"]], prompt=prompt, benchmark="justlogic")


def _justlogic_prior(file: str, name: re.Match[str]) -> Recording | None:
    benchmark = _RENAMED.get(name["benchmark"], name["benchmark"])
    return Recording(file, "justlogic-prior", model="GPT-4", benchmark=benchmark)


READERS: dict[str, tuple[re.Pattern[str], Callable[[str, re.Match[str]], Recording | None]]] = {
    "recorded:ilogiceval": (ILOGICEVAL, _ilogiceval),
    "recorded:justlogic": (JUSTLOGIC, _justlogic),
    "recorded:justlogic_prior": (JUSTLOGIC_PRIOR, _justlogic_prior),
}
"""By the registry's name of the reader: what the file names look like, and what they say."""

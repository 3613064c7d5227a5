"""Wording: the sentence frames that turn a formula into English, and the reader that turns it back."""

from divlogic.benchmarks.templates.reading import FrameReader
from divlogic.benchmarks.templates.wording import Frame, Templates, load_templates

__all__ = ["Frame", "FrameReader", "Templates", "load_templates"]

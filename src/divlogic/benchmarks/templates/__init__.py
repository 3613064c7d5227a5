"""Wording: the sentence frames that turn a formula into English, and the reader that turns it back."""

from divlogic.benchmarks.templates.reading import Reader
from divlogic.benchmarks.templates.wording import Frame, Templates, load_templates

__all__ = ["Frame", "Reader", "Templates", "load_templates"]

"""Settings of every test."""

from hypothesis import settings

# The first example loads dictionaries and grammars; on a busy machine that takes seconds.
settings.register_profile("divlogic", deadline=None)
settings.load_profile("divlogic")

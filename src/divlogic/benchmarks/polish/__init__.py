"""Grammar polish by a language model (DivLogicEval, Section 2.1 and Appendix G): optional, off by default.

Two steps: :func:`ask` collects proposals in the models' response store, which is never deleted since it may have cost
money; :func:`apply` chooses among them and writes the polished records, from the store alone.
"""

from divlogic.benchmarks.polish.choose import (
    connectives,
    longest_common_substring,
    select_proposal,
    similarity,
)
from divlogic.benchmarks.polish.run import PROMPT, PolishReport, apply, ask, fragments

__all__ = [
    "PROMPT",
    "PolishReport",
    "apply",
    "ask",
    "connectives",
    "fragments",
    "longest_common_substring",
    "select_proposal",
    "similarity",
]

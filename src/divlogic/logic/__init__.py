"""Formulas, truth tables and solvers: the core that every phase shares and that imports none of them."""

from divlogic.logic.parsing import parse
from divlogic.logic.syntax import (
    Binary,
    Formula,
    Implies,
    Not,
    Or,
    Var,
    filled,
    negate,
    to_text,
    variables,
)
from divlogic.logic.tables import (
    TruthSpace,
    entails,
    equivalent,
    minimal_premises,
    satisfiable,
    truth_space,
)

__all__ = [
    "Binary", "Formula", "Implies", "Not", "Or", "TruthSpace", "Var", "entails", "equivalent", "filled",
    "minimal_premises", "negate", "parse", "satisfiable", "to_text", "truth_space", "variables",
]  # fmt: skip

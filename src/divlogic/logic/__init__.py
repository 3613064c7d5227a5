"""Formulas, truth tables and solvers: the core that every phase shares and that imports none of them."""

from divlogic.logic.formula import (
    And,
    Formula,
    Implies,
    Not,
    Or,
    Var,
    negate,
    parse,
    rename,
    to_text,
    variables,
)
from divlogic.logic.tables import (
    TruthSpace,
    entails,
    equivalent,
    minimal_premises,
    necessary_premises,
    satisfiable,
    truth_space,
)

__all__ = [
    "And",
    "Formula",
    "Implies",
    "Not",
    "Or",
    "TruthSpace",
    "Var",
    "entails",
    "equivalent",
    "minimal_premises",
    "necessary_premises",
    "negate",
    "parse",
    "rename",
    "satisfiable",
    "to_text",
    "truth_space",
    "variables",
]

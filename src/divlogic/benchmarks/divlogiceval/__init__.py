"""DivLogicEval: symbolic instances, their options, their wording in natural sentences."""

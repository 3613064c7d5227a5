"""Classifiers of records with labels, behind one interface: fit on records, predict their labels, seeded."""

from divlogic.models.learners.learner import Learner, labelled
from divlogic.models.learners.words import BagOfWords, Majority

__all__ = ["BagOfWords", "Learner", "Majority", "labelled"]

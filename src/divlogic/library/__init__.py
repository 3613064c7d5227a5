"""The generators as a library: ``divlogic.create("logicnli", size=500, seed=42, level=3)[0]``."""

"""DivLogic: build, measure and evaluate logical-reasoning benchmarks."""

__version__ = "0.1.0"

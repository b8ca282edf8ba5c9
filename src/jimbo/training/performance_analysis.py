"""How fast trainings were, in files that others can read."""

from jimbo.train.sb3.analysis import PerformanceAnalyzer

__all__ = ["PerformanceAnalyzer"]

"""Experiments, and several of them compared."""

from jimbo.train.sb3.benchmark import MultiAlgorithmBenchmark, create_standard_comparison
from jimbo.train.sb3.experiment import ExperimentConfig, ExperimentResult

__all__ = ["ExperimentConfig", "ExperimentResult", "MultiAlgorithmBenchmark", "create_standard_comparison"]

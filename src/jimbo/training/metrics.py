"""Episodes in numbers, curves and tables."""

from jimbo.train.sb3.metrics import BalatroMetrics, compute_moving_average
from jimbo.train.sb3.plots import plot_training_curves, print_comparison_table

__all__ = ["BalatroMetrics", "compute_moving_average", "plot_training_curves", "print_comparison_table"]

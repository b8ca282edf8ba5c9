"""The training framework under the names of its document; what stands behind them is in ``jimbo.train.sb3``.

>>> from jimbo.training.framework import create_trainer, get_default_config
>>> from jimbo.training.utils import create_balatro_env
"""

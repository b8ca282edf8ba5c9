"""The training framework's public API; the implementation is in ``jimbo.train.sb3``.

>>> from jimbo.training.framework import create_trainer, get_default_config
>>> from jimbo.training.utils import create_balatro_env
"""

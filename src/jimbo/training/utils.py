"""Environments with one call, their check, and messages."""

from jimbo.env import create_balatro_env, make_vectorized_env, validate_environment
from jimbo.train.sb3.logs import setup_logging

__all__ = ["create_balatro_env", "make_vectorized_env", "setup_logging", "validate_environment"]

"""Environments with one call, their check, and messages."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from jimbo.env.factories import create_balatro_env, make_vectorized_env, validate_environment

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def setup_logging(level: int | str = logging.INFO, log_file: Path | str | None = None) -> logging.Logger:
    """Show the messages of ``jimbo`` from this level on; another call replaces the settings of this one."""
    logger = logging.getLogger("jimbo")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if log_file is not None:
        Path(log_file).parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(log_file, encoding="utf-8"))
    for handler in handlers:
        handler.setFormatter(logging.Formatter(_FORMAT))
        logger.addHandler(handler)
    logger.setLevel(level.upper() if isinstance(level, str) else level)
    return logger


__all__ = ["create_balatro_env", "make_vectorized_env", "setup_logging", "validate_environment"]

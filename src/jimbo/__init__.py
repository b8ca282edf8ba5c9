"""An exact simulator of Balatro, with environments, a training pipeline, an assistant and a bridge to the game."""

from jimbo.registration import register_with_gymnasium

__all__ = ["__version__"]

register_with_gymnasium()


def __getattr__(name: str) -> str:
    """The version is looked up when it is asked for, which takes longer than all the rest of this import."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version("jimbo-balatro")

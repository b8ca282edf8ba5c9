"""``python -m jimbo``: the same as the command ``jimbo``."""

from jimbo.cli.main import app

if __name__ == "__main__":
    app()

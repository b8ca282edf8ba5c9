"""``python -m jimbo`` runs the command ``jimbo``."""

from jimbo.cli.entry import run

if __name__ == "__main__":
    run()

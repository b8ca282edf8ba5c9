"""Where the installed command begins. It loads little, so that Ctrl-C and a full disk find the guard in place."""

from jimbo.cli.errors import guarded


def run() -> None:
    guarded(_app)


def _app() -> None:
    from jimbo.cli.main import app

    app()

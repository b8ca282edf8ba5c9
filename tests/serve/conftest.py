"""The same terminal and the same folder as in the tests of the command line."""

from cli.conftest import state_folder, utf8_terminal

__all__ = ["state_folder", "utf8_terminal"]

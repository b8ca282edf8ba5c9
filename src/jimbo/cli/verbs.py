"""Verbs that are imported when they are called.

Until then a verb is its name and a line of help: the shell's completion asks for no more and should not have to wait
for the engine.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import zip_longest
from typing import Any

import typer
from typer.main import get_command

from jimbo.ascii_signs import use_ascii_where_needed
from jimbo.cli.help import Command, Group, Verbs

_PLACES: dict[str, str] = {}


class LateVerbs(Group):
    """A group that puts the verb itself in place of its name when it is called, or when its options are completed."""

    def main(self, *args: Any, **options: Any) -> Any:
        use_ascii_where_needed()
        return super().main(*args, **options)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in _PLACES:
            self.commands[args[0]] = load(args[0])
        return super().resolve_command(ctx, args)


class Verb(Command):
    """A verb whose module may have a function ``epilog``: what its help ends with is made when it is asked for.

    Its function may have ``bare``: options that can stand without their value, and the value that they have then.
    """

    make_epilog: Callable[[], str] | None = None

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        return super().parse_args(ctx, [*_with_values(args, getattr(self.callback, "bare", {}))])

    def format_help(self, ctx: Any, formatter: Any) -> None:
        if self.make_epilog:
            self.epilog = self.make_epilog()
        super().format_help(ctx, formatter)


def _with_values(args: list[str], bare: Mapping[str, str]) -> Iterator[str]:
    for word, following in zip_longest(args, args[1:]):
        yield word
        if word in bare and (following is None or following.startswith("-")):
            yield bare[word]


def late_verb(app: typer.Typer, name: str, place: str, help: str) -> None:
    """Adds a verb; ``place`` is its module and, after a colon, a function or an app with verbs of its own."""
    _PLACES[name] = place

    @app.command(name, help=help)
    def named() -> None:
        raise AssertionError(f"{name} was not loaded")


def load(name: str) -> Any:
    """The verb as a command."""
    module, _, attribute = _PLACES[name].partition(":")
    room = import_module(module)
    verb = getattr(room, attribute)
    parent = Verbs(callback=lambda: None, add_completion=False)
    if isinstance(verb, typer.Typer):
        parent.add_typer(verb, name=name)
    else:
        parent.command(name, cls=Verb)(verb)
    group: Any = get_command(parent)
    command = group.commands[name]
    if isinstance(command, Verb):
        command.make_epilog = getattr(room, "epilog", None)
    return command

"""Commands: imported when they are called, with plain help, and with older spellings of options that still work."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import zip_longest
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from jimbo.ascii_signs import use_ascii_where_needed

F = TypeVar("F", bound=Callable[..., Any])


class _Plain:
    """What commands and groups of commands share.

    The first spelling of an option is its name. All others are older spellings: they work, but neither help, errors nor
    the shell's completion mention them.

    Help has two columns, and no name of an option is cut, however narrow the terminal is. Typer's tables have six
    columns, which leave too little room for names and texts.
    """

    params: list[Any]
    help: str | None
    epilog: str | None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._spellings: dict[str, list[str]] = {}

    def make_parser(self: Any, ctx: Any) -> Any:
        for param in self.params:
            param.opts = self._spellings.setdefault(param.name, param.opts)
        try:
            return super().make_parser(ctx)  # type: ignore[misc]
        finally:
            for param in self.params:
                param.opts = param.opts[:1]

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        self.format_usage(ctx, formatter)
        sections: dict[str, list[tuple[str, str]]] = {_ARGUMENTS: [], _OPTIONS: []}
        for param in self.get_params(ctx):
            if record := param.get_help_record(ctx):
                is_option = param.param_type_name == "option"
                title = param.rich_help_panel if is_option else None
                title = title or (_OPTIONS if is_option else _ARGUMENTS)
                sections.setdefault(title, []).append((_name(record[0], is_option), record[1]))
        for name, command in getattr(self, "commands", {}).items():
            if not command.hidden:
                title = command.rich_help_panel or _COMMANDS
                sections.setdefault(title, []).append((name, _first_paragraph(command.help)))
        parts = [_paragraphs(self.help, formatter.width)]
        parts += [_section(title, rows, formatter.width) for title, rows in sections.items() if rows]
        parts += [_paragraphs(self.epilog, formatter.width)]
        formatter.write("\n" + "\n\n".join(filter(None, parts)))


BARE = {"--register": ""}
"""Options of several commands that can stand without a value, and the value that they have then."""


class JimboCommand(_Plain, TyperCommand):
    """A command.

    Its function or its module may have a function ``epilog``, which makes the end of its help when that is asked for.
    Its function may have ``bare``, more options like ``BARE``.
    """

    make_epilog: Callable[[], str] | None = None

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        return super().parse_args(ctx, [*_with_values(args, BARE | getattr(self.callback, "bare", {}))])

    def format_help(self, ctx: Any, formatter: Any) -> None:
        if self.make_epilog:
            self.epilog = self.make_epilog()
        super().format_help(ctx, formatter)


def _with_values(args: list[str], bare: Mapping[str, str]) -> Iterator[str]:
    for word, following in zip_longest(args, args[1:]):
        yield word
        if word in bare and (following is None or following.startswith("-")):
            yield bare[word]


class Group(_Plain, TyperGroup):
    """A group of commands. Lazy ones are imported when they are called, or when their options are completed.

    ``default``: the command that is meant where none is named; a group with one is a subclass.
    """

    default = ""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        unnamed = not args or (args[0].startswith("-") and args[0] != "--help")
        if self.default and unnamed and not ctx.resilient_parsing:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **options: Any) -> Any:
        use_ascii_where_needed()
        return super().main(*args, **options)

    def loaded(self, name: str) -> Any:
        """Return the command of this name, imported; None if there is no such command."""
        command = self.commands.get(name)
        if isinstance(command, _Lazy):
            command = self.commands[name] = command.load()
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args:
            self.loaded(args[0])
        return super().resolve_command(ctx, args)


class Verbs(typer.Typer):
    """A Typer app of such commands. Errors are plain text, too."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"cls": Group, "rich_markup_mode": None, **options})

    def command(self, name: str | None = None, **options: Any) -> Callable[[F], F]:
        return super().command(name, **{"cls": JimboCommand, **options})

    def lazy_command(self, name: str, place: str, *, panel: str | None = None, hidden: bool = False) -> None:
        """Add a command by its place: a module and, after a colon, a function or an app with commands of its own."""

        @self.command(name, cls=_Lazy, rich_help_panel=panel, hidden=hidden)
        def named() -> None:
            raise AssertionError(f"{name} was not loaded")

        named.place = place  # type: ignore[attr-defined]


class _Lazy(JimboCommand):
    """A command that is not imported yet: help and completion of its group need only its name and its summary."""

    def load(self) -> Any:
        module, _, attribute = self._place.partition(":")
        room = import_module(module)
        made = getattr(room, attribute)
        parent = Verbs(callback=lambda: None, add_completion=False)
        if isinstance(made, typer.Typer):
            parent.add_typer(made, name=self.name)
        else:
            parent.command(self.name)(made)
        group: Any = get_command(parent)
        command = group.commands[self.name]
        command.hidden, command.rich_help_panel = self.hidden, self.rich_help_panel
        if isinstance(command, JimboCommand):
            command.make_epilog = getattr(made, "epilog", None) or getattr(room, "epilog", None)
        return command

    @property
    def _place(self) -> str:
        return self.callback.place  # type: ignore[union-attr, no-any-return]

    @property
    def help(self) -> str:
        return _summary(self._place)

    @help.setter
    def help(self, text: str | None) -> None:
        """It has none of its own."""


@cache
def _summary(place: str) -> str:
    """Return the first paragraph of the help of a command, read from its source instead of importing it.

    That is the docstring of the function or of the app's callback, or the first text in the call that makes the app.
    """
    module, _, name = place.partition(":")
    spec = find_spec(module)
    source = getattr(spec and spec.loader, "get_source", lambda _: None)(module)
    for node in ast.parse(source or "").body:
        if isinstance(node, ast.FunctionDef):
            decorators = map(ast.unparse, node.decorator_list)
            if node.name == name or any(text.startswith(f"{name}.callback(") for text in decorators):
                return _first_paragraph(ast.get_docstring(node))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.targets[0]) == name:
            for part in (*node.value.args, *(keyword.value for keyword in node.value.keywords)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    return _first_paragraph(part.value)
    return ""


def explicit_flags(context: typer.Context) -> dict[str, str]:
    """Return the options that were given on the command line, each with its flag, by the name of its parameter."""
    flags = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name: flags[name] for name, source in sources.items() if source and source.name == "COMMANDLINE"}


# --- The text of help -------------------------------------------------------------------------------------------------

_ARGUMENTS, _OPTIONS, _COMMANDS = "Arguments", "Options", "Commands"
_WIDEST = 28
"""A longer name stands on a line of its own."""
_PLACEHOLDERS = {"int": "N", "float": "X", "str": "TEXT", "path": "FILE"}


def _section(title: str, rows: list[tuple[str, str]], width: int) -> str:
    column = 4 + min(_WIDEST, max(len(name) for name, _ in rows))
    lines = [typer.style(f"{title}:", bold=True)]
    for name, text in rows:
        words = textwrap.wrap(text, width - column, break_on_hyphens=False, break_long_words=False)
        fits = len(name) <= column - 4
        first = words.pop(0) if fits and words else ""
        lines.append(f"  {typer.style(name, bold=True)}{' ' * (column - 2 - len(name))}{first}".rstrip())
        lines += [" " * column + more for more in words]
    return "\n".join(lines)


def _paragraphs(text: str | None, width: int) -> str:
    """Wrap a text; a paragraph with indented lines is a table and stays as it is."""
    wrap = textwrap.TextWrapper(width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return "\n\n".join(
        textwrap.indent(part, "  ") if "\n " in part else wrap.fill(part)
        for part in inspect.cleandoc(text or "").split("\n\n")
    ).rstrip()


def _name(text: str, is_option: bool) -> str:
    """Return ``--steps N`` for ``--steps <int range>``, ``uvx|direct`` without brackets, FILE for ``FILE <path>``."""
    if not is_option:
        return re.sub(r" <.*?>", "", text)
    return re.sub(r"<(.*?)>", lambda kind: _PLACEHOLDERS.get(kind[1].removesuffix(" range"), kind[1]), text)


def _first_paragraph(help: str | None) -> str:
    return inspect.cleandoc(help or "").partition("\n\n")[0].replace("\n", " ")

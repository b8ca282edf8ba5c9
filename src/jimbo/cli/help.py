"""The help of every verb: plain text in which no name of an option is cut, however narrow the terminal is."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import MISSING
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from jimbo.declared import fields_of

F = TypeVar("F", bound=Callable[..., Any])
_ARGUMENTS, _OPTIONS = "Arguments", "Options"
_WIDEST = 28
"""A longer name stands on a line of its own."""
_PLACEHOLDERS = {"int": "N", "float": "X", "str": "TEXT", "path": "FILE"}


class _PlainHelp:
    """Help in two columns, instead of Typer's tables, whose six columns leave too little room for names and texts."""

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        self.format_usage(ctx, formatter)
        sections: dict[str, list[tuple[str, str]]] = {_ARGUMENTS: [], _OPTIONS: []}
        for param in self.get_params(ctx):
            if record := param.get_help_record(ctx):
                is_option = param.param_type_name == "option"
                title = getattr(param, "rich_help_panel", None) or (_OPTIONS if is_option else _ARGUMENTS)
                sections.setdefault(title, []).append((_name(record[0], is_option), record[1]))
        commands = getattr(self, "commands", {}).items()
        sections["Commands"] = [(name, _first_paragraph(command.help)) for name, command in commands]
        parts = [_paragraphs(self.help, formatter.width)]
        parts += [_section(title, rows, formatter.width) for title, rows in sections.items() if rows]
        parts += [_paragraphs(self.epilog, formatter.width)]
        formatter.write("\n" + "\n\n".join(filter(None, parts)))


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


class Command(_PlainHelp, TyperCommand):
    """A verb."""


class Group(_PlainHelp, TyperGroup):
    """A verb with verbs of its own."""


class Verbs(typer.Typer):
    """An app whose verbs have this help, and whose errors are plain text, too."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"cls": Group, "rich_markup_mode": None, **options})

    def command(self, name: str | None = None, **options: Any) -> Callable[[F], F]:
        return super().command(name, **{"cls": Command, **options})


def setting(kind: type[Any], name: str, *flags: str, **options: Any) -> Any:
    """Return an option for a field of declared settings: its help, and the default that holds if no file says more."""
    entry = next(entry for entry in fields_of(kind) if entry.name == name)
    help = entry.metadata["limits"].help
    return typer.Option(*flags, help=with_default(f"{help[:1].upper()}{help[1:]}.", entry.default), **options)


def with_default(help: str, value: object) -> str:
    """Return the help of an option whose default comes from elsewhere; none is named if there is none."""
    if value in (None, "", MISSING):
        return help
    return f"{help}  [default: {str(value).lower() if isinstance(value, bool) else value}]"

"""Commands whose options are the fields of declared settings: each is declared once, there.

``with_settings`` gives a command flags for some fields, ``--config`` for a file with any of them, and ``--set`` for any
of them by name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import typer

from jimbo.cli.errors import fail
from jimbo.cli.flags import Config, Settings, setting
from jimbo.declared import Declared, fields_of, from_text, help_lines, named_texts
from jimbo.league.players import registered_file
from jimbo.train.core.settings import read_settings

F = TypeVar("F", bound=Callable[..., Any])

FLAGS: Mapping[str, tuple[str, ...]] = {
    "db": ("--db", "--replay-db-path"),
    "episodes": ("--games", "--episodes"),
    "eval_temperature": ("--temperature",),
    "out_dir": ("--out", "--out-dir"),
    "rewards": ("--reward",),
    "seed": ("--rng-seed", "--seed"),
}
"""Flags that are not called as their fields."""


def with_settings(
    kind: type[Declared],
    names: Iterable[str],
    *,
    base: Mapping[str, Any] | None = None,
    fixed: Mapping[str, Any] | None = None,
    more_help: Iterable[str] = (),
) -> Callable[[F], F]:
    """Replace the parameter ``settings`` of a command by flags for its fields ``names``, --config and --set.

    ``base``: defaults of this command in place of those that are declared. ``fixed``: settings that it decides itself.
    """
    own = {"config": Config, "option": Settings}
    base = base or {}

    def decorated(command: F) -> F:
        options = {**options_of(kind, names, base), **own}

        def made(**given: Any) -> Any:
            told = {name: value for name in options if (value := given.pop(name)) is not None}
            path, texts = told.pop("config", None), told.pop("option", [])
            if "help" in texts:
                typer.echo("\n".join([*help_lines(kind), *more_help]))
                raise typer.Exit
            try:
                settings = read_settings(kind, {**_values(kind, told, texts), **(fixed or {})}, path, base)
            except ValueError as error:
                fail(_with_flag(str(error), told))
            return command(settings=settings, **given)

        made.__doc__, made.__name__, made.__module__ = command.__doc__, command.__name__, command.__module__
        describe(made, _inserted(command, options))
        return made  # type: ignore[return-value]

    return decorated


def options_of(kind: type[Declared], names: Iterable[str], base: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the annotated type of a flag for each of these fields, by name; none of them has a default."""
    hints, entries = get_type_hints(kind), {entry.name: entry for entry in fields_of(kind)}
    return {name: _option(kind, entries[name], hints[name], base or {}) for name in names}


def describe(command: Callable[..., Any], parameters: Mapping[str, inspect.Parameter]) -> None:
    """Give a function a signature that Typer can read."""
    command.__annotations__ = {name: parameter.annotation for name, parameter in parameters.items()}
    command.__signature__ = inspect.Signature(list(parameters.values()))  # type: ignore[attr-defined]


def keyword(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _inserted(command: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a command, with options in place of ``settings``."""
    hints = get_type_hints(command, include_extras=True)
    found: dict[str, inspect.Parameter] = {}
    for name, parameter in inspect.signature(command).parameters.items():
        if name == "settings":
            found |= {name: keyword(name, hint) for name, hint in options.items()}
        else:
            found[name] = keyword(name, hints[name], parameter.default)
    return found


def _option(kind: type[Declared], entry: Field[Any], hint: Any, base: Mapping[str, Any]) -> Any:
    plain = _plain(hint)
    given: Any = plain
    metavar: str | None = None
    if get_origin(plain) is Mapping:
        given, metavar = list[str], "NAME=VALUE"
    elif isinstance(plain, type) and is_dataclass(plain):
        given = bool
    elif get_origin(plain) is Literal:
        given, metavar = str, "|".join(get_args(plain))
    flags = _flags_of(entry.name, switch=given is bool)
    return Annotated[given | None, setting(kind, entry.name, *flags, metavar=metavar, default=base.get(entry.name))]


def _flags_of(name: str, *, switch: bool = False) -> tuple[str, ...]:
    flag = name.replace("_", "-")
    return FLAGS.get(name, (f"--{flag}/--no-{flag}" if switch else f"--{flag}",))


def _plain(hint: Any) -> Any:
    """``X`` of ``X | None``."""
    if get_origin(hint) in (Union, UnionType):
        return next(part for part in get_args(hint) if part is not NoneType)
    return hint


def _values(kind: type[Declared], told: dict[str, Any], texts: list[str]) -> dict[str, Any]:
    """Return what flags and ``--set`` say, as values of the fields."""
    hints = get_type_hints(kind)
    values = {name: registered_file(value) if isinstance(value, str) else value for name, value in told.items()}
    for name, value in told.items():
        plain = _plain(hints[name])
        if get_origin(plain) is Mapping:
            values[name] = {key: _number(text) for key, text in named_texts(value, FLAGS[name][0]).items()}
        elif isinstance(plain, type) and is_dataclass(plain):
            values[name] = plain() if value else None
    for name, text in named_texts(texts, "--set", told).items():
        values[name] = from_text(kind, name, registered_file(text)) if name in hints else text
    return values


def _with_flag(message: str, told: Mapping[str, Any]) -> str:
    """Name the flag instead of the field where a sentence is about a value that was given by flag."""
    name, _, rest = message.partition(" ")
    return f"{_flags_of(name)[0].partition('/')[0]} {rest}" if name in told else message


def _number(text: str) -> float | str:
    """Leave what is not a number for the settings to refuse."""
    try:
        return float(text)
    except ValueError:
        return text

"""Commands whose options are the fields of a dataclass: each is a flag here, and nowhere else."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import Field
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer

from jimbo.cli.flags import setting
from jimbo.declared import Declared, fields_of

Given = Mapping[str, Any]
_FLAGS: Mapping[str, tuple[str, ...]] = {
    "db": ("--db", "--replay-db-path"),
    "episodes": ("--games", "--episodes"),
    "out_dir": ("--out", "--out-dir"),
    "seed": ("--rng-seed", "--seed"),
    "eval_temperature": ("--temperature",),
}
"""Flags that are not called as their fields."""


def command_of(
    kind: type[Declared], run: Callable[[Given, Path | None, bool], None], about: str
) -> Callable[..., None]:
    """Return a command: ``run`` takes what was given, the file of settings, and whether JSON is wanted."""

    def command(**told: Any) -> None:
        config, as_json = told.pop("config"), told.pop("as_json")
        run({name: value for name, value in told.items() if value is not None}, config, as_json)

    hints = get_type_hints(kind)
    options = {entry.name: _option(kind, entry, hints[entry.name]) for entry in fields_of(kind)}
    options["config"] = Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="JIMBO_AZ_CONFIG",
            help="Settings as YAML; options and environment variables override them.",
        ),
    ]
    options["as_json"] = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
    defaults = {name: False if name == "as_json" else None for name in options}
    command.__doc__ = about
    command.__annotations__ = options
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hint)
            for name, hint in options.items()
        ]
    )
    return command


def _option(kind: type[Declared], entry: Field[Any], hint: Any) -> Any:
    flag = f"--{entry.name.replace('_', '-')}"
    plain = _plain(hint)
    if plain is bool:
        return Annotated[bool | None, setting(kind, entry.name, f"{flag}/--no-{flag[2:]}")]
    flags = _FLAGS.get(entry.name, (flag,))
    metavar = "|".join(get_args(plain)) if get_origin(plain) is Literal else None
    given = str if get_origin(plain) is Literal else plain
    return Annotated[given | None, setting(kind, entry.name, *flags, metavar=metavar)]


def _plain(hint: Any) -> Any:
    if get_origin(hint) in (Union, UnionType):
        return next(part for part in get_args(hint) if part is not NoneType)
    return hint

"""Settings of a training from everywhere: what is typed, over the environment, over a file, over the defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from jimbo.declared import Declared, fields_of, from_dict, from_text
from jimbo.yaml_files import read_yaml

T = TypeVar("T", bound=Declared)


def read_settings(
    kind: type[T],
    given: Mapping[str, Any],
    path: Path | None = None,
    base: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    variable: str = "",
) -> T:
    """Return settings; ValueError says what does not fit, and where.

    ``given`` is what was typed; ``base`` has defaults in place of the declared ones. ``variable`` is how names of
    environment variables begin: ``JIMBO_AZ_`` for ``JIMBO_AZ_BATCH_SIZE``. A class of settings may have a method
    ``defaults_for``, which returns defaults that depend on what was told.
    """
    file = read_yaml(path) if path else {}
    where = f"config {path}" if path else ""
    if not isinstance(file, Mapping):
        raise ValueError(f"{where} does not hold named values, such as `seed: 7`")
    told = {**file, **from_environment(kind, environ or {}, variable), **given}
    check_names(kind, told, f"{where}: " if path else "")
    defaults_for: Callable[[Mapping[str, Any]], Mapping[str, Any]] = getattr(kind, "defaults_for", lambda _: {})
    return from_dict(kind, {**(base or {}), **defaults_for(told), **told}, where)


def from_environment(kind: type[Declared], environ: Mapping[str, str], variable: str) -> dict[str, Any]:
    names = {entry.name: f"{variable}{entry.name.upper()}" for entry in fields_of(kind)}
    return {name: from_text(kind, name, environ[key]) for name, key in names.items() if key in environ}


def check_names(kind: type[Declared], told: Mapping[str, Any], where: str = "") -> None:
    """ValueError for a name that is not a setting, with the one that is most like it."""
    known = [entry.name for entry in fields_of(kind)]
    for name in told:
        if name not in known:
            near = get_close_matches(str(name), known, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise ValueError(f'{where}there is no setting "{name}": {hint}`--set help` lists all')

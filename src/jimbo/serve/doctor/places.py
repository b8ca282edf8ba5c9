"""Where the game, Lovely and the mods are, by what the mod's documentation says of each system."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from jimbo.serve.doctor.finding import Finding, bad, good

APP = "2379780"
"""The game's number at Steam."""
_GAME = Path("steamapps", "common", "Balatro")
_LOVELY = "https://github.com/ethangreen-dev/lovely-injector"
_MODS = {"Steamodded": ("smods", "steamodded"), "balatrobot": ("balatrobot",)}


@dataclass(frozen=True, slots=True)
class Places:
    """Where they are if nothing else is said; the first that is there counts."""

    game: tuple[Path, ...]
    lovely: tuple[Path, ...]
    mods: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """Where somebody says that they are: options, or the variables that the mod's program reads."""

    love_path: Path | None
    lovely_path: Path | None
    environment: Mapping[str, str]

    def game(self) -> Path | None:
        return self.love_path or self._variable("BALATRO") or self._variable("LOVE")

    def lovely(self) -> Path | None:
        return self.lovely_path or self._variable("LOVELY")

    def _variable(self, name: str) -> Path | None:
        """Version 2 of the mod has turned their names round."""
        for variable in (f"BALATROBOT_{name}_PATH", f"BALATROBOT_PATH_{name}"):
            if text := self.environment.get(variable):
                return Path(text)
        return None


def usual_places(system: str, home: Path, environment: Mapping[str, str]) -> Places:
    if system == "win32":
        folder = Path("C:/Program Files (x86)/Steam/steamapps/common/Balatro")
        roaming = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
        return Places((folder / "Balatro.exe",), (folder / "version.dll",), (roaming / "Balatro" / "Mods",))
    if system == "darwin":
        support = home / "Library" / "Application Support"
        folder = support / "Steam" / _GAME
        love = folder / "Balatro.app" / "Contents" / "MacOS" / "love"
        return Places((love,), (folder / "liblovely.dylib",), (support / "Balatro" / "Mods",))
    steam = home / ".local" / "share" / "Steam"
    proton = (
        steam / "steamapps" / "compatdata" / APP / "pfx" / "drive_c" / "users" / "steamuser" / "AppData" / "Roaming"
    )
    return Places(
        (steam / _GAME,),
        (steam / _GAME / "version.dll", Path("/usr/local/lib/liblovely.so")),
        (proton / "Balatro" / "Mods", home / ".config" / "love" / "Mods"),
    )


def check_places(system: str, given: Given, *, needed: bool) -> list[Finding]:
    """``needed``: the game must be started from here."""
    usual = usual_places(system, Path.home(), given.environment)
    return [
        _file("game", given.game(), usual.game, "install Balatro from Steam, or name it with --love-path", needed),
        _file(
            "Lovely", given.lovely(), usual.lovely, f"put it there ({_LOVELY}), or name it with --lovely-path", needed
        ),
        _mods(_first(usual.mods), needed),
        _starter(needed),
        *_display(system, given.environment, needed),
    ]


def _first(paths: Sequence[Path]) -> Path:
    return next((path for path in paths if path.exists()), paths[0])


def _file(what: str, named: Path | None, usual: Sequence[Path], remedy: str, needed: bool) -> Finding:
    path = named or _first(usual)
    return good(what, _shown(path)) if path.exists() else bad(what, f"not at {_shown(path)}", remedy, needed=needed)


def _mods(folder: Path, needed: bool) -> Finding:
    installed = {path.name.lower(): path for path in _folders(folder)}
    found = {
        name: next((path for key, path in installed.items() if key.startswith(starts)), None)
        for name, starts in _MODS.items()
    }
    if absent := [name for name, path in found.items() if path is None]:
        remedy = f"put {' and '.join(absent)} into this folder (docs/real-game.md)"
        return bad("mods", f"no {' and no '.join(absent)} in {_shown(folder)}", remedy, needed=needed)
    return good("mods", f"{', '.join(_named(name, path) for name, path in found.items() if path)} in {_shown(folder)}")


def _shown(path: Path) -> str:
    with suppress(ValueError):
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    return str(path)


def _folders(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (path for path in sorted(folder.iterdir()) if path.is_dir())


def _named(name: str, path: Path) -> str:
    """With the version that its manifest tells."""
    with suppress(OSError, ValueError, AttributeError):
        manifest = json.loads((path / f"{name.lower()}.json").read_text(encoding="utf-8"))
        return f"{name} {manifest['version']}" if manifest.get("version") else name
    return name


def _starter(needed: bool) -> Finding:
    for program in ("uvx", "balatrobot"):
        if path := shutil.which(program):
            return good("starter", path)
    remedy = "install uv (https://docs.astral.sh/uv), whose uvx fetches the mod's program and the Python that it needs"
    return bad("starter", "neither uvx nor balatrobot", remedy, needed=needed)


def _display(system: str, environment: Mapping[str, str], needed: bool) -> list[Finding]:
    if system != "linux":
        return []
    for variable in ("WAYLAND_DISPLAY", "DISPLAY"):
        if environment.get(variable):
            return [good("display", f"{variable}={environment[variable]}")]
    remedy = "start it in a desktop session, or set DISPLAY"
    return [bad("display", "neither DISPLAY nor WAYLAND_DISPLAY is set", remedy, needed=needed)]

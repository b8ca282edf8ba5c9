"""The real game: whether it answers, and where it, Lovely and the mods are, by what the mod's documentation says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jimbo.serve.doctor.machine import Finding, bad, good

if TYPE_CHECKING:
    from jimbo.wire.client import Client

OLDEST = (1, 4)
"""Version of the mod."""
ASK_FOR = 3.0
APP = "2379780"
"""The game's number at Steam."""
_GAME = Path("steamapps", "common", "Balatro")
_LOVELY = "https://github.com/ethangreen-dev/lovely-injector"
_MODS = {"Steamodded": ("smods", "steamodded"), "balatrobot": ("balatrobot",)}

# --- The game that runs -----------------------------------------------------------------------------------------------


def check_game(url: str | None, *, real: bool) -> list[Finding]:
    """Check the port, and if a game answers there its mod. ValueError for a url that is none."""
    from jimbo.wire.client import URL, Client
    from jimbo.wire.errors import Unreachable, WireError

    client = Client(url or URL, timeout=ASK_FOR)
    try:
        healthy = client.health()
    except Unreachable:
        if url is None:
            return [good("port", f"{client.url}: free, no game is running")]
        remedy = "start the game with its mod: uvx balatrobot serve"
        return [bad("port", f"{client.url}: nobody answers there", remedy, needed=True)]
    except WireError as error:
        remedy = "another program has this port, or the game hangs: name its address with --base-url, or restart it"
        return [bad("port", f"{client.url}: {error.what}", remedy, needed=real)]
    if not healthy:
        return [bad("port", f"{client.url}: the game says that it is not well", "restart the game", needed=real)]
    return [good("port", f"{client.url}: the game answers"), *_mod(client, real=real)]


def _mod(client: Client, *, real: bool) -> Iterator[Finding]:
    from jimbo.wire.codec.marks import in_english
    from jimbo.wire.errors import OtherLanguage, WireError

    update = "install balatrobot 1.4 or newer from https://github.com/coder/balatrobot/releases"
    try:
        state, version, simulated = client.gamestate(), client.version(), client.simulated()
    except WireError as error:
        yield bad("mod", f"{error.method}: {error.what}", update, needed=real)
        return
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        found = f"balatrobot {version}" if version else "it does not report its version"
        yield bad("mod", found, update, needed=real)
        return
    speaks = "not the game but Jimbo's own server, which speaks " if simulated else ""
    yield good("mod", f"{speaks}balatrobot {version}, the game is in {state['state']}")
    if not in_english(state):
        yield bad("language", "the game's texts are not English", OtherLanguage.remedy, needed=False)


# --- The files that start it ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UsualPlaces:
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
        text = self.environment.get(f"BALATROBOT_{name}_PATH") or self.environment.get(f"BALATROBOT_PATH_{name}")
        return Path(text) if text else None


def usual_places(system: str, home: Path, environment: Mapping[str, str]) -> UsualPlaces:
    if system == "win32":
        folder = Path("C:/Program Files (x86)/Steam/steamapps/common/Balatro")
        roaming = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
        return UsualPlaces((folder / "Balatro.exe",), (folder / "version.dll",), (roaming / "Balatro" / "Mods",))
    if system == "darwin":
        support = home / "Library" / "Application Support"
        folder = support / "Steam" / _GAME
        love = folder / "Balatro.app" / "Contents" / "MacOS" / "love"
        return UsualPlaces((love,), (folder / "liblovely.dylib",), (support / "Balatro" / "Mods",))
    steam = home / ".local" / "share" / "Steam"
    proton = steam / "steamapps" / "compatdata" / APP / "pfx" / "drive_c" / "users" / "steamuser"
    return UsualPlaces(
        (steam / _GAME,),
        (steam / _GAME / "version.dll", Path("/usr/local/lib/liblovely.so")),
        (proton / "AppData" / "Roaming" / "Balatro" / "Mods", home / ".config" / "love" / "Mods"),
    )


def check_places(system: str, given: Given, *, needed: bool) -> list[Finding]:
    """``needed``: the game must be started from here."""
    usual = usual_places(system, Path.home(), given.environment)
    install = "install Balatro from Steam, or name it with --love-path"
    inject = f"put it there ({_LOVELY}), or name it with --lovely-path"
    return [
        _file("game", given.game() or _first(usual.game), install, needed),
        _file("Lovely", given.lovely() or _first(usual.lovely), inject, needed),
        _mods(_first(usual.mods), needed),
        _starter(needed),
        *_display(system, given.environment, needed),
    ]


def _first(paths: Sequence[Path]) -> Path:
    return next((path for path in paths if path.exists()), paths[0])


def _file(what: str, path: Path, remedy: str, needed: bool) -> Finding:
    return good(what, _shown(path)) if path.exists() else bad(what, f"not at {_shown(path)}", remedy, needed=needed)


def _mods(folder: Path, needed: bool) -> Finding:
    installed: dict[str, Path] = {}
    with suppress(OSError):
        installed = {path.name.lower(): path for path in sorted(folder.iterdir()) if path.is_dir()}
    found = {
        name: next((path for key, path in installed.items() if key.startswith(starts)), None)
        for name, starts in _MODS.items()
    }
    if absent := [name for name, path in found.items() if path is None]:
        remedy = f"put {' and '.join(absent)} into this folder (docs/real-game.md)"
        return bad("mods", f"no {' and no '.join(absent)} in {_shown(folder)}", remedy, needed=needed)
    return good("mods", f"{', '.join(_named(name, path) for name, path in found.items() if path)} in {_shown(folder)}")


def _named(name: str, path: Path) -> str:
    """Name a mod with the version of its manifest."""
    with suppress(OSError, ValueError, AttributeError):
        manifest = json.loads((path / f"{name.lower()}.json").read_text(encoding="utf-8"))
        return f"{name} {manifest['version']}" if manifest.get("version") else name
    return name


def _shown(path: Path) -> str:
    with suppress(ValueError):
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    return str(path)


def _starter(needed: bool) -> Finding:
    if path := shutil.which("uvx") or shutil.which("balatrobot"):
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

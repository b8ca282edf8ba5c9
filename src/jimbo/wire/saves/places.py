"""Where the game keeps its saves on each system."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

SAVE = "save.jkr"
PROFILES = ("1", "2", "3")
_APP = "2379780"
"""The game's number in Steam, which names the folder of its Windows on Linux."""
_PREFIX = f"steamapps/compatdata/{_APP}/pfx/drive_c/users/steamuser/AppData/Roaming/Balatro"
_STEAM = (
    ".local/share/Steam",
    ".steam/steam",
    ".steam/root",
    ".var/app/com.valvesoftware.Steam/.local/share/Steam",
    "snap/steam/common/.local/share/Steam",
)


def game_folders(
    platform: str = sys.platform, home: Path | None = None, environment: Mapping[str, str] = os.environ
) -> Iterator[Path]:
    """Folders that may hold the profiles 1 to 3."""
    home = home or Path.home()
    if platform == "win32":
        yield Path(environment.get("APPDATA") or home / "AppData/Roaming") / "Balatro"
    elif platform == "darwin":
        yield home / "Library/Application Support/Balatro"
    else:
        for steam in _STEAM:
            yield home / steam / _PREFIX


def find_save(place: Path | None = None) -> Path:
    """The save that was written last: of a folder, or of those that this system's game uses. A file is itself.

    FileNotFoundError with a sentence where there is none.
    """
    if place is not None and not place.is_dir():
        return place
    folders = [place] if place is not None else list(game_folders())
    files = [folder / name for folder in folders for name in (SAVE, *(f"{profile}/{SAVE}" for profile in PROFILES))]
    found = [file for file in files if file.is_file()]
    if not found:
        where = str(place) if place is not None else f"the folders that the game uses here, such as {folders[0]}"
        raise FileNotFoundError(
            f"There is no {SAVE} in {where}. The game writes one as soon as a run is under way. If it is elsewhere, "
            "name its folder with --save FOLDER."
        )
    return max(found, key=lambda file: file.stat().st_mtime_ns)

"""A folder of an author of agents: what is written there can be imported, and is forgotten after the test."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jimbo.agents.registry import installed_agents

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a file in the folder, which is the current one; a module that was imported before is imported anew."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.chdir(tmp_path)

    def forget() -> None:
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
                del sys.modules[name]
        importlib.invalidate_caches()
        installed_agents.cache_clear()

    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        forget()
        return path

    yield written
    forget()


@pytest.fixture
def install(write: Write) -> Callable[..., None]:
    """Puts a package's metadata where Python finds it, with agents by name and place."""

    def installed(package: str, version: str = "1.0", **agents: str) -> None:
        lines = "".join(f"{name} = {place}\n" for name, place in agents.items())
        folder = f"{package}-{version}.dist-info"
        write(f"{folder}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
        write(f"{folder}/entry_points.txt", f"[jimbo.agents]\n{lines}")

    return installed

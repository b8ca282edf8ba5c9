"""The public surface: what ``import jimbo`` gives, the page that lists it, and that documents keep to it."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

from api_page import MODULES, PAGE, lazy_names, markdown, stubs

ROOT = Path(__file__).parents[1]
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "examples").glob("*.py"))]


def imports_of(path: Path) -> list[tuple[str, str]]:
    """Module and name of every import from the package in the programs of a page or a file."""
    text = path.read_text(encoding="utf-8")
    programs = [text] if path.suffix == ".py" else re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    found = []
    for node in (node for program in programs for node in ast.walk(ast.parse(program))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "jimbo":
            found += [(str(node.module), alias.name) for alias in node.names]
        if isinstance(node, ast.Import):
            found += [(alias.name, "__all__") for alias in node.names if alias.name.split(".")[0] == "jimbo"]
    return found


def test_the_page_and_the_stubs_are_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(), "run: python tools/api_page.py"
    assert {path: path.read_text(encoding="utf-8") for path in stubs()} == stubs(), "run: python tools/api_page.py"


@pytest.mark.parametrize("name", MODULES)
def test_what_a_module_exports_is_there(name: str) -> None:
    module = importlib.import_module(name)
    assert [entry for entry in module.__all__ if not hasattr(module, entry)] == []
    assert len(set(module.__all__)) == len(module.__all__)


@pytest.mark.parametrize("package", [name for name in MODULES if lazy_names(name)])
def test_names_of_a_package_are_those_of_their_homes(package: str) -> None:
    module = importlib.import_module(package)
    for home, names in lazy_names(package).items():
        for name in names:
            assert getattr(module, name) is getattr(importlib.import_module(home), name)
            is_module = name in {entry.name for entry in pkgutil.iter_modules(module.__path__)}
            assert is_module == (home == package), f"{name} would be a module or not, by what was imported before"
            assert package != "jimbo" or name in importlib.import_module(home).__all__, f"{home} does not export {name}"
    assert set(module.__all__) <= {*dir(module), "__version__"}
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        module.nothing  # noqa: B018


def test_a_name_loads_no_more_than_its_home() -> None:
    code = "import sys; from jimbo import Run; print({'jimbo.data', 'jimbo.eval', 'gymnasium'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_documents_and_examples_import_public_names_only(path: Path) -> None:
    for module, name in imports_of(path):
        assert module in MODULES, f"{path.name} imports {module}, which is not public"
        assert name == "__all__" or name in importlib.import_module(module).__all__, f"{path.name}: {module}.{name}"


def test_documents_do_import_something() -> None:
    assert sum(len(imports_of(path)) for path in TEXTS) > 30

"""The classes of agents, from where their authors keep them: ``package.module:Class``.

Whatever is wrong with one is a ValueError, with a sentence that says what to do. Code of other authors may raise
anything, and may try to end the process that it runs in.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import Any, cast

from jimbo.declared import Declared, check_declaration
from jimbo.extras import MissingPackage

_MAX_NAMED = 5
EXAMPLE = "package.module:Class"


@dataclass(frozen=True, slots=True)
class NoOptions(Declared):
    """The options of an agent that takes none."""


def load_class(place: str) -> type[Any]:
    """The class that a place names. Its module is imported, and so runs."""
    module_name, class_name = _parts(place)
    module = _imported(module_name)
    found: Any = module
    for part in class_name.split("."):
        if not hasattr(found, part):
            raise ValueError(f"The module {module_name} has no class {class_name}.{_classes_of(module)}")
        found = getattr(found, part)
    if not isinstance(found, type):
        raise ValueError(f"{place} is not a class, but of type {type(found).__name__}. Name the class of the agent.")
    if not callable(getattr(found, "act", None)):
        raise ValueError(f"The class {place} is not an agent: give it a method act(self, state).")
    return found


def options_of(kind: type[Any]) -> type[Declared]:
    """The dataclass that declares the options of an agent: the attribute ``Options`` of its class."""
    options: Any = getattr(kind, "Options", NoOptions)
    if not (isinstance(options, type) and is_dataclass(options) and issubclass(options, Declared)):
        raise ValueError(f"{kind.__name__}.Options must be a dataclass that derives from jimbo.declared.Declared.")
    try:
        check_declaration(options)
    except ValueError as error:
        raise ValueError(f"{kind.__name__}.Options cannot be used: {error}.") from None
    return options


def instance(kind: type[Any], options: Declared) -> Any:
    """An agent of this class; ValueError says why there is none, as the end of a sentence.

    MissingPackage goes through as it is: every command tells it in the same words.
    """
    arguments = () if isinstance(options, NoOptions) else (options,)
    _check_arguments(kind, arguments)
    try:
        with guest():
            return kind(*arguments)
    except ValueError as error:
        raise ValueError((message_of(error) or type(error).__name__).rstrip(".")) from error
    except (KeyboardInterrupt, MissingPackage):
        raise
    except BaseException as error:
        raise ValueError(failure_text(error, source_file(kind))) from error


def _check_arguments(kind: type[Any], arguments: tuple[Declared, ...]) -> None:
    try:
        inspect.signature(kind).bind(*arguments)
    except TypeError:
        wanted = "its options as the only argument" if arguments else "no arguments unless the class declares Options"
        raise ValueError(f"{kind.__name__}.__init__ must take {wanted}") from None
    except ValueError:  # a class that says nothing of its arguments
        pass


# --- Source files -----------------------------------------------------------------------------------------------------


def source_file(kind: type[Any]) -> Path | None:
    """The file in which a class is written; None where it comes from no file."""
    name = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return Path(name) if name else None


def _hashed(kind: type[Any]) -> str | None:
    path = source_file(kind)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path and path.is_file() else None


source_hash = cast(Callable[[type[Any]], str | None], cache(_hashed))
"""Hash of the file in which a class is written, as it was when first asked for: later it may be another."""


def failure_text(error: BaseException, file: Path | None = None) -> str:
    """What was raised and where: in this file if it came through there, else in the last one on the way."""
    if isinstance(error, SystemExit):
        return f"it ended itself with {exit_call(error)}"
    message = f"{type(error).__name__}: {error.msg}" if isinstance(error, SyntaxError) else error_text(error)
    text = " ".join(message.split()).rstrip(": ")
    if isinstance(error, SyntaxError) and error.filename:
        return f"{text} ({error.filename}, line {error.lineno})"
    return text + (raised_in(error, file) or raised_in(error))


def raised_in(error: BaseException, file: Path | None = None) -> str:
    """The line of this file, or of whatever file was the last, through which an error came: " (bot.py, line 5)"."""
    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    lines = [(name, line) for name, line in lines if (Path(name) == file if file else not name.startswith("<"))]
    return f" ({lines[-1][0]}, line {lines[-1][1]})" if lines else ""


# --- Modules ----------------------------------------------------------------------------------------------------------


def _parts(place: str) -> tuple[str, str]:
    module, _, name = place.partition(":")
    is_path = "/" in module or module.endswith(".py")
    if not is_path and all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        return module, name
    imported = module.removesuffix(".py").strip("./").replace("/", ".")
    wanted = f"the module as Python imports it: {imported}:{name or 'Class'}" if is_path else EXAMPLE
    raise ValueError(f'"{place}" does not name a class. Write {wanted}.')


def _imported(name: str) -> ModuleType:
    try:
        with guest():
            return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            raise ValueError(
                f"There is no module {error.name} in the current folder or among the installed packages. "
                "Change to the folder where it is, or install its package."
            ) from None
        raise ValueError(
            f"The module {name} cannot be imported: it needs {error.name}, which cannot be found. Install it."
        ) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise ValueError(f"The module {name} cannot be imported: {failure_text(error)}.") from error


def _classes_of(module: ModuleType) -> str:
    """Those that could be meant."""
    kinds = [item for item in vars(module).values() if isinstance(item, type) and item.__module__ == module.__name__]
    names = [kind.__name__ for kind in kinds if callable(getattr(kind, "act", None))]
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return f" It has {', '.join(names[:_MAX_NAMED])}{more}." if names else " It has no class with a method act."


# --- Guests -----------------------------------------------------------------------------------------------------------

_exit = os._exit
_here = threading.local()
"""``process``: the number of the process in which this thread runs code of others; 0 where it does not."""


class _Exited(SystemExit):
    """Raised in place of ``os._exit``, which would end everything without a word."""


def _exit_or_raise(status: int) -> None:
    if getattr(_here, "process", 0) == os.getpid():  # what it has started may end
        raise _Exited(status)
    _exit(status)


@contextmanager
def guest() -> Iterator[None]:
    """Code of others runs in here: ``os._exit`` raises SystemExit, as ``sys.exit`` does."""
    before = getattr(_here, "process", 0)
    os._exit = _exit_or_raise  # type: ignore[assignment]
    _here.process = os.getpid()
    try:
        yield
    finally:
        _here.process = before


def exit_call(end: SystemExit) -> str:
    """What was called, with what was given: "sys.exit(3)"."""
    try:
        code = "" if end.code is None else repr(end.code)
    except Exception:
        code = "..."
    return f"{'os._exit' if isinstance(end, _Exited) else 'sys.exit'}({code})"


def error_text(error: BaseException) -> str:
    """An error in words, "KeyError: 'gone'"; one that says nothing, or cannot be printed, by its name alone."""
    said = message_of(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def message_of(error: BaseException) -> str:
    """What an error says; nothing where it cannot be printed."""
    try:
        return str(error)
    except Exception:
        return ""

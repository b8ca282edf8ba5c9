"""ASCII where a terminal shows nothing else. Every command comes through here, so little is imported."""

from __future__ import annotations

import codecs
import io
import os
import sys

# One character for one, so that columns stay in line.
_ASCII = {
    **dict(zip("♠♥♣♦", "SHCD", strict=True)),
    **dict(zip("╭╮╰╯│─━", "++++|-=", strict=True)),
    **dict(zip("█░▒", "#.:", strict=True)),
    **dict(zip("▶→●◐○★♛✗✓", ">>ooo*&x+", strict=True)),
    **dict(zip("·…", "|~", strict=True)),
}
_ERRORS = "jimbo.ascii"


def use_ascii_where_needed() -> None:
    """Makes the standard streams write ASCII unless the terminal is known to show more."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not (stream.encoding.lower().startswith("utf") and _shows_utf8()):
            stream.reconfigure(encoding="ascii", errors=_ERRORS)


def _shows_utf8() -> bool:
    """Whether the locale is UTF-8. Python itself writes UTF-8 even with ``LANG=C``."""
    if os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8"):
        return True
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    if names[1] in ("C.UTF-8", "C.utf8", "UTF-8"):
        names[1] = ""  # where the locale is C, Python itself sets this
    locale = next(filter(None, names), "")
    _, point, codeset = locale.partition(".")
    return codeset.lower().startswith("utf") if point else locale not in ("C", "POSIX")


def ascii_text(text: str) -> str:
    """Suits become letters, lines dashes; anything without a likeness becomes question marks, as wide as it was."""
    from rich.cells import cell_len

    return "".join(char if char.isascii() else _ASCII.get(char, "?" * cell_len(char)) for char in text)


def _replaced(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return ascii_text(error.object[error.start : error.end]), error.end


codecs.register_error(_ERRORS, _replaced)

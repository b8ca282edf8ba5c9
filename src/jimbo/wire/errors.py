"""What can go wrong on the wire: each error has the method, the state of the game where it is known, and a remedy."""

from __future__ import annotations

from jimbo.files import sentence

INTERNAL_ERROR = "INTERNAL_ERROR"
BAD_REQUEST = "BAD_REQUEST"
INVALID_STATE = "INVALID_STATE"
NOT_ALLOWED = "NOT_ALLOWED"
CODES = {INTERNAL_ERROR: -32000, BAD_REQUEST: -32001, INVALID_STATE: -32002, NOT_ALLOWED: -32003}
"""The mod's names of its errors, and their codes."""


class WireError(Exception):
    """Something between here and the game. ``str`` is a sentence or two, with what to do."""

    remedy = "Look at the game and at its log"

    def __init__(
        self, what: str, *, method: str, url: str, state: str | None = None, remedy: str | None = None
    ) -> None:
        self.what, self.method, self.url, self.state = what, method, url, state
        if remedy is not None:
            self.remedy = remedy
        where = f" in the state {state}" if state else ""
        super().__init__(f"{sentence(f'{url}, method {method}{where}: {what}')} {sentence(self.remedy)}")


class Unreachable(WireError):
    """Nobody listens there; nothing has been sent."""

    remedy = "Start the game with its mod (balatrobot serve), or name another address with --base-url"


class NoReply(WireError):
    """The connection was closed before an answer: nobody knows whether the call took effect."""

    remedy = "Ask for the gamestate before anything else; if that is not answered either, restart the game"


class Late(NoReply):
    """The answer did not come in time; the call may still be carried out."""


class BadReply(WireError):
    """Something came that is not an answer of the mod."""

    remedy = "Make sure that this is the address of balatrobot, and that its version is 1.4 or newer"


class Refused(WireError):
    """The mod has understood the call and says no; nothing has happened."""

    remedy = "Ask for the gamestate and decide again"


class InternalError(Refused):
    """The mod or the game failed."""

    remedy = "Ask for the gamestate; if the game is stuck, restart it and look at its log"


class BadRequest(Refused):
    """The call itself is wrong, or cannot be paid for."""


class InvalidState(Refused):
    """The game is elsewhere."""


class NotAllowed(Refused):
    """The rules of the game forbid it."""


REFUSALS: dict[int, type[Refused]] = {
    CODES[INTERNAL_ERROR]: InternalError,
    CODES[BAD_REQUEST]: BadRequest,
    CODES[INVALID_STATE]: InvalidState,
    CODES[NOT_ALLOWED]: NotAllowed,
}


class Unreadable(WireError):
    """A gamestate that cannot be understood."""

    remedy = "Report it with the gamestate, which jimbo trace record keeps"


class OtherLanguage(Unreadable):
    """The game's texts are not English, and keep back what an agent must know."""

    remedy = "Choose English in the game's main menu (docs/real-game.md); a run that is open there can be continued"


class NotPossible(WireError):
    """The rules allow it, and the mod has no call for it."""

    remedy = "Choose something else here, or do it by hand"


class Surprise(WireError):
    """The game did not do what was asked for."""

    remedy = "Look at the game; what it says now is right"

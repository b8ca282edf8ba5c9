"""How a method refuses: the name of the error and its message."""

from __future__ import annotations

from jimbo.wire.errors import BAD_REQUEST, INTERNAL_ERROR, INVALID_STATE, NOT_ALLOWED


class Refused(Exception):
    """A call that is answered with an error; nothing has changed."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def bad_request(message: str) -> Refused:
    return Refused(BAD_REQUEST, message)


def invalid_state(message: str) -> Refused:
    return Refused(INVALID_STATE, message)


def not_allowed(message: str) -> Refused:
    return Refused(NOT_ALLOWED, message)


def internal_error(message: str) -> Refused:
    return Refused(INTERNAL_ERROR, message)

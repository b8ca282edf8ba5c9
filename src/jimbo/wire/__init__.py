"""The language of the balatrobot mod, for those who speak it and those who listen; games that are started from here."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.wire.client": ("Client",),
    "jimbo.wire.errors": ("BadReply", "NoReply", "NotPossible", "Refused", "Unreachable", "WireError"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)

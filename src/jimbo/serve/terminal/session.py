"""A game in progress: the run, the steps that can be undone, and the file it is saved in."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path

from jimbo.engine.catalog import EDITIONS
from jimbo.engine.run import Action, Run, RunView, view
from jimbo.files import read_bytes, trouble, write_bytes
from jimbo.serve.terminal.input import PHASES, BadInput
from jimbo.text import Told, counted, joker_now, number_text, tell

MAGIC = b"JIMBO-RUN"
MAX_SAVE = 1 << 20
"""More bytes than any saved run has."""


class Session:
    def __init__(self, run: Run, path: Path | None = None, saved: bytes = b"") -> None:
        self.run = run
        self.view = view(run)
        self.path = path
        """Where the run was loaded from or saved to."""
        self.unsaved = False
        self.new_folder: Path | None = None
        """What the last save had to make."""
        self._past: list[Run] = []
        self._held = {path.resolve(): saved} if path else {}
        """What the files of this game hold, as far as it knows: another game may have written to them since."""

    # --- Steps --------------------------------------------------------------------------------------------------------

    def step(self, action: Action) -> list[Told]:
        """Applies an action and says what happened. Raises BadInput and changes nothing if the rules forbid it."""
        refusal = self.run.refusal(action)
        if refusal:
            raise BadInput(_explained(action, refusal, self.view))
        before, past = self.view, self.run.clone()
        self.unsaved = True  # first: Ctrl-C may come at any time
        events = self.run.step(action)
        self._past.append(past)
        self.view = view(self.run)
        return tell(events, before, self.view) + _changed_jokers(before, self.view)

    def undo(self, steps: int) -> int:
        """Returns how many steps were undone."""
        possible = min(steps, len(self._past))
        if possible == 0:
            raise BadInput("There is nothing to undo.")
        self.run = self._past[-possible]
        del self._past[-possible:]
        self.unsaved = True
        self.view = view(self.run)
        return possible

    # --- Files --------------------------------------------------------------------------------------------------------

    def save(self, text: str = "") -> Path:
        """Replaces a file only if it holds exactly this game, as it was loaded or last saved here."""
        data = self.run.save()
        path = Path(text) if text else self.default_path()
        try:
            path = path.expanduser()
            reason = self._why_not(path)
            if reason is None:
                self.new_folder = None if path.parent.is_dir() else path.parent
                path.parent.mkdir(parents=True, exist_ok=True)
                write_bytes(path, data)
        except FileExistsError as error:
            raise BadInput(f"{path} cannot be written: {error.filename} is not a folder.") from None
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {trouble(error)}.") from None
        except (RuntimeError, ValueError) as error:  # a user without a home folder, a loop of links, a zero byte
            raise BadInput(f"{path} cannot be written: {str(error).rstrip('.')}.") from None
        if reason:
            raise BadInput(f"{path} {reason}, so it is left alone. Choose another name.")
        self._held[path.resolve()] = data
        self.path = path
        self.unsaved = False
        return path

    def _why_not(self, path: Path) -> str | None:
        """Why a file that exists must not be replaced."""
        if not path.exists():
            return None
        held = path.read_bytes() if path.is_file() else b""
        if not held.startswith(MAGIC):
            return "exists and is not a saved run"
        if held == self._held.get(path.resolve()):
            return None
        known = path.resolve() in self._held
        return "has since been saved by another game" if known else "exists and holds another game"

    def default_path(self) -> Path:
        """The current file, or a new one in the user's folder for saved games."""
        with suppress(OSError, RuntimeError):
            if self.path and self._why_not(self.path) is None:
                return self.path
        names = (f"{self.view.seed}{f'-{n}' if n > 1 else ''}.run" for n in count(1))
        return next(path for path in map(_state_folder().joinpath, names) if not os.path.lexists(path))


def _state_folder() -> Path:
    if folder := os.environ.get("XDG_STATE_HOME"):
        return Path(folder) / "jimbo"
    try:
        return Path.home() / ".local" / "state" / "jimbo"
    except RuntimeError:  # a user without a home folder saves in the current one
        return Path()


def load(path: Path) -> Session:
    """Raises ValueError with a sentence for a file that is not a saved run."""
    try:
        data = read_bytes(path, MAX_SAVE)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {trouble(error)}.") from None
    try:
        return Session(Run.load(data), path, data)
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}.") from None


def _changed_jokers(before: RunView, after: RunView) -> list[Told]:
    """Jokers whose own number or edition changed, which the game shows on the joker itself."""
    old = {joker.uid: joker for joker in before.jokers}
    lines = []
    for joker in after.jokers:
        was = old.get(joker.uid)
        if was is None or joker.face_down:
            continue
        if joker.edition and joker.edition != was.edition:
            lines.append(Told("joker_changed", joker.name, f"becomes {EDITIONS[joker.edition].name}"))
        now = joker_now(joker, after)
        if now and (was.count, was.x_mult) != (joker.count, joker.x_mult) and now != joker_now(was, before):
            lines.append(Told("joker_grew", joker.name, f"now {now}"))
    return lines


def _explained(action: Action, refusal: str, view: RunView) -> str:
    """Why an action is refused, with the numbers that matter."""
    name, more = "", ""
    if action.kind in ("buy", "buy_and_use"):
        item = view.shop[action.index]
        name, price = item.card.name, item.price
        more = _about_money(refusal, price, view) or _about_targets(refusal, item.card, view)
    elif action.kind == "redeem":
        voucher = view.shop_vouchers[action.index]
        name, more = voucher.fact.name, _about_money(refusal, voucher.price, view)
    elif action.kind == "open_booster":
        pack = view.boosters[action.index]
        name, more = pack.fact.name, _about_money(refusal, pack.price, view)
    elif action.kind == "reroll":
        name, more = "Reroll", _about_money(refusal, view.reroll_price, view)
    elif action.kind == "use":
        name, more = view.consumables[action.index].name, _about_targets(refusal, view.consumables[action.index], view)
    elif action.kind == "pick" and view.pack:
        card = view.pack.cards[action.index]
        name, more = card.name, _about_targets(refusal, card, view)
    elif action.kind == "sell_joker":
        name = view.jokers[action.index].name
    if "phase" in refusal:
        return f"That is not possible {PHASES.get(view.phase, 'now that the run is over')}."
    text = more or refusal
    return f"{name}: {text}." if name else f"{text[0].upper()}{text[1:]}."


def _about_money(refusal: str, price: int, view: RunView) -> str:
    return f"it costs ${price}, you have ${number_text(view.dollars)}" if "money" in refusal else ""


def _about_targets(refusal: str, card: object, view: RunView) -> str:
    fact = getattr(card, "fact", None)
    if "number of selected" not in refusal or fact is None:
        return ""
    low, high = fact.min_targets, fact.max_targets
    if high == 0:
        return "it takes no cards from the hand"
    cards = counted(high, "card") if low == high else f"{low} to {counted(high, 'card')}"
    where = "" if view.hand else ", and no hand has been dealt"
    return f"it needs {cards} from the hand, written after its number{where}"

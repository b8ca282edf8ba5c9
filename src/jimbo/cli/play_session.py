"""A game in progress: the run, the steps that can be taken back, and the file it is saved in."""

import os
from pathlib import Path

from jimbo.cli.play_input import PHASES, BadInput
from jimbo.engine.catalog import EDITIONS
from jimbo.engine.run import Action, Run, RunView, Told, counted, joker_now, number_text, tell, view

MAGIC = b"JIMBO-RUN"


class Session:
    def __init__(self, run: Run, path: Path | None = None) -> None:
        self.run = run
        self.view = view(run)
        self.path = path
        """Where the run was loaded from or saved to."""
        self.unsaved = False
        self.new_folder: Path | None = None
        """What the last save had to make."""
        self._past: list[Run] = []

    # --- Steps --------------------------------------------------------------------------------------------------------

    def step(self, action: Action) -> list[Told]:
        """Applies an action and tells what happened. Raises BadInput and changes nothing if the rules forbid it."""
        refusal = self.run.refusal(action)
        if refusal:
            raise BadInput(_explained(action, refusal, self.view))
        before, past = self.view, self.run.clone()
        events = self.run.step(action)
        self._past.append(past)
        self.unsaved = True
        self.view = view(self.run)
        return tell(events, before, self.view) + _changed_jokers(before, self.view)

    def undo(self, steps: int) -> int:
        """How many steps were taken back."""
        possible = min(steps, len(self._past))
        if possible == 0:
            raise BadInput("There is no step to take back.")
        self.run = self._past[-possible]
        del self._past[-possible:]
        self.unsaved = True
        self.view = view(self.run)
        return possible

    # --- Files --------------------------------------------------------------------------------------------------------

    def save(self, text: str = "") -> Path:
        path = Path(text).expanduser() if text else self.default_path()
        try:
            foreign = path.exists() and not path.read_bytes().startswith(MAGIC)
            if not foreign:
                self.new_folder = None if path.parent.is_dir() else path.parent
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self.run.save())
        except (OSError, ValueError) as error:
            raise BadInput(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.") from None
        if foreign:
            raise BadInput(f"{path} exists and holds no saved run, so it is left alone. Choose another name.")
        self.path = path
        self.unsaved = False
        return path

    def default_path(self) -> Path:
        """The present file, or a new one in the user's folder for such things."""
        if self.path:
            return self.path
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        folder = Path(state) / "jimbo"
        names = (f"{self.view.seed}{f'-{n}' if n > 1 else ''}.run" for n in range(1, 1000))
        return next((folder / name for name in names if not (folder / name).exists()), folder / "last.run")


def load(path: Path) -> Session:
    """Raises ValueError with a sentence for a file that is no saved run."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}.") from None
    try:
        return Session(Run.load(data), path)
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
        return "it takes no cards of the hand"
    cards = counted(high, "card") if low == high else f"{low} to {counted(high, 'card')}"
    where = "" if view.hand else ", and no hand is dealt now"
    return f"it needs {cards} of the hand, written after its number{where}"

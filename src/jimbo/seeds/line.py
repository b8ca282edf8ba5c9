"""A line: what a player does from the start of a seed on, a word for each step, replayed by the rules.

``beat redeem1 beat reroll buy2 open1 take1 pass skip`` is a line. Places count from 1. ``beat`` plays the next blind
and counts it as beaten with its last hand, so that it pays its reward and interest and nothing for hands; ``beat2``
leaves two hands. ``beat`` and ``skip`` leave the shop first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from jimbo.engine import Action, Phase, Run
from jimbo.engine.catalog import BLINDS
from jimbo.seeds.starts import deck_and_challenge, stake_key, typed_seed

KINDS = {
    "skip": "skip_blind",
    "rerollboss": "reroll_boss",
    "buy": "buy",
    "buyuse": "buy_and_use",
    "redeem": "redeem",
    "open": "open_booster",
    "reroll": "reroll",
    "take": "pick",
    "pass": "skip_pack",
    "use": "use",
    "selljoker": "sell_joker",
    "sellcard": "sell_consumable",
    "leave": "leave_shop",
}
"""The words for actions; ``beat`` is made of several."""
BEAT = "beat"
_WORDS = {kind: word for word, kind in KINDS.items()}
_PLACED = {"buy", "buyuse", "redeem", "open", "take", "use", "selljoker", "sellcard"}
_PAID = {"buy", "buy_and_use", "redeem", "open_booster", "reroll", "reroll_boss"}
_TAKEN = {"buy", "buy_and_use", "redeem", "pick"}
LONGEST = 6000
"""Characters of a line."""
MOST_WORDS = 600
MOST_DOLLARS = 100_000
_MOST_HANDS = 20


class BadLine(ValueError):
    """A sentence on a word that is none, or that cannot be done where it stands."""

    def __init__(self, sentence: str, done: int = 0) -> None:
        super().__init__(sentence)
        self.done = done
        """How many words before it could be done."""


@dataclass(frozen=True, slots=True)
class LineStart:
    """What a line begins with; texts are checked when it is made."""

    seed: str
    deck: str | None = None
    stake: str = "white"
    challenge: str | None = None
    dollars: int = 0
    """Given besides what the run starts with."""

    def __post_init__(self) -> None:
        deck, challenge = deck_and_challenge(self.deck, self.challenge)
        checked = {"seed": typed_seed(self.seed), "deck": deck, "stake": stake_key(self.stake), "challenge": challenge}
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if not 0 <= self.dollars <= MOST_DOLLARS:
            raise ValueError(f"From $0 to ${MOST_DOLLARS:,} can be given besides.")

    def run(self) -> Run:
        run = Run(None if self.challenge else self.deck, self.stake, self.seed, self.challenge)
        run.dollars += self.dollars
        return run


@dataclass(frozen=True, slots=True)
class Spent:
    """What a line has cost so far."""

    dollars: int = 0
    rerolls: int = 0
    skips: int = 0


NOTHING = Spent()


# --- Words ------------------------------------------------------------------------------------------------------------


def read_words(text: str) -> tuple[str, ...]:
    """The words of a line, separated by blanks, dots or commas; BadLine for what is none."""
    if len(text) > LONGEST:
        raise BadLine(f"A line has up to {LONGEST:,} characters.")
    words = tuple(re.split(r"[\s.,]+", text.strip(" .,\n").lower())) if text.strip(" .,\n") else ()
    if len(words) > MOST_WORDS:
        raise BadLine(f"A line has up to {MOST_WORDS} words.")
    for number, word in enumerate(words):
        try:
            if _hands_of(word) is None:
                action_of(word)
        except BadLine as wrong:
            raise BadLine(str(wrong), number) from None
    return words


def _hands_of(word: str) -> int | None:
    """How many hands are left after ``beat``; None for any other word."""
    match = re.fullmatch(r"beat(\d{0,2})", word)
    return min(int(match[1] or 0), _MOST_HANDS) if match else None


def action_of(word: str) -> Action:
    """The action of a word such as ``buy2`` or ``take1:1-3``, with the places of cards in hand that are chosen."""
    match = re.fullmatch(r"([a-z]+)(\d{1,2})?(?::(\d{1,2}(?:-\d{1,2}){0,4}))?", word)
    name = match[1] if match else ""
    if not match or name not in KINDS or (name in _PLACED) != (match[2] is not None) or match[2] in ("0", "00"):
        names = ", ".join(f"{one}1" if one in _PLACED else one for one in (BEAT, *KINDS))
        raise BadLine(f'"{word[:40]}" is not a step of a line. Steps are {names}.')
    cards = [int(place) - 1 for place in match[3].split("-")] if match[3] else []
    if any(not 0 <= place < 64 for place in cards):
        raise BadLine(f'"{word}" names a card that is not in the hand.')
    return Action(KINDS[name], index=int(match[2] or 1) - 1, cards=cards)


def word_of(action: Action) -> str:
    """The word for an action of the shop, a pack or the choice of a blind."""
    name = _WORDS[action.kind]
    cards = ":" + "-".join(str(place + 1) for place in action.cards) if action.cards else ""
    return f"{name}{action.index + 1 if name in _PLACED else ''}{cards}"


# --- Playing ----------------------------------------------------------------------------------------------------------


def is_between(run: Run) -> bool:
    """Whether a run is where a line goes on: at the choice of a blind, in a shop or before an open pack."""
    return run.phase in (Phase.blind_select, Phase.shop, Phase.pack_opening)


def beat(run: Run, hands_left: int = 0) -> None:
    """Play the next blind, count it as beaten, and cash out."""
    if run.phase == Phase.blind_select:
        run.step(Action("select_blind"))
    if not _is_in(run, Phase.selecting_hand):
        raise BadLine("There is no blind to beat before the pack is finished.")
    run.chips = max(run.chips, run.target)
    run.hands_left = hands_left + 1
    run.step(_hand(run))
    if not _is_in(run, Phase.round_eval):
        raise BadLine("This blind cannot be counted as beaten: the run ends in it.")
    run.step(Action("cash_out"))


def _is_in(run: Run, phase: Phase) -> bool:
    """Asked by a function, as steps change the phase."""
    return run.phase == phase


def _hand(run: Run) -> Action:
    """A hand that costs least: one card, or whichever the boss takes least money for."""
    one = Action("play", cards=[0])
    if run.on_deck != "boss" and run.refusal(one) is None:
        return one
    if run.refusal(one) is None and _money_after(run, one) == run.dollars:
        return one
    plays = [action for action in run.legal_actions() if action.kind == "play"]
    plays = [play for play in plays if len(play.cards) <= 2] or plays
    return max(plays, key=lambda play: (_money_after(run, play), -len(play.cards)))


def _money_after(run: Run, play: Action) -> int:
    tried = run.clone()
    tried.step(play)
    return int(tried.dollars)


def leave(run: Run) -> None:
    if run.phase == Phase.shop:
        run.step(Action("leave_shop"))


def do(run: Run, word: str, spent: Spent = NOTHING) -> Spent:
    """Do what a word says and return the cost with it; BadLine, and a run that may have left its shop, if it cannot."""
    hands = _hands_of(word)
    if hands is not None:
        leave(run)
        beat(run, hands)
        return spent
    action = action_of(word)
    if action.kind == "skip_blind":
        leave(run)
    if why := run.refusal(action):
        raise BadLine(f'"{word}" cannot be done: {_because(run, action, str(why.sentence))}.')
    before = run.dollars
    run.step(action)
    if action.kind in _PAID:
        spent = replace(spent, dollars=spent.dollars + before - run.dollars)
    rerolled, skipped = action.kind == "reroll", action.kind == "skip_blind"
    return replace(spent, rerolls=spent.rerolls + rerolled, skips=spent.skips + skipped)


def _because(run: Run, action: Action, why: str) -> str:
    if action.kind == "skip_blind" and run.on_deck == "boss":
        return f"{BLINDS[run.public_state().boss].name} is a boss, and bosses cannot be skipped"
    return why.rstrip(".")


@dataclass(slots=True)
class SeedLine:
    """A run after a line."""

    start: LineStart
    words: tuple[str, ...]
    run: Run
    spent: Spent
    money: tuple[int, ...]
    """What there was after each word."""


def play_line(start: LineStart, words: Sequence[str]) -> SeedLine:
    """Play a line from its start; BadLine says which word cannot be done, and how many before it could."""
    run, spent, money = start.run(), Spent(), []
    for number, word in enumerate(words):
        try:
            spent = do(run, word, spent)
        except BadLine as wrong:
            raise BadLine(f"Step {number + 1}: {wrong}", number) from None
        money.append(run.dollars)
    return SeedLine(start, tuple(words), run, spent, tuple(money))

"""Lines of seeds for people: each step in words, and the same as a run with real hands that everything else reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jimbo.data.game_files import PLAYER
from jimbo.data.record import Decision, Record, ending_of, header_at
from jimbo.engine import Action, Phase, PublicState, Run, solve_blind
from jimbo.seeds.line import BEAT, BadLine, LineStart, Spent, action_of, do, leave
from jimbo.text import action_words, counted, money_text, next_blind

_WORLDS = 60
_TRIES = 3
_MOST_HANDS = 60
"""Plays and discards of a blind, so that no boss keeps it open for ever."""


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A step of a line."""

    word: str
    text: str
    ante: int
    paid: int
    money: int
    """After it."""


def told_steps(start: LineStart, words: Sequence[str]) -> list[ToldStep]:
    """Each step in words; BadLine for one that cannot be done."""
    run, spent, told = start.run(), Spent(), []
    for number, word in enumerate(words):
        before = run.public_state()
        try:
            after = do(run, word, spent)
        except BadLine as wrong:
            raise BadLine(f"Step {number + 1}: {wrong}", number) from None
        told.append(ToldStep(word, _words(word, before), before.ante, after.dollars - spent.dollars, run.dollars))
        spent = after
    return told


def _words(word: str, state: PublicState) -> str:
    if word.startswith(BEAT):
        return f"Beat {next_blind(state).name}"
    if word == "skip":
        tag = state.skip_tags[0 if state.on_deck == "small" else 1]
        return f"Skip {next_blind(state).name} for the {tag.name}"
    text = action_words(action_of(word), state)
    return text[0].upper() + text[1:]


def spent_text(spent: Spent) -> str:
    """``$17, 1 reroll, no skip``."""
    rerolls = counted(spent.rerolls, "reroll") if spent.rerolls else "no reroll"
    return f"{money_text(spent.dollars)}, {rerolls}, {counted(spent.skips, 'skip') if spent.skips else 'no skip'}"


# --- As a run ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """A line as a run with real hands, as far as it could be played."""

    record: Record
    done: int
    """Words that were done."""
    note: str
    """How its blinds were played, and why it ends early where it does."""


def played_line(start: LineStart, words: Sequence[str], seed: int = 0) -> PlayedLine:
    """Play a line with real hands, by the solver, which looks at the cards that this seed deals next.

    What the line buys must stand where it stood; it ends before a blind that is not beaten.
    """
    planned, run = start.run(), start.run()
    header = header_at(run, PLAYER)
    decisions: list[Decision] = []
    why, done = "", 0
    for number, word in enumerate(words):
        try:
            why = _step(planned, run, word, decisions, seed)
        except BadLine as wrong:
            why = str(wrong)
        if why:
            break
        done = number + 1
    how = "Its blinds are played by the solver, which knows what this seed deals."
    note = f"{how} It ends before step {done + 1}: {why}" if why else how
    end = ending_of(run.public_state(), len(decisions), run.to_data())
    return PlayedLine(Record(header, tuple(decisions), end=end), done, note)


def _step(planned: Run, run: Run, word: str, decisions: list[Decision], seed: int) -> str:
    """Do a word in the run as it does in the plan; why not, if it cannot."""
    if word.startswith(BEAT):
        do(planned, word)
        for again in range(_TRIES):
            trial = run.clone()
            taken = list(_beaten(trial, seed + again))
            if trial.phase not in (Phase.game_over, Phase.selecting_hand):
                break
        else:
            name = next_blind(run.public_state()).name
            return f"the solver does not beat {name} of ante {run.ante} with what the line has."
        for action in taken:
            _take(run, action, decisions)
        return ""
    action = action_of(word)
    wanted, there = _thing(planned, action, word), _thing(run, action, word)
    if wanted != there:
        return f"real hands led elsewhere: {there or 'nothing'} stands where {wanted} should."
    do(planned, word)
    if action.kind == "skip_blind" and run.phase == Phase.shop:
        _take(run, Action("leave_shop"), decisions)
    if refusal := run.refusal(action):
        return f"{str(refusal.sentence).rstrip('.')}, once the hands are real."
    _take(run, action, decisions)
    return ""


def _take(run: Run, action: Action, decisions: list[Decision]) -> None:
    run.step(action)
    decisions.append(Decision(action))


def _beaten(run: Run, seed: int) -> Iterator[Action]:
    """The actions that play the next blind; the run is over, or still in the blind, where it is not beaten."""
    if run.phase == Phase.shop:
        yield _did(run, Action("leave_shop"))
    if run.phase == Phase.blind_select:
        yield _did(run, Action("select_blind"))
    for _ in range(_MOST_HANDS):
        if run.phase != Phase.selecting_hand:
            break
        yield _did(run, solve_blind(run, _WORLDS, nonce=seed, clairvoyant=True)[0].action)
    if run.phase == Phase.round_eval:
        yield _did(run, Action("cash_out"))


def _did(run: Run, action: Action) -> Action:
    run.step(action)
    return action


def _thing(run: Run, action: Action, word: str) -> str:
    """What an action is about."""
    looked = run.clone()
    if word == "skip":
        leave(looked)
    state = looked.public_state()
    places = {
        "buy": len(state.shop),
        "buy_and_use": len(state.shop),
        "redeem": len(state.shop_vouchers),
        "open_booster": len(state.shop_boosters),
        "pick": len(state.pack.cards) if state.pack else 0,
        "use": len(state.consumables),
        "sell_joker": len(state.jokers),
        "sell_consumable": len(state.consumables),
    }.get(action.kind)
    if places is None:
        return action.kind
    if action.index >= places:
        return ""
    return action_words(action, state) if action.kind != "sell_joker" else str(state.jokers[action.index].name)

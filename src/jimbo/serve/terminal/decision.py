"""A run shown decision by decision: where it stands, what was considered, what was done, and the result."""

import sys
import time
from collections.abc import Callable, Iterator

import typer
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from jimbo.colours import CYAN, GOLD, GREEN, ORANGE, QUIET, RED
from jimbo.console import make_console
from jimbo.data.record import Decision, Ending, Header
from jimbo.data.record_files import decision_line, ending_line, header_line
from jimbo.engine import LAST_ANTE, PublicCard, PublicState
from jimbo.engine.catalog import BLINDS
from jimbo.rollout.loop import Moment
from jimbo.serve.assistant.advice import chosen_of
from jimbo.serve.assistant.prospects import Prospects
from jimbo.serve.assistant.reasons import Reasoner
from jimbo.serve.terminal.advice import choice_table, clear_text
from jimbo.serve.terminal.items import item_text, joker_text
from jimbo.serve.terminal.story import story, words
from jimbo.text import (
    MEASURES,
    action_words,
    blind_text,
    counted,
    game_text,
    joker_now,
    money_text,
    number_text,
    place_name,
    tell,
    value_text,
)

DELAY = 1.0
MAX_DELAY = 3600.0
_CONSIDERED_SHOWN = 6
_LABEL = 9


class Show:
    """A run on the terminal, or as JSON lines for machines."""

    def __init__(self, *, as_json: bool, delay: float | None, on_enter: bool) -> None:
        """Raise ValueError with a sentence for pauses that make no sense."""
        if on_enter and delay is not None:
            raise ValueError("Choose either --delay or --step.")
        if delay is not None and not 0 <= delay <= MAX_DELAY:
            raise ValueError(f"--delay takes seconds, a number from 0 to {MAX_DELAY:g}, not {delay:g}.")
        self._console = make_console()
        self._as_json = as_json
        self._delay = DELAY if delay is None else delay
        self._on_enter = on_enter
        # Nobody waits for a pipe.
        self._waits = self._console.is_terminal and not as_json

    def begin(self, header: Header) -> None:
        if self._as_json:
            typer.echo(header_line(header))
        else:
            self._console.print(header_text(header))
            self._console.print()

    def moment(self, moment: Moment) -> None:
        if self._as_json:
            typer.echo(decision_line(moment.step, moment.decision))
        else:
            self._console.print(moment_text(moment, self._console.width))
            self._wait()

    def finish(self, end: Ending) -> None:
        show_end(end, self._console, as_json=self._as_json)

    def _wait(self) -> None:
        if not self._waits:
            return
        if self._on_enter and sys.stdin.isatty():
            self._console.input(f"[{QUIET}]Press Enter to continue.[/]")
        else:
            time.sleep(self._delay)


def show_end(end: Ending, console: Console, *, as_json: bool) -> None:
    if as_json:
        typer.echo(ending_line(end))
    else:
        console.print(ending_text(end))


def header_text(header: Header) -> Text:
    options = "".join(f" {name}={value}" for name, value in header.options.items())
    return Text.assemble(
        (f"{header.agent}{options}", "bold"),
        f" plays {header.seed}",
        (f"   {game_text(header.deck, header.stake, header.challenge)} · nonce {header.nonce}", QUIET),
    )


def moment_text(moment: Moment, width: int) -> Group:
    return Group(
        _head(moment, width),
        _rows(moment.before),
        Text.assemble(("▶ ", f"bold {GREEN}"), words(action_words(moment.decision.action, moment.before), "bold")),
        *_reasons(moment.decision, moment.before),
        *story(tell(moment.events, moment.before, moment.after), width),
        Text(""),
    )


def ending_text(end: Ending) -> Text:
    ante = LAST_ANTE if end.result == "win" else end.ante  # beating the last boss begins another ante
    where = f"in ante {ante}, round {end.round}, after {counted(end.steps, 'decision')}"
    if end.result == "win":
        return Text(f"The run is won {where}.", style=f"bold {ORANGE}")
    if end.result == "loss":
        return Text(f"The run is lost {where}.", style=f"bold {RED}")
    return Text(f"The run was left {where}.", style="bold")


def _head(moment: Moment, width: int) -> Text:
    state = moment.before
    left = Text.assemble(
        ("━━ ", CYAN), (f"Ante {state.ante}", "bold"), f" · Round {state.round} · {place_name(state)} "
    )
    right = Text.assemble((f" {money_text(state.dollars)}", GOLD), (f" · {moment.step}", QUIET))
    line = "━" * max(0, width - left.cell_len - right.cell_len)
    return Text.assemble(left, (line, CYAN), right)


# --- The state --------------------------------------------------------------------------------------------------------


def _rows(state: PublicState) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style=QUIET, width=_LABEL - 1, no_wrap=True)
    table.add_column()
    for label, content in (*_PHASES.get(state.phase, _nothing)(state), *_owned(state)):
        table.add_row(label, content)
    return table


def _nothing(_state: PublicState) -> Iterator[tuple[str, Text]]:
    return iter(())


def _blinds(state: PublicState) -> Iterator[tuple[str, Text]]:
    for blind in state.blinds:
        if blind.progress != "done":
            text = words(f"{blind.name}: {number_text(blind.target)}, pays ${blind.reward}")
            if blind.tag:
                text.append(f"   skip: {blind.tag.name}", style=QUIET)
            elif blind_text(blind):
                text.append(f"   {blind_text(blind)}", style=RED)
            yield "Next" if blind.progress == "now" else "", text


def _round(state: PublicState) -> Iterator[tuple[str, Text]]:
    left = (
        counted(state.hands_left, "hand"),
        counted(state.discards_left, "discard"),
        f"{counted(state.draw_pile, 'card')} to draw",
    )
    yield (
        "Score",
        Text.assemble(
            (number_text(state.chips), "bold"),
            f" of {number_text(state.blind.target)}",
            (f"   {', '.join(left)}", QUIET),
        ),
    )
    fact = BLINDS[state.blind.key]
    if fact.boss:
        yield "Boss", Text(fact.text, style=f"{QUIET} strike" if state.blind.disabled else RED)
    yield from _hand(state)


def _hand(state: PublicState) -> Iterator[tuple[str, Text]]:
    if state.hand:
        yield "Hand", Text("  ").join(_card(card) for card in state.hand)


def _card(card: PublicCard) -> Text:
    if card.face_down:
        return Text("??", style=QUIET)
    text = item_text(card)
    if card.debuffed:
        text.stylize(f"{QUIET} strike")
    return text


def _cash_out(state: PublicState) -> Iterator[tuple[str, Text]]:
    payout = state.payout
    parts = (
        ("blind", payout.blind),
        ("hands", payout.hands),
        ("discards", payout.discards),
        ("jokers", payout.jokers),
        ("interest", payout.interest),
        ("tags", payout.tags),
    )
    yield "Pays", words(", ".join(f"{name} {money_text(dollars)}" for name, dollars in parts if dollars) or "nothing")


def _shop(state: PublicState) -> Iterator[tuple[str, Text]]:
    offers: tuple[tuple[str, list[tuple[Text, int]]], ...] = (
        ("Cards", [(item_text(item), item.price) for item in state.shop]),
        ("Voucher", [(Text(item.name), item.price) for item in state.shop_vouchers]),
        ("Packs", [(Text(item.name), item.price) for item in state.shop_boosters]),
    )
    for label, items in offers:
        if items:
            yield label, Text(",  ").join(Text.assemble(name, (f" ${price}", GOLD)) for name, price in items)
    yield "Reroll", words(money_text(state.reroll_price))


def _pack(state: PublicState) -> Iterator[tuple[str, Text]]:
    if state.pack:
        yield f"Take {state.pack.picks_left}", Text(",  ").join(item_text(card) for card in state.pack.cards)
    yield from _hand(state)


def _owned(state: PublicState) -> Iterator[tuple[str, Text]]:
    if state.jokers:
        named = ((joker_text(joker), joker_now(joker, state)) for joker in state.jokers)
        yield "Jokers", Text(",  ").join(Text.assemble(name, words(f" {now}" if now else "")) for name, now in named)
    if state.consumables:
        yield "Held", Text(",  ").join(item_text(card) for card in state.consumables)


_PHASES: dict[str, Callable[[PublicState], Iterator[tuple[str, Text]]]] = {
    "blind_select": _blinds,
    "selecting_hand": _round,
    "round_eval": _cash_out,
    "shop": _shop,
    "pack_opening": _pack,
}


# --- The reasons ------------------------------------------------------------------------------------------------------


def _reasons(decision: Decision, state: PublicState) -> Iterator[RenderableType]:
    chosen = chosen_of(decision)
    why = Reasoner(Prospects(state), decision, chosen).reason(decision.action, chosen, is_choice=True)
    if text := why.text or decision.explanation:
        yield Padding(words(text, "italic"), (0, 0, 0, 2), expand=False)
    if len(decision.considered) > 1:
        yield _considered(decision, state)


def _considered(decision: Decision, state: PublicState) -> Table:
    """Best first, the chosen one marked."""
    chosen = chosen_of(decision)
    listed = [one for place, one in enumerate(decision.considered) if place < _CONSIDERED_SHOWN or one is chosen]
    values = [one.value for one in decision.considered]
    name, meaning = MEASURES[decision.measure]
    rows = [
        (
            Text("  ▶" if one is chosen else "", style=GREEN),
            Text(value_text(one.value, decision.measure, values)),
            clear_text(one.clear, one.error),
            Text.assemble(words(action_words(one.action, state)), (f"   {one.text}" if one.text else "", QUIET)),
        )
        for one in listed
    ]
    marked = next((place for place, one in enumerate(listed) if one is chosen), -1)
    return choice_table((name, "clears", f"considered, by {meaning}"), rows, marked)

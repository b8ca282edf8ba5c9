"""One decision of an agent as text: where the run stands, what was considered, what was done and what came of it."""

from collections.abc import Callable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from jimbo.agents import Considered, Decision, Measure
from jimbo.colours import CYAN, GOLD, GREEN, ORANGE, QUIET, RED
from jimbo.engine.catalog import BLINDS
from jimbo.engine.run import CardView, RunView
from jimbo.eval.recording import Ending, Header, Moment
from jimbo.eval.report import game_text
from jimbo.eval.rows import LAST_ANTE
from jimbo.serve.terminal.screen import item_text, joker_text
from jimbo.serve.terminal.story import story, words
from jimbo.text import action_words, counted, joker_now, money_text, number_text, percent_text, points_text

_CONSIDERED_SHOWN = 6
_LABEL = 9


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
        *story(moment.told, width),
        Text(""),
    )


def ending_text(end: Ending) -> Text:
    ante = LAST_ANTE if end.result == "win" else end.ante  # beating the last boss begins another ante
    where = f"in ante {ante}, round {end.round}, after {counted(end.steps, 'decision')}"
    if end.result == "win":
        return Text(f"The run is won {where}.", style=f"bold {ORANGE}")
    if end.result == "loss":
        return Text(f"The run is lost {where}.", style=f"bold {RED}")
    return Text(f"The run is left {where}.", style="bold")


def _head(moment: Moment, width: int) -> Text:
    view = moment.before
    left = Text.assemble(("━━ ", CYAN), (f"Ante {view.ante}", "bold"), f" · Round {view.round} · {_place(view)} ")
    right = Text.assemble((f" {money_text(view.dollars)}", GOLD), (f" · {moment.step}", QUIET))
    line = "━" * max(0, width - left.cell_len - right.cell_len)
    return Text.assemble(left, (line, CYAN), right)


def _place(view: RunView) -> str:
    if view.phase == "selecting_hand":
        return BLINDS[view.blind].name
    if view.phase == "round_eval":
        return f"{BLINDS[view.blind].name} beaten"
    if view.phase == "pack_opening":
        return view.pack.fact.name if view.pack else ""
    return {"blind_select": "Choose a blind", "shop": "Shop"}.get(view.phase, "The run is over")


# --- The state --------------------------------------------------------------------------------------------------------


def _rows(view: RunView) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style=QUIET, width=_LABEL - 1, no_wrap=True)
    table.add_column()
    for label, content in (*_PHASES.get(view.phase, _nothing)(view), *_owned(view)):
        table.add_row(label, content)
    return table


def _nothing(_view: RunView) -> Iterator[tuple[str, Text]]:
    return iter(())


def _blinds(view: RunView) -> Iterator[tuple[str, Text]]:
    for blind in view.blinds:
        if blind.state != "done":
            text = words(f"{blind.name}: {number_text(blind.target)}, pays ${blind.reward}")
            if blind.tag:
                text.append(f"   skip: {blind.tag.fact.name}", style=QUIET)
            elif blind.text:
                text.append(f"   {blind.text}", style=RED)
            yield "Next" if blind.state == "now" else "", text


def _round(view: RunView) -> Iterator[tuple[str, Text]]:
    left = (
        counted(view.hands_left, "hand"),
        counted(view.discards_left, "discard"),
        f"{counted(len(view.draw_pile), 'card')} to draw",
    )
    yield (
        "Score",
        Text.assemble(
            (number_text(view.chips), "bold"),
            f" of {number_text(view.target)}",
            (f"   {', '.join(left)}", QUIET),
        ),
    )
    if BLINDS[view.blind].boss:
        yield "Boss", Text(BLINDS[view.blind].text, style=f"{QUIET} strike" if view.blind_disabled else RED)
    yield from _hand(view)


def _hand(view: RunView) -> Iterator[tuple[str, Text]]:
    if view.hand:
        yield "Hand", Text("  ").join(_card(card) for card in view.hand)


def _card(card: CardView) -> Text:
    if card.face_down:
        return Text("??", style=QUIET)
    text = item_text(card)
    if card.debuffed:
        text.stylize(f"{QUIET} strike")
    return text


def _cash_out(view: RunView) -> Iterator[tuple[str, Text]]:
    payout = view.payout
    parts = (
        ("blind", payout.blind),
        ("hands", payout.hands),
        ("discards", payout.discards),
        ("jokers", payout.jokers),
        ("interest", payout.interest),
        ("tags", payout.tags),
    )
    yield "Pays", words(", ".join(f"{name} {money_text(dollars)}" for name, dollars in parts if dollars) or "nothing")


def _shop(view: RunView) -> Iterator[tuple[str, Text]]:
    offers: tuple[tuple[str, list[tuple[Text, int]]], ...] = (
        ("Cards", [(item_text(item.card), item.price) for item in view.shop]),
        ("Voucher", [(Text(item.fact.name), item.price) for item in view.shop_vouchers]),
        ("Packs", [(Text(item.fact.name), item.price) for item in view.boosters]),
    )
    for label, items in offers:
        if items:
            yield label, Text(",  ").join(Text.assemble(name, (f" ${price}", GOLD)) for name, price in items)
    yield "Reroll", words(money_text(view.reroll_price))


def _pack(view: RunView) -> Iterator[tuple[str, Text]]:
    if view.pack:
        yield f"Take {view.pack.picks_left}", Text(",  ").join(item_text(card) for card in view.pack.cards)
    yield from _hand(view)


def _owned(view: RunView) -> Iterator[tuple[str, Text]]:
    if view.jokers:
        named = ((joker_text(joker), "" if joker.face_down else joker_now(joker, view)) for joker in view.jokers)
        yield "Jokers", Text(",  ").join(Text.assemble(name, words(f" {now}" if now else "")) for name, now in named)
    if view.consumables:
        yield "Held", Text(",  ").join(item_text(card) for card in view.consumables)


_PHASES: dict[str, Callable[[RunView], Iterator[tuple[str, Text]]]] = {
    "blind_select": _blinds,
    "selecting_hand": _round,
    "round_eval": _cash_out,
    "shop": _shop,
    "pack_opening": _pack,
}


# --- The reasons ------------------------------------------------------------------------------------------------------


def _reasons(decision: Decision, view: RunView) -> Iterator[RenderableType]:
    if decision.explanation:
        yield Padding(words(decision.explanation, "italic"), (0, 0, 0, 2), expand=False)
    if len(decision.considered) > 1:
        yield _considered(decision, view)


# The name of a value, and what it is.
_MEASURES: dict[Measure, tuple[str, str]] = {
    "score": ("score", "the score expected"),
    "clear": ("value", "the chance to clear and money"),
    "win": ("gain", "what it adds to the chance to win"),
    "value": ("value", "the agent's own value"),
}


def _considered(decision: Decision, view: RunView) -> Table:
    """Best first, the chosen one marked."""
    listed = decision.considered
    chosen = _chosen(decision)
    with_clear = any(considered.clear is not None for considered in listed)
    name, meaning = _MEASURES[decision.measure]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    table.add_column("", width=3, justify="right")
    table.add_column(name, justify="right", no_wrap=True)
    if with_clear:
        table.add_column("clears", justify="right", no_wrap=True)
    table.add_column(f"considered, by {meaning}")
    for place, considered in enumerate(listed):
        if place >= _CONSIDERED_SHOWN and considered is not chosen:
            continue
        what = words(action_words(considered.action, view))
        if considered.text:
            what.append(f"   {considered.text}", style=QUIET)
        value = Text(_value(considered.value, decision))
        cells = (value, _clear(considered), what) if with_clear else (value, what)
        mark = Text("▶" if considered is chosen else "", style=GREEN)
        table.add_row(mark, *cells, style="bold" if considered is chosen else "")
    return table


def _chosen(decision: Decision) -> Considered | None:
    """An agent may leave it to its action to say which."""
    flagged = (considered for considered in decision.considered if considered.chosen)
    equal = (considered for considered in decision.considered if considered.action == decision.action)
    return next(flagged, None) or next(equal, None)


def _value(value: float, decision: Decision) -> str:
    if decision.measure == "win":
        return points_text(value, *(considered.value for considered in decision.considered))
    return number_text(value) if decision.measure == "score" or abs(value) >= 10 else f"{value:.3f}"


def _clear(considered: Considered) -> Text:
    if considered.clear is None:
        return Text("")
    error = f" +/- {100 * considered.error:.1f}" if considered.error is not None else ""
    return Text(f"{percent_text(considered.clear)}{error}", style=GREEN if considered.clear >= 0.5 else RED)

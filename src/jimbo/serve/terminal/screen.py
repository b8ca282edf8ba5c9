"""What a player of ``jimbo play`` sees: one screen for each phase of the game."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import BLUE, CYAN, GOLD, GREEN, ORANGE, QUIET, RED
from jimbo.console import make_console
from jimbo.engine import LAST_ANTE, PublicBlind, PublicCard, PublicState
from jimbo.engine.catalog import BLINDS, BOOSTERS, CONSUMABLES, JOKERS, VOUCHERS
from jimbo.serve.terminal.help import hints
from jimbo.serve.terminal.items import PICKED, card_boxes, in_columns, item_text, joker_text, marks
from jimbo.serve.terminal.story import words
from jimbo.text import (
    blind_text,
    full_deck,
    game_text,
    joker_now,
    money_text,
    next_blind,
    number_text,
    offer_text,
    place_name,
    rounds,
    tag_text,
)

LABEL = 9
# With more jokers than this, their texts are left out.
MANY_JOKERS = 6
BAR = 20
# How a screen is shortened, each way including those before it: texts of owned cards to one line, then all texts;
# owned cards without texts in columns; the hand without boxes.
CUT_NOTHING, CUT_OWNED, CUT_ALL, CUT_TEXTS, CUT_BOXES = range(5)
WON = Text(f"{rounds.WON}, or leave with q.", style=f"bold {ORANGE}")

Row = tuple[str, RenderableType]


def screen(
    state: PublicState,
    seed: str,
    width: int,
    height: int | None = None,
    *,
    with_commands: bool = True,
    picked: Collection[int] = (),
) -> Group:
    """Shortened step by step until it fits into the height, as far as that is possible. ``with_commands``: what can be
    typed stands below it. ``picked``: cards of the hand to be marked."""
    for cut in range(CUT_BOXES):
        content = Screen(state, seed, width, cut, picked).draw(with_commands)
        if height is None or _lines(content, width) <= height:
            return content
    return Screen(state, seed, width, CUT_BOXES, picked).draw(with_commands)


def _lines(content: RenderableType, width: int) -> int:
    return len(make_console(width=width).render_lines(content, pad=False))


@dataclass(frozen=True)
class Screen:
    state: PublicState
    seed: str
    width: int
    cut: int
    picked: Collection[int]

    def draw(self, with_commands: bool) -> Group:
        return Group(self._head(), *_PHASES[self.state.phase](self), *([self._hints()] if with_commands else []))

    def _head(self) -> Text:
        state = self.state
        place = (place_name(state), "bold")
        left = Text.assemble(("━━ ", CYAN), (f"Ante {state.ante}", "bold"), f" · Round {state.round} · ", place, " ")
        right = f" {self.seed} · {game_text(state.deck, state.stake, state.challenge)}"
        line = "━" * (self.width - left.cell_len - len(right))
        return Text.assemble(left, (line, CYAN), (right, QUIET)) if line else left

    def _hints(self) -> Text:
        parts = (Text.assemble((command, CYAN), (f" {meaning}", QUIET)) for command, meaning in hints(self.state))
        line = Text(" · ", style=QUIET).join(parts)
        line.no_wrap, line.overflow = True, "ellipsis"
        return line

    # --- Phases -------------------------------------------------------------------------------------------------------

    def blind_select(self) -> list[RenderableType]:
        return [self._rows(("Blinds", self._blinds()), ("Money", self._status()))]

    def _blinds(self) -> Table:
        table = self._list("<>><")
        for blind in self.state.blinds:
            if blind.progress == "done":
                table.add_row(Text(f"  {blind.name}", style=QUIET), "", "", Text("done", style=QUIET))
                continue
            name = Text.assemble("▶ " if blind.progress == "now" else "  ", (blind.name, "bold"))
            table.add_row(
                name, number_text(blind.target), Text(f"${blind.reward}", style=GOLD), self._blind_more(blind)
            )
        return table

    def _blind_more(self, blind: PublicBlind) -> Text:
        if not blind.tag:
            return Text(blind_text(blind), style=RED)
        return Text.assemble(("skip: ", QUIET), blind.tag.name, ("  ", ""), words(tag_text(blind.tag), QUIET))

    def round(self) -> list[RenderableType]:
        rows: list[Row] = [("Score", self._score())]
        if BLINDS[self.state.blind.key].boss:
            rows.append(("Boss", self._boss()))
        rows.append(("Money", self._status()))
        return [self._rows(*rows), *self._hand()]

    def _score(self) -> Text:
        chips, target = self.state.chips, self.state.blind.target
        full = BAR if chips >= target else int(BAR * chips / target)
        return Text.assemble(
            (number_text(chips), "bold"),
            f" of {number_text(target)}  ",
            ("█" * full, GREEN),
            ("░" * (BAR - full), QUIET),
            (f"  {number_text(max(0.0, target - chips))} to go", QUIET),
        )

    def _boss(self) -> Text:
        text = rounds.boss_words(self.state)
        if self.state.blind.disabled:
            return Text.assemble((text, f"{QUIET} strike"), "  disabled")
        return Text(text, style=RED)

    def cash_out(self) -> list[RenderableType]:
        table = self._list("><")
        for dollars, what in rounds.payout_rows(self.state):
            table.add_row(Text(money_text(dollars), style=GOLD), what)
        table.add_row(Text(money_text(self.state.payout.total), style=f"bold {GOLD}"), Text("in all", style="bold"))
        return [
            *([WON] if rounds.just_won(self.state) else []),
            self._rows(("Cash out", table), ("Money", self._status())),
        ]

    def shop(self) -> list[RenderableType]:
        state = self.state
        price = f"${state.reroll_price}" if state.reroll_price else "free"
        offers = {
            "b": [(item_text(item), item.price, offer_text(item)) for item in state.shop],
            "v": [(Text(item.name), item.price, VOUCHERS[item.key].text) for item in state.shop_vouchers],
            "o": [(Text(item.name), item.price, BOOSTERS[item.key].text) for item in state.shop_boosters],
        }
        names = max((name.cell_len for items in offers.values() for name, _, _ in items), default=0)
        return [
            self._rows(
                ("Money", Text.assemble(self._status(), ("   reroll ", QUIET), (price, GOLD))),
                ("Next", self._next()),
                *(
                    (label, self._for_sale(letter, items, names))
                    for label, (letter, items) in zip(("Cards", "Vouchers", "Packs"), offers.items(), strict=True)
                ),
            )
        ]

    def _next(self) -> Text:
        """The blind after the shop, and the boss of the ante."""
        coming, boss = next_blind(self.state), self.state.blinds[-1]
        text = Text.assemble(coming.name, (f"  {number_text(coming.target)}", QUIET))
        if coming.slot != boss.slot:
            text.append(f"   boss {boss.name}", style=QUIET)
        return text.append(f": {blind_text(boss)}", style=QUIET)

    def _for_sale(self, letter: str, items: Sequence[tuple[Text, int, str]], name_width: int) -> RenderableType:
        if not items:
            return Text("sold out", style=QUIET)
        table = self._list("<><<")
        table.columns[2].min_width = name_width
        for i, (name, price, text) in enumerate(items, 1):
            style = GOLD if price <= max(self.state.spendable, 0) else RED
            cost = Text(f"{f'${price}' if price else 'free':>4}", style=style)
            table.add_row(Text(f"{letter}{i}", style=CYAN), cost, name, words(text, QUIET))
        return table

    def pack(self) -> list[RenderableType]:
        pack = self.state.pack
        assert pack
        table = self._list("<<<")
        for i, card in enumerate(pack.cards, 1):
            table.add_row(Text(f"k{i}", style=CYAN), item_text(card), words(offer_text(card), QUIET))
        label = f"Take {min(pack.picks_left, len(pack.cards))}"
        return [self._rows((label, table), ("Money", self._status())), *self._hand()]

    def game_over(self) -> list[RenderableType]:
        won = [Text(f"It had been won in ante {LAST_ANTE}.", style=ORANGE)] if self.state.won else []
        why = Text(rounds.lost_words(self.state), style=f"bold {RED}")
        return [why, *won, Text(rounds.hands_words(self.state)), self._rows(("Money", self._status()))]

    # --- Parts --------------------------------------------------------------------------------------------------------

    def _list(self, columns: str, cut_from: int = CUT_ALL) -> Table:
        """A table without lines: ``<`` and ``>`` align its columns, and the last one gives way."""
        cut = self.cut >= cut_from
        table = Table.grid(padding=(0, 2, 0, 0), expand=True)
        for align in columns[:-1]:
            table.add_column(justify="right" if align == ">" else "left", no_wrap=True)
        table.add_column(no_wrap=cut, overflow="ellipsis" if cut else "fold", ratio=1)
        return table

    def _rows(self, *first: Row) -> Table:
        """Labelled rows: those of the phase, then what is owned."""
        table = Table.grid(padding=(0, 1, 0, 0), expand=True)
        table.add_column(style=QUIET, width=LABEL - 1, no_wrap=True)
        table.add_column(ratio=1)
        for label, content in (*first, *self._owned()):
            table.add_row(label, content)
        return table

    def _status(self) -> Text:
        state = self.state
        playing = state.phase in ("selecting_hand", "game_over")
        text = Text.assemble((money_text(state.dollars), f"bold {GOLD}"))
        for name, value, style in (
            ("hands", state.hands_left if playing else state.hands_per_round, BLUE),
            ("discards", state.discards_left if playing else state.discards_per_round, RED),
            ("hand size", state.hand_size, ""),
            ("deck", f"{state.draw_pile} of {len(full_deck(state))}", ""),
        ):
            text.append(f"   {name} ", style=QUIET).append(f"{value}", style=style)
        return text

    def _hand(self) -> list[RenderableType]:
        hand = self.state.hand
        if not hand:
            return []
        marks = {
            "✗ debuffed": any(card.debuffed for card in hand),
            "? face down": any(card.face_down for card in hand),
            "! always selected": any(card.forced for card in hand),
        }
        legend = "   ".join(meaning for meaning, there in marks.items() if there)
        if self.cut < CUT_BOXES:
            cards: RenderableType = card_boxes(hand, self.width, self.picked)
        else:
            cards = in_columns(_numbered(hand, self.picked), self.width)
        return [cards, *([Text(legend, style=QUIET)] if legend else [])]

    def _owned(self) -> Iterator[Row]:
        state, width = self.state, self.width - LABEL
        if jokers := len(state.jokers):
            count = f"{jokers} of {jokers + state.joker_room}"
            yield f"Jokers\n{count}" if jokers > 1 else "Jokers", self._jokers(width)
        if state.consumables:
            yield "Held", self._consumables(width)
        if state.tags:
            tags = [Text.assemble((f"t{i} ", CYAN), tag.name) for i, tag in enumerate(state.tags, 1)]
            yield "Tags", in_columns(tags, width)
        if state.vouchers and state.phase in ("blind_select", "shop"):
            yield "Redeemed", in_columns([Text(VOUCHERS[key].name, style=QUIET) for key in state.vouchers], width)

    def _jokers(self, width: int) -> Table:
        entries = [
            (
                Text(f"j{i}", style=CYAN),
                joker_text(joker),
                words(joker_now(joker, self.state), "bold"),
                words(JOKERS[joker.key].text if joker.key else "", QUIET),
            )
            for i, joker in enumerate(self.state.jokers, 1)
        ]
        if len(entries) > MANY_JOKERS or self.cut >= CUT_TEXTS:
            return in_columns([Text(" ").join((number, name, now)) for number, name, now, _ in entries], width)
        any_now = any(now for _, _, now, _ in entries)
        table = self._list("<<<<" if any_now else "<<<", CUT_OWNED)
        for number, name, now, text in entries:
            table.add_row(number, name, *([now] if any_now else []), text)
        return table

    def _consumables(self, width: int) -> Table:
        entries = [
            (Text(f"c{i}", style=CYAN), item_text(card), words(CONSUMABLES[card.key].text, QUIET))
            for i, card in enumerate(self.state.consumables, 1)
        ]
        if len(entries) > MANY_JOKERS or self.cut >= CUT_TEXTS:
            return in_columns([Text(" ").join((number, name)) for number, name, _ in entries], width)
        table = self._list("<<<", CUT_OWNED)
        for entry in entries:
            table.add_row(*entry)
        return table


def _numbered(hand: Sequence[PublicCard], picked: Collection[int]) -> list[Text]:
    return [
        Text.assemble(
            (f"{i + 1:>2} ", PICKED if i in picked else CYAN),
            (marks(card), RED),
            Text("░░") if card.face_down else item_text(card),
        )
        for i, card in enumerate(hand)
    ]


_PHASES: dict[str, Callable[[Screen], list[RenderableType]]] = {
    "blind_select": Screen.blind_select,
    "selecting_hand": Screen.round,
    "round_eval": Screen.cash_out,
    "shop": Screen.shop,
    "pack_opening": Screen.pack,
    "game_over": Screen.game_over,
}

"""What a player of ``jimbo play`` sees: one screen for each phase of the game."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jimbo.colours import BLUE, CYAN, GOLD, GREEN, ORANGE, QUIET, RED
from jimbo.console import make_console
from jimbo.engine.catalog import BLINDS, CHALLENGES, DECKS, STAKES
from jimbo.engine.run import BlindView, CardView, JokerView, OfferView, RunView
from jimbo.eval.rows import LAST_ANTE
from jimbo.seeds import Card
from jimbo.serve.terminal.cards import card_boxes, marks
from jimbo.serve.terminal.help import hints
from jimbo.serve.terminal.items import card_text, extras, in_columns
from jimbo.serve.terminal.story import words
from jimbo.text import counted, joker_now, money_text, number_text

LABEL = 9
# With more jokers than this their texts give way.
MANY_JOKERS = 6
BAR = 20
# How a screen is shortened, each with all before it: texts of owned cards to one line, then all texts; owned cards
# without texts in columns; the hand without boxes.
CUT_NOTHING, CUT_OWNED, CUT_ALL, CUT_TEXTS, CUT_BOXES = range(5)
WON = Text(
    f"You have won in ante {LAST_ANTE}! Play on for as long as you like, or leave with q.", style=f"bold {ORANGE}"
)

Row = tuple[str, RenderableType]


def screen(view: RunView, width: int, height: int | None = None) -> Group:
    """Shortened step by step until it fits into the height, as far as that is possible."""
    for cut in range(CUT_BOXES):
        content = Screen(view, width, cut).draw()
        if height is None or _lines(content, width) <= height:
            return content
    return Screen(view, width, CUT_BOXES).draw()


def _lines(content: RenderableType, width: int) -> int:
    return len(make_console(width=width).render_lines(content, pad=False))


def item_text(card: OfferView) -> Text:
    """The name of a card on offer or owned, with its edition, seal and stickers."""
    if isinstance(card, CardView):
        seen = Card(card.key, card.name, card.edition, card.enhancement, card.seal)
        # A Stone card shows neither rank nor suit.
        return Text.assemble(("Stone", "bold"), extras(seen)) if card.is_stone else card_text(seen)
    return card_text(Card(card.key, card.name, card.edition, stickers=card.stickers))


def joker_text(joker: JokerView) -> Text:
    """The name of an owned joker, with what has become of it."""
    if joker.face_down:
        return Text("? face down", style=QUIET)
    text = item_text(joker)
    if joker.debuffed:
        text.stylize(f"{QUIET} strike")
        return Text.assemble(text, (" ✗", RED))
    if "perishable" in joker.stickers:
        text.append(f" {joker.perish_left}", style=CYAN)
    return text


@dataclass(frozen=True)
class Screen:
    view: RunView
    width: int
    cut: int

    def draw(self) -> Group:
        return Group(self._head(), *_PHASES[self.view.phase](self), self._hints())

    def _head(self) -> Text:
        view = self.view
        place = {
            "blind_select": "Choose a blind",
            "selecting_hand": BLINDS[view.blind].name,
            "round_eval": f"{BLINDS[view.blind].name} beaten",
            "shop": "Shop",
            "pack_opening": view.pack.fact.name if view.pack else "",
            "game_over": "The run is over",
        }[view.phase]
        left = Text.assemble(
            ("━━ ", CYAN), (f"Ante {view.ante}", "bold"), f" · Round {view.round} · ", (place, "bold"), " "
        )
        rules = CHALLENGES[view.challenge].name if view.challenge else DECKS[view.deck].name
        right = f" {view.seed} · {rules} · {STAKES[view.stake].name}"
        line = "━" * (self.width - left.cell_len - len(right))
        return Text.assemble(left, (line, CYAN), (right, QUIET)) if line else left

    def _hints(self) -> Text:
        parts = (Text.assemble((command, CYAN), (f" {meaning}", QUIET)) for command, meaning in hints(self.view))
        line = Text(" · ", style=QUIET).join(parts)
        line.no_wrap, line.overflow = True, "ellipsis"
        return line

    # --- Phases -------------------------------------------------------------------------------------------------------

    def blind_select(self) -> list[RenderableType]:
        return [self._rows(("Blinds", self._blinds()), ("Money", self._status()))]

    def _blinds(self) -> Table:
        table = self._list("<>><")
        for blind in self.view.blinds:
            if blind.state == "done":
                table.add_row(Text(f"  {blind.name}", style=QUIET), "", "", Text("done", style=QUIET))
                continue
            name = Text.assemble("▶ " if blind.state == "now" else "  ", (blind.name, "bold"))
            table.add_row(
                name, number_text(blind.target), Text(f"${blind.reward}", style=GOLD), self._blind_more(blind)
            )
        return table

    def _blind_more(self, blind: BlindView) -> Text:
        if not blind.tag:
            return Text(blind.text, style=RED)
        return Text.assemble(("skip: ", QUIET), blind.tag.fact.name, ("  ", ""), words(blind.tag.text, QUIET))

    def round(self) -> list[RenderableType]:
        rows: list[Row] = [("Score", self._score())]
        if BLINDS[self.view.blind].boss:
            rows.append(("Boss", self._boss()))
        rows.append(("Money", self._status()))
        return [self._rows(*rows), *self._hand()]

    def _score(self) -> Text:
        view = self.view
        full = BAR if view.chips >= view.target else int(BAR * view.chips / view.target)
        return Text.assemble(
            (number_text(view.chips), "bold"),
            f" of {number_text(view.target)}  ",
            ("█" * full, GREEN),
            ("░" * (BAR - full), QUIET),
            (f"  {number_text(max(0.0, view.target - view.chips))} to go", QUIET),
        )

    def _boss(self) -> Text:
        view = self.view
        text = BLINDS[view.blind].text
        if view.blind_disabled:
            return Text.assemble((text, f"{QUIET} strike"), "  disabled")
        if view.blind == "bl_ox":
            text += f"  ({view.most_played})"
        if view.blind == "bl_mouth" and view.only_hand:
            text += f"  ({view.only_hand})"
        return Text(text, style=RED)

    def cash_out(self) -> list[RenderableType]:
        payout = self.view.payout
        table = self._list("><")
        for dollars, what in (
            (payout.blind, f"reward of {BLINDS[self.view.blind].name}"),
            (payout.hands, "hands left"),
            (payout.discards, "discards left"),
            (payout.jokers, "jokers"),
            (payout.interest, "interest"),
            (payout.tags, "tags"),
        ):
            if dollars:
                table.add_row(Text(money_text(dollars), style=GOLD), what)
        table.add_row(Text(money_text(payout.total), style=f"bold {GOLD}"), Text("in all", style="bold"))
        won = self.view.won and self.view.ante == LAST_ANTE + 1 and BLINDS[self.view.blind].boss
        return [*([WON] if won else []), self._rows(("Cash out", table), ("Money", self._status()))]

    def shop(self) -> list[RenderableType]:
        view = self.view
        price = f"${view.reroll_price}" if view.reroll_price else "free"
        coming = next(blind for blind in view.blinds if blind.state == "now")
        next_blind = Text.assemble(coming.name, (f"  {number_text(coming.target)}", QUIET))
        if coming is not view.blinds[-1]:
            next_blind.append(f"   boss {view.blinds[-1].name}", style=QUIET)
        next_blind.append(f": {view.blinds[-1].text}", style=QUIET)
        offers = {
            "b": [(item_text(item.card), item.price, _text(item.card)) for item in view.shop],
            "v": [(Text(item.fact.name), item.price, item.fact.text) for item in view.shop_vouchers],
            "o": [(Text(item.fact.name), item.price, item.fact.text) for item in view.boosters],
        }
        names = max((name.cell_len for items in offers.values() for name, _, _ in items), default=0)
        return [
            self._rows(
                ("Money", Text.assemble(self._status(), ("   reroll ", QUIET), (price, GOLD))),
                ("Next", next_blind),
                *(
                    (label, self._for_sale(letter, items, names))
                    for label, (letter, items) in zip(("Cards", "Vouchers", "Packs"), offers.items(), strict=True)
                ),
            )
        ]

    def _for_sale(self, letter: str, items: Sequence[tuple[Text, int, str]], name_width: int) -> RenderableType:
        if not items:
            return Text("sold out", style=QUIET)
        table = self._list("<><<")
        table.columns[2].min_width = name_width
        for i, (name, price, text) in enumerate(items, 1):
            style = GOLD if price <= max(self.view.dollars, 0) else RED
            cost = Text(f"{f'${price}' if price else 'free':>4}", style=style)
            table.add_row(Text(f"{letter}{i}", style=CYAN), cost, name, words(text, QUIET))
        return table

    def pack(self) -> list[RenderableType]:
        pack = self.view.pack
        assert pack
        table = self._list("<<<")
        for i, card in enumerate(pack.cards, 1):
            table.add_row(Text(f"k{i}", style=CYAN), item_text(card), words(_text(card), QUIET))
        label = f"Take {min(pack.picks_left, len(pack.cards))}"
        return [self._rows((label, table), ("Money", self._status())), *self._hand()]

    def game_over(self) -> list[RenderableType]:
        view = self.view
        why = f"Lost to {BLINDS[view.blind].name}: {number_text(view.chips)} of {number_text(view.target)}."
        if view.end == "no_room":
            why = "The run has outgrown the room that the engine has for cards."
        most = max(view.hands, key=lambda hand: hand.played)
        facts = f"{counted(view.hands_played, 'hand')} played"
        facts += f", {most.name} most often ({counted(most.played, 'time')})." if most.played else "."
        won = [Text(f"It had been won in ante {LAST_ANTE}.", style=ORANGE)] if view.won else []
        return [Text(why, style=f"bold {RED}"), *won, Text(facts), self._rows(("Money", self._status()))]

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
        view = self.view
        playing = view.phase in ("selecting_hand", "game_over")
        text = Text.assemble((money_text(view.dollars), f"bold {GOLD}"))
        for name, value, style in (
            ("hands", view.hands_left if playing else view.hands_per_round, BLUE),
            ("discards", view.discards_left if playing else view.discards_per_round, RED),
            ("hand size", view.hand_size, ""),
            ("deck", f"{len(view.draw_pile)} of {len(view.cards)}", ""),
        ):
            text.append(f"   {name} ", style=QUIET).append(f"{value}", style=style)
        return text

    def _hand(self) -> list[RenderableType]:
        hand = self.view.hand
        if not hand:
            return []
        marks = {
            "✗ debuffed": any(card.debuffed and not card.face_down for card in hand),
            "? face down": any(card.face_down for card in hand),
            "! always selected": any(card.forced for card in hand),
        }
        legend = "   ".join(meaning for meaning, there in marks.items() if there)
        cards = card_boxes(hand, self.width) if self.cut < CUT_BOXES else in_columns(_numbered(hand), self.width)
        return [cards, *([Text(legend, style=QUIET)] if legend else [])]

    def _owned(self) -> Iterator[Row]:
        view, width = self.view, self.width - LABEL
        if view.jokers:
            count = f"{len(view.jokers)} of {view.joker_slots}"
            yield f"Jokers\n{count}" if len(view.jokers) > 1 else "Jokers", self._jokers(width)
        if view.consumables:
            yield "Held", self._consumables(width)
        if view.tags:
            tags = [Text.assemble((f"t{i} ", CYAN), tag.fact.name) for i, tag in enumerate(view.tags, 1)]
            yield "Tags", in_columns(tags, width)
        if view.vouchers and view.phase in ("blind_select", "shop"):
            yield "Redeemed", in_columns([Text(voucher.name, style=QUIET) for voucher in view.vouchers], width)

    def _jokers(self, width: int) -> Table:
        entries = [
            (Text(f"j{i}", style=CYAN), joker_text(joker), words(self._now(joker), "bold"), joker)
            for i, joker in enumerate(self.view.jokers, 1)
        ]
        if len(entries) > MANY_JOKERS or self.cut >= CUT_TEXTS:
            return in_columns([Text(" ").join((number, name, now)) for number, name, now, _ in entries], width)
        any_now = any(now for _, _, now, _ in entries)
        table = self._list("<<<<" if any_now else "<<<", CUT_OWNED)
        for number, name, now, joker in entries:
            text = words("" if joker.face_down else joker.fact.text, QUIET)
            table.add_row(number, name, *([now] if any_now else []), text)
        return table

    def _consumables(self, width: int) -> Table:
        entries = [
            (Text(f"c{i}", style=CYAN), item_text(card), words(card.fact.text, QUIET))
            for i, card in enumerate(self.view.consumables, 1)
        ]
        if len(entries) > MANY_JOKERS or self.cut >= CUT_TEXTS:
            return in_columns([Text(" ").join((number, name)) for number, name, _ in entries], width)
        table = self._list("<<<", CUT_OWNED)
        for entry in entries:
            table.add_row(*entry)
        return table

    def _now(self, joker: JokerView) -> str:
        return "" if joker.face_down else joker_now(joker, self.view)


def _numbered(hand: Sequence[CardView]) -> list[Text]:
    return [
        Text.assemble((f"{i:>2} ", CYAN), (marks(card), RED), Text("░░") if card.face_down else item_text(card))
        for i, card in enumerate(hand, 1)
    ]


def _text(card: OfferView) -> str:
    return "A playing card for your deck." if isinstance(card, CardView) else card.fact.text


_PHASES: dict[str, Callable[[Screen], list[RenderableType]]] = {
    "blind_select": Screen.blind_select,
    "selecting_hand": Screen.round,
    "round_eval": Screen.cash_out,
    "shop": Screen.shop,
    "pack_opening": Screen.pack,
    "game_over": Screen.game_over,
}

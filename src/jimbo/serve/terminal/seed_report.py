"""Seed reports and found seeds, as text for people."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console, Group
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from jimbo.colours import CYAN, PURPLE, QUIET, RED
from jimbo.engine.catalog import BLINDS, CHALLENGES, DECKS, STAKES, TAGS, VOUCHERS, fact
from jimbo.seeds import ASSUMED, SOUL, Ante, Card, Hit, InDeck, Item, Place, SeedReport
from jimbo.seeds.conditions import RANKS as RANK_NAMES
from jimbo.seeds.conditions import SUITS as SUIT_NAMES
from jimbo.serve.terminal.items import STICKERS, SUITS, card_text, extras, in_columns, playing_card

LABEL_WIDTH = 9


def legend() -> Text:
    text = Text()
    for sign, style, meaning in (
        ("★", f"bold {RED}", "rare"),
        ("♛", f"bold {PURPLE}", "legendary"),
        *((letter, style, sticker) for sticker, (letter, style) in STICKERS.items()),
    ):
        text.append(sign, style=style).append(f" {meaning}  ", style=QUIET)
    return text


def footer() -> Group:
    return Group(legend(), Text(ASSUMED, style=QUIET))


def print_report(console: Console, report: SeedReport) -> None:
    rules = CHALLENGES[report.challenge] if report.challenge else DECKS[report.deck]
    stake = STAKES[report.stake].name
    console.print(Text.assemble((f"Seed {report.seed}", "bold"), (f"  {rules.name}, {stake}", QUIET)))
    if report.challenge:
        console.print(Text(rules.text, style=QUIET))
    if report.starting_deck:
        console.print(_starting_deck(report.starting_deck))
    for ante in report.antes:
        console.print(Rule(Text(f"Ante {ante.ante}", style="bold"), align="left", style=QUIET))
        console.print(_ante_table(ante, console.width))
    console.print()


def _starting_deck(fronts: Sequence[str]) -> Table:
    """How many cards of each suit and rank."""
    suits = Counter(front[0] for front in fronts)
    ranks = Counter(front[-1] for front in fronts)
    table = Table.grid(padding=(0, 1))
    table.add_column(style=QUIET, width=LABEL_WIDTH - 1)
    table.add_row("Deck", Text("  ").join(Text.assemble(SUITS[s], f" {suits[s]}") for s in SUITS))
    table.add_row("", Text("  ").join(Text.assemble((r.replace("T", "10"), QUIET), f" {ranks[r]}") for r in RANK_NAMES))
    return table


def _ante_table(ante: Ante, width: int) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(style=QUIET, width=LABEL_WIDTH - 1)
    table.add_column()
    table.add_row("Boss", _explained(ante.boss, BLINDS[ante.boss.key].text))
    table.add_row("Voucher", _explained(ante.voucher, VOUCHERS[ante.voucher.key].text))
    for label, tag in zip(("Tags", ""), ante.tags, strict=True):
        table.add_row(label, _explained(tag, TAGS[tag.key].text))
    if ante.shop:
        table.add_row("Shop", in_columns(_numbered(ante.shop), width - LABEL_WIDTH))
    table.add_row("Packs", _packs(ante, width - LABEL_WIDTH))
    return table


def _explained(item: Item, text: str) -> Text:
    return Text.assemble((item.name, "bold"), (f"  {text}", QUIET))


def _numbered(cards: Sequence[Card]) -> list[Text]:
    return [Text.assemble((f"{i:>2} ", QUIET), card_text(card)) for i, card in enumerate(cards, 1)]


def _packs(ante: Ante, width: int) -> Table:
    names = [Text.assemble((f"{i:>2} ", QUIET), pack.name) for i, pack in enumerate(ante.packs, 1)]
    gap = 2
    width -= max(name.cell_len for name in names) + gap
    table = Table.grid(padding=(0, gap, 0, 0))
    legendaries = iter(ante.legendaries)
    for name, pack in zip(names, ante.packs, strict=True):
        table.add_row(name, _in_lines(list(_pack_cards(pack.cards, legendaries)), width))
    return table


def _in_lines(entries: Sequence[Text], width: int) -> Text:
    """Separated by commas; a line breaks only between entries."""
    lines = [Text()]
    for entry in entries:
        if lines[-1] and lines[-1].cell_len + len(", ,") + entry.cell_len > width:
            lines[-1].append(",")
            lines.append(Text())
        if lines[-1]:
            lines[-1].append(", ")
        lines[-1].append_text(entry)
    return Text("\n").join(lines)


def _pack_cards(cards: Sequence[Card], legendaries: Iterator[Card]) -> Iterator[Text]:
    for card in cards:
        text = card_text(card)
        if card.key == SOUL:
            text.append(" → ").append_text(card_text(next(legendaries)))
        yield text


def hit_text(hit: Hit) -> Text:
    text = Text.assemble((hit.seed, "bold"))
    for place in hit.places:
        text.append_text(Text.assemble("  ", _found(place), f" {_where(place)}"))
    for in_deck in hit.deck:
        text.append_text(Text.assemble("  ", (_counted(in_deck), CYAN), " in the deck"))
    return text


def _found(place: Place) -> Text:
    is_front = place.key[0] in SUITS
    name = place.key if is_front else fact(place.key).name
    card = Card(place.key, name, place.edition, place.enhancement, place.seal)
    return Text.assemble(playing_card(card) if is_front else (name, CYAN), extras(card))


def _counted(in_deck: InDeck) -> str:
    """Return ``9 Kings`` or ``1 Ace of Spades``."""
    rank, suit = in_deck.card.rank, in_deck.card.suit
    plural = "" if in_deck.count == 1 else "s"
    if rank is None:
        return f"{in_deck.count} {SUIT_NAMES[suit or 'S'].removesuffix('s')}{plural}"
    return f"{in_deck.count} {RANK_NAMES[rank]}{plural}" + (f" of {SUIT_NAMES[suit]}" if suit else "")


def _where(place: Place) -> str:
    where = {
        "boss": "boss",
        "voucher": "voucher",
        "tag": f"{('small', 'big')[min(place.position, 2) - 1]} blind's tag",
        "shop": f"shop {place.position}",
        "pack": f"pack {place.position}",
        "soul": f"from The Soul in pack {place.position}",
    }[place.where]
    pack = f" ({fact(place.pack).name})" if place.pack else ""
    return f"ante {place.ante}, {where}{pack}"

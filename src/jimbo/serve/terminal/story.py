"""What happened in a step of ``jimbo play``, coloured as the game colours it."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.highlighter import RegexHighlighter
from rich.table import Table
from rich.text import Text

from jimbo.colours import BLUE, GREEN, ORANGE, QUIET, RED
from jimbo.text import Told, number_text, totals_text

EFFECT_WIDTH = 38
STYLES = {"lost": f"bold {RED}", "won": f"bold {ORANGE}", "round_won": f"bold {GREEN}", "drawn": QUIET}


class GameHighlighter(RegexHighlighter):
    """Colours for suits, chips, mult and money in any text."""

    base_style = "game."
    highlights = (
        r"(?P<chips>\+[\d.,e]+ Chips)",
        r"(?P<mult>(\+|X)[\d.,e]+ Mult)",
        r"(?P<money>[+-]?\$[\d,]+)",
        r"(?P<spades>(10|[2-9JQKA])?♠)",
        r"(?P<hearts>(10|[2-9JQKA])?♥)",
        r"(?P<clubs>(10|[2-9JQKA])?♣)",
        r"(?P<diamonds>(10|[2-9JQKA])?♦)",
    )


_highlight = GameHighlighter()


def words(text: str, style: str = "") -> Text:
    return _highlight(Text(text, style=style))


def story(lines: Sequence[Told], width: int) -> list[RenderableType]:
    """The scoring as a table of effects, everything else line by line."""
    scored = [line for line in lines if line.totals]
    others = [words(str(line), STYLES.get(line.kind, "")) for line in lines if not line.totals]
    return [breakdown(scored, width), *others] if scored else [*others]


def breakdown(scored: Sequence[Told], width: int) -> Group:
    """How a hand scored, in columns that are read downwards, and the result."""
    lines = [_effect(told) for told in scored if told.score is None]
    results = [_result(told, told.score) for told in scored if told.score is not None]
    if not lines:
        return Group(*results)
    columns = max(1, min(width // EFFECT_WIDTH, -(-len(lines) // 4)))
    height = -(-len(lines) // columns)
    table = Table.grid(padding=(0, 3, 0, 0))
    for _ in range(-(-len(lines) // height)):
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, justify="right")
    for row in range(height):
        table.add_row(*(cell for line in lines[row::height] for cell in line))
    return Group(table, *results)


def _effect(told: Told) -> tuple[Text, Text]:
    assert told.totals
    return words(f"{told.who}  {told.what}"), Text(totals_text(*told.totals), style=QUIET)


def _result(told: Told, score: float) -> Text:
    assert told.totals
    chips, mult, result = map(number_text, (*told.totals, score))
    return Text.assemble((f"{told.who}: ", "bold"), (chips, BLUE), " x ", (mult, RED), " = ", (result, "bold"))

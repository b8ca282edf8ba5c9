"""Runs of the game for people and tools: the compiled ``Run``, what it looks like, and what happened in words.

>>> from jimbo.engine.run import Action, Run, tell, view
>>> run = Run(deck="b_red", stake="white", seed="TESTSEED")
>>> before = view(run)
>>> str(tell(run.step(Action("select_blind")), before, view(run))[0])
'Small Blind: score at least 300'
"""

from jimbo.engine._core import Action, Event, IllegalAction, Preview, Run
from jimbo.engine.event_text import SCORING, Told, describe_event, tell, totals_text
from jimbo.engine.joker_numbers import joker_now
from jimbo.engine.number_text import counted, money_text, number_text, percent_text, points_text
from jimbo.engine.run_view import (
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    BlindView,
    BoosterView,
    CardView,
    ConsumableView,
    HandView,
    JokerView,
    OfferView,
    PackView,
    PayoutView,
    RunView,
    ShopItemView,
    TagView,
    TargetsView,
    VoucherView,
    view,
)

__all__ = [
    "RANKS",
    "RANK_NAMES",
    "SCORING",
    "SUIT_NAMES",
    "SUIT_SYMBOLS",
    "Action",
    "BlindView",
    "BoosterView",
    "CardView",
    "ConsumableView",
    "Event",
    "HandView",
    "IllegalAction",
    "JokerView",
    "OfferView",
    "PackView",
    "PayoutView",
    "Preview",
    "Run",
    "RunView",
    "ShopItemView",
    "TagView",
    "TargetsView",
    "Told",
    "VoucherView",
    "counted",
    "describe_event",
    "joker_now",
    "money_text",
    "number_text",
    "percent_text",
    "points_text",
    "tell",
    "totals_text",
    "view",
]

"""Runs of the game for people and tools: the compiled ``Run`` and what it looks like.

>>> from jimbo.engine.run import Action, Run, view
>>> from jimbo.text import tell
>>> run = Run(deck="b_red", stake="white", seed="TESTSEED")
>>> before = view(run)
>>> str(tell(run.step(Action("select_blind")), before, view(run))[0])
'Small Blind: score at least 300'
"""

from jimbo.engine._core import Action, Event, IllegalAction, Preview, Run
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
    "VoucherView",
    "view",
]

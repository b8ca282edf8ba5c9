"""What a player of ``jimbo play`` can type, depending on where the run stands."""

from jimbo.engine import BOSS_REROLL_PRICE, Action, PublicState, Refusal

# What each phase adds to what is possible everywhere.
COMMANDS: dict[str, tuple[tuple[str, str], ...]] = {
    "blind_select": (
        ("n", "play this blind"),
        ("x", "skip it for its tag"),
        ("r", f"reroll the boss for ${BOSS_REROLL_PRICE}"),
    ),
    "selecting_hand": (
        ("p 1 2 3", "play these cards; p123 and p 1-3 mean the same"),
        ("d 4 5", "discard these cards"),
        ("pv 1 2 3", "preview a score; add none, expected or all to set its luck"),
        ("pv", "the best play; also with -j1 to leave a joker out, or j2=12 for another number on it"),
        ("sort suit", "or sort rank; cards drawn later are sorted too"),
        ("m 3 1", "move card 3 to place 1"),
    ),
    "round_eval": (("n", "cash out and go to the shop"),),
    "shop": (
        ("b 1", "buy card b1"),
        ("bu 1", "buy b1 and use it at once"),
        ("v 1", "redeem voucher v1"),
        ("o 1", "open pack o1"),
        ("r", "reroll the cards"),
        ("n", "leave the shop"),
    ),
    "pack_opening": (
        ("k 1", "take card k1"),
        ("k 1 4 5", "use k1 on cards 4 and 5 of the hand"),
        ("x", "skip the rest of the pack"),
    ),
    "game_over": (),
}
EVERYWHERE = (
    ("u 1 4 5", "use consumable c1 (on cards 4 and 5)"),
    ("s j1", "sell joker j1; s c1 sells a consumable"),
    ("m j1 3", "move joker j1 to place 3; m c1 2 likewise"),
)
ALWAYS = (
    ("i j1", "read all about j1 (also c1, b1, v1, o1, k1, t1, 3, boss)"),
    ("l  dk", "levels of the hands; what is left in the deck"),
    ("hint", "what the expert would do, and why"),
    ("undo", "undo a step; undo 3 undoes three"),
    ("save FILE", "save the run; without a name in its own file, or a new one"),
    ("q", "leave"),
)
HINTS: dict[str, tuple[tuple[str, str], ...]] = {
    "blind_select": (("n", "play"), ("x", "skip"), ("r", "reroll the boss")),
    "selecting_hand": (
        ("p 1 2", "play"),
        ("d 1 2", "discard"),
        ("pv 1 2", "preview"),
        ("u 1", "use"),
        ("i 1", "inspect"),
    ),
    "round_eval": (("n", "cash out"),),
    "shop": (
        ("b 1", "buy"),
        ("v 1", "voucher"),
        ("o 1", "open"),
        ("r", "reroll"),
        ("s j1", "sell"),
        ("n", "leave"),
    ),
    "pack_opening": (("k 1", "take"), ("k 1 4 5", "take for cards 4 and 5"), ("x", "skip")),
    "game_over": (("undo", "undo a step"), ("dk", "deck"), ("l", "levels"), ("q", "leave")),
}
HELP = ("?", "help")
# Letters that mean nothing while an action is refused for this reason.
_IDLE = (("x", "skip_blind", Refusal.boss_cannot_be_skipped), ("r", "reroll_boss", Refusal.no_boss_reroll))


def commands(state: PublicState) -> tuple[tuple[str, str], ...]:
    """What can be typed now, with its meaning."""
    here = tuple(entry for entry in COMMANDS[state.phase] if entry[0] not in _idle_letters(state))
    return (*here, *(() if state.phase == "game_over" else EVERYWHERE), *ALWAYS)


def hints(state: PublicState) -> tuple[tuple[str, str], ...]:
    """The most common of it, on one line."""
    idle = {
        "d 1 2": not state.discards_left,
        "u 1": not state.consumables,
        "s j1": not state.jokers,
        "b 1": not state.shop,
        "v 1": not state.shop_vouchers,
        "o 1": not state.shop_boosters,
        "k 1 4 5": not state.hand,
    }
    letters = _idle_letters(state)
    here = (entry for entry in HINTS[state.phase] if entry[0] not in letters and not idle.get(entry[0]))
    return (*here, HELP)


def _idle_letters(state: PublicState) -> set[str]:
    """A boss cannot be skipped, and only with a voucher can it be rerolled."""
    return {letter for letter, action, why in _IDLE if state.refusal(Action(action)) == why}

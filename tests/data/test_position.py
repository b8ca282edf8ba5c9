"""Typed positions: read, written in one form, refused with a sentence."""

import re
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from jimbo.agents import make_agent
from jimbo.data.notation import PARTS
from jimbo.data.notation_words import BadPosition
from jimbo.data.position import position_text, read_position
from jimbo.engine import PublicState, Run
from jimbo.engine.catalog import BLINDS, CONSUMABLES, JOKERS, VOUCHERS

POSITIONS = [
    "hand: As Kd 10h 9h 2c; jokers: Baron, Mime",
    "hand: As(steel, red seal) Kd 10h(+5 chips) Ah; jokers: Ride the Bus (mult 12), Baron (foil, eternal, muted), "
    "Loyalty Card (hands to go 2), Runner (chips 15, muted), The Idol (Kh), "
    "To Do List (Flush), Yorick (x3, cards to go 7); blind: The Head; "
    "ante: 3; money: -3; levels: Pair 4 (played 12, round 1), Flush 3; consumables: Fool (negative), Mars (sells +2); "
    "vouchers: Grabber, Blank; discards: 1; gone: 2s 3s(glass, polychrome); needs: 4,000; scored: 1250",
    "shop: Baron (foil, rental), The Fool, As(steel, free), Mars (free); packs: Arcana Pack, "
    "Jumbo Buffoon Pack (free); for sale: Blank; "
    "money: $25; jokers: Campfire (x2.25); reroll: 7; ante: 2; blind: boss; tags: Rare Tag",
    "jokers: Egg (sells +4, perishable 2), Castle (chips 30, hearts), Mail-In Rebate (K); blind: big; deck: blue; "
    "stake: gold; tarots: 4; skips: 2; joker slots: 6; consumable slots: 3; round: 11",
    "hand: 2c 3c; challenge: The Omelette; hand size: 9; left: 4c 5c(lucky, gold seal) 6c; jokers: ; boss: The Hook",
    "HAND: A♠ T♥\nJokers: oops all 6s, driver's license, 8 ball",
]


PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text()
ON_PAGE = re.findall(r"^(?:hand|shop|jokers): .*$", PAGE, re.MULTILINE)
IN_COMMANDS = re.findall(r'^jimbo .*?"((?:hand|shop): [^"]*)"', PAGE, re.MULTILINE)


def test_the_page_has_examples() -> None:
    assert (len(ON_PAGE), len(IN_COMMANDS)) == (4, 4)


def test_the_page_names_each_part() -> None:
    first_cells = "".join(re.findall(r"^\| (`[^|]*) \|", PAGE, re.MULTILINE))
    assert set(PARTS) <= set(re.findall(r"`([a-z ]+)`", first_cells))


@pytest.mark.parametrize("text", [*POSITIONS, *ON_PAGE, *IN_COMMANDS])
def test_a_position_has_one_form_that_comes_back(text: str) -> None:
    state = read_position(text)
    written = position_text(state)
    assert read_position(written) == state
    assert position_text(read_position(written)) == written
    assert read_position(unquote(quote(written))) == state
    assert state.imagine(0).public_state() == state


def test_what_is_told_is_there() -> None:
    state = read_position(POSITIONS[1])
    assert [(card.rank, card.suit, card.enhancement, card.seal, card.bonus) for card in state.hand] == [
        ("A", "S", "m_steel", "seal_red", 0),
        ("K", "D", None, None, 0),
        ("10", "H", None, None, 5),
        ("A", "H", None, None, 0),
    ]
    assert [card.debuffed for card in state.hand] == [False, False, True, True]  # The Head debuffs hearts
    bus, baron, loyalty, runner, idol, todo, yorick = state.jokers
    assert (bus.count, baron.edition, baron.eternal, baron.debuffed) == (12, "e_foil", True, True)
    assert (runner.count, runner.debuffed) == (15, True)
    assert (loyalty.shown[0].number, todo.shown[0].hand, yorick.x_mult, yorick.count) == (2, "Flush", 3.0, 7)
    assert (idol.shown[0].rank, idol.shown[0].suit) == ("K", "H")
    assert (state.dollars, state.ante, state.chips, state.blind.target) == (-3, 3, 1250, 4000)
    assert (state.hands_left, state.discards_left) == (5, 1)  # Grabber brings a hand
    assert (len(state.unseen), len(state.discarded)) == (46, 2)
    assert {hand.hand: (hand.level, hand.played) for hand in state.hands}["Pair"] == (4, 12)


def test_the_deck_is_whole_but_for_the_hand() -> None:
    state = read_position("hand: As As(steel) Kd; deck: abandoned; gone: 2c")
    left = [(card.rank, card.suit) for card in state.unseen]
    assert len(left) == 40 - 2  # no king, and one ace of spades alone
    assert ("A", "S") not in left


@pytest.mark.parametrize("key", JOKERS)
def test_every_joker_can_be_typed(key: str) -> None:
    state = read_position(f"hand: As; jokers: {JOKERS[key].name}")
    assert [joker.key for joker in state.jokers] == [key]
    assert read_position(position_text(state)) == state


def test_every_name_can_be_typed() -> None:
    for fact in CONSUMABLES.values():
        assert read_position(f"consumables: {fact.name}").consumables[0].key == fact.key
    for voucher in VOUCHERS.values():
        assert read_position(f"vouchers: {voucher.name}").vouchers == [voucher.key]
    for blind in BLINDS.values():
        if blind.boss:
            assert read_position(f"hand: As Kd; blind: {blind.name}").blind.key == blind.key


def _seen(state: PublicState) -> list[object]:
    """All that the notation tells."""
    return [
        [(c.rank, c.suit, c.enhancement, c.edition, c.seal, c.bonus, c.debuffed) for c in state.hand],
        sorted((c.rank or "", c.suit or "", str(c.enhancement), str(c.seal), c.bonus) for c in state.unseen),
        [(j.key, j.edition, j.count, j.x_mult, j.eternal, j.perish_left, j.sell_value) for j in state.jokers],
        [(c.key, c.edition) for c in state.consumables],
        (state.phase, state.ante, state.round, state.dollars, state.hands_left, state.discards_left),
        (state.joker_slots, state.consumable_slots, state.hand_limit, state.boss, state.on_deck, state.vouchers),
        [(h.level, h.played) for h in state.hands],
        [(o.joker, o.consumable, o.edition, o.price) for o in state.shop],
        [(o.name, o.price) for o in state.shop_boosters],
        [tag.key for tag in state.tags],
    ]


@pytest.mark.parametrize("seed", ["TYPED1", "TYPED2", "TYPED3"])
def test_states_of_a_game_can_be_typed(seed: str) -> None:
    run, agent, typed = Run(seed=seed), make_agent("greedy"), 0
    agent.reset(0)
    for _ in range(120):
        state = run.public_state()
        if state.over:
            break
        if state.phase in ("selecting_hand", "shop", "blind_select") and not any(c.face_down for c in state.hand):
            assert _seen(read_position(position_text(state))) == _seen(state)
            typed += 1
        run.step(agent.act(state).action)
    assert typed > 4


@pytest.mark.parametrize(
    ("text", "says", "which"),
    [
        ("hand: As Kx", '"Kx" (character 10, in hand) is no playing card. Write As, Kd, 10h or 2c.', "Kx"),
        ("hand: sA", '"sA" (character 7, in hand) is no playing card. Did you mean As?', "sA"),
        ("hand: As(steal)", '"steal" (character 10, in hand) is no mark of a playing card.', "steal"),
        ("jokers: Mime, Barn", '"Barn" (character 15, in jokers) is no joker. Did you mean Baron?', "Barn"),
        (
            "jokers: Mime (fiol)",
            '"fiol" (character 15, in jokers) is no mark of a joker. Mime takes an edition',
            "fiol",
        ),
        ("hnd: As", '"hnd" (character 1) is no part of a position. Did you mean hand?', "hnd"),
        ("hand As", '"hand As" (character 1) has no name.', "hand As"),
        ("jokers: Baron (mult 3)", "Baron has no number of its own", "mult 3"),
        ("jokers: Ride the Bus (chips 4)", "Ride the Bus takes (mult 3).", "chips 4"),
        ("deck: As Kd", "the cards left to draw stand in left.", "As Kd"),
        ("hand: As; shop: Baron", "is of a shop, where no hand is held. Leave one of them out.", "shop"),
        ("scored: 10", "is of a blind in play, and needs a hand. Leave one of them out.", "scored"),
        ("money: much", '"much" (character 8, in money) is not a whole number.', "much"),
        ("hands: 100", '"100" (character 8, in hands) does not lie between 0 and 99.', "100"),
        ("blind: The Hok", '"The Hok" (character 8, in blind) is no blind. Did you mean The Hook', "The Hok"),
        ("blind: Big Blindd", "is no blind. Did you mean Big Blind", "Big Blindd"),
        ("hand: As; hand: Ks", '"hand" (character 11) stands there twice.', "hand"),
        ("jokers: Baron (foil", "has a parenthesis without its partner", "jokers: Baron (foil"),
        ("jokers: Baron (foil) Mime", "Put a comma before it.", "Mime"),
        ("jokers: Baron ((foil))", "has a parenthesis without its partner, or one inside another.", None),
        ("vouchers: Blank (free)", '"free" (character 18, in vouchers) stands where no mark can.', "free"),
        ("vouchers: Blank, blank", '"blank" (character 18, in vouchers) stands there twice.', "blank"),
        ("jokers: " + "Egg" * 50, "and what follows is longer than any name.", None),
        ("consumables: Mars (foil)", "is no mark of a consumable. It takes negative or sells +2.", "foil"),
        ("levels: Pair 4 (x)", "is no mark of a poker hand. It takes played 7, or round 2", "x"),
        ("packs: Arcana Pack (foil)", "is no mark of something on sale. It takes free.", "foil"),
        ("money: ", "holds nothing. Leave it out, or say what it is.", "money"),
        ("hand: ", "holds no card. Leave it out where no hand is held.", "hand"),
        ("hand: " + "As " * 70, "No game can look like this: the simulator has no room for so many cards.", None),
        ("jokers: " + "Egg, " * 70, "No game can look like this: ", None),
        ("", "The position is empty. Write for example: hand: As Kd", None),
        ("hand: As" * 9000, "A position has at most 20,000 characters, and this has 72,000.", None),
    ],
)
def test_what_is_not_understood_is_said(text: str, says: str, which: str | None) -> None:
    with pytest.raises(BadPosition) as error:
        read_position(text)
    assert says in str(error.value)
    if which is not None:
        assert text[error.value.start : error.value.end] == which


def test_what_cannot_be_typed_is_said() -> None:
    run = Run(seed="TYPED1")
    data = run.to_data()
    data["phase"], data["flags"]["end"] = "game_over", "lost"
    lost = PublicState.from_data({**run.public_state().to_data(), "phase": "game_over", "end": "lost"})
    with pytest.raises(ValueError, match="Only a hand, a shop or the choice of a blind can be typed"):
        position_text(lost)

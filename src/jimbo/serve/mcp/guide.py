"""What a model is told once: how to use the tools, the rules in short, and prompts for usual tasks."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from jimbo.engine import LAST_ANTE
from jimbo.engine.catalog import GAME_VERSION, HANDS, STAKES
from jimbo.text import number_text

INSTRUCTIONS = (
    "Runs of the card game Balatro, in an exact simulator. new_run gives a handle and a token; look shows the table "
    "and lists what can be done; act takes one action for the state of the token, and answers with the next token. "
    "advise says what a strong agent would do and why, score works out a play, what_if tries actions without taking "
    "them, review says what choices and luck have made of a run, explain tells what an item does (explain rules: the "
    "rules in short). Nobody is told what is hidden: the order of the deck, future shops, cards that lie face down. "
    "Win by beating the boss of ante 8."
)
INSTRUCTIONS_REAL = (
    "The run of Balatro that is open in the game on this machine. new_run joins it and gives a handle and a token; "
    "look shows the table as it is now, because somebody may be playing; act takes one action there, if the server was "
    "started so that it may, and is refused if the table has changed since the token. advise says what a strong agent "
    "would do and why, score works out a play, what_if tries actions without taking them, review says what choices and "
    "luck have made of the run, explain tells what an item does (explain rules: the rules in short)."
)
_SPOILERS = " seed_show and seed_find tell what seeds hold, which the player of a run is not supposed to know."

_RULES = """# Balatro {version} in short

A run has {antes} antes of three blinds: small, big and boss. Each asks for a score within a few hands; a blind that is
not beaten ends the run, and the boss of ante {antes} wins it. The endless game may follow.

## A blind

Play 1 to 5 cards; they make the best poker hand they can. Only cards that belong to it score, each its rank (face cards
10, aces 11), from left to right; then jokers act from left to right. The score is chips x mult. Add to mult before you
multiply it: +Mult jokers stand left of X Mult jokers. A discard draws new cards and costs no hand. Cards that were
played or discarded come back with the next blind.

## Between blinds

Cashing out pays for the blind, $1 for each hand left, and $1 interest for each $5 held, up to $5. The shop sells
jokers, tarots, planets, packs and a voucher; a reroll costs $5, then $1 more each time. There are five joker slots and
two for consumables. Small and big blinds can be skipped for a tag, which gives up their shop, too. Each boss has a rule
of its own, known in advance.

## Poker hands at level 1

| hand | chips x mult | each level adds |
|---|---|---|
{hands}

## Stakes

Each adds to those before it.

{stakes}

## How actions are written

Places count from 1; letters are those of look: j jokers, c consumables, b cards on sale, v vouchers, o packs, k cards
of an open pack.

| action | meaning |
|---|---|
| `play 1 2 5`, `discard 3 4` | cards of the hand |
| `next` | play the blind; cash out; leave the shop |
| `skip` | skip the blind for its tag; leave the rest of a pack |
| `buy b1`, `buy_and_use b1 2 3` | buy a card, and use it at once (on cards 2 and 3 of the hand) |
| `redeem v1`, `open o1`, `reroll` | voucher, pack, new cards; before a blind: another boss, with its voucher |
| `pick k1`, `pick k1 4 5` | take a card of a pack (for cards 4 and 5 of the hand) |
| `use c1`, `use c1 2 3` | use a consumable (on cards 2 and 3 of the hand) |
| `sell j1`, `sell c1` | sell |
| `move j1 3`, `move 5 1` | move a joker or a card of the hand to a place |
| `sort rank`, `sort suit` | sort the hand |
"""


def instructions(*, joins: bool, seeds: bool) -> str:
    return (INSTRUCTIONS_REAL if joins else INSTRUCTIONS) + (_SPOILERS if seeds else "")


def rules() -> str:
    """The rules in short, and how actions are written."""
    hands = "\n".join(
        f"| {hand.name} | {number_text(hand.chips)} x {number_text(hand.mult)} "
        f"| {number_text(hand.chips_per_level)} x {number_text(hand.mult_per_level)} |"
        for hand in HANDS.values()
    )
    stakes = "\n".join(f"- {stake.name}: {stake.text}" for stake in STAKES.values())
    return _RULES.format(version=GAME_VERSION, antes=LAST_ANTE, hands=hands, stakes=stakes)


RunName = Annotated[str, Field(description="handle of a run, such as r1")]


def coach(run: RunName) -> str:
    """Play on with the player: explain each choice, let them decide."""
    return (
        f"Be my coach in run {run} of Balatro. For each decision call look and advise, say in two or three sentences "
        "what the best option is, what it changes (chance to clear the blind, or points of the chance to win) and what "
        "the runner-up would give up. Use score and what_if to check what I propose. Call act only with what I have "
        "agreed to. Numbers come from the tools alone; say so where they say nothing."
    )


def review(run: RunName) -> str:
    """Look back at a run: what decided it."""
    return (
        f"Call review for run {run}, again until all decisions are reviewed, and read the resource "
        f"jimbo://run/{run}/log. Say how much was luck and how much was given up, and explain the three worst "
        "decisions: the step, what was done, what was better and why. Say what to practise. Numbers come from the "
        "review alone; tell what it shows apart from what you suppose."
    )


def plan_shop(run: RunName) -> str:
    """Decide what to buy, sell and keep in the shop that is open."""
    return (
        f"Run {run} is in the shop. Look at it in full detail and call advise with top 6. Compare with what_if the two "
        "or three most promising lines, each as far as leaving the shop (next), and also leaving at once. Give a short "
        "plan: what to buy, sell and save, the order of the jokers, how much money to keep for interest, and the "
        "chance to win that each line has. Take no action before I say so."
    )


PROMPTS = (coach, review, plan_shop)

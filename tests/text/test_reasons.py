"""Claims in words."""

import pytest

from jimbo.text import build_reasons as b
from jimbo.text import hand_reasons as h
from jimbo.text import reasons as r


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (h.Beats(312, 300, 2, 1, 2), "beats the blind with 312 (300 needed), and 2 hands and 1 discard left pay $2"),
        (h.Beats(312, 300, 0, 0, 0), "beats the blind with 312 (300 needed)"),
        (h.Beats(80, 300, 0, 0, 0), "Mr. Bones saves the run at 80 of the 300 needed"),
        (h.ByLuck(0.2, 100, 500, 300), "beats the blind with luck, 20 % of the time: scores 100 to 500 (300 needed)"),
        (h.FallsShort(64, 300, 3), "scores 64 of the 300 needed, 236 left for 3 hands"),
        (h.FallsShort(64, 300, 0), "scores 64, 236 too few, with no hand left"),
        (h.FallsShort(0, 300, 1), "scores nothing, and leaves all 300 to 1 hand"),
        (
            h.Comes(("10♠", "10♥", "9♣"), "Two Pair", 0.834, 0.0, 187.2, 60),
            "keeps 10♠ 10♥ 9♣: Two Pair or better 83 % of the time, "
            "and the next hand makes about 190 instead of 60 now",
        ),
        (
            h.Comes(("K♥", "K♦"), "Pair", 0.97, 0.999, 500, None, held=True),
            "keeps the Pair K♥ K♦, and the next hand beats the blind nearly always",
        ),
        (
            h.Comes(("K♥", "K♦"), "Pair", 1.0, 0.3, 500, 20, held=True),
            "keeps the Pair K♥ K♦, and the next hand beats the blind 30 % of the time",
        ),
        (
            h.Comes((), "Pair", 0.999, 0.3, 500, 20),
            "draws new cards: Pair or better nearly always, and the next hand beats the blind 30 % of the time",
        ),
        (h.Unused(1), "a discard left over pays nothing, a hand left over $1"),
        (h.Leaves(8.04, to_choice=True), "it leaves a run worth 8.0 % less"),
        (h.Leaves(-3.0, to_choice=False), "that leaves a run worth 3.0 % more"),
        (h.Leaves(0.4, to_choice=False), "all in all the two are worth the same, within 2 %"),
        (
            h.TriedLess("play K♥", 131, 403),
            "playing K♥ shows more, but was tried in only 130 of 400 deals, and was behind in them",
        ),
        (h.Beats(312, 300, 1, 0, 1), "beats the blind with 312 (300 needed), and 1 hand left pays $1"),
        (h.Makes(1234, None, 0.0), "the best next hand makes about 1,200"),
        (h.ThrownIn(("3♣",), 1), "3♣ adds nothing, and makes room for 1 new card"),
        (h.BossTakes("The Head", 200, 340), "The Head makes that 200 instead of 340"),
        (h.BossPrice("The Tooth", 4, ()), "The Tooth takes $4 for it"),
        (h.BossPrice("The Arm", 0, ("Pair",)), "The Arm takes a level of Pair for it"),
        (h.Debuffed(5, 5, "The Goad"), "all 5 cards it throws away do nothing in The Goad"),
        (h.Debuffed(2, 3, "The Goad"), "2 of the 3 cards it throws away do nothing in The Goad"),
        (h.Ordered("K♠ Q♠", 980, 1250, 0), "in the better order K♠ Q♠ makes 1,250 instead of 980"),
        (h.Clears("play K♥", 4.1, 1.0, to_choice=False), "playing K♥ clears 4.1 points less often"),
        (h.Clears("play K♥", 0.4, 1.0, to_choice=False), "the same chance within 1.0 points as playing K♥"),
        (
            h.Clears("play K♥", 0.4, 1.0, to_choice=False, ends=True),
            "the same chance within 1.0 points as playing K♥, which beats the blind at once",
        ),
        (h.Clears("play K♥", -4.1, 1.0, to_choice=True), "clears 4.1 points less often"),
        (h.Clears("skip the rest", 0.0, 1.0, to_choice=False), "the same chance as skipping the rest"),
        (
            h.EndsWith((("Green Joker", "+5 Mult", "+4 Mult"), ("the money", "$7", "$8"))),
            "the blind ends with Green Joker at +5 Mult instead of +4 Mult, the money at $7 instead of $8",
        ),
        (
            b.Against("The Wall", 4000, 3210, 5590, 0.64, 0.86, told_apart=True, target_before=4000),
            "against The Wall (4,000 needed) all hands together make about 5,600 instead of 3,200, "
            "and beat it 86 % of the time instead of 64 %",
        ),
        (
            b.Against("The Wall", 4000, 3210, 3590, 0.84, 0.999, told_apart=True, target_before=4000),
            "The Wall (4,000 needed) is beaten nearly always instead of 84 % of the time",
        ),
        (
            b.AsItStands("The Wall", 4000, 4210, 0.64, comes_next=False),
            "The Wall (4,000 needed) would be beaten 64 % of the time if it came now; "
            "all hands together make about 4,200",
        ),
        (
            b.AsItStands("The Wall", 4000, 3210, 0.84, comes_next=True),
            "The Wall (4,000 needed) is beaten 84 % of the time",
        ),
        (
            b.Split(3.3, (("scores now", 6.3), ("slot", -1.1)), 6, 2, 6, -1.94, 0.02),
            "adds 3.3 points: scores now +6.3, slot -1.1, its $6 and $2 of interest over 6 blinds -1.9",
        ),
        (
            b.Split(-1.2, (("growth", -2.4), ("slot", 0.7)), -5, 0, 6, 0.3, 0.2),
            "costs 1.2 points: growth -2.4, slot +0.7, the $5 it brings +0.3, the rest +0.2",
        ),
        (
            b.Split(0.0, (("scores now", 0.5), ("slot", -0.5)), 0, 0, 6, 0.0, 0.0),
            "adds less than 0.1 points in all: scores now +0.5, slot -0.5",
        ),
        (
            b.Grows(1.0, 1.62, 5),
            "leaves scores unchanged in the next blind, and multiplies them by 1.6 after 5 more",
        ),
        (b.Together("Blueprint", 1.81, 1.2), "together with Blueprint it multiplies scores by 1.8, without by 1.2"),
        (
            b.WorksWith("Photograph", 0.5, "White Stake", ""),
            "works with Photograph: at White Stake they raise the odds of winning 41 % more than most pairs",
        ),
        (
            b.WorksWith("Baron", 1.0, "Gold Stake", "Kings"),
            "works with Baron in a deck with many Kings: "
            "at Gold Stake they raise the odds of winning 100 % more than most pairs",
        ),
        (b.Earns(-20.4, 6, rental=True), "costs about $20 over the next 6 blinds, as it is rented"),
        (b.Earns(28, 6, rental=True), "saves about $28 over the next 6 blinds, as it is rented"),
        (b.Room("joker", 0, 2.1), "takes the last free joker slot, and another would be worth 2.1 points"),
        (b.Room("joker", 1, 5.8), "makes room for a joker, worth 5.8 points"),
        (
            b.Sooner("leave the shop", 0.8, less_sure=True),
            "leaving the shop shows 0.8 points more, but is less sure to get through the next antes",
        ),
        (
            b.Sooner("leave the shop", 0.8, less_sure=False),
            "leaving the shop shows 0.8 points more, which is too little to tell the two apart",
        ),
        (b.Grows(1.61, 2.55, 5), "multiplies scores by 1.6 in the next blind, and by 2.5 after 5 more"),
        (r.GoesOn(), "continues to put the cards in order for the play that follows"),
        (
            b.Price("having it", 6, 2, 6, 9.1, -1.9),
            "having it adds 9.1 points, and its $6 and $2 of interest over 6 blinds cost 1.9 points",
        ),
        (b.Price("losing it", -3, 0, 6, -2.0, 0.8), "losing it costs 2.0 points, and the $3 it brings add 0.8 points"),
        (b.Must("a pack", 5, -1.2, 0.7), "its $5 cost 1.2 points, and a pack brings only 0.7 points on average"),
        (b.Must("a new shop", 0, 0.0, -0.2), "a new shop loses 0.2 points on average"),
        (b.Promises(6, -1.0), "changes neither scores nor money in the next 6 blinds as the run stands"),
        (b.Turns(("9♥", "8♠"), ("9♣", "8♣")), "9♥ and 8♠ become 9♣ and 8♣"),
        (
            b.Rejected("buy Rocket for $6", -0.3, 6, -1.2),
            "the best other step, buying Rocket for $6, would cost 0.3 points: its $6 alone cost 1.2 points",
        ),
        (
            b.Forgoes("Small Blind", "Speed Tag", 5, 3, -7.6),
            "skipping brings the Speed Tag and $5, gives up $3 and the shop after Small Blind, "
            "and costs 7.6 points in all",
        ),
        (b.Behind(-0.01), "as good as the choice"),
        (r.Adds(0.01), "changes the chance to win by less than 0.1 points"),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, r.Claim) else "",
)
def test_claims_in_words(claim: r.Claim, words: str) -> None:
    assert str(claim) == words


def test_a_group_of_claims_is_a_sentence() -> None:
    missing = b.Missing("a joker that multiplies mult")
    groups: list[list[r.Claim]] = [[b.Room("joker", 0), missing], [], r.Though([b.Room("joker", 1)])]
    text = "Takes the last free joker slot; still missing: a joker that multiplies mult. But makes room for a joker."
    assert r.sentences(*groups) == text
    assert r.sentences() == ""

#include "rules/round.hpp"

#include <algorithm>

#include "rules/blinds/blind_rule.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/hand_levels.hpp"
#include "rules/jokers/each_joker.hpp"
#include "rules/open_points.hpp"
#include "rules/prices.hpp"
#include "rules/shop.hpp"
#include "rules/tags.hpp"
#include "rules/tags/tag_rule.hpp"
#include "rules/targets.hpp"
#include "rules/vouchers/in_force.hpp"
#include "rules/zones.hpp"

namespace jimbo {
namespace {

void reset_resources(RunState& run) {
    run.chips = 0;
    run.hands_left = std::max<std::int16_t>(1, run.hands_per_round);
    run.discards_left = std::max<std::int16_t>(0, run.discards_per_round);
}

void reset_round(RunState& run) {
    reset_resources(run);
    run.hands_played = run.discards_used = 0;
    run.reroll_increase = run.reroll_cut = 0;
    run.rerolls_start_free = false;
    run.free_rerolls = static_cast<std::int16_t>(count_working(run, JokerId::chaos));
    for (HandStats& stats : run.hands) stats.played_this_round = 0;
    ++run.round;
}

void set_blind(Turn& turn) {
    RunState& run = turn.run;
    const BlindId key = blind_on_deck(run);
    run.blind = BlindInPlay{.key = key,
                            .active = true,
                            .reward = static_cast<std::int16_t>(blind_reward(run, key)),
                            .target = target_score(run, key)};
    turn.note({EventKind::blind_selected, Actor::blind, 0, static_cast<std::uint8_t>(key), run.blind.target});
    update_debuffs(turn);
    if (rule_of(key).started != nullptr) rule_of(key).started(turn);
}

void use_round_tags(Turn& turn) {
    while (const TagRule* tag = use_tag_with(turn, &TagRule::round_started)) tag->round_started(turn);
}

}  // namespace

void start_round(Turn& turn) {
    RunState& run = turn.run;
    reset_round(run);
    set_blind(turn);
    use_round_tags(turn);
    run.phase = Phase::selecting_hand;
    shuffle_deck(run, {Stream::nr, run.ante});  // before the jokers' effects: a new card stays at the bottom
    each_joker(turn, &JokerRule::blind_selected);
    if (rule_of(run.blind.key).jokers_asked != nullptr) rule_of(run.blind.key).jokers_asked(turn);
    draw_for_round(turn, Draw::first);
    each_joker(turn, &JokerRule::first_draw);
}

// --- The end of a round --------------------------------------------------------------------------------------------

namespace {

void pay_rent_and_perish(Turn& turn) {
    for (int i = 0; i < turn.run.jokers.size(); ++i) {
        Joker& joker = turn.run.jokers[i];
        if (joker.stickers.rental) earn(turn, -3, Actor::joker, i);
        if (joker.stickers.perishable && joker.perish_left > 0) --joker.perish_left;
    }
}

// One trigger of a card held at the end of the round; true if something happened.
bool trigger_held_at_end(Turn& turn, CardIndex index) {
    RunState& run = turn.run;
    const Card card = run.cards[index];
    bool happened = false;
    if (card.enhancement == Enhancement::gold) {
        earn(turn, 3, Actor::held_card, index);
        happened = true;
    }
    if (card.seal == Seal::blue && run.last.any && consumable_room(run) > 0) {
        add_consumable(turn, planet_of(run.last.hand));
        happened = true;
    }
    return happened;
}

void trigger_held_cards(Turn& turn) {
    RunState& run = turn.run;
    int mimes = 0;
    for (const JokerCall& joker : resolve_jokers(run)) mimes += joker.self->key == JokerId::mime;
    for (CardIndex index : run.hand) {
        if (run.cards[index].debuffed || !trigger_held_at_end(turn, index)) continue;
        const int again = mimes + (run.cards[index].seal == Seal::red ? 1 : 0);
        for (int n = 0; n < again; ++n) trigger_held_at_end(turn, index);
    }
}

int interest(const RunState& run) {
    if (fact(run.deck).no_interest || challenge_of(run).no_interest || run.dollars < 5) return 0;
    return std::min(run.dollars / 5, in_force<&VoucherRule::interest_cap>(run)) *
           (1 + count_working(run, JokerId::to_the_moon));
}

int joker_payout(const RunState& run) {
    int dollars = 0;
    for (const Joker& joker : run.jokers) {
        const JokerRule& rule = rule_of(joker.key);
        if (!joker.debuffed && rule.payout != nullptr) dollars += rule.payout(run, joker);
    }
    return dollars;
}

int tag_payout(Turn& turn) {
    if (!fact(turn.run.blind.key).boss) return 0;
    int dollars = 0;
    while (const TagRule* tag = use_tag_with(turn, &TagRule::boss_beaten)) dollars += tag->boss_beaten(turn.run);
    return dollars;
}

Payout make_payout(Turn& turn) {
    const RunState& run = turn.run;
    const DeckFact& deck = fact(run.deck);
    Payout payout;
    payout.blind = run.chips >= run.blind.target ? run.blind.reward : 0;  // a round saved by Mr. Bones pays none
    payout.hands = challenge_of(run).no_extra_hand_money ? 0 : run.hands_left * deck.dollars_per_hand;
    payout.discards = run.discards_left * deck.dollars_per_discard;
    payout.jokers = joker_payout(run);
    payout.interest = interest(run);
    payout.tags = tag_payout(turn);
    return payout;
}

// What a challenge does once the boss of a certain ante is beaten.
void apply_ante_challenge(RunState& run) {
    const ChallengeFact& challenge = challenge_of(run);
    const auto beaten = [&](int ante) { return ante != 0 && run.ante == ante; };
    if (beaten(challenge.set_eternal_ante)) {
        for (Joker& joker : run.jokers) {
            const bool may_be = fact(joker.key).eternal && !joker.stickers.perishable;
            if (may_be || !open_point::typecast_spares_incompatible_jokers) joker.stickers.eternal = true;
        }
    }
    if (beaten(challenge.set_joker_slots_ante)) run.joker_slots = 0;
}

void enter_next_ante(Turn& turn) {
    RunState& run = turn.run;
    if (run.ante == win_ante && !run.won) {
        run.won = true;
        turn.note({EventKind::won});
    }
    apply_ante_challenge(run);
    ++run.ante;
    run.most_played = most_played_hand(run);
    for (Card& card : run.cards) card.played_this_ante = false;
    if (fact(run.deck).double_tag_after_boss) gain_tag(turn, TagId::double_);
}

void end_blind(Turn& turn) {
    RunState& run = turn.run;
    const BlindRule& blind = acting_blind(run);
    if (blind.ended != nullptr) blind.ended(turn);
    run.hand_size = static_cast<std::int16_t>(run.hand_size - run.hand_size_bonus);
    run.hand_size_bonus = 0;
    run.blind.active = false;
    for (Joker& joker : run.jokers) joker.debuffed_by_blind = false;
    update_debuffs(turn);
}

void win_round(Turn& turn) {
    RunState& run = turn.run;
    const bool boss = fact(run.blind.key).boss;
    run.phase = Phase::round_eval;  // from here on nothing draws to the hand
    turn.note({EventKind::round_won, Actor::blind, 0, static_cast<std::uint8_t>(run.blind.key), run.chips});
    call_jokers(turn, &JokerRule::round_ended);
    pay_rent_and_perish(turn);  // a joker that has just destroyed itself still pays
    sweep_jokers(turn);
    update_joker_debuffs(turn);
    run.unused_discards += run.discards_left;
    trigger_held_cards(turn);
    gather_deck(run);
    run.payout = make_payout(turn);
    end_blind(turn);
    if (boss) enter_next_ante(turn);
    run.on_deck = boss ? BlindSlot::small : static_cast<BlindSlot>(static_cast<int>(run.on_deck) + 1);
    draw_targets(run);
}

// Mr. Bones saves a round with at least a quarter of the score, and is spent.
bool saved_by_bones(Turn& turn) {
    RunState& run = turn.run;
    if (!(run.chips >= run.blind.target * 0.25)) return false;  // never of a target that is NaN
    for (int i = 0; i < run.jokers.size(); ++i) {
        if (run.jokers[i].key != JokerId::mr_bones || run.jokers[i].debuffed) continue;
        turn.note({EventKind::saved, Actor::joker, static_cast<std::uint8_t>(i)});
        run.jokers[i].leaving = true;
        sweep_jokers(turn);
        return true;
    }
    return false;
}

void lose(Turn& turn) {
    turn.run.phase = Phase::game_over;
    turn.run.end = EndCode::lost;
    turn.note({EventKind::lost, Actor::blind, 0, static_cast<std::uint8_t>(turn.run.blind.key), turn.run.chips});
}

void mark_played(RunState& run) {
    for (CardIndex index : run.played) {
        run.cards[index].played_this_ante = true;
        run.cards[index].face_down = run.cards[index].forced = false;
    }
}

void send_played_to_discard(RunState& run) {
    for (CardIndex index : run.played) run.discard_pile.push_back(index);
    run.played.clear();
}

void fail_round(Turn& turn) {
    if (saved_by_bones(turn)) {
        win_round(turn);
    } else {
        send_played_to_discard(turn.run);
        lose(turn);
    }
}

}  // namespace

void begin_play(Turn& turn) {
    --turn.run.hands_left;
    turn.run.blind.triggered = false;
    if (const BlindRule& blind = acting_blind(turn.run); blind.charges_play != nullptr) blind.charges_play(turn);
}

void play_hand(Turn& turn) {
    RunState& run = turn.run;
    begin_play(turn);
    mark_played(run);
    if (const BlindRule& blind = acting_blind(run); blind.play_pressed != nullptr) blind.play_pressed(turn);
    score_hand(turn, Luck::drawn);
    if (challenge_of(run).debuff_played_cards) cards_changed(turn, run.played);  // some are worn now
    if (run.chips >= run.blind.target) {
        win_round(turn);
        return;
    }
    if (run.hands_left <= 0 || (run.hand.empty() && run.deck_pile.empty())) {
        fail_round(turn);
        return;
    }
    send_played_to_discard(run);
    draw_for_round(turn, Draw::after_play);
}

void settle_round(Turn& turn) {
    const RunState& run = turn.run;
    if (run.phase != Phase::selecting_hand) return;
    if (run.chips >= run.blind.target) {
        win_round(turn);
    } else if (!run.hand.empty()) {
        return;
    } else if (hand_limit(run) <= 0) {
        lose(turn);
    } else if (run.deck_pile.empty()) {
        fail_round(turn);
    } else {
        draw_for_round(turn, Draw::other);
    }
}

void discard_hand(Turn& turn, std::span<const CardIndex> cards) {
    RunState& run = turn.run;
    --run.discards_left;
    earn(turn, -challenge_of(run).discard_cost);
    discard_cards(turn, cards, false);
    ++run.discards_used;
    draw_for_round(turn, Draw::other);
}

void skip_blind(Turn& turn) {
    RunState& run = turn.run;
    const HeldTag tag = run.skip_tags[static_cast<std::size_t>(run.on_deck)];
    turn.note({EventKind::blind_skipped, Actor::blind, static_cast<std::uint8_t>(run.on_deck)});
    ++run.skips;
    run.on_deck = static_cast<BlindSlot>(static_cast<int>(run.on_deck) + 1);
    gain_tag(turn, tag);
    apply_blind_choice_tag(turn);
}

namespace {

void collect_payout(Turn& turn) {
    RunState& run = turn.run;
    earn(turn, run.payout.total());
    reset_resources(run);
    if (run.on_deck == BlindSlot::small) prepare_ante(turn);
}

}  // namespace

void cash_out(Turn& turn) {
    collect_payout(turn);
    shuffle_deck(turn.run, {Stream::cashout, turn.run.ante});
    open_shop(turn);
}

void pass_shop(Turn& turn) {
    if (turn.run.tags.empty()) {
        collect_payout(turn);
        turn.run.phase = Phase::shop;
    } else {
        cash_out(turn);
    }
    close_shop(turn);
}

}  // namespace jimbo

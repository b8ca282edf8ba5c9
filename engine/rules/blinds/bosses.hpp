// The bosses.
#pragma once

#include <cmath>

#include "rules/blinds/blind_rule.hpp"
#include "rules/effects.hpp"
#include "rules/open_points.hpp"
#include "rules/zones.hpp"

namespace jimbo::blinds {

// Those that debuff by suit, and The Plant, read everything from the catalogue.
inline bool debuffs_by_fact(const RunState& run, const Card& card, const Traits& traits) {
    const BlindFact& blind = fact(run.blind.key);
    if (blind.debuffed_suit && is_suit(card, *blind.debuffed_suit, traits, true)) return true;
    return blind.debuffs_faces && is_face(card, traits, true);
}

inline constexpr BlindRule small{.key = BlindId::small};
inline constexpr BlindRule big{.key = BlindId::big};

// Two cards held in hand are discarded, each a new choice among those left, in creation order.
inline constexpr BlindRule hook{
    .key = BlindId::hook,
    .play_pressed =
        [](Turn& turn) {
            RunState& run = turn.run;
            FixedVector<CardIndex, max_hand> chosen;
            FixedVector<CardIndex, max_hand> left = run.hand;
            std::sort(left.begin(), left.end());
            for (int n = 0; n < 2 && !left.empty(); ++n) {
                const int pick = run.streams.pick(Stream::hook, left.size());
                chosen.push_back(left[pick]);
                left.erase(pick);
            }
            if (chosen.empty()) return;
            run.blind.triggered = open_point::matador_pays_at_hook_and_tooth;
            discard_cards(turn, chosen, true);
        },
};

// Playing the most played hand costs all money.
inline constexpr BlindRule ox{
    .key = BlindId::ox,
    .blocks_hand =
        [](Score& s) {
            if (s.hand == s.run.most_played) {
                s.run.blind.triggered = true;
                if (open_point::ox_empties_purse_at_once) {
                    earn(s.turn, -s.run.dollars, Actor::blind);
                } else {
                    s.earn(-s.run.dollars);
                }
            }
            return false;
        },
};

// The first hand comes face down.
inline constexpr BlindRule house{
    .key = BlindId::house,
    .flips = [](Turn& turn, const Card&,
                const Traits&) { return turn.run.hands_played == 0 && turn.run.discards_used == 0; },
};

inline void set_usual_target(Turn& turn) {
    const BlindId boss = turn.run.blind.key;
    turn.run.blind.target = target_score(turn.run, boss) / fact(boss).score * usual_boss_score;
}

inline constexpr BlindRule wall{.key = BlindId::wall, .disabled = set_usual_target};

inline constexpr BlindRule wheel{
    .key = BlindId::wheel,
    .flips = [](Turn& turn, const Card&,
                const Traits&) { return turn.run.streams.random(Stream::wheel) < odds_numerator(turn.run) / 7; },
};

// Lowers the level of the played hand before it scores.
inline constexpr BlindRule arm{
    .key = BlindId::arm,
    .blocks_hand =
        [](Score& s) {
            if (s.run.stats(s.hand).level > 1) {
                s.run.blind.triggered = true;
                level_up(s.turn, s.hand, -1);
            }
            return false;
        },
};

inline constexpr BlindRule club{.key = BlindId::club, .debuffs = debuffs_by_fact};

// Cards drawn after a play come face down.
inline constexpr BlindRule fish{
    .key = BlindId::fish,
    .play_pressed = [](Turn& turn) { turn.run.blind.flip_next_draw = true; },
    .flips = [](Turn& turn, const Card&, const Traits&) { return turn.run.blind.flip_next_draw; },
    .hand_drawn = [](Turn& turn, Draw) { turn.run.blind.flip_next_draw = false; },
};

inline constexpr BlindRule psychic{
    .key = BlindId::psychic,
    .blocks_hand = [](Score& s) { return s.run.played.size() < fact(BlindId::psychic).min_cards; },
};

inline constexpr BlindRule goad{.key = BlindId::goad, .debuffs = debuffs_by_fact};

inline constexpr BlindRule water{
    .key = BlindId::water,
    .started =
        [](Turn& turn) {
            turn.run.blind.taken = turn.run.discards_left;
            turn.run.discards_left = 0;
        },
    .disabled =
        [](Turn& turn) {
            turn.run.discards_left = static_cast<std::int16_t>(turn.run.discards_left + turn.run.blind.taken);
        },
};

inline constexpr BlindRule window{.key = BlindId::window, .debuffs = debuffs_by_fact};

inline constexpr BlindRule manacle{
    .key = BlindId::manacle,
    .started = [](Turn& turn) { change_hand_size(turn, -1); },
    .ended = [](Turn& turn) { change_hand_size(turn, 1); },
};

// No hand type twice in a round. The counters have already risen for this play.
inline constexpr BlindRule eye{
    .key = BlindId::eye,
    .blocks_hand = [](Score& s) { return s.run.stats(s.hand).played_this_round > 1; },
};

// Only the first hand type of the round.
inline constexpr BlindRule mouth{
    .key = BlindId::mouth,
    .blocks_hand =
        [](Score& s) {
            if (!s.run.blind.only_hand) s.run.blind.only_hand = s.hand;
            return *s.run.blind.only_hand != s.hand;
        },
};

inline constexpr BlindRule plant{.key = BlindId::plant, .debuffs = debuffs_by_fact};
inline constexpr BlindRule serpent{.key = BlindId::serpent};  // cards_to_draw knows it

inline constexpr BlindRule pillar{
    .key = BlindId::pillar,
    .debuffs = [](const RunState&, const Card& card, const Traits&) { return bool{card.played_this_ante}; },
};

inline constexpr BlindRule needle{
    .key = BlindId::needle,
    .started =
        [](Turn& turn) {
            turn.run.blind.taken = static_cast<std::int16_t>(turn.run.hands_left - 1);
            turn.run.hands_left = 1;
        },
    .disabled =
        [](Turn& turn) { turn.run.hands_left = static_cast<std::int16_t>(turn.run.hands_left + turn.run.blind.taken); },
};

inline constexpr BlindRule head{.key = BlindId::head, .debuffs = debuffs_by_fact};

inline constexpr BlindRule tooth{
    .key = BlindId::tooth,
    .charges_play =
        [](Turn& turn) {
            turn.run.blind.triggered = open_point::matador_pays_at_hook_and_tooth;
            earn(turn, -turn.run.played.size(), Actor::blind);
        },
};

// Halves base chips and mult, each rounded to the nearest.
inline constexpr BlindRule flint{
    .key = BlindId::flint,
    .modify_base =
        [](Score& s) {
            s.run.blind.triggered = true;
            s.chips = std::max(0.0, std::floor(s.chips * 0.5 + 0.5));
            s.mult = std::max(1.0, std::floor(s.mult * 0.5 + 0.5));
        },
};

inline bool is_face_even_debuffed(const Card& card, const Traits& traits) { return is_face(card, traits, true); }

inline constexpr BlindRule mark{
    .key = BlindId::mark,
    .flips = [](Turn&, const Card& card, const Traits& traits) { return is_face_even_debuffed(card, traits); },
    .hides = is_face_even_debuffed,
};

inline constexpr BlindRule final_acorn{
    .key = BlindId::final_acorn,
    .started =
        [](Turn& turn) {
            for (Joker& joker : turn.run.jokers) joker.face_down = true;
        },
    // Ceremonial Dagger takes the neighbour that the player saw.
    .jokers_asked =
        [](Turn& turn) {
            RunState& run = turn.run;
            if (run.jokers.size() < 2) return;
            for (int n = 0; n < open_point::amber_acorn_shuffles; ++n) {
                std::sort(run.jokers.begin(), run.jokers.end(),
                          [](const Joker& a, const Joker& b) { return a.id < b.id; });
                run.streams.shuffle(Stream::aajk, std::span(run.jokers.begin(), run.jokers.end()));
            }
            std::stable_partition(run.jokers.begin(), run.jokers.end(), [](const Joker& j) { return j.pinned; });
        },
    .ended =
        [](Turn& turn) {
            for (Joker& joker : turn.run.jokers) joker.face_down = false;
        },
};

// Every card is debuffed until a joker is sold.
inline constexpr BlindRule final_leaf{
    .key = BlindId::final_leaf,
    .debuffs = [](const RunState&, const Card&, const Traits&) { return true; },
    .joker_sold = disable_blind,
};

inline constexpr BlindRule final_vessel{.key = BlindId::final_vessel, .disabled = set_usual_target};

// One random joker is debuffed each hand, never the same twice in a row.
inline constexpr BlindRule final_heart{
    .key = BlindId::final_heart,
    .hand_drawn =
        [](Turn& turn, Draw why) {
            RunState& run = turn.run;
            if (why == Draw::other || run.jokers.empty()) return;
            const bool only_one = run.jokers.size() < 2;
            const auto choice = jokers_by_id(run, [&](int i) { return only_one || !run.jokers[i].debuffed; });
            if (choice.empty()) return;
            const int slot = choice[run.streams.pick(Stream::crimson_heart, choice.size())];
            for (Joker& joker : run.jokers) joker.debuffed_by_blind = false;
            run.jokers[slot].debuffed_by_blind = true;
            run.blind.triggered = true;
            update_debuffs(turn);
        },
};

// One card is always selected.
inline constexpr BlindRule final_bell{
    .key = BlindId::final_bell,
    .ended =
        [](Turn& turn) {
            for (Card& card : turn.run.cards) card.forced = false;
        },
    .hand_drawn =
        [](Turn& turn, Draw) {
            RunState& run = turn.run;
            if (run.hand.empty()) return;
            for (CardIndex i : run.hand) {
                if (run.cards[i].forced) return;
            }
            FixedVector<CardIndex, max_hand> by_id = run.hand;
            std::sort(by_id.begin(), by_id.end());
            run.cards[by_id[run.streams.pick(Stream::cerulean_bell, by_id.size())]].forced = true;
        },
};

}  // namespace jimbo::blinds

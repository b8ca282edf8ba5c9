// Jokers that act when a blind is selected. One that is being destroyed in the same pass no longer acts.
#pragma once

#include "rules/jokers/joker_queries.hpp"
#include "rules/open_points.hpp"

namespace jimbo::jokers {

inline constexpr JokerRule ceremonial{
    .key = JokerId::ceremonial,
    .count_means = ShownKind::mult,
    .hand_scored = count_as_mult,
    .blind_selected =
        [](Turn& turn, const JokerCall& j) {
            const int right = j.slot + 1;
            if (j.copied || j.self->leaving || right >= turn.run.jokers.size()) return;
            const Joker& victim = turn.run.jokers[right];
            const int value = sell_value(turn.run, victim);
            if (victim.leaving || !destroy_joker(turn, right)) return;
            j.self->count += 2 * value;
            ++turn.pass->slots_cleared;
        },
};

// The deck is shuffled by now, so the Stone card lies at its bottom and changes nothing about the deal.
inline constexpr JokerRule marble{
    .key = JokerId::marble,
    .blind_selected =
        [](Turn& turn, const JokerCall& j) {
            if (j.self->leaving) return;
            turn.pass->queue.push_back([](Turn& t) {
                Card card{};
                card.set_front(pick_front(t.run.streams, Stream::marb_fr));
                card.enhancement = Enhancement::stone;
                add_card(t, card, CardTo::deck);
            });
        },
};

inline constexpr JokerRule burglar{
    .key = JokerId::burglar,
    .blind_selected =
        [](Turn& turn, const JokerCall& j) {
            if (j.self->leaving) return;
            turn.run.hands_left = static_cast<std::int16_t>(turn.run.hands_left + 3);
            turn.run.discards_left = 0;
        },
};

// Grows on small and big blinds even when no joker can be destroyed; nothing is drawn then.
inline constexpr JokerRule madness{
    .key = JokerId::madness,
    .grows_x_mult = true,
    .hand_scored = own_x_mult,
    .blind_selected =
        [](Turn& turn, const JokerCall& j) {
            RunState& run = turn.run;
            if (j.copied || j.self->leaving || fact(run.blind.key).boss) return;
            j.self->x_mult += 0.5;
            const auto others =
                jokers_by_id(run, [&](int slot) { return slot != j.slot && !run.jokers[slot].stickers.eternal; });
            if (!others.empty()) destroy_joker(turn, others[run.streams.pick(Stream::madness, others.size())]);
        },
};

// Slots that are free for new jokers while jokers are being asked.
inline int joker_room(const Turn& turn) {
    const int room = joker_room(turn.run) - turn.pass->jokers_coming;
    if (!open_point::slots_free_up_after_the_pass) return room;
    int dying = 0;
    for (const Joker& joker : turn.run.jokers) dying += joker.leaving && joker.edition != Edition::negative ? 1 : 0;
    return room - dying + turn.pass->slots_cleared;
}

inline constexpr JokerRule riff_raff{
    .key = JokerId::riff_raff,
    .blind_selected =
        [](Turn& turn, const JokerCall& j) {
            if (j.self->leaving) return;
            // Counted when it is asked: a Negative joker among them makes no room for another.
            for (int n = std::min(2, joker_room(turn)); n > 0; --n) {
                ++turn.pass->jokers_coming;
                turn.pass->queue.push_back([](Turn& t) {
                    add_joker(t, make_joker(t.run.streams, pool_context(t.run), source::riff_raff, Rarity::common));
                });
            }
        },
};

}  // namespace jimbo::jokers

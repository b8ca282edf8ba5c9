// Jokers that act when a blind is selected. One that is being destroyed in the same pass no longer acts.
#pragma once

#include "rules/jokers/joker_queries.hpp"

namespace jimbo::jokers {

// count: Mult.
inline constexpr JokerRule ceremonial{
    .key = JokerId::ceremonial,
    .hand_scored = count_as_mult,
    .blind_selected =
        [](Turn& turn, const JokerCall& j) {
            const int right = j.slot + 1;
            if (j.copied || j.self->leaving || right >= turn.run.jokers.size()) return;
            const Joker& victim = turn.run.jokers[right];
            const int value = sell_value(turn.run, victim);
            if (!victim.leaving && destroy_joker(turn, right)) j.self->count += 2 * value;
        },
};

inline constexpr JokerRule marble{
    .key = JokerId::marble,
    .blind_selected =
        [](Turn& turn, const JokerCall& j) {
            if (j.self->leaving) return;
            Card card{};
            card.set_front(pick_front(turn.run.streams, Stream::marb_fr));
            card.enhancement = Enhancement::stone;
            add_card(turn, card, CardTo::deck);
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

inline constexpr JokerRule riff_raff{
    .key = JokerId::riff_raff,
    .blind_selected =
        [](Turn& turn, const JokerCall& j) {
            if (j.self->leaving) return;
            // Counted beforehand: a Negative joker among them makes no room for another.
            for (int n = std::min(2, joker_room(turn.run)); n > 0; --n)
                create_joker(turn, source::riff_raff, Rarity::common);
        },
};

}  // namespace jimbo::jokers

// The 22 Tarots.
#pragma once

#include "rules/consumables/choices.hpp"

namespace jimbo::consumables {

// --- What several of them do -----------------------------------------------------------------------------------------
template <Enhancement enhancement>
void enhance(Turn& turn, const Use& use) {
    change_cards(turn, use, use.targets, [](Card& card) { card.enhance(enhancement); });
}

template <Suit suit>
void change_suit(Turn& turn, const Use& use) {
    change_cards(turn, use, use.targets, [](Card& card) { card.suit = suit; });
}

// Up to two cards. The card that makes them is still about, so it cannot make itself.
template <Stream stream, ConsumableKind kind>
void create_two(Turn& turn, const Use& use) {
    RunState& run = turn.run;
    for (int i = 0; i < 2 && consumable_room(run) + use.own_slots > 0; ++i) {
        PoolContext context = pool_context(run);
        if (!context.showman) context.blocked.consumables.add(use.key);
        add_consumable(turn, pick_consumable(run.streams, {stream, run.ante}, kind, context.blocked));
    }
}

// Those that need a free consumable slot; the slot they leave themselves will do.
constexpr bool needs_consumable_slot(ConsumableId key) {
    return key == ConsumableId::fool || key == ConsumableId::high_priestess || key == ConsumableId::emperor;
}

constexpr Rank next_rank(Rank rank) {
    return rank == Rank::ace ? Rank::two : static_cast<Rank>(static_cast<int>(rank) + 1);
}

// Everything on the card but who it is, how it lies and whether a boss holds it.
constexpr Card copy_onto(const Card& from, const Card& onto) {
    Card card = copy_of(from);
    card.id = onto.id;
    card.face_down = onto.face_down;
    card.forced = onto.forced;
    card.debuffed = onto.debuffed;
    return card;
}

// --- Selected cards --------------------------------------------------------------------------------------------------
inline constexpr ConsumableRule magician{
    .key = ConsumableId::magician, .chance = Chance::none, .use = enhance<Enhancement::lucky>};
inline constexpr ConsumableRule empress{
    .key = ConsumableId::empress, .chance = Chance::none, .use = enhance<Enhancement::mult>};
inline constexpr ConsumableRule heirophant{
    .key = ConsumableId::heirophant, .chance = Chance::none, .use = enhance<Enhancement::bonus>};
inline constexpr ConsumableRule lovers{
    .key = ConsumableId::lovers, .chance = Chance::none, .use = enhance<Enhancement::wild>};
inline constexpr ConsumableRule chariot{
    .key = ConsumableId::chariot, .chance = Chance::none, .use = enhance<Enhancement::steel>};
inline constexpr ConsumableRule justice{
    .key = ConsumableId::justice, .chance = Chance::none, .use = enhance<Enhancement::glass>};
inline constexpr ConsumableRule devil{
    .key = ConsumableId::devil, .chance = Chance::none, .use = enhance<Enhancement::gold>};
inline constexpr ConsumableRule tower{
    .key = ConsumableId::tower, .chance = Chance::none, .use = enhance<Enhancement::stone>};

inline constexpr ConsumableRule star{
    .key = ConsumableId::star, .chance = Chance::none, .use = change_suit<Suit::diamonds>};
inline constexpr ConsumableRule moon{
    .key = ConsumableId::moon, .chance = Chance::none, .use = change_suit<Suit::clubs>};
inline constexpr ConsumableRule sun{.key = ConsumableId::sun, .chance = Chance::none, .use = change_suit<Suit::hearts>};
inline constexpr ConsumableRule world{
    .key = ConsumableId::world, .chance = Chance::none, .use = change_suit<Suit::spades>};

inline constexpr ConsumableRule strength{
    .key = ConsumableId::strength,
    .chance = Chance::none,
    .use =
        [](Turn& turn, const Use& use) {
            change_cards(turn, use, use.targets, [](Card& card) { card.rank = next_rank(card.rank); });
        },
};

inline constexpr ConsumableRule hanged_man{
    .key = ConsumableId::hanged_man,
    .chance = Chance::none,
    .use = [](Turn& turn, const Use& use) { destroy_cards(turn, use.targets); },
};

// The left card becomes the right one.
inline constexpr ConsumableRule death{
    .key = ConsumableId::death,
    .chance = Chance::none,
    .use =
        [](Turn& turn, const Use& use) {
            const Card right = turn.run.cards[use.targets[1]];
            const CardIndex left = use.targets[0];
            change_cards(turn, use, {&left, 1}, [&](Card& card) { card = copy_onto(right, card); });
        },
};

// --- Money -----------------------------------------------------------------------------------------------------------
inline constexpr ConsumableRule hermit{
    .key = ConsumableId::hermit,
    .chance = Chance::none,
    .use = [](Turn& turn, const Use& use) { earn_by(turn, use, std::clamp(turn.run.dollars, 0, 20)); },
};

inline constexpr ConsumableRule temperance{
    .key = ConsumableId::temperance,
    .chance = Chance::none,
    .use =
        [](Turn& turn, const Use& use) {
            int total = 0;
            for (const Joker& joker : turn.run.jokers) {
                if (!joker.leaving) total += sell_value(turn.run, joker);
            }
            earn_by(turn, use, std::min(total, 50));
        },
};

// --- Consumables and jokers ------------------------------------------------------------------------------------------
inline constexpr ConsumableRule fool{
    .key = ConsumableId::fool,
    .chance = Chance::none,
    .usable = [](const RunState& run) { return run.last_used && *run.last_used != ConsumableId::fool; },
    .use =
        [](Turn& turn, const Use& use) {
            if (consumable_room(turn.run) + use.own_slots > 0) add_consumable(turn, *turn.run.last_used);
        },
};

inline constexpr ConsumableRule high_priestess{
    .key = ConsumableId::high_priestess,
    .chance = Chance::drawn,
    .use = create_two<Stream::planet_pri, ConsumableKind::planet>,
};

inline constexpr ConsumableRule emperor{
    .key = ConsumableId::emperor,
    .chance = Chance::drawn,
    .use = create_two<Stream::tarot_emp, ConsumableKind::tarot>,
};

inline constexpr ConsumableRule judgement{
    .key = ConsumableId::judgement,
    .chance = Chance::drawn,
    .usable = has_joker_room,
    .use = [](Turn& turn, const Use&) { create_joker(turn, source::judgement, std::nullopt); },
};

// Chance, joker and edition are drawn one after the other from a single stream.
inline constexpr ConsumableRule wheel_of_fortune{
    .key = ConsumableId::wheel_of_fortune,
    .chance = Chance::drawn,
    .usable = has_joker_without_edition,
    .use =
        [](Turn& turn, const Use& use) {
            RunState& run = turn.run;
            if (run.streams.random(Stream::wheel_of_fortune) >= odds_numerator(run) / 4.0) {
                turn.note({.kind = EventKind::no_effect,
                           .actor = Actor::consumable,
                           .key = static_cast<std::uint8_t>(use.key)});
                return;
            }
            const int slot = pick_from(turn, Stream::wheel_of_fortune, jokers_without_edition(run));
            set_edition(turn, slot, poll_sure_edition(run.streams, Stream::wheel_of_fortune));
        },
};

}  // namespace jimbo::consumables

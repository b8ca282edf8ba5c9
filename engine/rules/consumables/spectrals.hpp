// The Spectrals but Black Hole, which stands with the Planets.
#pragma once

#include "rules/consumables/choices.hpp"
#include "rules/zones.hpp"

namespace jimbo::consumables {

// --- What several of them do -----------------------------------------------------------------------------------------
// Spectrals that act on the whole hand refuse a hand of a single card.
inline bool has_hand_for_spectral(const RunState& run) { return has_dealt_hand(run, 2); }

template <Seal seal>
void put_seal(Turn& turn, const Use& use) {
    change_cards(turn, use, use.targets, [](Card& card) { card.seal = seal; });
}

// No Stone among them.
inline constexpr std::array drawn_enhancements{Enhancement::bonus, Enhancement::mult,  Enhancement::wild,
                                               Enhancement::glass, Enhancement::steel, Enhancement::gold,
                                               Enhancement::lucky};

// One random card of the hand goes, `count` enhanced ones of these ranks come. Rank is drawn before suit from the same
// stream; a single possible rank is not drawn.
inline void trade_random_card(Turn& turn, Stream stream, std::span<const Rank> ranks, int count) {
    const CardIndex gone = pick_from(turn, Stream::random_destroy, hand_by_id(turn.run));
    destroy_cards(turn, {&gone, 1});
    for (int i = 0; i < count; ++i) {
        Card card;
        const Rank rank = ranks.size() == 1 ? ranks.front() : pick_from(turn, stream, ranks);
        card.set_front({rank, pick_from(turn, stream, drawn_suits)});
        card.enhancement = pick_from(turn, Stream::spe_card, drawn_enhancements);
        add_card(turn, card, CardTo::hand);
    }
}

// Eternal ones stay. Returns the new place of the one that is kept.
inline int destroy_other_jokers(Turn& turn, int kept) {
    const RunState& run = turn.run;
    const std::uint16_t id = run.jokers[kept].id;
    for (int slot = 0; slot < run.jokers.size(); ++slot) {
        if (slot != kept) destroy_joker(turn, slot);
    }
    sweep_jokers(turn);
    int slot = 0;
    while (run.jokers[slot].id != id) ++slot;
    return slot;
}

// --- Selected cards --------------------------------------------------------------------------------------------------
inline constexpr ConsumableRule talisman{
    .key = ConsumableId::talisman, .chance = Chance::none, .use = put_seal<Seal::gold>};
inline constexpr ConsumableRule deja_vu{
    .key = ConsumableId::deja_vu, .chance = Chance::none, .use = put_seal<Seal::red>};
inline constexpr ConsumableRule trance{
    .key = ConsumableId::trance, .chance = Chance::none, .use = put_seal<Seal::blue>};
inline constexpr ConsumableRule medium{
    .key = ConsumableId::medium, .chance = Chance::none, .use = put_seal<Seal::purple>};

// A card that has an edition keeps it.
inline bool has_no_edition(const Card& card) { return card.edition == Edition::base; }

inline constexpr ConsumableRule aura{
    .key = ConsumableId::aura,
    .chance = Chance::drawn,
    .usable =
        [](const RunState& run) {
            return std::any_of(run.hand.begin(), run.hand.end(),
                               [&](CardIndex card) { return has_no_edition(run.cards[card]); });
        },
    .takes = has_no_edition,
    .use =
        [](Turn& turn, const Use& use) {
            change_cards(turn, use, use.targets, [&](Card& card) {
                if (has_no_edition(card)) card.edition = poll_sure_edition(turn.run.streams, Stream::aura);
            });
        },
};

inline constexpr ConsumableRule cryptid{
    .key = ConsumableId::cryptid,
    .chance = Chance::none,
    .use =
        [](Turn& turn, const Use& use) {
            const Card copy = copy_of(turn.run.cards[use.targets[0]]);
            for (int i = 0; i < 2; ++i) add_card(turn, copy, CardTo::hand);
        },
};

// --- The whole hand --------------------------------------------------------------------------------------------------
inline constexpr ConsumableRule familiar{
    .key = ConsumableId::familiar,
    .chance = Chance::drawn,
    .usable = has_hand_for_spectral,
    .use =
        [](Turn& turn, const Use&) {
            static constexpr std::array ranks{Rank::jack, Rank::queen, Rank::king};
            trade_random_card(turn, Stream::familiar_create, ranks, 3);
        },
};

inline constexpr ConsumableRule grim{
    .key = ConsumableId::grim,
    .chance = Chance::drawn,
    .usable = has_hand_for_spectral,
    .use =
        [](Turn& turn, const Use&) {
            static constexpr std::array ranks{Rank::ace};
            trade_random_card(turn, Stream::grim_create, ranks, 2);
        },
};

inline constexpr ConsumableRule incantation{
    .key = ConsumableId::incantation,
    .chance = Chance::drawn,
    .usable = has_hand_for_spectral,
    .use =
        [](Turn& turn, const Use&) {
            static constexpr std::array ranks{Rank::two,   Rank::three, Rank::four, Rank::five, Rank::six,
                                              Rank::seven, Rank::eight, Rank::nine, Rank::ten};
            trade_random_card(turn, Stream::incantation_create, ranks, 4);
        },
};

inline constexpr ConsumableRule sigil{
    .key = ConsumableId::sigil,
    .chance = Chance::drawn,
    .usable = has_hand_for_spectral,
    .use =
        [](Turn& turn, const Use& use) {
            const Suit suit = pick_from(turn, Stream::sigil, drawn_suits);
            change_cards(turn, use, turn.run.hand, [&](Card& card) { card.suit = suit; });
        },
};

inline constexpr ConsumableRule ouija{
    .key = ConsumableId::ouija,
    .chance = Chance::drawn,
    .usable = has_hand_for_spectral,
    .use =
        [](Turn& turn, const Use& use) {
            const Rank rank = pick_from(turn, Stream::ouija, rank_facts).id;
            change_cards(turn, use, turn.run.hand, [&](Card& card) { card.rank = rank; });
            change_hand_size(turn, -1);
        },
};

inline constexpr ConsumableRule immolate{
    .key = ConsumableId::immolate,
    .chance = Chance::drawn,
    .usable = has_hand_for_spectral,
    .use =
        [](Turn& turn, const Use& use) {
            FixedVector<CardIndex, max_hand> cards = hand_by_id(turn.run);
            turn.run.streams.shuffle(Stream::immolate, std::span<CardIndex>(cards));
            while (cards.size() > 5) cards.pop_back();
            destroy_cards(turn, cards);
            earn_by(turn, use, 20);
        },
};

// --- Jokers ----------------------------------------------------------------------------------------------------------
inline constexpr ConsumableRule wraith{
    .key = ConsumableId::wraith,
    .chance = Chance::drawn,
    .usable = has_joker_room,
    .use =
        [](Turn& turn, const Use& use) {
            create_joker(turn, source::wraith, Rarity::rare);
            earn_by(turn, use, -turn.run.dollars);
        },
};

inline constexpr ConsumableRule soul{
    .key = ConsumableId::soul,
    .chance = Chance::drawn,
    .usable = has_joker_room,
    .use = [](Turn& turn, const Use&) { add_joker(turn, make_legendary(turn.run.streams, pool_context(turn.run))); },
};

// Costs one more card of hand size with each use in the run.
inline constexpr ConsumableRule ectoplasm{
    .key = ConsumableId::ectoplasm,
    .chance = Chance::drawn,
    .usable = has_joker_without_edition,
    .use =
        [](Turn& turn, const Use&) {
            const int slot = pick_from(turn, Stream::ectoplasm, jokers_without_edition(turn.run));
            set_edition(turn, slot, Edition::negative);
            change_hand_size(turn, -++turn.run.ectoplasms);
        },
};

inline constexpr ConsumableRule hex{
    .key = ConsumableId::hex,
    .chance = Chance::drawn,
    .usable = has_joker_without_edition,
    .use =
        [](Turn& turn, const Use&) {
            const int slot = pick_from(turn, Stream::hex, jokers_without_edition(turn.run));
            set_edition(turn, slot, Edition::polychrome);
            destroy_other_jokers(turn, slot);
        },
};

// Destroys before it copies, so that full slots do not matter; next to eternal jokers the copy may exceed the slots.
inline constexpr ConsumableRule ankh{
    .key = ConsumableId::ankh,
    .chance = Chance::drawn,
    .usable =
        [](const RunState& run) {
            const int slots = joker_room(run) + run.jokers.size();
            return !run.jokers.empty() && slots > 1;
        },
    .use =
        [](Turn& turn, const Use&) {
            const int chosen = pick_from(turn, Stream::ankh_choice, jokers_by_id(turn.run, [](int) { return true; }));
            copy_joker(turn, destroy_other_jokers(turn, chosen), true);
        },
};

}  // namespace jimbo::consumables

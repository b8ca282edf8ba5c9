// What a joker does, as hooks. A joker is one JokerRule constant in a family file; its facts (price, rarity, text) are
// in the catalogue. Blueprint and Brainstorm are resolved before any hook is called, so no joker knows them.
#pragma once

#include <span>

#include "rules/jokers/joker_shown.hpp"
#include "rules/score.hpp"

namespace jimbo {

// A discard in progress.
struct Discard {
    std::span<const CardIndex> cards;  // all that are discarded together, left to right
    bool by_hook = false;              // The Hook takes them, not the player
};

struct JokerRule {
    JokerId key{};
    // Its own numbers: what they mean, and what they are when it is new.
    ShownKind count_means = ShownKind::nothing;
    std::uint8_t count_of = 0;  // what the count runs up to, where it shows that
    std::int32_t start_count = 0;
    bool grows_x_mult = false;  // also one that shrinks
    double start_x_mult = 1.0;
    // What it shows besides them.
    ShownPart (*shown)(const RunState&, const Joker& self) = nullptr;

    // Scoring, in the order they are called.
    void (*before_scoring)(Score&, const JokerCall&) = nullptr;
    int (*scored_again)(const Score&, const JokerCall&, int played) = nullptr;  // extra triggers of a scoring card
    void (*card_scored)(Score&, const JokerCall&, int played) = nullptr;
    int (*held_again)(const Score&, const JokerCall&, int held) = nullptr;         // extra triggers of a held card
    bool (*card_held)(Score&, const JokerCall&, int held) = nullptr;               // true if it did something
    void (*hand_scored)(Score&, const JokerCall&) = nullptr;                       // the joker's own turn
    void (*joker_scored)(Score&, const JokerCall&, const Joker& other) = nullptr;  // after each joker's own turn
    bool (*destroys_card)(Score&, const JokerCall&, int played) = nullptr;         // after scoring
    void (*hand_blocked)(Score&, const JokerCall&) = nullptr;   // the boss made the hand score nothing
    void (*after_scoring)(Score&, const JokerCall&) = nullptr;  // also after a blocked hand

    // The round.
    void (*blind_selected)(Turn&, const JokerCall&) = nullptr;
    void (*first_draw)(Turn&, const JokerCall&) = nullptr;
    void (*before_discard)(Turn&, const JokerCall&, const Discard&) = nullptr;             // once for all cards
    bool (*card_discarded)(Turn&, const JokerCall&, const Discard&, CardIndex) = nullptr;  // true destroys the card
    void (*round_ended)(Turn&, const JokerCall&) = nullptr;
    int (*payout)(const RunState&, const Joker&) = nullptr;  // dollars on the cash-out sheet; copies do not count

    // Shop, packs, sales.
    void (*sold)(Turn&, const JokerCall&) = nullptr;       // this joker itself, just before it goes
    void (*card_sold)(Turn&, const JokerCall&) = nullptr;  // any other card of the player
    void (*shop_left)(Turn&, const JokerCall&) = nullptr;
    void (*shop_rerolled)(Turn&, const JokerCall&) = nullptr;
    void (*pack_opened)(Turn&, const JokerCall&) = nullptr;
    void (*pack_skipped)(Turn&, const JokerCall&) = nullptr;
    void (*consumable_used)(Turn&, const JokerCall&, ConsumableId) = nullptr;
    void (*cards_added)(Turn&, const JokerCall&, int count) = nullptr;  // playing cards to the deck
    void (*cards_destroyed)(Turn&, const JokerCall&, std::span<const Card>) = nullptr;

    // Passive effects: when the joker comes or its debuff ends, and when it goes or is debuffed.
    void (*gained)(Turn&, Joker&) = nullptr;
    void (*lost)(Turn&, Joker&) = nullptr;
};

const JokerRule& rule_of(JokerId key);

// The slot of the joker that acts in `slot`: itself, or at the end of a chain of copies the joker that is copied.
// A chain that meets a joker that does not work or cannot be copied, or that never ends, copies nothing.
int acting_slot(const RunState& run, int slot);

// The working jokers left to right, with Blueprint and Brainstorm resolved to what they copy.
JokerCalls resolve_jokers(RunState& run);

}  // namespace jimbo

// A run that looks the same to its player but whose hidden part is drawn anew.
#pragma once

#include <cstdint>
#include <optional>

#include "rules/queries.hpp"

namespace jimbo {

// What the game gives away of cards that lie face down. A boss may hide all cards of a sort (The Mark: faces), and no
// other. While Aura is held, whether it may be used on a card says whether the card has an edition.
class Clues {
public:
    explicit Clues(const RunState& run);
    bool none() const { return hides_ == nullptr && !editions_; }
    std::optional<bool> is_face(const Card& card) const;
    std::optional<bool> has_edition(const Card& card) const;
    // Cards of one kind cannot be told apart.
    static constexpr int kinds = 4;
    int kind(const Card& card) const;

private:
    bool (*hides_)(const Card&, const Traits&);
    bool editions_;
    Traits traits_;
};

// Keeps everything a player sees; draws anew, from the nonce alone: the order of the draw pile, what face-down cards
// are, where face-down jokers stand, a voucher not yet shown, what jokers out of sight look for, and every random
// stream. Pools, bosses used and all counters stay.
RunState determinize(const RunState& run, std::uint64_t nonce);

}  // namespace jimbo

// The queues behind everything that creates cards: what the next Judgement, Purple Seal or Certificate would give.
#pragma once

#include <span>
#include <string_view>

#include "rules/new_cards.hpp"

namespace jimbo {

struct CardSource {
    std::string_view name;
    Offer (*draw)(Streams&, const PoolContext&);
};

std::span<const CardSource> card_sources();

}  // namespace jimbo

#include "learn/choices.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace jimbo {
namespace {

// The next larger number with as many bits.
std::uint64_t next_choice(std::uint64_t bits) {
    const std::uint64_t low = bits & ~(bits - 1);
    const std::uint64_t carried = bits + low;
    return carried | ((bits ^ carried) >> (2 + std::countr_zero(low)));
}

}  // namespace

void Choices::clear() {
    cards_.clear();
    firsts_ = {};
}

void Choices::fill(const ActionGroup& group) {
    const auto shape = [](const ActionGroup& g) { return std::tuple(g.choice, g.forced, g.min_cards, g.max_cards); };
    if (shape(group) != shape(all_.group)) all_.list(group);
    cards_ = all_.cards;
    firsts_ = all_.firsts;
    values_.resize(cards_.size());
    leads_.assign(cards_.size(), Lead::none);
    led_.clear();
}

void Choices::Listed::list(const ActionGroup& wanted) {
    group = wanted;
    cards.clear();
    std::array<std::uint64_t, max_hand> bits{};
    int free = 0;
    for (std::uint64_t rest = group.choice; rest != 0; rest &= rest - 1) {
        bits[static_cast<std::size_t>(free++)] = rest & ~(rest - 1);
    }
    const int fixed = std::popcount(group.forced);
    for (int count = 0; count <= max_selected; ++count) {
        firsts[static_cast<std::size_t>(count)] = static_cast<int>(cards.size());
        const int more = count - fixed;
        if (count < group.min_cards || count > group.max_cards || more < 0 || more > free) continue;
        if (more == 0) {
            cards.push_back(group.forced);
            continue;
        }
        const std::uint64_t last = ((std::uint64_t{1} << more) - 1) << (free - more);
        for (std::uint64_t choice = (std::uint64_t{1} << more) - 1;; choice = next_choice(choice)) {
            std::uint64_t chosen = group.forced;
            for (std::uint64_t rest = choice; rest != 0; rest &= rest - 1) {
                chosen |= bits[static_cast<std::size_t>(std::countr_zero(rest))];
            }
            cards.push_back(chosen);
            if (choice == last) break;
        }
    }
    firsts.back() = static_cast<int>(cards.size());
}

int Choices::find(std::uint64_t cards) const {
    const auto count = static_cast<std::size_t>(std::popcount(cards));
    if (count > max_selected) return -1;
    const auto first = cards_.begin() + firsts_[count];
    const auto end = cards_.begin() + firsts_[count + 1];
    const auto found = std::lower_bound(first, end, cards);
    return found == end || *found != cards ? -1 : static_cast<int>(found - cards_.begin());
}

int Choices::best() const {
    return static_cast<int>(std::max_element(values_.begin(), values_.end()) - values_.begin());
}

void Choices::keep(const std::vector<int>& kept) {
    Firsts firsts{};
    for (std::size_t to = 0; to < kept.size(); ++to) {
        const auto from = static_cast<std::size_t>(kept[to]);
        cards_[to] = cards_[from];
        values_[to] = values_[from];
        leads_[to] = leads_[from];
        ++firsts[static_cast<std::size_t>(std::popcount(cards_[to])) + 1];
    }
    for (std::size_t count = 1; count < firsts.size(); ++count) firsts[count] += firsts[count - 1];
    firsts_ = firsts;
    cards_.resize(kept.size());
    values_.resize(kept.size());
    leads_.resize(kept.size());
}

// Doubles as whole numbers in the same order, turned round.
Choices::Key Choices::key(int i) const {
    const auto bits = std::bit_cast<std::uint64_t>(value(i) + 0.0);  // one zero, not two
    const std::uint64_t sign = std::uint64_t{1} << 63;
    return {(bits & sign) != 0 ? bits : ~(bits | sign), i};
}

// Adds the best of those with this lead, until there are `count` keys. The worst of them lies on top of a heap.
void Choices::add_keys(Lead lead, std::size_t count) {
    const auto first = static_cast<std::ptrdiff_t>(keys_.size());
    const auto add = [&](int i) {
        if (leads_[static_cast<std::size_t>(i)] != lead) return;
        const Key added = key(i);
        if (keys_.size() == count) {
            if (!(added < keys_[static_cast<std::size_t>(first)])) return;
            std::pop_heap(keys_.begin() + first, keys_.end());
            keys_.pop_back();
        }
        keys_.push_back(added);
        std::push_heap(keys_.begin() + first, keys_.end());
    };
    if (lead == Lead::none) {
        for (int i = 0; i < size(); ++i) add(i);
    } else {
        for (int i : led_) add(i);
    }
}

const std::vector<int>& Choices::chosen(int count) {
    keys_.clear();
    for (const Lead lead : {Lead::line_of_play, Lead::best_of_its_sort, Lead::none}) {
        if (keys_.size() < static_cast<std::size_t>(count)) add_keys(lead, static_cast<std::size_t>(count));
    }
    std::sort(keys_.begin(), keys_.end());
    chosen_.clear();
    for (const Key& key : keys_) chosen_.push_back(key.place);
    return chosen_;
}

}  // namespace jimbo

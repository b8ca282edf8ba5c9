// All choices of cards for a play or a discard, in columns: there are hundreds in every decision, of which a few are
// listed, so ranking them moves keys of 16 bytes and nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "play/groups.hpp"
#include "rules/hand_type.hpp"

namespace jimbo {

// What comes before others when there is no room for all.
enum class Lead : std::uint8_t { none, best_of_its_sort, line_of_play };

class Choices {
public:
    void clear();
    // Every choice of a group, without values: fewer cards first, then by the number that their bits make. Better
    // choices come first, and of equal ones those that stand first here.
    void fill(const ActionGroup& group);

    int size() const { return static_cast<int>(cards_.size()); }
    bool empty() const { return cards_.empty(); }
    std::uint64_t cards(int i) const { return cards_[static_cast<std::size_t>(i)]; }
    double value(int i) const { return values_[static_cast<std::size_t>(i)]; }
    Lead lead(int i) const { return leads_[static_cast<std::size_t>(i)]; }

    void set_value(int i, double value) { values_[static_cast<std::size_t>(i)] = value; }
    void set_lead(int i, Lead lead) {
        Lead& now = leads_[static_cast<std::size_t>(i)];
        if (now == Lead::none) led_.push_back(i);
        now = lead;
    }

    // Calls f(i, number of cards) for all, in their order.
    template <typename F>
    void each(F f) const {
        for (std::size_t count = 0; count <= max_selected; ++count) {
            for (int i = firsts_[count]; i < firsts_[count + 1]; ++i) f(i, static_cast<int>(count));
        }
    }

    // Where a choice stands, -1 if it is not there.
    int find(std::uint64_t cards) const;
    // The best one; there must be one.
    int best() const;
    // Drops all but these, which are in order.
    void keep(const std::vector<int>& kept);
    // The first `count`, leaders before others, and of these the best first.
    const std::vector<int>& chosen(int count);

private:
    struct Key {
        std::uint64_t value;  // the better, the smaller
        int place;
        bool operator<(const Key& other) const {
            return value != other.value ? value < other.value : place < other.place;
        }
    };

    Key key(int i) const;
    void add_keys(Lead lead, std::size_t count);

    using Firsts = std::array<int, max_selected + 2>;  // where the choices of each number of cards begin

    // What the last group that was listed has: hands of one size have the same choices.
    struct Listed {
        ActionGroup group{};
        std::vector<std::uint64_t> cards;
        Firsts firsts{};

        void list(const ActionGroup& wanted);
    };

    Listed all_;
    std::vector<std::uint64_t> cards_;
    Firsts firsts_{};
    std::vector<double> values_;
    std::vector<Lead> leads_;
    std::vector<int> led_;  // those with a lead
    std::vector<Key> keys_;
    std::vector<int> chosen_;
};

}  // namespace jimbo

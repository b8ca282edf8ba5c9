#include "learn/candidates.hpp"

#include <algorithm>
#include <bit>

#include "learn/candidate_values.hpp"
#include "learn/kept.hpp"
#include "learn/tuning.hpp"
#include "play/determinize.hpp"
#include "solve/lines.hpp"

namespace jimbo {
namespace {

constexpr std::uint64_t fixed_nonce = 0x4A494D424F;

// Best first; the rest of the order makes the list the same everywhere.
bool comes_before(const Candidate& a, const Candidate& b) {
    if (a.value != b.value) return a.value > b.value;
    if (a.cards != b.cards) return a.cards < b.cards;
    return a.action.cards < b.action.cards;
}

Candidate candidate_of(const Action& action) {
    return {.action = action, .cards = static_cast<std::uint8_t>(std::popcount(action.cards))};
}

// Calls f with every choice of cards of a group.
template <typename F>
void each_choice(const ActionGroup& group, F f) {
    std::array<std::uint64_t, max_hand> bits{};
    int free = 0;
    for (std::uint64_t rest = group.choice; rest != 0; rest &= rest - 1) {
        bits[static_cast<std::size_t>(free++)] = rest & ~(rest - 1);
    }
    const int fixed = std::popcount(group.forced);
    const auto choose = [&](auto&& self, int from, int wanted, std::uint64_t cards) -> void {
        if (wanted == 0) {
            f(cards);
            return;
        }
        for (int i = from; i + wanted <= free; ++i) {
            self(self, i + 1, wanted - 1, cards | bits[static_cast<std::size_t>(i)]);
        }
    };
    for (int k = std::max(0, group.min_cards - fixed); k <= group.max_cards - fixed; ++k)
        choose(choose, 0, k, group.forced);
}

bool anything_hidden(const RunState& run) {
    return std::any_of(run.jokers.begin(), run.jokers.end(), [](const Joker& joker) { return joker.face_down; }) ||
           std::any_of(run.hand.begin(), run.hand.end(), [&](CardIndex card) { return run.cards[card].face_down; });
}

// Of a large hand, the positions of the cards with most company.
std::uint64_t considered_positions(const RunState& run, const HandLook& look) {
    if (run.hand.size() <= tuning::considered_cards) return hand_positions(run);
    std::array<std::uint8_t, max_hand> places{};
    const auto end = places.begin() + run.hand.size();
    for (int i = 0; i < run.hand.size(); ++i) places[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
    std::sort(places.begin(), end, [&](int a, int b) {
        return look.company(a) != look.company(b) ? look.company(a) > look.company(b) : a < b;
    });
    std::uint64_t positions = 0;
    for (auto place = places.begin(); place < places.begin() + tuning::considered_cards; ++place) {
        positions |= std::uint64_t{1} << *place;
    }
    return positions;
}

bool is_sale(ActionKind kind) { return kind == ActionKind::sell_joker || kind == ActionKind::sell_consumable; }

void raise(Choices& choices, int i) {
    if (choices.lead(i) == Lead::none) choices.set_lead(i, Lead::best_of_its_sort);
}

// The best play for each poker hand and number of cards.
void mark_leading_plays(Choices& plays, const ScoredPlays& scored) {
    static_assert(tuning::leading_plays == 1);
    std::array<std::array<int, max_selected + 1>, hand_type_count> best;
    for (auto& row : best) row.fill(-1);
    plays.each([&](int i, int count) {
        const auto hand = static_cast<std::size_t>(scored.of(i).hand);
        int& leader = best[hand][static_cast<std::size_t>(count)];
        if (leader < 0 || plays.value(i) > plays.value(leader)) leader = i;
    });
    for (const auto& row : best) {
        for (int leader : row) {
            if (leader >= 0) raise(plays, leader);
        }
    }
}

// The best discards for each number of cards.
void mark_leading_discards(Choices& discards) {
    std::array<std::array<int, tuning::leading_discards>, max_selected + 1> best;
    for (auto& row : best) row.fill(-1);
    discards.each([&](int i, int count) {
        const int last = best[static_cast<std::size_t>(count)].back();
        if (last >= 0 && discards.value(i) <= discards.value(last)) return;
        int next = i;
        for (int& leader : best[static_cast<std::size_t>(count)]) {
            if (leader < 0 || discards.value(next) > discards.value(leader) ||
                (discards.value(next) == discards.value(leader) && next < leader)) {
                std::swap(leader, next);
            }
            if (next < 0) break;
        }
    });
    for (const auto& row : best) {
        for (int leader : row) {
            if (leader >= 0) raise(discards, leader);
        }
    }
}

}  // namespace

// --- Collecting ----------------------------------------------------------------------------------------------------

void CandidateList::collect(const RunState& run, bool moves) {
    for (Candidates* kind : {&singles_, &uses_, &sales_, &moves_}) kind->clear();
    bool can_play = false;
    bool can_discard = false;
    turns_.clear();
    const HandLook& look = look_.emplace(run);
    const std::uint64_t considered = considered_positions(run, look);
    for (ActionGroup group : action_groups(run, true)) {
        if (std::popcount(group.choice & considered & ~group.forced) + std::popcount(group.forced) >= group.min_cards) {
            group.choice &= considered;
        }
        if (group.kind == ActionKind::play || group.kind == ActionKind::discard) {
            (group.kind == ActionKind::play ? plays_ : discards_).fill(group);
            (group.kind == ActionKind::play ? can_play : can_discard) = true;
        } else if (group.max_cards > 0) {
            turns_.push_back(static_cast<int>(uses_.size()));
            each_choice(group, [&](std::uint64_t cards) {
                const Action action{group.kind, group.index, 0, cards};
                uses_.push_back(candidate_of(action));
                uses_.back().value = value_of_use(run, look, action);
            });
            std::sort(uses_.begin() + turns_.back(), uses_.end(), comes_before);
        } else {
            (is_sale(group.kind) ? sales_ : singles_).push_back({.action = {group.kind, group.index, 0, 0}});
        }
    }
    if (!can_play) plays_.clear();
    if (!can_discard) discards_.clear();
    for (int i = 1; moves && i < run.jokers.size(); ++i) {
        const Action move{ActionKind::move_joker, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i - 1), 0};
        if (check(run, move) == Refusal::none) moves_.push_back({.action = move});
    }
    discards_.each(
        [&](int i, int count) { discards_.set_value(i, value_of_kept(look.without(discards_.cards(i)), count)); });
}

// The best use of each consumable, the second best of each, ...
void CandidateList::take_turns() {
    if (turns_.size() < 2) return;
    turns_.push_back(static_cast<int>(uses_.size()));
    for (std::size_t t = 0; t + 1 < turns_.size(); ++t) {
        for (int i = turns_[t]; i < turns_[t + 1]; ++i) {
            const int turn = (i - turns_[t]) * static_cast<int>(turns_.size()) + static_cast<int>(t);
            uses_[static_cast<std::size_t>(i)].value = turn;  // another one for each
        }
    }
    std::sort(uses_.begin(), uses_.end(), [](const Candidate& a, const Candidate& b) { return a.value < b.value; });
}

void CandidateList::list(const RunState& run, bool moves) {
    collect(run, moves);
    take_turns();
    if (!plays_.empty()) {
        if (anything_hidden(run)) {
            score_plays(determinize(run, fixed_nonce), plays_, scored_);
        } else {
            score_plays(run, plays_, scored_);
        }
        mark_lines(run);
    }
    choose();
}

// What a player would think of first: hands that the cards make, and what they could be drawn towards.
void CandidateList::mark_lines(const RunState& run) {
    const HandShape shape = shape_of(run, traits_of(run));
    const auto mark = [](Choices& choices, const Lines& lines) {
        for (const Positions line : lines) {
            const int i = choices.find(line);
            if (i >= 0) choices.set_lead(i, Lead::line_of_play);
        }
    };
    mark(plays_, play_lines(shape));
    if (discards_.empty()) return;
    mark(discards_, discard_lines(shape, plays_.cards(plays_.best())));
}

// --- Choosing ------------------------------------------------------------------------------------------------------

void CandidateList::choose() {
    mark_leading_plays(plays_, scored_);
    mark_leading_discards(discards_);

    struct Share {
        int wanted;
        double part;
        int taken = 0;
    };
    const auto all = [](const Candidates& list) { return static_cast<int>(list.size()); };
    std::array<Share, 5> shares{{{all(uses_), tuning::use_share},
                                 {discards_.size(), tuning::discard_share},
                                 {plays_.size(), tuning::play_share},
                                 {all(sales_), tuning::sale_share},
                                 {all(moves_), tuning::move_share}}};
    const int singles = std::min(max_count_, all(singles_));
    const int room = max_count_ - singles;
    int left = room;
    for (Share& share : shares) {
        share.taken = std::min(share.wanted, static_cast<int>(share.part * room));
        left -= share.taken;
    }
    for (Share& share : shares) {
        const int more = std::min(left, share.wanted - share.taken);
        share.taken += more;
        left -= more;
    }
    const auto& [uses, discards, plays, sales, moves] = shares;
    const auto add = [&](const Candidates& list, int count) {
        listed_.insert(listed_.end(), list.begin(), list.begin() + count);
    };
    listed_.clear();
    list_choices(ActionKind::play, plays_, plays.taken);
    list_choices(ActionKind::discard, discards_, discards.taken);
    add(singles_, singles);
    add(uses_, uses.taken);
    add(sales_, sales.taken);
    add(moves_, moves.taken);
}

void CandidateList::list_choices(ActionKind kind, Choices& choices, int count) {
    for (const int i : choices.chosen(count)) {
        Candidate& candidate = listed_.emplace_back(candidate_of({kind, 0, 0, choices.cards(i)}));
        candidate.value = choices.value(i);
        candidate.lead = choices.lead(i);
        if (kind != ActionKind::play) continue;
        candidate.play = i;
        candidate.hand = scored_.of(i).hand;
    }
}

}  // namespace jimbo

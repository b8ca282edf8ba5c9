#include "learn/candidates.hpp"

#include <algorithm>
#include <bit>

#include "learn/candidate_values.hpp"
#include "learn/habits.hpp"
#include "learn/kept.hpp"
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
    if (run.hand.size() <= habits::considered_cards) return hand_positions(run);
    std::array<std::uint8_t, max_hand> places{};
    const auto end = places.begin() + run.hand.size();
    for (int i = 0; i < run.hand.size(); ++i) places[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
    std::sort(places.begin(), end, [&](int a, int b) {
        return look.company(a) != look.company(b) ? look.company(a) > look.company(b) : a < b;
    });
    std::uint64_t positions = 0;
    for (auto place = places.begin(); place < places.begin() + habits::considered_cards; ++place) {
        positions |= std::uint64_t{1} << *place;
    }
    return positions;
}

bool is_sale(ActionKind kind) { return kind == ActionKind::sell_joker || kind == ActionKind::sell_consumable; }

// Marks the best `per_key` of each key.
template <int per_key, typename Key>
void mark_leaders(std::vector<Candidate>& candidates, Key key) {
    std::array<std::array<Candidate*, per_key>, 128> best{};
    for (Candidate& candidate : candidates) {
        Candidate* next = &candidate;
        for (Candidate*& leader : best[static_cast<std::size_t>(key(candidate))]) {
            if (leader == nullptr || comes_before(*next, *leader)) std::swap(leader, next);
            if (next == nullptr) break;
        }
    }
    for (auto& leaders : best) {
        for (Candidate* leader : leaders) {
            if (leader != nullptr && leader->lead == Lead::none) leader->lead = Lead::best_of_its_sort;
        }
    }
}

// Keeps the first `count`, leaders before others, and puts the best first.
void keep_best(std::vector<Candidate>& candidates, int count) {
    const auto end = candidates.begin() + count;
    if (end != candidates.end()) {
        std::nth_element(candidates.begin(), end, candidates.end(), [](const Candidate& a, const Candidate& b) {
            return a.lead != b.lead ? a.lead > b.lead : comes_before(a, b);
        });
        candidates.erase(end, candidates.end());
    }
    std::sort(candidates.begin(), candidates.end(), comes_before);
}

}  // namespace

// --- Collecting ----------------------------------------------------------------------------------------------------

void CandidateList::collect(const RunState& run, bool moves) {
    for (Candidates* kind : {&plays_, &discards_, &singles_, &uses_, &sales_, &moves_}) kind->clear();
    turns_.clear();
    const HandLook look(run);
    const std::uint64_t considered = considered_positions(run, look);
    for (ActionGroup group : action_groups(run, true)) {
        if (std::popcount(group.choice & considered & ~group.forced) + std::popcount(group.forced) >= group.min_cards) {
            group.choice &= considered;
        }
        if (group.kind == ActionKind::play || group.kind == ActionKind::discard) {
            Candidates& list = group.kind == ActionKind::play ? plays_ : discards_;
            each_choice(group, [&](std::uint64_t cards) { list.push_back(candidate_of({group.kind, 0, 0, cards})); });
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
    for (int i = 1; moves && i < run.jokers.size(); ++i) {
        const Action move{ActionKind::move_joker, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i - 1), 0};
        if (check(run, move) == Refusal::none) moves_.push_back({.action = move});
    }
    for (Candidate& discard : discards_) {
        discard.value = value_of_kept(look.without(discard.action.cards), discard.cards);
    }
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
            score_plays(determinize(run, fixed_nonce), plays_, played_);
        } else {
            score_plays(run, plays_, played_);
        }
        mark_lines(run);
    }
    choose();
}

// What a player would think of first: hands that the cards make, and what they could be drawn towards.
void CandidateList::mark_lines(const RunState& run) {
    const HandShape shape = shape_of(run, traits_of(run));
    const auto mark = [](Candidates& list, const Lines& lines) {
        for (Candidate& candidate : list) {
            if (std::find(lines.begin(), lines.end(), candidate.action.cards) != lines.end())
                candidate.lead = Lead::line_of_play;
        }
    };
    mark(plays_, play_lines(shape));
    if (discards_.empty()) return;
    const auto best = std::min_element(plays_.begin(), plays_.end(), comes_before);
    mark(discards_, discard_lines(shape, best->action.cards));
}

// --- Choosing ------------------------------------------------------------------------------------------------------

void CandidateList::choose() {
    mark_leaders<habits::leading_plays>(plays_,
                                        [](const Candidate& c) { return static_cast<int>(c.hand) * 8 + c.cards; });
    mark_leaders<habits::leading_discards>(discards_, [](const Candidate& c) { return int{c.cards}; });

    struct Share {
        Candidates* list;
        double part;
        int taken = 0;
    };
    std::array<Share, 5> shares{{{&uses_, habits::use_share},
                                 {&discards_, habits::discard_share},
                                 {&plays_, habits::play_share},
                                 {&sales_, habits::sale_share},
                                 {&moves_, habits::move_share}}};
    const int singles = std::min(max_count_, static_cast<int>(singles_.size()));
    const int room = max_count_ - singles;
    int left = room;
    for (Share& share : shares) {
        share.taken = std::min(static_cast<int>(share.list->size()), static_cast<int>(share.part * room));
        left -= share.taken;
    }
    for (Share& share : shares) {
        const int more = std::min(left, static_cast<int>(share.list->size()) - share.taken);
        share.taken += more;
        left -= more;
    }
    singles_.resize(static_cast<std::size_t>(singles));
    for (const Share& share : shares) {
        const bool ranked = share.list == &plays_ || share.list == &discards_;
        if (ranked) keep_best(*share.list, share.taken);
        share.list->resize(static_cast<std::size_t>(share.taken));
    }
    listed_.clear();
    for (const Candidates* kind : {&plays_, &discards_, &singles_, &uses_, &sales_, &moves_}) {
        listed_.insert(listed_.end(), kind->begin(), kind->end());
    }
}

}  // namespace jimbo

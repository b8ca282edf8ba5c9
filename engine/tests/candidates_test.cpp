// Candidates: allowed, the best ones, never more than asked for, and blind to what is hidden.
#include "learn/candidates.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "base/symlog.hpp"
#include "check.hpp"
#include "play/determinize.hpp"
#include "tests/walk.hpp"

namespace {

using namespace jimbo;

struct Listed {
    std::vector<Candidate> candidates;
    std::vector<CandidateIds> ids;
    std::vector<CandidateNumbers> numbers;

    int count(ActionKind kind) const {
        return static_cast<int>(std::count_if(candidates.begin(), candidates.end(),
                                              [&](const Candidate& c) { return c.action.kind == kind; }));
    }
    int find(const Action& action) const {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (candidates[i].action == action) return static_cast<int>(i);
        }
        return -1;
    }
    const CandidateIds& id(const Action& action) const { return ids[static_cast<std::size_t>(find(action))]; }
    const CandidateNumbers& number(const Action& action) const {
        return numbers[static_cast<std::size_t>(find(action))];
    }
};

Listed listed(const RunState& run, int max_count, bool moves = false) {
    CandidateList list(max_count);
    list.list(run, moves);
    Listed all;
    all.candidates.assign(list.candidates().begin(), list.candidates().end());
    all.ids.resize(all.candidates.size());
    all.numbers.resize(all.candidates.size());
    list.describe(run, all.ids.data(), all.numbers.data());
    return all;
}

RunState dealt() {
    RunState run = start_run(*parse_seed("CHOICE"), DeckId::red, StakeId::white);
    step(run, {ActionKind::select_blind});
    return run;
}

TEST(fields_are_columns) {
    int ids = 0;
    int numbers = 0;
    for (const FieldSpec& field : candidate_fields()) {
        const bool id = field.dtype == "int16";
        CHECK_EQ(static_cast<int>(field.offset), id ? ids++ : numbers++);
        CHECK_EQ(id, categories_of(field.vocabulary) > 0);
        CHECK(field.doc.ends_with('.'));
    }
    CHECK_EQ(ids, candidate_id_count);
    CHECK_EQ(numbers, candidate_number_count);
}

// --- What is listed ------------------------------------------------------------------------------------------------

TEST(everything_is_listed_when_there_is_room) {
    RunState run = dealt();
    edits::add_consumable(run, ConsumableId::death, Edition::base);
    edits::add_joker(run, JokerId::joker, Edition::base, {});
    edits::add_joker(run, JokerId::egg, Edition::base, {});
    const Listed all = listed(run, 4096, true);
    const auto actions = legal_actions(run);
    CHECK_EQ(all.candidates.size(), actions.size() + 1);  // and the move
    for (const Action& action : actions) CHECK(all.find(action) >= 0);
    CHECK(all.find({ActionKind::move_joker, 1, 0, 0}) >= 0);
}

TEST(the_best_play_comes_first) {
    const RunState run = dealt();
    double best = 0;
    for (const Action& action : legal_actions(run)) {
        if (action.kind == ActionKind::play) best = std::max(best, preview(run, action.cards, Luck::expected).score);
    }
    const Listed few = listed(run, 16);
    CHECK(few.candidates[0].action.kind == ActionKind::play);
    CHECK_EQ(few.candidates[0].value, best);
    CHECK_EQ(few.numbers[0].score_log, symlog(best));
    CHECK_EQ(few.candidates.size(), 16u);
    CHECK(few.count(ActionKind::discard) >= 5);
    for (std::size_t i = 1; i < few.candidates.size(); ++i) {
        const bool both_play = few.candidates[i].action.kind == ActionKind::play;
        if (both_play) CHECK(few.candidates[i].value <= few.candidates[i - 1].value);
    }
}

TEST(every_poker_hand_has_its_best_play) {
    const RunState run = dealt();
    std::set<HandType> possible;
    for (const Action& action : legal_actions(run)) {
        if (action.kind == ActionKind::play) possible.insert(preview(run, action.cards, Luck::none).hand);
    }
    std::set<HandType> found;
    for (const Candidate& c : listed(run, 64).candidates) {
        if (c.action.kind == ActionKind::play) found.insert(c.hand);
    }
    CHECK(possible == found);
    CHECK(possible.size() >= 2);
}

TEST(a_flush_draw_is_kept) {
    RunState run = dealt();
    constexpr std::array ranks{Rank::ace,  Rank::queen, Rank::nine, Rank::six,
                               Rank::jack, Rank::eight, Rank::four, Rank::two};
    for (int i = 0; i < 8; ++i) {
        run.hand_card(i).set_front({ranks[static_cast<std::size_t>(i)], i < 4   ? Suit::hearts
                                                                        : i % 2 ? Suit::clubs
                                                                                : Suit::spades});
    }
    const Listed few = listed(run, 24);
    const Action best{ActionKind::discard, 0, 0, 0b11110000};
    CHECK(few.find(best) >= 0);
    CHECK_EQ(few.number(best).kept_suit, 4.0F);
    CHECK_EQ(few.number(best).cards, 4.0F);
    CHECK_EQ(few.number(best).kept_chips_log, symlog(11 + 10 + 9 + 6));
    CHECK_EQ(few.id(best).card_1, 5);
    CHECK_EQ(few.id(best).card_4, 8);
    CHECK_EQ(few.id(best).card_5, 0);
}

TEST(large_hands_are_listed_quickly_and_fully_used) {
    RunState run = dealt();
    while (!run.hand.full()) edits::add_card(run, Card{}, CardTo::hand);
    while (!run.consumables.full()) edits::add_consumable(run, ConsumableId::star, Edition::negative);
    const Listed some = listed(run, 128, true);
    CHECK_EQ(some.candidates.size(), 128u);
    CHECK(some.candidates[0].hand == HandType::flush_five);
    for (const Candidate& c : some.candidates) CHECK(jimbo::check(run, c.action) == Refusal::none);
}

// --- What is told --------------------------------------------------------------------------------------------------

RunState in_shop() {
    RunState run = dealt();
    run.chips = run.blind.target;
    step(run, {ActionKind::play, 0, 0, 1});
    step(run, {ActionKind::cash_out});
    run.dollars = 20;
    run.shop.clear();
    Offer joker = Offer::of(JokerId::blueprint);
    joker.edition = Edition::foil;
    run.shop.push_back({joker, false});
    run.shop.push_back({Offer::of(ConsumableId::pluto), true});
    return run;
}

TEST(a_purchase_says_what_and_how_much) {
    const RunState run = in_shop();
    const Listed all = listed(run, 64);
    const Action buy{ActionKind::buy, 0, 0, 0};
    CHECK_EQ(all.id(buy).joker, static_cast<int>(JokerId::blueprint) + 1);
    CHECK_EQ(all.id(buy).rarity, static_cast<int>(Rarity::rare) + 1);
    CHECK_EQ(all.id(buy).edition, static_cast<int>(Edition::foil));
    CHECK_EQ(all.number(buy).price_log, symlog(12));
    CHECK_EQ(all.number(buy).price_share, 0.6F);
    CHECK_EQ(all.number(buy).room, 5.0F);
    const Action use{ActionKind::buy_and_use, 1, 0, 0};
    CHECK_EQ(all.id(use).consumable, static_cast<int>(ConsumableId::pluto) + 1);
    CHECK_EQ(all.id(use).hand, static_cast<int>(HandType::high_card) + 1);
    CHECK_EQ(all.number(use).price_log, 0.0F);
    CHECK_EQ(all.count(ActionKind::leave_shop), 1);
}

TEST(a_play_that_wins_says_so) {
    RunState run = dealt();
    run.chips = run.blind.target - 5;
    const Listed all = listed(run, 32);
    CHECK_EQ(all.numbers[0].beats, 1.0F);
    CHECK_EQ(all.numbers[0].score_share, 1.0F);
    run.chips = 0;
    run.blind.target = 1e6;
    const Listed far = listed(run, 32);
    CHECK_EQ(far.numbers[0].beats, 0.0F);
    CHECK_EQ(far.numbers[0].score_share, static_cast<float>(far.candidates[0].value / 1e6));
}

// --- On the way through random runs --------------------------------------------------------------------------------

TEST(candidates_are_allowed_and_one_of_a_kind) {
    long wrong = 0;
    long empty = 0;
    long looks = 0;
    tests::walk_random_runs(25, 21, [&](const RunState& run, tests::Dice& dice) {
        const int max_count = 1 + dice.below(60);
        const Listed some = listed(run, max_count, true);
        ++looks;
        empty += some.candidates.empty() != (run.phase == Phase::game_over);
        wrong += static_cast<int>(some.candidates.size()) > max_count;
        for (std::size_t i = 0; i < some.candidates.size(); ++i) {
            wrong += jimbo::check(run, some.candidates[i].action) != Refusal::none;
            for (std::size_t j = 0; j < i; ++j) wrong += some.candidates[i].action == some.candidates[j].action;
        }
    });
    CHECK(looks > 2000);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(empty, 0);
}

template <typename T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Whether a joker that lies face down may be sold, and a card be an Aura's target, is seen by trying; everything else
// must be the same.
bool can_tell_by_trying(const RunState& run) {
    const auto hidden_eternal = [](const Joker& joker) { return joker.face_down && joker.stickers.eternal; };
    const auto aura = [](const Consumable& c) { return c.key == ConsumableId::aura; };
    return std::any_of(run.jokers.begin(), run.jokers.end(), hidden_eternal) ||
           std::any_of(run.consumables.begin(), run.consumables.end(), aura);
}

TEST(candidates_are_blind_to_what_is_hidden) {
    int looks = 0;
    int different = 0;
    tests::walk_hidden_rounds(120, 22, [&](const RunState& run, tests::Dice& dice) {
        if (can_tell_by_trying(run)) return;
        const RunState other = determinize(run, dice.next());
        const Listed a = listed(run, 64, true);
        const Listed b = listed(other, 64, true);
        ++looks;
        different += !same_bytes(a.ids, b.ids) || !same_bytes(a.numbers, b.numbers);
    });
    CHECK(looks > 200);
    CHECK_EQ(different, 0);
}

}  // namespace

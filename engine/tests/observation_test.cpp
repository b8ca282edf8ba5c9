// Observations: what they hold, that nothing hidden is in them, and that writing over an old one leaves no trace.
#include "learn/observation.hpp"

#include <cmath>
#include <cstring>
#include <set>

#include "base/symlog.hpp"
#include "check.hpp"
#include "play/determinize.hpp"
#include "tests/walk.hpp"

namespace {

using namespace jimbo;

Observation fresh(const RunState& run, std::uint64_t selected = 0) {
    Observation out;
    std::memset(&out, 0, sizeof out);
    write_observation(run, selected, out);
    return out;
}

bool same(const Observation& a, const Observation& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

RunState dealt(BlindId boss = BlindId::hook, BlindSlot slot = BlindSlot::small) {
    RunState run = start_run(*parse_seed("SEEN"), DeckId::red, StakeId::white);
    run.boss = boss;
    run.on_deck = slot;
    step(run, {ActionKind::select_blind});
    return run;
}

TEST(the_scale_is_ln_of_one_more) {
    for (double x : {0.001, 0.5, 1.0, 2.0, 3.0, 10.0, 300.0, 1e6, 1e15, 1e200, 9.9e299}) {
        CHECK(std::abs(symlog(x) - std::log1p(x)) < 2e-6 * (1 + std::log1p(x)));
        CHECK_EQ(symlog(-x), -symlog(x));
    }
    CHECK_EQ(symlog(0), 0.0F);
    CHECK_EQ(symlog(std::numeric_limits<double>::infinity()), symlog(1e301));
    CHECK_EQ(symlog(std::numeric_limits<double>::quiet_NaN()), symlog(1e301));
    CHECK(symlog(1e301) < 700);
}

TEST(fields_fill_the_struct_without_overlap) {
    std::size_t end = 0;
    std::set<std::string_view> names;
    for (const FieldSpec& field : observation_fields()) {
        const std::size_t size = field.dtype == "uint8" ? 1 : field.dtype == "int16" ? 2 : 4;
        CHECK(field.offset >= end && field.offset < end + 4);
        CHECK_EQ(field.offset % size, 0u);
        end = field.offset + size * static_cast<std::size_t>(std::max(1, field.rows) * std::max(1, field.columns));
        CHECK(names.insert(field.name).second);
        CHECK(field.doc.ends_with('.'));
        const auto parts = static_cast<int>(parts_of(field).size());
        CHECK(parts == 0 || parts == (field.columns > 0 ? field.columns : field.rows));
        CHECK(categories_of(field.vocabulary) > 0 || field.low < field.high);
    }
    CHECK_EQ(end, offsetof(Observation, deck_number));
}

// --- What is seen --------------------------------------------------------------------------------------------------

TEST(a_dealt_hand) {
    RunState run = dealt();
    run.hand_card(0).enhancement = Enhancement::stone;
    run.hand_card(1).seal = Seal::red;
    run.hand_card(2).bonus = 15;
    const Observation out = fresh(run, 0b101);
    CHECK_EQ(out.phase, 2);
    CHECK_EQ(out.ante, 1);
    CHECK_EQ(out.dollars, 4);
    CHECK_EQ(out.n_hand, 8);
    CHECK_EQ(out.hand_rank[0], 0);
    CHECK_EQ(out.hand_enhancement[0], static_cast<int>(Enhancement::stone));
    CHECK_EQ(out.hand_rank[1], static_cast<int>(run.hand_card(1).rank) + 1);
    CHECK_EQ(out.hand_suit[1], static_cast<int>(run.hand_card(1).suit) + 1);
    CHECK_EQ(out.hand_seal[1], static_cast<int>(Seal::red));
    CHECK_EQ(out.hand_bonus[2], 15);
    CHECK_EQ(out.selected[0] + 2 * out.selected[1] + 4 * out.selected[2] + 8 * out.selected[3], 5);
    CHECK_EQ(out.n_deck, 52);
    CHECK_EQ(out.n_unseen, 44);
    CHECK_EQ(out.unseen_enhancements[0], 44);
    CHECK_EQ(out.deck_enhancements[static_cast<std::size_t>(Enhancement::stone)], 1);
    CHECK_EQ(out.target_log, symlog(300));
    CHECK_EQ(out.blind_targets_log[1], symlog(450));
}

TEST(counts_add_up) {
    RunState run = dealt();
    step(run, {ActionKind::discard, 0, 0, 0b11111});
    const Observation out = fresh(run);
    CHECK_EQ(out.n_discarded, 5);
    for (std::size_t suit = 0; suit < 4; ++suit) {
        for (std::size_t rank = 0; rank < 13; ++rank) {
            int in_hand = 0;
            for (int i = 0; i < run.hand.size(); ++i) {
                in_hand += out.hand_rank[static_cast<std::size_t>(i)] == rank + 1 &&
                           out.hand_suit[static_cast<std::size_t>(i)] == suit + 1;
            }
            CHECK_EQ(out.deck_fronts[suit][rank], 1);
            CHECK_EQ(out.unseen_fronts[suit][rank] + out.discarded_fronts[suit][rank] + in_hand, 1);
        }
    }
}

TEST(cards_that_lie_face_down_are_unseen) {
    const RunState run = dealt(BlindId::house, BlindSlot::boss);
    const Observation out = fresh(run);
    CHECK_EQ(out.n_hand, 8);
    CHECK_EQ(out.n_unseen, 52);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK_EQ(out.hand_face_down[i], 1);
        CHECK_EQ(out.hand_rank[i] + out.hand_suit[i] + out.hand_debuffed[i], 0);
    }
}

TEST(jokers_that_lie_face_down_are_known_but_not_where) {
    RunState run = dealt();
    edits::add_joker(run, JokerId::egg, Edition::foil, {.eternal = true});
    edits::add_joker(run, JokerId::joker, Edition::base, {});
    for (Joker& joker : run.jokers) joker.face_down = true;
    const Observation out = fresh(run);
    CHECK_EQ(out.joker_id[0] + out.joker_edition[0] + out.joker_flags[0][0] + out.joker_sell[0], 0);
    CHECK_EQ(out.joker_flags[0][5], 1);
    CHECK_EQ(out.hidden_joker[0], static_cast<int>(JokerId::joker) + 1);
    CHECK_EQ(out.hidden_joker[1], static_cast<int>(JokerId::egg) + 1);
    for (Joker& joker : run.jokers) joker.face_down = false;
    Observation again = out;
    write_observation(run, 0, again);
    CHECK_EQ(again.hidden_joker[0], 0);
    CHECK_EQ(again.joker_flags[0][0], 1);
}

TEST(what_a_joker_looks_for_is_seen_where_the_joker_is) {
    RunState run = dealt();
    CHECK_EQ(fresh(run).idol_rank + fresh(run).mail_rank + fresh(run).castle_suit, 0);
    edits::add_joker(run, JokerId::idol, Edition::base, {});
    CHECK_EQ(fresh(run).idol_rank, static_cast<int>(run.targets.idol_rank) + 1);
    run.shop.push_back({Offer::of(JokerId::castle), false});
    CHECK_EQ(fresh(run).castle_suit, static_cast<int>(run.targets.castle_suit) + 1);
    CHECK_EQ(fresh(run).mail_rank, 0);
}

TEST(owned_vouchers_are_flagged) {
    RunState run = dealt();
    for (VoucherId key : {VoucherId::overstock_norm, VoucherId::blank, VoucherId::palette}) run.vouchers.add(key);
    const Observation out = fresh(run);
    for (int v = 0; v < voucher_count; ++v) CHECK_EQ(out.vouchers[static_cast<std::size_t>(v)], run.vouchers.test(v));
}

TEST(the_first_voucher_is_seen_with_the_first_shop) {
    RunState run = start_run(*parse_seed("SEEN"), DeckId::red, StakeId::white);
    CHECK(run.voucher.has_value());
    CHECK_EQ(fresh(run).voucher, 0);
    step(run, {ActionKind::select_blind});
    run.chips = run.blind.target;
    step(run, {ActionKind::play, 0, 0, 1});
    CHECK_EQ(fresh(run).voucher, 0);
    step(run, {ActionKind::cash_out});
    CHECK_EQ(fresh(run).voucher, static_cast<int>(*run.voucher) + 1);
    CHECK_EQ(fresh(run).shop_voucher[0], fresh(run).voucher);
}

// --- On the way through random runs --------------------------------------------------------------------------------

TEST(writing_over_any_old_observation_gives_the_same) {
    Observation used;
    std::memset(&used, 0, sizeof used);
    int looks = 0;
    int different = 0;
    const auto look = [&](const RunState& run, tests::Dice&) {
        const std::uint64_t selected = hand_positions(run) & 0b10110;
        write_observation(run, selected, used);
        ++looks;
        different += same(used, fresh(run, selected)) ? 0 : 1;
    };
    tests::walk_random_runs(60, 5, look);
    tests::walk_hidden_rounds(100, 5, look);
    CHECK(looks > 5000);
    CHECK_EQ(different, 0);
}

TEST(nothing_hidden_is_seen) {
    int hidden_cards = 0;
    int hidden_jokers = 0;
    int different = 0;
    const auto look = [&](const RunState& run, tests::Dice& dice) {
        for (int i = 0; i < run.hand.size(); ++i) hidden_cards += run.hand_card(i).face_down;
        for (const Joker& joker : run.jokers) hidden_jokers += joker.face_down;
        different += same(fresh(run), fresh(determinize(run, dice.next()))) ? 0 : 1;
    };
    tests::walk_random_runs(60, 6, look);
    tests::walk_hidden_rounds(400, 6, look);
    CHECK(hidden_cards > 1000);
    CHECK(hidden_jokers > 500);
    CHECK_EQ(different, 0);
}

TEST(ids_stay_within_their_vocabulary) {
    int out_of_range = 0;
    tests::walk_random_runs(40, 7, [&](const RunState& run, tests::Dice&) {
        const Observation out = fresh(run);
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&out);
        for (const FieldSpec& field : observation_fields()) {
            const int categories = categories_of(field.vocabulary);
            if (categories == 0) continue;
            for (int i = 0; i < std::max(1, field.rows); ++i)
                out_of_range += bytes[field.offset + static_cast<std::size_t>(i)] >= categories;
        }
    });
    CHECK_EQ(out_of_range, 0);
}

}  // namespace

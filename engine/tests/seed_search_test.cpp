// The parts of a seed in any order, and searches on any number of threads.
#include "seeds/seed_search.hpp"

#include <string>

#include "check.hpp"
#include "seeds/explore_json.hpp"

namespace {

using namespace jimbo;

constexpr int last_ante = win_ante;

std::vector<std::string> antes(Explorer& explorer) {
    std::vector<std::string> texts(last_ante);
    for (int ante = 1; ante <= last_ante; ++ante)
        append_json(texts[static_cast<std::size_t>(ante) - 1], explorer, ante);
    return texts;
}

// Asks for the last antes first, and for the parts of an ante from the last to the first.
void ask_backwards(Explorer& explorer) {
    for (int ante = last_ante; ante >= 1; --ante) explorer.legendaries(ante);
    for (int ante = last_ante; ante >= 1; --ante) {
        for (int i = explorer.boosters(ante).size() - 1; i >= 0; --i) explorer.pack(ante, i);
    }
    for (int ante = last_ante; ante >= 1; --ante) {
        explorer.shop(ante);
        explorer.tags(ante);
        explorer.voucher(ante);
        explorer.boss(ante);
    }
}

void check_any_order(const Opening& opening) {
    Explorer forwards(opening, 12, last_ante);
    Explorer backwards(opening, 12, last_ante);
    for (std::uint64_t n = 0; n < 40; ++n) {
        const Seed seed = numbered_seed(n * 1'000'003);
        forwards.start(seed);
        backwards.start(seed);
        ask_backwards(backwards);
        CHECK(antes(forwards) == antes(backwards));
    }
}

TEST(parts_come_in_any_order) {
    check_any_order(opening_of(DeckId::red, StakeId::gold, {}, {}));
    check_any_order(opening_of(DeckId::ghost, StakeId::white, {}, {}));
    check_any_order(opening_of(DeckId::challenge, StakeId::white, ChallengeId::bram_poker, {}));
    check_any_order(opening_of(DeckId::red, StakeId::white, {}, {.vouchers_count_as_owned = true}));
}

TurnsUp turns_up(Thing thing, int first, int last) { return {{std::move(thing)}, first, last, true}; }

TEST(threads_share_a_search) {
    SeedQuery query{.opening = opening_of(DeckId::erratic, StakeId::white, {}, {})};
    query.conditions.emplace_back(turns_up(JokerPattern{JokerId::blueprint, {}}, 1, 2));
    query.conditions.emplace_back(turns_up(BlindId::hook, 2, 2));
    query.conditions.emplace_back(DeckHolds{{CardCount{.card = {.rank = Rank::ace}, .min_cards = 4}}});
    const SeedSearch search(query);
    const auto alone = search.search(0, 4000, 1);
    const auto together = search.search(0, 4000, 3);
    CHECK(!alone.empty());
    CHECK_EQ(alone.size(), together.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
        CHECK(alone[i].seed == together[i].seed);
        CHECK_EQ(alone[i].places.size(), std::size_t{2});
        CHECK(alone[i].places[0].key == "j_blueprint");
        CHECK(alone[i].places[1].where == Where::boss);
        CHECK(alone[i].counts.at(0).cards >= 4);
    }
}

TEST(a_search_ends_with_the_last_seed) {
    SeedQuery query{.opening = opening_of(DeckId::red, StakeId::white, {}, {})};
    query.conditions.emplace_back(TurnsUp{{VoucherId::blank}, 1, 1, false});
    CHECK(SeedSearch(query).search(made_seed_count - 5, 100, 4).size() <= 5);
    CHECK(number_of(numbered_seed(made_seed_count - 1)) == made_seed_count - 1);
}

}  // namespace

// Fresh hidden worlds behind an unchanged public face.
#include "play/determinize.hpp"

#include <array>
#include <vector>

#include "check.hpp"
#include "play/step.hpp"
#include "rules/queries.hpp"
#include "store/state_json.hpp"
#include "view/public_json.hpp"

namespace {

using namespace jimbo;

RunState dealt(BlindId boss = BlindId::hook, BlindSlot slot = BlindSlot::small) {
    RunState run = start_run(*parse_seed("HIDDEN"), DeckId::red, StakeId::white);
    run.boss = boss;
    run.on_deck = slot;
    step(run, {ActionKind::select_blind});
    return run;
}

std::string public_text(const RunState& run) { return public_to_json(public_state(run)).dump(); }

int count_faces(const RunState& run) {
    int faces = 0;
    for (CardIndex index : run.hand) faces += is_face_rank(run.cards[index].rank);
    return faces;
}

TEST(the_public_face_stays) {
    const RunState run = dealt();
    for (std::uint64_t nonce = 0; nonce < 50; ++nonce) CHECK_EQ(public_text(determinize(run, nonce)), public_text(run));
}

TEST(a_nonce_gives_one_world_and_another_nonce_another) {
    const RunState run = dealt();
    CHECK_EQ(save_run(determinize(run, 7)), save_run(determinize(run, 7)));
    CHECK(save_run(determinize(run, 7)) != save_run(determinize(run, 8)));
    CHECK(determinize(run, 7).deck_pile[43] != determinize(run, 9).deck_pile[43] ||
          determinize(run, 7).deck_pile[42] != determinize(run, 9).deck_pile[42]);
}

// Whoever sees only worlds of a nonce cannot tell runs apart that look the same.
TEST(a_world_depends_on_what_is_seen_and_the_nonce_alone) {
    for (const RunState& run :
         {dealt(), dealt(BlindId::house, BlindSlot::boss), dealt(BlindId::mark, BlindSlot::boss)}) {
        for (std::uint64_t nonce = 0; nonce < 20; ++nonce) {
            CHECK_EQ(save_run(determinize(determinize(run, nonce + 100), nonce)), save_run(determinize(run, nonce)));
        }
    }
}

TEST(memory_and_pools_survive) {
    RunState run = dealt();
    run.boss_uses[3] = 2;
    run.gros_michel_extinct = true;
    const RunState world = determinize(run, 1);
    CHECK_EQ(world.boss_uses[3], 2);
    CHECK(world.gros_michel_extinct);
    CHECK(world.streams.seed() != run.streams.seed());
}

// 44 cards are left; the 99.9 % point of chi-square with 43 degrees of freedom is 77.4.
TEST(the_next_card_is_uniform) {
    const RunState run = dealt();
    constexpr int per_card = 200;
    std::array<int, max_cards> seen{};
    const int samples = per_card * run.deck_pile.size();
    for (int i = 0; i < samples; ++i) {
        ++seen[determinize(run, static_cast<std::uint64_t>(i)).deck_pile.back()];
    }
    double chi_square = 0;
    for (CardIndex index : run.deck_pile) {
        const double difference = seen[index] - per_card;
        chi_square += difference * difference / per_card;
    }
    CHECK(chi_square < 77.4);
}

TEST(face_down_cards_may_be_any_unseen_card) {
    const RunState run = dealt(BlindId::house, BlindSlot::boss);
    std::vector<bool> seen(max_cards);
    for (std::uint64_t nonce = 0; nonce < 400; ++nonce) {
        const RunState world = determinize(run, nonce);
        CHECK_EQ(world.hand.size(), run.hand.size());
        for (CardIndex index : world.hand) {
            CHECK(world.cards[index].face_down);
            seen[index] = true;
        }
        for (CardIndex index : world.deck_pile) CHECK(!world.cards[index].face_down);
    }
    CHECK_EQ(std::count(seen.begin(), seen.end(), true), 52);
}

TEST(the_mark_keeps_faces_faces) {
    const RunState run = dealt(BlindId::mark, BlindSlot::boss);
    for (std::uint64_t nonce = 0; nonce < 50; ++nonce) CHECK_EQ(count_faces(determinize(run, nonce)), count_faces(run));
}

TEST(face_down_jokers_change_places) {
    RunState run = dealt();
    for (JokerId key : {JokerId::joker, JokerId::egg, JokerId::wee}) {
        run.jokers.push_back(
            {.id = static_cast<std::uint16_t>(100 + run.jokers.size()), .key = key, .face_down = true});
    }
    bool moved = false;
    for (std::uint64_t nonce = 0; nonce < 20; ++nonce) moved |= determinize(run, nonce).jokers[0].key != JokerId::joker;
    CHECK(moved);
}

}  // namespace

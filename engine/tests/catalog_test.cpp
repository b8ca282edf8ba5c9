#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/lookup.hpp"
#include "check.hpp"

using namespace jimbo;

namespace {

// "j_" and the words of a comma-separated list.
std::vector<std::string> keys(std::string_view prefix, std::string_view stems) {
    std::vector<std::string> all;
    while (!stems.empty()) {
        const std::size_t comma = std::min(stems.find(", "), stems.size());
        all.push_back(std::string(prefix) + std::string(stems.substr(0, comma)));
        stems.remove_prefix(std::min(comma + 2, stems.size()));
    }
    return all;
}

template <class Ids>
std::vector<std::string> keys_of(const Ids& ids) {
    std::vector<std::string> all;
    for (auto id : ids) all.emplace_back(fact(id).key);
    return all;
}

template <class Fact, std::size_t N, class Wanted>
std::vector<std::string> keys_where(const std::array<Fact, N>& rows, Wanted wanted) {
    std::vector<std::string> all;
    for (const Fact& row : rows) {
        if (wanted(row)) all.emplace_back(row.key);
    }
    return all;
}

std::vector<std::string> sorted(std::vector<std::string> all) {
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

// The pools as seed tools list them, typed independently of the table: order decides every draw.
TEST(joker_pools) {
    CHECK(keys_of(common_jokers) ==
          keys("j_",
               "joker, greedy_joker, lusty_joker, wrathful_joker, gluttenous_joker, jolly, zany, mad, crazy, droll, "
               "sly, wily, clever, devious, crafty, half, credit_card, banner, mystic_summit, 8_ball, misprint, "
               "raised_fist, chaos, scary_face, abstract, delayed_grat, gros_michel, even_steven, odd_todd, scholar, "
               "business, supernova, ride_the_bus, egg, runner, ice_cream, splash, blue_joker, faceless, green_joker, "
               "superposition, todo_list, cavendish, red_card, square, riff_raff, photograph, reserved_parking, mail, "
               "hallucination, fortune_teller, juggler, drunkard, golden, popcorn, walkie_talkie, smiley, ticket, "
               "swashbuckler, hanging_chad, shoot_the_moon"));
    CHECK(keys_of(uncommon_jokers) ==
          keys("j_",
               "stencil, four_fingers, mime, ceremonial, marble, loyalty_card, dusk, fibonacci, steel_joker, hack, "
               "pareidolia, space, burglar, blackboard, sixth_sense, constellation, hiker, card_sharp, madness, "
               "seance, vampire, shortcut, hologram, cloud_9, rocket, midas_mask, luchador, gift, turtle_bean, "
               "erosion, to_the_moon, stone, lucky_cat, bull, diet_cola, trading, flash, trousers, ramen, selzer, "
               "castle, mr_bones, acrobat, sock_and_buskin, troubadour, certificate, smeared, throwback, rough_gem, "
               "bloodstone, arrowhead, onyx_agate, glass, ring_master, flower_pot, merry_andy, oops, idol, "
               "seeing_double, matador, satellite, cartomancer, astronomer, bootstraps"));
    CHECK(keys_of(rare_jokers) ==
          keys("j_",
               "dna, vagabond, baron, obelisk, baseball, ancient, campfire, blueprint, wee, hit_the_road, duo, trio, "
               "family, order, tribe, stuntman, invisible, brainstorm, drivers_license, burnt"));
    CHECK(keys_of(legendary_jokers) == keys("j_", "caino, triboulet, yorick, chicot, perkeo"));
    CHECK_EQ(joker_pool(Rarity::common).size(), 61u);
    CHECK_EQ(joker_pool(Rarity::uncommon).size(), 64u);
    CHECK_EQ(joker_pool(Rarity::rare).size(), 20u);
    CHECK_EQ(joker_pool(Rarity::legendary).size(), 5u);
}

TEST(joker_traits) {
    CHECK(keys_where(joker_facts, [](const JokerFact& joker) { return !joker.eternal; }) ==
          keys("j_",
               "gros_michel, ice_cream, cavendish, luchador, turtle_bean, diet_cola, popcorn, ramen, selzer, "
               "mr_bones, invisible"));
    CHECK(keys_where(joker_facts, [](const JokerFact& joker) { return !joker.perishable; }) ==
          keys("j_",
               "ceremonial, ride_the_bus, runner, constellation, green_joker, red_card, madness, square, vampire, "
               "hologram, rocket, obelisk, lucky_cat, flash, trousers, castle, glass, wee"));
    CHECK(keys_where(joker_facts, [](const JokerFact& joker) { return joker.locked_on_fresh_profile; }) ==
          keys("j_",
               "ticket, mr_bones, acrobat, sock_and_buskin, swashbuckler, troubadour, certificate, smeared, "
               "throwback, hanging_chad, rough_gem, bloodstone, arrowhead, onyx_agate, glass, ring_master, "
               "flower_pot, blueprint, wee, merry_andy, oops, idol, seeing_double, matador, hit_the_road, duo, trio, "
               "family, order, tribe, stuntman, invisible, brainstorm, satellite, shoot_the_moon, drivers_license, "
               "cartomancer, astronomer, burnt, bootstraps, caino, triboulet, yorick, chicot, perkeo"));
    CHECK(keys_where(joker_facts, [](const JokerFact& joker) { return joker.gate != Enhancement::none; }) ==
          keys("j_", "steel_joker, stone, lucky_cat, ticket, glass"));
    CHECK_EQ(fact(JokerId::gros_michel).pool_gate, PoolGate::needs_gros_michel_alive);
    CHECK_EQ(fact(JokerId::cavendish).pool_gate, PoolGate::needs_gros_michel_extinct);
    CHECK_EQ(fact(JokerId::caino).name, "Canio");
    CHECK_EQ(fact(JokerId::eight_ball).key, "j_8_ball");
}

TEST(consumables) {
    CHECK(keys_where(consumable_facts, [](const ConsumableFact& card) { return card.kind == ConsumableKind::tarot; }) ==
          keys("c_",
               "fool, magician, high_priestess, empress, emperor, heirophant, lovers, chariot, justice, hermit, "
               "wheel_of_fortune, strength, hanged_man, death, temperance, devil, tower, star, moon, sun, judgement, "
               "world"));
    CHECK(
        keys_where(consumable_facts, [](const ConsumableFact& card) { return card.kind == ConsumableKind::planet; }) ==
        keys("c_", "mercury, venus, earth, mars, jupiter, saturn, uranus, neptune, pluto, planet_x, ceres, eris"));
    CHECK(keys_where(consumable_facts,
                     [](const ConsumableFact& card) { return card.kind == ConsumableKind::spectral; }) ==
          keys("c_",
               "familiar, grim, incantation, talisman, aura, wraith, sigil, ouija, ectoplasm, immolate, ankh, deja_vu, "
               "hex, trance, medium, cryptid, soul, black_hole"));
    CHECK(keys_where(consumable_facts, [](const ConsumableFact& card) { return card.softlocked; }) ==
          keys("c_", "planet_x, ceres, eris"));
    for (const HandFact& hand : hand_facts) CHECK(fact(planet_of(hand.id)).hand == hand.id);
    for (const ConsumableFact& card : consumable_facts) {
        CHECK_EQ(card.hand.has_value(), card.kind == ConsumableKind::planet);
        CHECK_EQ(card.softlocked, card.hand && fact(*card.hand).secret);
        CHECK(card.min_targets <= card.max_targets);
    }
    CHECK_EQ(fact(ConsumableId::death).min_targets, 2);
    CHECK_EQ(fact(ConsumableId::magician).min_targets, 1);
    CHECK_EQ(fact(ConsumableId::magician).max_targets, 2);
    CHECK_EQ(fact(ConsumableId::world).max_targets, 3);
    CHECK_EQ(fact(ConsumableId::aura).max_targets, 1);
    CHECK_EQ(fact(ConsumableId::immolate).max_targets, 0);
}

TEST(vouchers) {
    for (const VoucherFact& voucher : voucher_facts) {
        const int place = static_cast<int>(voucher.id);
        CHECK_EQ(voucher.cost, 10);
        CHECK_EQ(voucher.prerequisite.has_value(), place % 2 == 1);
        if (voucher.prerequisite) CHECK_EQ(static_cast<int>(*voucher.prerequisite), place - 1);
    }
}

TEST(boosters) {
    double total = 0;
    for (const BoosterFact& pack : booster_facts) {
        const int size = static_cast<int>(pack.size);
        const bool small = pack.kind == BoosterKind::buffoon || pack.kind == BoosterKind::spectral;
        total += pack.weight;
        CHECK_EQ(pack.cost, 4 + 2 * size);
        CHECK_EQ(pack.picks, pack.size == BoosterSize::mega ? 2 : 1);
        CHECK_EQ(pack.cards, (pack.size == BoosterSize::normal ? 3 : 5) - (small ? 1 : 0));
    }
    CHECK_EQ(total, 22.420000000000005);  // summed in order, as the shop does
}

TEST(tags) {
    CHECK(sorted(keys_where(tag_facts, [](const TagFact& tag) { return tag.min_ante == 2; })) ==
          sorted(keys("tag_", "negative, standard, meteor, buffoon, handy, garbage, ethereal, top_up, orbital")));
    CHECK(keys_where(tag_facts, [](const TagFact& tag) { return tag.locked_on_fresh_profile; }) ==
          keys("tag_", "rare, negative, foil, holo, polychrome"));
    CHECK_EQ(fact(TagId::skip).name, "Speed Tag");
    CHECK_EQ(fact(TagId::double_).key, "tag_double");
}

TEST(bosses) {
    CHECK(keys_of(boss_order) ==
          keys("bl_",
               "arm, club, eye, final_acorn, final_bell, final_heart, final_leaf, final_vessel, fish, flint, goad, "
               "head, hook, house, manacle, mark, mouth, needle, ox, pillar, plant, psychic, serpent, tooth, wall, "
               "water, wheel, window"));
    const auto from_ante = [](int ante) {
        return sorted(keys_where(blind_facts, [ante](const BlindFact& blind) {
            return blind.boss && !blind.showdown && blind.min_ante == ante;
        }));
    };
    CHECK(from_ante(1) == keys("bl_", "club, goad, head, hook, manacle, pillar, psychic, window"));
    CHECK(from_ante(2) == keys("bl_", "arm, fish, flint, house, mark, mouth, needle, wall, water, wheel"));
    CHECK(from_ante(3) == keys("bl_", "eye, tooth"));
    CHECK(from_ante(4) == keys("bl_", "plant"));
    CHECK(from_ante(5) == keys("bl_", "serpent"));
    CHECK(from_ante(6) == keys("bl_", "ox"));
    for (const BlindFact& blind : blind_facts) {
        CHECK_EQ(blind.dollars, blind.showdown ? 8 : blind.boss ? 5 : blind.id == BlindId::big ? 4 : 3);
    }
}

TEST(fronts) {
    for (std::size_t i = 0; i < fronts.size(); ++i) {
        CHECK_EQ(front_index(fronts[i]), static_cast<int>(i));
        CHECK(front_by_key(front_key(fronts[i])) == fronts[i]);
        if (i > 0) CHECK(front_key(fronts[i - 1]) < front_key(fronts[i]));
    }
    CHECK_EQ(front_key({Rank::ten, Suit::hearts}), "H_T");
    CHECK_EQ(front_key(fronts.front()), "C_2");
    CHECK_EQ(front_key(fronts.back()), "S_T");
    CHECK_EQ(chips_of(Rank::two), 2);
    CHECK_EQ(chips_of(Rank::queen), 10);
    CHECK_EQ(chips_of(Rank::ace), 11);
    CHECK(!front_by_key("X_2"));
}

TEST(stakes_only_get_harder) {
    for (std::size_t i = 1; i < stake_facts.size(); ++i) {
        const StakeFact& below = stake_facts[i - 1];
        const StakeFact& above = stake_facts[i];
        CHECK(above.small_blind_pays <= below.small_blind_pays);
        CHECK(above.base_table >= below.base_table);
        CHECK(above.discards <= below.discards);
        CHECK(above.eternal >= below.eternal);
        CHECK(above.perishable >= below.perishable);
        CHECK(above.rental >= below.rental);
    }
    CHECK_EQ(fact(StakeId::gold).base_table, base_table_count - 1);
    CHECK_EQ(fact(StakeId::gold).discards, -1);
}

TEST(challenges) {
    for (const ChallengeFact& challenge : challenge_facts) {
        int cards = 0;
        for (int copies : challenge.deck.copies) cards += suit_count * copies;
        CHECK_EQ(cards, challenge.id == ChallengeId::mad_world ? 32 : 52);
    }
    // Non-Perishable bans exactly the jokers that cannot be eternal.
    for (const JokerFact& joker : joker_facts) {
        CHECK_EQ(fact(ChallengeId::non_perishable).banned_jokers.contains(joker.id), !joker.eternal);
    }
    CHECK_EQ(fact(ChallengeId::jokerless).start.joker_slots, 0);
    CHECK_EQ(fact(ChallengeId::jokerless).start.hands, run_start.hands);
}

TEST(lookup) {
    CHECK(joker_by_key("j_greedy_joker") == JokerId::greedy_joker);
    CHECK(consumable_by_key("c_black_hole") == ConsumableId::black_hole);
    CHECK(voucher_by_key("v_blank") == VoucherId::blank);
    CHECK(booster_by_key("p_spectral_mega_1") == BoosterId::spectral_mega_1);
    CHECK(tag_by_key("tag_double") == TagId::double_);
    CHECK(blind_by_key("bl_small") == BlindId::small);
    CHECK(id_by_key(deck_facts, "b_erratic") == DeckId::erratic);
    CHECK(id_by_key(stake_facts, "stake_gold") == StakeId::gold);
    CHECK(id_by_key(challenge_facts, "c_omelette_1") == ChallengeId::omelette);
    CHECK(enhancement_by_key("m_glass") == Enhancement::glass);
    CHECK(edition_by_key("e_holo") == Edition::holo);
    CHECK(seal_by_key("seal_purple") == Seal::purple);
    CHECK(id_by_key(sticker_facts, "rental") == Sticker::rental);
    CHECK(id_by_key(hand_facts, "Full House") == HandType::full_house);
    CHECK(!joker_by_key("j_nobody"));
    CHECK(!enhancement_by_key(""));
    CHECK(!seal_by_key(""));
}

// The 150 jokers, in the order of the game's collection, which is also the order of every pool.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "catalog/cards.hpp"
#include "catalog/fact_fields.hpp"

namespace jimbo {

// clang-format off
enum class JokerId : std::uint8_t {
    joker, greedy_joker, lusty_joker, wrathful_joker, gluttenous_joker, jolly, zany, mad, crazy, droll, sly, wily,
    clever, devious, crafty, half, stencil, four_fingers, mime, credit_card, ceremonial, banner, mystic_summit, marble,
    loyalty_card, eight_ball, misprint, dusk, raised_fist, chaos, fibonacci, steel_joker, scary_face, abstract,
    delayed_grat, hack, pareidolia, gros_michel, even_steven, odd_todd, scholar, business, supernova, ride_the_bus,
    space, egg, burglar, blackboard, runner, ice_cream, dna, splash, blue_joker, sixth_sense, constellation, hiker,
    faceless, green_joker, superposition, todo_list, cavendish, card_sharp, red_card, madness, square, seance,
    riff_raff, vampire, shortcut, hologram, vagabond, baron, cloud_9, rocket, obelisk, midas_mask, luchador, photograph,
    gift, turtle_bean, erosion, reserved_parking, mail, to_the_moon, hallucination, fortune_teller, juggler, drunkard,
    stone, golden, lucky_cat, baseball, bull, diet_cola, trading, flash, popcorn, trousers, ancient, ramen,
    walkie_talkie, selzer, castle, smiley, campfire, ticket, mr_bones, acrobat, sock_and_buskin, swashbuckler,
    troubadour, certificate, smeared, throwback, hanging_chad, rough_gem, bloodstone, arrowhead, onyx_agate, glass,
    ring_master, flower_pot, blueprint, wee, merry_andy, oops, idol, seeing_double, matador, hit_the_road, duo, trio,
    family, order, tribe, stuntman, invisible, brainstorm, satellite, shoot_the_moon, drivers_license, cartomancer,
    astronomer, burnt, bootstraps, caino, triboulet, yorick, chicot, perkeo
};
// clang-format on

enum class Rarity : std::uint8_t { common, uncommon, rare, legendary };
inline constexpr int rarity_count = 4;
inline constexpr std::array<std::string_view, rarity_count> rarity_names{"Common", "Uncommon", "Rare", "Legendary"};

// Some jokers enter the pools only after, or until, Gros Michel has destroyed itself in this run.
enum class PoolGate : std::uint8_t { none, needs_gros_michel_alive, needs_gros_michel_extinct };
inline constexpr std::array<std::string_view, 3> pool_gate_names{"", "needs_gros_michel_alive",
                                                                 "needs_gros_michel_extinct"};

// clang-format off
#define JOKER_FIELDS(FIELD) \
    FIELD(rarity, {}, "Common, Uncommon, Rare or Legendary.", Rarity) \
    FIELD(cost, 0, "", std::uint8_t) \
    FIELD(copyable, true, "Blueprint and Brainstorm can copy it.", bool) \
    FIELD(eternal, true, "It may carry the Eternal sticker.", bool) \
    FIELD(perishable, true, "It may carry the Perishable sticker.", bool) \
    FIELD(gate, Enhancement::none, "An enhancement: the joker appears only while the full deck holds such a card.", \
          Enhancement) \
    FIELD(pool_gate, PoolGate::none, "``needs_gros_michel_alive`` or ``needs_gros_michel_extinct``.", PoolGate) \
    FIELD(locked_on_fresh_profile, false, "", bool)
// clang-format on

struct JokerFact {
    JokerId id{};
    std::string_view key{};
    std::string_view name{};
    JOKER_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(JokerFact, JOKER_FIELDS)

// clang-format off
inline constexpr auto joker_facts = [] {
    using J = JokerId;
    using R = Rarity;
    return std::to_array<JokerFact>({
        {.id = J::joker, .key = "j_joker", .name = "Joker", .rarity = R::common, .cost = 2, .text = "+4 Mult."},
        {.id = J::greedy_joker, .key = "j_greedy_joker", .name = "Greedy Joker", .rarity = R::common, .cost = 5,
         .text = "Played Diamonds give +3 Mult when scored."},
        {.id = J::lusty_joker, .key = "j_lusty_joker", .name = "Lusty Joker", .rarity = R::common, .cost = 5,
         .text = "Played Hearts give +3 Mult when scored."},
        {.id = J::wrathful_joker, .key = "j_wrathful_joker", .name = "Wrathful Joker", .rarity = R::common, .cost = 5,
         .text = "Played Spades give +3 Mult when scored."},
        {.id = J::gluttenous_joker, .key = "j_gluttenous_joker", .name = "Gluttonous Joker", .rarity = R::common,
         .cost = 5, .text = "Played Clubs give +3 Mult when scored."},
        {.id = J::jolly, .key = "j_jolly", .name = "Jolly Joker", .rarity = R::common, .cost = 3,
         .text = "+8 Mult if the played hand contains a Pair."},
        {.id = J::zany, .key = "j_zany", .name = "Zany Joker", .rarity = R::common, .cost = 4,
         .text = "+12 Mult if the played hand contains a Three of a Kind."},
        {.id = J::mad, .key = "j_mad", .name = "Mad Joker", .rarity = R::common, .cost = 4,
         .text = "+10 Mult if the played hand contains a Two Pair."},
        {.id = J::crazy, .key = "j_crazy", .name = "Crazy Joker", .rarity = R::common, .cost = 4,
         .text = "+12 Mult if the played hand contains a Straight."},
        {.id = J::droll, .key = "j_droll", .name = "Droll Joker", .rarity = R::common, .cost = 4,
         .text = "+10 Mult if the played hand contains a Flush."},
        {.id = J::sly, .key = "j_sly", .name = "Sly Joker", .rarity = R::common, .cost = 3,
         .text = "+50 Chips if the played hand contains a Pair."},
        {.id = J::wily, .key = "j_wily", .name = "Wily Joker", .rarity = R::common, .cost = 4,
         .text = "+100 Chips if the played hand contains a Three of a Kind."},
        {.id = J::clever, .key = "j_clever", .name = "Clever Joker", .rarity = R::common, .cost = 4,
         .text = "+80 Chips if the played hand contains a Two Pair."},
        {.id = J::devious, .key = "j_devious", .name = "Devious Joker", .rarity = R::common, .cost = 4,
         .text = "+100 Chips if the played hand contains a Straight."},
        {.id = J::crafty, .key = "j_crafty", .name = "Crafty Joker", .rarity = R::common, .cost = 4,
         .text = "+80 Chips if the played hand contains a Flush."},
        {.id = J::half, .key = "j_half", .name = "Half Joker", .rarity = R::common, .cost = 5,
         .text = "+20 Mult if 3 or fewer cards are played."},
        {.id = J::stencil, .key = "j_stencil", .name = "Joker Stencil", .rarity = R::uncommon, .cost = 8,
         .text = "X1 Mult for each empty Joker slot; Joker Stencils count as empty."},
        {.id = J::four_fingers, .key = "j_four_fingers", .name = "Four Fingers", .rarity = R::uncommon, .cost = 7,
         .copyable = false, .text = "Flushes and Straights need only 4 cards."},
        {.id = J::mime, .key = "j_mime", .name = "Mime", .rarity = R::uncommon, .cost = 5,
         .text = "Retriggers the abilities of all cards held in hand."},
        {.id = J::credit_card, .key = "j_credit_card", .name = "Credit Card", .rarity = R::common, .cost = 1,
         .copyable = false, .text = "You may go into debt, down to -$20."},
        {.id = J::ceremonial, .key = "j_ceremonial", .name = "Ceremonial Dagger", .rarity = R::uncommon, .cost = 6,
         .perishable = false,
         .text = "When a blind is selected, destroys the Joker to its right and gains Mult of twice that "
                 "Joker's sell value."},
        {.id = J::banner, .key = "j_banner", .name = "Banner", .rarity = R::common, .cost = 5,
         .text = "+30 Chips for each discard left."},
        {.id = J::mystic_summit, .key = "j_mystic_summit", .name = "Mystic Summit", .rarity = R::common, .cost = 5,
         .text = "+15 Mult when no discards are left."},
        {.id = J::marble, .key = "j_marble", .name = "Marble Joker", .rarity = R::uncommon, .cost = 6,
         .text = "When a blind is selected, adds a Stone card to the deck."},
        {.id = J::loyalty_card, .key = "j_loyalty_card", .name = "Loyalty Card", .rarity = R::uncommon, .cost = 5,
         .text = "X4 Mult on every 6th hand played."},
        {.id = J::eight_ball, .key = "j_8_ball", .name = "8 Ball", .rarity = R::common, .cost = 5,
         .text = "Each played 8 has a 1 in 4 chance to create a Tarot card when scored, if there is room."},
        {.id = J::misprint, .key = "j_misprint", .name = "Misprint", .rarity = R::common, .cost = 4,
         .text = "+0 to +23 Mult, drawn anew for each hand."},
        {.id = J::dusk, .key = "j_dusk", .name = "Dusk", .rarity = R::uncommon, .cost = 5,
         .text = "Retriggers all played cards in the last hand of the round."},
        {.id = J::raised_fist, .key = "j_raised_fist", .name = "Raised Fist", .rarity = R::common, .cost = 5,
         .text = "Adds twice the value of the lowest card held in hand to Mult."},
        {.id = J::chaos, .key = "j_chaos", .name = "Chaos the Clown", .rarity = R::common, .cost = 4,
         .copyable = false, .text = "1 free reroll in each shop."},
        {.id = J::fibonacci, .key = "j_fibonacci", .name = "Fibonacci", .rarity = R::uncommon, .cost = 8,
         .text = "Each played Ace, 2, 3, 5 or 8 gives +8 Mult when scored."},
        {.id = J::steel_joker, .key = "j_steel_joker", .name = "Steel Joker", .rarity = R::uncommon, .cost = 7,
         .gate = Enhancement::steel, .text = "X1 Mult, plus X0.2 for each Steel card in your full deck."},
        {.id = J::scary_face, .key = "j_scary_face", .name = "Scary Face", .rarity = R::common, .cost = 4,
         .text = "Played face cards give +30 Chips when scored."},
        {.id = J::abstract, .key = "j_abstract", .name = "Abstract Joker", .rarity = R::common, .cost = 4,
         .text = "+3 Mult for each Joker you have."},
        {.id = J::delayed_grat, .key = "j_delayed_grat", .name = "Delayed Gratification", .rarity = R::common,
         .cost = 4, .copyable = false, .text = "At the end of the round, $2 for each discard left if none was used."},
        {.id = J::hack, .key = "j_hack", .name = "Hack", .rarity = R::uncommon, .cost = 6,
         .text = "Retriggers each played 2, 3, 4 or 5."},
        {.id = J::pareidolia, .key = "j_pareidolia", .name = "Pareidolia", .rarity = R::uncommon, .cost = 5,
         .copyable = false, .text = "All cards count as face cards."},
        {.id = J::gros_michel, .key = "j_gros_michel", .name = "Gros Michel", .rarity = R::common, .cost = 5,
         .eternal = false, .pool_gate = PoolGate::needs_gros_michel_alive,
         .text = "+15 Mult. 1 in 6 chance to be destroyed at the end of the round."},
        {.id = J::even_steven, .key = "j_even_steven", .name = "Even Steven", .rarity = R::common, .cost = 4,
         .text = "Played cards of even rank (10, 8, 6, 4, 2) give +4 Mult when scored."},
        {.id = J::odd_todd, .key = "j_odd_todd", .name = "Odd Todd", .rarity = R::common, .cost = 4,
         .text = "Played cards of odd rank (Ace, 9, 7, 5, 3) give +31 Chips when scored."},
        {.id = J::scholar, .key = "j_scholar", .name = "Scholar", .rarity = R::common, .cost = 4,
         .text = "Played Aces give +20 Chips and +4 Mult when scored."},
        {.id = J::business, .key = "j_business", .name = "Business Card", .rarity = R::common, .cost = 4,
         .text = "Played face cards have a 1 in 2 chance to give $2 when scored."},
        {.id = J::supernova, .key = "j_supernova", .name = "Supernova", .rarity = R::common, .cost = 5,
         .text = "Adds the number of times the played hand type has been played this run to Mult."},
        {.id = J::ride_the_bus, .key = "j_ride_the_bus", .name = "Ride the Bus", .rarity = R::common, .cost = 6,
         .perishable = false,
         .text = "Gains +1 Mult for each hand in a row without a scoring face card. A scoring face card resets it."},
        {.id = J::space, .key = "j_space", .name = "Space Joker", .rarity = R::uncommon, .cost = 5,
         .text = "1 in 4 chance to raise the level of the played hand before it scores."},
        {.id = J::egg, .key = "j_egg", .name = "Egg", .rarity = R::common, .cost = 4, .copyable = false,
         .text = "Gains $3 of sell value at the end of the round."},
        {.id = J::burglar, .key = "j_burglar", .name = "Burglar", .rarity = R::uncommon, .cost = 6,
         .text = "When a blind is selected, +3 hands and lose all discards."},
        {.id = J::blackboard, .key = "j_blackboard", .name = "Blackboard", .rarity = R::uncommon, .cost = 6,
         .text = "X3 Mult if every card held in hand is a Spade or a Club, or none is held."},
        {.id = J::runner, .key = "j_runner", .name = "Runner", .rarity = R::common, .cost = 5, .perishable = false,
         .text = "Gains +15 Chips each time the played hand contains a Straight."},
        {.id = J::ice_cream, .key = "j_ice_cream", .name = "Ice Cream", .rarity = R::common, .cost = 5,
         .eternal = false, .text = "+100 Chips, 5 less after each hand played. Gone when nothing is left."},
        {.id = J::dna, .key = "j_dna", .name = "DNA", .rarity = R::rare, .cost = 8,
         .text = "If the first hand of the round is a single card, adds a permanent copy to the deck and draws "
                 "it to hand."},
        {.id = J::splash, .key = "j_splash", .name = "Splash", .rarity = R::common, .cost = 3, .copyable = false,
         .text = "Every played card scores."},
        {.id = J::blue_joker, .key = "j_blue_joker", .name = "Blue Joker", .rarity = R::common, .cost = 5,
         .text = "+2 Chips for each card left in the deck."},
        {.id = J::sixth_sense, .key = "j_sixth_sense", .name = "Sixth Sense", .rarity = R::uncommon, .cost = 6,
         .copyable = false,
         .text = "If the first hand of the round is a single 6, destroys it and creates a Spectral card, if "
                 "there is room."},
        {.id = J::constellation, .key = "j_constellation", .name = "Constellation", .rarity = R::uncommon, .cost = 6,
         .perishable = false, .text = "Gains X0.1 Mult each time a Planet card is used."},
        {.id = J::hiker, .key = "j_hiker", .name = "Hiker", .rarity = R::uncommon, .cost = 5,
         .text = "Every played card permanently gains +5 Chips when scored."},
        {.id = J::faceless, .key = "j_faceless", .name = "Faceless Joker", .rarity = R::common, .cost = 4,
         .text = "$5 if 3 or more face cards are discarded at once."},
        {.id = J::green_joker, .key = "j_green_joker", .name = "Green Joker", .rarity = R::common, .cost = 4,
         .perishable = false, .text = "Gains +1 Mult for each hand played and loses 1 Mult for each discard."},
        {.id = J::superposition, .key = "j_superposition", .name = "Superposition", .rarity = R::common, .cost = 4,
         .text = "Creates a Tarot card if the played hand contains a Straight and an Ace, if there is room."},
        {.id = J::todo_list, .key = "j_todo_list", .name = "To Do List", .rarity = R::common, .cost = 4,
         .text = "$4 if the played hand is the listed hand type, which changes at the end of the round."},
        {.id = J::cavendish, .key = "j_cavendish", .name = "Cavendish", .rarity = R::common, .cost = 4,
         .eternal = false, .pool_gate = PoolGate::needs_gros_michel_extinct,
         .text = "X3 Mult. 1 in 1000 chance to be destroyed at the end of the round."},
        {.id = J::card_sharp, .key = "j_card_sharp", .name = "Card Sharp", .rarity = R::uncommon, .cost = 6,
         .text = "X3 Mult if the played hand type has already been played this round."},
        {.id = J::red_card, .key = "j_red_card", .name = "Red Card", .rarity = R::common, .cost = 5,
         .perishable = false, .text = "Gains +3 Mult when a booster pack is skipped."},
        {.id = J::madness, .key = "j_madness", .name = "Madness", .rarity = R::uncommon, .cost = 7,
         .perishable = false,
         .text = "When the Small or Big Blind is selected, gains X0.5 Mult and destroys a random other Joker."},
        {.id = J::square, .key = "j_square", .name = "Square Joker", .rarity = R::common, .cost = 4,
         .perishable = false, .text = "Gains +4 Chips each time exactly 4 cards are played."},
        {.id = J::seance, .key = "j_seance", .name = "Seance", .rarity = R::uncommon, .cost = 6,
         .text = "If the played hand is a Straight Flush, creates a Spectral card, if there is room."},
        {.id = J::riff_raff, .key = "j_riff_raff", .name = "Riff-raff", .rarity = R::common, .cost = 6,
         .text = "When a blind is selected, creates up to 2 Common Jokers, if there is room."},
        {.id = J::vampire, .key = "j_vampire", .name = "Vampire", .rarity = R::uncommon, .cost = 7,
         .perishable = false,
         .text = "Gains X0.1 Mult for each scoring enhanced card and removes its enhancement before it scores."},
        {.id = J::shortcut, .key = "j_shortcut", .name = "Shortcut", .rarity = R::uncommon, .cost = 7,
         .copyable = false, .text = "Straights may have gaps of 1 rank (such as 10 8 6 5 3)."},
        {.id = J::hologram, .key = "j_hologram", .name = "Hologram", .rarity = R::uncommon, .cost = 7,
         .perishable = false, .text = "Gains X0.25 Mult each time a playing card is added to the deck."},
        {.id = J::vagabond, .key = "j_vagabond", .name = "Vagabond", .rarity = R::rare, .cost = 8,
         .text = "Creates a Tarot card if a hand is played with $4 or less, if there is room."},
        {.id = J::baron, .key = "j_baron", .name = "Baron", .rarity = R::rare, .cost = 8,
         .text = "Each King held in hand gives X1.5 Mult."},
        {.id = J::cloud_9, .key = "j_cloud_9", .name = "Cloud 9", .rarity = R::uncommon, .cost = 7, .copyable = false,
         .text = "At the end of the round, $1 for each 9 in your full deck."},
        {.id = J::rocket, .key = "j_rocket", .name = "Rocket", .rarity = R::uncommon, .cost = 6, .copyable = false,
         .perishable = false, .text = "$1 at the end of the round; rises by $2 for each Boss Blind defeated."},
        {.id = J::obelisk, .key = "j_obelisk", .name = "Obelisk", .rarity = R::rare, .cost = 8, .perishable = false,
         .text = "Gains X0.2 Mult for each hand in a row that is not your most played hand type. Playing that "
                 "resets it."},
        {.id = J::midas_mask, .key = "j_midas_mask", .name = "Midas Mask", .rarity = R::uncommon, .cost = 7,
         .copyable = false, .text = "All scoring face cards become Gold cards before they score."},
        {.id = J::luchador, .key = "j_luchador", .name = "Luchador", .rarity = R::uncommon, .cost = 5,
         .eternal = false, .text = "Sell it to disable the current Boss Blind."},
        {.id = J::photograph, .key = "j_photograph", .name = "Photograph", .rarity = R::common, .cost = 5,
         .text = "The first played face card gives X2 Mult when scored."},
        {.id = J::gift, .key = "j_gift", .name = "Gift Card", .rarity = R::uncommon, .cost = 6, .copyable = false,
         .text = "At the end of the round, adds $1 of sell value to every Joker and consumable."},
        {.id = J::turtle_bean, .key = "j_turtle_bean", .name = "Turtle Bean", .rarity = R::uncommon, .cost = 6,
         .copyable = false, .eternal = false,
         .text = "+5 hand size, 1 less after each round. Gone when nothing is left."},
        {.id = J::erosion, .key = "j_erosion", .name = "Erosion", .rarity = R::uncommon, .cost = 6,
         .text = "+4 Mult for each card your full deck is below its starting size."},
        {.id = J::reserved_parking, .key = "j_reserved_parking", .name = "Reserved Parking", .rarity = R::common,
         .cost = 6, .text = "Each face card held in hand has a 1 in 2 chance to give $1 when a hand is played."},
        {.id = J::mail, .key = "j_mail", .name = "Mail-In Rebate", .rarity = R::common, .cost = 4,
         .text = "$5 for each discarded card of the named rank, which changes every round."},
        {.id = J::to_the_moon, .key = "j_to_the_moon", .name = "To the Moon", .rarity = R::uncommon, .cost = 5,
         .copyable = false, .text = "At the end of the round, $1 more interest for each $5 you have."},
        {.id = J::hallucination, .key = "j_hallucination", .name = "Hallucination", .rarity = R::common, .cost = 4,
         .text = "1 in 2 chance to create a Tarot card when a booster pack is opened, if there is room."},
        {.id = J::fortune_teller, .key = "j_fortune_teller", .name = "Fortune Teller", .rarity = R::common, .cost = 6,
         .text = "+1 Mult for each Tarot card used this run."},
        {.id = J::juggler, .key = "j_juggler", .name = "Juggler", .rarity = R::common, .cost = 4, .copyable = false,
         .text = "+1 hand size."},
        {.id = J::drunkard, .key = "j_drunkard", .name = "Drunkard", .rarity = R::common, .cost = 4,
         .copyable = false, .text = "+1 discard each round."},
        {.id = J::stone, .key = "j_stone", .name = "Stone Joker", .rarity = R::uncommon, .cost = 6,
         .gate = Enhancement::stone, .text = "+25 Chips for each Stone card in your full deck."},
        {.id = J::golden, .key = "j_golden", .name = "Golden Joker", .rarity = R::common, .cost = 6,
         .copyable = false, .text = "$4 at the end of the round."},
        {.id = J::lucky_cat, .key = "j_lucky_cat", .name = "Lucky Cat", .rarity = R::uncommon, .cost = 6,
         .perishable = false, .gate = Enhancement::lucky, .text = "Gains X0.25 Mult each time a Lucky card succeeds."},
        {.id = J::baseball, .key = "j_baseball", .name = "Baseball Card", .rarity = R::rare, .cost = 8,
         .text = "Each Uncommon Joker gives X1.5 Mult."},
        {.id = J::bull, .key = "j_bull", .name = "Bull", .rarity = R::uncommon, .cost = 6,
         .text = "+2 Chips for each $1 you have."},
        {.id = J::diet_cola, .key = "j_diet_cola", .name = "Diet Cola", .rarity = R::uncommon, .cost = 6,
         .eternal = false, .text = "Sell it to get a Double Tag."},
        {.id = J::trading, .key = "j_trading", .name = "Trading Card", .rarity = R::uncommon, .cost = 6,
         .copyable = false, .text = "If the first discard of the round is a single card, destroys it and gives $3."},
        {.id = J::flash, .key = "j_flash", .name = "Flash Card", .rarity = R::uncommon, .cost = 5,
         .perishable = false, .text = "Gains +2 Mult for each reroll in the shop."},
        {.id = J::popcorn, .key = "j_popcorn", .name = "Popcorn", .rarity = R::common, .cost = 5, .eternal = false,
         .text = "+20 Mult, 4 less after each round. Gone when nothing is left."},
        {.id = J::trousers, .key = "j_trousers", .name = "Spare Trousers", .rarity = R::uncommon, .cost = 6,
         .perishable = false, .text = "Gains +2 Mult each time the played hand contains a Two Pair."},
        {.id = J::ancient, .key = "j_ancient", .name = "Ancient Joker", .rarity = R::rare, .cost = 8,
         .text = "Played cards of the named suit give X1.5 Mult when scored. The suit changes at the end of the "
                 "round."},
        {.id = J::ramen, .key = "j_ramen", .name = "Ramen", .rarity = R::uncommon, .cost = 6, .eternal = false,
         .text = "X2 Mult, X0.01 less for each card discarded. Gone when it reaches X1."},
        {.id = J::walkie_talkie, .key = "j_walkie_talkie", .name = "Walkie Talkie", .rarity = R::common, .cost = 4,
         .text = "Each played 10 or 4 gives +10 Chips and +4 Mult when scored."},
        {.id = J::selzer, .key = "j_selzer", .name = "Seltzer", .rarity = R::uncommon, .cost = 6, .eternal = false,
         .text = "Retriggers all played cards for the next 10 hands. Gone after that."},
        {.id = J::castle, .key = "j_castle", .name = "Castle", .rarity = R::uncommon, .cost = 6, .perishable = false,
         .text = "Gains +3 Chips for each discarded card of the named suit, which changes every round."},
        {.id = J::smiley, .key = "j_smiley", .name = "Smiley Face", .rarity = R::common, .cost = 4,
         .text = "Played face cards give +5 Mult when scored."},
        {.id = J::campfire, .key = "j_campfire", .name = "Campfire", .rarity = R::rare, .cost = 9,
         .text = "Gains X0.25 Mult for each card sold. Resets when a Boss Blind is defeated."},
        {.id = J::ticket, .key = "j_ticket", .name = "Golden Ticket", .rarity = R::common, .cost = 5,
         .gate = Enhancement::gold, .locked_on_fresh_profile = true, .text = "Played Gold cards give $4 when scored."},
        {.id = J::mr_bones, .key = "j_mr_bones", .name = "Mr. Bones", .rarity = R::uncommon, .cost = 5,
         .copyable = false, .eternal = false, .locked_on_fresh_profile = true,
         .text = "Prevents a loss if at least 25% of the required score was reached, and is destroyed."},
        {.id = J::acrobat, .key = "j_acrobat", .name = "Acrobat", .rarity = R::uncommon, .cost = 6,
         .locked_on_fresh_profile = true, .text = "X3 Mult on the last hand of the round."},
        {.id = J::sock_and_buskin, .key = "j_sock_and_buskin", .name = "Sock and Buskin", .rarity = R::uncommon,
         .cost = 6, .locked_on_fresh_profile = true, .text = "Retriggers all played face cards."},
        {.id = J::swashbuckler, .key = "j_swashbuckler", .name = "Swashbuckler", .rarity = R::common, .cost = 4,
         .locked_on_fresh_profile = true, .text = "Adds the sell values of all your other Jokers to Mult."},
        {.id = J::troubadour, .key = "j_troubadour", .name = "Troubadour", .rarity = R::uncommon, .cost = 6,
         .copyable = false, .locked_on_fresh_profile = true, .text = "+2 hand size, -1 hand each round."},
        {.id = J::certificate, .key = "j_certificate", .name = "Certificate", .rarity = R::uncommon, .cost = 6,
         .locked_on_fresh_profile = true,
         .text = "When the round begins, adds a random playing card with a random seal to your hand."},
        {.id = J::smeared, .key = "j_smeared", .name = "Smeared Joker", .rarity = R::uncommon, .cost = 7,
         .copyable = false, .locked_on_fresh_profile = true,
         .text = "Hearts and Diamonds count as one suit, and so do Spades and Clubs."},
        {.id = J::throwback, .key = "j_throwback", .name = "Throwback", .rarity = R::uncommon, .cost = 6,
         .locked_on_fresh_profile = true, .text = "X1 Mult, plus X0.25 for each blind skipped this run."},
        {.id = J::hanging_chad, .key = "j_hanging_chad", .name = "Hanging Chad", .rarity = R::common, .cost = 4,
         .locked_on_fresh_profile = true, .text = "Retriggers the first scoring card 2 more times."},
        {.id = J::rough_gem, .key = "j_rough_gem", .name = "Rough Gem", .rarity = R::uncommon, .cost = 7,
         .locked_on_fresh_profile = true, .text = "Played Diamonds give $1 when scored."},
        {.id = J::bloodstone, .key = "j_bloodstone", .name = "Bloodstone", .rarity = R::uncommon, .cost = 7,
         .locked_on_fresh_profile = true, .text = "Played Hearts have a 1 in 2 chance to give X1.5 Mult when scored."},
        {.id = J::arrowhead, .key = "j_arrowhead", .name = "Arrowhead", .rarity = R::uncommon, .cost = 7,
         .locked_on_fresh_profile = true, .text = "Played Spades give +50 Chips when scored."},
        {.id = J::onyx_agate, .key = "j_onyx_agate", .name = "Onyx Agate", .rarity = R::uncommon, .cost = 7,
         .locked_on_fresh_profile = true, .text = "Played Clubs give +7 Mult when scored."},
        {.id = J::glass, .key = "j_glass", .name = "Glass Joker", .rarity = R::uncommon, .cost = 6,
         .perishable = false, .gate = Enhancement::glass, .locked_on_fresh_profile = true,
         .text = "Gains X0.75 Mult for each Glass card destroyed."},
        {.id = J::ring_master, .key = "j_ring_master", .name = "Showman", .rarity = R::uncommon, .cost = 5,
         .copyable = false, .locked_on_fresh_profile = true,
         .text = "Joker, Tarot, Planet and Spectral cards may appear more than once."},
        {.id = J::flower_pot, .key = "j_flower_pot", .name = "Flower Pot", .rarity = R::uncommon, .cost = 6,
         .locked_on_fresh_profile = true,
         .text = "X3 Mult if the scoring cards include a Diamond, a Club, a Heart and a Spade."},
        {.id = J::blueprint, .key = "j_blueprint", .name = "Blueprint", .rarity = R::rare, .cost = 10,
         .locked_on_fresh_profile = true, .text = "Copies the ability of the Joker to its right."},
        {.id = J::wee, .key = "j_wee", .name = "Wee Joker", .rarity = R::rare, .cost = 8, .perishable = false,
         .locked_on_fresh_profile = true, .text = "Gains +8 Chips each time a played 2 is scored."},
        {.id = J::merry_andy, .key = "j_merry_andy", .name = "Merry Andy", .rarity = R::uncommon, .cost = 7,
         .copyable = false, .locked_on_fresh_profile = true, .text = "+3 discards each round, -1 hand size."},
        {.id = J::oops, .key = "j_oops", .name = "Oops! All 6s", .rarity = R::uncommon, .cost = 4, .copyable = false,
         .locked_on_fresh_profile = true, .text = "Doubles all listed chances (1 in 3 becomes 2 in 3)."},
        {.id = J::idol, .key = "j_idol", .name = "The Idol", .rarity = R::uncommon, .cost = 6,
         .locked_on_fresh_profile = true,
         .text = "Each played card of the named rank and suit gives X2 Mult when scored. The card changes every "
                 "round."},
        {.id = J::seeing_double, .key = "j_seeing_double", .name = "Seeing Double", .rarity = R::uncommon, .cost = 6,
         .locked_on_fresh_profile = true,
         .text = "X2 Mult if the scoring cards include a Club and a card of another suit."},
        {.id = J::matador, .key = "j_matador", .name = "Matador", .rarity = R::uncommon, .cost = 7,
         .locked_on_fresh_profile = true, .text = "$8 if the played hand triggers the Boss Blind's ability."},
        {.id = J::hit_the_road, .key = "j_hit_the_road", .name = "Hit the Road", .rarity = R::rare, .cost = 8,
         .locked_on_fresh_profile = true,
         .text = "Gains X0.5 Mult for each Jack discarded. Resets at the end of the round."},
        {.id = J::duo, .key = "j_duo", .name = "The Duo", .rarity = R::rare, .cost = 8,
         .locked_on_fresh_profile = true, .text = "X2 Mult if the played hand contains a Pair."},
        {.id = J::trio, .key = "j_trio", .name = "The Trio", .rarity = R::rare, .cost = 8,
         .locked_on_fresh_profile = true, .text = "X3 Mult if the played hand contains a Three of a Kind."},
        {.id = J::family, .key = "j_family", .name = "The Family", .rarity = R::rare, .cost = 8,
         .locked_on_fresh_profile = true, .text = "X4 Mult if the played hand contains a Four of a Kind."},
        {.id = J::order, .key = "j_order", .name = "The Order", .rarity = R::rare, .cost = 8,
         .locked_on_fresh_profile = true, .text = "X3 Mult if the played hand contains a Straight."},
        {.id = J::tribe, .key = "j_tribe", .name = "The Tribe", .rarity = R::rare, .cost = 8,
         .locked_on_fresh_profile = true, .text = "X2 Mult if the played hand contains a Flush."},
        {.id = J::stuntman, .key = "j_stuntman", .name = "Stuntman", .rarity = R::rare, .cost = 7,
         .locked_on_fresh_profile = true, .text = "+250 Chips, -2 hand size."},
        {.id = J::invisible, .key = "j_invisible", .name = "Invisible Joker", .rarity = R::rare, .cost = 8,
         .copyable = false, .eternal = false, .locked_on_fresh_profile = true,
         .text = "After 2 rounds, sell it to duplicate a random other Joker. The copy loses Negative."},
        {.id = J::brainstorm, .key = "j_brainstorm", .name = "Brainstorm", .rarity = R::rare, .cost = 10,
         .locked_on_fresh_profile = true, .text = "Copies the ability of the leftmost Joker."},
        {.id = J::satellite, .key = "j_satellite", .name = "Satellite", .rarity = R::uncommon, .cost = 6,
         .copyable = false, .locked_on_fresh_profile = true,
         .text = "At the end of the round, $1 for each different Planet card used this run."},
        {.id = J::shoot_the_moon, .key = "j_shoot_the_moon", .name = "Shoot the Moon", .rarity = R::common, .cost = 5,
         .locked_on_fresh_profile = true, .text = "Each Queen held in hand gives +13 Mult."},
        {.id = J::drivers_license, .key = "j_drivers_license", .name = "Driver's License", .rarity = R::rare,
         .cost = 7, .locked_on_fresh_profile = true,
         .text = "X3 Mult if your full deck has at least 16 enhanced cards."},
        {.id = J::cartomancer, .key = "j_cartomancer", .name = "Cartomancer", .rarity = R::uncommon, .cost = 6,
         .locked_on_fresh_profile = true, .text = "When a blind is selected, creates a Tarot card, if there is room."},
        {.id = J::astronomer, .key = "j_astronomer", .name = "Astronomer", .rarity = R::uncommon, .cost = 8,
         .copyable = false, .locked_on_fresh_profile = true,
         .text = "Planet cards and Celestial Packs in the shop are free."},
        {.id = J::burnt, .key = "j_burnt", .name = "Burnt Joker", .rarity = R::rare, .cost = 8,
         .locked_on_fresh_profile = true, .text = "Raises the level of the first hand type discarded each round."},
        {.id = J::bootstraps, .key = "j_bootstraps", .name = "Bootstraps", .rarity = R::uncommon, .cost = 7,
         .locked_on_fresh_profile = true, .text = "+2 Mult for each $5 you have."},
        {.id = J::caino, .key = "j_caino", .name = "Canio", .rarity = R::legendary, .cost = 20,
         .locked_on_fresh_profile = true, .text = "Gains X1 Mult for each face card destroyed."},
        {.id = J::triboulet, .key = "j_triboulet", .name = "Triboulet", .rarity = R::legendary, .cost = 20,
         .locked_on_fresh_profile = true, .text = "Played Kings and Queens give X2 Mult when scored."},
        {.id = J::yorick, .key = "j_yorick", .name = "Yorick", .rarity = R::legendary, .cost = 20,
         .locked_on_fresh_profile = true, .text = "Gains X1 Mult for every 23 cards discarded."},
        {.id = J::chicot, .key = "j_chicot", .name = "Chicot", .rarity = R::legendary, .cost = 20, .copyable = false,
         .locked_on_fresh_profile = true, .text = "Disables the ability of every Boss Blind."},
        {.id = J::perkeo, .key = "j_perkeo", .name = "Perkeo", .rarity = R::legendary, .cost = 20,
         .locked_on_fresh_profile = true,
         .text = "When you leave the shop, creates a Negative copy of a random consumable you have."},
    });
}();
// clang-format on
inline constexpr int joker_count = static_cast<int>(joker_facts.size());

constexpr const JokerFact& fact(JokerId id) { return joker_facts[static_cast<std::size_t>(id)]; }

constexpr int jokers_of(Rarity rarity) {
    int n = 0;
    for (const JokerFact& joker : joker_facts) n += joker.rarity == rarity ? 1 : 0;
    return n;
}

template <Rarity rarity>
consteval auto make_joker_pool() {
    std::array<JokerId, static_cast<std::size_t>(jokers_of(rarity))> pool{};
    std::size_t n = 0;
    for (const JokerFact& joker : joker_facts) {
        if (joker.rarity == rarity) pool[n++] = joker.id;
    }
    return pool;
}

inline constexpr auto common_jokers = make_joker_pool<Rarity::common>();
inline constexpr auto uncommon_jokers = make_joker_pool<Rarity::uncommon>();
inline constexpr auto rare_jokers = make_joker_pool<Rarity::rare>();
inline constexpr auto legendary_jokers = make_joker_pool<Rarity::legendary>();

// The pool of a rarity, in draw order.
constexpr std::span<const JokerId> joker_pool(Rarity rarity) {
    switch (rarity) {
        case Rarity::common:
            return common_jokers;
        case Rarity::uncommon:
            return uncommon_jokers;
        case Rarity::rare:
            return rare_jokers;
        case Rarity::legendary:
            return legendary_jokers;
    }
    return {};
}

}  // namespace jimbo

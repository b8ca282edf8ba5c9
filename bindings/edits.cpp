// Changes to a run that no rule makes.
#include "play/edits.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "run_parts.hpp"
#include "store/state_check.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

// The limits are those of stored runs.
int in_range(int number, int low, int high) {
    if (number >= low && number <= high) return number;
    throw std::invalid_argument(std::to_string(number) + " does not lie between " + std::to_string(low) + " and " +
                                std::to_string(high));
}

void debug_add_card(RunState& run, std::string_view key, const std::optional<std::string>& enhancement,
                    std::string_view edition, const std::optional<std::string>& seal, std::string_view to) {
    const auto front = front_by_key(key);
    if (!front) throw std::invalid_argument("there is no playing card \"" + std::string(key) + '"');
    if (to != "hand" && to != "deck") throw std::invalid_argument("a card is added to the hand or the deck");
    Card card;
    card.set_front(*front);
    if (enhancement) card.enhancement = key_from<Enhancement>(*enhancement, "enhancement");
    card.edition = key_from<Edition>(edition, "edition");
    if (seal) card.seal = key_from<Seal>(*seal, "seal");
    edits::add_card(run, card, to == "hand" ? CardTo::hand : CardTo::deck);
}

void debug_set_boss(RunState& run, std::string_view key) {
    const auto boss = key_from<BlindId>(key, "blind");
    if (!fact(boss).boss) throw std::invalid_argument(std::string(key) + " is not a boss blind");
    edits::set_boss(run, boss);
}

// A shop has room for only so many; the game has no such end.
void debug_show(RunState& run, std::string_view key) {
    if (run.phase != Phase::shop) throw std::invalid_argument("no shop is open");
    if (const auto voucher = voucher_by_key(key)) {
        if (run.shop_vouchers.full()) throw std::invalid_argument("the shop has no room for another voucher");
        edits::show_voucher(run, *voucher);
        return;
    }
    const auto booster = key_from<BoosterId>(key, "voucher or pack");
    if (run.shop_boosters.full()) throw std::invalid_argument("the shop has no room for another pack");
    edits::show_booster(run, booster);
}

void bind_setters(nb::class_<RunState>& run) {
    run.def_prop_rw(
           "dollars", [](const RunState& r) { return r.dollars; },
           [](RunState& r, int dollars) { r.dollars = in_range(dollars, -max_total, max_total); })
        .def_prop_rw(
            "chips", [](const RunState& r) { return r.chips; },
            [](RunState& r, double chips) {
                if (!(chips >= 0)) throw std::invalid_argument("chips must be 0 or more");
                r.chips = chips;
            },
            "Scored in this round.")
        .def_prop_rw(
            "hands_left", [](const RunState& r) { return r.hands_left; },
            [](RunState& r, int hands) { r.hands_left = static_cast<std::int16_t>(in_range(hands, 0, max_count)); })
        .def_prop_rw(
            "discards_left", [](const RunState& r) { return r.discards_left; },
            [](RunState& r, int discards) {
                r.discards_left = static_cast<std::int16_t>(in_range(discards, 0, max_count));
            });
}

}  // namespace

void bind_edits(nb::class_<RunState>& run) {
    run.def(
           "debug_add_joker",
           [](RunState& r, std::string_view key, std::string_view edition, bool eternal, bool perishable, bool rental,
              int rounds) {
               edits::add_joker(r, key_from<JokerId>(key, "joker"), key_from<Edition>(edition, "edition"),
                                {eternal, perishable, rental}, in_range(rounds, 1, Joker{}.perish_left));
           },
           "key"_a, "edition"_a = "e_base", "eternal"_a = false, "perishable"_a = false, "rental"_a = false,
           "rounds"_a = Joker{}.perish_left, "A perishable joker lasts for so many rounds.")
        .def(
            "debug_add_consumable",
            [](RunState& r, std::string_view key, std::string_view edition) {
                edits::add_consumable(r, key_from<ConsumableId>(key, "consumable"),
                                      key_from<Edition>(edition, "edition"));
            },
            "key"_a, "edition"_a = "e_base")
        .def("debug_add_card", &debug_add_card, "key"_a, "enhancement"_a = nb::none(), "edition"_a = "e_base",
             "seal"_a = nb::none(), "to"_a = "hand", "Adds a playing card such as \"H_T\" to the hand or the deck.")
        .def(
            "debug_redeem",
            [](RunState& r, std::string_view key) { edits::redeem(r, key_from<VoucherId>(key, "voucher")); }, "key"_a)
        .def("debug_set_boss", &debug_set_boss, "key"_a)
        .def(
            "debug_raise_level",
            [](RunState& r, std::string_view hand, int levels) {
                edits::raise_level(r, key_from<HandType>(hand, "poker hand"), in_range(levels, -max_count, max_count));
            },
            "hand"_a, "levels"_a)
        .def(
            "debug_set_ante", [](RunState& r, int ante) { edits::set_ante(r, in_range(ante, -max_ante, max_ante)); },
            "ante"_a)
        .def(
            "debug_set_round", [](RunState& r, int round) { edits::set_round(r, in_range(round, 0, max_count)); },
            "round"_a)
        .def("debug_show", &debug_show, "key"_a, "Puts a voucher or a pack on sale in the open shop.")
        .def(
            "debug_restock",
            [](RunState& r) {
                if (r.phase != Phase::shop) throw std::invalid_argument("no shop is open");
                edits::restock_shop(r);
            },
            "Stocks the open shop anew.");
    bind_setters(run);
}

}  // namespace jimbo

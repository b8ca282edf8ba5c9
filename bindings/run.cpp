#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "names.hpp"
#include "parse.hpp"
#include "play/determinize.hpp"
#include "play/doors.hpp"
#include "play/scorer.hpp"
#include "play/step.hpp"
#include "rules/blinds/blind_rule.hpp"
#include "rules/prices.hpp"
#include "rules/round.hpp"
#include "view/enum_text.hpp"
#include "view/event_text.hpp"
#include "view/state_check.hpp"
#include "view/state_json.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

// A step that the rules do not allow.
struct IllegalAction : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <typename Enum>
Enum key_from(std::string_view text, std::string_view what) {
    const auto value = enum_of<Enum>(text);
    if (!value || text.empty()) {
        throw std::invalid_argument("there is no " + std::string(what) + " \"" + std::string(text) + '"');
    }
    return *value;
}

// --- Actions -------------------------------------------------------------------------------------------------------

ActionKind kind_from(std::string_view name) {
    for (std::size_t i = 0; i < action_names.size(); ++i) {
        if (action_names[i] == name) return static_cast<ActionKind>(i);
    }
    throw std::invalid_argument("there is no action \"" + std::string(name) + '"');
}

std::string_view name_of(ActionKind kind) { return action_names[static_cast<std::size_t>(kind)]; }

std::uint64_t mask_of(const std::vector<int>& positions) {
    std::uint64_t mask = 0;
    for (int position : positions) {
        if (position < 0 || position >= max_hand) throw std::invalid_argument("hand positions count from 0 to 63");
        mask |= std::uint64_t{1} << position;
    }
    return mask;
}

std::vector<int> positions_of(std::uint64_t mask) {
    std::vector<int> positions;
    for (int i = 0; i < max_hand; ++i) {
        if (((mask >> i) & 1) != 0) positions.push_back(i);
    }
    return positions;
}

std::uint8_t place_from(int place) {
    if (place < 0 || place > 255) throw std::invalid_argument("places count from 0 to 255");
    return static_cast<std::uint8_t>(place);
}

std::string describe(const Action& action) {
    std::string text = "Action('" + std::string(name_of(action.kind)) + "'";
    if (action.index != 0) text += ", index=" + std::to_string(action.index);
    if (action.to != 0) text += ", to=" + std::to_string(action.to);
    if (action.cards != 0) {
        text += ", cards=[";
        for (int position : positions_of(action.cards)) {
            if (text.back() != '[') text += ", ";
            text += std::to_string(position);
        }
        text += "]";
    }
    return text + ")";
}

void bind_action(nb::module_& m) {
    nb::class_<Action>(m, "Action", "One thing a player can do.")
        .def(
            "__init__",
            [](Action* self, std::string_view kind, int index, int to, const std::vector<int>& cards) {
                new (self) Action{kind_from(kind), place_from(index), place_from(to), mask_of(cards)};
            },
            "kind"_a, "index"_a = 0, "to"_a = 0, "cards"_a = std::vector<int>{})
        .def_prop_ro("kind", [](const Action& a) { return name_of(a.kind); })
        .def_ro("index", &Action::index, "Which shop card, pack card, joker or consumable.")
        .def_ro("to", &Action::to, "Where a moved card goes.")
        .def_prop_ro(
            "cards", [](const Action& a) { return positions_of(a.cards); }, "Selected hand positions.")
        .def(
            "__eq__",
            [](const Action& a, nb::handle b) { return nb::isinstance<Action>(b) && a == nb::cast<Action>(b); },
            nb::arg("other").none())
        .def("__hash__",
             [](const Action& a) {
                 return static_cast<std::size_t>(a.kind) | (std::size_t{a.index} << 8) | (std::size_t{a.to} << 16) |
                        (std::size_t{a.cards} << 24);
             })
        .def("__repr__", &describe);
    m.def(
        "action_kinds", [] { return std::vector<std::string_view>(action_names.begin(), action_names.end()); },
        "The names of all kinds of actions.");
}

// --- Events and previews -------------------------------------------------------------------------------------------

void bind_event(nb::module_& m) {
    nb::class_<Event>(m, "Event", "Something that happened in a step.")
        .def_prop_ro("kind", [](const Event& e) { return event_names[static_cast<std::size_t>(e.kind)]; })
        .def_prop_ro("actor", [](const Event& e) { return actor_names[static_cast<std::size_t>(e.actor)]; })
        .def_ro("index", &Event::index, "Which card, joker slot or tag.")
        .def_ro("key", &Event::key, "Number of the item it is about.")
        .def_ro("amount", &Event::amount)
        .def_ro("chips", &Event::chips, "While scoring: the total after this event.")
        .def_ro("mult", &Event::mult)
        .def("__repr__", [](const Event& e) {
            return "Event(" + std::string(event_names[static_cast<std::size_t>(e.kind)]) + ", " +
                   std::string(actor_names[static_cast<std::size_t>(e.actor)]) + " " + std::to_string(e.index) + ", " +
                   std::to_string(e.amount) + ")";
        });
}

struct Preview {
    LastHand hand;
    EventLog steps;
};

Luck luck_from(std::string_view text) {
    if (text == "none") return Luck::none;
    if (text == "expected") return Luck::expected;
    if (text == "all") return Luck::all;
    throw std::invalid_argument("luck is none, expected or all");
}

void bind_preview(nb::module_& m) {
    nb::class_<Preview>(m, "Preview", "What a play would score.")
        .def_prop_ro("hand", [](const Preview& p) { return fact(p.hand.hand).name; })
        .def_prop_ro("chips", [](const Preview& p) { return p.hand.chips; })
        .def_prop_ro("mult", [](const Preview& p) { return p.hand.mult; })
        .def_prop_ro("score", [](const Preview& p) { return p.hand.score; })
        .def_prop_ro(
            "blocked", [](const Preview& p) { return p.hand.blocked; }, "The boss lets it score nothing.")
        .def_ro("steps", &Preview::steps, "How it came about.");
}

// --- Runs ----------------------------------------------------------------------------------------------------------

EventLog step_or_raise(RunState& run, const Action& action) {
    EventLog log;
    const Refusal refusal = step(run, action, &log);
    if (refusal != Refusal::none) {
        throw IllegalAction(describe(action) + " in phase " + std::string(text_of(run.phase)) + ": " +
                            std::string(explain(refusal)));
    }
    return log;
}

Preview preview_play(const RunState& run, const std::vector<int>& cards, std::string_view luck) {
    const Action play{ActionKind::play, 0, 0, mask_of(cards)};
    if (const Refusal refusal = check(run, play); refusal != Refusal::none) {
        throw IllegalAction(describe(play) + ": " + std::string(explain(refusal)));
    }
    Preview result;
    result.hand = preview(run, play.cards, luck_from(luck), &result.steps);
    return result;
}

double blind_target(RunState run, std::string_view slot) {
    run.on_deck = key_from<BlindSlot>(slot, "blind slot");
    return target_score(run, blind_on_deck(run));
}

std::string describe_run(const RunState& run) {
    return "<Run " + std::string(run.streams.seed().view()) + " " + std::string(fact(run.deck).key) + " " +
           std::string(fact(run.stake).key) + ": ante " + std::to_string(run.ante) + ", round " +
           std::to_string(run.round) + ", " + std::string(text_of(run.phase)) + ", $" + std::to_string(run.dollars) +
           ">";
}

// What stored runs may hold, too.
int in_range(int number, int limit) {
    if (number >= -limit && number <= limit) return number;
    throw std::invalid_argument(std::to_string(number) + " lies beyond " + std::to_string(limit));
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
    doors::add_card(run, card, to == "hand" ? CardTo::hand : CardTo::deck);
}

void bind_doors(nb::class_<RunState>& run) {
    run.def(
           "debug_add_joker",
           [](RunState& r, std::string_view key, std::string_view edition, bool eternal, bool perishable, bool rental) {
               doors::add_joker(r, key_from<JokerId>(key, "joker"), key_from<Edition>(edition, "edition"),
                                {eternal, perishable, rental});
           },
           "key"_a, "edition"_a = "e_base", "eternal"_a = false, "perishable"_a = false, "rental"_a = false)
        .def(
            "debug_add_consumable",
            [](RunState& r, std::string_view key, std::string_view edition) {
                doors::add_consumable(r, key_from<ConsumableId>(key, "consumable"),
                                      key_from<Edition>(edition, "edition"));
            },
            "key"_a, "edition"_a = "e_base")
        .def("debug_add_card", &debug_add_card, "key"_a, "enhancement"_a = nb::none(), "edition"_a = "e_base",
             "seal"_a = nb::none(), "to"_a = "hand", "Adds a playing card such as \"H_T\" to the hand or the deck.")
        .def(
            "debug_redeem",
            [](RunState& r, std::string_view key) { doors::redeem(r, key_from<VoucherId>(key, "voucher")); }, "key"_a)
        .def(
            "debug_set_boss",
            [](RunState& r, std::string_view key) {
                const auto boss = key_from<BlindId>(key, "blind");
                if (!fact(boss).boss) throw std::invalid_argument(std::string(key) + " is no boss blind");
                doors::set_boss(r, boss);
            },
            "key"_a)
        .def(
            "debug_raise_level",
            [](RunState& r, std::string_view hand, int levels) {
                doors::raise_level(r, key_from<HandType>(hand, "poker hand"), in_range(levels, max_count));
            },
            "hand"_a, "levels"_a)
        .def("debug_set_ante", [](RunState& r, int ante) { doors::set_ante(r, in_range(ante, max_ante)); }, "ante"_a);
}

}  // namespace

void bind_run(nb::module_& m) {
    nb::exception<IllegalAction>(m, "IllegalAction", PyExc_ValueError);
    bind_action(m);
    bind_event(m);
    bind_preview(m);
    nb::class_<RunState> run(m, "Run", "A run of the game.");
    run.def(
           "__init__",
           [](RunState* self, const std::optional<std::string>& deck, std::string_view stake, std::string_view seed,
              const std::optional<std::string>& challenge) {
               const Start start = start_from(deck, stake, challenge);
               new (self) RunState(start_run(seed_from(seed), start.deck, start.stake, start.challenge));
           },
           "deck"_a = nb::none(), "stake"_a = "white", "seed"_a = "TUTORIAL", "challenge"_a = nb::none())
        .def("legal_actions", &legal_actions, "with_moves"_a = false,
             "Every allowed action; rearranging cards only when asked for.")
        .def(
            "refusal",
            [](const RunState& r, const Action& action) -> std::optional<std::string> {
                const Refusal refusal = check(r, action);
                if (refusal == Refusal::none) return std::nullopt;
                return std::string(explain(refusal));
            },
            "action"_a, "Why an action is not allowed; None if it is.")
        .def("step", &step_or_raise, "action"_a,
             "Applies an action; raises IllegalAction and changes nothing otherwise.")
        .def(
            "clone", [](const RunState& r) { return RunState(r); }, "An independent copy.")
        .def("determinize", &determinize, "nonce"_a,
             "A run that looks the same to its player, with everything hidden drawn anew from the nonce.")
        .def("__copy__", [](const RunState& r) { return RunState(r); })
        .def(
            "__deepcopy__", [](const RunState& r, nb::handle) { return RunState(r); }, "memo"_a)
        .def("preview", &preview_play, "cards"_a, "luck"_a = "none", "What playing these hand positions would score.")
        .def(
            "to_json", [](const RunState& r) { return state_to_json(r).dump(); }, "The whole state as JSON text.")
        .def_static(
            "from_json", [](std::string_view text) { return state_from_json(Json::parse(text)); }, "text"_a)
        .def("save",
             [](const RunState& r) {
                 const std::string bytes = save_run(r);
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def_static(
            "load", [](nb::bytes bytes) { return load_run({bytes.c_str(), bytes.size()}); }, "data"_a)
        .def_prop_ro("seed", [](const RunState& r) { return r.streams.seed().view(); })
        .def_prop_ro("deck", [](const RunState& r) { return text_of(r.deck); })
        .def_prop_ro("stake", [](const RunState& r) { return text_of(r.stake); })
        .def_prop_ro("challenge",
                     [](const RunState& r) -> std::optional<std::string_view> {
                         if (!r.challenge) return std::nullopt;
                         return text_of(*r.challenge);
                     })
        .def_prop_ro("phase", [](const RunState& r) { return text_of(r.phase); })
        .def_prop_ro(
            "on_deck", [](const RunState& r) { return text_of(r.on_deck); },
            "The blind to be chosen next, or in play: small, big or boss.")
        .def_ro("ante", &RunState::ante)
        .def_ro("round", &RunState::round)
        .def_prop_rw(
            "dollars", [](const RunState& r) { return r.dollars; },
            [](RunState& r, int dollars) { r.dollars = in_range(dollars, max_total); })
        .def_rw("chips", &RunState::chips)
        .def_rw("hands_left", &RunState::hands_left)
        .def_rw("discards_left", &RunState::discards_left)
        .def_ro("won", &RunState::won)
        .def_prop_ro(
            "target", [](const RunState& r) { return r.blind.target; }, "Score to reach in this blind.")
        .def("blind_target", &blind_target, "slot"_a,
             "Score to reach if the small, big or boss blind were selected now.")
        .def_prop_ro("reroll_price", [](const RunState& r) { return reroll_price(r); })
        .def_prop_ro("shop_prices",
                     [](const RunState& r) {
                         std::vector<int> prices;
                         for (const ShopCard& card : r.shop) prices.push_back(price_of(r, card));
                         return prices;
                     })
        .def_prop_ro("voucher_prices",
                     [](const RunState& r) {
                         std::vector<int> prices;
                         for (const ShopVoucher& v : r.shop_vouchers) prices.push_back(price_of(r, v));
                         return prices;
                     })
        .def_prop_ro("booster_prices",
                     [](const RunState& r) {
                         std::vector<int> prices;
                         for (const ShopBooster& b : r.shop_boosters) prices.push_back(price_of(r, b));
                         return prices;
                     })
        .def_prop_ro("pack_prices",
                     [](const RunState& r) {
                         std::vector<int> prices;
                         for (const Offer& offer : r.pack.cards) prices.push_back(price_of(r, offer));
                         return prices;
                     })
        .def_prop_ro("joker_keys",
                     [](const RunState& r) {
                         std::vector<std::string_view> keys;
                         for (const Joker& joker : r.jokers) keys.push_back(text_of(joker.key));
                         return keys;
                     })
        .def_prop_ro("voucher_keys",
                     [](const RunState& r) {
                         std::vector<std::string_view> keys;
                         for (int i = 0; i < voucher_count; ++i) {
                             const auto voucher = static_cast<VoucherId>(i);
                             if (r.has(voucher)) keys.push_back(text_of(voucher));
                         }
                         return keys;
                     })
        .def_prop_ro("joker_sell_values",
                     [](const RunState& r) {
                         std::vector<int> values;
                         for (const Joker& joker : r.jokers) values.push_back(sell_value(r, joker));
                         return values;
                     })
        .def_prop_ro("consumable_sell_values",
                     [](const RunState& r) {
                         std::vector<int> values;
                         for (const Consumable& c : r.consumables) values.push_back(sell_value(r, c));
                         return values;
                     })
        .def("__repr__", &describe_run);
    bind_doors(run);
    m.def(
        "base_score", [](std::string_view stake, int ante) { return base_score(stake_from(stake), ante); }, "stake"_a,
        "ante"_a, "What a blind of score X1 asks for.");
    m.def("schema_table", &schema_table, "One line for each field of the state: path, kind, meaning.");
    m.def("schema_hash", &schema_hash);
}

}  // namespace jimbo

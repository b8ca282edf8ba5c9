#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "actions.hpp"
#include "codes.hpp"
#include "names.hpp"
#include "parse.hpp"
#include "play/determinize.hpp"
#include "play/scorer.hpp"
#include "play/step.hpp"
#include "rules/blinds/blind_rule.hpp"
#include "rules/effects.hpp"
#include "rules/hand_levels.hpp"
#include "rules/prices.hpp"
#include "run_parts.hpp"
#include "store/state_json.hpp"
#include "view/public_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

// A step that the rules do not allow.
struct IllegalAction : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Preview {
    LastHand hand;
    EventLog events;
};

Luck luck_from(std::string_view text) {
    if (text == "none") return Luck::none;
    if (text == "expected") return Luck::expected;
    if (text == "all") return Luck::all;
    throw std::invalid_argument("luck is none, expected or all");
}

std::string describe_preview(const Preview& preview) {
    const LastHand& hand = preview.hand;
    const std::string score = hand.blocked ? "blocked by the boss, 0"
                                           : number_text(hand.chips) + " chips x " + number_text(hand.mult) +
                                                 " mult = " + number_text(hand.score);
    return "<Preview " + std::string(fact(hand.hand).name) + ": " + score + ">";
}

void bind_preview(nb::module_& m) {
    nb::class_<Preview>(m, "Preview", "What a play would score.")
        .def_prop_ro("hand", [](const Preview& p) { return fact(p.hand.hand).name; })
        .def_prop_ro("chips", [](const Preview& p) { return p.hand.chips; })
        .def_prop_ro("mult", [](const Preview& p) { return p.hand.mult; })
        .def_prop_ro("score", [](const Preview& p) { return p.hand.score; })
        .def_prop_ro(
            "blocked", [](const Preview& p) { return p.hand.blocked; }, "The boss lets it score nothing.")
        .def_ro("events", &Preview::events, "How it came about.")
        .def("__repr__", &describe_preview);
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
    result.hand = preview(run, play.cards, luck_from(luck), &result.events);
    return result;
}

std::string describe_run(const RunState& run) {
    return "<Run " + std::string(run.streams.seed().view()) + " " + std::string(fact(run.deck).key) + " " +
           std::string(fact(run.stake).key) + ": ante " + std::to_string(run.ante) + ", round " +
           std::to_string(run.round) + ", " + std::string(text_of(run.phase)) + ", $" + std::to_string(run.dollars) +
           ">";
}

PublicJoker joker_on_offer_of(const RunState& run, std::string_view key, std::string_view edition, bool eternal,
                              bool perishable, bool rental) {
    Offer offer = Offer::of(key_from<JokerId>(key, "joker"));
    offer.edition = key_from<Edition>(edition, "edition");
    offer.stickers = {eternal, perishable, rental};
    return joker_on_offer(run, offer);
}

void bind_playing(nb::class_<RunState>& run) {
    run.def(
           "__init__",
           [](RunState* self, const std::optional<std::string>& deck, std::string_view stake, const nb::str& seed,
              const std::optional<std::string>& challenge) {
               const Start start = start_from(deck, stake, challenge);
               new (self) RunState(start_run(seed_from(seed), start.deck, start.stake, start.challenge));
           },
           "deck"_a = nb::none(), "stake"_a = "white", "seed"_a = "TUTORIAL", "challenge"_a = nb::none(),
           "Deck, stake and challenge by key or name; no deck is the Red Deck, and a challenge has its own.")
        .def("legal_actions", &legal_actions, "with_moves"_a = false,
             "Every allowed action; rearranging cards only when asked for.")
        .def("refusal", &refusal_of, "action"_a, "Why an action is not allowed; None if it is.")
        .def("step", &step_or_raise, "action"_a,
             "Applies an action; raises IllegalAction and changes nothing otherwise.")
        .def("determinize", &determinize, "nonce"_a,
             "A run that looks the same to its player, with everything hidden drawn anew from the nonce.")
        .def_prop_ro("hand", &open_hand, "The cards in hand as they are, even those that lie face down.")
        .def_prop_ro("draw_pile", &open_draw_pile, "The cards left to draw as they lie; the last is drawn next.")
        .def("public_state", &public_state, "What its player may know, and nothing else.")
        .def("joker_on_offer", &joker_on_offer_of, "key"_a, "edition"_a = "e_base", "eternal"_a = false,
             "perishable"_a = false, "rental"_a = false, "A joker as it would be here once it is owned.")
        .def("preview", &preview_play, "cards"_a, "luck"_a = "none", "What playing these hand positions would score.")
        .def("__repr__", &describe_run);
}

void bind_numbers(nb::class_<RunState>& run) {
    run.def_prop_ro("seed", [](const RunState& r) { return r.streams.seed().view(); })
        .def_prop_ro("deck", [](const RunState& r) { return text_of(r.deck); })
        .def_prop_ro("stake", [](const RunState& r) { return text_of(r.stake); })
        .def_prop_ro("challenge",
                     [](const RunState& r) -> std::optional<std::string_view> {
                         if (!r.challenge) return std::nullopt;
                         return text_of(*r.challenge);
                     })
        .def_prop_ro("phase", [](const RunState& r) { return r.phase; })
        .def_prop_ro(
            "on_deck", [](const RunState& r) { return r.on_deck; },
            "The blind to be chosen next, or in play: small, big or boss.")
        .def_ro("ante", &RunState::ante)
        .def_ro("round", &RunState::round)
        .def_ro("won", &RunState::won)
        .def_prop_ro("target", [](const RunState& r) { return r.blind.target; }, "Score to reach in this blind.");
}

// What an agent asks of many imagined runs, for which a whole public state would be slow, and what no player is told.
void bind_lists(nb::class_<RunState>& run) {
    run.def_prop_ro("shop_prices",
                    [](const RunState& r) {
                        std::vector<int> prices;
                        for (const ShopCard& card : r.shop) prices.push_back(price_of(r, card));
                        return prices;
                    })
        .def_prop_ro(
            "pack_prices",
            [](const RunState& r) {
                std::vector<int> prices;
                for (const Offer& offer : r.pack.cards) prices.push_back(price_of(r, offer));
                return prices;
            },
            "What the cards of the open pack would cost in a shop.")
        .def_prop_ro(
            "joker_prices",
            [](const RunState& r) {
                std::vector<int> prices;
                for (const Joker& joker : r.jokers) {
                    prices.push_back(price_of(r, joker.key, joker.edition, joker.stickers.rental));
                }
                return prices;
            },
            "What the jokers would cost in a shop.")
        .def_prop_ro(
            "consumable_prices",
            [](const RunState& r) {
                std::vector<int> prices;
                for (const Consumable& held : r.consumables) prices.push_back(price_of(r, held.key, held.edition));
                return prices;
            },
            "What the consumables would cost in a shop.")
        .def(
            "card_price",
            [](const RunState& r, std::string_view edition) {
                Card card;
                card.edition = key_from<Edition>(edition, "edition");
                return price_of(r, Offer::of(card));
            },
            "edition"_a = "e_base", "What a playing card of this edition would cost in a shop.")
        .def_prop_ro("joker_keys",
                     [](const RunState& r) {
                         std::vector<std::string_view> keys;
                         for (const Joker& joker : r.jokers) keys.push_back(text_of(joker.key));
                         return keys;
                     })
        .def_prop_ro("voucher_keys", [](const RunState& r) {
            std::vector<std::string_view> keys;
            for (int i = 0; i < voucher_count; ++i) {
                const auto voucher = static_cast<VoucherId>(i);
                if (r.has(voucher)) keys.push_back(text_of(voucher));
            }
            return keys;
        });
}

}  // namespace

void bind_run(nb::module_& m) {
    nb::exception<IllegalAction>(m, "IllegalAction", PyExc_ValueError);
    bind_preview(m);
    nb::class_<RunState> run(m, "Run", "A run of the game.");
    bind_playing(run);
    bind_numbers(run);
    bind_lists(run);
    bind_storage(run);
    bind_edits(run);
    m.def(
        "base_score",
        [](std::string_view deck, std::string_view stake, int ante) {
            return base_score(key_from<DeckId>(deck, "deck"), stake_from(stake), ante);
        },
        "deck"_a, "stake"_a, "ante"_a, "What a blind of score X1 asks for.");
    m.def(
        "hand_base",
        [](std::string_view hand, int level) {
            const HandBase base = hand_base(key_from<HandType>(hand, "poker hand"), level);
            return std::pair(static_cast<std::int64_t>(base.chips), static_cast<std::int64_t>(base.mult));
        },
        "hand"_a, "level"_a, "Chips and mult of a poker hand at a level, before any card scores.");
    m.def("schema_table", &schema_table, "One line for each field of the state: path, kind, meaning.");
    m.def("schema_hash", &schema_hash);
}

}  // namespace jimbo

#include <array>

#include "rules/consumables.hpp"
#include "rules/consumables/planets.hpp"
#include "rules/consumables/spectrals.hpp"
#include "rules/consumables/tarots.hpp"
#include "rules/jokers/each_joker.hpp"
#include "rules/open_points.hpp"
#include "rules/zones.hpp"

namespace jimbo {
namespace {

// clang-format off
constexpr std::array tarots{
    consumables::fool, consumables::magician, consumables::high_priestess, consumables::empress, consumables::emperor,
    consumables::heirophant, consumables::lovers, consumables::chariot, consumables::justice, consumables::hermit,
    consumables::wheel_of_fortune, consumables::strength, consumables::hanged_man, consumables::death,
    consumables::temperance, consumables::devil, consumables::tower, consumables::star, consumables::moon,
    consumables::sun, consumables::judgement, consumables::world,
};
constexpr std::array spectrals{
    consumables::familiar, consumables::grim, consumables::incantation, consumables::talisman, consumables::aura,
    consumables::wraith, consumables::sigil, consumables::ouija, consumables::ectoplasm, consumables::immolate,
    consumables::ankh, consumables::deja_vu, consumables::hex, consumables::trance, consumables::medium,
    consumables::cryptid, consumables::soul, consumables::black_hole,
};
// clang-format on

constexpr std::array<ConsumableRule, consumable_count> rules = [] {
    std::array<ConsumableRule, consumable_count> table{};
    const auto place = [&](const auto& family) {
        for (const ConsumableRule& rule : family) table[static_cast<std::size_t>(rule.key)] = rule;
    };
    place(tarots);
    place(consumables::planets);
    place(spectrals);
    return table;
}();

consteval bool is_complete() {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (static_cast<std::size_t>(rules[i].key) != i || rules[i].chance == Chance::undeclared) return false;
    }
    return tarots.size() == tarot_count && spectrals.size() == spectral_count;
}
static_assert(is_complete(), "every consumable has one rule, which says whether it uses chance");

// What the run remembers of it, after it has acted: The Fool copies what was used before him.
void remember(RunState& run, ConsumableId key) {
    const ConsumableKind kind = fact(key).kind;
    if (kind == ConsumableKind::spectral) return;
    if (kind == ConsumableKind::tarot) ++run.tarots_used;
    if (kind == ConsumableKind::planet) run.used_planets.add(key);
    run.last_used = key;
}

}  // namespace

const ConsumableRule& rule_of(ConsumableId key) { return rules[static_cast<std::size_t>(key)]; }

bool can_use(const RunState& run, ConsumableId key, int targets, bool from_pack) {
    const ConsumableFact& card = fact(key);
    if (run.phase == Phase::game_over) return false;
    if (targets < card.min_targets || targets > card.max_targets) return false;
    if (targets > 0 && !consumables::has_dealt_hand(run, targets)) return false;
    if (consumables::needs_consumable_slot(key)) {
        const int own_slot = from_pack ? 0 : 1;
        if (consumable_room(run) + own_slot <= 0) return false;
    }
    const ConsumableRule& rule = rule_of(key);
    return rule.usable == nullptr || rule.usable(run);
}

namespace {

constexpr bool sorts_hand(ConsumableId key) {
    switch (key) {
        case ConsumableId::fool:
        case ConsumableId::high_priestess:
        case ConsumableId::emperor:
        case ConsumableId::judgement:
        case ConsumableId::wraith:
        case ConsumableId::soul:
            return open_point::creating_items_sorts_hand;
        case ConsumableId::cryptid:
        case ConsumableId::familiar:
        case ConsumableId::grim:
        case ConsumableId::incantation:
            return !open_point::new_cards_stay_at_the_right;
        default:
            return false;
    }
}

}  // namespace

void use_consumable(Turn& turn, const Use& use) {
    turn.note(
        {.kind = EventKind::consumable_used, .actor = Actor::consumable, .key = static_cast<std::uint8_t>(use.key)});
    rule_of(use.key).use(turn, use);
    look_at_cards_anew(turn);
    if (sorts_hand(use.key)) sort_hand(turn.run);
    remember(turn.run, use.key);
    call_jokers(turn, &JokerRule::consumable_used, use.key);
}

}  // namespace jimbo

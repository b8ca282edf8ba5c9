#include "store/card_json.hpp"

#include <algorithm>

#include "store/enum_text.hpp"
#include "store/json_read.hpp"

namespace jimbo {
namespace {

struct CardState {
    std::string_view name;
    bool (*get)(const Card&);
    void (*set)(Card&);
};

constexpr std::array<CardState, 5> card_states{{
    {"debuffed", [](const Card& c) { return bool{c.debuffed}; }, [](Card& c) { c.debuffed = true; }},
    {"face_down", [](const Card& c) { return bool{c.face_down}; }, [](Card& c) { c.face_down = true; }},
    {"forced", [](const Card& c) { return bool{c.forced}; }, [](Card& c) { c.forced = true; }},
    {"played_this_ante", [](const Card& c) { return bool{c.played_this_ante}; },
     [](Card& c) { c.played_this_ante = true; }},
    {"worn", [](const Card& c) { return bool{c.worn}; }, [](Card& c) { c.worn = true; }},
}};

void read_modifier(Card& card, const std::string& text, const std::string& path) {
    const auto one = [&](bool had, std::string_view kind) {
        if (had) fail(path, "a card has only one " + std::string(kind));
    };
    if (const auto enhancement = enhancement_by_key(text)) {
        one(card.enhancement != Enhancement::none, "enhancement");
        card.enhancement = *enhancement;
    } else if (const auto edition = edition_by_key(text)) {
        one(card.edition != Edition::base, "edition");
        card.edition = *edition;
    } else if (const auto seal = seal_by_key(text)) {
        one(card.seal != Seal::none, "seal");
        card.seal = *seal;
    } else {
        fail(path, "\"" + text + "\" is not a modifier of a card");
    }
}

}  // namespace

Card card_from_json(const Json& json, const std::string& path) {
    if (json.object() == nullptr) fail(path, "an object is needed");
    check_names(json, card_names, path);
    Card card;
    const auto front = front_by_key(text_at(json, "key", path));
    if (!front) fail(path + ".key", "no such playing card");
    card.set_front(*front);
    if (const Json* uid = json.find("uid")) card.id = whole_in<std::uint16_t>(*uid, path + ".uid");
    if (const Json* bonus = json.find("bonus")) card.bonus = whole_in<std::uint16_t>(*bonus, path + ".bonus");
    if (json.find("created_suit") != nullptr) {
        const auto suit = enum_of<Suit>(text_at(json, "created_suit", path));
        if (!suit) fail(path + ".created_suit", "S, H, C or D is needed");
        card.created_suit = *suit;
    }
    read_texts(json, "modifier", path, [&](const std::string& text) { read_modifier(card, text, path + ".modifier"); });
    read_texts(json, "state", path, [&](const std::string& text) {
        const auto* found = std::find_if(card_states.begin(), card_states.end(),
                                         [&](const CardState& state) { return state.name == text; });
        if (found == card_states.end()) fail(path + ".state", "\"" + text + "\" is not a state of a card");
        found->set(card);
    });
    return card;
}

Json card_to_json(const Card& card) {
    Json::Array modifiers;
    if (card.edition != Edition::base) modifiers.push_back(fact(card.edition).key);
    if (card.enhancement != Enhancement::none) modifiers.push_back(fact(card.enhancement).key);
    if (card.seal != Seal::none) modifiers.push_back(fact(card.seal).key);
    Json::Array states;
    for (const CardState& state : card_states) {
        if (state.get(card)) states.push_back(state.name);
    }
    Json::Object object{{"uid", static_cast<int>(card.id)}, {"rank", text_of(Rank{card.rank})},
                        {"suit", text_of(Suit{card.suit})}, {"key", front_key(card.front())},
                        {"modifier", std::move(modifiers)}, {"state", std::move(states)}};
    if (card.bonus != 0) object.emplace_back("bonus", static_cast<int>(card.bonus));
    if (card.created_suit != card.suit) object.emplace_back("created_suit", text_of(Suit{card.created_suit}));
    return object;
}

}  // namespace jimbo

#include "seeds/explore_json.hpp"

namespace jimbo {
namespace {

// Catalogue texts hold no character that JSON would escape.
void append_string(std::string& out, std::string_view text) {
    out += '"';
    out += text;
    out += '"';
}

void append_field(std::string& out, std::string_view name, std::string_view text) {
    if (out.back() != '{') out += ',';
    append_string(out, name);
    out += ':';
    append_string(out, text);
}

void append_edition(std::string& out, Edition edition) {
    if (edition != Edition::base) append_field(out, "edition", fact(edition).key);
}

void append_playing_card(std::string& out, const Card& card) {
    append_field(out, "key", front_key(card.front()));
    std::string name(fact(card.rank).name);
    name += " of ";
    name += fact(card.suit).name;
    append_field(out, "name", name);
    if (card.enhancement != Enhancement::none) append_field(out, "enhancement", fact(card.enhancement).key);
    append_edition(out, card.edition);
    if (card.seal != Seal::none) append_field(out, "seal", fact(card.seal).key);
}

void append_stickers(std::string& out, Stickers stickers) {
    if (stickers == Stickers{}) return;
    out += ",\"stickers\":[";
    const auto add = [&](bool present, Sticker sticker) {
        if (!present) return;
        if (out.back() != '[') out += ',';
        append_string(out, fact(sticker).key);
    };
    add(stickers.eternal, Sticker::eternal);
    add(stickers.perishable, Sticker::perishable);
    add(stickers.rental, Sticker::rental);
    out += ']';
}

template <typename Fact>
void append_item(std::string& out, const Fact& item) {
    append_field(out, "key", item.key);
    append_field(out, "name", item.name);
}

template <typename Id>
void append_named(std::string& out, std::string_view label, Id id) {
    append_string(out, label);
    out += ":{";
    append_item(out, fact(id));
    out += "},";
}

template <typename List, typename Append>
void append_list(std::string& out, const List& list, Append append) {
    out += '[';
    for (const auto& item : list) {
        if (out.back() != '[') out += ',';
        append(item);
    }
    out += ']';
}

}  // namespace

void append_json(std::string& out, const Offer& offer) {
    out += '{';
    switch (offer.kind) {
        case OfferKind::joker:
            append_item(out, fact(offer.joker));
            append_edition(out, offer.edition);
            append_stickers(out, offer.stickers);
            break;
        case OfferKind::consumable:
            append_item(out, fact(offer.consumable));
            append_edition(out, offer.edition);
            break;
        case OfferKind::playing_card:
            append_playing_card(out, offer.card);
            break;
    }
    out += '}';
}

void append_json(std::string& out, Explorer& explorer, int ante, bool packs) {
    const auto append_offer = [&](const Offer& offer) { append_json(out, offer); };
    out += "{\"ante\":" + std::to_string(ante) + ',';
    append_named(out, "boss", explorer.boss(ante));
    append_named(out, "voucher", explorer.voucher(ante));
    out += "\"tags\":";
    append_list(out, explorer.tags(ante), [&](TagId tag) {
        out += '{';
        append_item(out, fact(tag));
        out += '}';
    });
    out += ",\"shop\":";
    append_list(out, explorer.shop(ante), append_offer);
    out += ",\"packs\":";
    int number = 0;
    append_list(out, packs ? explorer.boosters(ante) : Boosters{}, [&](BoosterId booster) {
        out += '{';
        append_item(out, fact(booster));
        out += ",\"cards\":";
        append_list(out, explorer.pack(ante, number++), append_offer);
        out += '}';
    });
    out += ",\"legendaries\":";
    append_list(out, packs ? explorer.legendaries(ante) : Explorer::Legendaries{},
                [&](const Legendary& legendary) { append_offer(legendary.joker); });
    out += '}';
}

void append_json(std::string& out, const StartingDeck& deck) {
    append_list(out, deck, [&](const Card& card) { append_string(out, front_key(card.front())); });
}

}  // namespace jimbo

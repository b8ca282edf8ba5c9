#include "learn/field.hpp"

#include "play/action.hpp"
#include "store/enum_text.hpp"

namespace jimbo {
namespace {

// clang-format off
constexpr std::array<std::string_view, vocabulary_count> vocabulary_names{
    "", "phase", "deck", "stake", "challenge", "blind_slot", "blind", "tag", "voucher", "booster", "hand", "rank",
    "suit", "enhancement", "edition", "seal", "joker", "consumable", "offer", "action", "rarity",
    "position",
};
// clang-format on

template <typename Names>
std::vector<std::string> from_one(const Names& names) {
    std::vector<std::string> all{""};
    for (std::string_view name : names) all.emplace_back(name);
    return all;
}

// Enumerators that have a "nothing" of their own at 0.
template <typename Names>
std::vector<std::string> from_zero(const Names& names) {
    std::vector<std::string> all;
    for (std::string_view name : names) all.emplace_back(name);
    all[0].clear();
    return all;
}

}  // namespace

std::string_view name_of(Vocabulary vocabulary) { return vocabulary_names[static_cast<std::size_t>(vocabulary)]; }

std::vector<std::string> names_of(Vocabulary vocabulary) {
    switch (vocabulary) {
        case Vocabulary::number:
            return {};
        case Vocabulary::phase:
            return from_one(EnumText<Phase>::names);
        case Vocabulary::deck:
            return from_one(EnumText<DeckId>::names);
        case Vocabulary::stake:
            return from_one(EnumText<StakeId>::names);
        case Vocabulary::challenge:
            return from_one(EnumText<ChallengeId>::names);
        case Vocabulary::blind_slot:
            return from_one(EnumText<BlindSlot>::names);
        case Vocabulary::blind:
            return from_one(EnumText<BlindId>::names);
        case Vocabulary::tag:
            return from_one(EnumText<TagId>::names);
        case Vocabulary::voucher:
            return from_one(EnumText<VoucherId>::names);
        case Vocabulary::booster:
            return from_one(EnumText<BoosterId>::names);
        case Vocabulary::hand:
            return from_one(EnumText<HandType>::names);
        case Vocabulary::rank:
            return from_one(EnumText<Rank>::names);
        case Vocabulary::suit:
            return from_one(EnumText<Suit>::names);
        case Vocabulary::enhancement:
            return from_zero(EnumText<Enhancement>::names);
        case Vocabulary::edition:
            return from_zero(EnumText<Edition>::names);
        case Vocabulary::seal:
            return from_zero(EnumText<Seal>::names);
        case Vocabulary::joker:
            return from_one(EnumText<JokerId>::names);
        case Vocabulary::consumable:
            return from_one(EnumText<ConsumableId>::names);
        case Vocabulary::offer:
            return from_one(EnumText<OfferKind>::names);
        case Vocabulary::action:
            return from_one(action_names);
        case Vocabulary::rarity:
            return from_one(rarity_names);
        case Vocabulary::position: {
            std::vector<std::string> places{""};
            for (int i = 1; i <= max_hand; ++i) places.push_back(std::to_string(i));
            return places;
        }
    }
    return {};
}

int categories_of(Vocabulary vocabulary) { return static_cast<int>(names_of(vocabulary).size()); }

std::vector<std::string> parts_of(const FieldSpec& field) {
    std::vector<std::string> parts;
    if (field.parts.starts_with('@')) {
        for (int v = 1; v < vocabulary_count; ++v) {
            if (name_of(static_cast<Vocabulary>(v)) == field.parts.substr(1)) {
                parts = names_of(static_cast<Vocabulary>(v));
            }
        }
        // Histograms over enhancements, editions and seals count plain cards, too.
        const bool with_none = static_cast<int>(parts.size()) == (field.columns > 0 ? field.columns : field.rows);
        if (with_none) {
            parts[0] = "none";
        } else {
            parts.erase(parts.begin());
        }
        return parts;
    }
    for (std::string_view rest = field.parts; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        parts.emplace_back(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    }
    return parts;
}

std::string describe_fields(std::span<const FieldSpec> fields) {
    std::string text;
    for (const FieldSpec& field : fields) {
        text += std::string(field.name) + '\t' + std::string(field.dtype) + '\t' + std::to_string(field.rows) + 'x' +
                std::to_string(field.columns) + '\t' + std::to_string(field.offset) + '\t' +
                std::string(name_of(field.vocabulary)) + '/' + std::to_string(categories_of(field.vocabulary));
        for (const std::string& part : parts_of(field)) (text += ' ') += part;
        text += '\n';
    }
    return text;
}

}  // namespace jimbo

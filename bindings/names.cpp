#include "names.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

// What the keys of a set have in common, and people leave out.
struct Affixes {
    std::string_view kind;
    std::string_view prefix;
    std::string_view suffix{};

    std::string_view short_form(std::string_view key) const {
        key.remove_prefix(prefix.size());
        key.remove_suffix(suffix.size());
        return key;
    }
};

constexpr Affixes deck_affixes{"deck", "b_"};
constexpr Affixes stake_affixes{"stake", "stake_"};
constexpr Affixes challenge_affixes{"challenge", "c_", "_1"};

// Lower-case letters and digits, with one underscore between words: "On a Knife's Edge" becomes "on_a_knifes_edge".
std::string folded(std::string_view text) {
    std::string out;
    for (char c : text) {
        const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool keeps = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9');
        const bool separates = c == ' ' || c == '_' || c == '-';
        if (keeps) out += small;
        if (separates && !out.empty() && out.back() != '_') out += '_';
    }
    if (!out.empty() && out.back() == '_') out.pop_back();
    return out;
}

std::string_view without_article(std::string_view name) {
    if (name.starts_with("the_")) name.remove_prefix(4);
    return name;
}

// How alike two texts are: the share of their letters that both have in the same order.
double likeness(std::string_view a, std::string_view b) {
    std::vector<std::size_t> longest(b.size() + 1);
    for (char c : a) {
        std::size_t diagonal = 0;
        for (std::size_t i = 0; i < b.size(); ++i) {
            const std::size_t above = longest[i + 1];
            longest[i + 1] = c == b[i] ? diagonal + 1 : std::max(longest[i], above);
            diagonal = above;
        }
    }
    return 2.0 * static_cast<double>(longest.back()) /
           static_cast<double>(std::max<std::size_t>(1, a.size() + b.size()));
}

template <typename Fact>
[[noreturn]] void refuse(std::span<const Fact> facts, const Affixes& affixes, std::string_view text) {
    std::string allowed;
    std::string_view nearest;
    double best = 0.6;  // a guess less alike than this does not help
    for (const Fact& item : facts) {
        const std::string_view short_form = affixes.short_form(item.key);
        if (!allowed.empty()) allowed += ", ";
        allowed += short_form;
        for (const std::string& word : {std::string(short_form), folded(item.name)}) {
            if (const double like = likeness(folded(text), word); like > best) {
                best = like;
                nearest = short_form;
            }
        }
    }
    std::string sentence = "There is no " + std::string(affixes.kind) + " \"" + std::string(text) + "\". ";
    if (!nearest.empty()) sentence += "Did you mean \"" + std::string(nearest) + "\"? ";
    throw std::invalid_argument(sentence + "Allowed are " + allowed + ".");
}

// `words` is a folded text.
template <typename Fact>
bool is_called(const Fact& item, const Affixes& affixes, std::string_view words) {
    return words == item.key || words == affixes.short_form(item.key) ||
           without_article(words) == without_article(folded(item.name));
}

template <typename Fact>
auto find(std::span<const Fact> facts, const Affixes& affixes, std::string_view text) {
    for (const Fact& item : facts) {
        if (item.key == text) return item.id;
    }
    const std::string words = folded(text);
    for (const Fact& item : facts) {
        if (is_called(item, affixes, words)) return item.id;
    }
    refuse(facts, affixes, text);
}

constexpr std::span<const DeckFact> playable_decks(deck_facts.data(), playable_deck_count);

}  // namespace

DeckId deck_from(std::string_view text) { return find(playable_decks, deck_affixes, text); }
StakeId stake_from(std::string_view text) { return find(std::span<const StakeFact>(stake_facts), stake_affixes, text); }
ChallengeId challenge_from(std::string_view text) {
    return find(std::span<const ChallengeFact>(challenge_facts), challenge_affixes, text);
}

Start start_from(const std::optional<std::string>& deck, std::string_view stake,
                 const std::optional<std::string>& challenge) {
    if (!challenge) return {deck ? deck_from(*deck) : DeckId::red, stake_from(stake), {}};
    const ChallengeId id = challenge_from(*challenge);
    if (deck && !is_called(fact(DeckId::challenge), deck_affixes, folded(*deck))) {
        throw std::invalid_argument("The challenge " + std::string(fact(id).name) +
                                    " brings its own deck, so it cannot be " + "played with the " +
                                    std::string(fact(deck_from(*deck)).name) + ". Leave the deck out.");
    }
    return {DeckId::challenge, stake_from(stake), id};
}

void bind_names(nb::module_& m) {
    m.def(
        "deck_key", [](std::string_view text) { return fact(deck_from(text)).key; }, "text"_a,
        "The key of a deck as people write it; ValueError says what is allowed.");
    m.def("stake_key", [](std::string_view text) { return fact(stake_from(text)).key; }, "text"_a);
    m.def("challenge_key", [](std::string_view text) { return fact(challenge_from(text)).key; }, "text"_a);
}

}  // namespace jimbo

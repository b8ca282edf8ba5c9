#include "view/state_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "view/enum_text.hpp"
#include "view/state_check.hpp"
#include "view/state_fields.hpp"

namespace jimbo {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw std::invalid_argument(path + ": " + what);
}

// --- Playing cards -------------------------------------------------------------------------------------------------

struct CardState {
    std::string_view name;
    bool (*get)(const Card&);
    void (*set)(Card&);
};

constexpr std::array<CardState, 4> card_states{{
    {"debuffed", [](const Card& c) { return bool{c.debuffed}; }, [](Card& c) { c.debuffed = true; }},
    {"face_down", [](const Card& c) { return bool{c.face_down}; }, [](Card& c) { c.face_down = true; }},
    {"forced", [](const Card& c) { return bool{c.forced}; }, [](Card& c) { c.forced = true; }},
    {"played_this_ante", [](const Card& c) { return bool{c.played_this_ante}; },
     [](Card& c) { c.played_this_ante = true; }},
}};

constexpr std::string_view seal_prefix = "seal_";

std::string seal_modifier(Seal seal) {
    std::string text(seal_prefix);
    for (char c : fact(seal).key) text += static_cast<char>(std::tolower(c));
    return text;
}

void read_modifier(Card& card, const std::string& text, const std::string& path) {
    if (const auto enhancement = enhancement_by_key(text)) {
        card.enhancement = *enhancement;
    } else if (const auto edition = edition_by_key(text)) {
        card.edition = *edition;
    } else {
        for (const SealFact& seal : seal_facts) {
            if (seal.id != Seal::none && seal_modifier(seal.id) == text) {
                card.seal = seal.id;
                return;
            }
        }
        fail(path, "\"" + text + "\" is no modifier of a card");
    }
}

const std::string& text_at(const Json& json, std::string_view name, const std::string& path) {
    const Json* member = json.find(name);
    if (member == nullptr || member->text() == nullptr) fail(path + "." + std::string(name), "a text is needed");
    return *member->text();
}

double number_in(const Json& json, const std::string& path) {
    if (const double* number = json.number()) return *number;
    if (const std::string* text = json.text()) {
        if (*text == json_infinity) return std::numeric_limits<double>::infinity();
        if (*text == json_nan) return std::numeric_limits<double>::quiet_NaN();
    }
    fail(path, "a number is needed");
}

template <typename Whole>
Whole whole_in(const Json& json, const std::string& path) {
    const double number = number_in(json, path);
    const bool fits = number == std::floor(number) &&
                      number >= static_cast<double>(std::numeric_limits<Whole>::min()) &&
                      number <= static_cast<double>(std::numeric_limits<Whole>::max());
    if (!fits) fail(path, "the number does not fit");
    return static_cast<Whole>(number);
}

const Json::Array& array_in(const Json& json, const std::string& path) {
    if (json.array() == nullptr) fail(path, "a list is needed");
    return *json.array();
}

template <typename Apply>
void read_texts(const Json& json, std::string_view name, const std::string& path, Apply apply) {
    const Json* list = json.find(name);
    if (list == nullptr) return;
    for (const Json& item : array_in(*list, path)) {
        if (item.text() == nullptr) fail(path + "." + std::string(name), "a text is needed");
        apply(*item.text());
    }
}

Card card_from_json(const Json& json, const std::string& path) {
    Card card;
    const auto front = front_by_key(text_at(json, "key", path));
    if (!front) fail(path + ".key", "no such playing card");
    card.set_front(*front);
    if (const Json* uid = json.find("uid")) card.id = whole_in<std::uint16_t>(*uid, path + ".uid");
    if (const Json* bonus = json.find("bonus")) card.bonus = whole_in<std::uint16_t>(*bonus, path + ".bonus");
    read_texts(json, "modifier", path, [&](const std::string& text) { read_modifier(card, text, path); });
    read_texts(json, "state", path, [&](const std::string& text) {
        const auto* found = std::find_if(card_states.begin(), card_states.end(),
                                         [&](const CardState& state) { return state.name == text; });
        if (found == card_states.end()) fail(path, "\"" + text + "\" is no state of a card");
        found->set(card);
    });
    return card;
}

// --- Writing -------------------------------------------------------------------------------------------------------

class Writer {
public:
    explicit Writer(const RunState& run) : run_(run) {}

    Json::Object take() { return std::move(object_); }

    template <typename T>
    void value(std::string_view name, const T& value, std::string_view) {
        add(name, json_of(value));
    }
    template <typename T>
    void derived(std::string_view name, const T& value, std::string_view) {
        add(name, json_of(value));
    }
    template <typename Inner>
    void group(std::string_view name, std::string_view, Inner inner) {
        add(name, object_of(inner));
    }
    template <typename List, typename Inner>
    void list(std::string_view name, List& list, std::string_view, Inner inner) {
        Json::Array items;
        for (auto& item : list) items.push_back(object_of([&] { inner(item); }));
        add(name, std::move(items));
    }
    template <typename Array, typename Names, typename Inner>
    void array(std::string_view name, Array& array, std::string_view, const Names& names, Inner inner) {
        group(name, "", [&] {
            for (std::size_t i = 0; i < array.size(); ++i) group(names[i], "", [&] { inner(array[i]); });
        });
    }
    template <typename Zone>
    void zone(std::string_view name, const Zone& zone, std::string_view) {
        Json::Array cards;
        for (CardIndex index : zone) cards.push_back(card_to_json(run_.cards[index]));
        add(name, std::move(cards));
    }
    void streams(std::string_view name, const Streams& streams, std::string_view) {
        Json::Object states;
        streams.for_each([&](StreamKey key, double state) { states.emplace_back(KeyText(key).view(), state); });
        // Cursor and events belong to the schema's other mode, in which a recording supplies the random outcomes.
        add(name, Json::Object{{"mode", "native"},
                               {"seed", streams.seed().view()},
                               {"cursor", 0},
                               {"events", Json::Array{}},
                               {"streams", std::move(states)}});
    }

private:
    void add(std::string_view name, Json value) { object_.emplace_back(std::string(name), std::move(value)); }

    template <typename Inner>
    Json object_of(Inner inner) {
        Json::Object outer = std::exchange(object_, {});
        inner();
        return std::exchange(object_, std::move(outer));
    }

    template <typename T>
    static Json json_of(const T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            return value;
        } else if constexpr (std::is_arithmetic_v<T>) {
            return static_cast<double>(value);
        } else {
            return text_of(value);
        }
    }
    template <typename T>
    static Json json_of(const std::optional<T>& value) {
        return value ? json_of(*value) : Json();
    }
    static Json json_of(const Card& card) { return card_to_json(card); }
    static Json json_of(const Counters& c) { return Json::Object{{"count", c.count}, {"x_mult", c.x_mult}}; }
    static Json json_of(const BitSet<voucher_count>& set) { return texts_of<VoucherId>(set); }
    static Json json_of(const BitSet<consumable_count>& set) { return texts_of<ConsumableId>(set); }
    static Json json_of(const std::array<std::uint8_t, blind_count>& uses) {
        Json::Object counts;
        for (std::size_t i = 0; i < uses.size(); ++i) {
            if (uses[i] != 0) counts.emplace_back(std::string(EnumText<BlindId>::names[i]), static_cast<int>(uses[i]));
        }
        return counts;
    }
    template <typename Enum, int Count>
    static Json texts_of(const BitSet<Count>& set) {
        Json::Array texts;
        for (int i = 0; i < Count; ++i) {
            if (set.test(i)) texts.push_back(text_of(static_cast<Enum>(i)));
        }
        return texts;
    }

    const RunState& run_;
    Json::Object object_;
};

// --- Reading -------------------------------------------------------------------------------------------------------

class Reader {
public:
    explicit Reader(const Json& json) : json_(&json) {}

    template <typename T>
    void value(std::string_view name, T& value, std::string_view) {
        const Json& member = get(name);
        read(member, value, path_ + "." + std::string(name));
    }
    template <typename T>
    void derived(std::string_view, const T&, std::string_view) {}
    template <typename Inner>
    void group(std::string_view name, std::string_view, Inner inner) {
        inside(get(name), "." + std::string(name), inner);
    }
    template <typename List, typename Inner>
    void list(std::string_view name, List& list, std::string_view, Inner inner) {
        const std::string path = path_ + "." + std::string(name);
        const Json::Array& items = array_in(get(name), path);
        if (items.size() > static_cast<std::size_t>(List::capacity)) {
            fail(path, "more than " + std::to_string(List::capacity) + " items");
        }
        list.clear();
        for (std::size_t i = 0; i < items.size(); ++i) {
            list.push_back({});
            inside(items[i], "." + std::string(name) + "[" + std::to_string(i) + "]", [&] { inner(list.back()); });
        }
    }
    template <typename Array, typename Names, typename Inner>
    void array(std::string_view name, Array& array, std::string_view, const Names& names, Inner inner) {
        group(name, "", [&] {
            for (std::size_t i = 0; i < array.size(); ++i) group(names[i], "", [&] { inner(array[i]); });
        });
    }
    template <typename Zone>
    void zone(std::string_view name, Zone& zone, std::string_view) {
        const std::string path = path_ + "." + std::string(name);
        const Json::Array& items = array_in(get(name), path);
        if (items.size() > static_cast<std::size_t>(Zone::capacity)) fail(path, "too many cards");
        zone.clear();
        for (const Json& item : items) {
            if (cards_.size() >= max_cards) fail(path, "more than " + std::to_string(max_cards) + " cards");
            zone.push_back(static_cast<CardIndex>(cards_.size()));
            cards_.push_back(card_from_json(item, path));
        }
    }
    void streams(std::string_view name, Streams& streams, std::string_view) {
        const std::string path = path_ + "." + std::string(name);
        const auto seed = parse_seed(text_at(get(name), "seed", path));
        if (!seed) fail(path + ".seed", "a seed has 1 to 8 characters out of 0-9 and A-Z");
        streams = Streams(*seed);
        const Json* states = get(name).find("streams");
        if (states == nullptr || states->object() == nullptr) fail(path + ".streams", "an object is needed");
        for (const auto& [text, state] : *states->object()) {
            const auto key = parse_stream_key(text);
            if (!key) fail(path + ".streams", "the game has no random stream \"" + text + "\"");
            const double number = number_in(state, path + "." + text);
            if (!std::isnan(number) && !(number >= 0 && number <= 1)) fail(path + "." + text, "a state lies in 0 to 1");
            streams.set_state(*key, number);
        }
        std::size_t kept = 0;
        streams.for_each([&](StreamKey, double) { ++kept; });
        if (kept != states->object()->size()) {
            fail(path + ".streams", "a stream stands twice, or there are more antes or resamples than a run can need");
        }
    }

    // Cards are numbered in creation order; the zones were filled in reading order.
    void finish_cards(RunState& run) {
        std::vector<int> order(cards_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return cards_[static_cast<std::size_t>(a)].id < cards_[static_cast<std::size_t>(b)].id;
        });
        std::array<CardIndex, max_cards> place{};
        run.cards.clear();
        for (int i : order) {
            place[static_cast<std::size_t>(i)] = static_cast<CardIndex>(run.cards.size());
            run.cards.push_back(cards_[static_cast<std::size_t>(i)]);
        }
        const auto renumber = [&](auto& zone) {
            for (CardIndex& index : zone) index = place[index];
        };
        renumber(run.deck_pile);
        renumber(run.hand);
        renumber(run.played);
        renumber(run.discard_pile);
    }

private:
    const Json& get(std::string_view name) const {
        const Json* member = json_->find(name);
        if (member == nullptr) fail(path_ + "." + std::string(name), "the field is missing");
        return *member;
    }

    template <typename Inner>
    void inside(const Json& json, const std::string& step, Inner inner) {
        if (json.object() == nullptr) fail(path_ + step, "an object is needed");
        const Json* outer = std::exchange(json_, &json);
        const std::size_t length = path_.size();
        path_ += step;
        inner();
        path_.resize(length);
        json_ = outer;
    }

    template <typename T>
    static void read(const Json& json, T& value, const std::string& path) {
        if constexpr (std::is_same_v<T, bool>) {
            if (json.boolean() == nullptr) fail(path, "true or false is needed");
            value = *json.boolean();
        } else if constexpr (std::is_floating_point_v<T>) {
            value = number_in(json, path);
        } else if constexpr (std::is_integral_v<T>) {
            value = whole_in<T>(json, path);
        } else {
            const std::string* text = json.text();
            const auto found = text != nullptr ? enum_of<T>(*text) : std::nullopt;
            if (!found) fail(path, (text != nullptr ? "\"" + *text + "\"" : "the value") + " is not known");
            value = *found;
        }
    }
    template <typename T>
    static void read(const Json& json, std::optional<T>& value, const std::string& path) {
        value.reset();
        if (!json.is_null()) read(json, value.emplace(), path);
    }
    static void read(const Json& json, Card& card, const std::string& path) { card = card_from_json(json, path); }
    static void read(const Json& json, BitSet<voucher_count>& set, const std::string& path) {
        read_set<VoucherId>(json, set, path);
    }
    static void read(const Json& json, BitSet<consumable_count>& set, const std::string& path) {
        read_set<ConsumableId>(json, set, path);
    }
    static void read(const Json& json, std::array<std::uint8_t, blind_count>& uses, const std::string& path) {
        if (json.object() == nullptr) fail(path, "an object is needed");
        uses = {};
        for (const auto& [text, count] : *json.object()) {
            const auto blind = enum_of<BlindId>(text);
            if (!blind) fail(path, "\"" + text + "\" is not known");
            uses[static_cast<std::size_t>(*blind)] = whole_in<std::uint8_t>(count, path + "." + text);
        }
    }
    template <typename Enum, int Count>
    static void read_set(const Json& json, BitSet<Count>& set, const std::string& path) {
        set.clear();
        for (const Json& item : array_in(json, path)) {
            Enum value{};
            read(item, value, path);
            set.add(value);
        }
    }

    const Json* json_;
    std::string path_ = "state";
    std::vector<Card> cards_;
};

// --- Describing ----------------------------------------------------------------------------------------------------

class Describer {
public:
    const std::string& table() const { return table_; }

    template <typename T>
    void value(std::string_view name, const T&, std::string_view meaning) {
        row(name, kind_of(static_cast<const T*>(nullptr)), meaning);
    }
    template <typename T>
    void derived(std::string_view name, const T&, std::string_view meaning) {
        row(name, "derived", meaning);
    }
    template <typename Inner>
    void group(std::string_view name, std::string_view meaning, Inner inner) {
        row(name, "object", meaning);
        inside("." + std::string(name), inner);
    }
    template <typename List, typename Inner>
    void list(std::string_view name, List&, std::string_view meaning, Inner inner) {
        row(name, "list of at most " + std::to_string(List::capacity), meaning);
        typename std::remove_cvref_t<decltype(*std::declval<List&>().begin())> item{};
        inside("." + std::string(name) + "[]", [&] { inner(item); });
    }
    template <typename Array, typename Names, typename Inner>
    void array(std::string_view name, Array& array, std::string_view meaning, const Names&, Inner inner) {
        row(name, "object, " + std::to_string(array.size()) + " members", meaning);
        inside("." + std::string(name) + ".*", [&] { inner(array[0]); });
    }
    template <typename Zone>
    void zone(std::string_view name, const Zone&, std::string_view meaning) {
        row(name, "list of cards", meaning);
    }
    void streams(std::string_view name, const Streams&, std::string_view meaning) { row(name, "object", meaning); }

private:
    void row(std::string_view name, const std::string& kind, std::string_view meaning) {
        std::string path = path_ + "." + std::string(name);
        table_ += path.substr(1) + "\t" + kind + "\t" + std::string(meaning) + "\n";
    }
    template <typename Inner>
    void inside(const std::string& step, Inner inner) {
        const std::size_t length = path_.size();
        path_ += step;
        inner();
        path_.resize(length);
    }

    template <typename T>
    static std::string kind_of(const T*) {
        if constexpr (std::is_same_v<T, bool>) {
            return "bool";
        } else if constexpr (std::is_arithmetic_v<T>) {
            return std::is_floating_point_v<T> ? "number" : "whole number";
        } else {
            return "one of " + std::to_string(EnumText<T>::names.size()) + " texts";
        }
    }
    template <typename T>
    static std::string kind_of(const std::optional<T>*) {
        return kind_of(static_cast<const T*>(nullptr)) + " or null";
    }
    static std::string kind_of(const Card*) { return "card"; }
    template <int Count>
    static std::string kind_of(const BitSet<Count>*) {
        return "list of keys";
    }
    static std::string kind_of(const std::array<std::uint8_t, blind_count>*) { return "object, key to count"; }

    std::string path_;
    std::string table_;
};

constexpr std::string_view magic = "JIMBO-RUN-1 ";

}  // namespace

Json card_to_json(const Card& card) {
    Json::Array modifiers;
    if (card.edition != Edition::base) modifiers.push_back(fact(card.edition).key);
    if (card.enhancement != Enhancement::none) modifiers.push_back(fact(card.enhancement).key);
    if (card.seal != Seal::none) modifiers.push_back(seal_modifier(card.seal));
    Json::Array states;
    for (const CardState& state : card_states) {
        if (state.get(card)) states.push_back(state.name);
    }
    Json::Object object{{"uid", static_cast<int>(card.id)}, {"rank", text_of(Rank{card.rank})},
                        {"suit", text_of(Suit{card.suit})}, {"key", front_key(card.front())},
                        {"modifier", std::move(modifiers)}, {"state", std::move(states)}};
    if (card.bonus != 0) object.emplace_back("bonus", static_cast<int>(card.bonus));
    return object;
}

Json state_to_json(const RunState& run) {
    RunState copy = run;  // the field list takes references that a reader may write through
    Writer writer(copy);
    visit_run(writer, copy);
    Json::Object object = writer.take();
    object.emplace(object.begin(), "schema_version", state_schema);
    return object;
}

RunState state_from_json(const Json& json) {
    if (json.object() == nullptr) fail("state", "an object is needed");
    if (text_at(json, "schema_version", "state") != state_schema) {
        fail("state.schema_version", "only " + std::string(state_schema) + " can be read");
    }
    RunState run;
    Reader reader(json);
    visit_run(reader, run);
    reader.finish_cards(run);
    if (const std::string fault = fault_of(run); !fault.empty()) throw std::invalid_argument(fault);
    return run;
}

std::string schema_table() {
    Describer describer;
    RunState run;
    visit_run(describer, run);
    return describer.table();
}

std::string schema_hash() {
    std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
    for (char c : schema_table()) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(hash >> shift) & 15];
    return text;
}

std::string save_run(const RunState& run) {
    return std::string(magic) + schema_hash() + "\n" + state_to_json(run).dump();
}

RunState load_run(std::string_view bytes) {
    if (!bytes.starts_with(magic)) throw std::invalid_argument("this is not a saved run");
    bytes.remove_prefix(magic.size());
    const auto line = bytes.find('\n');
    if (line == std::string_view::npos) throw std::invalid_argument("the saved run is cut off");
    if (bytes.substr(0, line) != schema_hash()) {
        throw std::invalid_argument("the run was saved by another version of Jimbo (its fields differ)");
    }
    return state_from_json(Json::parse(bytes.substr(line + 1)));
}

}  // namespace jimbo

#include <algorithm>

#include "store/card_json.hpp"
#include "store/enum_text.hpp"
#include "store/json_read.hpp"
#include "store/state_check.hpp"
#include "store/state_fields.hpp"
#include "store/state_json.hpp"

namespace jimbo {
namespace {

class Reader {
public:
    explicit Reader(const Json& json) : json_(&json) {}

    template <typename T>
    void value(std::string_view name, T& value, std::string_view) {
        const Json& member = get(name);
        read(member, value, path_ + "." + std::string(name));
    }
    template <typename T>
    void derived(std::string_view name, const T&, std::string_view) {
        known_.push_back(name);
    }
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
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (cards_.size() >= max_cards) fail(path, "more than " + std::to_string(max_cards) + " cards");
            zone.push_back(static_cast<CardIndex>(cards_.size()));
            cards_.push_back(card_from_json(items[i], path + "[" + std::to_string(i) + "]"));
        }
    }
    void streams(std::string_view name, Streams& streams, std::string_view) {
        const std::string path = path_ + "." + std::string(name);
        const Json& json = get(name);
        if (json.object() == nullptr) fail(path, "an object is needed");
        check_names(json, stream_names, path);
        if (text_at(json, "mode", path) != "native") fail(path + ".mode", "only \"native\" can be read");
        const auto seed = parse_seed(text_at(json, "seed", path));
        if (!seed) fail(path + ".seed", std::string(seed_rule));
        streams = Streams(*seed);
        const Json* states = json.find("streams");
        if (states == nullptr || states->object() == nullptr) fail(path + ".streams", "an object is needed");
        for (const auto& [text, state] : *states->object()) {
            const auto key = parse_stream_key(text);
            if (!key) fail(path + ".streams", "the game has no random stream \"" + text + "\"");
            const double number = number_in(state, path + "." + text);
            if (!std::isnan(number) && !(number >= 0 && number <= 1))
                fail(path + "." + text, "a state must lie between 0 and 1");
            streams.set_state(*key, number);
        }
        std::size_t kept = 0;
        streams.for_each([&](StreamKey, double) { ++kept; });
        if (kept != states->object()->size()) {
            fail(path + ".streams", "a stream appears twice, or there are more antes or resamples than a run can need");
        }
    }

    // Whatever else the state holds is refused.
    void finish() {
        known_.push_back("schema_version");
        check_names(*json_, known_, path_);
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
    static constexpr std::array<std::string_view, 5> stream_names{"mode", "seed", "cursor", "events", "streams"};

    const Json& get(std::string_view name) {
        known_.push_back(name);
        const Json* member = json_->find(name);
        if (member == nullptr) fail(path_ + "." + std::string(name), "the field is missing");
        return *member;
    }

    template <typename Inner>
    void inside(const Json& json, const std::string& step, Inner inner) {
        if (json.object() == nullptr) fail(path_ + step, "an object is needed");
        const Json* outer = std::exchange(json_, &json);
        std::vector<std::string_view> known = std::exchange(known_, {});
        const std::size_t length = path_.size();
        path_ += step;
        inner();
        check_names(json, known_, path_);
        path_.resize(length);
        known_ = std::move(known);
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
            if (set.has(value)) fail(path, "\"" + *item.text() + "\" appears twice");
            set.add(value);
        }
    }

    const Json* json_;
    std::vector<std::string_view> known_;  // the members that this object may have
    std::string path_ = "state";
    std::vector<Card> cards_;
};

}  // namespace

RunState state_from_json(const Json& json) {
    if (json.object() == nullptr) fail("state", "an object is needed");
    if (text_at(json, "schema_version", "state") != state_schema) {
        fail("state.schema_version", "only " + std::string(state_schema) + " can be read");
    }
    RunState run;
    Reader reader(json);
    visit_run(reader, run);
    reader.finish();
    reader.finish_cards(run);
    if (const std::string fault = fault_of(run); !fault.empty()) throw std::invalid_argument(fault);
    return run;
}

}  // namespace jimbo

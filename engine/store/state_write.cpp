#include "store/card_json.hpp"
#include "store/enum_text.hpp"
#include "store/state_fields.hpp"
#include "store/state_json.hpp"

namespace jimbo {
namespace {

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

}  // namespace

Json state_to_json(const RunState& run) {
    RunState copy = run;  // the field list takes references that a reader may write through
    Writer writer(copy);
    visit_run(writer, copy);
    Json::Object object = writer.take();
    object.emplace(object.begin(), "schema_version", state_schema);
    return object;
}

}  // namespace jimbo

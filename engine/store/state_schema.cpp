#include "store/card_json.hpp"
#include "store/enum_text.hpp"
#include "store/fingerprint.hpp"
#include "store/state_fields.hpp"
#include "store/state_json.hpp"

namespace jimbo {
namespace {

class Describer {
public:
    const std::string& table() const { return table_; }
    const std::string& layout() const { return layout_; }

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
    void card() {
        for (std::string_view name : card_names) layout_ += "card." + std::string(name) + "\n";
    }
    void streams(std::string_view name, const Streams&, std::string_view meaning) { row(name, "object", meaning); }

private:
    void row(std::string_view name, const std::string& kind, std::string_view meaning) {
        const std::string field = (path_ + "." + std::string(name)).substr(1) + "\t" + kind;
        layout_ += field + "\n";
        table_ += field + "\t" + std::string(meaning) + "\n";
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
    std::string layout_;  // the table without meanings, which may be reworded
};

Describer described() {
    Describer describer;
    RunState run;
    visit_run(describer, run);
    describer.card();
    return describer;
}

}  // namespace

std::string schema_table() { return described().table(); }

std::string schema_hash() {
    static const std::string known = fingerprint(described().layout());  // every saved run asks for it
    return known;
}

}  // namespace jimbo

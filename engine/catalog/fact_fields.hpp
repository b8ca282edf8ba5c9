// The fields of a fact row, written once: a list of FIELD(name, default, meaning, type), from which come the members of
// the struct and everything that walks through them, such as what Python sees.
//
//     #define TAG_FIELDS(FIELD) FIELD(min_ante, 1, "In the pool from this ante on.", std::uint8_t) ...
//     struct TagFact { ...; TAG_FIELDS(JIMBO_MEMBER) ...; };
//     JIMBO_FIELDS_OF(TagFact, TAG_FIELDS)
#pragma once

#include <tuple>

namespace jimbo {

template <class Row, class T>
struct FactField {
    const char* name;
    T Row::* member;
    const char* meaning;
};

// `FieldsOf<Row>::list` is a tuple of FactField. A row without fields of its own needs no list.
template <class Row>
struct FieldsOf {
    static constexpr std::tuple<> list{};
};

}  // namespace jimbo

#define JIMBO_MEMBER(name, start, meaning, ...) __VA_ARGS__ name = start;
#define JIMBO_FIELD(name, start, meaning, ...) FactField{#name, &Row_::name, meaning},
#define JIMBO_FIELDS_OF(Row, FIELDS)                           \
    template <>                                                \
    struct FieldsOf<Row> {                                     \
        using Row_ = Row;                                      \
        static constexpr std::tuple list{FIELDS(JIMBO_FIELD)}; \
    };

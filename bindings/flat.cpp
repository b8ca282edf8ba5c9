// Observations as rows of floats.
#include "learn/flat.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "array_kinds.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

// Source, how, place, column, width, base, scale: see learn/flat.hpp.
using Row = std::tuple<int, int, int, int, int, int, float>;

std::size_t bytes_of(FlatSource source) { return source == FlatSource::u8 ? 1 : source == FlatSource::i16 ? 2 : 4; }

bool fits(FlatSource source, const FlatEntry& entry, int size, int candidates) {
    const auto reach = [&]() -> std::size_t {
        if (source == FlatSource::candidate_id) return static_cast<std::size_t>(candidates * candidate_id_count);
        if (source == FlatSource::candidate_number)
            return static_cast<std::size_t>(candidates * candidate_number_count);
        return sizeof(Observation) - bytes_of(source) + 1;
    };
    return entry.place >= 0 && static_cast<std::size_t>(entry.place) < reach() && entry.column >= 0 &&
           entry.width >= 1 && entry.width <= size - entry.column;
}

// Plain bytes, because numpy takes long to spell out the fields of a structure.
constexpr ItemKind observation_bytes{"B", 1, "uint8", alignof(Observation)};

// A plan, and for how many candidates it is made.
class BoundPlan {
public:
    BoundPlan(int size, int candidates, const std::vector<Row>& rows) : plan_(size), candidates_(candidates) {
        for (const auto& [source, how, place, column, width, base, scale] : rows) {
            require(source >= 0 && source <= int(FlatSource::candidate_number), "there is no such source");
            require(how >= 0 && how <= int(FlatHow::logs), "there is no such way to write a value");
            const FlatEntry entry{place, column, width, base, scale};
            require(fits(FlatSource(source), entry, size, candidates), "an entry lies outside the row or its source");
            plan_.add(FlatSource(source), FlatHow(how), entry);
        }
    }

    // `first`: the row of the observations that is the first to be written; the candidate tables start with that row,
    // too, or have only one, which holds for all.
    void write(nb::handle observations, int n, nb::handle ids, nb::handle numbers, int tables, int first,
               nb::handle out, int rows) const {
        require(first >= 0 && rows >= 0 && first + rows <= n && (tables == n || tables == 1), "there is no such row");
        const Buffer seen(observations, "observations", observation_bytes, {n, sizeof(Observation)}, false);
        const Buffer id_rows(ids, "candidate_ids", short_kind, {tables, candidates_, candidate_id_count}, false);
        const Buffer number_rows(numbers, "candidate_rows", float_kind, {tables, candidates_, candidate_number_count},
                                 false);
        const Buffer floats(out, "out", float_kind, {rows, plan_.size()}, true);
        nb::gil_scoped_release free;
        for (int i = 0; i < rows; ++i) {
            const auto table = static_cast<std::ptrdiff_t>(tables == 1 ? 0 : first + i) * candidates_;
            plan_.write(seen.as<const Observation>()[first + i],
                        id_rows.as<const std::int16_t>() + table * candidate_id_count,
                        number_rows.as<const float>() + table * candidate_number_count,
                        floats.as<float>() + static_cast<std::ptrdiff_t>(i) * plan_.size());
        }
    }

    std::string text() const { return "<FlatPlan of " + std::to_string(plan_.size()) + " floats>"; }

private:
    FlatPlan plan_;
    int candidates_;
};

}  // namespace

void bind_flat(nb::module_& m) {
    nb::class_<BoundPlan>(m, "FlatPlan", "Writes observations as rows of floats, by a list of entries.")
        .def(nb::init<int, int, const std::vector<Row>&>(), "size"_a, "candidates"_a, "entries"_a,
             "Entries: source, how, place, column, width, base, scale.")
        .def("write", &BoundPlan::write, "observations"_a, "n"_a, "candidate_ids"_a, "candidate_rows"_a, "tables"_a,
             "first"_a, "out"_a, "rows"_a, "Writes rows of floats from an observation on.")
        .def("__repr__", &BoundPlan::text);
}

}  // namespace jimbo

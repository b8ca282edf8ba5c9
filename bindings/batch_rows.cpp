#include "batch_rows.hpp"

#include <cstring>
#include <stdexcept>
#include <tuple>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "names.hpp"
#include "parse.hpp"
#include "store/enum_text.hpp"
#include "store/state_json.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

// --- Rows as plain values --------------------------------------------------------------------------------------------

using Numbers = std::tuple<double, int, int, int, int, float, int, int, int, int, int, int>;
using StartKeys = std::tuple<std::string, std::string, std::optional<std::string>>;
// Run (nothing before the first reset), selected cards, statistics, start, generator, seeds and the next of them,
// terminated, truncated.
using RowParts = std::tuple<std::optional<nb::bytes>, std::uint64_t, Numbers, StartKeys, std::uint64_t,
                            std::vector<std::string>, std::size_t, bool, bool>;

Numbers numbers_of(const EpisodeStats& s) {
    return {s.best_hand,
            s.money,
            s.length,
            s.decisions,
            s.illegal,
            s.total,
            s.ante,
            s.round,
            s.blinds,
            s.won,
            static_cast<int>(s.end),
            s.finished};
}

EpisodeStats stats_of(const Numbers& numbers) {
    EpisodeStats s;
    std::tie(s.best_hand, s.money, s.length, s.decisions, s.illegal, s.total, s.ante, s.round, s.blinds, s.won,
             std::ignore, s.finished) = numbers;
    const int end = std::get<10>(numbers);
    if (end < 0 || end >= static_cast<int>(episode_end_names.size())) throw std::invalid_argument("no such end");
    s.end = static_cast<EpisodeEnd>(end);
    return s;
}

StartKeys keys_of(const Start& start) {
    std::optional<std::string> challenge;
    if (start.challenge) challenge = text_of(*start.challenge);
    return {std::string(text_of(start.deck)), std::string(text_of(start.stake)), challenge};
}

RowParts parts_of(const BatchRow& row) {
    std::optional<nb::bytes> run;
    if (row.episode.run().streams.seed().length > 0) {
        const std::string saved = save_run(row.episode.run());
        run = nb::bytes(saved.data(), saved.size());
    }
    std::vector<std::string> seeds;
    for (const Seed& seed : row.seeds) seeds.emplace_back(seed.view());
    return {run,
            row.episode.selected(),
            numbers_of(row.episode.stats()),
            keys_of(row.start),
            row.random.state(),
            seeds,
            row.next_seed,
            row.terminated,
            row.truncated};
}

BatchRow row_of(const RowParts& parts) {
    const auto& [saved, selected, numbers, start, random, seeds, next_seed, terminated, truncated] = parts;
    BatchRow row;
    const RunState run = saved ? load_run({saved->c_str(), saved->size()}) : RunState{};
    row.episode = Episode(run, selected, stats_of(numbers));
    row.start = start_from(std::get<0>(start), std::get<1>(start), std::get<2>(start));
    row.random = SplitMix(random);
    for (const std::string& seed : seeds) row.seeds.push_back(seed_from(seed));
    if (next_seed > 0 && next_seed >= seeds.size()) throw std::invalid_argument("there is no such next seed");
    row.next_seed = next_seed;
    row.terminated = terminated;
    row.truncated = truncated;
    return row;
}

}  // namespace

void bind_batch_rows(nb::module_& m) {
    nb::class_<BatchRows>(m, "BatchRows", "Where the rows of a batch stand; never changed.")
        .def("__len__", [](const BatchRows& self) { return self.rows.size(); })
        .def("__repr__",
             [](const BatchRows& self) { return "<BatchRows of " + std::to_string(self.rows.size()) + ">"; })
        .def("__getstate__",
             [](const BatchRows& self) {
                 std::vector<RowParts> rows;
                 for (const BatchRow& row : self.rows) rows.push_back(parts_of(row));
                 return rows;
             })
        .def("__setstate__", [](BatchRows& self, const std::vector<RowParts>& rows) {
            BatchRows made;
            for (const RowParts& parts : rows) made.rows.push_back(row_of(parts));
            new (&self) BatchRows(std::move(made));
        });
}

}  // namespace jimbo

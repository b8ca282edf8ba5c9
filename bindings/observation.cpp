// What goes in and out of a batch, described; and single runs looked at in the same way.
#include <algorithm>
#include <span>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "array_kinds.hpp"
#include "learn/schema.hpp"
#include "learn/whole.hpp"
#include "view/public_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

using Described = nb::typed<nb::dict, nb::str, nb::any>;

// --- Single runs ---------------------------------------------------------------------------------------------------

// Plain bytes, because numpy takes longer to spell out the fields of a structure than it takes to fill them.
constexpr ItemKind observation_bytes{"B", 1, "uint8", alignof(Observation)};

void observe_into(const RunState& run, std::uint64_t selected, nb::handle out) {
    const Buffer row(out, "out", observation_bytes, {sizeof(Observation)}, true);
    write_observation(run, selected, *row.as<Observation>());
}

// Lists at most as many candidates as the arrays have rows.
std::vector<Action> list_candidates(const RunState& run, int k, bool moves, nb::handle ids, nb::handle rows) {
    require(k >= 1, "at least one candidate must be asked for");
    const Buffer id_rows(ids, "ids", short_kind, {k, candidate_id_count}, true);
    const Buffer number_rows(rows, "rows", float_kind, {k, candidate_number_count}, true);
    CandidateList list(k);
    list.list(run, moves);
    list.describe(run, reinterpret_cast<CandidateIds*>(id_rows.as<std::int16_t>()),
                  reinterpret_cast<CandidateNumbers*>(number_rows.as<float>()));
    std::vector<Action> actions;
    for (const Candidate& candidate : list.candidates()) actions.push_back(candidate.action);
    return actions;
}

// What a network is shown of one state after another: each from one imagined run, and without an object for each
// action.
class Describer {
public:
    explicit Describer(int k) : k_(k), list_(k) {
        require(k >= 1, "at least one candidate must be asked for");
        ids_.resize(static_cast<std::size_t>(k));
    }

    // Returns how many candidates there are.
    int into(const PublicState& state, nb::handle observation, nb::handle ids, nb::handle rows) {
        const Buffer id_rows(ids, "ids", byte_kind, {k_, candidate_id_count}, true);
        const Buffer number_rows(rows, "rows", float_kind, {k_, candidate_number_count}, true);
        const RunState run = imagine(state, 0);
        observe_into(run, 0, observation);
        list_.list(run, false);
        list_.describe(run, ids_.data(), reinterpret_cast<CandidateNumbers*>(number_rows.as<float>()));
        const auto* from = reinterpret_cast<const std::int16_t*>(ids_.data());
        const std::size_t count = list_.candidates().size();
        std::transform(from, from + count * candidate_id_count, id_rows.as<std::uint8_t>(),
                       [](std::int16_t id) { return static_cast<std::uint8_t>(id); });
        return static_cast<int>(count);
    }

    void actions_into(nb::handle actions) const {
        const Buffer rows(actions, "actions", action_kind, {static_cast<int>(list_.candidates().size())}, true);
        Action* out = rows.as<Action>();
        for (const Candidate& candidate : list_.candidates()) *out++ = candidate.action;
    }

    std::vector<int> places(const std::vector<Action>& actions) const {
        const std::span<const Candidate> listed = list_.candidates();
        std::vector<int> places;
        for (const Action& action : actions) {
            const auto found = std::find_if(listed.begin(), listed.end(),
                                            [&](const Candidate& candidate) { return candidate.action == action; });
            places.push_back(found == listed.end() ? -1 : static_cast<int>(found - listed.begin()));
        }
        return places;
    }

private:
    static constexpr ItemKind byte_kind{"B", 1, "uint8"};

    int k_;
    CandidateList list_;
    std::vector<CandidateIds> ids_;
};

void bind_describer(nb::module_& m) {
    nb::class_<Describer>(m, "Describer",
                          "Shows one public state after another as a network sees it, in arrays of the caller's: fast "
                          "enough for whole rollouts.")
        .def(nb::init<int>(), "k"_a = 64)
        .def("into", &Describer::into, "state"_a, "observation"_a, "ids"_a, "rows"_a,
             "Fills the bytes of an observation, and k rows of ids (uint8) and of numbers (float32) as far as there "
             "are candidates; returns their number.")
        .def("actions_into", &Describer::actions_into, "actions"_a,
             "The candidates of the last state, in an array of action_dtype() of their number.")
        .def("places", &Describer::places, "actions"_a,
             "Where each of these actions stands among the candidates of the last state; -1 for one that is not there.")
        .def("__repr__", [](const Describer&) { return "<Describer>"; });
}

void bind_single_runs(nb::module_& m) {
    m.def("observe_into", &observe_into, "run"_a, "selected"_a, "out"_a,
          "Writes what the player of a run sees into the bytes of one observation.");
    m.def("list_candidates", &list_candidates, "run"_a, "k"_a, "moves"_a, "ids"_a, "rows"_a,
          "The candidates of a run, at most k; describes them in arrays of k rows.");
    bind_describer(m);
}

// --- Descriptions --------------------------------------------------------------------------------------------------

Described describe(const FieldSpec& field) {
    Described row;
    nb::list shape;
    if (field.rows > 0) shape.append(field.rows);
    if (field.columns > 0) shape.append(field.columns);
    const int categories = categories_of(field.vocabulary);
    row["name"] = field.name;
    row["dtype"] = field.dtype;
    row["shape"] = nb::tuple(shape);
    row["offset"] = field.offset;
    row["low"] = field.low;
    row["high"] = categories > 0 ? categories - 1.0 : field.high;
    row["categories"] = categories;
    row["vocabulary"] = name_of(field.vocabulary);
    row["parts"] = parts_of(field);
    row["doc"] = field.doc;
    return row;
}

std::vector<Described> describe_all(std::span<const FieldSpec> fields) {
    std::vector<Described> rows;
    for (const FieldSpec& field : fields) rows.push_back(describe(field));
    return rows;
}

void bind_descriptions(nb::module_& m) {
    m.def(
        "observation_fields", [] { return describe_all(observation_fields()); },
        "The fields of an observation: name, dtype, shape, offset, low, high, categories, vocabulary, parts, doc.");
    m.def(
        "candidate_fields", [] { return describe_all(candidate_fields()); },
        "What is told about a candidate; the offset is the column among the ids (int16) or the numbers (float32).");
    m.def("stats_fields", [] { return describe_all(stats_fields()); }, "The statistics of an episode.");
    m.def(
        "vocabulary", [](std::string_view name) { return vocabulary_names(name); }, "name"_a,
        "The names of the ids of a vocabulary from 0 (nothing) on.");
    m.def(
        "step_names",
        [] {
            std::vector<std::string> names;
            for (int id = 0; id < step_count; ++id) names.push_back(step_name(id));
            return names;
        },
        "The steps of the encoding \"steps\".");
    m.def(
        "reward_terms",
        [] {
            nb::typed<nb::dict, nb::str, nb::str> terms;
            for (const RewardTermFact& term : reward_term_facts) terms[nb::str(term.name.data())] = term.doc;
            return terms;
        },
        "What a reward can be made of: names and meanings, in the order of the columns.");
    m.def("batch_schema_hash", &batch_schema_hash,
          "A hash of everything that goes in and out of a batch: observations, steps, candidates.");
    m.attr("WHOLE_PLACES") = whole_places;
    m.attr("OBSERVATION_SIZE") = sizeof(Observation);
    m.attr("CANDIDATE_IDS") = candidate_id_count;
    m.attr("CANDIDATE_NUMBERS") = candidate_number_count;
    m.attr("STATS_SIZE") = sizeof(EpisodeStats);
}

}  // namespace

void bind_observation(nb::module_& m) {
    bind_descriptions(m);
    bind_single_runs(m);
}

}  // namespace jimbo

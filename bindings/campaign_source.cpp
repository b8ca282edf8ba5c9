// The options of whole runs, shown in arrays of the caller.
#include "campaign/campaign_source.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "array_kinds.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

constexpr ItemKind byte_kind{"B", 1, "uint8"};
constexpr ItemKind half_kind{"e", 2, "float16", 2};
constexpr int most_options = 1024;

void make_source(CampaignSource* self, const ValueNet* net, int options, int rollouts, int finalists, int worlds,
                 bool shaping, double gamma) {
    require(options >= 1 && options <= most_options, "between 1 and 1,024 options can be shown");
    require(rollouts >= 1 && worlds >= 1 && finalists >= 0, "rollouts and worlds are at least 1, finalists at least 0");
    require(gamma > 0 && gamma <= 1, "gamma is above 0, and at most 1");
    const CampaignSettings settings{options, {rollouts, finalists, worlds}, shaping, gamma};
    require(net != nullptr || !settings.asks_value(),
            "shaping, finalists and hands with 40 rollouts or more need a value");
    new (self) CampaignSource(settings, net);
}

using Named = nb::typed<nb::dict, nb::str, nb::any>;

// Arrays by name; those that are missing are not written. They are kept alive by whoever calls.
OptionArrays arrays_of(const CampaignSource& self, const Named& named, std::vector<Buffer>& held) {
    const int n = self.rows();
    const int k = self.width();
    OptionArrays arrays;
    std::size_t known = 0;
    const auto take = [&](const char* name, const ItemKind& kind, const std::vector<int>& shape, auto*& target) {
        if (!named.contains(name)) return;
        held.emplace_back(named[name], name, kind, shape, true);
        target = held.back().as<std::remove_reference_t<decltype(*target)>>();
        ++known;
    };
    take("kinds", byte_kind, {n, k}, arrays.kinds);
    take("state_indices", short_kind, {n, sparse_width}, arrays.state_indices);
    take("state_values", float_kind, {n, sparse_width}, arrays.state_values);
    take("option_indices", short_kind, {n, k, sparse_width}, arrays.option_indices);
    take("option_values", float_kind, {n, k, sparse_width}, arrays.option_values);
    take("state_inputs", float_kind, {n, value_input_count}, arrays.state_inputs);
    take("option_inputs", float_kind, {n, k, value_input_count}, arrays.option_inputs);
    take("half_state_inputs", half_kind, {n, value_input_count}, arrays.half_state_inputs);
    take("half_option_inputs", half_kind, {n, k, value_input_count}, arrays.half_option_inputs);
    take("state_summary", float_kind, {n, summary_size}, arrays.state_summary);
    take("option_summary", float_kind, {n, k, summary_size}, arrays.option_summary);
    require(known == named.size(), "there is an array that no option is shown in");
    return arrays;
}

using Words = std::vector<std::tuple<std::string, std::string>>;

template <typename Facts>
Words words_of(const Facts& facts) {
    Words words;
    for (const auto& fact : facts) words.emplace_back(fact.name, fact.doc);
    return words;
}

}  // namespace

void bind_campaign_source(nb::module_& m) {
    nb::class_<CampaignSource>(m, "CampaignSource",
                               "Plays whole runs up to the decisions of the strategic player, for a batch whose "
                               "encoding is options, and shows what can be decided.")
        .def("__init__", &make_source, "net"_a.none(), nb::kw_only(), "options"_a = 48, "rollouts"_a = 1,
             "finalists"_a = 0, "worlds"_a = 2, "shaping"_a = false, "gamma"_a = 1.0, nb::keep_alive<1, 2>())
        .def(
            "bind",
            [](CampaignSource& self, const Named& arrays, const Named& final_arrays) {
                std::vector<Buffer> held;
                const OptionArrays now = arrays_of(self, arrays, held);
                const OptionArrays last = arrays_of(self, final_arrays, held);
                self.bind(now);
                self.bind_final(last);
            },
            "arrays"_a, "final_arrays"_a,
            "Arrays by name, zeros as they come in, to write options to once a batch has this source; whoever binds "
            "them keeps them alive.")
        .def(
            "actions",
            [](const CampaignSource& self, int row) {
                require(row >= 0 && row < self.rows(), "there is no such row");
                std::vector<std::vector<Action>> made;
                for (int option = 0; option < self.count(row); ++option) {
                    const auto actions = self.actions(row, option);
                    made.emplace_back(actions.begin(), actions.end());
                }
                return made;
            },
            "row"_a, "What each option of a row does: actions to take one after another; none: nothing.")
        .def(
            "all_options",
            [](const CampaignSource& self, int row) {
                require(row >= 0 && row < self.rows(), "there is no such row");
                return self.all_options(row);
            },
            "row"_a, "How many options a row has, shown or not.");
    m.def("option_kind_words", [] { return words_of(option_kinds); }, "Name and meaning of each kind of option.");
    m.def("summary_words", [] { return words_of(summary_numbers); }, "Name and meaning of each number of a summary.");
    m.attr("MANY_ROLLOUTS") = many_rollouts;
    m.attr("SPARSE_WIDTH") = sparse_width;
    m.attr("VALUE_INPUTS") = value_input_count;
}

}  // namespace jimbo

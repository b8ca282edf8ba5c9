// Many runs at once, and the descriptions of what goes in and out.
#include "learn/batch.hpp"

#include <atomic>
#include <cmath>

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "array_kinds.hpp"
#include "batch_rows.hpp"
#include "campaign/campaign_source.hpp"
#include "names.hpp"
#include "parse.hpp"
#include "store/enum_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

// What a large machine can hold; more is a slip of the pen.
constexpr int max_rows = 100'000;
constexpr int max_threads = 1024;

// --- Texts ---------------------------------------------------------------------------------------------------------

Encoding encoding_from(std::string_view text) {
    if (text == "actions") return Encoding::actions;
    if (text == "steps") return Encoding::steps;
    if (text == "candidates") return Encoding::candidates;
    if (text == "options") return Encoding::options;
    throw std::invalid_argument("encoding is actions, steps, candidates or options, not \"" + std::string(text) + '"');
}

std::string_view name_of(Encoding encoding) {
    constexpr std::array<std::string_view, 4> names{"actions", "steps", "candidates", "options"};
    return names[static_cast<std::size_t>(encoding)];
}

Autoreset autoreset_from(std::string_view text) {
    if (text == "next_step") return Autoreset::next_step;
    if (text == "same_step") return Autoreset::same_step;
    if (text == "disabled") return Autoreset::disabled;
    throw std::invalid_argument("autoreset is next_step, same_step or disabled, not \"" + std::string(text) + '"');
}

RewardTerms weights_from(const std::map<std::string, float>& weights) {
    RewardTerms values{};
    for (const auto& [name, weight] : weights) {
        const auto found = std::find_if(reward_term_facts.begin(), reward_term_facts.end(),
                                        [&](const RewardTermFact& term) { return term.name == name; });
        if (found == reward_term_facts.end()) {
            std::string names;
            for (const RewardTermFact& term : reward_term_facts) names += ' ' + std::string(term.name);
            throw std::invalid_argument("there is no reward term \"" + name + "\"; they are" + names);
        }
        if (!std::isfinite(weight)) {
            throw std::invalid_argument("the weight of the reward term \"" + name + "\" must be a finite number");
        }
        values[static_cast<std::size_t>(found - reward_term_facts.begin())] = weight;
    }
    return values;
}

// --- Arrays --------------------------------------------------------------------------------------------------------

// The rows are stepped while Python's other threads run: a call that came meanwhile would find them half written.
class Turn {
public:
    explicit Turn(std::atomic<bool>& taken) : taken_(taken) {
        if (taken_.exchange(true)) {
            throw std::runtime_error(
                "another thread is using this batch or environment: give each thread its own, or let them take turns "
                "with a lock");
        }
    }
    ~Turn() { taken_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    std::atomic<bool>& taken_;
};

// A batch and the arrays it writes to; one call at a time.
class BoundBatch {
public:
    explicit BoundBatch(const BatchOptions& options) : batch_(options) {}

    int rows() const { return batch_.rows(); }
    Encoding encoding() const { return batch_.encoding(); }
    int mask_width() const { return batch_.mask_width(); }

    int row(int number) const {
        if (number >= 0 && number < batch_.rows()) return number;
        throw std::invalid_argument("row " + std::to_string(number) + " does not exist: the batch has " +
                                    std::to_string(batch_.rows()));
    }

    void bind(nb::handle observations, nb::handle masks, nb::handle rewards, nb::handle terminated,
              nb::handle truncated, nb::handle terms, nb::handle candidate_ids, nb::handle candidate_rows,
              nb::handle final_observations, nb::handle stats) {
        const Turn turn(taken_);
        const int n = batch_.rows();
        std::vector<Buffer> held;
        BatchArrays arrays;
        const auto take = [&](nb::handle array, std::string_view name, const ItemKind& kind,
                              const std::vector<int>& shape, auto*& target) {
            using Item = std::remove_reference_t<decltype(*target)>;
            if (array.is_none()) return;
            held.emplace_back(array, name, kind, shape, true);
            target = held.back().as<Item>();
        };
        take(observations, "observations", observation_kind, {n}, arrays.observations);
        take(masks, "masks", flag_kind, {n, batch_.mask_width()}, arrays.masks);
        take(rewards, "rewards", float_kind, {n}, arrays.rewards);
        take(terminated, "terminated", flag_kind, {n}, arrays.terminated);
        take(truncated, "truncated", flag_kind, {n}, arrays.truncated);
        take(terms, "terms", float_kind, {n, reward_term_count}, arrays.terms);
        if (batch_.encoding() == Encoding::candidates) {
            const int k = batch_.mask_width();
            std::int16_t* ids = nullptr;
            float* numbers = nullptr;
            take(candidate_ids, "candidate_ids", short_kind, {n, k, candidate_id_count}, ids);
            take(candidate_rows, "candidate_rows", float_kind, {n, k, candidate_number_count}, numbers);
            arrays.candidate_ids = reinterpret_cast<CandidateIds*>(ids);
            arrays.candidate_numbers = reinterpret_cast<CandidateNumbers*>(numbers);
        }
        take(final_observations, "final_observations", observation_kind, {n}, arrays.final_observations);
        take(stats, "stats", stats_kind, {n}, arrays.stats);
        batch_.bind(arrays);
        held_ = std::move(held);
    }

    void reset(nb::handle chosen) {
        const Turn turn(taken_);
        if (chosen.is_none()) {
            nb::gil_scoped_release free;
            batch_.reset();
            return;
        }
        const Buffer mask(chosen, "mask", flag_kind, {batch_.rows()}, false);
        nb::gil_scoped_release free;
        batch_.reset(mask.as<const std::uint8_t>());
    }

    void set_run(int number, const RunState& run) {
        const Turn turn(taken_);
        switch (batch_.start_from(row(number), run)) {
            case EpisodeEnd::lost:
            case EpisodeEnd::no_room:
                throw std::invalid_argument("the run is over: no episode can start from it");
            case EpisodeEnd::won:
                throw std::invalid_argument(
                    "the run has been won, which is where episodes end with max_ante=8: max_ante=None plays on");
            case EpisodeEnd::max_ante:
                throw std::invalid_argument(
                    "the run stands in ante " + std::to_string(run.ante) +
                    ", and episodes end beyond max_ante=" + std::to_string(*batch_.options().rules.max_ante));
            case EpisodeEnd::running:
            case EpisodeEnd::max_steps:
                break;
        }
    }

    BatchRows snapshot() {
        const Turn turn(taken_);
        nb::gil_scoped_release free;
        return {batch_.snapshot()};
    }

    void restore(const BatchRows& rows) {
        const Turn turn(taken_);
        require(static_cast<int>(rows.rows.size()) == batch_.rows(), "the batch has a different number of rows");
        nb::gil_scoped_release free;
        batch_.restore(rows.rows);
    }

    void step(nb::handle actions) {
        const Turn turn(taken_);
        if (batch_.encoding() == Encoding::actions) {
            const Buffer rows(actions, "actions", action_kind, {batch_.rows()}, false);
            nb::gil_scoped_release free;
            batch_.step(rows.as<const Action>());
        } else {
            const Buffer rows(actions, "actions", id_kind, {batch_.rows()}, false);
            nb::gil_scoped_release free;
            batch_.step(rows.as<const std::int32_t>());
        }
    }

    // The only row, without arrays going in: reward, terminated, truncated, finished, ante, refused steps.
    nb::typed<nb::tuple, float, bool, bool, bool, int, int> step_one(nb::handle action) {
        const Turn turn(taken_);
        require(batch_.rows() == 1, "step_one is for batches of one row");
        const StepReport report = batch_.encoding() == Encoding::actions
                                      ? batch_.step_one(nb::cast<const Action&>(action))
                                      : batch_.step_one(nb::cast<std::int32_t>(action));
        const Episode& episode = batch_.episode(0);
        return nb::make_tuple(report.reward, report.terminated, report.truncated, episode.stats().finished != 0,
                              episode.run().ante, episode.stats().illegal);
    }

    void sample(nb::handle out, std::uint64_t seed) {
        const Turn turn(taken_);
        if (batch_.encoding() == Encoding::actions) {
            const Buffer rows(out, "out", action_kind, {batch_.rows()}, true);
            nb::gil_scoped_release free;
            batch_.sample(rows.as<Action>(), seed);
        } else {
            const Buffer rows(out, "out", id_kind, {batch_.rows()}, true);
            nb::gil_scoped_release free;
            batch_.sample(rows.as<std::int32_t>(), seed);
        }
    }

    // Whatever takes no time.
    template <typename Work>
    auto with(const Work& work) {
        const Turn turn(taken_);
        return work(batch_);
    }

private:
    Batch batch_;
    std::vector<Buffer> held_;
    std::atomic<bool> taken_ = false;
};

void make_batch(BoundBatch* self, int n, std::string_view encoding, const std::optional<std::string>& deck,
                std::string_view stake, const std::optional<std::string>& challenge, int threads,
                std::string_view autoreset, std::optional<int> max_ante, int max_steps, bool moves, int candidates,
                float illegal_penalty, const std::map<std::string, float>& weights, CampaignSource* source) {
    require(n >= 1 && n <= max_rows, "a batch has at least one row, and at most 100,000");
    require(threads >= 1 && threads <= max_threads, "a batch needs at least one thread, and at most 1,024");
    require(!max_ante || *max_ante >= 1, "max_ante is at least 1, or None to play on until the run is lost");
    require(max_steps >= 0, "max_steps is at least 0 (0: no limit)");
    require(std::isfinite(illegal_penalty), "illegal_penalty must be a finite number");
    require(candidates >= 1 && candidates <= 4096, "between 1 and 4096 candidates can be listed");
    require((encoding == "options") == (source != nullptr),
            "a source is given with the encoding options, and only then");
    const EpisodeRules rules{max_ante, max_steps, moves, illegal_penalty, weights_from(weights)};
    new (self) BoundBatch({.rows = n,
                           .encoding = encoding_from(encoding),
                           .autoreset = autoreset_from(autoreset),
                           .start = start_from(deck, stake, challenge),
                           .rules = rules,
                           .threads = threads,
                           .candidates = candidates,
                           .source = source});
}

void seed_rows(BoundBatch& self, const std::vector<std::uint64_t>& seeds) {
    require(static_cast<int>(seeds.size()) == self.rows(), "seeds must hold one number for each row");
    self.with([&](Batch& batch) {
        for (std::size_t i = 0; i < seeds.size(); ++i) batch.seed(static_cast<int>(i), seeds[i]);
    });
}

void seed_lists(BoundBatch& self, const std::vector<std::vector<std::string>>& lists) {
    require(static_cast<int>(lists.size()) == self.rows(), "lists must hold one list of seeds for each row");
    std::vector<std::vector<Seed>> all;
    for (const auto& list : lists) {
        require(!list.empty(), "every row needs at least one seed");
        std::vector<Seed>& seeds = all.emplace_back();
        for (const std::string& text : list) seeds.push_back(seed_from(text));
    }
    self.with([&](Batch& batch) {
        for (std::size_t i = 0; i < all.size(); ++i) batch.set_seeds(static_cast<int>(i), std::move(all[i]));
    });
}

}  // namespace

void bind_batch(nb::module_& m) {
    nb::class_<BoundBatch>(m, "Batch", "Many episodes side by side, stepped together into arrays of the caller.")
        .def("__init__", &make_batch, "n"_a, nb::kw_only(), "encoding"_a = "steps", "deck"_a = nb::none(),
             "stake"_a = "white", "challenge"_a = nb::none(), "threads"_a = 1, "autoreset"_a = "next_step",
             "max_ante"_a.none() = 8, "max_steps"_a = 0, "moves"_a = false, "candidates"_a = 128,
             "illegal_penalty"_a = 0.0F, "weights"_a = std::map<std::string, float>(), "source"_a = nb::none(),
             nb::keep_alive<1, 15>())
        .def("bind", &BoundBatch::bind, "observations"_a.none(), "masks"_a.none(), "rewards"_a.none(),
             "terminated"_a.none(), "truncated"_a.none(), nb::kw_only(), "terms"_a = nb::none(),
             "candidate_ids"_a = nb::none(), "candidate_rows"_a = nb::none(), "final_observations"_a = nb::none(),
             "stats"_a = nb::none(),
             "Arrays to write results to, kept alive; what is None is not written. Observations are updated in place: "
             "nobody else may write into them.")
        .def("seed", &seed_rows, "seeds"_a, "One number for each row, from which it makes its game seeds.")
        .def("seed_lists", &seed_lists, "lists"_a,
             "For each row the game seeds it plays in turn, then from the first again.")
        .def(
            "set_start",
            [](BoundBatch& self, int row, const std::optional<std::string>& deck, std::string_view stake,
               const std::optional<std::string>& challenge) {
                const Start start = start_from(deck, stake, challenge);
                self.with([&](Batch& batch) { batch.set_start(self.row(row), start); });
            },
            "row"_a, nb::kw_only(), "deck"_a = nb::none(), "stake"_a = "white", "challenge"_a = nb::none(),
            "What a row plays from its next reset on.")
        .def("reset", &BoundBatch::reset, "mask"_a = nb::none(), "Starts new episodes where the mask says so.")
        .def("step", &BoundBatch::step, "actions"_a, "One action for each row.")
        .def("step_one", &BoundBatch::step_one, "action"_a,
             "One action in the only row, a number or, where actions are whole, an Action: its reward, terminated, "
             "truncated, whether the episode ended in this step, "
             "the ante and how many steps were refused.")
        .def("sample", &BoundBatch::sample, "out"_a, "seed"_a,
             "Random allowed actions, each as likely as any other; whole ones without moves, sorts and sales.")
        .def(
            "run",
            [](BoundBatch& self, int row) {
                return self.with([&](Batch& batch) { return RunState(batch.episode(self.row(row)).run()); });
            },
            "row"_a, "A copy of a row's run.")
        .def("set_run", &BoundBatch::set_run, "row"_a, "run"_a, "Starts a new episode in a row from a given run.")
        .def("snapshot", &BoundBatch::snapshot, "Where the rows stand.")
        .def("restore", &BoundBatch::restore, "rows"_a, "Puts the rows back to where they stood.")
        .def(
            "game_seed",
            [](BoundBatch& self, int row) {
                return self.with([&](Batch& batch) {
                    return std::string(batch.episode(self.row(row)).run().streams.seed().view());
                });
            },
            "row"_a, "The seed of the game that a row plays.")
        .def_prop_ro("n", [](BoundBatch& self) { return self.rows(); })
        .def_prop_ro("encoding", [](BoundBatch& self) { return name_of(self.encoding()); })
        .def_prop_ro("mask_width", [](BoundBatch& self) { return self.mask_width(); });
    m.attr("MAX_ROWS") = max_rows;
}

}  // namespace jimbo

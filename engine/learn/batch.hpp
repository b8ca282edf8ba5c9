// Many episodes side by side, stepped together into arrays that the caller owns. Rows know nothing of each other: what
// happens in one depends on its own seeds, start and actions alone.
#pragma once

#include <memory>
#include <vector>

#include "base/pool.hpp"
#include "base/splitmix.hpp"
#include "learn/candidates.hpp"
#include "learn/episode.hpp"
#include "learn/observation.hpp"
#include "learn/option_source.hpp"
#include "learn/whole.hpp"

namespace jimbo {

// How actions come in: whole ones, ids of learn/steps.hpp, numbers of the listed candidates, or of the options that a
// source lists.
enum class Encoding : std::uint8_t { actions, steps, candidates, options };

// What happens to a row whose episode is over: the next step starts a new one and ignores the action; the same step
// does; or nothing until it is reset.
enum class Autoreset : std::uint8_t { next_step, same_step, disabled };

struct Start {
    DeckId deck = DeckId::red;
    StakeId stake = StakeId::white;
    std::optional<ChallengeId> challenge{};
};

struct BatchOptions {
    int rows = 1;
    Encoding encoding = Encoding::steps;
    Autoreset autoreset = Autoreset::next_step;
    Start start{};
    EpisodeRules rules{};
    int threads = 1;
    int candidates = 128;            // listed for each row
    OptionSource* source = nullptr;  // of options; it outlives the batch
};

// Where results go: `rows` of each; what is null is not written.
struct BatchArrays {
    Observation* observations = nullptr;
    Observation* final_observations = nullptr;  // of episodes that ended, before a reset in the same step
    std::uint8_t* masks = nullptr;              // mask_width() in each row
    float* rewards = nullptr;
    std::uint8_t* terminated = nullptr;
    std::uint8_t* truncated = nullptr;
    CandidateIds* candidate_ids = nullptr;          // the number of candidates in each row
    CandidateNumbers* candidate_numbers = nullptr;  // likewise
    float* terms = nullptr;                         // reward_term_count in each row
    EpisodeStats* stats = nullptr;
};

// Everything that decides how a row goes on.
struct BatchRow {
    Episode episode{};
    Start start{};
    SplitMix random{0};
    std::vector<Seed> seeds;
    std::size_t next_seed = 0;
    bool terminated = false;  // how the finished episode ended
    bool truncated = false;
};

class Batch {
public:
    explicit Batch(const BatchOptions& options);

    int rows() const { return options_.rows; }
    Encoding encoding() const { return options_.encoding; }
    const BatchOptions& options() const { return options_; }
    int mask_width() const {
        return options_.encoding == Encoding::candidates ? options_.candidates
               : options_.encoding == Encoding::options  ? options_.source->width()
               : options_.encoding == Encoding::actions  ? whole_mask_width
                                                         : step_count;
    }

    // Nothing else may write into observations: see write_observation.
    void bind(const BatchArrays& arrays);

    // The numbers from which a row makes its game seeds.
    void seed(int row, std::uint64_t number);
    // The game seeds a row plays in turn; none: its own again.
    void set_seeds(int row, std::vector<Seed> seeds);
    void set_start(int row, const Start& start) { slot(row).start = start; }

    // Starts new episodes where `chosen` is not 0, or everywhere.
    void reset(const std::uint8_t* chosen = nullptr);
    // Starts a new episode in a row from a given run: see Episode::start_from.
    EpisodeEnd start_from(int row, const RunState& run);
    void step(const Action* actions);
    void step(const std::int32_t* ids);
    // The same for a batch of one row.
    StepReport step_one(const Action& action);
    StepReport step_one(std::int32_t id);

    // Random allowed actions, each as likely as any other; whole ones without moves, sorts and sales.
    void sample(Action* actions, std::uint64_t seed);
    void sample(std::int32_t* ids, std::uint64_t seed);

    // The rows as they stand, and back to where they stood. Restoring writes what can be seen of them and their
    // statistics; what the last step reported is for the caller to keep.
    std::vector<BatchRow> snapshot() const;
    void restore(std::span<const BatchRow> rows);

    const Episode& episode(int row) const { return slots_[static_cast<std::size_t>(row)].episode; }

private:
    struct Slot : BatchRow {
        std::vector<Action> candidates;  // listed now
        int described = 0;               // rows of the candidate arrays that are in use
    };

    Slot& slot(int row) { return slots_[static_cast<std::size_t>(row)]; }
    template <typename Work>
    void each_row(const Work& work);
    template <typename Take>
    StepReport step_row(int row, int part, const Take& take);
    StepReport take_number(int row, int part, std::int32_t number);
    void start_row(int row, int part);
    void write_row(int row, int part);
    void list_candidates(int row, CandidateList& list);
    std::size_t listed_in(int row) const;  // candidates or options
    void write_mask(int row);
    void write_report(int row, const StepReport& report);
    void write_stats(int row);

    BatchOptions options_;
    BatchArrays arrays_{};
    std::vector<Slot> slots_;
    std::vector<CandidateList> lists_;  // one for each thread
    std::unique_ptr<Pool> pool_;
};

}  // namespace jimbo

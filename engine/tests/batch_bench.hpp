// A batch that plays at random, for tests.
#pragma once

#include <cstring>
#include <vector>

#include "learn/batch.hpp"

namespace jimbo::tests {

// A batch with arrays of its own.
struct Bench {
    explicit Bench(const BatchOptions& options)
        : batch(options),
          rows(static_cast<std::size_t>(options.rows)),
          observations(rows),
          finals(rows),
          masks(rows * static_cast<std::size_t>(batch.mask_width())),
          rewards(rows),
          terminated(rows),
          truncated(rows),
          terms(rows * reward_term_count),
          stats(rows),
          actions(rows),
          ids(rows) {
        std::memset(observations.data(), 0, rows * sizeof(Observation));
        std::memset(finals.data(), 0, rows * sizeof(Observation));
        BatchArrays arrays{.observations = observations.data(),
                           .final_observations = finals.data(),
                           .masks = masks.data(),
                           .rewards = rewards.data(),
                           .terminated = terminated.data(),
                           .truncated = truncated.data(),
                           .terms = terms.data(),
                           .stats = stats.data()};
        if (options.encoding == Encoding::candidates) {
            candidate_ids.resize(masks.size());
            candidate_numbers.resize(masks.size());
            arrays.candidate_ids = candidate_ids.data();
            arrays.candidate_numbers = candidate_numbers.data();
        }
        batch.bind(arrays);
        batch.reset();
    }

    void step_randomly(std::uint64_t seed) {
        if (batch.encoding() == Encoding::actions) {
            batch.sample(actions.data(), seed);
            batch.step(actions.data());
        } else {
            batch.sample(ids.data(), seed);
            batch.step(ids.data());
        }
    }
    float term(RewardTerm term, std::size_t row = 0) const {
        return terms[row * reward_term_count + static_cast<std::size_t>(term)];
    }

    Batch batch;
    std::size_t rows;
    std::vector<Observation> observations, finals;
    std::vector<std::uint8_t> masks;
    std::vector<float> rewards;
    std::vector<std::uint8_t> terminated, truncated;
    std::vector<float> terms;
    std::vector<EpisodeStats> stats;
    std::vector<Action> actions;
    std::vector<std::int32_t> ids;
    std::vector<CandidateIds> candidate_ids;
    std::vector<CandidateNumbers> candidate_numbers;
};

}  // namespace jimbo::tests

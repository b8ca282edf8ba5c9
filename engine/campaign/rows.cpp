#include "campaign/rows.hpp"

#include <algorithm>
#include <cstring>

#include "campaign/campaign.hpp"

namespace jimbo {
namespace {

const Observation& observed(const RunState& run) {
    thread_local Observation observation{};
    write_observation(run, 0, observation);
    return observation;
}

template <typename T>
float* write_cells(const std::byte* cells, int count, float* row) {
    for (int i = 0; i < count; ++i) {
        T cell;
        std::memcpy(&cell, cells + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
        *row++ = static_cast<float>(cell);
    }
    return row;
}

float* write_fields(const Observation& observation, float* row) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&observation);
    for (const FieldSpec& field : observation_fields()) {
        const int count = std::max(1, field.rows) * std::max(1, field.columns);
        const std::byte* cells = bytes + field.offset;
        if (field.dtype == "float32") {
            row = write_cells<float>(cells, count, row);
        } else if (field.dtype == "int16") {
            row = write_cells<std::int16_t>(cells, count, row);
        } else {
            row = write_cells<std::uint8_t>(cells, count, row);
        }
    }
    return row;
}

}  // namespace

const CandidateList& listed_candidates(const RunState& run) {
    thread_local CandidateList list(campaign_actions);
    list.list(run, false);
    return list;
}

std::uint64_t look_of(const RunState& run) {
    const Observation& observation = observed(run);
    std::uint64_t look = 0;
    constexpr std::size_t size = offsetof(Observation, deck_number);
    for (std::size_t at = 0; at < size; at += sizeof(look)) {
        std::uint64_t word = 0;
        std::memcpy(&word, reinterpret_cast<const std::byte*>(&observation) + at, std::min(sizeof(word), size - at));
        look = SplitMix(look ^ word).next();
    }
    return look;
}

void write_row(const RunState& run, int count, float* row) {
    std::array<CandidateIds, campaign_actions> ids{};
    std::array<CandidateNumbers, campaign_actions> numbers{};
    if (count > 0) listed_candidates(run).describe(run, ids.data(), numbers.data());
    row = write_fields(observed(run), row);
    row = write_cells<std::int16_t>(reinterpret_cast<const std::byte*>(ids.data()),
                                    campaign_actions * candidate_id_count, row);
    row = write_cells<float>(reinterpret_cast<const std::byte*>(numbers.data()),
                             campaign_actions * candidate_number_count, row);
    for (int i = 0; i < campaign_actions; ++i) *row++ = i < count ? 1.0F : 0.0F;
}

}  // namespace jimbo

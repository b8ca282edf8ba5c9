#include "learn/batch.hpp"

#include <algorithm>
#include <atomic>

#include "play/random_play.hpp"

namespace jimbo {
namespace {

std::int32_t sample_marked(std::span<const std::uint8_t> mask, SplitMix random) {
    const auto marked = static_cast<std::uint64_t>(std::count(mask.begin(), mask.end(), 1));
    if (marked == 0) return 0;
    std::uint64_t n = random.below(marked);
    for (std::size_t i = 0;; ++i) {
        if (mask[i] != 0 && n-- == 0) return static_cast<std::int32_t>(i);
    }
}

std::int32_t sample_step(const Episode& episode, bool moves, SplitMix random) {
    if (episode.over()) return 0;
    std::array<std::uint8_t, step_count> mask;
    write_step_mask(episode.run(), episode.selected(), moves, mask);
    return sample_marked(mask, random);
}

// A generator of its own for every row.
SplitMix row_generator(std::uint64_t seed, int row) {
    return SplitMix(SplitMix(seed).next() + static_cast<std::uint64_t>(row));
}

}  // namespace

Batch::Batch(const BatchOptions& options)
    : options_(options),
      slots_(static_cast<std::size_t>(options.rows)),
      pool_(std::make_unique<Pool>(std::clamp(options.threads, 1, options.rows))) {
    for (int row = 0; row < options.rows; ++row) {
        slot(row).start = options.start;
        seed(row, static_cast<std::uint64_t>(row));
    }
    if (options.encoding == Encoding::options) options.source->resize(options.rows, pool_->size());
    if (options.encoding != Encoding::candidates) return;
    lists_.resize(static_cast<std::size_t>(pool_->size()), CandidateList(options.candidates));
    for (Slot& at : slots_) at.candidates.reserve(static_cast<std::size_t>(options.candidates));
}

void Batch::bind(const BatchArrays& arrays) {
    arrays_ = arrays;
    for (Slot& at : slots_) at.described = options_.candidates;  // whatever the new arrays hold is overwritten
}

void Batch::seed(int row, std::uint64_t number) {
    slot(row).random = SplitMix(number);
    set_seeds(row, {});
}

void Batch::set_seeds(int row, std::vector<Seed> seeds) {
    slot(row).seeds = std::move(seeds);
    slot(row).next_seed = 0;
}

// Threads take the rows a few at a time, so that one that a busy machine holds up leaves its share to the others.
template <typename Work>
void Batch::each_row(const Work& work) {
    constexpr int chunk = 4;
    std::atomic<int> next{0};
    auto take_rows = [&](int part) {
        for (int first = next.fetch_add(chunk); first < options_.rows; first = next.fetch_add(chunk)) {
            for (int row = first; row < std::min(first + chunk, options_.rows); ++row) work(row, part);
        }
    };
    pool_->run(take_rows);
}

void Batch::start_row(int row, int part) {
    Slot& at = slot(row);
    Seed seed;
    if (at.seeds.empty()) {
        seed = random_seed(at.random);
    } else {
        seed = at.seeds[at.next_seed];
        at.next_seed = (at.next_seed + 1) % at.seeds.size();
    }
    at.episode.start(seed, at.start.deck, at.start.stake, at.start.challenge);
    if (options_.encoding == Encoding::options) options_.source->open(row, at.episode, options_.rules, part);
}

void Batch::reset(const std::uint8_t* chosen) {
    each_row([&](int row, int part) {
        if (chosen != nullptr && chosen[row] == 0) return;
        start_row(row, part);
        write_report(row, {});
        write_stats(row);
        write_row(row, part);
    });
}

EpisodeEnd Batch::start_from(int row, const RunState& run) {
    Episode& episode = slot(row).episode;
    const Episode before = episode;
    EpisodeEnd end = episode.start_from(run, options_.rules);
    if (end != EpisodeEnd::running) return end;
    if (options_.encoding == Encoding::options) options_.source->open(row, episode, options_.rules, 0);
    end = episode.stats().end;
    if (end != EpisodeEnd::running) {
        episode = before;
        return end;
    }
    write_report(row, {});
    write_stats(row);
    write_row(row, 0);
    return end;
}

std::vector<BatchRow> Batch::snapshot() const { return {slots_.begin(), slots_.end()}; }

void Batch::restore(std::span<const BatchRow> rows) {
    each_row([&](int row, int part) {
        static_cast<BatchRow&>(slot(row)) = rows[static_cast<std::size_t>(row)];
        if (options_.encoding == Encoding::options)
            options_.source->resume(row, slot(row).episode, options_.rules, part);
        write_stats(row);
        write_row(row, part);
    });
}

void Batch::step(const Action* actions) {
    each_row([&](int row, int part) {
        step_row(row, part, [&](Slot& at) { return at.episode.take_action(actions[row], options_.rules); });
    });
}

void Batch::step(const std::int32_t* ids) {
    each_row([&](int row, int part) { step_row(row, part, [&](Slot&) { return take_number(row, part, ids[row]); }); });
}

StepReport Batch::step_one(const Action& action) {
    return step_row(0, 0, [&](Slot& at) { return at.episode.take_action(action, options_.rules); });
}

StepReport Batch::step_one(std::int32_t id) {
    return step_row(0, 0, [&](Slot&) { return take_number(0, 0, id); });
}

// A step, or the number of a candidate or option.
StepReport Batch::take_number(int row, int part, std::int32_t number) {
    Slot& at = slot(row);
    if (options_.encoding == Encoding::options) {
        if (number < 0 || number >= options_.source->count(row)) return at.episode.refuse(options_.rules);
        return options_.source->take(row, at.episode, number, options_.rules, part);
    }
    if (options_.encoding == Encoding::steps) return at.episode.take_step(number, options_.rules);
    if (number >= 0 && number < static_cast<std::int32_t>(at.candidates.size())) {
        return at.episode.take_action(at.candidates[static_cast<std::size_t>(number)], options_.rules);
    }
    return at.episode.refuse(options_.rules);
}

template <typename Take>
StepReport Batch::step_row(int row, int part, const Take& take) {
    Slot& at = slot(row);
    if (at.episode.over()) {
        if (options_.autoreset == Autoreset::disabled) {
            const StepReport rest{.terminated = at.terminated, .truncated = at.truncated};
            write_report(row, rest);
            at.episode.rest();
            write_stats(row);
            return rest;
        }
        start_row(row, part);
        write_report(row, {});
        write_stats(row);
        write_row(row, part);
        return {};
    }
    const StepReport report = take(at);
    write_report(row, report);
    write_stats(row);
    if (at.episode.over()) {
        at.terminated = report.terminated;
        at.truncated = report.truncated;
        if (options_.autoreset == Autoreset::same_step) {
            if (arrays_.final_observations != nullptr) {
                write_observation(at.episode.run(), at.episode.selected(), arrays_.final_observations[row]);
            }
            if (options_.encoding == Encoding::options) options_.source->write_final(row, at.episode, part);
            start_row(row, part);
        }
    }
    write_row(row, part);
    return report;
}

void Batch::write_report(int row, const StepReport& report) {
    if (arrays_.rewards != nullptr) arrays_.rewards[row] = report.reward;
    if (arrays_.terminated != nullptr) arrays_.terminated[row] = report.terminated;
    if (arrays_.truncated != nullptr) arrays_.truncated[row] = report.truncated;
    if (arrays_.terms != nullptr) {
        std::copy(report.terms.begin(), report.terms.end(), arrays_.terms + row * reward_term_count);
    }
}

void Batch::write_stats(int row) {
    if (arrays_.stats != nullptr) arrays_.stats[row] = slot(row).episode.stats();
}

void Batch::write_row(int row, int part) {
    const Episode& episode = slot(row).episode;
    if (arrays_.observations != nullptr) {
        write_observation(episode.run(), episode.selected(), arrays_.observations[row]);
    }
    if (options_.encoding == Encoding::options) options_.source->list(row, episode, part);
    if (options_.encoding == Encoding::candidates) list_candidates(row, lists_[static_cast<std::size_t>(part)]);
    if (arrays_.masks != nullptr) write_mask(row);
}

void Batch::list_candidates(int row, CandidateList& list) {
    Slot& at = slot(row);
    at.candidates.clear();
    const auto first = static_cast<std::ptrdiff_t>(row) * options_.candidates;
    CandidateIds* ids = arrays_.candidate_ids == nullptr ? nullptr : arrays_.candidate_ids + first;
    CandidateNumbers* numbers = arrays_.candidate_numbers == nullptr ? nullptr : arrays_.candidate_numbers + first;
    if (!at.episode.over()) {
        list.list(at.episode.run(), options_.rules.moves);
        for (const Candidate& candidate : list.candidates()) at.candidates.push_back(candidate.action);
        if (ids != nullptr || numbers != nullptr) list.describe(at.episode.run(), ids, numbers);
    }
    const int listed = static_cast<int>(at.candidates.size());
    for (int i = listed; i < at.described; ++i) {
        if (ids != nullptr) ids[i] = {};
        if (numbers != nullptr) numbers[i] = {};
    }
    at.described = listed;
}

std::size_t Batch::listed_in(int row) const {
    if (options_.encoding == Encoding::options) return static_cast<std::size_t>(options_.source->count(row));
    return slots_[static_cast<std::size_t>(row)].candidates.size();
}

void Batch::write_mask(int row) {
    const Episode& episode = slot(row).episode;
    std::uint8_t* mask = arrays_.masks + static_cast<std::ptrdiff_t>(row) * mask_width();
    if (episode.over()) {
        // Whatever comes next is ignored; one choice stays open for those who draw from the mask.
        std::fill_n(mask, mask_width(), std::uint8_t{0});
        if (options_.encoding == Encoding::actions) {
            write_resting_mask(std::span<std::uint8_t, whole_mask_width>(mask, whole_mask_width));
        } else {
            mask[0] = 1;
        }
        return;
    }
    if (options_.encoding == Encoding::candidates || options_.encoding == Encoding::options) {
        const auto listed = static_cast<std::ptrdiff_t>(listed_in(row));
        std::fill_n(mask, listed, std::uint8_t{1});
        std::fill_n(mask + listed, mask_width() - listed, std::uint8_t{0});
        return;
    }
    if (options_.encoding == Encoding::actions) {
        write_whole_mask(episode.run(), options_.rules.moves,
                         std::span<std::uint8_t, whole_mask_width>(mask, whole_mask_width));
        return;
    }
    write_step_mask(episode.run(), episode.selected(), options_.rules.moves,
                    std::span<std::uint8_t, step_count>(mask, step_count));
}

void Batch::sample(Action* actions, std::uint64_t seed) {
    each_row([&](int row, int) {
        SplitMix random = row_generator(seed, row);
        actions[row] = episode(row).over() ? Action{} : random_action(episode(row).run(), random).value_or(Action{});
    });
}

void Batch::sample(std::int32_t* ids, std::uint64_t seed) {
    const bool listing = options_.encoding == Encoding::candidates || options_.encoding == Encoding::options;
    each_row([&](int row, int) {
        SplitMix random = row_generator(seed, row);
        if (listing) {
            const std::size_t listed = listed_in(row);
            ids[row] = listed == 0 ? 0 : static_cast<std::int32_t>(random.below(listed));
        } else {
            ids[row] = sample_step(episode(row), options_.rules.moves, random);
        }
    });
}

}  // namespace jimbo

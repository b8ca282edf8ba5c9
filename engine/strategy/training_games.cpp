#include "strategy/training_games.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <span>
#include <thread>

#include "play/determinize.hpp"
#include "play/step.hpp"
#include "view/public_state.hpp"

namespace jimbo {
namespace {

constexpr int max_actions = 5000;  // of one attempt
constexpr int margin_worlds = 2;
constexpr int antes_back = 3;      // a second chance begins with one of so many antes, the last ones
constexpr double detour = 0.02;    // worth that is given up knowingly: what follows says little about what came before
constexpr double settled = 0.995;  // a choice so likely teaches next to nothing

double uniform(SplitMix& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

double normal(SplitMix& random) {  // twelve uniform numbers are near enough
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform(random);
    return sum;
}

// What one game adds to the value of each input, so that games show what comes of things that the value would not
// choose.
std::vector<float> draw_bias(double strength, SplitMix& random) {
    std::vector<float> bias(static_cast<std::size_t>(value_input_count), 0.0F);
    const auto draw = [&](InputGroup group, double spread) {
        const int first = offset_of(group);
        for (int i = 0; i < input_groups[static_cast<std::size_t>(group)].size; ++i) {
            bias[static_cast<std::size_t>(first + i)] = static_cast<float>(strength * spread * normal(random));
        }
    };
    draw(InputGroup::jokers, 1.0);
    draw(InputGroup::vouchers, 1.0);
    draw(InputGroup::pending_pack, 1.0);
    draw(InputGroup::pending_reroll, 1.0);
    draw(InputGroup::pending_tag, 1.0);
    draw(InputGroup::pending_consumable, 0.5);
    draw(InputGroup::levels, 0.7);
    draw(InputGroup::joker_mults, 0.5);
    draw(InputGroup::sell_value, 0.2);
    // Half of them would rather play blinds than skip them: what all those shops bring shows only in runs that see
    // them.
    if (random.below(2) == 0) {
        const auto tags = bias.begin() + offset_of(InputGroup::pending_tag);
        std::for_each(tags, tags + tag_count, [&](float& tag) { tag -= static_cast<float>(2 * strength); });
    }
    // Money in steps of interest: thrift, or its opposite, up to some sum.
    const double thrift = strength * 0.5 * normal(random);
    const int enough = 1 + static_cast<int>(random.below(5));
    for (int i = 0; i < 12; ++i) {
        bias[static_cast<std::size_t>(offset_of(InputGroup::interest) + i)] =
            static_cast<float>(thrift * std::min(i, enough));
    }
    return bias;
}

struct BlindEvent {
    std::size_t position = 0;  // recorded positions before its end
    int blind = 0;
    int round = 0;
    BlindFate fate{};
};

std::uint64_t digest_with(std::uint64_t digest, const Action& action) {
    for (const std::uint64_t part : {static_cast<std::uint64_t>(action.kind), std::uint64_t{action.index},
                                     std::uint64_t{action.to}, action.cards}) {
        digest = (digest ^ part) * 0x100000001B3ULL;
    }
    return digest;
}

// The forecast of a recorded position.
struct ForecastChoice {
    int worlds = 0;  // 0: it is recorded as it was judged
    std::uint64_t nonce = 0;
};

class Game {
public:
    Game(const ValueNet& net, const GameStart& start, const GameSettings& settings)
        : settings_(settings),
          start_(start),
          random_(start.nonce * 0x9E3779B97F4A7C15ULL + 1),
          bias_(start.explores && settings.bias > 0 ? draw_bias(settings.bias, random_) : std::vector<float>{}),
          player_(net, settings.effort, {}, bias_,
                  [this](std::span<const JudgedOption> judged) { return choose_and_record(judged); }),
          run_(start_run(start.seed, start.deck, start.stake)) {
        player_.reset(start.nonce);
    }

    PlayedGame play() {
        play_on(0);
        played_.won = run_.won;
        played_.ante = run_.ante;
        played_.round = run_.round;
        while (attempt_ < settings_.second_chances && !run_.won && !antes_.empty()) {
            go_back();
            play_on(played_.positions.size());
        }
        return std::move(played_);
    }

private:
    // `first`: of the positions of this attempt.
    void play_on(std::size_t first) {
        for (int i = 0; i < max_actions && run_.phase != Phase::game_over && !run_.won; ++i) {
            remember_ante();
            const RunState view = imagine(public_state(run_), 0);
            const Decision decision = player_.decide(view);
            played_.hands += decision.kind == Decision::Kind::hand;
            const bool in_hand = run_.phase == Phase::selecting_hand;
            if (decision.kind == Decision::Kind::hand && !blind_has_begun()) events_.push_back(beginning(view));
            if (step(run_, decision.action) != Refusal::none) break;
            if (attempt_ == 0) played_.digest = digest_with(played_.digest, decision.action);
            if (in_hand && run_.phase != Phase::selecting_hand && blind_has_begun()) end_blind();
        }
        assign_fates(first);
        played_.bosses.push_back(
            static_cast<std::uint8_t>((run_.won ? value_blinds : next_blind(run_)) / blinds_per_ante));
    }

    // As it stands in the first shop of each ante.
    void remember_ante() {
        if (attempt_ >= settings_.second_chances || run_.phase != Phase::shop) return;
        if (antes_.empty() || run_.ante > antes_.back().ante) antes_.push_back(run_);
    }

    void go_back() {
        const std::size_t last = std::min<std::size_t>(antes_back, antes_.size());
        antes_.resize(antes_.size() - random_.below(last));
        run_ = determinize(antes_.back(), random_.next());
        events_.clear();
        player_.forget_plan();
        ++attempt_;
    }

    bool blind_has_begun() const { return !events_.empty() && events_.back().round == run_.round; }

    // A blind as it stands before its first hand.
    BlindEvent beginning(const RunState& view) {
        BlindEvent event{.blind = next_blind(run_), .round = run_.round};
        event.fate.dollars = static_cast<float>(run_.dollars);
        const Forecast now = forecast(view, {.rounds = 1, .worlds = margin_worlds, .nonce = random_.next()});
        if (now.count > 0) event.fate.margin = static_cast<float>(now.rounds[0].log_score - now.rounds[0].target);
        return event;
    }

    void end_blind() {
        events_.back().position = played_.positions.size();
        events_.back().fate.cleared = run_.phase != Phase::game_over;
    }

    int choose_and_record(std::span<const JudgedOption> judged) {
        ++played_.decisions;
        if (settings_.temperature > 0) return draw_and_record(judged);
        const bool at_random = start_.explores && uniform(random_) < settings_.random_moves;
        const int chosen = at_random ? static_cast<int>(random_.below(judged.size())) : 0;
        const JudgedOption& taken = judged[static_cast<std::size_t>(chosen)];
        if (settings_.recorded > 0 && start_.explores) record_best_if_left(judged, taken);
        if (uniform(random_) < settings_.recorded) record(taken, true);
        return chosen;
    }

    int draw_and_record(std::span<const JudgedOption> judged) {
        // Those with a forecast alone, where there are any: preferences with and without one do not compare.
        const auto unlike = std::find_if(judged.begin(), judged.end(), [&](const JudgedOption& other) {
            return other.forecast != judged[0].forecast;
        });
        judged = judged.first(std::min(static_cast<std::size_t>(unlike - judged.begin()),
                                       static_cast<std::size_t>(settings_.considered)));
        odds_.clear();
        double sum = 0;
        for (const JudgedOption& one : judged) {
            odds_.push_back(std::exp((one.preference - judged[0].preference) / settings_.temperature));
            sum += odds_.back();
        }
        double left = uniform(random_) * sum;
        std::size_t taken = 0;
        while (taken + 1 < odds_.size() && (left -= odds_[taken]) > 0) ++taken;
        if (odds_[0] < settled * sum) record(judged, taken);
        return static_cast<int>(taken);
    }

    void record(std::span<const JudgedOption> judged, std::size_t taken) {
        const Judge& judge = player_.judge();
        RecordedChoice& choice = played_.choices.emplace_back();
        choice.attempt = attempt_;
        choice.next = static_cast<std::uint8_t>(judge.next_after(judged[0]));
        choice.taken = static_cast<std::uint8_t>(taken);
        choice.progress = static_cast<float>(progress(judged[0].worth, choice.next));
        for (const JudgedOption& one : judged) {
            const auto inputs = judge.inputs(one);
            choice.considered.push_back(
                {static_cast<float>(one.worth), static_cast<float>(one.correction), {inputs.begin(), inputs.end()}});
        }
    }

    // Where a run leaves the way that the value thinks best, that way is recorded, too: earlier positions are taught by
    // what it promises, not by where the detour led.
    void record_best_if_left(std::span<const JudgedOption> judged, const JudgedOption& chosen) {
        const auto alike = std::find_if(judged.begin(), judged.end(), [&](const JudgedOption& other) {
            return other.forecast != judged[0].forecast;
        });
        const JudgedOption& best = *std::max_element(
            judged.begin(), alike, [](const JudgedOption& a, const JudgedOption& b) { return a.worth < b.worth; });
        if (best.worth > chosen.worth + detour) record(best, false);
    }

    void record(const JudgedOption& judged, bool taken) {
        const ForecastChoice choice = draw_forecast();
        const Option& option = player_.judge().options()[judged.option];
        const auto inputs = choice.worlds > 0 ? with_new_forecast(option, choice) : player_.judge().inputs(judged);
        RecordedPosition& position = played_.positions.emplace_back();
        position.attempt = attempt_;
        position.next = static_cast<std::uint8_t>(next_blind(option.after));
        position.taken = taken;
        position.inputs.assign(inputs.begin(), inputs.end());
    }

    // 1, 2, 4 ... worlds: a value that has met them all knows how far to trust each.
    ForecastChoice draw_forecast() {
        if (settings_.recorded_worlds == 0) return {};
        const int worlds = 1 << random_.below(std::bit_width(static_cast<unsigned>(settings_.recorded_worlds)));
        return {worlds, random_.next()};
    }

    // With a forecast in worlds that did not choose it.
    std::span<const ValueInput> with_new_forecast(const Option& option, const ForecastChoice& choice) {
        const ForecastOptions how{
            .rounds = forecast_rounds(option.after), .worlds = choice.worlds, .nonce = choice.nonce};
        renewed_.clear();
        write_inputs(option.after, option.pending, settings_.effort.rollouts, renewed_);
        write_forecast(option.after, forecast(option.after, how), choice.worlds, renewed_);
        return {renewed_.data(), static_cast<std::size_t>(renewed_.size())};
    }

    // To the positions from `first` on.
    void assign_fates(std::size_t first) {
        for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
            for (std::size_t p = first; p < event->position; ++p) {
                RecordedPosition& position = played_.positions[p];
                if (position.taken) position.fates[static_cast<std::size_t>(event->blind)] = event->fate;
            }
        }
    }

    const GameSettings& settings_;
    const GameStart& start_;
    SplitMix random_;
    std::vector<float> bias_;
    Strategist player_;
    RunState run_;
    std::vector<RunState> antes_;
    int attempt_ = 0;
    PlayedGame played_;
    ValueInputs renewed_;
    std::vector<double> odds_;
    std::vector<BlindEvent> events_;
};

}  // namespace

std::vector<PlayedGame> play_games(const ValueNet& net, const std::vector<GameStart>& starts,
                                   const GameSettings& settings, int threads) {
    std::vector<PlayedGame> games(starts.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < starts.size(); i = next++) games[i] = Game(net, starts[i], settings).play();
    };
    std::vector<std::jthread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(work);
    work();
    others.clear();
    return games;
}

}  // namespace jimbo

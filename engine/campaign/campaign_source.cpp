#include "campaign/campaign_source.hpp"

#include <algorithm>
#include <stdexcept>

#include "play/step.hpp"
#include "solve/joker_order.hpp"
#include "view/public_state.hpp"

namespace jimbo {
namespace {

// The smallest network there is.
ValueNet empty_net() {
    const auto layer = [](int inputs, int outputs) {
        return ValueNet::Layer{inputs, outputs, std::vector<float>(static_cast<std::size_t>(inputs * outputs)),
                               std::vector<float>(static_cast<std::size_t>(outputs))};
    };
    return ValueNet({layer(value_input_count, 1), layer(1, 1), layer(1, value_blinds)});
}

// All chance of the player comes from how far the episode is: the same decisions lead to the same place.
std::uint64_t nonce_of(const Episode& episode) {
    return SplitMix(static_cast<std::uint64_t>(episode.stats().decisions)).next();
}

void look(RunState& view, const RunState& run) { view = imagine(public_state(run), 0); }

// The first move towards the order of jokers that scores best; false where they stand in it.
bool joker_move(const RunState& view, std::uint64_t nonce, Action& move) {
    const std::vector<int> order = best_joker_order(view, nonce);
    for (std::size_t slot = 0; slot < order.size(); ++slot) {
        if (order[slot] == static_cast<int>(slot)) continue;
        move = {ActionKind::move_joker, static_cast<std::uint8_t>(order[slot]), static_cast<std::uint8_t>(slot)};
        if (check(view, move) == Refusal::none) return true;
    }
    return false;
}

// Consumables are used before the first hand of a blind.
bool may_use(const RunState& view) { return !view.consumables.empty() && view.chips <= 0; }

// Whether there is something to decide in a row.
bool is_open(const Episode& episode) { return !episode.over() && episode.run().streams.seed().length > 0; }

std::span<const ValueInput> span_of(const ValueInputs& inputs) {
    return {inputs.data(), static_cast<std::size_t>(inputs.size())};
}

}  // namespace

CampaignSource::CampaignSource(const CampaignSettings& settings, const ValueNet* net)
    : settings_(settings), unasked_(empty_net()), net_(net ? *net : unasked_) {
    if (settings.options < 1) throw std::invalid_argument("at least one option must be shown");
    if (!net && settings.asks_value()) {
        throw std::invalid_argument("shaping, finalists and hands with 40 rollouts or more need a value");
    }
}

void CampaignSource::resize(int rows, int parts) {
    rows_ = rows;
    rows_known_.assign(static_cast<std::size_t>(rows), {});
    for (Row& row : rows_known_) row.actions.resize(static_cast<std::size_t>(settings_.options));
    desks_.clear();
    for (int part = 0; part < parts; ++part) desks_.push_back(std::make_unique<Desk>(net_, settings_.effort));
    bind({});
    bind_final({});
}

std::span<const Action> CampaignSource::actions(int row, int option) const {
    const Actions& actions = rows_known_[static_cast<std::size_t>(row)].actions[static_cast<std::size_t>(option)];
    return {actions.data(), static_cast<std::size_t>(actions.size())};
}

void CampaignSource::open(int row, Episode& episode, const EpisodeRules& rules, int part) {
    Desk& desk = *desks_[static_cast<std::size_t>(part)];
    EpisodeRules unpaid = rules;
    unpaid.weights = {};
    StepReport nobodys;
    go_on(row, desk, episode, unpaid, nobodys, false);
    if (settings_.shaping) rows_known_[static_cast<std::size_t>(row)].potential = potential(desk, episode, rules);
}

void CampaignSource::resume(int row, const Episode& episode, const EpisodeRules& rules, int part) {
    Desk& desk = *desks_[static_cast<std::size_t>(part)];
    desk.listed = -1;
    if (settings_.shaping) rows_known_[static_cast<std::size_t>(row)].potential = potential(desk, episode, rules);
}

StepReport CampaignSource::take(int row, Episode& episode, int option, const EpisodeRules& rules, int part) {
    Desk& desk = *desks_[static_cast<std::size_t>(part)];
    Row& known = rows_known_[static_cast<std::size_t>(row)];
    StepReport report;
    episode.begin_step();
    const auto chosen = actions(row, option);
    for (std::size_t i = 0; i < chosen.size() && !episode.over(); ++i) {
        if (i > 0 && check(episode.run(), chosen[i]) != Refusal::none) break;
        report.add(episode.follow(chosen[i], rules));
    }
    go_on(row, desk, episode, rules, report, chosen.empty());
    episode.end_step(report, rules);
    if (settings_.shaping) {
        const double now = report.terminated ? 0.0 : potential(desk, episode, rules);
        episode.pay(report, static_cast<float>(settings_.gamma * now - known.potential));
        known.potential = now;
    }
    return report;
}

// To the next decision or the end. `in_hand`: a hand is to be played before anything else is decided.
void CampaignSource::go_on(int row, Desk& desk, Episode& episode, const EpisodeRules& rules, StepReport& report,
                           bool in_hand) {
    desk.listed = -1;
    const int refused = episode.stats().illegal;
    // Jokers are put in order once before each blind, all by the same samples.
    int joker_moves = 0;
    std::uint64_t order_nonce = 0;
    while (!episode.over() && episode.stats().illegal == refused) {
        const RunState& run = episode.run();
        if (run.phase == Phase::round_eval) {
            report.add(episode.follow({ActionKind::cash_out}, rules));
            continue;
        }
        look(desk.view, run);
        if (run.phase == Phase::selecting_hand && (in_hand || !may_use(desk.view))) {
            play_hand(desk, episode, rules, report);
            in_hand = false;
            joker_moves = 0;
            continue;
        }
        if (joker_moves == 0) order_nonce = nonce_of(episode);
        Action move;
        if (run.phase == Phase::blind_select && joker_moves < run.jokers.size() &&
            joker_move(desk.view, order_nonce, move)) {
            report.add(episode.follow(move, rules));
            ++joker_moves;
            continue;
        }
        desk.options.list(desk.view);
        if (desk.options.size() > 1) {
            desk.listed = row;
            return;
        }
        in_hand = run.phase == Phase::selecting_hand;
        for (const Action& action : desk.options[0].actions) report.add(episode.follow(action, rules));
    }
}

// A play or discard, with the moves that put its cards in order.
void CampaignSource::play_hand(Desk& desk, Episode& episode, const EpisodeRules& rules, StepReport& report) const {
    desk.hands.reset(nonce_of(episode));
    for (bool moved = true; moved && !episode.over();) {
        const Action action = desk.hands.decide(desk.view).action;
        report.add(episode.follow(action, rules));
        moved = action.kind == ActionKind::move_card;
        if (moved) look(desk.view, episode.run());
    }
}

// What the value expects of the rest of the run.
double CampaignSource::potential(Desk& desk, const Episode& episode, const EpisodeRules& rules) const {
    if (!is_open(episode) && episode.stats().end != EpisodeEnd::max_steps) return 0;
    look(desk.view, episode.run());
    desk.inputs.clear();
    write_inputs(desk.view, {}, settings_.effort.rollouts, desk.inputs);
    const ValueNet::Chances chances = net_.chances(span_of(desk.inputs));
    const auto weight = [&](RewardTerm term) { return double{rules.weights[static_cast<std::size_t>(term)]}; };
    double sum = weight(RewardTerm::win) * chances.back();
    for (int blind = next_blind(desk.view); blind < value_blinds; ++blind) {
        const double paid = weight(RewardTerm::blind) + (blind % 3 == 2 ? weight(RewardTerm::boss) : 0.0);
        sum += paid * chances[static_cast<std::size_t>(blind)];
    }
    return sum;
}

void CampaignSource::write_state(OptionWriter& writer, int row, Desk& desk, const Episode& episode) const {
    const Effort& effort = settings_.effort;
    desk.inputs.clear();
    write_inputs(desk.view, {}, effort.rollouts, desk.inputs);
    if (effort.finalists > 0 && is_open(episode)) {
        write_forecast(
            desk.view,
            forecast(desk.view,
                     {.rounds = forecast_rounds(desk.view), .worlds = effort.worlds, .nonce = nonce_of(episode)}),
            effort.worlds, desk.inputs);
    }
    writer.write_state(row, desk.view, span_of(desk.inputs));
}

void CampaignSource::list(int row, const Episode& episode, int part) {
    Desk& desk = *desks_[static_cast<std::size_t>(part)];
    Row& known = rows_known_[static_cast<std::size_t>(row)];
    if (desk.listed != row) {
        look(desk.view, episode.run());
        if (is_open(episode)) desk.options.list(desk.view);
    }
    desk.listed = -1;
    write_state(open_, row, desk, episode);
    if (!is_open(episode)) {
        known.count = known.all = 0;
    } else if (settings_.effort.finalists > 0) {
        list_judged(row, desk, episode);
    } else {
        known.all = desk.options.size();
        known.count = std::min(known.all, settings_.options);
        for (int place = 0; place < known.count; ++place) {
            const Option& option = desk.options[place];
            known.actions[static_cast<std::size_t>(place)] = option.actions;
            desk.inputs.clear();
            write_inputs(option.after, option.pending, settings_.effort.rollouts, desk.inputs);
            open_.write_option(row, place, desk.view, option, span_of(desk.inputs));
        }
    }
    open_.end_row(row, known.count);
}

// In the order of the list, the best by the value with a forecast.
void CampaignSource::list_judged(int row, Desk& desk, const Episode& episode) {
    Row& known = rows_known_[static_cast<std::size_t>(row)];
    const auto judged = desk.judge.judge(desk.view, settings_.effort, nonce_of(episode));
    known.all = static_cast<int>(judged.size());
    known.count = std::min(known.all, settings_.options);
    for (const JudgedOption& one : judged) {
        if (one.option >= known.count) continue;
        const Option& option = desk.judge.options()[one.option];
        known.actions[static_cast<std::size_t>(one.option)] = option.actions;
        open_.write_option(row, one.option, desk.view, option, desk.judge.inputs(one));
    }
}

void CampaignSource::write_final(int row, const Episode& episode, int part) {
    Desk& desk = *desks_[static_cast<std::size_t>(part)];
    look(desk.view, episode.run());
    write_state(final_, row, desk, episode);
}

}  // namespace jimbo

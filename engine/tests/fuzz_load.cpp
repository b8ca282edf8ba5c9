// Feeds bytes to everything that reads a stored run. They must be refused with a sentence, or give a run that can be
// played on. For libFuzzer (Clang, -DJIMBO_LIBFUZZER=ON), or with the driver below, which mutates runs of its own:
//
//     fuzz_load --inputs 100000 --seed 1 [FILE...]
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>

#include "play/determinize.hpp"
#include "tests/random_play.hpp"

namespace {

using namespace jimbo;
using tests::Dice;

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "fuzz_load: %s\n", what.c_str());
    std::abort();
}

void check_zones(const RunState& run) {
    if (const std::string broken = tests::broken_zone_rule(run); !broken.empty()) fail(broken);
}

// Takes every allowed action, each on a copy; of those that differ only in their cards, a few.
void step_each(const RunState& run, Dice& dice) {
    constexpr std::uint64_t most = 3;
    for (const ActionGroup& group : action_groups(run, true)) {
        for (std::uint64_t n = 0; n < std::min(group.count, most); ++n) {
            RunState copy = run;
            const Action action = action_of(group, group.count <= most ? n : dice.next() % group.count);
            if (step(copy, action) != Refusal::none) fail(tests::text_of(action) + " is listed but refused");
            check_zones(copy);
        }
    }
}

// Plays a few steps of whatever was read: only memory, zones and refusals are looked at, for its numbers may be odd.
void play_on(RunState run, Dice& dice) {
    step_each(run, dice);
    for (int n = 0; n < 8 && run.phase != Phase::game_over; ++n) {
        const tests::Move gift{.edit = dice.one_in(4) ? tests::Edit::reach_target : tests::Edit::none};
        make_edit(run, gift.edit, 0);
        const ActionGroups groups = action_groups(run, true);
        if (groups.empty()) fail("no action is allowed, but the run is not over");
        const ActionGroup& group = dice.of(groups);
        const Action action = action_of(group, dice.next() % group.count);
        if (action.kind == ActionKind::play) {
            EventLog log;
            for (Luck luck : {Luck::none, Luck::expected, Luck::all}) preview(run, action.cards, luck, &log);
        }
        EventLog log;
        step(run, tests::random_action(run, dice), &log);
        if (check(run, action) == Refusal::none) step(run, action, &log);
        check_zones(run);
    }
}

void try_run(const RunState& run, Dice& dice) {
    const std::string bytes = save_run(run);
    if (save_run(load_run(bytes)) != bytes) fail("a loaded run does not save and load equal");
    play_on(run, dice);
    play_on(determinize(run, dice.next()), dice);
}

// True if the bytes were a run.
bool try_bytes(std::string_view bytes) {
    Dice dice(bytes.size());
    try {
        try_run(load_run(bytes), dice);
        return true;
    } catch (const std::invalid_argument&) {
    }
    try {
        const Json json = Json::parse(bytes);
        if (Json::parse(json.dump()).dump() != json.dump()) fail("JSON does not read back equal");
        try_run(state_from_json(json), dice);
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try_bytes({reinterpret_cast<const char*>(data), size});
    return 0;
}

#ifndef JIMBO_LIBFUZZER
namespace {

// --- Changing one place of a JSON value ------------------------------------------------------------------------------

// All texts that stand under a member's name: what one of them may be changed into.
using Words = std::map<std::string, std::vector<std::string>, std::less<>>;

void collect_words(const Json& json, const std::string& name, Words& words) {
    if (const auto* text = json.text()) {
        auto& known = words[name];
        if (std::find(known.begin(), known.end(), *text) == known.end()) known.push_back(*text);
    }
    if (const auto* list = json.array()) {
        for (const Json& item : *list) collect_words(item, name, words);
    }
    if (const auto* members = json.object()) {
        for (const auto& [member, value] : *members) collect_words(value, member, words);
    }
}

int count_places(const Json& json) {
    int places = 1;
    if (const auto* list = json.array()) {
        for (const Json& item : *list) places += count_places(item);
    }
    if (const auto* members = json.object()) {
        for (const auto& [name, value] : *members) places += count_places(value);
    }
    return places;
}

constexpr int first_free_uid = 20'000;
constexpr int free_uids = 40'000;

class Mutation {
public:
    Mutation(const Words& words, Dice& dice) : words_(words), dice_(dice) {}

    Json apply(const Json& json) {
        place_ = dice_.below(count_places(json));
        return copy(json, "");
    }

private:
    // A copy that differs in the chosen place.
    Json copy(const Json& json, const std::string& name) {
        if (place_-- == 0) return changed(json, name);
        if (const auto* list = json.array()) {
            Json::Array items;
            for (const Json& item : *list) items.push_back(copy(item, name));
            return items;
        }
        if (const auto* members = json.object()) {
            Json::Object object;
            for (const auto& [member, value] : *members) object.emplace_back(member, copy(value, member));
            return object;
        }
        return json;
    }

    Json changed(const Json& json, const std::string& name) {
        if (dice_.one_in(20)) return other();
        if (const bool* truth = json.boolean()) return !*truth;
        if (const double* number = json.number()) return changed_number(*number);
        if (const auto known = words_.find(name); json.text() != nullptr && known != words_.end()) {
            return Json(std::string_view(dice_.of(known->second)));
        }
        if (const auto* list = json.array()) return changed_list(*list);
        if (const auto* members = json.object()) return changed_object(*members);
        return other();
    }

    Json other() {
        switch (dice_.below(6)) {
            case 0:
                return {};
            case 1:
                return dice_.one_in(2);
            case 2:
                return Json::Array{};
            case 3:
                return Json::Object{};
            case 4:
                return dice_.one_in(2) ? json_infinity : json_nan;
            default:
                return changed_number(0);
        }
    }

    double changed_number(double number) {
        static constexpr std::array edges{0.0,       1.0,          2.0,          5.0,     8.0,     9.0,     63.0,
                                          64.0,      65.0,         239.0,        240.0,   255.0,   256.0,   1000.0,
                                          1001.0,    32767.0,      32768.0,      65534.0, 65535.0, 65536.0, 100e6,
                                          100e6 + 1, 2147483647.0, 2147483648.0, 1e15,    1e300};
        switch (dice_.below(4)) {
            case 0:
                return number + 1;
            case 1:
                return number - 1;
            case 2:
                return -dice_.of(edges);
            default:
                return dice_.of(edges);
        }
    }

    Json changed_list(Json::Array list) {
        if (list.empty()) return list;
        const auto at = list.begin() + dice_.below(static_cast<int>(list.size()));
        switch (dice_.below(3)) {
            case 0:
                list.erase(at);
                break;
            case 1:
                std::iter_swap(at, list.begin());
                break;
            default: {
                const Json item = *at;
                for (int n = dice_.of(std::array{1, 1, 4, 40, 70, 250}); n > 0; --n) list.push_back(renumbered(item));
            }
        }
        return list;
    }

    // So that a copy of a card or joker is not refused for its uid alone.
    Json renumbered(const Json& item) {
        if (item.find("uid") == nullptr || dice_.one_in(50)) return item;
        Json::Object members = *item.object();
        for (auto& [name, value] : members) {
            if (name == "uid") value = first_free_uid + next_uid++ % free_uids;
        }
        return members;
    }

    Json changed_object(Json::Object members) {
        if (members.empty()) return members;
        const int at = dice_.below(static_cast<int>(members.size()));
        switch (dice_.below(4)) {
            case 0:
                members.emplace_back("unknown", other());
                break;
            case 1:
                members.push_back(dice_.of(members));
                break;
            case 2:
                members.erase(members.begin() + at);
                break;
            default:
                members[static_cast<std::size_t>(at)].second = dice_.of(members).second;
        }
        return members;
    }

    static inline int next_uid = 0;

    const Words& words_;
    Dice& dice_;
    int place_ = 0;
};

// --- The driver ------------------------------------------------------------------------------------------------------

std::string changed_bytes(std::string bytes, Dice& dice) {
    for (int n = 1 + dice.below(4); n > 0 && !bytes.empty(); --n) {
        const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(bytes.size())));
        switch (dice.below(4)) {
            case 0:
                bytes[at] = static_cast<char>(dice.below(256));
                break;
            case 1:
                bytes.erase(at, static_cast<std::size_t>(1 + dice.below(8)));
                break;
            case 2:
                bytes.insert(at, bytes.substr(static_cast<std::size_t>(dice.below(static_cast<int>(at) + 1)), 8));
                break;
            default:
                bytes.resize(at);
                break;
        }
    }
    return bytes;
}

// Runs in all phases, from all starts.
std::vector<Json> own_corpus(Dice& dice) {
    std::vector<Json> corpus;
    for (const tests::Start& start : tests::all_starts(dice)) {
        tests::PlayOptions options;
        options.max_moves = 1 + dice.below(120);
        options.tried_actions = options.refused_actions = 0;
        tests::RandomRun random(start, dice.next(), options);
        if (const std::string fault = random.play(); !fault.empty()) fail(fault);
        RunState run = random.run();
        run.next_id = first_free_uid + free_uids;
        if (run.phase != Phase::game_over) corpus.push_back(state_to_json(run));
    }
    return corpus;
}

// --- Numbers as large as they may be ---------------------------------------------------------------------------------

void collect_numbers(Json& json, std::vector<double*>& numbers) {
    if (const double* number = json.number()) numbers.push_back(const_cast<double*>(number));
    if (const auto* list = json.array()) {
        for (const Json& item : *list) collect_numbers(const_cast<Json&>(item), numbers);
    }
    if (const auto* members = json.object()) {
        for (const auto& [name, value] : *members) {
            if (name != "streams") collect_numbers(const_cast<Json&>(value), numbers);
        }
    }
}

// The run of a JSON value in which a number is the largest that is accepted; nothing if none is.
std::optional<RunState> with_largest(const Json& json, double& number) {
    static constexpr std::array large{1e15,  2147483647.0, 100e6, 65535.0, 32767.0, 1000.0,
                                      255.0, 100.0,        64.0,  39.0,    8.0,     5.0};
    const double before = number;
    std::optional<RunState> run;
    for (auto value = large.begin(); value != large.end() && !run; ++value) {
        number = *value;
        try {
            run = state_from_json(json);
        } catch (const std::invalid_argument&) {
        }
    }
    number = before;
    return run;
}

// Whatever is at its end already must not grow beyond it: neither by an action nor by a voucher.
void try_largest_numbers(Json json, Dice& dice) {
    std::vector<double*> numbers;
    collect_numbers(json, numbers);
    for (double* number : numbers) {
        const std::optional<RunState> run = with_largest(json, *number);
        if (!run) continue;
        play_on(*run, dice);
        for (const VoucherFact& voucher : voucher_facts) {
            if (run->has(voucher.id)) continue;
            RunState copy = *run;
            edits::redeem(copy, voucher.id);
            step_each(copy, dice);
        }
    }
}

// One run in each phase.
std::vector<Json> one_of_each_phase(const std::vector<Json>& corpus) {
    std::map<std::string, Json, std::less<>> chosen;
    for (const Json& json : corpus) chosen.emplace(*json.find("phase")->text(), json);
    std::vector<Json> runs;
    for (auto& [phase, json] : chosen) runs.push_back(std::move(json));
    return runs;
}

// Ends the program when an input takes longer than any should: then a rule does not come to its end.
class Watchdog {
public:
    Watchdog() : thread_([this] { watch(); }) {}
    ~Watchdog() {
        {
            std::lock_guard lock(mutex_);
            done_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    void next() {
        std::lock_guard lock(mutex_);
        ++inputs_;
    }

private:
    void watch() {
        std::unique_lock lock(mutex_);
        for (long seen = -1; !done_; changed_.wait_for(lock, std::chrono::seconds(60), [this] { return done_; })) {
            if (seen == inputs_) fail("input " + std::to_string(inputs_) + " does not come to its end");
            seen = inputs_;
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    long inputs_ = 0;
    bool done_ = false;
    std::thread thread_;
};

struct Options {
    int inputs = 1000;
    std::uint64_t seed = 1;
    std::vector<const char*> files;
};

bool read_options(int count, char** texts, Options& options) {
    for (int i = 1; i < count; ++i) {
        const std::string_view name = texts[i];
        if (name != "--inputs" && name != "--seed") {
            options.files.push_back(texts[i]);
            continue;
        }
        if (++i == count) return false;
        const std::string_view text = texts[i];
        const auto [end, error] = name == "--seed"
                                      ? std::from_chars(text.data(), text.data() + text.size(), options.seed)
                                      : std::from_chars(text.data(), text.data() + text.size(), options.inputs);
        if (error != std::errc{} || end != text.data() + text.size()) return false;
    }
    return true;
}

}  // namespace

int main(int count, char** texts) {
    Options options;
    if (!read_options(count, texts, options)) {
        std::fprintf(stderr, "usage: fuzz_load [--inputs N] [--seed S] [FILE...]\n");
        return 2;
    }
    for (const char* name : options.files) {
        std::ifstream file(name, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        std::printf("%s: %s\n", name, try_bytes(bytes) ? "a run" : "refused");
    }
    Dice dice(options.seed);
    const std::vector<Json> corpus = own_corpus(dice);
    Words words;
    for (const Json& json : corpus) collect_words(json, "", words);
    Watchdog watchdog;
    for (const Json& json : one_of_each_phase(corpus)) {
        watchdog.next();
        try_largest_numbers(json, dice);
    }
    int runs = 0;
    for (int i = 0; i < options.inputs; ++i) {
        Json json = dice.of(corpus);
        for (int n = dice.below(3); n >= 0; --n) json = Mutation(words, dice).apply(json);
        const std::string bytes = dice.one_in(8) ? changed_bytes(json.dump(), dice) : json.dump();
        watchdog.next();
        runs += try_bytes(bytes) ? 1 : 0;
    }
    std::printf("%d of them were runs\n%d passed, 0 failed\n", runs, options.inputs);
    return 0;
}
#endif

// The random machinery against the C library, LuaJIT's own numbers and the formulas written out.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "rng/hash.hpp"
#include "rng/luajit.hpp"
#include "rng/seed.hpp"
#include "rng/stream_keys.hpp"
#include "rng/streams.hpp"

using namespace jimbo;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double print_and_read_back(double x) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.13f", x);
    return std::strtod(text.data(), nullptr);
}

// A stream computed from its text, without anything that Streams caches.
class TextStream {
public:
    TextStream(std::string_view seed, std::string_view key)
        : hashed_seed_(pseudohash(seed)), state_(pseudohash(std::string(key) + std::string(seed))) {}

    double node() {
        state_ = advance_state(state_);
        return (state_ + hashed_seed_) / 2.0;
    }
    double state() const { return state_; }

private:
    double hashed_seed_;
    double state_;
};

Seed seed_of(std::string_view text) { return parse_seed(text).value(); }

constexpr std::array<int, 6> some_antes{-1, 0, 1, 8, 12, 39};

}  // namespace

// Numbers that LuaJIT 2.1 gave for the seed TESTSEED.
struct Worked {
    std::string_view key;
    double hash, state, node, first, second;
};

constexpr std::array<Worked, 10> worked{{
    {"boss", 0.4968799043163017, 0.9912295796516, 0.6552508289369773, 0.36736078445867704, 0.7843391176293266},
    {"cdt1", 0.28186540647516267, 0.6204774277452, 0.4698747529837773, 0.3236733177364923, 0.5376134125132599},
    {"rarity1sho", 0.8296577936271206, 0.5650426006694, 0.4421573394458773, 0.12737290635558352, 0.7773772813739734},
    {"Joker1sho1", 0.657777253603399, 0.2686668645007, 0.2939694713615273, 0.3552528035112783, 0.6014880014874779},
    {"Voucher1", 0.6166000551761499, 0.1976645131259, 0.2584682956741273, 0.2708026657454381, 0.05791325522829882},
    {"Tag1", 0.3183050183483829, 0.683310700163, 0.5012913891926774, 0.9757183818397133, 0.5544073484511522},
    {"shop_pack1", 0.9991640750538409, 0.857324373441, 0.5882982258316773, 0.784492323483055, 0.6600344618246778},
    {"nr1", 0.399443884811717, 0.8232194488594, 0.5712457635408773, 0.0686049994817457, 0.9125562762662627},
    {"lucky_mult", 0.1832622728103388, 0.4504548276043, 0.3848634529133273, 0.32170301340597174, 0.22330120805003228},
    {"soul_Tarot1", 0.3425975146649307, 0.7251985513311, 0.5222353147767274, 0.518521190028185, 0.5119666855444394},
}};

TEST(hash) {
    CHECK_EQ(pseudohash(""), 1.0);
    CHECK_EQ(pseudohash("TESTSEED"), 0.3192720782223546);
    for (const Worked& w : worked) CHECK_EQ(pseudohash(std::string(w.key) + "TESTSEED"), w.hash);
    // An Erratic deck of 52 Tens of Spades: the hash meets 0 on the way and stays NaN.
    CHECK(std::isnan(pseudohash("erraticBGY5SDS")));
}

TEST(worked_examples) {
    const Seed seed = seed_of("TESTSEED");
    Streams nodes(seed);
    Streams draws(seed);
    for (const Worked& w : worked) {
        const StreamKey key = parse_stream_key(w.key).value();
        CHECK_EQ(nodes.node(key), w.node);
        CHECK_EQ(nodes.state(key).value(), w.state);
        CHECK_EQ(draws.random(key), w.first);
        CHECK_EQ(draws.random(key), w.second);
    }
}

TEST(round13_of_random_numbers) {
    std::mt19937_64 bits(1);
    for (int i = 0; i < 200'000; ++i) {
        const double x = static_cast<double>(bits() >> 11) * 0x1p-53;
        CHECK_EQ(round13(x), print_and_read_back(x));
    }
}

TEST(round13_of_ties) {
    // m / 2^14 with odd m lies exactly between two numbers of 13 decimals; the even one wins.
    for (int m = 1; m < 1 << 14; m += 2) {
        const double x = m / 16384.0;
        CHECK_EQ(round13(x), print_and_read_back(x));
    }
}

TEST(round13_at_the_ends) {
    for (int i = 1; i < 2000; ++i) {
        const double below_one = 1.0 - i * 0x1p-53;
        CHECK_EQ(round13(below_one), print_and_read_back(below_one));
        const double near_zero = i * 1e-16;
        CHECK_EQ(round13(near_zero), print_and_read_back(near_zero));
    }
    for (double x = 0.75; x > 0.0; x /= 2) CHECK_EQ(round13(x), print_and_read_back(x));
    CHECK_EQ(round13(0.0), 0.0);
    CHECK_EQ(round13(1.0 - 0x1p-53), 1.0);
    CHECK(std::isnan(round13(not_a_number)));
}

TEST(nan_node) {
    LuaJitRandom generator(not_a_number);
    CHECK_EQ(generator.random(), 0.9924925569828447);
    CHECK_EQ(LuaJitRandom(-not_a_number).random(), 0.9924925569828447);
    for (int n = 1; n <= 133; ++n) CHECK_EQ(LuaJitRandom(not_a_number).random(1, n), n);
    CHECK_EQ(LuaJitRandom(not_a_number).random(1, 134), 133);

    Streams streams(seed_of("BGY5SDS"));
    for (int i = 0; i < 3; ++i) {
        CHECK(std::isnan(streams.node(Stream::erratic)));
        CHECK(std::isnan(streams.state(Stream::erratic).value()));
        CHECK_EQ(streams.pick(Stream::erratic, 52), 51);
    }
}

TEST(shuffle) {
    std::vector<int> order;
    for (int i = 1; i <= 10; ++i) order.push_back(i);
    Streams streams(seed_of("TESTSEED"));
    streams.shuffle(Stream::shuffle, std::span(order));
    CHECK(order == std::vector<int>({3, 8, 7, 10, 6, 1, 5, 2, 4, 9}));
}

TEST(seed_texts) {
    const std::string longest(Seed::max_length, 'A');
    for (std::string_view good : {"A", "0", "TESTSEED", "11111111", "2K9H9HN", "AAAAAAA-0", "TEST_1", "0123456789",
                                  "abc", " A B ", "\xc3\x84", "\xe2\x82\xac", "\xf0\x9f\x83\x8f", longest.c_str()}) {
        CHECK_EQ(seed_of(good).view(), good);
    }
    // Control characters and line ends; then bytes that are no UTF-8: cut, lone, written too long, half of a pair,
    // beyond the last character.
    for (std::string_view bad :
         {"", "A\nB", "A\tB", "\x1b[2J", "\x7f", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9", "A\xc3", "\xe2\x82",
          "\xc3"
          "A",
          "\x80", "\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
        CHECK(!parse_seed(bad).has_value());
    }
    CHECK(!parse_seed(longest + "A").has_value());
    CHECK(!parse_seed(std::string_view("A\0B", 3)).has_value());
    CHECK(!number_of(seed_of("1234-678")).has_value());
    CHECK(!number_of(seed_of("123456789")).has_value());
}

TEST(every_key_text_reads_back) {
    for (std::size_t i = 0; i < stream_names.size(); ++i) {
        const auto stream = static_cast<Stream>(i);
        for (int ante : some_antes) {
            for (int resample : {0, 2, 3, 255}) {
                const StreamKey key(stream, ante, resample);
                const auto read = parse_stream_key(KeyText(key).view());
                CHECK(read.has_value() && *read == key);
            }
        }
    }
    CHECK_EQ(KeyText({Stream::joker1_sho, 3, 2}).view(), "Joker1sho3_resample2");
    CHECK_EQ(KeyText({Stream::rarity_sho, 12}).view(), "rarity12sho");
    CHECK_EQ(KeyText({Stream::cdt, -1}).view(), "cdt-1");
    for (std::string_view other : {"", "rarity1", "boss1", "cdt", "cdt1x", "nr1_resample1", "nr1_resample", "front1"}) {
        CHECK(!parse_stream_key(other).has_value());
    }
}

TEST(every_stream_follows_its_text) {
    for (std::string_view seed : {"A", "TESTSEED", "2K9H9HN", "AAAAAAA-0", "a seed of thirty-two bytes, \xc3\xa9!!"}) {
        for (std::size_t i = 0; i < stream_names.size(); ++i) {
            for (int resample : {0, 2, 7}) {
                const StreamKey key(static_cast<Stream>(i), 11, resample);
                Streams streams(seed_of(seed));
                TextStream text(seed, KeyText(key).view());
                CHECK(!streams.state(key).has_value());
                for (int use = 0; use < 3; ++use) {
                    CHECK_EQ(streams.node(key), text.node());
                    CHECK_EQ(streams.state(key).value(), text.state());
                }
            }
        }
    }
}

TEST(resample_streams_are_streams_of_their_own) {
    Streams streams(seed_of("TESTSEED"));
    const StreamKey plain(Stream::joker1_sho, 2);
    const StreamKey second(Stream::joker1_sho, 2, 2);
    const StreamKey third(Stream::joker1_sho, 2, 3);
    const double first_node = streams.node(second);
    streams.node(plain);
    streams.node(third);
    streams.node({Stream::joker1_sho, 3, 2});
    streams.node({Stream::joker1_buf, 2, 2});
    TextStream text("TESTSEED", "Joker1sho2_resample2");
    CHECK_EQ(first_node, text.node());
    CHECK_EQ(streams.node(second), text.node());
}

TEST(resample_states_keep_every_digit) {
    Streams streams(seed_of("TESTSEED"));
    const StreamKey key(Stream::legendary, 0, 2);
    for (double state : {0.0, 1e-13, 0.1, 0.3211483013596, 0.9999999999999, 1.0}) {
        streams.set_state(key, state);
        CHECK_EQ(streams.state(key).value(), state);
    }
    std::mt19937_64 bits(2);
    for (int i = 0; i < 10'000; ++i) {
        const double state = round13(static_cast<double>(bits() >> 11) * 0x1p-53);
        streams.set_state(key, state);
        CHECK_EQ(streams.state(key).value(), state);
    }
    streams.set_state(key, not_a_number);
    CHECK(std::isnan(streams.state(key).value()));
}

TEST(three_antes_are_remembered) {
    Streams streams(seed_of("TESTSEED"));
    TextStream third("TESTSEED", "nr3");
    streams.node({Stream::nr, 1});
    streams.node({Stream::nr, 2});
    CHECK_EQ(streams.node({Stream::nr, 3}), third.node());
    CHECK(streams.state({Stream::nr, 1}).has_value());
    streams.node({Stream::nr, 4});
    CHECK(!streams.state({Stream::nr, 1}).has_value());
    // Hieroglyph leads back by one ante, and its streams go on where they were.
    CHECK_EQ(streams.node({Stream::nr, 3}), third.node());
    streams.node({Stream::nr, 5});
    CHECK_EQ(streams.node({Stream::nr, 3}), third.node());
}

TEST(leaving_an_ante_forgets_its_resamples) {
    Streams streams(seed_of("TESTSEED"));
    for (int ante = 1; ante <= 39; ++ante) {
        for (int n = 2; n <= 40; ++n) streams.node({Stream::voucher, ante, n});
    }
    CHECK(!streams.overflowed());
    CHECK(streams.state({Stream::voucher, 39, 40}).has_value());
    CHECK(!streams.state({Stream::voucher, 36, 2}).has_value());
}

TEST(overflow_is_reported) {
    Streams streams(seed_of("TESTSEED"));
    for (int n = 2; n <= 255; ++n) streams.node({Stream::voucher_tag, 0, n});
    CHECK(streams.overflowed());
}

TEST(used_streams_are_listed) {
    Streams streams(seed_of("TESTSEED"));
    const std::array<StreamKey, 4> used{
        {{Stream::boss}, {Stream::cdt, 7}, {Stream::tag, 7, 2}, {Stream::legendary, 0, 2}}};
    for (StreamKey key : used) streams.node(key);
    std::vector<std::pair<StreamKey, double>> listed;
    streams.for_each([&](StreamKey key, double state) { listed.emplace_back(key, state); });
    CHECK_EQ(listed.size(), used.size());
    for (const auto& [key, state] : listed) CHECK_EQ(streams.state(key).value(), state);
}

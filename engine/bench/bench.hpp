// The work whose rates `jimbo bench` reports. Each function does a number of things and says how long that took.
#pragma once

#include <cstdint>
#include <string>

namespace jimbo {

struct Timing {
    double count = 0.0;  // things done
    double wall_s = 0.0;
    double cpu_s = 0.0;     // of all threads
    double checksum = 0.0;  // of the results: keeps the work from being optimised away, and shows that it was the same
};

// Random play with Red Deck at White Stake; a new run begins where one ends. Each thread makes `count` decisions.
Timing time_decisions(int count, int threads);
Timing time_runs(int count);
// From here on: positions in the middle of a run, with five jokers of any kind and eight cards in hand.
Timing time_clones(int count);
Timing time_scores(int count);  // of five cards
Timing time_best_hands(int count);
Timing time_public_states(int count);
// One draw from a stream that has been used before.
Timing time_draws(int count);

// A hash over the ends of fixed random runs with every deck, as JSON text: it changes with the rules and with nothing
// else.
std::string signature();

}  // namespace jimbo

#include "solve/lines.hpp"

#include <algorithm>
#include <bit>

#include "solve/tuning.hpp"

namespace jimbo {
namespace {

void add(Lines& lines, Positions line) {
    if (line == 0 || lines.full() || std::popcount(line) > max_selected) return;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

// A forced card is part of the play; where five cards are chosen already, it takes the place of the cheapest.
Positions with_forced(const HandShape& shape, Positions line) {
    line |= shape.forced;
    while (std::popcount(line) > max_selected) line &= ~cheapest(shape.scored_worth, line & ~shape.forced, 1);
    return line;
}

void add_play(Lines& lines, const HandShape& shape, Positions core) {
    if (core == 0) return;
    core = with_forced(shape, core);
    add(lines, core);
    const int room = max_selected - std::popcount(core);
    if (room <= 0) return;
    add(lines, core | cheapest(shape.held_worth, shape.all & ~core, room));
    if (shape.traits.splash) add(lines, core | dearest(shape.scored_worth, shape.known & ~core, room));
}

struct RankGroups {
    ScratchVector<Positions, rank_count> of_two;  // the best two of each rank that has them, highest rank first
    ScratchVector<Positions, rank_count> of_three;
};

RankGroups add_kinds(Lines& lines, const HandShape& shape) {
    RankGroups groups;
    for (int r = rank_count - 1; r >= 0; --r) {
        const Positions cards = shape.of_rank[static_cast<std::size_t>(r)];
        const int count = std::popcount(cards);
        if (count < 2) continue;
        groups.of_two.push_back(dearest(shape.scored_worth, cards, 2));
        add_play(lines, shape, groups.of_two.back());
        if (count >= 3) {
            groups.of_three.push_back(dearest(shape.scored_worth, cards, 3));
            add_play(lines, shape, groups.of_three.back());
        }
        if (count >= 4) add_play(lines, shape, dearest(shape.scored_worth, cards, 4));
        if (count >= 5) add_play(lines, shape, dearest(shape.scored_worth, cards, 5));
    }
    return groups;
}

void add_pairs_of_groups(Lines& lines, const HandShape& shape, const RankGroups& groups) {
    const int pairs = std::min(groups.of_two.size(), tuning::max_pairs_joined);
    for (int i = 0; i < pairs; ++i) {
        for (int j = i + 1; j < pairs; ++j) add_play(lines, shape, groups.of_two[i] | groups.of_two[j]);
    }
    for (Positions three : groups.of_three) {
        for (Positions two : groups.of_two) {
            if ((two & ~three) == two) add_play(lines, shape, three | two);
        }
    }
}

void add_flushes(Lines& lines, const HandShape& shape) {
    for (Positions cards : shape.of_suit) {
        if (std::popcount(cards) < shape.needed) continue;
        add_play(lines, shape, dearest(shape.scored_worth, cards, max_selected));
    }
}

// Runs of ranks upwards out of the given cards, the ace at both ends; Shortcut steps over one rank at a time.
void add_straights(Lines& lines, const HandShape& shape, Positions among) {
    const auto at = [&](int step) {
        return shape.of_rank[static_cast<std::size_t>((step + rank_count - 1) % rank_count)] & among;
    };
    for (int start = rank_count + 1 - shape.needed; start >= 0; --start) {
        Positions line = 0;
        int length = 0;
        for (int step = start; step <= rank_count && length < max_selected;) {
            if (at(step) == 0) break;
            line |= dearest(shape.scored_worth, at(step), 1);
            ++length;
            const bool jump = shape.traits.shortcut && step + 2 <= rank_count && at(step + 1) == 0;
            step += jump ? 2 : 1;
        }
        if (length >= shape.needed) add_play(lines, shape, line);
    }
}

void add_discard(Lines& lines, const HandShape& shape, Positions keep) {
    const Positions rest = shape.all & ~keep & ~shape.forced;
    const int room = max_selected - std::popcount(shape.forced);
    add(lines, cheapest(shape.held_worth, rest, room) | shape.forced);
}

// The five ranks in a row of which the hand has most; nothing if it has fewer than `min_ranks` of any five.
Positions best_straight_draw(const HandShape& shape, int min_ranks) {
    Positions best = 0;
    int most = min_ranks - 1;
    for (int start = rank_count + 1 - full_row; start >= 0; --start) {
        Positions line = 0;
        int have = 0;
        for (int step = start; step < start + full_row; ++step) {
            const Positions here = shape.of_rank[static_cast<std::size_t>((step + rank_count - 1) % rank_count)];
            if (here == 0) continue;
            line |= dearest(shape.scored_worth, here, 1);
            ++have;
        }
        if (have <= most) continue;
        most = have;
        best = line;
    }
    return best;
}

}  // namespace

Lines play_lines(const HandShape& shape) {
    Lines lines;
    add_play(lines, shape, dearest(shape.scored_worth, shape.known, 1));
    const RankGroups groups = add_kinds(lines, shape);
    add_pairs_of_groups(lines, shape, groups);
    add_flushes(lines, shape);
    add_straights(lines, shape, shape.known);
    for (Positions suit : shape.of_suit) {
        if (std::popcount(suit) >= shape.needed) add_straights(lines, shape, suit);
    }
    // For hands that are hidden or have no ranks: five cards of any kind.
    add(lines, with_forced(shape, dearest(shape.scored_worth, shape.all, max_selected)));
    return lines;
}

Lines discard_lines(const HandShape& shape, Positions best_play) {
    Lines lines;
    add_discard(lines, shape, best_play);
    for (Positions suit : shape.of_suit) {
        if (std::popcount(suit) >= tuning::min_suited) add_discard(lines, shape, suit);
    }
    Positions groups = 0;
    Positions largest = 0;
    for (Positions cards : shape.of_rank) {
        if (std::popcount(cards) >= 2) groups |= cards;
        if (std::popcount(cards) >= std::max(2, std::popcount(largest))) largest = cards;
    }
    if (groups != 0) {
        add_discard(lines, shape, groups);
        add_discard(lines, shape, largest);
    }
    if (const Positions draw = best_straight_draw(shape, tuning::min_straight_draw); draw != 0)
        add_discard(lines, shape, draw);
    add_discard(lines, shape, dearest(shape.held_worth, shape.known, tuning::dearest_kept));
    return lines;
}

}  // namespace jimbo

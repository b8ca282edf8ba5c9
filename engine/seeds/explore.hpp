// What a seed holds, ante by ante, when nothing is bought.
#pragma once

#include <optional>
#include <vector>

#include "catalog/challenges.hpp"
#include "catalog/decks.hpp"
#include "catalog/stakes.hpp"
#include "rules/new_cards.hpp"
#include "rules/starting_deck.hpp"
#include "state/run_state.hpp"

namespace jimbo {

// What an explorer assumes. The defaults are the game's own rules for a player who buys nothing; the other values
// are habits of public seed tools, needed to compare with what they print.
struct Conventions {
    bool cards_in_use_exclude = true;      // a card on display or owned does not come up again
    bool vouchers_count_as_owned = false;  // a voucher once shown is gone and its upgrade may come
    bool gated_cards_appear = false;       // e.g. Cavendish, Steel Joker, Planet X without their condition
    bool soul_ends_polling = false;        // no Black Hole poll after a Soul hit in a Spectral pack
    bool short_perishable_list = false;    // Hologram and Glass Joker may be perishable
};

// What a run starts from: the same for all seeds.
struct Opening {
    PoolContext context{};
    DeckId deck = DeckId::red;
    int shop_slots = 2;
    bool packs_alone = false;  // each pack is the first of its kind that is opened in its ante
    Conventions conventions{};
};

// A challenge goes with DeckId::challenge.
Opening opening_of(DeckId deck, StakeId stake, std::optional<ChallengeId> challenge, const Conventions& conventions);
// The first blind comes before every shop; a run is here where it has been chosen.
RunState run_before_shops(DeckId deck, StakeId stake, std::optional<ChallengeId> challenge);
// As if all of the run's cards, vouchers and cards of the deck had been there from the start.
Opening opening_with(const RunState& run, const Conventions& conventions = {});

inline constexpr int packs_in_shop = 2;
inline constexpr int max_packs_in_ante = 3 * packs_in_shop;
constexpr int shops_in_ante(int ante) { return ante == 1 ? 2 : 3; }

// The packs of an ante's shops, two for each.
using Boosters = FixedVector<BoosterId, max_packs_in_ante>;
Boosters shop_boosters(Streams& streams, const PoolContext& context);
// So many; `first_made`: the run's first booster was made before.
Boosters next_boosters(Streams& streams, const PoolContext& context, int count, bool first_made);

// What The Soul in a pack gives.
struct Legendary {
    Offer joker{};
    int pack = 0;  // counted from 0
};

// The parts of a seed, drawn when they are first asked for. Parts have streams of their own: leaving one out changes no
// other, and within an ante they may be asked for in any order. Where an earlier ante matters it is drawn on the way.
class Explorer {
public:
    using Legendaries = FixedVector<Legendary, max_packs_in_ante>;

    // `shop_queue` is how many cards of each ante's shop are looked at.
    Explorer(const Opening& opening, int shop_queue, int last_ante);
    // What comes after a run's present blind or shop, without what the shop shows now.
    Explorer(const RunState& run, int shop_queue, int last_ante, bool packs_alone = false);

    void start(const Seed& seed);
    const Opening& opening() const { return opening_; }

    BlindId boss(int ante);
    VoucherId voucher(int ante);
    const std::array<TagId, 2>& tags(int ante);   // for skipping the small and the big blind
    const std::vector<Offer>& shop(int ante);     // the queue: rerolls continue it
    const Boosters& boosters(int ante);           // two for each shop: ante 1 has two shops, later antes three
    const PackCards& pack(int ante, int number);  // what the pack of this number holds, counted from 0
    const Legendaries& legendaries(int ante);     // when each Soul is used as it comes
    const StartingDeck& deck();                   // of a run without challenge

private:
    enum class Part : std::uint8_t { boss, voucher, tags, shop, boosters, legendaries };

    struct Ante {
        BitSet<6> drawn{};
        BitSet<booster_kind_count> opened{};
        BlindId boss{};
        VoucherId voucher{};
        std::array<TagId, 2> tags{};
        std::vector<Offer> shop{};
        Boosters boosters{};
        std::array<PackCards, max_packs_in_ante> packs{};
        Legendaries legendaries{};
    };

    Ante& at(int ante) { return antes_[static_cast<std::size_t>(ante - first_ante_)]; }
    int boosters_in(int ante) const { return ante == first_ante_ ? first_boosters_ : max_packs_in_ante; }
    bool first_time(int ante, Part part);
    const PoolContext& context(int ante);
    void fill_shop(int ante);
    void open_packs(int ante, BoosterKind kind);
    void use_souls(int ante);

    Opening opening_;
    int shop_queue_;
    int first_ante_ = 1;
    int first_boosters_ = shops_in_ante(1) * packs_in_shop;
    bool first_booster_made_ = false;
    Streams streams_{};
    PoolContext context_{};
    Blocked blocked_for_souls_{};  // keeps a legendary joker from coming twice
    BossUses boss_uses_{};
    std::vector<Ante> antes_;
    std::optional<StartingDeck> deck_{};
};

}  // namespace jimbo

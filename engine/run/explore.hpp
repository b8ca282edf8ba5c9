// What a seed holds, ante by ante, when nothing is bought.
#pragma once

#include <vector>

#include "catalog/decks.hpp"
#include "catalog/stakes.hpp"
#include "rules/making.hpp"

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

struct FoundPack {
    BoosterId booster{};
    PackCards cards;
};

struct AnteReport {
    int ante = 1;
    BlindId boss{};
    VoucherId voucher{};
    std::array<TagId, 2> tags{};     // for skipping the small and the big blind
    std::vector<Offer> shop;         // the queue: rerolls continue it
    std::vector<FoundPack> packs;    // two for each shop: ante 1 has two shops, later antes three
    std::vector<Offer> legendaries;  // what the Souls of these packs give when each is used as it comes
};

// Which parts a caller wants; streams are independent, so leaving one out changes no other.
struct Wanted {
    bool boss = true;
    bool voucher = true;
    bool tags = true;
    bool packs = true;
    int shop = 20;  // length of the shop queue
};

// What generation starts from with this deck and stake.
Making start_making(DeckId deck, StakeId stake, const Conventions& conventions);

// The packs of an ante's shops, opened one after the other.
std::vector<FoundPack> open_shop_packs(Streams& streams, const Making& making);

// Walks the antes of a seed from 1 upwards.
class Explorer {
public:
    Explorer(const Seed& seed, DeckId deck, StakeId stake, const Conventions& conventions);

    AnteReport next_ante(const Wanted& wanted);

private:
    void fill_shop(AnteReport& report, int length);
    void fill_legendaries(AnteReport& report);

    Streams streams_;
    Conventions conventions_;
    Making making_{};
    Blocked blocked_for_souls_{};  // keeps a legendary joker from coming twice
    BossUses boss_uses_{};
    int shop_slots_ = 2;
    int ante_ = 0;
};

inline constexpr int packs_in_shop = 2;
constexpr int shops_in_ante(int ante) { return ante == 1 ? 2 : 3; }

}  // namespace jimbo

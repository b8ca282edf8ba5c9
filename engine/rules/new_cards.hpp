// How new cards come to be: jokers with edition and stickers, shop slots, packs and their contents.
#pragma once

#include "base/fixed_vector.hpp"
#include "rules/open_points.hpp"
#include "rules/pools.hpp"
#include "state/offer.hpp"

namespace jimbo {

// Weights of the kinds of cards in a shop slot.
struct ShopRates {
    double joker = 20.0;
    double tarot = 4.0;
    double planet = 4.0;
    double playing_card = 0.0;
    double spectral = 0.0;
};

inline constexpr BitSet<joker_count> perishable_jokers = [] {
    BitSet<joker_count> jokers;
    for (const JokerFact& joker : joker_facts) {
        if (joker.perishable) jokers.add(joker.id);
    }
    return jokers;
}();

// What new cards depend on besides the streams.
struct PoolContext {
    int ante = 1;
    Blocked blocked{};
    bool showman = false;  // cards of one pack may repeat
    ShopRates rates{};
    double edition_rate = 1.0;
    bool eternal = false;  // what the stake sticks on jokers
    bool perishable = false;
    BitSet<joker_count> may_perish = perishable_jokers;
    bool rental = false;
    bool all_eternal = false;  // a challenge makes every joker eternal that can be
    bool omen_globe = false;
    bool illusion = false;
    std::optional<ConsumableId> telescope{};  // the planet that leads every Celestial pack
    bool black_hole_poll_after_soul = open_point::black_hole_poll_after_soul;
};

// The streams of one origin of jokers.
struct JokerSource {
    std::array<Stream, 3> pools;  // common, uncommon, rare; an origin of one rarity repeats its stream
    Stream edition;
    Stream rarity = Stream::rarity_sho;   // unused where the rarity is given
    std::optional<Stream> stickers = {};  // only jokers on sale get stickers
    Stream rental = Stream::ssjr;
};

namespace source {
inline constexpr JokerSource shop{{Stream::joker1_sho, Stream::joker2_sho, Stream::joker3_sho},
                                  Stream::edi_sho,
                                  Stream::rarity_sho,
                                  Stream::etperpoll,
                                  Stream::ssjr};
inline constexpr JokerSource buffoon{{Stream::joker1_buf, Stream::joker2_buf, Stream::joker3_buf},
                                     Stream::edi_buf,
                                     Stream::rarity_buf,
                                     Stream::packetper,
                                     Stream::packssjr};
inline constexpr JokerSource judgement{
    {Stream::joker1_jud, Stream::joker2_jud, Stream::joker3_jud}, Stream::edi_jud, Stream::rarity_jud};
inline constexpr JokerSource wraith{{Stream::joker3_wra, Stream::joker3_wra, Stream::joker3_wra}, Stream::edi_wra};
inline constexpr JokerSource riff_raff{{Stream::joker1_rif, Stream::joker1_rif, Stream::joker1_rif}, Stream::edi_rif};
inline constexpr JokerSource top_up{{Stream::joker1_top, Stream::joker1_top, Stream::joker1_top}, Stream::edi_top};
// The jokers of these two tags stand in the shop, so they are polled for stickers there.
inline constexpr JokerSource uncommon_tag{{Stream::joker2_uta, Stream::joker2_uta, Stream::joker2_uta},
                                          Stream::edi_uta,
                                          Stream::rarity_sho,
                                          Stream::etperpoll,
                                          Stream::ssjr};
inline constexpr JokerSource rare_tag{{Stream::joker3_rta, Stream::joker3_rta, Stream::joker3_rta},
                                      Stream::edi_rta,
                                      Stream::rarity_sho,
                                      Stream::etperpoll,
                                      Stream::ssjr};
}  // namespace source

// A joker of the given rarity, or of a drawn one.
Offer make_joker(Streams& streams, const PoolContext& context, const JokerSource& from,
                 std::optional<Rarity> rarity = {});
Offer make_legendary(Streams& streams, const PoolContext& context);
Offer make_shop_card(Streams& streams, const PoolContext& context);

// `scale` is what the game multiplies all chances with (2 for Standard packs); `negative` says whether it may come up.
Edition poll_edition(Streams& streams, StreamKey key, double rate, double scale, bool negative);
// How likely a poll of the game's own rates gives an edition.
double edition_chance(Edition edition, double rate, double scale, bool negative);
// An edition for certain, never Negative (Wheel of Fortune, Aura).
Edition poll_sure_edition(Streams& streams, StreamKey key);
Seal poll_seal_kind(Streams& streams, StreamKey key);
Front pick_front(Streams& streams, StreamKey key);

inline constexpr int max_pack_cards = 5;
using PackCards = FixedVector<Offer, max_pack_cards>;

// Keeps a card that is on display or owned from coming up again.
void block(Blocked& blocked, const Offer& offer);

// One card of a pack; `first` is the card that Telescope decides.
Offer make_pack_card(Streams& streams, const PoolContext& context, BoosterKind kind, bool first);
PackCards open_pack(Streams& streams, PoolContext context, BoosterId booster);

}  // namespace jimbo

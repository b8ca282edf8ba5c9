// Every random stream of the game by number. A key's text is `before` + ante + `after`; run-wide streams have no ante.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jimbo {

// clang-format off
enum class Stream : std::uint8_t {
    // Run-wide.
    boss, shuffle, erratic, voucher_tag, orbital, to_do, legendary, omen_globe, illusion, edition_deck,
    wheel_of_fortune, aura, ectoplasm, hex, ankh_choice, random_destroy, familiar_create, grim_create,
    incantation_create, spe_card, immolate, sigil, ouija, lucky_mult, lucky_money, glass, misprint, bloodstone,
    eight_ball, business, parking, space, gros_michel, cavendish, cert_fr, certsl, marb_fr, madness, invisible,
    perkeo, hook, cerulean_bell, crimson_heart, wheel, aajk, flipped_card,
    // One for each ante.
    cdt, rarity_sho, rarity_buf, rarity_jud, joker1_sho, joker2_sho, joker3_sho, joker1_buf, joker2_buf, joker3_buf,
    joker1_jud, joker2_jud, joker3_jud, joker3_wra, joker1_rif, joker1_top, joker2_uta, joker3_rta, etperpoll,
    packetper, ssjr, packssjr, edi_sho, edi_buf, edi_jud, edi_wra, edi_sou, edi_rif, edi_top, edi_uta, edi_rta,
    tarot_sho, tarot_ar1, tarot_emp, tarot_8ba, tarot_vag, tarot_sup, tarot_car, tarot_hal, planet_sho, planet_pl1,
    planet_pri, spectral_sho, spectral_spe, spectral_ar2, spectral_sea, spectral_sixth, enhanced_sho, enhanced_sta,
    front_sho, front_sta, stdset, standard_edition, stdseal, stdsealtype, soul_tarot, soul_planet, soul_spectral,
    shop_pack, voucher, tag, nr, cashout, idol, mail, anc, cas, halu,
};
// clang-format on

inline constexpr int run_wide_streams = static_cast<int>(Stream::cdt);
inline constexpr int ante_streams = static_cast<int>(Stream::halu) + 1 - run_wide_streams;

constexpr bool is_run_wide(Stream s) { return static_cast<int>(s) < run_wide_streams; }

struct StreamName {
    std::string_view before;
    std::string_view after = {};  // after the ante
};

// clang-format off
inline constexpr std::array<StreamName, run_wide_streams + ante_streams> stream_names{{
    {"boss"}, {"shuffle"}, {"erratic"}, {"Voucher_fromtag"}, {"orbital"}, {"to_do"}, {"Joker4"}, {"omen_globe"},
    {"illusion"}, {"edition_deck"}, {"wheel_of_fortune"}, {"aura"}, {"ectoplasm"}, {"hex"}, {"ankh_choice"},
    {"random_destroy"}, {"familiar_create"}, {"grim_create"}, {"incantation_create"}, {"spe_card"}, {"immolate"},
    {"sigil"}, {"ouija"}, {"lucky_mult"}, {"lucky_money"}, {"glass"}, {"misprint"}, {"bloodstone"}, {"8ball"},
    {"business"}, {"parking"}, {"space"}, {"gros_michel"}, {"cavendish"}, {"cert_fr"}, {"certsl"}, {"marb_fr"},
    {"madness"}, {"invisible"}, {"perkeo"}, {"hook"}, {"cerulean_bell"}, {"crimson_heart"}, {"wheel"}, {"aajk"},
    {"flipped_card"}, {"cdt"}, {"rarity", "sho"}, {"rarity", "buf"}, {"rarity", "jud"}, {"Joker1sho"},
    {"Joker2sho"}, {"Joker3sho"}, {"Joker1buf"}, {"Joker2buf"}, {"Joker3buf"}, {"Joker1jud"}, {"Joker2jud"},
    {"Joker3jud"}, {"Joker3wra"}, {"Joker1rif"}, {"Joker1top"}, {"Joker2uta"}, {"Joker3rta"}, {"etperpoll"},
    {"packetper"}, {"ssjr"}, {"packssjr"}, {"edisho"}, {"edibuf"}, {"edijud"}, {"ediwra"}, {"edisou"}, {"edirif"},
    {"editop"}, {"ediuta"}, {"edirta"}, {"Tarotsho"}, {"Tarotar1"}, {"Tarotemp"}, {"Tarot8ba"}, {"Tarotvag"},
    {"Tarotsup"}, {"Tarotcar"}, {"Tarothal"}, {"Planetsho"}, {"Planetpl1"}, {"Planetpri"}, {"Spectralsho"},
    {"Spectralspe"}, {"Spectralar2"}, {"Spectralsea"}, {"Spectralsixth"}, {"Enhancedsho"}, {"Enhancedsta"},
    {"frontsho"}, {"frontsta"}, {"stdset"}, {"standard_edition"}, {"stdseal"}, {"stdsealtype"}, {"soul_Tarot"},
    {"soul_Planet"}, {"soul_Spectral"}, {"shop_pack"}, {"Voucher"}, {"Tag"}, {"nr"}, {"cashout"}, {"idol"},
    {"mail"}, {"anc"}, {"cas"}, {"halu"},
}};
// clang-format on
static_assert(!stream_names.back().before.empty(), "every stream needs a name");

// A stream at an ante, or the n-th resample stream of it (n >= 2; 0 = the stream itself).
struct StreamKey {
    Stream stream{};
    std::int8_t ante = 0;
    std::uint8_t resample = 0;

    constexpr StreamKey(Stream s, int a = 0, int n = 0)
        : stream(s), ante(static_cast<std::int8_t>(is_run_wide(s) ? 0 : a)), resample(static_cast<std::uint8_t>(n)) {}
    constexpr bool operator==(const StreamKey&) const = default;
};

// The text of a key as the game writes it, e.g. "Joker1sho3_resample2".
class KeyText {
public:
    explicit KeyText(StreamKey key);
    std::string_view view() const { return {text_.data(), static_cast<std::size_t>(length_)}; }

private:
    void append(std::string_view part);
    void append(int number);

    std::array<char, 40> text_{};
    int length_ = 0;
};

// The key of a text, if it is one of the game's.
std::optional<StreamKey> parse_stream_key(std::string_view text);

}  // namespace jimbo

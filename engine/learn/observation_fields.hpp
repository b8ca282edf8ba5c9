// The one list of what an observation holds: what a player sees, and nothing else. learn/observation.hpp includes it
// several times, each time with another meaning of
//     ID(name, rows, columns, vocabulary, parts, doc)           uint8 ids of a vocabulary; 0 = nothing
//     FLAG(name, rows, columns, parts, doc)                     uint8, 0 or 1
//     NUMBER(type, name, rows, columns, low, high, parts, doc)  a number; names with _log hold sign(x) ln(1 + |x|)
// rows 0: a single number; columns 0: one number in each row. Lists are filled from row 0 on and are 0 after their end.

// --- The run -------------------------------------------------------------------------------------------------------
ID(phase, 0, 0, phase, "", "What the player decides next.")
ID(deck, 0, 0, deck, "", "The deck of the run.")
ID(stake, 0, 0, stake, "", "The stake of the run.")
ID(challenge, 0, 0, challenge, "", "The challenge of the run.")
FLAG(won, 0, 0, "", "The boss of ante 8 has been beaten.")
FLAG(gros_michel_extinct, 0, 0, "", "Gros Michel has destroyed itself in this run.")
FLAG(sorts_by_suit, 0, 0, "", "The hand is kept sorted by suit, not by rank.")
ID(last_used, 0, 0, consumable, "", "The last tarot or planet used, which The Fool copies.")
NUMBER(i16, ante, 0, 0, any, any, "", "The present ante.")
NUMBER(i16, round, 0, 0, 0, any, "", "Blinds started so far.")
NUMBER(i16, skips, 0, 0, 0, any, "", "Blinds skipped in the run.")
NUMBER(i16, run_hands, 0, 0, 0, any, "", "Hands played in the run.")
NUMBER(i16, unused_discards, 0, 0, 0, any, "", "Discards left over at the ends of rounds so far (Garbage Tag).")
NUMBER(i16, tarots_used, 0, 0, 0, any, "", "Tarots used in the run (Fortune Teller).")
NUMBER(i16, planets_used, 0, 0, 0, 12, "", "Different planets used in the run (Satellite).")
NUMBER(i16, ectoplasms, 0, 0, 0, any, "", "Ectoplasms used in the run; the next one costs one hand size more.")

// --- Money ---------------------------------------------------------------------------------------------------------
NUMBER(f32, dollars_log, 0, 0, any, any, "", "Dollars on the logarithmic scale; below 0 in debt.")
NUMBER(i16, dollars, 0, 0, any, any, "", "Dollars, cut off at the limits of the type.")
NUMBER(i16, spendable, 0, 0, any, any, "", "Dollars that can be spent, with the debt that Credit Card allows.")
NUMBER(i16, payout, 0, 0, any, any, "", "Dollars the cash-out will pay; 0 except in the phase round_eval.")
NUMBER(i16, reroll_price, 0, 0, 0, any, "", "What the next reroll of the shop costs.")
NUMBER(i16, free_rerolls, 0, 0, 0, any, "", "Free rerolls left in this shop.")
NUMBER(i16, inflation, 0, 0, 0, any, "", "Dollars that purchases added to every price (a challenge).")

// --- Limits --------------------------------------------------------------------------------------------------------
NUMBER(i16, hands_left, 0, 0, any, any, "", "Hands left in this round; between rounds those of the next.")
NUMBER(i16, discards_left, 0, 0, any, any, "", "Discards left in this round; between rounds those of the next.")
NUMBER(i16, hands_played, 0, 0, 0, any, "", "Hands played in this round, or the last one.")
NUMBER(i16, discards_used, 0, 0, 0, any, "", "Discards used in this round, or the last one.")
NUMBER(i16, hands_per_round, 0, 0, any, any, "", "Hands a round starts with.")
NUMBER(i16, discards_per_round, 0, 0, any, any, "", "Discards a round starts with.")
NUMBER(i16, hand_size, 0, 0, 0, any, "", "Cards the hand can hold now.")
NUMBER(i16, joker_slots, 0, 0, any, any, "", "Joker slots, without those that Negative jokers bring.")
NUMBER(i16, joker_room, 0, 0, any, any, "", "Free joker slots; below 0 when a slot was lost.")
NUMBER(i16, consumable_slots, 0, 0, any, any, "", "Consumable slots, without those that Negative consumables bring.")
NUMBER(i16, consumable_room, 0, 0, any, any, "", "Free consumable slots.")
NUMBER(i16, shop_slots, 0, 0, 0, any, "", "Cards on sale when a shop opens.")

// --- The blinds of this ante ---------------------------------------------------------------------------------------
ID(blind_on_deck, 0, 0, blind_slot, "", "The blind that comes next or is being played.")
ID(boss, 0, 0, blind, "", "The boss of this ante.")
FLAG(boss_rerolled, 0, 0, "", "The reroll of the boss that Director's Cut gives is spent in this ante.")
ID(most_played, 0, 0, hand, "", "The hand played most when the ante began, which The Ox punishes.")
ID(skip_tag, 2, 0, tag, "small,big", "The tags for skipping the small and the big blind.")
ID(skip_tag_hand, 2, 0, hand, "small,big", "The hand that such a tag raises, if it is an Orbital Tag.")
ID(voucher, 0, 0, voucher, "", "The voucher of this ante once it has been shown; nothing after it was redeemed.")
NUMBER(f32, blind_targets_log, 3, 0, 0, any, "small,big,boss", "Scores to reach in the blinds of this ante.")

// --- The blind in play ---------------------------------------------------------------------------------------------
ID(blind, 0, 0, blind, "", "The blind being played.")
FLAG(blind_disabled, 0, 0, "", "Its ability has been ended.")
ID(blind_only_hand, 0, 0, hand, "", "The one hand that The Mouth still allows.")
NUMBER(i16, blind_reward, 0, 0, 0, any, "", "Dollars for beating it.")
NUMBER(f32, target_log, 0, 0, 0, any, "", "Score to reach in it.")
NUMBER(f32, chips_log, 0, 0, 0, any, "", "Scored in it so far.")
NUMBER(f32, score_share, 0, 0, 0, 1, "", "Scored so far, as a share of the target, at most 1.")

// --- The last hand -------------------------------------------------------------------------------------------------
NUMBER(f32, last_score_log, 0, 0, 0, any, "", "What the last hand played scored.")
NUMBER(f32, last_chips_log, 0, 0, 0, any, "", "Its chips before multiplication.")
NUMBER(f32, last_mult_log, 0, 0, any, any, "", "Its mult.")
ID(last_hand, 0, 0, hand, "", "The hand last played in the run.")
FLAG(last_blocked, 0, 0, "", "The boss made it score nothing.")

// --- Poker hands ---------------------------------------------------------------------------------------------------
NUMBER(f32, poker_chips_log, 12, 0, 0, any, "@hand", "Base chips of each poker hand at its level.")
NUMBER(f32, poker_mult_log, 12, 0, 0, any, "@hand", "Base mult of each poker hand at its level.")
NUMBER(i16, poker_level, 12, 0, 1, any, "@hand", "Level of each poker hand.")
NUMBER(i16, poker_played, 12, 0, 0, any, "@hand", "Times each poker hand was played in the run.")
NUMBER(u8, poker_played_round, 12, 0, 0, any, "@hand", "Times each poker hand was played in this round.")

// --- Cards in hand, left to right ----------------------------------------------------------------------------------
NUMBER(u8, n_hand, 0, 0, 0, 64, "", "Cards in hand.")
ID(hand_rank, 64, 0, rank, "", "Rank; nothing for a Stone Card or a card that lies face down.")
ID(hand_suit, 64, 0, suit, "", "Suit; nothing for a Stone Card or a card that lies face down.")
ID(hand_enhancement, 64, 0, enhancement, "", "Enhancement; nothing for a card that lies face down.")
ID(hand_edition, 64, 0, edition, "", "Edition; nothing for a card that lies face down.")
ID(hand_seal, 64, 0, seal, "", "Seal; nothing for a card that lies face down.")
FLAG(hand_debuffed, 64, 0, "", "The card is debuffed; 0 for a card that lies face down.")
FLAG(hand_forced, 64, 0, "", "Cerulean Bell wants the card in every play, discard and choice of targets.")
FLAG(hand_face_down, 64, 0, "", "The card lies face down, and nothing else of it is known.")
FLAG(selected, 64, 0, "", "The card is selected (encoding \"steps\").")
NUMBER(i16, hand_bonus, 64, 0, 0, any, "", "Chips the card gained for good (Hiker); 0 for one that lies face down.")

// --- Jokers, left to right -----------------------------------------------------------------------------------------
NUMBER(u8, n_jokers, 0, 0, 0, 32, "", "Jokers owned.")
ID(joker_id, 32, 0, joker, "", "Which joker; nothing for one that lies face down.")
ID(joker_edition, 32, 0, edition, "", "Edition; nothing for a joker that lies face down.")
FLAG(joker_flags, 32, 6, "eternal,perishable,rental,debuffed,pinned,face_down",
     "Stickers and state; for a joker that lies face down, only that it does.")
NUMBER(u8, joker_perish_left, 32, 0, 0, 5, "", "Rounds until a perishable joker is debuffed for good; 0 for others.")
NUMBER(i16, joker_sell, 32, 0, 0, any, "", "What selling it brings.")
NUMBER(f32, joker_counter_log, 32, 0, any, any, "", "Its growing whole number (chips, mult, rounds, a hand type...).")
NUMBER(f32, joker_x_mult_log, 32, 0, 0, any, "", "Its growing multiplier less 1.")
ID(hidden_joker, 32, 0, joker, "", "The jokers that lie face down in the order of the catalogue, wherever they lie.")

// --- Consumables, left to right ------------------------------------------------------------------------------------
NUMBER(u8, n_consumables, 0, 0, 0, 48, "", "Consumables owned.")
ID(consumable_id, 48, 0, consumable, "", "Which consumable.")
ID(consumable_edition, 48, 0, edition, "", "Its edition.")
NUMBER(i16, consumable_sell, 48, 0, 0, any, "", "What selling it brings.")

// --- The shop ------------------------------------------------------------------------------------------------------
NUMBER(u8, n_shop, 0, 0, 0, 8, "", "Cards on sale.")
ID(shop_kind, 8, 0, offer, "", "Kind of a card on sale.")
ID(shop_joker, 8, 0, joker, "", "Which joker, if it is one.")
ID(shop_consumable, 8, 0, consumable, "", "Which consumable, if it is one.")
ID(shop_rank, 8, 0, rank, "", "Rank of a playing card; nothing for a Stone Card.")
ID(shop_suit, 8, 0, suit, "", "Suit of a playing card; nothing for a Stone Card.")
ID(shop_enhancement, 8, 0, enhancement, "", "Enhancement of a playing card.")
ID(shop_seal, 8, 0, seal, "", "Seal of a playing card.")
ID(shop_edition, 8, 0, edition, "", "Edition.")
FLAG(shop_stickers, 8, 3, "eternal,perishable,rental", "Stickers of a joker.")
NUMBER(i16, shop_price, 8, 0, 0, any, "", "Price.")
ID(shop_voucher, 8, 0, voucher, "", "Vouchers on sale.")
NUMBER(i16, shop_voucher_price, 8, 0, 0, any, "", "Their prices.")
ID(shop_booster, 4, 0, booster, "", "Packs on sale.")
NUMBER(i16, shop_booster_price, 4, 0, 0, any, "", "Their prices.")

// --- An open pack --------------------------------------------------------------------------------------------------
ID(pack, 0, 0, booster, "", "The open pack.")
NUMBER(u8, pack_picks, 0, 0, 0, 2, "", "Cards that may still be taken from it.")
NUMBER(u8, n_pack, 0, 0, 0, 5, "", "Cards left in it.")
ID(pack_kind, 5, 0, offer, "", "Kind of a card in it.")
ID(pack_joker, 5, 0, joker, "", "Which joker, if it is one.")
ID(pack_consumable, 5, 0, consumable, "", "Which consumable, if it is one.")
ID(pack_rank, 5, 0, rank, "", "Rank of a playing card; nothing for a Stone Card.")
ID(pack_suit, 5, 0, suit, "", "Suit of a playing card; nothing for a Stone Card.")
ID(pack_enhancement, 5, 0, enhancement, "", "Enhancement of a playing card.")
ID(pack_seal, 5, 0, seal, "", "Seal of a playing card.")
ID(pack_edition, 5, 0, edition, "", "Edition.")
FLAG(pack_stickers, 5, 3, "eternal,perishable,rental", "Stickers of a joker.")

// --- Vouchers and tags ---------------------------------------------------------------------------------------------
FLAG(vouchers, 32, 0, "@voucher", "Vouchers owned.")
NUMBER(u8, n_tags, 0, 0, 0, 32, "", "Tags held.")
ID(tag, 32, 0, tag, "", "Tags held, oldest first.")
ID(tag_hand, 32, 0, hand, "", "The hand that a held Orbital Tag raises.")

// --- Playing cards, counted (suits: spades, hearts, clubs, diamonds) -----------------------------------------------
NUMBER(u8, n_deck, 0, 0, 0, 240, "", "Playing cards of the run, wherever they are.")
NUMBER(u8, deck_fronts, 4, 13, 0, 240, "@rank", "The full deck: cards of each suit and rank, without Stone Cards.")
NUMBER(u8, deck_enhancements, 9, 0, 0, 240, "@enhancement", "The full deck by enhancement.")
NUMBER(u8, deck_editions, 5, 0, 0, 240, "@edition", "The full deck by edition.")
NUMBER(u8, deck_seals, 5, 0, 0, 240, "@seal", "The full deck by seal.")
NUMBER(u8, n_unseen, 0, 0, 0, 240, "", "Unseen cards: the draw pile and the cards that lie face down in the hand.")
NUMBER(u8, unseen_fronts, 4, 13, 0, 240, "@rank", "Unseen cards of each suit and rank, without Stone Cards.")
NUMBER(u8, unseen_enhancements, 9, 0, 0, 240, "@enhancement", "Unseen cards by enhancement.")
NUMBER(u8, unseen_editions, 5, 0, 0, 240, "@edition", "Unseen cards by edition.")
NUMBER(u8, unseen_seals, 5, 0, 0, 240, "@seal", "Unseen cards by seal.")
NUMBER(u8, n_discarded, 0, 0, 0, 240, "", "Cards played or discarded in this round.")
NUMBER(u8, discarded_fronts, 4, 13, 0, 240, "@rank", "Those cards by suit and rank, without Stone Cards.")

// --- What some jokers look for, while such a joker is owned or on offer --------------------------------------------
ID(idol_rank, 0, 0, rank, "", "The Idol's rank in this round.")
ID(idol_suit, 0, 0, suit, "", "The Idol's suit in this round.")
ID(mail_rank, 0, 0, rank, "", "Mail-In Rebate's rank in this round.")
ID(ancient_suit, 0, 0, suit, "", "Ancient Joker's suit in this round.")
ID(castle_suit, 0, 0, suit, "", "Castle's suit in this round.")

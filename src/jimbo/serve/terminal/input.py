"""What a player of ``jimbo play`` types, read into actions and requests."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from jimbo.engine import Action, PublicState
from jimbo.serve.game import BadInput
from jimbo.text import PHASES
from jimbo.text.items import Item


class Leave(Exception):
    """The player leaves."""


class NotACommand(BadInput):
    """A word that means nothing, and what to do instead."""

    def __init__(self, word: str, remedy: str) -> None:
        super().__init__(f'"{word}" is not a command. {remedy}')
        self.word = word


@dataclass(frozen=True, slots=True)
class Request:
    """Something to show or do that is not an action of the game."""

    kind: str
    """help, look, levels, deck, inspect, preview, hint, sort, undo, save or quit."""
    text: str = ""
    number: int = 0
    cards: tuple[int, ...] = ()
    muted: tuple[str, ...] = ()
    """Jokers of a preview that are to do nothing: j1, j2."""
    numbers: tuple[str, ...] = ()
    """Other numbers on jokers of a preview: j3:12."""


WORDS = {
    "p": "play",
    "d": "discard",
    "b": "buy",
    "bu": "buy_and_use",
    "v": "redeem",
    "o": "open_booster",
    "k": "pick",
    "u": "use",
    "s": "sell",
    "m": "move",
    "x": "skip",
    "n": "next",
    "r": "reroll",
    "pv": "preview",
    "i": "inspect",
    "l": "levels",
    "dk": "deck",
    "h": "help",
    "?": "help",
    "q": "quit",
    # Other words for the same things.
    "voucher": "redeem",
    "open": "open_booster",
    "exit": "quit",
    "look": "look",
    "": "look",
}

_LUCK = ("none", "expected", "all")
# The action of a bare letter in each phase.
_NEXT = {"blind_select": "select_blind", "round_eval": "cash_out", "shop": "leave_shop"}
_SKIP = {"blind_select": "skip_blind", "pack_opening": "skip_pack"}
_REROLL = {"blind_select": "reroll_boss", "shop": "reroll"}
ZONES: dict[str, Callable[[PublicState], Sequence[Item]]] = {
    "": lambda state: state.hand,
    "j": lambda state: state.jokers,
    "c": lambda state: state.consumables,
    "b": lambda state: state.shop,
    "v": lambda state: state.shop_vouchers,
    "o": lambda state: state.shop_boosters,
    "k": lambda state: state.pack.cards if state.pack else (),
    "t": lambda state: state.tags,
}
"""What each letter of the screen stands before."""
_BARE = {"next": _NEXT, "skip": _SKIP, "reroll": _REROLL}
_LETTERS = {"sell_joker": "j", "sell_consumable": "c", "move_joker": "j", "move_consumable": "c", "move_card": ""}
_SPOKEN = {"open_booster": "open"}
_PLACES = {"buy": "b", "buy_and_use": "b", "redeem": "v", "open_booster": "o", "pick": "k", "use": "c"}


def read_line(line: str, state: PublicState) -> Action | Request:
    """The meaning of a line. Raises BadInput."""
    word, arguments = _split(line)
    kind = WORDS.get(word, word)
    reader = _READERS.get(kind)
    if reader is None:
        raise NotACommand(word, "Type ? for what can be done now.")
    return reader(kind, arguments, state)


def read_action(text: str, state: PublicState) -> Action:
    """Read an action as it is typed in ``jimbo play``, as ``look`` lists it, with its meaning in brackets, or as the
    engine calls it; words between that mean nothing are passed over. BadInput with a remedy for anything else."""
    plain = re.sub(r"\(.*\)\s*$", "", text)
    named = "_".join(word for word in plain.lower().replace("_", " ").split() if word != "the")
    if any(named in names.values() for names in _BARE.values()):
        return Action(named)
    try:
        meant = read_line(re.sub(r"\b(cards?|on|by)\b|[\[\]]", " ", plain), state)
    except BadInput as wrong:
        raise BadInput(str(wrong).replace(" Type ? for what can be done now.", "")) from None
    if isinstance(meant, Action):
        return meant
    if meant.kind == "sort":
        return Action(f"sort_hand_by_{meant.text}")
    raise BadInput(f'"{meant.kind}" is not an action of the game.')


def _split(line: str) -> tuple[str, list[str]]:
    """``p1 2``, ``p 1,2`` and ``P 1 2`` are one; so are ``sj1`` and ``s j1``."""
    text = line.strip()
    if text.lower().startswith("save "):
        return "save", [text[5:].strip()]
    text = re.sub(r"^([smi])([a-z]\d)", r"\1 \2", text.lower())
    match = re.match(r"[a-z_]+|\?", text)
    return (match[0], text[match.end() :].replace(",", " ").split()) if match else (text, [])


def typed(action: Action) -> str:
    """Return a line that ``read_line`` reads as this action, in whole words."""
    cards = [f"{place + 1}" for place in action.cards]
    kind, place = action.kind.value, action.index + 1
    match kind:
        case "play" | "discard":
            words = [kind, *cards]
        case "sell_joker" | "sell_consumable":
            words = ["sell", f"{_LETTERS[kind]}{place}"]
        case "move_joker" | "move_consumable" | "move_card":
            words = ["move", f"{_LETTERS[kind]}{place}", f"{action.to + 1}"]
        case "sort_hand_by_rank" | "sort_hand_by_suit":
            words = ["sort", kind.rpartition("_")[2]]
        case _ if kind in _PLACES:
            words = [_SPOKEN.get(kind, kind), f"{_PLACES[kind]}{place}", *cards]
        case _:
            words = [next(word for word, names in _BARE.items() if kind in names.values())]
    return " ".join(words)


# --- Numbers ----------------------------------------------------------------------------------------------------------


def _place(text: str, letters: str) -> tuple[str, int]:
    """``j2`` as ("j", 1) and ``2`` as ("", 1): places count from 1 on the screen and from 0 in the engine."""
    match = re.fullmatch(r"([a-z]?)(\d{1,3})", text)
    if not match or (match[1] and match[1] not in letters) or int(match[2]) < 1:
        wanted = f" such as {letters[0]}1" if letters else ""
        raise BadInput(f'"{text}" is not a place; write a number{wanted}.')
    return match[1], int(match[2]) - 1


def _cards(arguments: Sequence[str], state: PublicState) -> list[int]:
    """Places in the hand, from 0: ``1 2 3``, ``1-3`` or, as no hand is that large, ``123``."""
    size = len(state.hand)
    places: list[int] = []
    for text in arguments:
        span = re.fullmatch(r"(\d{1,9})-(\d{1,9})", text)
        if span:
            places.extend(range(int(span[1]), min(int(span[2]), size + 1) + 1))
        elif not re.fullmatch(r"\d{1,99}", text):
            raise BadInput(f'"{text}" is not a card; the cards of the hand are numbered 1 to {size}.')
        elif int(text) > size and len(text) > 1:
            places.extend(map(int, text))
        else:
            places.append(int(text))
    for place in places:
        if not 1 <= place <= size:
            raise BadInput(
                f"There is no card {place} in the hand; it has {size}." if size else "No hand has been dealt."
            )
    return sorted({place - 1 for place in places})


# --- Commands ---------------------------------------------------------------------------------------------------------


def _by_phase(names: dict[str, str], what: str) -> Callable[[str, list[str], PublicState], Action]:
    def read(_kind: str, arguments: list[str], state: PublicState) -> Action:
        _none(arguments)
        if state.phase not in names:
            raise BadInput(f"There is nothing to {what} {PHASES.get(state.phase, 'any more')}.{_instead(state)}")
        return Action(names[state.phase])

    return read


def _instead(state: PublicState) -> str:
    if state.phase == "selecting_hand":
        return " Play (p) or discard (d) cards."
    return " Take a card (k) or skip (x)." if state.phase == "pack_opening" else ""


def _none(arguments: list[str]) -> None:
    if arguments:
        raise BadInput(f'Nothing more than the letter is needed; "{" ".join(arguments)}" is too much.')


def _hand_action(kind: str, arguments: list[str], state: PublicState) -> Action:
    if state.phase != "selecting_hand":
        raise BadInput(f"Cards are {'played' if kind == 'play' else 'discarded'} only during a round.")
    cards = _cards(arguments, state)
    if not cards:
        raise BadInput(f"Which cards? Write their numbers, such as {kind[0]} 1 2 3.")
    return Action(kind, cards=cards)


def _item_action(kind: str, arguments: list[str], state: PublicState) -> Action:
    letter = _PLACES[kind]
    owned = ZONES[letter](state)
    if not owned:
        names = {"b": "no card on sale", "v": "no voucher", "o": "no pack on sale", "k": "no open pack"}
        raise BadInput(f"There is {names.get(letter, 'no consumable')} here.")
    if not arguments and len(owned) > 1:
        raise BadInput(f"Which one? Write its number, {letter}1 to {letter}{len(owned)}.")
    _, index = _place(arguments[0], letter) if arguments else ("", 0)
    if index >= len(owned):
        raise BadInput(f"There is no {letter}{index + 1}; the last is {letter}{len(owned)}.")
    if len(arguments) > 1 and kind not in ("use", "buy_and_use", "pick"):
        raise BadInput("One at a time, please.")
    return Action(kind, index=index, cards=_cards(arguments[1:], state))


def _sell(_kind: str, arguments: list[str], state: PublicState) -> Action:
    if len(arguments) != 1:
        raise BadInput("Sell what? Write s j1 for a joker, s c1 for a consumable.")
    letter, index = _place(arguments[0], "jc")
    if not letter:
        raise BadInput(f"A joker or a consumable? Write s j{index + 1} or s c{index + 1}.")
    _check_owned(letter, index, state)
    return Action("sell_joker" if letter == "j" else "sell_consumable", index=index)


def _check_owned(letter: str, index: int, state: PublicState) -> None:
    owned = len(ZONES[letter](state))
    if index >= owned:
        has = f"the last is {letter}{owned}" if owned else f"you have no {'jokers' if letter == 'j' else 'consumables'}"
        raise BadInput(f"There is no {letter}{index + 1}; {has}.")


def _move(_kind: str, arguments: list[str], state: PublicState) -> Action:
    if len(arguments) != 2:
        raise BadInput("Move what where? Write m j1 3 for a joker, m 5 1 for a card of the hand.")
    letter, index = _place(arguments[0], "jc")
    _, to = _place(arguments[1], letter)
    if letter:
        _check_owned(letter, index, state)
        _check_owned(letter, to, state)
    else:
        _cards([str(index + 1)], state)
        _cards([str(to + 1)], state)
    if index == to:
        raise BadInput("It is already there.")
    return Action({"j": "move_joker", "c": "move_consumable", "": "move_card"}[letter], index=index, to=to)


def _preview(_kind: str, arguments: list[str], state: PublicState) -> Request:
    luck = [text for text in arguments if text in _LUCK]
    muted = [text for text in arguments if re.fullmatch(r"-j\d{1,3}", text)]
    numbers = [text for text in arguments if re.fullmatch(r"j\d{1,3}=[\d.]{1,9}", text)]
    named = [text for text in arguments if text not in (*_LUCK, *muted, *numbers)]
    asked = Request(
        "preview",
        luck[0] if luck else "",
        muted=tuple(text[1:] for text in muted),
        numbers=tuple(text.replace("=", ":") for text in numbers),
    )
    if state.phase == "selecting_hand" and not named:
        return asked
    action = _hand_action("play", named, state)
    if any(state.hand[i].face_down for i in action.cards):
        raise BadInput("A face-down card is among them: nobody knows what it would score.")
    return replace(asked, cards=tuple(action.cards))


def _sort(_kind: str, arguments: list[str], _state: PublicState) -> Request:
    for by in ("rank", "suit"):
        if len(arguments) == 1 and by.startswith(arguments[0]):
            return Request("sort", by)
    raise BadInput("Sort by what? Write sort rank or sort suit.")


def _undo(_kind: str, arguments: list[str], _state: PublicState) -> Request:
    if not arguments:
        return Request("undo", number=1)
    if len(arguments) > 1 or not re.fullmatch(r"\d{1,9}", arguments[0]) or int(arguments[0]) < 1:
        raise BadInput("How many steps? Write undo, or undo 3 for three.")
    return Request("undo", number=int(arguments[0]))


def _inspect(_kind: str, arguments: list[str], _state: PublicState) -> Request:
    if len(arguments) != 1:
        raise BadInput("Inspect what? Write i j1, c1, b1, v1, o1, k1, t1, i 3 for a card of the hand, or i boss.")
    return Request("inspect", arguments[0])


def _save(_kind: str, arguments: list[str], _state: PublicState) -> Request:
    return Request("save", arguments[0] if arguments else "")


def _plain(kind: str, arguments: list[str], _state: PublicState) -> Request:
    _none(arguments)
    return Request(kind)


_READERS: dict[str, Callable[[str, list[str], PublicState], Action | Request]] = {
    "play": _hand_action,
    "discard": _hand_action,
    **dict.fromkeys(_PLACES, _item_action),
    "next": _by_phase(_NEXT, "go on to"),
    "skip": _by_phase(_SKIP, "skip"),
    "reroll": _by_phase(_REROLL, "reroll"),
    "sell": _sell,
    "move": _move,
    "preview": _preview,
    "sort": _sort,
    "undo": _undo,
    "inspect": _inspect,
    "save": _save,
    **dict.fromkeys(("help", "look", "levels", "deck", "hint", "quit"), _plain),
}

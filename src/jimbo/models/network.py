"""An entity network: it looks at the things of a state as tokens, scores the candidates, and says what it expects.

It is given the arrays of ``inputs``. Cards, jokers, offers... become tokens that look at one another; a further token
stands for the state as a whole. A candidate is what its ids and numbers say, with the tokens of the cards it names; the
best of all candidates is told to each, so that each can be compared with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import torch
from torch import Tensor, nn

from jimbo.data.samples import candidate_widths
from jimbo.engine import LAST_ANTE, vocabulary
from jimbo.models.checkpoint import NetworkConfig
from jimbo.models.graph_embedding import joker_table
from jimbo.models.inputs import CANDIDATES, STATE, Inputs, Tokens, candidate_vocabularies, layout, list_names
from jimbo.models.outputs import BLINDS_AHEAD

HAND = layout().tokens[0].name
"""The first list, whose cards candidates name."""
_VOCABULARIES = tuple(
    dict.fromkeys([*candidate_vocabularies(), *(name for tokens in layout().tokens for name in tokens.vocabularies)])
)
_OFFSETS = dict(
    zip(_VOCABULARIES, accumulate((len(vocabulary(name)) for name in _VOCABULARIES), initial=0), strict=False)
)
"""All vocabularies lie in one table, one after another."""
_FEW_ROWS = 25
"""For each id: with so many rows of a table at most, counting ids is faster than adding up rows."""
NOWHERE = -1e9
"""In place of minus infinity, which makes NaN if nothing is left."""
_FEW_PAIRS = 1024
"""Pairs of tokens, counted for each two heads, up to which heads look together: calls take most time then."""


class Judgement(NamedTuple):
    """The answer of a network to a batch."""

    logits: Tensor
    """[B, K]: of the candidates; very low where there is none."""
    win: Tensor
    """[B]: logit of winning the run."""
    clear: Tensor
    """[B, BLINDS_AHEAD]: logits of beating one more blind, two more, ..."""
    ante: Tensor
    """[B, LAST_ANTE]: logits of the ante in which the run ends, from ante 1 on (a win ends in the last)."""


class Encoding(NamedTuple):
    """What a network sees in a batch, before it says what it expects."""

    logits: Tensor
    """[B, K]"""
    known: Tensor
    """[B, 2 * width]: the state, and the best of the candidates."""


class EntityTrunk(nn.Module):
    """The common part of all networks: things become tokens that look at one another, candidates become vectors."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.names = nn.Embedding(sum(len(vocabulary(name)) for name in _VOCABULARIES), width)
        nn.init.normal_(self.names.weight, std=width**-0.5)
        self.state = _State(width)
        self.lists = nn.ModuleDict({tokens.name: _List(tokens, width) for tokens in layout().tokens})
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(width)
        self.graph = GraphInput(config.graph_dim, width) if config.graph_dim else None

    def look(
        self, state_ids: Tensor, state_numbers: Tensor, lists: Mapping[str, Tensor], graph: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """[B, width] the state as a whole, [B, cards, width] the cards in hand. ``lists``: inputs of ``list_names``.

        ``graph``: [B, graph_dim], in place of what the knowledge graph of the package says of the jokers.
        """
        whole = self.state(state_ids, state_numbers)
        if self.graph is not None:
            whole = whole + self.graph(lists["jokers_ids"], graph)
        tokens = [whole.unsqueeze(1)]
        there = [torch.ones_like(state_ids[:, :1], dtype=torch.bool)]
        for name, part in self.lists.items():
            ids = lists[f"{name}_ids"]
            if name != HAND and ids.shape[1] == 0:
                continue  # nothing of this kind in the whole batch
            tokens.append(part(self.names, ids, lists.get(f"{name}_numbers")))
            there.append(ids[..., 0] > 0)
        hand = tokens[1].shape[1]
        x, present = torch.cat(tokens, dim=1), torch.cat(there, dim=1)
        hidden = torch.zeros_like(present, dtype=x.dtype).masked_fill(~present, NOWHERE)[:, None, None, :]
        *inner, last = self.layers
        for layer in inner:
            x = layer(x, hidden, x.shape[1])
        x = self.norm(last(x, hidden, 1 + hand))
        return x[:, 0], x[:, 1:]


class EntityNetwork(EntityTrunk):
    def __init__(self, config: NetworkConfig) -> None:
        super().__init__(config)
        width = config.width
        self.candidates = _Candidates(width)
        self.outlook = nn.Sequential(
            nn.Linear(2 * width, width),
            nn.GELU(),
            nn.Dropout(config.dropout),
            nn.Linear(width, 1 + BLINDS_AHEAD + LAST_ANTE),
        )

    def forward(self, inputs: Mapping[str, Tensor]) -> Encoding:
        """Return what it sees in inputs by their names."""
        lists = {name: inputs[name] for name in list_names()}
        state, cards = self.look(inputs[STATE[0]], inputs[STATE[1]], lists)
        descriptions, which, candidate_cards, numbers, mask = (inputs[name] for name in CANDIDATES)
        told = self.candidates.told(self.names, cards, descriptions, which, candidate_cards)
        logits, best = self.candidates(state, told, numbers, mask)
        return Encoding(logits, torch.cat([state, best], dim=-1))

    def judge(self, inputs: Mapping[str, Tensor]) -> Judgement:
        """Return the answer to inputs by their names."""
        return self.expect(self(inputs))

    def expect(self, seen: Encoding) -> Judgement:
        # All decisions of a game have nearly the same outcome. If the tokens learnt it, they would know games by heart.
        win, clear, ante = self.outlook(seen.known.detach()).split([1, BLINDS_AHEAD, LAST_ANTE], dim=-1)
        return Judgement(seen.logits, win.squeeze(-1), clear, ante)


def judged(network: EntityNetwork, inputs: Inputs) -> Judgement:
    """Return the answer to arrays, on whatever device the network is."""
    device = network.names.weight.device
    return network.judge({name: torch.from_numpy(array).to(device) for name, array in inputs.items()})


class _Summed(nn.Module):
    """Adds up what ids stand for; each column of ids has a part of the table for itself, or shares one."""

    offsets: Tensor
    rows: Tensor
    counted: Tensor

    def __init__(self, offsets: Sequence[int], sizes: Sequence[int]) -> None:
        super().__init__()
        parts = dict(zip(offsets, sizes, strict=True))
        starts = dict(zip(parts, accumulate(parts.values(), initial=0), strict=False))
        rows = [first + place for first, size in parts.items() for place in range(size)]
        self.register_buffer("offsets", torch.tensor(list(offsets)), persistent=False)
        self.register_buffer("rows", torch.tensor(rows), persistent=False)
        self.register_buffer("counted", torch.tensor([starts[first] for first in offsets]), persistent=False)
        self.few = len(rows) <= _FEW_ROWS * len(offsets)

    def forward(self, table: nn.Embedding, ids: Tensor) -> Tensor:
        if self.few and torch.is_grad_enabled():
            return self._by_counting(table, ids)
        return torch.sum(table(ids.long() + self.offsets), dim=-2)

    def _by_counting(self, table: nn.Embedding, ids: Tensor) -> Tensor:
        """Do it in one product. It learns in a third of the time: gradients need no adding up by rows."""
        used = table.weight.index_select(0, self.rows)
        counts = used.new_zeros(*ids.shape[:-1], len(used))
        counts.scatter_add_(-1, ids.long() + self.counted, used.new_ones(()).expand(ids.shape))
        return counts @ used


class GraphInput(nn.Module):
    """What the knowledge graph says of the jokers of a state: the mean of their embeddings, which are not learnt."""

    table: Tensor

    def __init__(self, dim: int, width: int) -> None:
        super().__init__()
        made = joker_table()
        known = torch.from_numpy(made) if made.shape[1] == dim else torch.zeros(len(made), dim)
        self.register_buffer("table", known)
        self.out = nn.Linear(dim, width, bias=False)
        jokers = next(tokens for tokens in layout().tokens if tokens.name == "jokers")
        self.column = 1 + jokers.vocabularies.index("joker")

    def forward(self, joker_ids: Tensor, given: Tensor | None = None) -> Tensor:
        """[B, width]; without jokers, and with a file of another width, nothing."""
        if given is None:
            ids = joker_ids[..., self.column].long()
            there = (ids > 0).to(self.table.dtype).unsqueeze(-1)
            found = nn.functional.embedding(ids, self.table) * there
            given = found.sum(dim=1) / there.sum(dim=1).clamp(min=1.0)
        told: Tensor = self.out(given)
        return told


def _named(vocabularies: Sequence[str]) -> _Summed:
    return _Summed([_OFFSETS[name] for name in vocabularies], [len(vocabulary(name)) for name in vocabularies])


class _State(nn.Module):
    """The state as a whole: every id has a table of its own, because the same blind can be the next or the last."""

    def __init__(self, width: int) -> None:
        super().__init__()
        sizes = layout().state_sizes
        self.summed = _Summed([0, *accumulate(sizes)][:-1], sizes)
        self.ids = nn.Embedding(sum(sizes), width)
        nn.init.normal_(self.ids.weight, std=width**-0.5)
        self.numbers = nn.Linear(layout().state_numbers.width, 2 * width)
        self.out = nn.Linear(2 * width, width)

    def forward(self, ids: Tensor, numbers: Tensor) -> Tensor:
        told: Tensor = self.summed(self.ids, ids) + self.out(nn.functional.gelu(self.numbers(numbers)))
        return told


class _List(nn.Module):
    """The things of one list, each as a token."""

    def __init__(self, tokens: Tokens, width: int) -> None:
        super().__init__()
        self.summed = _named(tokens.vocabularies)
        self.names = nn.Linear(width, width)
        self.numbers = nn.Linear(tokens.numbers.width, width, bias=False) if tokens.has_numbers else None

    def forward(self, table: nn.Embedding, ids: Tensor, numbers: Tensor | None) -> Tensor:
        named: Tensor = self.names(self.summed(table, ids[..., 1:]))
        return named if self.numbers is None else named + self.numbers(numbers)


class CandidateTokens(nn.Module):
    """A vector for each candidate: what its ids and numbers say, the cards it names, and the state it is met in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.summed = _named(candidate_vocabularies())
        self.names = nn.Linear(width, width)
        self.numbers = nn.Linear(candidate_widths()[1], width, bias=False)
        self.cards = nn.Linear(width, width, bias=False)
        self.of_state = nn.Linear(width, width, bias=False)

    def told(
        self, table: nn.Embedding, hand: Tensor, descriptions: Tensor, which: Tensor, candidate_cards: Tensor
    ) -> Tensor:
        """Return what ids and cards say, [B, K, width]; ``which`` of the descriptions, each read once, is whose."""
        named: Tensor = self.names(self.summed(table, descriptions))
        return nn.functional.embedding(which.long(), named) + self.drawn(hand, candidate_cards)

    def drawn(self, hand: Tensor, places: Tensor) -> Tensor:
        """Add up the cards that each candidate names, by their places from 1 on; place 0 stands for none."""
        named = hand.new_zeros(*places.shape[:2], 1 + hand.shape[1])
        named = named.scatter(2, places.long(), 1.0)[..., 1:]  # [B, K, cards in hand]
        cards: Tensor = named @ self.cards(hand)
        return cards

    def met(self, state: Tensor, told: Tensor, numbers: Tensor) -> Tensor:
        """Return [B, K, width]: with what the numbers and the state say."""
        return nn.functional.gelu(told + self.numbers(numbers) + self.of_state(state).unsqueeze(1))


class _Candidates(CandidateTokens):
    """Scores the candidates, and tells what the best of them look like."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self.own = nn.Linear(width, width)
        self.of_best = nn.Linear(2 * width, width, bias=False)
        self.score = nn.Linear(width, 1)

    def forward(self, state: Tensor, told: Tensor, numbers: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        x = self.met(state, told, numbers)
        best = best_of(x, mask)
        context = self.of_best(torch.cat([best, state], dim=-1)).unsqueeze(1)
        logits = self.score(nn.functional.gelu(self.own(x) + context)).squeeze(-1)
        return logits.masked_fill(~mask, NOWHERE), best


def best_of(x: Tensor, mask: Tensor) -> Tensor:
    """Return [B, width]: the largest of each number among the candidates that there are."""
    return x.masked_fill(~mask.unsqueeze(-1), NOWHERE).amax(dim=1)


# --- Tokens that look at one another ----------------------------------------------------------------------------------


class Layer(nn.Module):
    """One round in which the tokens look at one another."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        width = config.width
        self.heads = config.heads
        self.norm = nn.LayerNorm(width)
        self.look = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.think = nn.Sequential(
            nn.LayerNorm(width),
            nn.Linear(width, 2 * width),
            nn.GELU(),
            nn.Dropout(config.dropout),
            nn.Linear(2 * width, width),
        )

    def forward(self, x: Tensor, hidden: Tensor, wanted: int) -> Tensor:
        """Return what the first ``wanted`` tokens see in all of them."""
        width, seen = x.shape[-1], self.norm(x)
        if wanted == x.shape[1]:
            query, key, value = self.look(seen).chunk(3, dim=-1)
        else:
            weight, bias = self.look.weight, self.look.bias
            query = nn.functional.linear(seen[:, :wanted], weight[:width], bias[:width])
            key, value = nn.functional.linear(seen, weight[width:], bias[width:]).chunk(2, dim=-1)
        x = x[:, :wanted] + self.out(_looked(query, key, value, hidden, self.heads))
        thought: Tensor = x + self.think(x)
        return thought


def _looked(query: Tensor, key: Tensor, value: Tensor, hidden: Tensor, heads: int) -> Tensor:
    """Return [B, T, width]: what each query finds; ``hidden``: very low for tokens that are not there."""
    if heads**2 * query.shape[1] * key.shape[1] <= _FEW_PAIRS and not torch.onnx.is_in_onnx_export():
        return _looked_together(query, key, value, hidden, heads)
    first, second, third = (part.reshape(*part.shape[:2], heads, -1).transpose(1, 2) for part in (query, key, value))
    found = nn.functional.scaled_dot_product_attention(first, second, third, attn_mask=hidden)
    return found.transpose(1, 2).flatten(2)


def _looked_together(query: Tensor, key: Tensor, value: Tensor, hidden: Tensor, heads: int) -> Tensor:
    """Do it with each token once for each head in one list, in which heads do not see one another."""
    batch, length, width = key.shape
    queries, keys, values = (part.reshape(batch, part.shape[1] * heads, width // heads) for part in (query, key, value))
    others = torch.eye(heads, dtype=torch.bool, device=key.device).logical_not().repeat(query.shape[1], length)
    there = hidden.reshape(batch, 1, length).repeat_interleave(heads, dim=2).masked_fill(others, NOWHERE)
    found = torch.baddbmm(there, queries, keys.transpose(1, 2), alpha=(width // heads) ** -0.5).softmax(dim=-1) @ values
    return found.reshape(batch, query.shape[1], width)

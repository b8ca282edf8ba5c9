"""Learns to win whole runs with PPO, in one file: the engine plays the hands, a small network decides everything else.

pip install ".[train]"
python examples/ppo_campaign.py            # 20 minutes
python examples/ppo_campaign.py 60 --out ppo_campaign.pt

At each decision the environment lists what can be done (buy, sell, open, use, reroll, skip, move on) and shows the run
as it would stand after each: about a hundred of 1,637 inputs are not zero. The network gives each of these runs a
number, and the softmax over the numbers is the policy: a policy that compares where its options lead.
"""

import argparse
import time

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.nn import functional

INPUTS = 1637
ENVS, STEPS = 128, 64  # games side by side, decisions of each between two updates
EPOCHS, MINIBATCH = 3, 1024
LEARNING_RATE, CLIP, ENTROPY, CRITIC = 1e-3, 0.2, 0.01, 0.5
GAMMA, LAMBDA = 1.0, 0.95
REWARDS = {"win": 1.0, "boss": 0.1}
WIDTH, HIDDEN = 128, 64
RANDOM = np.random.default_rng(1)


# --- Lists of different lengths, one behind the other ----------------------------------------------------------------


class Ragged:
    """Lines of pairs (input, number): for each decision its run, then each option."""

    def __init__(self, index, value, lengths, counts):
        self.index, self.value = index, value  # of all pairs
        self.lengths = lengths  # pairs of each line
        self.counts = counts  # lines of each decision

    @classmethod
    def of(cls, seen):
        """What the environments show."""
        mask = np.insert(seen["action_mask"].astype(bool), 0, True, axis=1)
        index = np.concatenate([seen["state_indices"][:, None], seen["option_indices"]], 1)[mask]
        value = np.concatenate([seen["state_values"][:, None], seen["option_values"]], 1)[mask]
        used = value != 0
        return cls(index[used], value[used], used.sum(1), mask.sum(1))

    @classmethod
    def join(cls, parts):
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])))

    def take(self, decisions):
        lines = spans(self.counts, decisions)
        pairs = spans(self.lengths, lines)
        return Ragged(self.index[pairs], self.value[pairs], self.lengths[lines], self.counts[decisions])


def spans(lengths, chosen):
    """Where the chosen ones of lists that lie one behind the other stand."""
    starts = np.cumsum(lengths) - lengths
    sizes = lengths[chosen]
    return np.repeat(starts[chosen] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())


# --- The network -----------------------------------------------------------------------------------------------------


class Network(nn.Module):
    """The first layer adds up rows of weights, one for each input that is not zero."""

    def __init__(self):
        super().__init__()
        self.first = nn.EmbeddingBag(INPUTS, WIDTH, mode="sum")
        self.bias = nn.Parameter(torch.zeros(WIDTH))
        self.second = nn.Linear(WIDTH, HIDDEN)
        self.actor = nn.Linear(HIDDEN, 1)
        self.critic = nn.Sequential(nn.Linear(WIDTH, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))
        nn.init.normal_(self.first.weight, std=0.05)
        nn.init.normal_(self.actor.weight, std=0.01)

    def forward(self, lines):
        """Return log probabilities [decisions, options] and what each decision's run is worth."""
        ends = np.cumsum(lines.lengths)
        index, value, starts = (
            torch.from_numpy(lines.index.astype(np.int32)),
            torch.from_numpy(lines.value),
            ends - lines.lengths,
        )
        hidden = functional.relu(self.bias + self.first(index, torch.from_numpy(starts.astype(np.int32)), value))
        is_run = np.zeros(len(ends), bool)
        is_run[np.cumsum(lines.counts) - lines.counts] = True
        is_run = torch.from_numpy(is_run)
        preferences = self.actor(functional.relu(self.second(hidden[~is_run])))[:, 0]
        listed = torch.arange(int(lines.counts.max()) - 1) < torch.from_numpy(lines.counts)[:, None] - 1
        logits = torch.full(listed.shape, -1e9).masked_scatter(listed, preferences)
        return functional.log_softmax(logits, 1), self.critic(hidden[is_run])[:, 0]


# --- Playing and learning --------------------------------------------------------------------------------------------


def won_of(infos):
    """Whether each run that ended in this step was won."""
    return infos["final_info"]["result"]["won"][infos["_final_info"]] if "final_info" in infos else []


@torch.no_grad()
def evaluate(network, games, **options):
    """Play games of their own without chance; return the share that was won."""
    envs = gymnasium.make_vec("jimbo.env:jimbo/Campaign-v0", games, autoreset_mode="Disabled", **options)
    seen, _ = envs.reset(seed=1_000_000)
    won, over = np.zeros(games, bool), np.zeros(games, bool)
    while not over.all():
        actions = network(Ragged.of(seen))[0].argmax(1).numpy()
        seen, _, terminated, truncated, infos = envs.step(actions)
        if "result" in infos:
            won |= infos["result"]["won"] & infos["_result"]
        over = terminated | truncated
    return won.mean()


def learn(network, optimizer, lines, actions, old, advantages, returns):
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    actions, old, advantages, returns = map(torch.from_numpy, (actions, old, advantages, returns))
    for _ in range(EPOCHS):
        for batch in np.array_split(RANDOM.permutation(len(actions)), len(actions) // MINIBATCH):
            chances, values = network(lines.take(batch))
            now = chances.gather(1, actions[batch][:, None])[:, 0]
            ratio = (now - old[batch]).exp()
            gain = torch.min(ratio * advantages[batch], ratio.clamp(1 - CLIP, 1 + CLIP) * advantages[batch])
            entropy = -(chances.exp() * chances.clamp(min=-50)).sum(1)
            loss = CRITIC * functional.mse_loss(values, returns[batch]) - (gain + ENTROPY * entropy).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
    return entropy.mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("minutes", type=float, nargs="?", default=20)
    parser.add_argument("--out", help="where the weights go")
    parser.add_argument("--games", type=int, default=200, help="games of the evaluation at the end")
    parser.add_argument("--threads", type=int, default=2, help="threads that play")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # the operations are small: a second thread would mostly wait
    torch.manual_seed(1)
    options = {"layout": "sparse", "rewards": REWARDS, "threads": arguments.threads}
    envs = gymnasium.make_vec("jimbo.env:jimbo/Campaign-v0", ENVS, autoreset_mode="SameStep", **options)
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE, eps=1e-5)
    seen, _ = envs.reset(seed=1)
    begun, decisions, recent = time.monotonic(), 0, []
    while (spent := (time.monotonic() - begun) / 60) < arguments.minutes:
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * max(0.05, 1 - spent / arguments.minutes)
        lines, actions, chances, rewards, dones, values = [], [], [], [], [], []
        for _ in range(STEPS):
            lines.append(Ragged.of(seen))
            with torch.no_grad():
                logs, worth = network(lines[-1])
            drawn = torch.multinomial(logs.exp(), 1)
            seen, paid, terminated, truncated, infos = envs.step(drawn[:, 0].numpy())
            actions.append(drawn[:, 0].numpy())
            chances.append(logs.gather(1, drawn)[:, 0].numpy())
            values.append(worth.numpy())
            rewards.append(paid.astype(np.float32))
            dones.append(terminated | truncated)
            recent = [*recent, *won_of(infos)][-1000:]
        with torch.no_grad():
            values.append(network(Ragged.of(seen))[1].numpy())
        advantages, ahead = np.zeros((STEPS, ENVS), np.float32), np.zeros(ENVS, np.float32)
        for t in reversed(range(STEPS)):
            goes_on = (~dones[t]).astype(np.float32)
            ahead = rewards[t] + GAMMA * values[t + 1] * goes_on - values[t] + GAMMA * LAMBDA * goes_on * ahead
            advantages[t] = ahead
        returns = advantages + np.stack(values[:-1])
        flat = [np.concatenate(part) for part in (actions, chances, advantages, returns)]
        entropy = learn(network, optimizer, Ragged.join(lines), *flat)
        decisions += STEPS * ENVS
        print(
            f"{spent:5.1f} min  {decisions:9,} decisions  entropy {entropy:.2f}  "
            f"won {np.mean(recent or [0]):6.1%} of the last {len(recent)}",
            flush=True,
        )
    if arguments.out:
        torch.save(network.state_dict(), arguments.out)
    share = evaluate(network, arguments.games, **options)
    print(f"{share:.1%} of {arguments.games} new games won, always taking the likeliest option")


if __name__ == "__main__":
    main()

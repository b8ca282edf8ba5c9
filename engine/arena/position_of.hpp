// A position of one game, behind the interface that all share.
#pragma once

#include "arena/position.hpp"

namespace jimbo {

template <Game G>
class PositionOf final : public AnyPosition {
public:
    using State = typename G::State;

    PositionOf(const State& state, SplitMix random) : state_(state), random_(random) {}

    std::unique_ptr<AnyPosition> copy() const override { return std::make_unique<PositionOf>(*this); }
    const GameFacts& facts() const override { return G::facts; }
    ActionBits legal() const override { return ending() ? 0 : G::legal(state_); }
    void step(int action) override { G::step(state_, action, random_); }
    std::optional<float> ending() const override { return G::ending(state_); }
    int player() const override { return G::player(state_); }
    void observe(float* row) const override { G::observe(state_, row); }
    std::string bytes() const override {
        std::string bytes(static_cast<std::size_t>(G::state_size), '\0');
        G::write_state(state_, reinterpret_cast<std::uint8_t*>(bytes.data()));
        return bytes;
    }

    const State& state() const { return state_; }

private:
    State state_;
    SplitMix random_;
};

}  // namespace jimbo

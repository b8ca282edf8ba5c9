// What the files that bind a run share.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include <nanobind/nanobind.h>

#include "play/legal.hpp"
#include "state/run_state.hpp"
#include "store/enum_text.hpp"

namespace jimbo {

template <typename Enum>
Enum key_from(std::string_view text, std::string_view what) {
    const auto value = enum_of<Enum>(text);
    if (!value || text.empty()) {
        throw std::invalid_argument("there is no " + std::string(what) + " \"" + std::string(text) + '"');
    }
    return *value;
}

inline std::optional<Refusal> refusal_of(const RunState& run, const Action& action) {
    const Refusal refusal = check(run, action);
    if (refusal == Refusal::none) return std::nullopt;
    return refusal;
}

void bind_edits(nanobind::class_<RunState>& run);
void bind_storage(nanobind::class_<RunState>& run);

}  // namespace jimbo

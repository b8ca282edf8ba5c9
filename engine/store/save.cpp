#include "store/state_json.hpp"

namespace jimbo {
namespace {

constexpr std::string_view magic = "JIMBO-RUN-1 ";

}  // namespace

std::string save_run(const RunState& run) {
    return std::string(magic) + schema_hash() + "\n" + state_to_json(run).dump();
}

RunState load_run(std::string_view bytes) {
    if (!bytes.starts_with(magic)) throw std::invalid_argument("this is not a saved run");
    bytes.remove_prefix(magic.size());
    const auto line = bytes.find('\n');
    if (line == std::string_view::npos) throw std::invalid_argument("the saved run is cut off");
    if (bytes.substr(0, line) != schema_hash()) {
        throw std::invalid_argument("the run was saved by another version of Jimbo (its fields differ)");
    }
    return state_from_json(Json::parse(bytes.substr(line + 1)));
}

}  // namespace jimbo

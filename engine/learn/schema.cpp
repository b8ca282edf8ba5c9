#include "learn/schema.hpp"

#include "learn/candidates.hpp"
#include "learn/observation.hpp"
#include "learn/steps.hpp"

namespace jimbo {
namespace {

std::string hash_of(std::string_view text) {
    std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 15];
    return digits;
}

}  // namespace

std::string batch_schema_hash() {
    std::string text = describe_fields(observation_fields()) + describe_fields(candidate_fields());
    for (int id = 0; id < step_count; ++id) text += step_name(id) + '\n';
    for (int v = 1; v < vocabulary_count; ++v) {
        for (const std::string& name : names_of(static_cast<Vocabulary>(v))) text += name + '\n';
    }
    return hash_of(text);
}

std::vector<std::string> vocabulary_names(std::string_view name) {
    for (int v = 1; v < vocabulary_count; ++v) {
        if (name_of(static_cast<Vocabulary>(v)) == name) return names_of(static_cast<Vocabulary>(v));
    }
    return {};
}

}  // namespace jimbo

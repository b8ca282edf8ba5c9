#include "learn/schema.hpp"

#include "learn/candidates.hpp"
#include "learn/observation.hpp"
#include "learn/steps.hpp"
#include "store/fingerprint.hpp"

namespace jimbo {

std::string batch_schema_hash() {
    std::string text = describe_fields(observation_fields()) + describe_fields(candidate_fields());
    for (int id = 0; id < step_count; ++id) text += step_name(id) + '\n';
    for (int v = 1; v < vocabulary_count; ++v) {
        for (const std::string& name : names_of(static_cast<Vocabulary>(v))) text += name + '\n';
    }
    return fingerprint(text);
}

std::vector<std::string> vocabulary_names(std::string_view name) {
    for (int v = 1; v < vocabulary_count; ++v) {
        if (name_of(static_cast<Vocabulary>(v)) == name) return names_of(static_cast<Vocabulary>(v));
    }
    return {};
}

}  // namespace jimbo

// Where the rows of a batch stand, as Python keeps and pickles it.
#pragma once

#include <vector>

#include "learn/batch.hpp"

namespace jimbo {

struct BatchRows {
    std::vector<BatchRow> rows;
};

}  // namespace jimbo

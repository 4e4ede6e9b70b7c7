// Graphs whose nodes are numbers: those that occur, or a range of them.
#pragma once

#include <cstdint>
#include <vector>

#include "moco/formats/readers.h"
#include "moco/formats/table.h"

namespace moco {

/// Whether `nodes` can be the number of nodes in a file that mentions these: 0 … nodes−1, or 1 … nodes, or some of
/// them.
bool counts_nodes(std::int64_t nodes, const std::vector<std::int64_t>& mentioned);

/// The graph whose nodes are `ids`, in ascending order, and called by them. Ids 0 … n−1 make no labels.
std::vector<InstanceData> finish_numbered(const ReaderInput& input, const std::vector<std::int64_t>& ids,
                                          const std::vector<IntegerPair>& pairs, std::vector<double> weights);

}  // namespace moco

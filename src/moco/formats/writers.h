// The writers of single instance formats; write.cc chooses among them. Each returns the whole file, and throws
// OptionError where the format cannot hold something that matters about an instance.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "moco/data.h"

namespace moco {

using DataSpan = std::span<const InstanceData* const>;

std::string format_tsplib(const InstanceData& instance);
std::string format_concorde(DataSpan instances);
/// One instance as n×2 or n×n, several of one size and kind as a batch of such, in float64.
std::string format_npy(DataSpan instances);
/// Coordinates, edges or a matrix.
std::string format_csv(const InstanceData& instance);
std::string format_matrix(const InstanceData& instance);

std::string format_dimacs(const InstanceData& instance);
std::string format_pace(const InstanceData& instance);
std::string format_metis(const InstanceData& instance);
std::string format_edge_list(const InstanceData& instance);
/// A graph as a coordinate matrix, distances as an array.
std::string format_matrix_market(const InstanceData& instance);
std::string format_ml4co(DataSpan instances);

/// "source,target[,weight]" rows.
std::string format_edge_csv(const InstanceData& instance);
/// An array of Matrix Market, by columns.
std::string format_market_array(const InstanceData& instance);

/// The content of an instance that is of this kind.
const PointData& points_in(const InstanceData& instance);
const GraphData& graph_in(const InstanceData& instance);

/// Throws OptionError unless a label can stand in a table as it is.
void require_csv_field(const InstanceData& instance, std::string_view label);

/// A name that fits on one line: control characters become '_'.
std::string one_line(std::string_view name);

}  // namespace moco

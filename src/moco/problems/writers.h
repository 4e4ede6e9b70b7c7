// The writers of single instance formats; io.cc chooses among them. Each returns the whole file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "moco/instance.h"

namespace moco {

std::string format_tsplib(const TspInstance& instance);
std::string format_concorde(std::span<const TspInstance* const> instances);
/// One instance as n×2, several of one size as B×n×2, in float64.
std::string format_npy(std::span<const TspInstance* const> instances);
std::string format_csv(const TspInstance& instance);

std::string format_dimacs(const GraphInstance& instance);
std::string format_metis(const GraphInstance& instance);
std::string format_edge_list(const GraphInstance& instance);
std::string format_matrix_market(const GraphInstance& instance);

/// A name that fits on one line: control characters become '_'.
std::string one_line(std::string_view name);

}  // namespace moco

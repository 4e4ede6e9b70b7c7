// The readers and writers of single solution formats; solutions_io.cc chooses among them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/io.h"

namespace moco {

std::string format_tour(const SolvedInstance& solved);
std::string format_node_list(const SolvedInstance& solved);
std::string format_kamis(const SolvedInstance& solved);
std::string format_json(std::span<const SolvedInstance> solved);
std::string format_solution_csv(std::span<const SolvedInstance> solved);

Solution parse_tour(std::string_view content, std::string_view file, const Instance& instance);
Solution parse_node_list(std::string_view content, std::string_view file);
Solution parse_kamis(std::string_view content, std::string_view file, const Instance& instance);
std::vector<Solution> parse_json(std::string_view content, std::string_view file,
                                 std::span<const InstancePtr> instances);
std::vector<Solution> parse_solution_csv(std::string_view content, std::string_view file,
                                         std::span<const InstancePtr> instances);

}  // namespace moco

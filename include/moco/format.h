// The formats of instance and solution files, and their names. docs/formats.md describes every one.
#pragma once

#include <string_view>

namespace moco {

/// Instance formats. `automatic` decides by file name and content.
enum class InstanceFormat {
  automatic,
  tsplib,
  concorde,
  npy,
  csv,
  dimacs,
  metis,
  edge_list,
  matrix_market,
  ml4co,
  pace,
  matrix
};

/// Solution formats: `tour` TSPLIB TOUR_SECTION (1-based), `node_list` one node a line, `kamis` one 0/1 line per node
/// (sets only), `json` JSON Lines {"instance","problem","cost","solution"}, `csv` "instance,position,item" rows. All
/// but the first and third name nodes as the instance's file does.
enum class SolutionFormat { automatic, tour, node_list, kamis, json, csv };

/// The first line of SolutionFormat::csv.
inline constexpr std::string_view kSolutionCsvHeader = "instance,position,item";

std::string_view to_string(InstanceFormat format);
std::string_view to_string(SolutionFormat format);
/// Throws OptionError naming the known formats.
InstanceFormat instance_format_from(std::string_view name);
SolutionFormat solution_format_from(std::string_view name);

}  // namespace moco

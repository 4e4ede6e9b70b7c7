// Reading and writing instances and solutions. docs/formats.md describes every format.
//
// Readers accept plain or gzip-compressed files, throw InputError ("file:line: what") on anything malformed and never
// return half an instance. Writers are atomic: the file appears complete or not at all.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/instance.h"

namespace moco {

/// Instance formats. `automatic` decides by file name and, where that leaves doubt, by content.
enum class InstanceFormat { automatic, tsplib, concorde, npy, csv, dimacs, metis, edge_list, matrix_market };

/// Solution formats: `tour` TSPLIB TOUR_SECTION (1-based), `node_list` one 0-based node a line, `kamis` one 0/1 line
/// per node (MIS only), `json` JSON Lines {"instance","problem","cost","solution"}, `csv` "instance,position,item"
/// rows.
enum class SolutionFormat { automatic, tour, node_list, kamis, json, csv };

std::string_view to_string(InstanceFormat format);
std::string_view to_string(SolutionFormat format);
/// Throws OptionError naming the known formats.
InstanceFormat instance_format_from(std::string_view name);
SolutionFormat solution_format_from(std::string_view name);

struct ReadOptions {
  InstanceFormat format = InstanceFormat::automatic;
  std::string problem;  ///< "tsp", "mis", or empty: whatever the format says
};

/// All instances of a file, in file order. Names are the file's stem, or the NAME field, with "#i" appended when one
/// file holds several. Things that were repaired (self-loops, duplicate edges) are appended to `warnings`, one line
/// each.
std::vector<InstancePtr> read_instances(const std::filesystem::path& file, const ReadOptions& options = {},
                                        std::vector<std::string>* warnings = nullptr);
/// Same from memory; `name` stands for the file in messages and decides the format like a file name would.
std::vector<InstancePtr> parse_instances(std::string_view content, std::string_view name,
                                         const ReadOptions& options = {}, std::vector<std::string>* warnings = nullptr);

/// Writes instances; formats that hold one instance a file refuse more than one. A name ending in ".gz" is compressed.
/// With `automatic` the name decides. Concorde text writes the instance's reference solution when there is one.
void write_instances(const std::filesystem::path& file, std::span<const InstancePtr> instances,
                     InstanceFormat format = InstanceFormat::automatic);

/// A solution together with the instance it belongs to.
struct SolvedInstance {
  InstancePtr instance;
  Solution solution;
};

/// Solutions of a file, one per instance given, in order. Formats that hold one solution require one instance.
/// Structure is checked here (integers, counts); feasibility is the checker's business.
std::vector<Solution> read_solutions(const std::filesystem::path& file, std::span<const InstancePtr> instances,
                                     SolutionFormat format = SolutionFormat::automatic);
std::vector<Solution> parse_solutions(std::string_view content, std::string_view name,
                                      std::span<const InstancePtr> instances,
                                      SolutionFormat format = SolutionFormat::automatic);

void write_solutions(const std::filesystem::path& file, std::span<const SolvedInstance> solved,
                     SolutionFormat format = SolutionFormat::automatic);
/// What write_solutions would write.
std::string format_solutions(std::span<const SolvedInstance> solved, SolutionFormat format);

}  // namespace moco

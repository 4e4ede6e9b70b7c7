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

#include "moco/format.h"
#include "moco/instance.h"

namespace moco {

struct ReadOptions {
  InstanceFormat format = InstanceFormat::automatic;
  std::string problem;      ///< name of the problem; empty: the first that is made of what the file holds
  bool complement = false;  ///< graphs: the complement of what the file holds
};

/// All instances of a file, in file order. Names are the file's stem, or the NAME field, with "#i" appended when one
/// file holds several. Things that were repaired (self-loops, duplicate edges), and what was taken where a file leaves
/// doubt, are appended to `warnings`, one line each.
std::vector<InstancePtr> read_instances(const std::filesystem::path& file, const ReadOptions& options = {},
                                        std::vector<std::string>* warnings = nullptr);
/// Same from memory; `name` stands for the file in messages and decides the format like a file name would.
std::vector<InstancePtr> parse_instances(std::string_view content, std::string_view name,
                                         const ReadOptions& options = {}, std::vector<std::string>* warnings = nullptr);

/// Writes instances; formats that hold one instance a file refuse more than one. A name ending in ".gz" is compressed.
/// With `automatic` the name decides. Concorde and ML4CO text hold the instance's reference solution when there is one.
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

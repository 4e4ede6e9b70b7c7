// What `moco solve` writes: solutions, JSON, trace, drawing and the result lines.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "command_line.h"
#include "moco/io.h"
#include "moco/problem.h"
#include "moco/solve.h"

namespace moco::cli {

/// What to solve and how.
struct Task {
  std::vector<InstancePtr> instances;  ///< all of one problem
  std::string model_name;
  SolveOptions options;

  const Problem& problem() const { return instances.front()->problem(); }
};

/// Where the results go. Paths are empty when not asked for, "-" for standard output.
struct Outputs {
  std::string solutions;
  SolutionFormat solution_format = SolutionFormat::automatic;
  std::string json;
  std::string trace;
  std::string plot;

  std::array<std::string, 4> files() const { return {solutions, json, trace, plot}; }
  /// Whether one of them takes the place of the result lines.
  bool use_standard_output() const;
};

/// The outputs that the arguments ask for. Everything about them that can be wrong is found here, before the search.
Outputs plan_outputs(const Arguments& arguments, const Task& task);

/// What standard output shows of one result as soon as it is there: its JSON line, its result line, or nothing when
/// another output goes there.
void print_result(const Outputs& outputs, const Task& task, std::size_t index, const SolveResult& result);

/// Writes the files asked for, and those outputs other than JSON that go to standard output; `trace` is the trace's
/// CSV.
void write_outputs(const Outputs& outputs, const Task& task, const std::vector<SolveResult>& results,
                   const std::string& trace);

}  // namespace moco::cli

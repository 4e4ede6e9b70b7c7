// What `moco solve` writes: solutions, JSON, trace and result lines, each as soon as it is there, and a drawing.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "command_line.h"
#include "moco/io.h"
#include "moco/problem.h"
#include "moco/solve.h"
#include "record_file.h"

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
  std::string incumbents;

  std::array<std::string, 5> files() const { return {solutions, json, trace, plot, incumbents}; }
  /// Whether one of them takes the place of the result lines.
  bool use_standard_output() const;
};

/// The outputs that the arguments ask for. Everything about them that can be wrong is found here, before the search.
Outputs plan_outputs(const Arguments& arguments, const Task& task);

/// What is written of one result: a text for each place that it goes to.
struct ResultTexts {
  std::string line;
  std::string json;
  std::string solution;
  std::string trace;
};

/// The texts that the outputs ask for; `trace` are the trace's rows that came with the result.
ResultTexts texts_of(const Outputs& outputs, const Task& task, std::size_t index, const SolveResult& result,
                     std::string trace);

/// Writes results as they come.
class ResultSink {
 public:
  explicit ResultSink(const Outputs& outputs);

  void add(const ResultTexts& texts);
  /// To be called after the last result.
  void finish();

 private:
  RecordFile lines_;
  RecordFile json_;
  RecordFile solutions_;
  RecordFile trace_;
};

/// Draws the solution of a single instance where the outputs ask for it.
void write_plot(const Outputs& outputs, const Task& task, const SolveResult& result);

}  // namespace moco::cli

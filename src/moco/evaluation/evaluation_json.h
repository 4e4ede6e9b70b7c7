// Evaluations as JSON objects; docs/cli.md promises their keys.
#pragma once

#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "moco/evaluate.h"
#include "moco/problem.h"

namespace moco {

/// What an evaluation was of.
struct EvaluationLabels {
  std::string problem;
  Objective objective;
  std::string data_set;
  std::string reference;  ///< where the references came from; empty: there are none
  std::string model;
  std::string local_search;                                     ///< on every sample; empty: none
  std::string polish;                                           ///< on the result; empty: none
  OptionValues options;                                         ///< the problem's own
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds per instance
  std::uint64_t seed = 1;
};

/// Adds the options that decide what is searched, such as the number of candidate neighbours.
void add_graph_options(nlohmann::ordered_json& object, const Problem& problem, const OptionValues& values);

/// The object of an evaluation with at least one score; with `per_instance` it lists the scores.
nlohmann::ordered_json evaluation_json(const Evaluation& evaluation, const EvaluationLabels& labels, bool per_instance);

}  // namespace moco

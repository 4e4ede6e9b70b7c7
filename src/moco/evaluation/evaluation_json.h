// Evaluations as JSON objects; docs/cli.md promises their keys.
#pragma once

#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "moco/evaluation/evaluate.h"

namespace moco {

/// What an evaluation was of.
struct EvaluationLabels {
  std::string problem;
  std::string data_set;
  std::string reference;  ///< where the references came from; empty: there are none
  std::string model;
  std::string local_search;  ///< on every sample; empty: none
  std::string polish;        ///< on the result; empty: none
  int neighbours = 0;
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds per instance
  std::uint64_t seed = 1;
};

/// "cost", or for mis "size": what is reported of a problem.
std::string objective_name(const std::string& problem);
/// The objective of a cost: minus it for mis.
double objective_of(const std::string& problem, double cost);

/// The object of an evaluation with at least one score; with `per_instance` it lists the scores.
nlohmann::ordered_json evaluation_json(const Evaluation& evaluation, const EvaluationLabels& labels, bool per_instance);

}  // namespace moco

// What `moco eval` writes: the table, CSV and JSON Lines.
#pragma once

#include <string>
#include <vector>

#include "moco/evaluation/evaluation_json.h"

namespace moco::cli {

/// Lines above the table: data set, model and references.
std::string table_heading(const DataSet& data, const EvaluationLabels& labels);
/// The line of column names, and the line of an evaluation below it.
std::string table_columns(const EvaluationLabels& labels);
std::string table_row(const Evaluation& evaluation, const EvaluationLabels& labels);

/// The whole file: a row per setting, or with `per_instance` per setting and instance.
std::string evaluations_csv(const std::vector<Evaluation>& evaluations, const EvaluationLabels& labels,
                            bool per_instance);
/// The whole file: an object per setting.
std::string evaluations_json(const std::vector<Evaluation>& evaluations, const EvaluationLabels& labels,
                             bool per_instance);

}  // namespace moco::cli

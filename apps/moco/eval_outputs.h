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

/// The first line of a CSV file, and its rows: one per setting, or with `per_instance` one per setting and instance.
std::string csv_header(const EvaluationLabels& labels, bool per_instance);
std::string csv_summary_row(const Evaluation& evaluation, const EvaluationLabels& labels);
std::string csv_score_row(const Setting& setting, const InstanceScore& score, const EvaluationLabels& labels);

}  // namespace moco::cli

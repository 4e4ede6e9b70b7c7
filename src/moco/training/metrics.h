// The record of a run: one row per outer step, as JSON Lines and as CSV.
#pragma once

#include <filesystem>
#include <optional>

#include "moco/training/learner.h"
#include "moco/training/validation.h"

namespace moco {

struct MetricsRow {
  int step = 0;                      ///< outer steps done; 0 is the start, which has a validation alone
  std::optional<StepResult> result;  ///< of the step
  double sigma = 0.0;
  double instances_per_second = 0.0;
  double seconds = 0.0;  ///< of work since the run began, over all resumes
  std::optional<ValidationResult> validation;
};

class MetricsLog {
 public:
  /// Continues the files of a run after `last_step`: rows behind it, which a resumed run will make again, are dropped,
  /// as is a last line that was cut off. last_step < 0 begins anew. Throws IoError.
  MetricsLog(std::filesystem::path jsonl, std::filesystem::path csv, int last_step);

  /// Appends to both files. Throws IoError, as on a full disk.
  void append(const MetricsRow& row) const;

 private:
  std::filesystem::path jsonl_;
  std::filesystem::path csv_;
};

}  // namespace moco

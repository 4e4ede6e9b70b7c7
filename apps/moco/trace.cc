// Rows are appended as they come; numbers are printed so that they read back exactly.
#include "trace.h"

#include <limits>

#include <fmt/format.h>

#include "text_table.h"

namespace moco::cli {

std::string Trace::header() {
  return "instance,phase,step,best,mean,entropy,seconds\n";
}

Trace::Trace(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    names_.push_back(csv_field(name));
  }
  kicked_best_.assign(names.size(), std::numeric_limits<double>::infinity());
}

void Trace::add(const Progress& progress) {
  const std::string& name = names_.at(progress.instance);
  if (progress.phase == SolvePhase::search) {
    rows_ += fmt::format("{},search,{},{},{},{},{:.6f}\n", name, progress.step, progress.best, progress.mean,
                         progress.entropy, progress.seconds);
  } else if (progress.best < kicked_best_.at(progress.instance)) {
    rows_ += fmt::format("{},kicks,{},{},,,{:.6f}\n", name, progress.step, progress.best, progress.seconds);
    kicked_best_[progress.instance] = progress.best;
  }
}

}  // namespace moco::cli

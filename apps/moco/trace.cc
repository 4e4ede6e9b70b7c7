// Rows are appended as they come; numbers are printed so that they read back exactly.
#include "trace.h"

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
}

void Trace::add(const Progress& progress) {
  const std::string& name = names_.at(progress.instance);
  if (progress.phase == SolvePhase::search) {
    rows_ += fmt::format("{},search,{},{},{},{},{:.6f}\n", name, progress.step, progress.best, progress.mean,
                         progress.entropy, progress.seconds);
  } else if (progress.instance != kicked_ || progress.best < kicked_best_) {
    rows_ += fmt::format("{},kicks,{},{},,,{:.6f}\n", name, progress.step, progress.best, progress.seconds);
    kicked_ = progress.instance;
    kicked_best_ = progress.best;
  }
}

}  // namespace moco::cli

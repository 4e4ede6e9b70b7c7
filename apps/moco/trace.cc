// Rows are appended as they come; numbers are printed so that they read back exactly.
#include "trace.h"

#include <fmt/format.h>

#include "text_table.h"

namespace moco::cli {

Trace::Trace(const std::vector<std::string>& names) : csv_("instance,step,best,mean,entropy,seconds\n") {
  for (const std::string& name : names) {
    names_.push_back(csv_field(name));
  }
}

void Trace::add(const Progress& progress) {
  csv_ += fmt::format("{},{},{},{},{},{:.6f}\n", names_.at(progress.instance), progress.step, progress.best,
                      progress.mean, progress.entropy, progress.seconds);
}

}  // namespace moco::cli

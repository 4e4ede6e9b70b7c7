// `moco solve --incumbents`: each better solution as soon as it is there.
#pragma once

#include <fstream>
#include <span>
#include <string>

#include "moco/instance.h"
#include "moco/solve.h"

namespace moco::cli {

/// A line for every incumbent, appended to the file and flushed at once. CSV with instance, seconds and cost; JSON
/// Lines with the solution too when the name ends in .jsonl.
class IncumbentFile {
 public:
  /// Begins the file anew; "-" is standard output. Does nothing where no file is named. Throws IoError.
  IncumbentFile(const std::string& file, std::span<const InstancePtr> instances);

  bool active() const { return !file_.empty(); }
  /// `seconds` are those to write.
  void add(const Incumbent& incumbent, double seconds);

 private:
  void write(const std::string& text);

  std::string file_;
  bool json_;
  std::span<const InstancePtr> instances_;
  std::ofstream stream_;
};

}  // namespace moco::cli

// Everything that src/moco throws is a moco::Error, but for what never leaves the library.
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace moco {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> kErrors = {"Error",       "InputError",    "OptionError",        "IoError",
                                       "DeviceError", "ResourceError", "InfeasibleSolution", "CudaError"};
/// Ends of work that the library itself catches, wrong types in JSON, which become an InputError, and memory.
const std::set<std::string> kOthers = {"Halted", "Json::type_error::create", "std::bad_alloc"};

TEST(Throw, OnlyErrorsOfTheLibrary) {
  static const std::regex thrown(R"((?:^|[^\w/"])throw\s+([\w:]+)\s*[({])");
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(MOCO_SOURCE_DIR) / "src" / "moco")) {
    if (!entry.is_regular_file()) {
      continue;
    }
    const std::string text = slurp(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), thrown); match != std::sregex_iterator(); ++match) {
      ++seen;
      const std::string type = match->str(1);
      EXPECT_TRUE(kErrors.contains(type) || kOthers.contains(type)) << entry.path() << " throws " << type;
    }
  }
  EXPECT_GT(seen, 150);
}

}  // namespace
}  // namespace moco

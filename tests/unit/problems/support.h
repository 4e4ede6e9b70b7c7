// Helpers for the tests of instances, readers and writers.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "moco/error.h"
#include "moco/io.h"

namespace moco::test {

/// A folder that disappears with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int counter = 0;
    path_ = std::filesystem::temp_directory_path() / fmt::format("moco-test-{}-{}", ::getpid(), counter++);
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::vector<InstancePtr> parse(std::string_view content, InstanceFormat format,
                                      std::vector<std::string>* warnings = nullptr) {
  return parse_instances(content, "in", {format, ""}, warnings);
}

/// The message of the InputError that parsing throws; a test failure when it throws none.
inline std::string parse_error(std::string_view content, InstanceFormat format) {
  try {
    parse(content, format);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError for: " << content.substr(0, 200);
  return {};
}

/// The only instance of a parsed file, as a TSP or MIS instance.
inline std::shared_ptr<const TspInstance> parse_tsp(std::string_view content, InstanceFormat format) {
  return std::dynamic_pointer_cast<const TspInstance>(parse(content, format).at(0));
}
inline std::shared_ptr<const GraphInstance> parse_mis(std::string_view content, InstanceFormat format,
                                                      std::vector<std::string>* warnings = nullptr) {
  return std::dynamic_pointer_cast<const GraphInstance>(parse(content, format, warnings).at(0));
}

inline std::vector<Point> points_of(const TspInstance& instance) {
  return {instance.points().begin(), instance.points().end()};
}

/// The edges (u, v) with u < v in ascending order.
inline std::vector<std::pair<Index, Index>> edges_of(const GraphInstance& graph) {
  std::vector<std::pair<Index, Index>> edges;
  for (Index u = 0; u < graph.size(); ++u) {
    for (const Index v : graph.neighbours(u)) {
      if (u < v) {
        edges.emplace_back(u, v);
      }
    }
  }
  return edges;
}

}  // namespace moco::test

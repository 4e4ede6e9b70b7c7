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

// Dependencies go one way: a file of src/moco includes only what comes before its folder in the list of
// docs/architecture.md, and headers of include/moco include nothing but each other.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace moco {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = MOCO_SOURCE_DIR;

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// The folders of src/moco in the order of the document: lines "  name/   what is in it" below "src/moco/".
std::vector<std::string> documented_order() {
  std::vector<std::string> order;
  bool inside = false;
  for (const std::string& line : lines_of(kRoot / "docs" / "architecture.md")) {
    if (line.starts_with("src/moco/")) {
      inside = true;
    } else if (inside && line.starts_with("  ") && line.size() > 2 && line[2] != ' ') {
      order.push_back(line.substr(2, line.find('/') - 2));
    } else if (inside && !line.starts_with("  ")) {
      break;
    }
  }
  return order;
}

struct Include {
  fs::path from;
  std::string path;  ///< "moco/core/files.h"
};

std::vector<Include> includes_below(const fs::path& folder) {
  std::vector<Include> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) {
      continue;
    }
    for (const std::string& line : lines_of(entry.path())) {
      if (line.starts_with("#include \"")) {
        const std::size_t end = line.find('"', 10);
        all.push_back({entry.path(), line.substr(10, end - 10)});
      }
    }
  }
  return all;
}

TEST(IncludeOrder, EveryFolderIsInTheDocument) {
  std::vector<std::string> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "src" / "moco")) {
    folders.push_back(entry.path().filename().string());
  }
  std::vector<std::string> documented = documented_order();
  std::ranges::sort(folders);
  std::ranges::sort(documented);
  EXPECT_EQ(folders, documented);
}

TEST(IncludeOrder, NoIncludeGoesUpwards) {
  const std::vector<std::string> order = documented_order();
  std::map<std::string, std::size_t> rank;
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = i;
  }
  int seen = 0;
  for (const Include& include : includes_below(kRoot / "src" / "moco")) {
    const fs::path from = fs::relative(include.from, kRoot / "src" / "moco");
    const fs::path to(include.path);
    ASSERT_EQ(to.begin()->string(), "moco") << include.from << " includes \"" << include.path << '"';
    if (std::distance(to.begin(), to.end()) < 3) {
      continue;  // a public header
    }
    ++seen;
    const std::string here = from.begin()->string();
    const std::string there = std::next(to.begin())->string();
    ASSERT_TRUE(rank.contains(there)) << include.path;
    EXPECT_LE(rank[there], rank[here]) << from.string() << " includes \"" << include.path << '"';
  }
  EXPECT_GT(seen, 500);
}

TEST(IncludeOrder, PublicHeadersIncludePublicHeadersOnly) {
  for (const Include& include : includes_below(kRoot / "include")) {
    EXPECT_TRUE(fs::exists(kRoot / "include" / include.path))
        << include.from.string() << " includes \"" << include.path << '"';
  }
}

/// Rooms of one problem are its own business: nothing of problems/NAME is included from outside problems/ but from an
/// engine's rooms.
TEST(IncludeOrder, OnlyEnginesKnowAProblemsFolder) {
  for (const Include& include : includes_below(kRoot / "src" / "moco")) {
    const fs::path from = fs::relative(include.from, kRoot / "src" / "moco");
    const fs::path to(include.path);
    const bool into_a_problem = include.path.starts_with("moco/problems/") && std::distance(to.begin(), to.end()) == 4;
    const std::string here = from.begin()->string();
    if (into_a_problem) {
      EXPECT_TRUE(here == "problems" || here == "engine") << from.string() << " includes \"" << include.path << '"';
    }
  }
  for (const Include& include : includes_below(kRoot / "apps")) {
    const fs::path to(include.path);
    EXPECT_FALSE(include.path.starts_with("moco/problems/") && std::distance(to.begin(), to.end()) == 4)
        << include.from.string() << " includes \"" << include.path << '"';
  }
}

/// The rooms of the CUDA engine, each of which includes only those before it in the list of docs/architecture.md.
std::vector<std::string> documented_rooms() {
  std::vector<std::string> rooms;
  for (const std::string& line : lines_of(kRoot / "docs" / "architecture.md")) {
    if (line.starts_with("| `") && line.find("/` |") != std::string::npos) {
      rooms.push_back(line.substr(3, line.find("/` |") - 3));
    }
  }
  return rooms;
}

/// The room of a file below engine/cuda: its folder, or the one above where that holds variants.
std::string room_of(const fs::path& below) {
  return std::distance(below.begin(), below.end()) > 1 ? below.begin()->string() : "";
}

TEST(IncludeOrder, RoomsOfTheCudaEngineGoOneWay) {
  const std::vector<std::string> rooms = documented_rooms();
  const fs::path engine = kRoot / "src" / "moco" / "engine" / "cuda";
  std::map<std::string, std::size_t> rank;
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    rank[rooms[i]] = i;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(engine)) {
    if (entry.is_directory()) {
      EXPECT_TRUE(rank.contains(entry.path().filename().string())) << entry.path();
    }
  }
  const std::string prefix = "moco/engine/cuda/";
  int seen = 0;
  for (const Include& include : includes_below(engine)) {
    EXPECT_FALSE(include.path.starts_with("moco/engine/cpu/") || include.path.starts_with("moco/engine/check/"))
        << include.from.string() << " includes \"" << include.path << '"';
    const std::string here = room_of(fs::relative(include.from, engine));
    const std::string there =
        include.path.starts_with(prefix) ? room_of(fs::path(include.path.substr(prefix.size()))) : "";
    if (here.empty() || there.empty()) {
      continue;  // cuda_engine.h
    }
    ++seen;
    EXPECT_LE(rank[there], rank[here]) << include.from.string() << " includes \"" << include.path << '"';
    const bool problems = (here == "tsp" && there == "mis") || (here == "mis" && there == "tsp");
    const bool networks = here == "gcn" && there == "graph_network";
    EXPECT_FALSE(problems || networks) << include.from.string() << " includes \"" << include.path << '"';
  }
  EXPECT_GT(seen, 100);
}

TEST(IncludeOrder, NoRoomOfTheCudaEngineHasMoreThan16Files) {
  std::map<fs::path, int> files;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(kRoot / "src" / "moco" / "engine" / "cuda")) {
    files[entry.path().parent_path()] += entry.is_regular_file() ? 1 : 0;
  }
  for (const auto& [folder, count] : files) {
    EXPECT_LE(count, 16) << folder;
  }
}

}  // namespace
}  // namespace moco

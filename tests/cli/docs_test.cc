// Files, links and identifiers that the documentation names exist.
#include <set>

#include "markdown.h"

namespace moco::cli_test {
namespace {

/// Folders that shorthand paths begin in, and those that hold what the documentation speaks of.
const std::vector<std::string> kRoots = {"", "src/moco", "include", "docs", "examples", "python/module"};
const std::vector<std::string> kSourceFolders = {"apps",    "bench",  "cmake",   "include", "models",
                                                 "presets", "python", "scripts", "src",     "tests"};

bool is_source(const fs::path& file) {
  static const std::set<std::string> extensions = {".h",    ".cc", ".cu", ".cuh", ".cmake",
                                                   ".toml", ".in", ".py", ".sh",  ".txt"};
  return extensions.contains(file.extension().string()) || !file.has_extension();
}

struct Sources {
  std::set<std::string> names;  ///< of files, without folders
  std::set<std::string> words;  ///< identifiers and keys in them
};

const Sources& sources() {
  static const Sources all = [] {
    Sources found;
    static const std::regex word("[A-Za-z_][A-Za-z_0-9]*");
    for (const std::string& folder : kSourceFolders) {
      for (const auto& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
        if (!entry.is_regular_file()) {
          continue;
        }
        found.names.insert(entry.path().filename().string());
        if (is_source(entry.path()) && entry.path().filename() != "docs_test.cc") {
          const std::string text = slurp(entry.path());
          for (std::sregex_iterator match(text.begin(), text.end(), word); match != std::sregex_iterator(); ++match) {
            found.words.insert(match->str());
          }
        }
      }
    }
    return found;
  }();
  return all;
}

/// What stands between backticks.
std::vector<std::string> quoted(const std::string& line) {
  std::vector<std::string> all;
  for (std::size_t begin = line.find('`'); begin != std::string::npos;) {
    const std::size_t end = line.find('`', begin + 1);
    if (end == std::string::npos) {
      break;
    }
    all.push_back(line.substr(begin + 1, end - begin - 1));
    begin = line.find('`', end + 1);
  }
  return all;
}

/// "a.{h,cc}" as "a.h" and "a.cc".
std::vector<std::string> with_braces_expanded(const std::string& path) {
  const std::size_t open = path.find('{');
  const std::size_t close = path.find('}', open);
  if (open == std::string::npos || close == std::string::npos) {
    return {path};
  }
  std::vector<std::string> paths;
  std::istringstream inside(path.substr(open + 1, close - open - 1));
  for (std::string part; std::getline(inside, part, ',');) {
    paths.push_back(path.substr(0, open) + part + path.substr(close + 1));
  }
  return paths;
}

bool exists_below_a_root(const std::string& path) {
  return std::ranges::any_of(kRoots,
                             [&](const std::string& root) { return fs::exists(source_folder() / root / path); });
}

TEST(Docs, LinksLeadToFiles) {
  static const std::regex link("\\]\\(([^)#]+)(#[^)]*)?\\)");
  int links = 0;
  for (const fs::path& page : markdown_pages()) {
    for (const std::string& line : split_markdown(page).text) {
      for (std::sregex_iterator match(line.begin(), line.end(), link); match != std::sregex_iterator(); ++match) {
        const std::string target = (*match)[1];
        if (target.find("://") == std::string::npos) {
          EXPECT_TRUE(fs::exists(page.parent_path() / target)) << page << ": " << target;
          ++links;
        }
      }
    }
  }
  EXPECT_GT(links, 20);
}

TEST(Docs, PathsExist) {
  // Something with a folder and an extension; NAME and the like stand for any name, runs/ is what training makes.
  static const std::regex path("[A-Za-z0-9_.-]+(/[A-Za-z0-9_{},.-]+)*/[A-Za-z0-9_-]+\\.[a-z{][a-z0-9,}]*");
  static const std::regex source_name("[a-z0-9_]+\\.(h|cc|cu|cuh)");
  int paths = 0;
  for (const fs::path& page : markdown_pages()) {
    for (const std::string& line : split_markdown(page).text) {
      for (const std::string& token : quoted(line)) {
        if (std::regex_match(token, source_name)) {
          EXPECT_TRUE(sources().names.contains(token)) << page << ": " << token;
          ++paths;
        }
        if (!std::regex_match(token, path) || token.find("NAME") != std::string::npos || token.starts_with("runs/")) {
          continue;
        }
        for (const std::string& one : with_braces_expanded(token)) {
          EXPECT_TRUE(exists_below_a_root(one)) << page << ": " << one;
          ++paths;
        }
      }
    }
  }
  EXPECT_GT(paths, 30);
}

TEST(Docs, IdentifiersExist) {
  // Qualified names, names in mixed case, names with underscores; with or without () behind.
  static const std::regex identifier(
      "(?:[A-Za-z_]\\w*::)*(\\w+::\\w+|[A-Z][a-z0-9]+[A-Z]\\w*|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?:\\(\\))?");
  int identifiers = 0;
  for (const fs::path& page : markdown_pages()) {
    for (const std::string& line : split_markdown(page).text) {
      for (const std::string& token : quoted(line)) {
        std::smatch match;
        if (!std::regex_match(token, match, identifier)) {
          continue;
        }
        std::string last = match[1];
        last.erase(0, last.rfind(':') + 1);
        EXPECT_TRUE(sources().words.contains(last)) << page << ": " << token;
        ++identifiers;
      }
    }
  }
  EXPECT_GT(identifiers, 50);
}

}  // namespace
}  // namespace moco::cli_test

// The Markdown files of the repository, as tests read them.
#pragma once

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "run_moco.h"

namespace moco::cli_test {

inline fs::path source_folder() {
  return MOCO_SOURCE_DIR;
}

/// Pages that speak of the present state; the changelog also speaks of the past.
inline std::vector<fs::path> markdown_pages() {
  std::vector<fs::path> pages;
  for (const char* folder : {"", "docs", "docs/tutorials", "models", "examples"}) {
    for (const auto& entry : fs::directory_iterator(source_folder() / folder)) {
      if (entry.path().extension() == ".md" && entry.path().filename() != "CHANGELOG.md") {
        pages.push_back(entry.path());
      }
    }
  }
  std::ranges::sort(pages);
  return pages;
}

/// Lines inside and outside of fenced blocks of code.
struct MarkdownLines {
  std::vector<std::string> code;
  std::vector<std::string> text;
};

inline MarkdownLines split_markdown(const fs::path& page) {
  MarkdownLines lines;
  bool inside = false;
  for (const std::string& line : lines_of(slurp(page))) {
    if (line.find("```") < line.find_first_not_of(' ') + 1) {
      inside = !inside;
    } else {
      (inside ? lines.code : lines.text).push_back(line);
    }
  }
  return lines;
}

}  // namespace moco::cli_test

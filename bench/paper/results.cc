// The store of measured rows, and where they were measured.
#include "results.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "moco/core/cpus.h"
#include "moco/core/files.h"
#include "moco/error.h"
#include "moco/formats/text.h"

namespace moco::paper {

namespace {

std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& table) {
  return folder / (table + ".json");
}

/// What a command prints, without blanks at the ends; empty when it fails.
std::string output_of(const std::string& command) {
  FILE* stream = popen((command + " 2>/dev/null").c_str(), "r");
  if (stream == nullptr) {
    return {};
  }
  std::string text;
  std::array<char, 256> part{};
  while (std::fgets(part.data(), static_cast<int>(part.size()), stream) != nullptr) {
    text += part.data();
  }
  text.erase(text.find_last_not_of('\n') + 1);
  return pclose(stream) == 0 ? text : std::string();
}

std::string processor_name() {
  const std::string content = read_file("/proc/cpuinfo");
  for (LineReader reader(content); reader.next();) {
    const std::string_view line = reader.line();
    if (line.starts_with("model name") && line.find(':') != std::string_view::npos) {
      return std::string(trim(line.substr(line.find(':') + 1)));
    }
  }
  return "unknown processor";
}

}  // namespace

Results Results::load(const std::filesystem::path& folder, const std::string& table) {
  const std::filesystem::path file = file_of(folder, table);
  Results results;
  if (!std::filesystem::exists(file)) {
    return results;
  }
  const Json content = Json::parse(read_file(file), nullptr, false);
  if (!content.is_array()) {
    throw InputError(file.string(), "not a list of rows in JSON");
  }
  for (const Json& row : content) {
    if (!row.is_object() || !row.contains("row") || !row.contains("way") || !row.contains("model")) {
      throw InputError(file.string(), "a row without 'row', 'way' and 'model'");
    }
    results.rows_.push_back(row);
  }
  return results;
}

void Results::put(Json row) {
  const auto same = [&](const Json& other) {
    return other["row"] == row["row"] && other["way"] == row["way"] && other["model"] == row["model"];
  };
  const auto found = std::ranges::find_if(rows_, same);
  if (found == rows_.end()) {
    rows_.push_back(std::move(row));
  } else {
    *found = std::move(row);
  }
}

std::vector<Json> Results::of(const std::string& id, Way way) const {
  std::vector<Json> found;
  std::ranges::copy_if(rows_, std::back_inserter(found),
                       [&](const Json& row) { return row["row"] == id && row["way"] == word_of(way); });
  return found;
}

void Results::save(const std::filesystem::path& folder, const std::string& table) const {
  std::string text = "[\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    text += rows_[i].dump() + (i + 1 < rows_.size() ? ",\n" : "\n");
  }
  std::filesystem::create_directories(folder);
  write_file(file_of(folder, table), text + "]\n");
}

std::string source_commit() {
  const std::string git = "git -C '" MOCO_SOURCE_DIR "' ";
  const std::string commit = output_of(git + "rev-parse --short=12 HEAD");
  if (commit.empty()) {
    return "unknown";
  }
  const std::string changed = output_of(git + "status --porcelain -- src include apps bench models presets");
  return changed.empty() ? commit : commit + "-modified";
}

std::string hardware_of(const std::string& engine, int threads) {
  if (engine == "cuda") {
    const std::string name = output_of("nvidia-smi --query-gpu=name --format=csv,noheader");
    return name.empty() ? "unknown device" : name.substr(0, name.find('\n'));
  }
  return fmt::format("{}, {} threads", processor_name(), threads > 0 ? threads : usable_cpus());
}

}  // namespace moco::paper

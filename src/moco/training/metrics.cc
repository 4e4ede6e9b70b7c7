// Rows of metrics. A row is written with one system call, so that a killed run leaves at most one broken line.
#include "moco/training/metrics.h"

#include <cerrno>
#include <charconv>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "moco/core/files.h"
#include "moco/core/json_integer.h"
#include "moco/error.h"

namespace moco {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

template <typename Value>
ordered_json optional_json(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

/// The row as an object whose keys are the CSV's columns.
ordered_json to_json(const MetricsRow& row) {
  std::optional<double> cost;
  std::optional<double> gap;
  std::optional<double> entropy;
  if (row.validation) {
    cost = row.validation->cost;
    gap = row.validation->gap;
    entropy = row.validation->entropy;
  }
  const auto of_step = [&](auto member) { return row.result ? ordered_json((*row.result).*member) : ordered_json(); };
  return {{"step", row.step},
          {"loss", of_step(&StepResult::loss)},
          {"difference", of_step(&StepResult::difference)},
          {"gradient_norm", of_step(&StepResult::gradient_norm)},
          {"sigma", row.sigma},
          {"learning_rate", of_step(&StepResult::learning_rate)},
          {"search_steps", of_step(&StepResult::search_steps)},
          {"nodes", of_step(&StepResult::nodes)},
          {"instances_per_second", row.result ? ordered_json(row.instances_per_second) : ordered_json()},
          {"seconds", row.seconds},
          {"evaluate_seconds", of_step(&StepResult::evaluate_seconds)},
          {"update_seconds", of_step(&StepResult::update_seconds)},
          {"validation", optional_json(cost)},
          {"gap", optional_json(gap)},
          {"entropy", optional_json(entropy)}};
}

std::string csv_header() {
  const ordered_json row = to_json({});
  std::string line;
  for (const auto& [key, value] : row.items()) {
    line += (line.empty() ? "" : ",") + key;
  }
  return line + "\n";
}

std::string csv_line(const ordered_json& row) {
  std::string line;
  for (const auto& [key, value] : row.items()) {
    line += key == "step" ? "" : ",";
    line += value.is_null() ? "" : value.dump();
  }
  return line + "\n";
}

/// Step of a line of either file; −1 when the line is no complete row.
int step_of(std::string_view line, bool json_lines) {
  if (json_lines) {
    const ordered_json row = ordered_json::parse(line, nullptr, false);
    return row.is_object() && row.contains("step") && holds_integer<int>(row["step"]) ? row["step"].get<int>() : -1;
  }
  int step = -1;
  const auto [end, code] = std::from_chars(line.data(), line.data() + line.size(), step);
  return code == std::errc() && end != line.data() + line.size() && *end == ',' ? step : -1;
}

/// Rewrites a file with its rows up to `last_step`.
void keep_rows(const fs::path& file, int last_step, bool json_lines) {
  std::string kept = json_lines ? "" : csv_header();
  std::error_code error;
  if (last_step >= 0 && fs::exists(file, error)) {
    const std::string content = read_file(file);
    std::string_view rest = content;
    for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      const std::string_view line = rest.substr(0, end + 1);
      const int step = step_of(line, json_lines);
      if (step >= 0 && step <= last_step) {
        kept += line;
      }
      rest.remove_prefix(end + 1);
    }
  }
  write_file(file, kept);
}

void append_line(const fs::path& file, std::string_view line) {
  const auto fail = [&](int code) {
    throw IoError(fmt::format("cannot append to '{}': {}", file.string(), std::generic_category().message(code)));
  };
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    fail(errno);
  }
  const ssize_t written = ::write(descriptor, line.data(), line.size());
  const int code = written < 0 ? errno : ENOSPC;
  ::close(descriptor);
  if (written != static_cast<ssize_t>(line.size())) {
    fail(code);
  }
}

}  // namespace

MetricsLog::MetricsLog(fs::path jsonl, fs::path csv, int last_step) : jsonl_(std::move(jsonl)), csv_(std::move(csv)) {
  keep_rows(jsonl_, last_step, true);
  keep_rows(csv_, last_step, false);
}

void MetricsLog::append(const MetricsRow& row) const {
  const ordered_json values = to_json(row);
  append_line(jsonl_, values.dump() + "\n");
  append_line(csv_, csv_line(values));
}

}  // namespace moco

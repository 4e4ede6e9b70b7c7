// `moco plot`: curves of training runs as an SVG drawing.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "moco/core/files.h"
#include "moco/drawing/line_chart.h"
#include "output_files.h"

namespace moco::cli {

namespace {

namespace fs = std::filesystem;
using drawing::Curve;
using nlohmann::json;

Curve read_curve(const std::string& argument, const std::string& x, const std::string& y) {
  std::error_code error;
  const bool folder = fs::is_directory(argument, error);
  const fs::path file = folder ? fs::path(argument) / "metrics.jsonl" : fs::path(argument);
  const std::string content = read_file(file);
  Curve curve{argument, {}};
  std::int64_t line = 0;
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    const json row = json::parse(content.substr(begin, end - begin), nullptr, false);
    ++line;
    begin = end + 1;
    if (row.is_discarded() && end == content.size()) {
      break;  // the run is writing this line, or was killed while it did
    }
    if (!row.is_object() || !row.contains(x) || !row.contains(y)) {
      throw InputError(file.string(), line, fmt::format("no row of metrics with '{}' and '{}'", x, y));
    }
    if (row[x].is_number() && row[y].is_number()) {
      curve.points.push_back({row[x].get<double>(), row[y].get<double>()});
    }
  }
  if (curve.points.empty()) {
    throw InputError(file.string(), fmt::format("no row has a value for '{}'", y));
  }
  return curve;
}

}  // namespace

int run_plot(const Arguments& arguments) {
  const std::string output = arguments.text("output");
  if (output != "-") {
    require_writable(output);
  }
  std::vector<Curve> curves;
  for (const std::string& argument : arguments.positionals("METRICS")) {
    curves.push_back(read_curve(argument, arguments.text("x"), arguments.text("y")));
    drawing::drop_start(curves.back());
  }
  write_text(output, drawing::line_chart(curves, arguments.text("x"), arguments.text("y")));
  return kExitSuccess;
}

}  // namespace moco::cli

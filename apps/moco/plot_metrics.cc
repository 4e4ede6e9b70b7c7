// `moco plot`: curves of training runs.
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "moco/core/files.h"
#include "moco/drawing/line_chart.h"
#include "output_files.h"
#include "picture_output.h"

namespace moco::cli {

namespace {

namespace fs = std::filesystem;
using drawing::Curve;
using nlohmann::json;

/// Titles of the axes by the names of the columns.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kTitles{{
    {"step", "outer steps"},
    {"seconds", "time [s]"},
    {"validation", "validation: mean best cost"},
    {"gap", "validation: mean gap to the references [1 = 100 %]"},
    {"entropy", "validation: entropy of the policy [nats]"},
    {"loss", "mean loss"},
    {"difference", "root mean square of the pairs' differences of loss"},
    {"gradient_norm", "norm of the gradient"},
    {"learning_rate", "learning rate"},
    {"search_steps", "steps of the inner search, K"},
    {"instances_per_second", "instances per second [1/s]"},
}};

drawing::Axis axis_of(const std::string& column, bool logarithmic) {
  const auto* title = std::ranges::find(kTitles, column, &std::pair<std::string_view, std::string_view>::first);
  return {std::string(title == kTitles.end() ? column : title->second), logarithmic};
}

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
  picture_format(output);  // a wrong name is found before the reading
  const std::string x = arguments.text("x");
  const std::string y = arguments.text("y");
  std::vector<Curve> curves;
  for (const std::string& argument : arguments.positionals("METRICS")) {
    curves.push_back(read_curve(argument, x, y));
    if (!arguments.flag("log-y")) {  // which leaves room for a start far off
      drawing::drop_start(curves.back());
    }
  }
  write_picture(output,
                drawing::line_chart(curves, axis_of(x, arguments.flag("log-x")), axis_of(y, arguments.flag("log-y"))));
  return kExitSuccess;
}

}  // namespace moco::cli

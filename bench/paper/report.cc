// Text and charts of the report. Rows without a measurement say why there is none.
#include "report.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/core/gap.h"
#include "moco/drawing/line_chart.h"
#include "moco/drawing/svg.h"
#include "results.h"
#include "row_text.h"
#include "run_table.h"

namespace moco::paper {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIntroduction =
    R"(# Results

<!-- Made by `paper report`; change bench/paper instead. -->

The paper's figures (*MOCO: A Learnable Meta Optimizer for Combinatorial Optimization*, tables by their labels) beside those of this program with the same
M, K and b. A search longer than suits its model runs as several episodes side by side, K steps together (`--episode-steps`); curves over steps are of searches in one piece.
Every solution went through the checker. A gap is the mean over the instances of (cost − reference)/reference, for MIS
(reference − size)/reference; ± is one standard error. "To paper's reference" compares our mean with the mean of the paper's reference solver, which
says something only on the same instances. Seconds are of the search, per instance, one instance at a time unless the row says otherwise; the
paper's were measured on an RTX 3090. Each row has its own number of instances, hardware and commit: rows with few instances are first
measurements and no comparison.

The published test sets are read from `--data DIR` (fewer instances than a file has are spread evenly over it; rows of commits before c551768 have its first ones); otherwise instances are generated from a fixed seed, which the column
"instances" then says. ER-[9000-11000] is always generated: the original graphs could not be had.

```sh
cmake --preset release && cmake --build --preset release
build/release/bench/paper/paper tsp --data DIR -o docs/results       # also: hybrid, mis, heatmaps, behaviour, ablation
build/release/bench/paper/paper report docs/results -o docs/results.md
```

Not compared: in `fig:behaviour_extrapolation` the naive budget feature k/K of training and optimizers trained for other K than the models that ship.
)";

/// A measured row with a curve.
struct Behaviour {
  const Row* row = nullptr;
  Json measured;
};

/// What the vertical axes of a figure show: gaps where all its curves have references, otherwise costs.
bool shows_gaps(const std::vector<Behaviour>& behaviours) {
  return std::ranges::none_of(behaviours, [](const auto& one) { return one.measured.at("reference").is_null(); });
}

/// The curve of a measured row; `x` is 0 for steps and 2 for seconds.
drawing::Curve curve_of(const Behaviour& behaviour, std::size_t x, bool gaps) {
  const Row& row = *behaviour.row;
  const Json& measured = behaviour.measured;
  drawing::Curve curve{fmt::format("K = {}, b = {} ({}, {} instances)", row.setting.steps, row.setting.samples,
                                   measured.at("model").get<std::string>(), measured.at("instances").get<int>()),
                       {}};
  const double sign = measured.at("problem") == "mis" ? -1.0 : 1.0;  // sizes are there to grow
  for (const Json& point : measured.at("curve")) {
    const double best = point.at(1).get<double>();
    const double y =
        gaps ? 100.0 * relative_gap(sign * best, sign * measured.at("reference").at("mean").get<double>()) : best;
    curve.points.push_back({point.at(x).get<double>(), y});
  }
  if (!gaps) {
    drawing::drop_start(curve);
  }
  return curve;
}

bool has_values_above_zero(const std::vector<drawing::Curve>& curves) {
  return std::ranges::any_of(curves, [](const drawing::Curve& curve) {
    return std::ranges::any_of(curve.points, [](const drawing::Place& point) { return point.y > 0.0; });
  });
}

/// Charts of all rows of a figure that have curves; returns the Markdown that shows them.
std::string write_charts(const Table& table, const Results& results, const fs::path& images) {
  std::string text;
  std::vector<std::string> figures;
  for (const Row& row : table.rows) {
    if (row.curve && (figures.empty() || figures.back() != row.source)) {
      figures.push_back(row.source);
    }
  }
  for (const std::string& figure : figures) {
    std::vector<Behaviour> behaviours;
    for (const Row& row : table.rows) {
      for (Json& measured : results.of(row.id)) {
        if (row.source == figure && measured.contains("curve")) {
          behaviours.push_back({&row, std::move(measured)});
        }
      }
    }
    if (behaviours.empty()) {
      continue;
    }
    const bool gaps = shows_gaps(behaviours);
    for (const auto& [x, unit] : {std::pair<std::size_t, std::string>{0, "steps"}, {2, "seconds"}}) {
      std::vector<drawing::Curve> curves;
      for (const Behaviour& behaviour : behaviours) {
        curves.push_back(curve_of(behaviour, x, gaps));
      }
      const std::string name = fmt::format("results-{}-{}.svg", figure.substr(figure.find(':') + 1), unit);
      fs::create_directories(images);
      const drawing::Axis across{x == 0 ? "search steps" : "time per instance [s]", true};
      const drawing::Axis up{gaps ? "gap of the mean best to the mean reference [%]" : "mean best cost or size",
                             gaps && has_values_above_zero(curves)};
      write_file(images / name, drawing::svg_document(drawing::line_chart(curves, across, up)));
      text += fmt::format("\n![{}: {} over {}](images/{})\n", figure, gaps ? "gap" : "best cost", unit, name);
    }
  }
  return text;
}

std::string table_text(const Table& table, const Results& results) {
  std::string text;
  for (const Row& row : table.rows) {
    const std::vector<Json> measured = results.of(row.id);
    for (const Json& one : measured) {
      text += markdown_row(row, &one, "");
    }
    if (measured.empty()) {
      const RowModel model = model_of(row);
      text += markdown_row(row, nullptr, model.name.empty() ? model.missing : "not measured yet");
    }
  }
  return text;
}

}  // namespace

void write_report(const fs::path& results, const fs::path& output) {
  std::string text(kIntroduction);
  for (const Table& table : tables()) {
    const Results measured = Results::load(results, table.name);
    text += fmt::format("\n## {} (`{}`)\n\n{}{}", table.title, table.rows.front().source, markdown_heading(),
                        table_text(table, measured));
    text += write_charts(table, measured, output.parent_path() / "images");
  }
  write_file(output, text);
}

}  // namespace moco::paper

// Text and charts of the report. Rows without a measurement say why there is none.
#include "report.h"

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/drawing/line_chart.h"
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

/// The curve of a measured row; `x` is 0 for steps and 2 for seconds.
drawing::Curve curve_of(const Row& row, const Json& measured, std::size_t x) {
  drawing::Curve curve{fmt::format("K = {}, b = {} ({}, {} instances)", row.setting.steps, row.setting.samples,
                                   measured.at("model").get<std::string>(), measured.at("instances").get<int>()),
                       {}};
  for (const Json& point : measured.at("curve")) {
    curve.points.push_back({point.at(x).get<double>(), point.at(1).get<double>()});
  }
  drawing::drop_start(curve);
  return curve;
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
    for (const auto& [x, unit] : {std::pair<std::size_t, std::string>{0, "steps"}, {2, "seconds"}}) {
      std::vector<drawing::Curve> curves;
      for (const Row& row : table.rows) {
        for (const Json& measured : results.of(row.id)) {
          if (row.source == figure && measured.contains("curve")) {
            curves.push_back(curve_of(row, measured, x));
          }
        }
      }
      if (curves.empty()) {
        continue;
      }
      const std::string name = fmt::format("results-{}-{}.svg", figure.substr(figure.find(':') + 1), unit);
      fs::create_directories(images);
      write_file(images / name, drawing::line_chart(curves, unit, "mean best cost"));
      text += fmt::format("\n![{}: best cost over {}](images/{})\n", figure, unit, name);
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

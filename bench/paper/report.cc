// Text and charts of the report. Rows without a measurement say why there is none.
#include "report.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/core/files.h"
#include "moco/core/gap.h"
#include "moco/drawing/line_chart.h"
#include "moco/drawing/svg.h"
#include "reproduction.h"
#include "results.h"
#include "row_text.h"
#include "run_table.h"

namespace moco::paper {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIntroduction =
    R"(# Results

<!-- Made by `paper report`; change bench/paper instead. -->

The paper's figures (*MOCO: A Learnable Meta Optimizer for Combinatorial Optimization*, tables by their labels), and below them those of this program with the same M, K and b, in several ways:

- **the paper's rule**: models `paper-…`, trained with the paper's own update rule, one budget for the whole search;
- **ours, one piece**: the models that ship, whose rule is another one ([method.md](method.md)), in one piece;
- **ours, episodes**: the same as they search by default: long searches are cut into several side by side. "searched" has the M and K that this comes to;
- **ours, local search**: the same with a local search on every sample, in tables without one;
- **untrained**: Adam on the policy gradient;
- **ant system**, **max–min ants**: pheromones, untrained; beside the paper's ACO;
- **learned, ants**, **learned, Adam**: a network's beginning, trained for an ant system or for Adam; beside the paper's DeepACO and DIMES.

Every solution went through the checker. A gap is the mean over the instances of (cost − reference)/reference, for MIS (reference − size)/reference; ± is one standard error. "gap − the paper's" is in points of a percent with the standard
error of ours, for methods that the paper has beside its own from that method's gap, bold where it is more than two of them. "To paper's reference" compares our mean with the mean of the paper's reference solver, which says something only on the same instances. "better" counts the instances on which the
reference was beaten, ties not among them. Seconds are of the search, per instance: of one that has the engine to itself, and of one among so many side by side; the paper's are alone, on an RTX 3090. Each row has its own number of instances, hardware and commit:
rows with few instances are first measurements and no comparison.

The published test sets are read from `--data DIR` (fewer instances than a file has are spread evenly over it; rows of commits before c551768 have its first ones); otherwise instances are generated from a fixed seed, which the column
"instances" then says. ER-[9000-11000] is always generated: the original graphs could not be had. Their references are what `paper references` found by a long local search on each graph, where there are some; no optimum is known.

```sh
cmake --preset release && cmake --build --preset release
build/release/bench/paper/paper all --data DIR -o docs/results       # or one of tsp, hybrid, mis, heatmaps, behaviour, ablation
build/release/bench/paper/paper references --seconds 60 -o docs/results
build/release/bench/paper/paper report docs/results -o docs          # results.md, reproduction.md and the charts
```
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
  const std::string told = row.trained_steps > 0 ? fmt::format(", {}", row.naive ? "naive" : "full") : "";
  drawing::Curve curve{fmt::format("K = {}, b = {} ({}{}, {} instances)", row.setting.steps, row.setting.samples,
                                   measured.at("model").get<std::string>(), told, measured.at("instances").get<int>()),
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
      if (row.source != figure) {
        continue;
      }
      for (const Way way : row.ways) {
        for (Json& measured : results.of(row.id, way)) {
          behaviours.push_back({&row, std::move(measured)});
        }
      }
    }
    std::erase_if(behaviours, [](const Behaviour& one) { return !one.measured.contains("curve"); });
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
    text += paper_markdown(row);
    for (const Way way : row.ways) {
      const std::vector<Json> measured = results.of(row.id, way);
      for (const Json& one : measured) {
        text += measured_markdown(row, one);
      }
      if (measured.empty()) {
        const RowModel model = model_of(row, way);
        text += missing_markdown(way, model.name.empty() ? model.missing : "not measured yet");
      }
    }
  }
  return text;
}

}  // namespace

void write_report(const fs::path& results, const fs::path& folder) {
  std::string text(kIntroduction);
  for (const Table& table : tables()) {
    const Results measured = Results::load(results, table.name);
    text += fmt::format("\n## {} (`{}`)\n\n{}{}", table.title, table.rows.front().source, markdown_heading(),
                        table_text(table, measured));
    text += write_charts(table, measured, folder / "images");
  }
  fs::create_directories(folder);
  write_file(folder / "results.md", text);
  write_file(folder / "reproduction.md", reproduction_text(results));
}

}  // namespace moco::paper

// Two tables over the rows of the paper's main tables: the paper's rule against the paper's figures, and ours against
// the paper's rule. A row counts as measured with all its instances or not at all.
#include "reproduction.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "results.h"
#include "row_text.h"
#include "run_table.h"

namespace moco::paper {

namespace {

constexpr std::string_view kIntroduction =
    R"(# Reproduction

<!-- Made by `paper report`; change bench/paper instead. -->

What of *MOCO: A Learnable Meta Optimizer for Combinatorial Optimization* was reproduced with its own method, and what our changes add. The figures are those of [results.md](results.md), where commands, instances, hardware and commits stand.
What "its own method" means where the paper's text and the authors' program differ is settled in [method.md](method.md); how the models were trained stands in [models/README.md](../models/README.md).

## The paper's rule against the paper's figures
Gaps in percent, means over the instances with their standard errors. "Reproduced" is a gap at most two standard errors above the paper's.

| data | M | K | b | paper | the paper's rule here | difference | instances | model | |
|---|---|---|---|---|---|---|---|---|---|
)";

constexpr std::string_view kAdditions =
    R"(
## What our changes add
The same M, K and b: gaps in percent of the paper's rule as trained here, of the models that ship in one piece and in episodes, and with a local search on every sample.

| data | M | K | b | paper | the paper's rule | ours, one piece | ours, episodes | ours, local search |
|---|---|---|---|---|---|---|---|---|
)";

/// The measurement of a row in a way with the most instances, if it was measured with a gap.
std::optional<Json> measured_gap(const Results& results, const Row& row, Way way) {
  std::optional<Json> most;
  for (Json& one : results.of(row.id, way)) {
    if (!one.at("gap").is_null() && (!most || one.at("instances") > most->at("instances"))) {
      most = std::move(one);
    }
  }
  return most;
}

std::string setting_text(const Row& row) {
  return fmt::format("| {} | {} | {} | {} | {} ", data_spec(row.data).title, row.setting.restarts, row.setting.steps,
                     row.setting.samples, row.paper->gap_percent);
}

std::string verdict(const Row& row, const Json& measured) {
  const std::optional<Difference> difference = difference_to_paper(row, measured);
  if (!difference) {
    return "one instance";
  }
  if (!difference->is_clear()) {
    return "reproduced";
  }
  return difference->points < 0.0 ? "reproduced, better" : fmt::format("short by {:.2f}", difference->points);
}

std::string reproduced_line(const Row& row, const Results& results) {
  const std::optional<Json> measured = measured_gap(results, row, Way::exact);
  if (!measured) {
    const RowModel model = model_of(row, Way::exact);
    return setting_text(row) + fmt::format("| | | | | {} |\n", model.name.empty() ? model.missing : "not measured yet");
  }
  const std::optional<Difference> difference = difference_to_paper(row, *measured);
  return setting_text(row) + fmt::format("| {} | {} | {} | `{}` | {} |\n", gap_text(*measured),
                                         difference ? difference_text(*difference) : "",
                                         measured->at("instances").get<std::size_t>(),
                                         measured->at("model").get<std::string>(), verdict(row, *measured));
}

std::string addition_line(const Row& row, const Results& results) {
  std::string line = setting_text(row);
  for (const Way way : {Way::exact, Way::one_piece, Way::episodes, Way::hybrid}) {
    const std::optional<Json> measured = measured_gap(results, row, way);
    line += "| " + (measured ? gap_text(*measured) + " " : "");
  }
  return line + "|\n";
}

}  // namespace

std::string reproduction_text(const std::filesystem::path& folder) {
  std::string reproduced(kIntroduction);
  std::string additions(kAdditions);
  for (const Table& table : tables()) {
    if (table.name != "tsp" && table.name != "mis") {
      continue;
    }
    const Results results = Results::load(folder, table.name);
    for (const Row& row : table.rows) {
      reproduced += reproduced_line(row, results);
      additions += addition_line(row, results);
    }
  }
  return reproduced + additions;
}

}  // namespace moco::paper

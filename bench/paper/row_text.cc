// Layout of the rows. Both layouts show the same cells.
#include "row_text.h"

#include <fmt/format.h>

namespace moco::paper {

namespace {

std::string number(const Json& object, const char* key, double factor, int decimals) {
  const Json& value = object.at(key);
  return value.is_null() ? "" : fmt::format("{:.{}f}", factor * value.get<double>(), decimals);
}

/// "7.8409 ± 0.0123", without the error where one instance gives none.
std::string with_error(const Json& estimate, double factor, int decimals) {
  const std::string error = number(estimate, "standard_error", factor, decimals);
  return number(estimate, "mean", factor, decimals) + (error.empty() ? "" : " ± " + error);
}

/// Figures of a row as they are shown.
struct Cells {
  std::string value;
  std::string gap;
  std::string paper_gap;  ///< gap of the means to the paper's reference
  std::string seconds;
};

int decimals_of(const DataSpec& spec) {
  return spec.problem == "mis" ? 2 : 4;
}

Cells paper_cells(const Row& row) {
  if (!row.paper) {
    return {"figure only", "", "", ""};
  }
  // As many digits as the paper gives.
  const bool main_tables = row.source == "tab:tsp_main" || row.source == "tab:hybrid";
  const int decimals = !main_tables ? 2 : row.data == "tsp100" ? 4 : 3;
  return {fmt::format("{:.{}f}", row.paper->value, decimals), fmt::format("{}", row.paper->gap_percent), "",
          row.paper->seconds ? fmt::format("{}", *row.paper->seconds) : ""};
}

Cells measured_cells(const Row& row, const Json& measured) {
  const DataSpec& spec = data_spec(row.data);
  const Json& objective = measured.at(spec.problem == "mis" ? "size" : "cost");
  const double sign = spec.problem == "mis" ? -1.0 : 1.0;
  const double distance = objective.at("mean").get<double>() - spec.paper_reference;
  return {with_error(objective, 1.0, decimals_of(spec)),
          measured.at("gap").is_null() ? "" : with_error(measured.at("gap"), 100.0, 3),
          fmt::format("{:.3f}", sign * 100.0 * distance / spec.paper_reference),
          fmt::format("{:.3g}", measured.at("seconds").at("search").get<double>())};
}

/// "8 of tsp100_1280.txt.gz", and how many of them were searched side by side unless it was one.
std::string instances_text(const Json& measured) {
  const int batch = measured.at("batch").get<int>();
  return fmt::format("{} of {}{}", measured.at("instances").get<std::size_t>(),
                     measured.at("dataset").get<std::string>(), batch == 1 ? "" : fmt::format(", {} at a time", batch));
}

}  // namespace

std::string row_heading(const Table& table) {
  return fmt::format("{} ({})\n{:<8}{:>4}{:>6}{:>5}  {:<8}{:>18}{:>18}{:>14}{:>10}", table.title,
                     table.rows.front().source, "data", "M", "K", "b", "", "cost or size", "gap %", "to paper %",
                     "s/inst.");
}

std::string row_text(const Row& row, const Json* measured, const std::string& reason) {
  const Cells paper = paper_cells(row);
  std::string text = fmt::format("{:<8}{:>4}{:>6}{:>5}  {:<8}{:>18}{:>18}{:>14}{:>10}  {}\n", row.data,
                                 row.setting.restarts, row.setting.steps, row.setting.samples, "paper", paper.value,
                                 paper.gap, paper.paper_gap, paper.seconds, row.remark);
  if (measured == nullptr) {
    return text + fmt::format("{:<25}{:<8}not run: {}\n", "", "ours", reason);
  }
  const Cells ours = measured_cells(row, *measured);
  // "±" takes one place and two bytes.
  const auto padded = [](const std::string& cell, std::size_t width) {
    const std::size_t places = cell.size() - (cell.find("±") == std::string::npos ? 0 : 1);
    return std::string(places < width ? width - places : 1, ' ') + cell;
  };
  return text + fmt::format("{:<25}{:<8}{}{}{}{}  {}, {}\n", "", "ours", padded(ours.value, 18), padded(ours.gap, 18),
                            padded(ours.paper_gap, 14), padded(ours.seconds, 10),
                            measured->at("model").get<std::string>(), instances_text(*measured));
}

std::string markdown_heading() {
  return "| data | M | K | b | paper: cost or size | gap % | s | ours: cost or size | gap % | to paper's reference % | "
         "s | "
         "instances | model | hardware | commit | remark |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
}

std::string markdown_row(const Row& row, const Json* measured, const std::string& reason) {
  const Cells paper = paper_cells(row);
  std::string text = fmt::format("| {} | {} | {} | {} | {} | {} | {} ", data_spec(row.data).title, row.setting.restarts,
                                 row.setting.steps, row.setting.samples, paper.value, paper.gap, paper.seconds);
  if (measured == nullptr) {
    return text + fmt::format("| not run: {} | | | | | | | | {} |\n", reason, row.remark);
  }
  const Cells ours = measured_cells(row, *measured);
  return text + fmt::format("| {} | {} | {} | {} | {} | `{}` | {} | {} | {} |\n", ours.value, ours.gap, ours.paper_gap,
                            ours.seconds, instances_text(*measured), measured->at("model").get<std::string>(),
                            measured->at("hardware").get<std::string>(), measured->at("commit").get<std::string>(),
                            row.remark);
}

}  // namespace moco::paper

// Layout of the lines. Both layouts show the same cells.
#include "row_text.h"

#include <cmath>

#include <fmt/format.h>

#include "moco/solve.h"

namespace moco::paper {

namespace {

std::string number(const Json& object, const char* key, double factor, int decimals) {
  const Json& value = object.at(key);
  return value.is_null() ? "" : fmt::format("{:.{}f}", factor * value.get<double>(), decimals);
}

/// Figures of a line as they are shown.
struct Cells {
  std::string rule;
  std::string value;
  std::string gap;
  std::string to_paper;       ///< how far the gap lies from the paper's
  std::string reference_gap;  ///< gap of the mean to the mean of the paper's reference solver
  std::string better;         ///< on how many instances the reference was beaten
  std::string alone;          ///< seconds of an instance that has the engine to itself
  std::string in_batch;       ///< seconds of an instance among others
  std::string searched;       ///< restarts × steps, as the search went
  std::string instances;
};

int decimals_of(const DataSpec& spec) {
  return spec.problem == "mis" ? 2 : 4;
}

std::string seconds_text(const Json& seconds, const char* key) {
  return seconds.contains(key) ? fmt::format("{:.3g}", seconds.at(key).get<double>()) : "";
}

Cells paper_cells(const Row& row) {
  Cells cells;
  cells.rule = "paper, quoted";
  cells.value = "figure only";
  if (row.paper) {
    // As many digits as the paper gives.
    const bool main_tables = row.source == "tab:tsp_main" || row.source == "tab:hybrid";
    const int decimals = !main_tables ? 2 : row.data == "tsp100" ? 4 : 3;
    cells.value = fmt::format("{:.{}f}", row.paper->value, decimals);
    cells.gap = fmt::format("{}", row.paper->gap_percent);
    cells.alone = row.paper->seconds ? fmt::format("{}", *row.paper->seconds) : "";
  }
  return cells;
}

Cells measured_cells(const Row& row, const Json& measured) {
  const DataSpec& spec = data_spec(row.data);
  const Json& objective = measured.at(spec.problem == "mis" ? "size" : "cost");
  const double sign = spec.problem == "mis" ? -1.0 : 1.0;
  const double distance = objective.at("mean").get<double>() - spec.paper_reference;
  Cells cells;
  cells.rule = title_of(way_named(measured.at("way").get<std::string>()));
  cells.value = with_error(objective, 1.0, decimals_of(spec));
  cells.gap = gap_text(measured);
  const std::optional<Difference> difference = difference_to_paper(row, measured);
  cells.to_paper = difference ? difference_text(*difference) : "";
  cells.reference_gap = fmt::format("{:.3f}", sign * 100.0 * distance / spec.paper_reference);
  const Json& reference = measured.at("reference");
  if (!reference.is_null() && reference.contains("better")) {  // not in rows that counted ties
    cells.better = fmt::format("{}", reference.at("better").get<std::size_t>());
  }
  const int batch = measured.at("batch").get<int>();
  cells.alone = seconds_text(measured.at("seconds"), "alone");
  if (batch > 1) {
    cells.in_batch = fmt::format("{} ({})", seconds_text(measured.at("seconds"), "search"), batch);
  }
  LoopOptions loop;
  loop.restarts = measured.at("restarts").get<int>();
  loop.steps = measured.at("steps").get<int>();
  loop.episode_steps = measured.at("episode_steps").get<int>();
  loop = episode_loop(loop);
  cells.searched = fmt::format("{} × {}", loop.restarts, loop.steps);
  cells.instances =
      fmt::format("{} of {}", measured.at("instances").get<std::size_t>(), measured.at("dataset").get<std::string>());
  return cells;
}

/// "±", "−" and "×" take one place and two or three bytes.
std::size_t places_of(std::string_view text) {
  std::size_t places = 0;
  for (const char byte : text) {
    places += (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u ? 1 : 0;
  }
  return places;
}

std::string padded(const std::string& cell, std::size_t width) {
  const std::size_t places = places_of(cell);
  return std::string(places < width ? width - places : 1, ' ') + cell;
}

std::string line_of(const std::string& front, const Cells& cells, const std::string& end) {
  return fmt::format("{:<25}{:<18}{}{}{}{}{}  {}\n", front, cells.rule, padded(cells.value, 18), padded(cells.gap, 16),
                     padded(cells.reference_gap, 12), padded(cells.alone, 9), padded(cells.in_batch, 16), end);
}

std::string markdown_line(const std::string& front, const Cells& cells, const std::string& end) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", front, cells.rule, cells.value,
                     cells.gap, cells.to_paper, cells.reference_gap, cells.better, cells.alone, cells.in_batch,
                     cells.searched, cells.instances, end);
}

}  // namespace

bool Difference::is_clear() const {
  return std::abs(points) > 2.0 * standard_error;
}

std::optional<Difference> difference_to_paper(const Row& row, const Json& measured) {
  const Json& gap = measured.at("gap");
  const std::optional<PaperFigures> paper = paper_figures(row, way_named(measured.at("way").get<std::string>()));
  if (!paper || gap.is_null() || gap.at("standard_error").is_null()) {
    return std::nullopt;
  }
  return Difference{100.0 * gap.at("mean").get<double>() - paper->gap_percent,
                    100.0 * gap.at("standard_error").get<double>()};
}

std::string difference_text(const Difference& difference) {
  const std::string text = fmt::format("{}{:.3f} ± {:.3f}", difference.points < 0.0 ? "−" : "+",
                                       std::abs(difference.points), difference.standard_error);
  return difference.is_clear() ? "**" + text + "**" : text;
}

std::string with_error(const Json& estimate, double factor, int decimals) {
  const std::string error = number(estimate, "standard_error", factor, decimals);
  return number(estimate, "mean", factor, decimals) + (error.empty() ? "" : " ± " + error);
}

std::string gap_text(const Json& measured) {
  return measured.at("gap").is_null() ? "" : with_error(measured.at("gap"), 100.0, 3);
}

std::string row_heading(const Table& table) {
  return fmt::format("{} ({})\n{:<8}{:>4}{:>6}{:>5}  {:<18}{:>18}{:>16}{:>12}{:>9}{:>16}", table.title,
                     table.rows.front().source, "data", "M", "K", "b", "", "cost or size", "gap %", "to paper %",
                     "s alone", "s in batches");
}

std::string paper_text(const Row& row) {
  const Setting& setting = row.setting;
  return line_of(fmt::format("{:<8}{:>4}{:>6}{:>5}", row.data, setting.restarts, setting.steps, setting.samples),
                 paper_cells(row), row.remark);
}

std::string measured_text(const Row& row, const Json& measured) {
  const Cells cells = measured_cells(row, measured);
  return line_of("", cells,
                 fmt::format("{}, {}, {}", measured.at("model").get<std::string>(), cells.searched, cells.instances));
}

std::string missing_text(Way way, const std::string& reason) {
  return fmt::format("{:<25}{:<18}not run: {}\n", "", title_of(way), reason);
}

std::string markdown_heading() {
  return "| data | M | K | b | rule | cost or size | gap % | gap − the paper's | to paper's reference % | better | s "
         "alone | s in batches | searched M × K | instances | model | hardware | commit | remark |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
}

std::string paper_markdown(const Row& row) {
  const Setting& setting = row.setting;
  return markdown_line(
      fmt::format("{} | {} | {} | {}", data_spec(row.data).title, setting.restarts, setting.steps, setting.samples),
      paper_cells(row), fmt::format("| | | {}", row.remark));
}

std::string measured_markdown(const Row& row, const Json& measured) {
  const std::string local_search = measured.at("local_search").get<std::string>();
  const bool shown = !local_search.empty() && row.local_search.empty();  // else the remark says it
  return markdown_line("| | | ", measured_cells(row, measured),
                       fmt::format("`{}` | {} | {} | {}", measured.at("model").get<std::string>(),
                                   measured.at("hardware").get<std::string>(), measured.at("commit").get<std::string>(),
                                   shown ? local_search : ""));
}

std::string missing_markdown(Way way, const std::string& reason) {
  return fmt::format("| | | | | {} | not run: {} | | | | | | | | | | | | |\n", title_of(way), reason);
}

}  // namespace moco::paper

// Rows as lines on a terminal and as lines of Markdown: the paper's figures first, then a line for each way.
#pragma once

#include <optional>
#include <string>

#include "results.h"
#include "rows.h"

namespace moco::paper {

/// Heading and column names above the lines of a table.
std::string row_heading(const Table& table);
std::string paper_text(const Row& row);
std::string measured_text(const Row& row, const Json& measured);
std::string missing_text(Way way, const std::string& reason);

/// Column names with the line below them, and the lines of a Markdown table.
std::string markdown_heading();
std::string paper_markdown(const Row& row);
std::string measured_markdown(const Row& row, const Json& measured);
std::string missing_markdown(Way way, const std::string& reason);

/// How far a measured row's gap lies from the paper's, in points of a percent; the error is that of ours.
struct Difference {
  double points = 0.0;
  double standard_error = 0.0;

  bool is_clear() const;  ///< more than two standard errors
};
/// Nothing where the paper or the row has no gap, or one instance gives no error.
std::optional<Difference> difference_to_paper(const Row& row, const Json& measured);
/// "−0.363 ± 0.016", bold where it is clear.
std::string difference_text(const Difference& difference);

/// "7.8409 ± 0.0123", times a factor; without the error where one instance gives none.
std::string with_error(const Json& estimate, double factor, int decimals);
/// The gap of a measured row in percent with its error, or nothing.
std::string gap_text(const Json& measured);

}  // namespace moco::paper

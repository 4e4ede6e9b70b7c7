// Rows as lines on a terminal and as lines of Markdown.
#pragma once

#include <string>

#include "results.h"
#include "rows.h"

namespace moco::paper {

/// Heading and column names above the lines of a table.
std::string row_heading(const Table& table);
/// The paper's figures and the measured ones below each other; `measured` may be null, with a reason.
std::string row_text(const Row& row, const Json* measured, const std::string& reason);

/// Column names with the line below them, and a row of a Markdown table.
std::string markdown_heading();
std::string markdown_row(const Row& row, const Json* measured, const std::string& reason);

}  // namespace moco::paper

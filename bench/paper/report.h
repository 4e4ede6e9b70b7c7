// docs/results.md and its charts, made from the measured rows.
#pragma once

#include <filesystem>

namespace moco::paper {

/// Writes the report to `output` and its charts into the folder images/ beside it. `results` is the folder of measured
/// rows.
void write_report(const std::filesystem::path& results, const std::filesystem::path& output);

}  // namespace moco::paper

// docs/results.md, docs/reproduction.md and their charts, made from the measured rows.
#pragma once

#include <filesystem>

namespace moco::paper {

/// Writes both pages into `folder` and the charts into images/ below it. `results` is the folder of measured rows.
void write_report(const std::filesystem::path& results, const std::filesystem::path& folder);

}  // namespace moco::paper

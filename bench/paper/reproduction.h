// docs/reproduction.md: what of the paper came out with its own rule, and what our changes add to it.
#pragma once

#include <filesystem>
#include <string>

namespace moco::paper {

/// The page, from the folder of measured rows.
std::string reproduction_text(const std::filesystem::path& results);

}  // namespace moco::paper

// Files and streams that the commands write to.
#pragma once

#include <filesystem>
#include <string_view>

namespace moco::cli {

/// Throws UsageError when `file` cannot be created, before a long search and not after it.
void require_writable(const std::filesystem::path& file);

/// Writes the file whole or not at all; "-" is standard output. Throws IoError.
void write_text(const std::filesystem::path& file, std::string_view content);

}  // namespace moco::cli

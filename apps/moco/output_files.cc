// Checks before the work and atomic writing after it.
#include "output_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "command_line.h"
#include "moco/core/files.h"
#include "signals.h"

namespace moco::cli {

void require_writable(const std::filesystem::path& file) {
  const auto refuse = [&](int reason) {
    throw UsageError(fmt::format("cannot write '{}': {}", file.string(), std::strerror(reason)));
  };
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  std::error_code error;
  if (std::filesystem::is_other(file, error)) {  // a pipe or device, written straight
    if (access(file.c_str(), W_OK) != 0) {
      refuse(errno);
    }
    return;
  }
  if (!std::filesystem::is_directory(folder, error)) {
    refuse(std::filesystem::exists(folder, error) ? ENOTDIR : ENOENT);
  }
  if (!file.has_filename() || std::filesystem::is_directory(file, error)) {
    refuse(EISDIR);
  }
  if (access(folder.c_str(), W_OK) != 0) {
    refuse(errno);
  }
}

void write_text(const std::filesystem::path& file, std::string_view content) {
  if (file != "-") {
    write_file(file, content);
    return;
  }
  const bool written =
      std::fwrite(content.data(), 1, content.size(), stdout) == content.size() && std::fflush(stdout) == 0;
  if (!written && !terminal_gone()) {  // without a terminal the files are still worth writing
    throw IoError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

}  // namespace moco::cli

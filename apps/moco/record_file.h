// A file of records that grows while they come, so that whatever ends the program leaves those that were there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace moco::cli {

class RecordFile {
 public:
  /// "-" prints; an empty name writes nothing. `header` goes before the first record.
  explicit RecordFile(std::filesystem::path file, std::string header = "");

  /// Writes a whole record. The first one takes the place of what the file held before; until then that stays. Pipes
  /// and devices, whose readers end when they are closed, get everything at the end. Throws IoError.
  void append(std::string_view record);
  /// To be called after the last record.
  void finish();

 private:
  std::filesystem::path file_;
  std::string waiting_;  ///< to be written with the next record: the header, or everything
  bool at_once_;         ///< for a pipe or device
  bool begun_ = false;
};

}  // namespace moco::cli

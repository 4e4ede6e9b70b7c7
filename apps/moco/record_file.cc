// The first record by an exchange of files, the others at the end.
#include "record_file.h"

#include <system_error>
#include <utility>

#include "moco/core/files.h"
#include "output_files.h"

namespace moco::cli {

namespace {

bool is_pipe_or_device(const std::filesystem::path& file) {
  std::error_code error;
  return file != "-" && std::filesystem::is_other(file, error);
}

}  // namespace

RecordFile::RecordFile(std::filesystem::path file, std::string header)
    : file_(std::move(file)), waiting_(std::move(header)), at_once_(is_pipe_or_device(file_)) {}

void RecordFile::append(std::string_view record) {
  if (file_.empty()) {
    return;
  }
  waiting_ += record;
  if (at_once_) {
    return;
  }
  if (begun_ && file_ != "-") {
    append_file(file_, waiting_);
  } else {
    write_text(file_, waiting_);
  }
  waiting_.clear();
  begun_ = true;
}

void RecordFile::finish() {
  if (at_once_) {
    write_text(file_, waiting_);
  }
}

}  // namespace moco::cli

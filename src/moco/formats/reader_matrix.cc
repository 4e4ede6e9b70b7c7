// Reader of square matrices as text: one row a line, separated by blanks, commas, semicolons or tabs, maybe with names
// above the columns and before the rows.
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/labels.h"
#include "moco/formats/limits.h"
#include "moco/formats/readers.h"
#include "moco/formats/table.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

class MatrixParser {
 public:
  explicit MatrixParser(const ReaderInput& input) : input_(input) {}

  std::vector<InstanceData> parse() {
    char separator = '\0';
    std::vector<std::string_view> fields;
    for (LineReader lines(input_.content); lines.next();) {
      const std::string_view line = trim(lines.line());
      if (is_remark(line)) {
        continue;
      }
      const SourceLine place{input_.file, lines.number()};
      const bool first = separator == '\0';
      if (first) {
        separator = separator_of(line);
      }
      split(line, separator, fields);
      if (first && (is_header(fields) || (fields.size() > 1 && fields.front().empty()))) {
        header_.assign(fields.begin(), fields.end());
      } else {
        read_row(fields, place);
      }
    }
    if (rows_ == 0) {
      throw InputError(input_.file, "no numbers");
    }
    if (rows_ != width_) {
      throw InputError(input_.file, fmt::format("{} rows of {} columns are no square matrix", rows_, width_));
    }
    return finish_matrix(input_, static_cast<Index>(rows_), std::move(matrix_), labels());
  }

 private:
  void read_row(const std::vector<std::string_view>& fields, const SourceLine& place) {
    const bool corner = !header_.empty() && header_.front().empty();
    const std::size_t names = !fields.empty() && (corner || !parse_real(fields.front())) ? 1 : 0;
    if (rows_ == 0) {
      width_ = fields.size() - names;
      named_rows_ = names == 1;
      if (!header_.empty() && header_.size() != width_ && header_.size() != fields.size()) {
        place.fail(fmt::format("{} names above {} columns", header_.size(), width_));
      }
    }
    if (fields.size() - names != width_) {
      place.fail(fmt::format("expected {} numbers as in the first row, found {}", width_, fields.size() - names));
    }
    if (named_rows_ && names == 1) {
      row_names_.emplace_back(fields.front());
    }
    for (std::size_t column = names; column < fields.size(); ++column) {
      const double value = place.real(fields[column], "entry");
      if (std::abs(value) > largest_coordinate) {
        place.fail(fmt::format("entry {} is out of range", in_quotes(fields[column])));
      }
      matrix_.push_back(value);
    }
    if (++rows_ > width_) {
      place.fail(fmt::format("more rows than the {} of a square matrix", width_));
    }
  }

  std::vector<std::string> labels() {
    if (row_names_.size() == rows_) {
      return usable_labels(std::move(row_names_));
    }
    if (header_.size() == rows_ + 1) {
      header_.erase(header_.begin());
    }
    return header_.size() == rows_ ? usable_labels(std::move(header_)) : std::vector<std::string>();
  }

  const ReaderInput& input_;
  std::vector<std::string> header_;
  std::vector<std::string> row_names_;
  bool named_rows_ = false;
  std::size_t rows_ = 0;
  std::size_t width_ = 0;
  std::vector<double> matrix_;
};

}  // namespace

std::vector<InstanceData> read_matrix(const ReaderInput& input) {
  return MatrixParser(input).parse();
}

}  // namespace moco

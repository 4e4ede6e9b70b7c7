// A look at a whole text in rows and columns, before it is decided what it holds.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "moco/formats/table.h"

namespace moco {

struct TableSurvey {
  enum class Header { none, edges, coordinates, other };

  char separator = ' ';
  Header header = Header::none;
  std::size_t rows = 0;  ///< without header and remarks
  std::size_t least_columns = 0;
  std::size_t most_columns = 0;
  bool even_columns = true;        ///< in every row
  bool numbers = true;             ///< every field is a number
  bool numbers_at_first = true;    ///< every field of the first row is one
  bool braces = false;             ///< attributes as networkx writes them
  bool ends_in_remark = false;     ///< a remark names two ends and nothing else: "# FromNodeId ToNodeId"
  bool declares_nodes = false;     ///< there is a remark "# nodes N"
  bool whole_ends = true;          ///< the first two columns are whole numbers, none of them negative
  bool whole_second = true;        ///< the second column is made of such
  std::vector<IntegerPair> pairs;  ///< the first two columns where they are such numbers
  bool between(std::size_t least, std::size_t most) const { return least_columns >= least && most_columns <= most; }
  bool square() const { return numbers && rows >= 3 && least_columns == rows && most_columns == rows; }
  /// Whether it can be a square matrix under a row of names, maybe with names before each row.
  bool named_square() const {
    return header == Header::other && rows >= 3 && least_columns == most_columns &&
           (least_columns == rows || least_columns == rows + 1);
  }
};

TableSurvey survey_table(std::string_view content);

/// What the numbers of a square matrix look like.
struct SquareLook {
  bool symmetric = true;
  bool zero_diagonal = true;
  bool constant_diagonal = true;
};

/// `survey` must be square.
SquareLook look_at_square(std::string_view content, const TableSurvey& survey);

}  // namespace moco

// Counting rows, columns and kinds of fields.
#include "moco/formats/survey.h"

#include <algorithm>

#include "moco/formats/text.h"

namespace moco {

namespace {

bool is_whole(std::string_view field) {
  const auto number = parse_integer(field);
  return number && *number >= 0;
}

TableSurvey::Header header_of(const std::vector<std::string_view>& fields) {
  if (edge_columns(fields)) {
    return TableSurvey::Header::edges;
  }
  return names_coordinates(fields) ? TableSurvey::Header::coordinates : TableSurvey::Header::other;
}

void add_row(const std::vector<std::string_view>& fields, TableSurvey& survey) {
  const bool numbers =
      std::ranges::all_of(fields, [](std::string_view field) { return parse_real(field).has_value(); });
  const std::size_t columns = fields.size();
  survey.least_columns = survey.rows == 0 ? columns : std::min(survey.least_columns, columns);
  survey.most_columns = std::max(survey.most_columns, columns);
  survey.even_columns = survey.even_columns && columns % 2 == 0;
  survey.numbers = survey.numbers && numbers;
  survey.numbers_at_first = survey.rows == 0 ? numbers : survey.numbers_at_first;
  survey.whole_second = survey.whole_second && columns > 1 && is_whole(fields[1]);
  survey.whole_ends = survey.whole_ends && survey.whole_second && is_whole(fields[0]);
  if (survey.whole_ends && columns <= 3) {
    survey.pairs.emplace_back(*parse_integer(fields[0]), *parse_integer(fields[1]));
  }
  ++survey.rows;
}

}  // namespace

TableSurvey survey_table(std::string_view content) {
  TableSurvey survey;
  std::vector<std::string_view> fields;
  bool began = false;
  for (LineReader lines(content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (is_remark(line)) {
      const std::vector<std::string_view> words = tokens_of(line);
      const std::vector<std::string_view> names(words.begin() + (words.empty() ? 0 : 1), words.end());
      survey.ends_in_remark =
          survey.ends_in_remark || (names.size() >= 2 && names.size() <= 3 && edge_columns(names).has_value());
      survey.declares_nodes = survey.declares_nodes || (words.size() == 3 && words[0] == "#" && words[1] == "nodes" &&
                                                        parse_integer(words[2]).has_value());
      continue;
    }
    const std::string_view plain = before_braces(line);
    survey.braces = survey.braces || plain.size() != line.size();
    if (!began) {
      survey.separator = separator_of(plain);
    }
    split(plain, survey.separator, fields);
    if (!began) {
      began = true;
      // The corner above names before each row is empty.
      if (is_header(fields) || (fields.size() > 1 && fields.front().empty())) {
        survey.header = header_of(fields);
        continue;
      }
    }
    add_row(fields, survey);
  }
  return survey;
}

SquareLook look_at_square(std::string_view content, const TableSurvey& survey) {
  std::vector<double> matrix;
  matrix.reserve(survey.rows * survey.rows);
  std::vector<std::string_view> fields;
  for (LineReader lines(content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (!is_remark(line)) {
      split(line, survey.separator, fields);
      for (const std::string_view field : fields) {
        matrix.push_back(parse_real(field).value_or(0.0));
      }
    }
  }
  SquareLook look;
  const std::size_t n = survey.rows;
  for (std::size_t row = 0; row < n && matrix.size() == n * n; ++row) {
    const double diagonal = matrix[row * n + row];
    look.zero_diagonal = look.zero_diagonal && diagonal == 0.0;
    look.constant_diagonal = look.constant_diagonal && diagonal == matrix.front();
    for (std::size_t column = 0; column < row; ++column) {
      look.symmetric = look.symmetric && matrix[row * n + column] == matrix[column * n + row];
    }
  }
  return look;
}

}  // namespace moco

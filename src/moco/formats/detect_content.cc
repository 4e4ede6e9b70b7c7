// What an instance file is by its content. docs/formats.md states the rules; keep the two in step.
//
// A wrong guess is worse than a question: where two readings are equally likely, the answer is an error that names
// both.
#include <algorithm>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/detect.h"
#include "moco/formats/numbered_nodes.h"
#include "moco/formats/readers.h"
#include "moco/formats/survey.h"
#include "moco/formats/text.h"
#include "moco/formats/tsplib.h"

namespace moco {

namespace {

constexpr std::string_view reads_points = "--format csv reads coordinates";
constexpr std::string_view reads_edges = "--format edge-list reads edges";
constexpr std::string_view reads_ids = "--format csv reads ids and coordinates";
constexpr std::string_view reads_matrix = "--format matrix reads distances";
constexpr std::string_view reads_lines = "--format concorde reads the coordinates of one instance a line";

[[noreturn]] void ask(std::string_view file, std::string_view what, std::string_view one, std::string_view other) {
  throw InputError(file, fmt::format("{}: {}, {}", what, one, other));
}

/// "p WORD NODES EDGES", or with `loosely` anything that begins like it.
InstanceFormat format_of_p_line(std::string_view rest, bool loosely) {
  const std::vector<std::string_view> tokens = tokens_of(rest);
  if (tokens.empty() || parse_real(tokens[0]) || (!loosely && (tokens.size() != 3 || !parse_integer(tokens[1])))) {
    return InstanceFormat::automatic;
  }
  const bool bare = tokens[0] == "td" || tokens[0] == "tw" || tokens[0] == "ds";
  return bare ? InstanceFormat::pace : InstanceFormat::dimacs;
}

/// Graphs and tours in lines, by the words that divide them.
InstanceFormat format_of_words(std::string_view line) {
  std::string_view rest = line;
  const std::string_view first = next_token(rest);
  const bool words_only = first == "label" || first == "weights";
  if (!words_only && !parse_real(first)) {
    return InstanceFormat::automatic;
  }
  if (words_only || line.find(" label ") != std::string_view::npos ||
      line.find(" weights ") != std::string_view::npos) {
    return InstanceFormat::ml4co;
  }
  return line.find(" output") != std::string_view::npos ? InstanceFormat::concorde : InstanceFormat::automatic;
}

/// The format that a file's beginning leaves no doubt about, if any.
InstanceFormat format_of_signature(std::string_view content, bool loosely) {
  if (content.starts_with("\x93NUMPY")) {
    return InstanceFormat::npy;
  }
  for (LineReader lines(content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (lines.number() == 1 && to_lower(line.substr(0, 14)) == "%%matrixmarket") {
      return InstanceFormat::matrix_market;
    }
    std::string_view rest = line;
    const std::string_view first = next_token(rest);
    if (is_remark(line) || (first == "c" && !is_tsplib_line(line))) {
      continue;
    }
    if (first == "p") {
      return format_of_p_line(rest, loosely);
    }
    return is_tsplib_line(line) ? InstanceFormat::tsplib : format_of_words(line);
  }
  return InstanceFormat::automatic;
}

/// Whether the content is a METIS graph with at least one edge, in every detail.
bool fits_metis(std::string_view content) {
  for (LineReader lines(content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (line.empty() || line.front() == '%') {
      continue;
    }
    const std::vector<std::string_view> header = tokens_of(line);
    const auto nodes = parse_integer(header[0]);
    const auto edges = header.size() > 1 ? parse_integer(header[1]) : std::nullopt;
    const auto breaks = std::count(content.begin(), content.end(), '\n');
    if (header.size() > 4 || !nodes || !edges || *edges < 1 || *nodes > breaks) {
      return false;
    }
    try {
      read_metis({.content = content, .file = "", .name = ""});
      return true;
    } catch (const InputError&) {
      return false;
    }
  }
  return false;
}

/// Decides what a table of text is.
class TableDetection {
 public:
  TableDetection(std::string_view content, std::string_view file, std::optional<DataKind> wanted, bool csv)
      : content_(content), file_(file), wanted_(wanted), survey_(survey_table(content)) {
    commas_ = survey_.separator == ',' || survey_.separator == ';';
    delimited_ = csv || commas_;
  }

  Detection decide() const {
    using Header = TableSurvey::Header;
    const bool points = wanted_ != DataKind::graph;  // may be meant
    const bool graph = wanted_ != DataKind::points;
    if (survey_.header == Header::edges && graph) {
      return {InstanceFormat::edge_list, ""};
    }
    if (survey_.header == Header::coordinates && points) {
      return {InstanceFormat::csv, ""};
    }
    if (survey_.rows == 0) {
      return {survey_.declares_nodes && graph ? InstanceFormat::edge_list : InstanceFormat::automatic, ""};
    }
    if (graph && ((survey_.braces && survey_.between(2, 3)) || ((survey_.declares_nodes || survey_.ends_in_remark) &&
                                                                survey_.whole_ends && survey_.between(2, 3)))) {
      return {InstanceFormat::edge_list, ""};
    }
    if (survey_.square() && survey_.header == Header::none) {
      if (const Detection square = decide_square(); square.format != InstanceFormat::automatic) {
        return square;
      }
    } else if (delimited_ && survey_.named_square()) {
      return {InstanceFormat::matrix, ""};
    }
    if (graph && fits_metis(content_)) {
      if (survey_.between(2, 2)) {
        ask(file_, "this may be a METIS graph or an edge list", "--format metis reads the one",
            "--format edge-list the other");
      }
      return {InstanceFormat::metis, ""};
    }
    if (points && survey_.numbers && survey_.even_columns && survey_.least_columns >= 4 && !commas_) {
      return {InstanceFormat::concorde, ""};
    }
    return survey_.between(2, 3) ? decide_pairs() : Detection{};
  }

 private:
  Detection decide_square() const {
    const SquareLook look = look_at_square(content_, survey_);
    const bool even = survey_.rows % 2 == 0 && !commas_;
    const Detection matrix{InstanceFormat::matrix,
                           std::string(survey_.rows == 3 ? reads_ids : (even ? reads_lines : std::string_view()))};
    if (look.symmetric && look.zero_diagonal) {
      return matrix;
    }
    if (survey_.rows == 3) {
      if (look.zero_diagonal && !wanted_) {
        ask(file_, "three rows of three numbers may be distances or cities", reads_matrix, reads_ids);
      }
      return {};
    }
    if (!even || wanted_ == DataKind::graph || look.zero_diagonal) {
      return matrix;
    }
    if (look.symmetric && look.constant_diagonal) {
      return matrix;
    }
    if (look.symmetric || look.constant_diagonal) {
      ask(file_, "as many rows as columns may be a matrix or several instances", reads_matrix, reads_lines);
    }
    return {InstanceFormat::concorde, std::string(reads_matrix)};
  }

  /// Two or three columns.
  Detection decide_pairs() const {
    if (wanted_ == DataKind::points) {
      return {InstanceFormat::csv, ""};
    }
    if (wanted_ == DataKind::graph) {
      return {survey_.numbers_at_first || delimited_ ? InstanceFormat::edge_list : InstanceFormat::automatic, ""};
    }
    if (!survey_.numbers) {  // words, or a damaged row: the reader says which
      return {survey_.pairs.empty() || delimited_ ? InstanceFormat::csv : InstanceFormat::edge_list, ""};
    }
    if (!survey_.whole_ends) {
      return {InstanceFormat::csv, ""};
    }
    if (first_line_counts()) {
      return {InstanceFormat::edge_list, std::string(reads_points)};
    }
    return survey_.between(2, 2) ? decide_two() : decide_three();
  }

  Detection decide_two() const {
    switch (reading_of(survey_.pairs)) {
      case PairsReading::coordinates:
        return {InstanceFormat::csv, delimited_ ? "" : std::string(reads_edges)};
      case PairsReading::edges:
        if (!delimited_) {
          return {InstanceFormat::edge_list, std::string(reads_points)};
        }
        break;
      case PairsReading::unclear:
        if (delimited_) {
          return {InstanceFormat::csv, std::string(reads_edges)};
        }
        break;
    }
    ask(file_, "two columns of whole numbers may be edges or coordinates", reads_edges, reads_points);
  }

  /// Whole numbers in the first two of three columns, so that they may be an edge with its weight or a city with an id.
  Detection decide_three() const {
    if (!survey_.between(3, 3)) {
      return {delimited_ ? InstanceFormat::csv : InstanceFormat::edge_list, ""};
    }
    std::vector<std::int64_t> ids;
    for (const auto& [id, x] : survey_.pairs) {
      ids.push_back(id);
    }
    std::ranges::sort(ids);
    if (std::ranges::adjacent_find(ids) != ids.end()) {
      return {InstanceFormat::edge_list, std::string(reads_ids)};
    }
    if (delimited_ || reading_of(survey_.pairs) == PairsReading::coordinates) {
      return {InstanceFormat::csv, std::string(reads_edges)};
    }
    ask(file_, "three columns of numbers may be edges with weights or cities with ids", reads_edges, reads_ids);
  }

  /// Whether the first line gives the numbers of nodes and edges of the others.
  bool first_line_counts() const {
    const auto [nodes, edges] = survey_.pairs.front();
    const std::vector<IntegerPair> rest(survey_.pairs.begin() + 1, survey_.pairs.end());
    return edges > 0 && edges == static_cast<std::int64_t>(rest.size()) && counts_nodes(nodes, distinct_numbers(rest));
  }

  std::string_view content_;
  std::string_view file_;
  std::optional<DataKind> wanted_;
  TableSurvey survey_;
  bool commas_ = false;
  bool delimited_ = false;  ///< by name or by its separators
};

/// A file whose extension names a format: its beginning may say otherwise, and METIS graphs have many names.
Detection detect_named(std::string_view content, InstanceFormat by_name) {
  using enum InstanceFormat;
  const bool dimacs_like = by_name == dimacs || by_name == pace;
  const InstanceFormat signature = format_of_signature(content, dimacs_like);
  if (signature != automatic && signature != by_name) {
    const bool same_family = dimacs_like && (signature == dimacs || signature == pace);
    return {signature, same_family ? "" : fmt::format("--format {} reads what the name says", to_string(by_name))};
  }
  if (signature == automatic && (dimacs_like || by_name == edge_list) && fits_metis(content) &&
      (dimacs_like || !survey_table(content).between(2, 3))) {
    return {metis, fmt::format("--format {} reads what the name says", to_string(by_name))};
  }
  return {by_name, ""};
}

}  // namespace

Detection detect_instance_format(std::string_view content, std::string_view file, std::optional<DataKind> wanted) {
  const InstanceFormat by_name = instance_format_of_extension(format_extension(file));
  const bool csv = by_name == InstanceFormat::csv;
  if (!csv && by_name != InstanceFormat::automatic) {
    return detect_named(content, by_name);
  }
  if (const InstanceFormat signature = format_of_signature(content, true); signature != InstanceFormat::automatic) {
    return {signature, csv ? "--format csv reads what the name says" : ""};
  }
  Detection detection = TableDetection(content, file, wanted, csv).decide();
  if (csv && detection.format == InstanceFormat::automatic) {
    detection.format = InstanceFormat::csv;  // whose reader says what is wrong
  }
  return detection;
}

bool claims_to_be_instance(std::string_view content, std::string_view file) {
  const std::string extension = format_extension(file);
  if (instance_format_of_extension(extension) != InstanceFormat::automatic) {
    return true;
  }
  if (solution_format_of_extension(extension) != SolutionFormat::automatic) {
    return false;
  }
  if (format_of_signature(content, true) != InstanceFormat::automatic) {
    return true;
  }
  for (LineReader lines(content); lines.next();) {
    const std::string_view line = trim(lines.line());
    if (!is_remark(line)) {
      std::string blanks(line);
      std::ranges::replace_if(
          blanks, [](char c) { return c == ',' || c == ';'; }, ' ');
      const auto tokens = tokens_of(blanks);
      return tokens.size() > 1 && parse_real(tokens[0]) && parse_real(tokens[1]);
    }
  }
  return false;
}

}  // namespace moco

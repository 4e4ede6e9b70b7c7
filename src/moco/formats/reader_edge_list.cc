// Reader of edge lists: "u v" or "u v weight" a line, separated by blanks, commas, semicolons or tabs, "#" or "%"
// before comments. Nodes are those that the file names, by whole numbers or by words. A comment "# nodes N" says that
// they are 0 … N−1; a first line "nodes edges" counts them.
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/formats/numbered_nodes.h"
#include "moco/formats/readers.h"
#include "moco/formats/table.h"
#include "moco/formats/text.h"

namespace moco {

namespace {

/// The N of a comment that is exactly "# nodes N".
std::optional<std::int64_t> parse_node_count(std::string_view comment, const SourceLine& place) {
  const std::vector<std::string_view> words = tokens_of(comment);
  if (words.size() != 3 || words[0] != "#" || words[1] != "nodes" || !parse_integer(words[2])) {
    return std::nullopt;
  }
  const std::int64_t nodes = *parse_integer(words[2]);
  if (nodes < 1) {
    place.fail(fmt::format("a graph has at least one node, not {}", nodes));
  }
  return nodes;
}

/// The number after 'weight': in networkx's attributes, such as {'weight': 3, 'colour': 'red'}.
std::optional<double> weight_in_braces(std::string_view attributes, const SourceLine& place) {
  for (const std::string_view key : {"'weight'", "\"weight\""}) {
    std::size_t at = attributes.find(key);
    if (at == std::string_view::npos) {
      continue;
    }
    at = attributes.find(':', at + key.size());
    if (at == std::string_view::npos) {
      place.fail("'weight' has no value");
    }
    const std::string_view rest = attributes.substr(at + 1);
    return place.real(trim(rest.substr(0, rest.find_first_of(",}"))), "edge weight");
  }
  return std::nullopt;
}

/// Two whole numbers on a line of their own at the beginning: the counts of nodes and edges, or an edge.
struct FirstLine {
  IntegerPair numbers;
  std::int64_t line = 0;
};

class EdgeListParser {
 public:
  explicit EdgeListParser(const ReaderInput& input) : input_(input) {}

  std::vector<InstanceData> parse() {
    for (LineReader lines(input_.content); lines.next();) {
      const SourceLine place{input_.file, lines.number()};
      const std::string_view line = trim(lines.line());
      if (!is_remark(line)) {
        read_row(line, place);
      } else if (const auto count = parse_node_count(line, place)) {
        require_plausible_size(input_, lines.number(), *count);
        declared_ = count;
      }
    }
    if (!declared_ && pairs_.empty() && list_.edges.empty() && !first_) {
      throw InputError(input_.file, "neither edges nor '# nodes N'");
    }
    return words_ ? finish_words() : finish_numbers();
  }

 private:
  void read_row(std::string_view line, const SourceLine& place) {
    const std::string_view plain = before_braces(line);
    if (separator_ == '\0') {
      separator_ = separator_of(plain);
    }
    split(plain, separator_, fields_);
    if (fields_.empty()) {
      place.fail(fmt::format("expected 'u v' or 'u v weight', found {}", in_quotes(line)));
    }
    if (!began_) {
      began_ = true;
      if (is_header(fields_)) {
        columns_ = edge_columns(fields_);
        if (columns_) {
          width_ = fields_.size();
          return;
        }
      }
      words_ = !fields_.front().empty() && !parse_real(fields_.front());
      if (fields_.size() == 2 && !words_ && plain.size() == line.size() && parse_integer(fields_[1])) {
        first_ = {{number(fields_[0], place), number(fields_[1], place)}, place.line};
        return;
      }
    }
    const bool in_braces = plain.size() != line.size();
    require_width(line, place);
    const std::size_t from = columns_ ? columns_->from : 0;
    const std::size_t to = columns_ ? columns_->to : 1;
    add_edge(fields_[from], fields_[to], place);
    std::optional<double> weight;
    if (in_braces) {
      weight = weight_in_braces(line.substr(plain.size()), place);
    } else if (columns_ && columns_->weight) {
      weight = place.real(fields_[*columns_->weight], "edge weight");
    } else if (!columns_ && width_ == 3) {
      weight = place.real(fields_[2], "edge weight");
    }
    add_weight(weight);
  }

  /// Throws unless the row has as many columns as the first one, and they can be an edge.
  void require_width(std::string_view line, const SourceLine& place) {
    if (!columns_ && (fields_.size() < 2 || fields_.size() > 3)) {
      place.fail(fmt::format("expected 'u v' or 'u v weight', found {}", in_quotes(line)));
    }
    if (width_ == 0) {
      width_ = fields_.size();
      width_line_ = place.line;
    }
    if (fields_.size() != width_) {
      place.fail(fmt::format("expected {} columns as before, found {}", width_, fields_.size()));
    }
  }

  std::int64_t number(std::string_view field, const SourceLine& place) {
    const std::int64_t id = place.integer(field, "node");
    if (id < 0) {
      place.fail(fmt::format("node {} is negative", id));
    }
    if (id > largest_) {
      largest_ = id;
      largest_line_ = place.line;
    }
    return id;
  }

  void add_edge(std::string_view from, std::string_view to, const SourceLine& place) {
    if (!words_ && columns_ && pairs_.empty()) {
      words_ = !from.empty() && !parse_real(from);
    }
    if (!words_) {
      const std::int64_t u = number(from, place);
      pairs_.emplace_back(u, number(to, place));
      return;
    }
    const Index u = word(from, place);
    list_.edges.push_back({u, word(to, place)});
  }

  Index word(std::string_view field, const SourceLine& place) {
    if (field.empty()) {
      place.fail("an end of the edge is missing");
    }
    const auto [known, added] = number_of_.try_emplace(std::string(field), static_cast<Index>(labels_.size()));
    if (added) {
      labels_.emplace_back(field);
    }
    return known->second;
  }

  void add_weight(std::optional<double> weight) {
    const std::size_t edges = pairs_.size() + list_.edges.size();
    if (weight || !list_.weights.empty()) {
      list_.weights.resize(edges - 1, 1.0);
      list_.weights.push_back(weight.value_or(1.0));
    }
  }

  std::vector<InstanceData> finish_words() {
    if (declared_) {
      throw InputError(input_.file, fmt::format("nodes have names, so that '# nodes {}' has no meaning", *declared_));
    }
    const auto nodes = static_cast<Index>(labels_.size());
    return finish_graph(input_, nodes, std::move(list_), {}, std::move(labels_));
  }

  std::vector<InstanceData> finish_numbers() {
    std::vector<std::int64_t> ids = distinct_numbers(pairs_);
    if (first_ && (declared_ || !is_counts(ids))) {
      if (width_ == 3) {
        throw InputError(input_.file, width_line_, "expected 2 columns as before, found 3");
      }
      pairs_.insert(pairs_.begin(), first_->numbers);
      if (!list_.weights.empty()) {
        list_.weights.insert(list_.weights.begin(), 1.0);
      }
      first_.reset();
      ids = distinct_numbers(pairs_);
    }
    if (declared_) {
      if (largest_ >= *declared_) {
        throw InputError(input_.file, largest_line_,
                         fmt::format("{} is not a node of 0 … {}", largest_, *declared_ - 1));
      }
      ids = numbers_from(0, *declared_);
    } else if (first_) {
      ids = counted_ids(ids.front() == 0 ? 0 : 1);
    }
    return finish_numbered(input_, ids, pairs_, std::move(list_.weights));
  }

  /// Whether the first line counts the nodes and edges of those that follow.
  bool is_counts(const std::vector<std::int64_t>& ids) const {
    const auto [nodes, edges] = first_->numbers;
    return edges > 0 && edges == static_cast<std::int64_t>(pairs_.size()) && counts_nodes(nodes, ids);
  }

  static std::vector<std::int64_t> numbers_from(std::int64_t first, std::int64_t count) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
  }

  /// The nodes that the first line counts.
  std::vector<std::int64_t> counted_ids(std::int64_t first) const {
    const auto [nodes, edges] = first_->numbers;
    require_plausible_size(input_, first_->line, nodes);
    input_.took(
        fmt::format("line {} is taken for the numbers of nodes and edges, since {} edge{}; if {} {} is an edge, put it "
                    "on another line",
                    first_->line, edges, edges == 1 ? " follows" : "s follow", nodes, edges));
    return numbers_from(first, nodes);
  }

  const ReaderInput& input_;
  char separator_ = '\0';
  bool began_ = false;
  bool words_ = false;                  ///< nodes have names
  std::optional<EdgeColumns> columns_;  ///< of a header
  std::size_t width_ = 0;               ///< columns of every row
  std::int64_t width_line_ = 0;
  std::optional<FirstLine> first_;
  std::optional<std::int64_t> declared_;
  std::int64_t largest_ = -1;
  std::int64_t largest_line_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<IntegerPair> pairs_;  ///< edges between nodes with numbers
  EdgeList list_;                   ///< edges between nodes with names; weights of all
  std::unordered_map<std::string, Index> number_of_;
  std::vector<std::string> labels_;
};

}  // namespace

std::vector<InstanceData> read_edge_list(const ReaderInput& input) {
  return EdgeListParser(input).parse();
}

}  // namespace moco

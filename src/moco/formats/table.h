// Text in rows and columns: separators, headers, and which of edges and coordinates two columns of whole numbers are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace moco {

/// The separator of a line: the first of semicolon, comma and tab that it contains; ' ' stands for any run of blanks.
char separator_of(std::string_view line);
/// The fields of a line, without blanks and quotes around them.
void split(std::string_view line, char separator, std::vector<std::string_view>& fields);
/// Whether a line is blank or a comment.
bool is_remark(std::string_view line);
/// A line up to the attributes in braces that networkx writes after an edge.
std::string_view before_braces(std::string_view line);
/// Whether no field is a number.
bool is_header(const std::vector<std::string_view>& fields);

/// Where a header says that an edge's ends and weight stand.
struct EdgeColumns {
  std::size_t from = 0;
  std::size_t to = 1;
  std::optional<std::size_t> weight;
};

/// The columns of "source,target[,weight]" and the like, among others or alone; nothing when these names are missing.
std::optional<EdgeColumns> edge_columns(const std::vector<std::string_view>& header);
/// Whether a header names coordinates: an "x" and a "y", or a latitude and a longitude.
bool names_coordinates(const std::vector<std::string_view>& header);

using IntegerPair = std::pair<std::int64_t, std::int64_t>;

/// The numbers that occur in the pairs, in ascending order, each once.
std::vector<std::int64_t> distinct_numbers(const std::vector<IntegerPair>& pairs);

/// What two columns of whole numbers, none of them negative, look like.
enum class PairsReading { edges, coordinates, unclear };

/// Edges, where every row is there in both directions and few rows name a number twice, or where the numbers are 0 … k
/// or 1 … k without a gap, no row names one twice, few repeat another, and the first column ascends or one column is
/// always the larger. Coordinates, where there are more different numbers than even a tree of so many edges would have.
PairsReading reading_of(std::vector<IntegerPair> pairs);

}  // namespace moco

// Writers of the graph formats.
#include "moco/problems/writers.h"

#include <fmt/format.h>

namespace moco {

namespace {

/// Appends "format(u, v)" for every edge with u < v.
template <typename Append>
void for_each_edge(const GraphInstance& instance, Append append) {
  for (Index u = 0; u < instance.size(); ++u) {
    for (const Index v : instance.neighbours(u)) {
      if (u < v) {
        append(u, v);
      }
    }
  }
}

}  // namespace

std::string format_dimacs(const GraphInstance& instance) {
  std::string text = fmt::format("c {}\np edge {} {}\n", one_line(instance.name()), instance.size(), instance.edges());
  for_each_edge(instance, [&](Index u, Index v) { text += fmt::format("e {} {}\n", u + 1, v + 1); });
  return text;
}

std::string format_metis(const GraphInstance& instance) {
  std::string text = fmt::format("{} {}\n", instance.size(), instance.edges());
  for (Index node = 0; node < instance.size(); ++node) {
    std::string_view blank;
    for (const Index neighbour : instance.neighbours(node)) {
      text += fmt::format("{}{}", blank, neighbour + 1);
      blank = " ";
    }
    text += '\n';
  }
  return text;
}

std::string format_edge_list(const GraphInstance& instance) {
  std::string text = fmt::format("# nodes {}\n", instance.size());
  for_each_edge(instance, [&](Index u, Index v) { text += fmt::format("{} {}\n", u, v); });
  return text;
}

std::string format_matrix_market(const GraphInstance& instance) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate pattern symmetric\n{0} {0} {1}\n", instance.size(),
                                 instance.edges());
  for_each_edge(instance, [&](Index u, Index v) {
    text += fmt::format("{} {}\n", v + 1, u + 1);  // the lower triangle
  });
  return text;
}

std::string one_line(std::string_view name) {
  std::string line(name);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      c = '_';
    }
  }
  return line;
}

}  // namespace moco

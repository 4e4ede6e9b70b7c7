// The readers of single instance formats; io.cc chooses among them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/instance.h"

namespace moco {

/// A file as a reader sees it.
struct ReaderInput {
  std::string_view content;                      ///< unpacked
  std::string_view file;                         ///< as it is called in messages
  std::string name;                              ///< of an instance that the file itself does not name
  std::vector<std::string>* warnings = nullptr;  ///< may be null

  void warn(std::string_view what) const;
};

std::vector<InstancePtr> read_tsplib(const ReaderInput& input);
std::vector<InstancePtr> read_concorde(const ReaderInput& input);
std::vector<InstancePtr> read_npy(const ReaderInput& input);
std::vector<InstancePtr> read_csv(const ReaderInput& input);
std::vector<InstancePtr> read_dimacs(const ReaderInput& input);
std::vector<InstancePtr> read_metis(const ReaderInput& input);
std::vector<InstancePtr> read_edge_list(const ReaderInput& input);
std::vector<InstancePtr> read_matrix_market(const ReaderInput& input);

/// Name of instance `index` (0-based) of a file with `count` instances.
std::string name_in_file(std::string_view name, std::size_t index, std::size_t count);

/// Throws when a graph of `nodes` nodes cannot be meant seriously by a file of this size: there would be nothing in it
/// about nearly all of them, and a few bytes would claim gigabytes of memory.
void require_plausible_size(const ReaderInput& input, std::int64_t line, std::int64_t nodes);

/// The graph as the only instance of its file, with warnings about what was dropped.
std::vector<InstancePtr> finish_graph(const ReaderInput& input, Index nodes, std::span<const Edge> edges);

/// Merges edges that a file gives in both directions: an edge (u, v) with u < v and an edge (v, u) count as one, while
/// repetitions within one direction stay.
std::vector<Edge> merge_directions(Index nodes, std::span<const Edge> edges);

}  // namespace moco

// The readers of single instance formats; parse.cc chooses among them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moco/data.h"
#include "moco/formats/edges.h"

namespace moco {

/// A file as a reader sees it.
struct ReaderInput {
  std::string_view content;                      ///< unpacked
  std::string_view file;                         ///< as it is called in messages
  std::string name;                              ///< of an instance that the file itself does not name
  std::vector<std::string>* warnings = nullptr;  ///< may be null
  std::optional<DataKind> wanted = {};           ///< matters where a format can hold both kinds
  std::string* taken = nullptr;                  ///< may be null

  void warn(std::string_view what) const;
  /// Tells what was taken where the file leaves doubt, and how to say otherwise.
  void took(std::string what) const;
};

std::vector<InstanceData> read_tsplib(const ReaderInput& input);
std::vector<InstanceData> read_concorde(const ReaderInput& input);
std::vector<InstanceData> read_npy(const ReaderInput& input);
/// Delimited coordinates, edges or a matrix, as header, request and content say.
std::vector<InstanceData> read_csv(const ReaderInput& input);
/// Both DIMACS' "p edge" and PACE's "p td".
std::vector<InstanceData> read_dimacs(const ReaderInput& input);
std::vector<InstanceData> read_metis(const ReaderInput& input);
std::vector<InstanceData> read_edge_list(const ReaderInput& input);
std::vector<InstanceData> read_matrix_market(const ReaderInput& input);
std::vector<InstanceData> read_ml4co(const ReaderInput& input);
std::vector<InstanceData> read_matrix(const ReaderInput& input);

/// Name of instance `index` (0-based) of a file with `count` instances.
std::string name_in_file(std::string_view name, std::size_t index, std::size_t count);

/// Throws when a graph of `nodes` nodes cannot be meant seriously by a file of this size: there would be nothing in it
/// about nearly all of them, and a few bytes would claim gigabytes of memory.
void require_plausible_size(const ReaderInput& input, std::int64_t line, std::int64_t nodes);

/// The graph as data of a file's only instance. Edges that are all given in both directions become one each; weights
/// of 1 throughout are none.
std::vector<InstanceData> finish_graph(const ReaderInput& input, Index nodes, EdgeList edges,
                                       std::vector<double> node_weights = {}, std::vector<std::string> labels = {});
/// Says that edges had different weights in their two directions, if any had.
void warn_of_conflicts(const ReaderInput& input, std::size_t conflicts);

/// The only instance of a file that holds points.
std::vector<InstanceData> finish_points(const ReaderInput& input, PointData points,
                                        std::vector<std::string> labels = {});

/// A row-major n×n matrix as distances or, where a graph is wanted, as the adjacency it then has to be. Asks, where
/// nothing was wanted and the matrix could be either.
std::vector<InstanceData> finish_matrix(const ReaderInput& input, Index n, std::vector<double> matrix,
                                        std::vector<std::string> labels = {});

}  // namespace moco

// Offsets and largest sizes.
#include "moco/engine/cuda/batch/batch_layout.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "moco/error.h"

namespace moco::cuda {

namespace {

constexpr long long kMostBlocks = std::numeric_limits<int>::max();  // of a launch; kernels number them in integers
constexpr long long kMostNodes = 1 << 28;     // a search's working set has up to seven integers per node, numbered so
constexpr long long kMostWeightSets = 65535;  // the second dimension of a launch

}  // namespace

BatchLayout::BatchLayout(const BatchSpec& spec)
    : samples(spec.loop.samples),
      graphs(static_cast<int>(spec.graphs.size())),
      weight_sets(static_cast<int>(spec.weights.size())) {
  trajectories.reserve(spec.trajectories.size());
  for (const Trajectory& given : spec.trajectories) {
    const DecisionGraph& graph = *spec.graphs[given.graph];
    TrajectoryData t;
    t.graph = static_cast<int>(given.graph);
    t.weights = static_cast<int>(given.weights);
    t.start = given.start;
    t.nodes = graph.nodes;
    t.variables = graph.variables;
    t.stream = given.stream;
    t.weighted = graph.weighted;
    t.node_offset = static_cast<long long>(nodes);
    t.variable_offset = static_cast<long long>(variables);
    nodes += static_cast<std::size_t>(graph.nodes);
    variables += static_cast<std::size_t>(graph.variables);
    max_nodes = std::max(max_nodes, graph.nodes);
    max_variables = std::max(max_variables, graph.variables);
    max_degree = std::max(max_degree, graph.degree);
    trajectories.push_back(t);
  }
  for (const DecisionGraph* graph : spec.graphs) {
    largest_graph = std::max(largest_graph, graph->nodes);
  }
  const auto runs = static_cast<long long>(trajectories.size());
  require_at_most("nodes of an instance", largest_graph, kMostNodes);
  require_at_most("weight sets of a batch", static_cast<long long>(spec.weights.size()), kMostWeightSets);
  if (runs > 0) {
    require_at_most(fmt::format("samples per step of {} trajectories", runs).c_str(), samples, kMostBlocks / runs);
  }
  const int nodes_of_chunk = static_cast<long long>(nodes) > 16 * 8 * kMultiprocessors ? 16 : 8;
  for (int i = 0; i < count(); ++i) {
    const TrajectoryData& t = trajectories[static_cast<std::size_t>(i)];
    append_chunks(gradient_chunks, i, t.variables > 0 ? t.nodes : 0, nodes_of_chunk);
  }
}

ChunkRange append_chunks(std::vector<RowChunk>& chunks, int trajectory, int rows, int per_chunk) {
  ChunkRange range{static_cast<int>(chunks.size()), 0};
  for (int first = 0; first < rows; first += per_chunk) {
    chunks.push_back({trajectory, first, std::min(per_chunk, rows - first)});
    ++range.count;
  }
  return range;
}

void cut_variables(BatchLayout& layout, int per_chunk) {
  for (int i = 0; i < layout.count(); ++i) {
    append_chunks(layout.variable_chunks, i, layout.trajectories[static_cast<std::size_t>(i)].variables, per_chunk);
  }
}

PassShape cut_nodes(BatchLayout& layout, bool bf16) {
  PassShape shape;
  shape.bf16 = bf16;
  shape.node_tile = bf16 && static_cast<long long>(layout.nodes) / 32 >= kMultiprocessors ? 32 : 16;
  for (int i = 0; i < layout.count(); ++i) {
    TrajectoryData& t = layout.trajectories[static_cast<std::size_t>(i)];
    if (t.variables > 0) {
      t.node_chunks = append_chunks(layout.node_chunks, i, t.nodes, shape.node_tile);
    }
  }
  shape.node_chunks = static_cast<int>(layout.node_chunks.size());
  return shape;
}

void require_at_most(const char* what, long long value, long long most) {
  if (value > most) {
    throw OptionError(
        fmt::format("{} {} are too many for the CUDA engine, which holds up to {}; lower them or use the CPU engine",
                    value, what, most));
  }
}

}  // namespace moco::cuda

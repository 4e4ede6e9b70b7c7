// Two rounds: the arrays with host data find their places, then the tables that hold their addresses follow.
#include "moco/engine/cuda/host/batch_upload.h"

#include "moco/engine/cuda/kit/arena.h"

namespace moco::cuda {

template <typename T>
std::size_t BatchUpload::add(const T* data, std::size_t count) {
  const std::size_t offset = bytes_;
  if (count > 0) {
    pieces_.push_back({data, count * sizeof(T), offset});
  }
  bytes_ += aligned(count * sizeof(T));
  return offset;
}

void BatchUpload::collect_graphs(const BatchSpec& spec) {
  in_offsets_.reserve(spec.graphs.size());
  for (const DecisionGraph* graph : spec.graphs) {
    GraphPieces piece{};
    piece.targets = add(graph->targets.data(), graph->targets.size());
    if (graph->kind == VariableKind::edge) {
      const auto& tsp = dynamic_cast<const TspInstance&>(*graph->instance);
      piece.length = add(graph->length.data(), graph->length.size());
      piece.feature = add(graph->feature.data(), graph->feature.size());
      in_offsets_.emplace_back(graph->in_offsets.begin(), graph->in_offsets.end());
      piece.in_offsets = add(in_offsets_.back().data(), in_offsets_.back().size());
      piece.in_edges = add(graph->in_edges.data(), graph->in_edges.size());
      const std::span<const Index> reverse = shown_reverse(spec.config, *graph);
      piece.reverse = add(reverse.data(), reverse.size());
      if (tsp.metric() == Metric::matrix) {
        piece.matrix = add(tsp.matrix().data(), tsp.matrix().size());
      } else {
        piece.points = add(tsp.points().data(), tsp.points().size());
      }
    } else {
      piece.offsets = add(graph->offsets.data(), graph->offsets.size());
      piece.weights = add(graph->weights.data(), graph->weights.size());
      piece.feature = add(graph->feature.data(), graph->feature.size());
    }
    graph_pieces_.push_back(piece);
  }
}

BatchUpload::BatchUpload(const BatchSpec& spec, const BaseWeights& bases, BatchPlan& plan, DeviceContext& context) {
  collect_graphs(spec);
  const std::size_t trajectories = add(plan.trajectories.data(), plan.trajectories.size());
  const std::size_t gradient = add(plan.gradient_items.data(), plan.gradient_items.size());
  const std::size_t edge = add(plan.edge_items.data(), plan.edge_items.size());
  const std::size_t node = add(plan.node_items.data(), plan.node_items.size());
  const std::size_t entries = add(plan.weights.entries.data(), plan.weights.entries.size());
  std::vector<GraphData> graphs(spec.graphs.size());
  std::vector<WeightSource> sources(spec.weights.size());
  const std::size_t graph_table = add(graphs.data(), graphs.size());
  const std::size_t source_table = add(sources.data(), sources.size());

  device_ = std::make_unique<DeviceBuffer>(bytes_, context.stream());
  std::uint32_t* bits = plan.batch.bits;
  std::uint16_t* near = plan.batch.near;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const DecisionGraph& graph = *spec.graphs[i];
    const GraphPieces& piece = graph_pieces_[i];
    GraphData& data = graphs[i];
    data.nodes = graph.nodes;
    data.degree = graph.degree;
    data.variables = graph.variables;
    data.cost_scale = graph.cost_scale;
    data.targets = address<int>(piece.targets);
    if (graph.kind == VariableKind::edge) {
      data.metric = static_cast<int>(dynamic_cast<const TspInstance&>(*graph.instance).metric());
      data.symmetric = graph.symmetric;
      data.length = address<double>(piece.length);
      data.feature = address<float>(piece.feature);
      data.in_offsets = address<int>(piece.in_offsets);
      data.in_edges = address<int>(piece.in_edges);
      data.reverse = shown_reverse(spec.config, graph).empty() ? nullptr : address<int>(piece.reverse);
      data.points = address<double>(piece.points);
      data.matrix = address<double>(piece.matrix);
    } else {
      data.offsets = address<long long>(piece.offsets);
      data.weights = graph.weighted ? address<double>(piece.weights) : nullptr;
      data.feature = graph.weighted ? address<float>(piece.feature) : nullptr;
      data.bits = bits;
      bits += bits != nullptr ? mis_bits_words(graph.nodes) : 0;
      data.near = near;
      near += near != nullptr ? near_list_places(graph.nodes, graph.targets.size()) : 0;
    }
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const WeightSet& set = spec.weights[i];
    sources[i] = {set.base.empty() ? nullptr : bases.on_device(set.base.data()), set.sigma, set.noise};
  }
  context.upload(device_->data(), bytes_, pieces_);
  plan.batch.graphs = address<GraphData>(graph_table);
  plan.batch.trajectory = address<TrajectoryData>(trajectories);
  plan.batch.gradient_items = address<Item>(gradient);
  plan.batch.edge_items = address<Item>(edge);
  plan.batch.node_items = address<Item>(node);
  weight_sources_ = address<WeightSource>(source_table);
  pack_entries_ = address<PackEntry>(entries);
}

}  // namespace moco::cuda

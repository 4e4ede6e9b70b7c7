// Everything is added twice: to count bytes, then behind the address of as many.
#include "moco/engine/cuda/host/constants.h"

#include <vector>

namespace moco::cuda {

namespace {

std::vector<GraphData> sizes_of(const BatchSpec& spec) {
  std::vector<GraphData> graphs(spec.graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const DecisionGraph& graph = *spec.graphs[i];
    graphs[i].nodes = graph.nodes;
    graphs[i].degree = graph.degree;
    graphs[i].variables = graph.variables;
    graphs[i].cost_scale = graph.cost_scale;
  }
  return graphs;
}

std::vector<WeightSource> sources_of(const BatchSpec& spec, const BaseWeights& bases) {
  std::vector<WeightSource> sources;
  for (const WeightSet& set : spec.weights) {
    sources.push_back({set.base.empty() ? nullptr : bases.on_device(set.base.data()), set.sigma, set.noise});
  }
  return sources;
}

}  // namespace

Constants::Constants(const BatchSpec& spec, const BatchPlan& plan, const BaseWeights& bases, DeviceBatch& batch,
                     DeviceContext& context) {
  const BatchLayout& layout = plan.layout();
  const Step& step = plan.step();
  std::vector<GraphData> graphs = sizes_of(spec);
  step.add_prepared(batch, graphs);
  const std::vector<WeightSource> sources = sources_of(spec, bases);
  const auto add_all = [&](ConstantData& data) {
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      step.problem().add_graph(data, *spec.graphs[i], graphs[i]);
    }
    batch.trajectory = data.add(layout.trajectories);
    batch.search.gradient_chunks = data.add(layout.gradient_chunks);
    batch.search.variable_chunks = data.add(layout.variable_chunks);
    batch.network.edge_chunks = data.add(layout.edge_chunks);
    batch.network.node_chunks = data.add(layout.node_chunks);
    weights_.entries = data.add(step.weights().entries);
    weights_.sources = data.add(sources);
    batch.graphs = data.add(graphs);
  };
  ConstantData counted;
  add_all(counted);
  memory_ = std::make_unique<DeviceBuffer>(counted.bytes(), context.stream());
  ConstantData data(memory_->data());
  add_all(data);
  data.copy(context);
}

}  // namespace moco::cuda

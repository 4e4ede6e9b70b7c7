// Parameter views and the choice of architecture.
#include "moco/engine/cpu/network.h"

#include <algorithm>

#include "moco/engine/cpu/gcn.h"
#include "moco/engine/cpu/graph_network.h"
#include "moco/engine/cpu/mlp.h"

namespace moco::cpu {

Linear ParameterView::linear(std::string_view name) const {
  const TensorSpec& w = layout_.at(std::string(name) + ".w");
  return {values_ + w.offset, vector(std::string(name) + ".b"), w.rows, w.cols};
}

const float* ParameterView::vector(std::string_view name) const {
  return values_ + layout_.at(name).offset;
}

std::unique_ptr<Network> make_network(const ModelConfig& config, std::string_view net, const ParameterLayout& layout,
                                      const float* values) {
  const ParameterView view(layout, values);
  if (net == "update" && config.rule == UpdateRule::mlp) {
    return std::make_unique<Mlp>(config, net, view);
  }
  if (network_of(config) == NetworkKind::graph_network) {
    return std::make_unique<GraphNetwork>(config, net, view);
  }
  return std::make_unique<Gcn>(config, net, view);
}

std::size_t workspace_floats(const ModelConfig& config, const DecisionGraph& graph, std::size_t workers) {
  const auto d = static_cast<std::size_t>(config.hidden);
  const auto n = static_cast<std::size_t>(graph.nodes);
  const std::size_t mlp = config.rule == UpdateRule::mlp ? Mlp::workspace_floats(d, workers) : 0;
  if (config.init != Initialisation::learned && config.rule != UpdateRule::gnn) {
    return mlp;
  }
  if (network_of(config) == NetworkKind::graph_network) {
    return std::max(mlp, GraphNetwork::workspace_floats(n, static_cast<std::size_t>(graph.degree), d, workers));
  }
  return std::max(mlp, Gcn::workspace_floats(n, d, workers));
}

float dot(const float* x, const float* y, std::size_t length) {
  constexpr std::size_t kLanes = 8;
  float sum[kLanes] = {};
  for (std::size_t i = 0; i < length; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sum[lane] += x[i + lane] * y[i + lane];
    }
  }
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

void accumulate_row(const float* x, const float* w, Index in, Index out, float* y) {
  const auto width = static_cast<std::size_t>(out);
  for (std::size_t i = 0; i < static_cast<std::size_t>(in); ++i) {
    const float factor = x[i];
    const float* row = w + i * width;
    for (std::size_t o = 0; o < width; ++o) {
      y[o] += factor * row[o];
    }
  }
}

}  // namespace moco::cpu

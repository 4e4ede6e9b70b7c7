// Forward pass of a network on one instance: graph_network.h (TSP), gcn.h (MIS), or mlp.h for each variable alone.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "moco/core/aligned_buffer.h"
#include "moco/core/thread_pool.h"
#include "moco/model/parameters.h"
#include "moco/problems/decision_graph.h"

namespace moco::cpu {

/// A linear layer as a view into the flat parameters: y = x·w + b, w [in × out].
struct Linear {
  const float* w = nullptr;
  const float* b = nullptr;
  Index in = 0;
  Index out = 0;

  /// The rows of w that multiply the index-th piece of a concatenated input, all pieces being `out` wide.
  const float* part(std::size_t index) const {
    return w + index * static_cast<std::size_t>(out) * static_cast<std::size_t>(out);
  }
};

/// Named views into one trajectory's parameters.
class ParameterView {
 public:
  ParameterView(const ParameterLayout& layout, const float* values) : layout_(layout), values_(values) {}

  Linear linear(std::string_view name) const;
  const float* vector(std::string_view name) const;

 private:
  const ParameterLayout& layout_;
  const float* values_;
};

struct NetworkInput {
  /// Writes the feature rows of variables begin … end−1; called concurrently.
  std::function<void(Index begin, Index end, float* rows)> features;
  const float* global = nullptr;  ///< [45], null for GNN_init
  Index start = 0;                ///< start city, the node feature of the TSP
};

/// Buffers of one forward pass, kept between passes. One per thread that runs passes.
struct NetworkWorkspace {
  enum Slot { edges, edges_new, nodes, nodes_new, sent, received, sum_out, partials, slot_count };
  AlignedBuffer<float> buffer[slot_count];
  std::vector<AlignedBuffer<float>> scratch;  ///< per worker of the executor
};

class Network {
 public:
  virtual ~Network() = default;

  /// Writes θ̃ [N] and returns the decoded global output (0 without a global).
  virtual float forward(const DecisionGraph& graph, const NetworkInput& input, const Executor& executor,
                        NetworkWorkspace& workspace, float* theta) const = 0;
};

/// `net` is "init" or "update". The values must outlive the network.
std::unique_ptr<Network> make_network(const ModelConfig& config, std::string_view net, const ParameterLayout& layout,
                                      const float* values);

/// Floats of workspace that the forward passes of a model need on this graph.
std::size_t workspace_floats(const ModelConfig& config, const DecisionGraph& graph, std::size_t workers);

/// Scalar product of two vectors whose length is a multiple of 8.
float dot(const float* x, const float* y, std::size_t length);

/// y += x·w for a single row.
void accumulate_row(const float* x, const float* w, Index in, Index out, float* y);

}  // namespace moco::cpu

// A step of a batch as the host sees it: a problem's part, which samples and learns from the samples, and the update of
// θ. Each implementation belongs to one set of kernels and owns their shapes, arrays, limits and launches; which two
// make up a step is chosen in plan/step_choice.cc.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/batch/kernel_queue.h"
#include "moco/engine/cuda/kit/arena.h"
#include "moco/engine/cuda/kit/constant_data.h"
#include "moco/engine/cuda/weights/weights.h"
#include "moco/problems/decision_graph.h"

namespace moco::cuda {

/// Which samples a step may have to draw: of trajectories that have drawn some before and of others, or of the former
/// only. It matters where the first samples of a search are other ones than those that follow.
enum class SamplesOf { all, begun };

class ProblemProgram {
 public:
  virtual ~ProblemProgram() = default;

  /// Bytes of a graph's arrays on the device. Reads nothing that decision_graph_shape() leaves out.
  virtual std::size_t graph_bytes(const DecisionGraph& graph) const = 0;
  /// Adds a graph's arrays, and says where kernels find them.
  virtual void add_graph(ConstantData& data, const DecisionGraph& graph, GraphData& out) const = 0;
  /// Says where kernels find what prepare() makes of each graph.
  virtual void add_prepared(const DeviceBatch& /*batch*/, std::span<GraphData> /*graphs*/) const {}

  /// Sets the problem's switches and places the arrays that its kernels need beyond those of every search.
  virtual void place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const = 0;
  /// Fills what depends on the graphs alone; once.
  virtual void prepare(const DeviceBatch& /*batch*/, cudaStream_t /*stream*/) const {}
  /// b solutions per trajectory, their gradient and momenta, the elites, and what the network `next` begins with.
  virtual void sample(const DeviceBatch& batch, const NetworkOffsets& next, SamplesOf which,
                      KernelQueue& queue) const = 0;
};

class UpdateProgram {
 public:
  explicit UpdateProgram(const ModelConfig& config) : weights_(config) {}
  virtual ~UpdateProgram() = default;

  /// What it is called in reports and tests.
  virtual std::string_view name() const = 0;
  /// How many steps are enqueued as one graph: between two graphs the device waits, which matters where a step is few
  /// kernels.
  virtual int steps_together() const { return 1; }

  virtual void place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const = 0;
  /// Says where kernels find what prepare() makes of each graph.
  virtual void add_prepared(const DeviceBatch& /*batch*/, std::span<GraphData> /*graphs*/) const {}
  /// Fills what depends on the weights and graphs alone; once.
  virtual void prepare(const DeviceBatch& /*batch*/, const WeightTables& /*tables*/, cudaStream_t /*stream*/) const {}
  /// θ⁰.
  virtual void begin(const DeviceBatch& batch, KernelQueue& queue) const = 0;
  /// The next θ from the state after sampling.
  virtual void update(const DeviceBatch& batch, KernelQueue& queue) const = 0;

  /// Where the networks' parameters lie in a weight set; Adam has none.
  const WeightPlan& weights() const { return weights_; }

 private:
  WeightPlan weights_;
};

struct StepProgram {
  std::unique_ptr<ProblemProgram> problem;
  std::unique_ptr<UpdateProgram> update;
};

}  // namespace moco::cuda

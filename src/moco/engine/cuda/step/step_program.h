// The programs that make up a step: a problem's part, which samples and learns from the samples, and a rule's, which
// updates θ. Each implementation belongs to one set of kernels and owns their shapes, arrays, limits and launches;
// which of them run is chosen in plan/step_choice.cc.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "moco/engine/cuda/batch/batch_layout.h"
#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/engine/cuda/batch/kernel_queue.h"
#include "moco/engine/cuda/kit/arena.h"
#include "moco/engine/cuda/kit/constant_data.h"
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
  /// θ⁰ by what the problem says of each variable, or all alike.
  virtual void promise(const DeviceBatch& batch, Initialisation init, KernelQueue& queue) const = 0;
  /// b solutions per trajectory, their gradient and momenta, the elites, and what the network `next` begins with.
  virtual void sample(const DeviceBatch& batch, const NetworkOffsets& next, SamplesOf which,
                      KernelQueue& queue) const = 0;
  /// What `next` sees of the elites and begins with, of samples that another network was to go on with.
  virtual void show_elites(const DeviceBatch& batch, const NetworkOffsets& next, KernelQueue& queue) const = 0;
};

class UpdateProgram {
 public:
  virtual ~UpdateProgram() = default;

  /// What it is called in reports and tests.
  virtual std::string_view name() const = 0;
  /// How many steps are enqueued as one graph: between two graphs the device waits, which matters where a step is few
  /// kernels.
  virtual int steps_together() const { return 1; }

  virtual void place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const = 0;
  /// Says where kernels find what prepare() makes of each graph.
  virtual void add_prepared(const DeviceBatch& /*batch*/, std::span<GraphData> /*graphs*/) const {}
  /// Fills what depends on the packed weights and the graphs alone; once.
  virtual void prepare(const DeviceBatch& /*batch*/, cudaStream_t /*stream*/) const {}
  /// Goes on from θ⁰, which it may weigh.
  virtual void begin(const DeviceBatch& /*batch*/, KernelQueue& /*queue*/) const {}
  /// Goes on from the θ that another update has come to.
  virtual void take_over(const DeviceBatch& /*batch*/, KernelQueue& /*queue*/) const {}
  /// What it remembers of a step's samples; the elites have them already.
  virtual void remember(const DeviceBatch& /*batch*/, KernelQueue& /*queue*/) const {}
  /// The next θ from the state after sampling.
  virtual void update(const DeviceBatch& batch, KernelQueue& queue) const = 0;
};

}  // namespace moco::cuda

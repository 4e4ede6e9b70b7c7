// The order of the kernels.
#include "moco/engine/cuda/host/step_sequence.h"

#include "moco/problems/mis/set_problem.h"
#include "moco/problems/tsp/tsp_local_search.h"

namespace moco::cuda {

void StepSequence::kernel(const char* name, const std::function<void()>& launch) {
  if (times_ == nullptr) {
    launch();
    return;
  }
  const Event begin;
  const Event end;
  MOCO_CUDA_CHECK(cudaEventRecord(begin.get(), stream_));
  launch();
  MOCO_CUDA_CHECK(cudaEventRecord(end.get(), stream_));
  MOCO_CUDA_CHECK(cudaEventSynchronize(end.get()));
  float milliseconds = 0.0f;
  MOCO_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
  times_->emplace_back(name, milliseconds);
}

void StepSequence::run_network(const NetworkOffsets& net) {
  const DeviceBatch& batch = plan_.batch;
  const NetworkShape& shape = plan_.network;
  if (shape.narrow.used) {
    kernel("network", [&] { narrow_network(batch, net, shape.narrow, stream_); });
    return;
  }
  if (shape.fused_gcn.parts != 0) {
    kernel("network", [&] { fused_gcn(batch, net, shape, stream_); });
    return;
  }
  if (shape.fused.cluster != 0) {
    kernel("network", [&] { fused_network(batch, net, shape.fused, stream_); });
    return;
  }
  if (!batch.is_tsp) {
    kernel("gcn_embed", [&] { gcn_embed(batch, net, shape, stream_); });
  }
  for (int l = 0; l < net.blocks; ++l) {
    if (batch.is_tsp) {
      run_tsp_block(net, l);
    } else {
      run_gcn_block(net, l);
    }
  }
}

void StepSequence::run_tsp_block(const NetworkOffsets& net, int block) {
  const DeviceBatch& batch = plan_.batch;
  const NetworkShape& shape = plan_.network;
  kernel("edge_moments", [&] { edge_moments(batch, net, shape, block, stream_); });
  kernel("edge_advance", [&] { edge_advance(batch, net, shape, block, stream_); });
  if (block + 1 < net.blocks || needs_last_nodes(batch, net)) {
    kernel("node_update", [&] { node_update(batch, net, shape, block, stream_); });
    kernel("node_normalise", [&] { node_normalise(batch, net, shape, block, stream_); });
  }
}

void StepSequence::run_gcn_block(const NetworkOffsets& net, int block) {
  if (plan_.network.neighbour_max.width != 0) {
    kernel("neighbour_max", [&] { neighbour_max(plan_.batch, net, plan_.network, block, stream_); });
  }
  kernel("gcn_block", [&] { gcn_block(plan_.batch, net, plan_.network, block, stream_); });
}

void StepSequence::init() {
  if (plan_.batch.trajectories == 0) {
    return;
  }
  if (plan_.batch.learned) {
    run_network(plan_.weights.init);
  } else {
    adam_begin(plan_.batch, stream_);
  }
}

void StepSequence::update() {
  if (plan_.batch.learned) {
    run_network(plan_.weights.update);
  } else {
    kernel("adam", [&] { adam_update(plan_.batch, stream_); });
  }
}

void StepSequence::sample() {
  const DeviceBatch& batch = plan_.batch;
  const NetworkOffsets& net = plan_.weights.update;
  if (spec_.track_entropy) {
    kernel("entropy", [&] { entropy(batch, stream_); });
  }
  if (batch.is_tsp) {
    kernel("tsp_sample", [&] { tsp_sample(batch, plan_.sampler, stream_); });
    if (plan_.improving) {
      const LocalSearchOptions& search = spec_.loop.local_search;
      kernel("tsp_local_search", [&] {
        tsp_local_search(batch, plan_.search, tour_move_kinds(search.name),
                         tsp_options(spec_.loop.problem).move_rule == MoveRule::first, search.move_limit, stream_);
      });
    }
    kernel("tsp_gradient", [&] { tsp_gradient(batch, net, plan_.network.bf16, plan_.max_degree, stream_); });
  } else {
    if (plan_.sampler.together > 0) {
      kernel("mis_sample", [&] { mis_sample_bits(batch, plan_.sampler, stream_); });
    } else {
      kernel("mis_mass", [&] { mis_mass(batch, stream_); });
      kernel("mis_sample", [&] { mis_sample(batch, plan_.sampler, stream_); });
    }
    if (plan_.improving) {
      const LocalSearchOptions& search = spec_.loop.local_search;
      kernel("mis_local_search", [&] {
        mis_local_search(batch, plan_.search, search.move_limit, plateau_steps(spec_.loop.problem), stream_);
      });
    }
    kernel("mis_gradient", [&] { mis_gradient(batch, net, plan_.network.bf16, stream_); });
    if (batch.crowding != nullptr) {
      kernel("mis_crowding", [&] { mis_crowding(batch, stream_); });
    }
  }
}

}  // namespace moco::cuda

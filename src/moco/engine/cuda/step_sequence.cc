// The order of the kernels.
#include "moco/engine/cuda/step_sequence.h"

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

void StepSequence::run_gcn_block(const NetworkOffsets& net, int block) {
  if (plan_.network.neighbour_max.width != 0) {
    kernel("neighbour_max", [&] { neighbour_max(plan_.batch, net, plan_.network, block, stream_); });
  }
  kernel("gcn_block", [&] { gcn_block(plan_.batch, net, plan_.network, block, stream_); });
}

void StepSequence::run_network(const NetworkOffsets& net) {
  if (plan_.network.narrow.used) {
    narrow_network(plan_.batch, net, plan_.network.narrow, stream_);
  } else {
    fused_network(plan_.batch, net, plan_.network.fused, stream_);
  }
}

void StepSequence::init() {
  const DeviceBatch& batch = plan_.batch;
  if (batch.trajectories == 0) {
    return;
  }
  if (!batch.learned) {
    adam_begin(batch, stream_);
    return;
  }
  const NetworkOffsets& net = plan_.weights.init;
  if (!batch.is_tsp) {
    gcn_embed(batch, net, plan_.network, stream_);
    for (int l = 0; l < net.blocks; ++l) {
      run_gcn_block(net, l);
    }
    return;
  }
  if (plan_.network.one_kernel()) {
    run_network(net);
    return;
  }
  for (int l = 0; l < net.blocks; ++l) {
    edge_moments(batch, net, plan_.network, l, stream_);
    edge_advance(batch, net, plan_.network, l, stream_);
    if (l + 1 < net.blocks) {  // nothing reads the nodes after the last block
      node_update(batch, net, plan_.network, l, stream_);
      node_normalise(batch, net, plan_.network, l, stream_);
    }
  }
}

void StepSequence::update() {
  const DeviceBatch& batch = plan_.batch;
  if (!batch.learned) {
    kernel("adam", [&] { adam_update(batch, stream_); });
    return;
  }
  const NetworkOffsets& net = plan_.weights.update;
  if (plan_.network.one_kernel()) {
    kernel("network", [&] { run_network(net); });
    return;
  }
  if (!batch.is_tsp) {
    kernel("gcn_embed", [&] { gcn_embed(batch, net, plan_.network, stream_); });
  }
  for (int l = 0; l < net.blocks; ++l) {
    if (!batch.is_tsp) {
      run_gcn_block(net, l);
      continue;
    }
    kernel("edge_moments", [&] { edge_moments(batch, net, plan_.network, l, stream_); });
    kernel("edge_advance", [&] { edge_advance(batch, net, plan_.network, l, stream_); });
    if (l + 1 < net.blocks || !batch.pools_known) {
      kernel("node_update", [&] { node_update(batch, net, plan_.network, l, stream_); });
      kernel("node_normalise", [&] { node_normalise(batch, net, plan_.network, l, stream_); });
    }
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
        tsp_local_search(batch, plan_.search, tour_move_kinds(search.name), search.rule == MoveRule::first,
                         search.move_limit, stream_);
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
      kernel("mis_local_search",
             [&] { mis_local_search(batch, plan_.search, search.move_limit, search.plateau_steps, stream_); });
    }
    kernel("mis_gradient", [&] { mis_gradient(batch, net, plan_.network.bf16, stream_); });
    if (batch.crowding != nullptr) {
      kernel("mis_crowding", [&] { mis_crowding(batch, stream_); });
    }
  }
}

}  // namespace moco::cuda

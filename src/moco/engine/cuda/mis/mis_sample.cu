// b independent sets per trajectory by the Gumbel order: always the free node with the largest key θ_i + Gumbel_i, ties
// to the lower index; it and its neighbours are then no longer free.
//
// For graphs of any size; those of up to 1024 nodes have a kernel of their own (mis_sample_bits.cu). One thread block
// per set. Each thread owns every threads-th node and remembers its best one; a step is a block-wide
// maximum, then the neighbours of the winner are taken out in parallel. The mass e^θ that leaves at a step is summed in
// a fixed order on the way, so that Z_t (the mass of the free nodes) needs no second look at the graph. The
// trajectory's last block turns the masses into the gradient's prefix sums C_t = Σ_{s≤t} A_s/Z_s, unless a local search
// that follows decides about the advantages.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/mis/mis_advantage.cuh"
#include "moco/engine/cuda/mis/set_kernels.h"
#include "moco/engine/cuda/step/mass.cuh"

namespace moco::cuda {

namespace {

constexpr int kMaxWarps = 32;

__global__ void __launch_bounds__(1024) mis_mass_kernel(const __grid_constant__ DeviceBatch batch) {
  __shared__ double scratch[kMaxWarps];
  if (!wait_for_previous(batch, static_cast<int>(blockIdx.x))) {
    return;
  }
  const TrajectoryData t = batch.trajectory[blockIdx.x];
  const float* theta = batch.search.theta + t.variable_offset;
  float top = -INFINITY;
  for (int v = static_cast<int>(threadIdx.x); v < t.variables; v += static_cast<int>(blockDim.x)) {
    top = fmaxf(top, theta[v]);
  }
  top = block_max(top, scratch);
  for (int v = static_cast<int>(threadIdx.x); v < t.variables; v += static_cast<int>(blockDim.x)) {
    batch.sets.mass[t.variable_offset + v] = mass_of(theta[v], top);
  }
}

struct Step {
  std::uint32_t key[kMaxWarps];
  unsigned node[kMaxWarps];
  double mass[kMaxWarps];
};

/// `Weights`: some graph's nodes have weights.
template <bool Weights>
__global__ void __launch_bounds__(1024) mis_sample_kernel(const __grid_constant__ DeviceBatch batch, bool keys_shared) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ Step steps[2];  // alternating, so that one barrier separates writing and reading
  const int trajectory = static_cast<int>(blockIdx.x) / batch.samples;
  const int sample = static_cast<int>(blockIdx.x) % batch.samples;
  if (!wait_for_previous(batch, trajectory)) {
    return;
  }
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const int n = t.nodes;
  const int tid = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const int warp = tid / 32;
  const int lane = tid % 32;
  const int warps = threads / 32;
  const long long slot = t.node_offset * batch.samples + static_cast<long long>(sample) * n;
  std::uint32_t* keys = keys_shared ? reinterpret_cast<std::uint32_t*>(raw) : batch.sets.keys + slot;
  const float* theta = batch.search.theta + t.variable_offset;
  const double* mass = batch.sets.mass + t.variable_offset;

  const auto step = static_cast<std::uint32_t>(batch.search.state[trajectory].step);
  for (int q = tid; 4 * q < n; q += threads) {
    const Philox4 block = philox(static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(sample), step,
                                 static_cast<std::uint32_t>(Purpose::sample), t.stream);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (4 * q + j < n) {
        keys[4 * q + j] = ordered(theta[4 * q + j] + gumbel(block.v[j]));
      }
    }
  }
  __syncthreads();

  std::uint32_t own_key = 0;  // best free node of this thread
  int own_node = -1;
  double leaving = 0.0;
  double weight = 0.0;  // of the set, in the first thread
  int length = 0;
  for (;; ++length) {
    if (own_node < 0 || keys[own_node] == 0) {
      own_key = 0;
      own_node = tid;
      for (int i = tid; i < n; i += threads) {
        const std::uint32_t key = keys[i];
        if (key > own_key) {
          own_key = key;
          own_node = i;
        }
      }
      own_node = own_key != 0 ? own_node : -1;
    }
    const std::uint32_t top = __reduce_max_sync(kFullWarp, own_key);
    const unsigned first =
        __reduce_min_sync(kFullWarp, own_key == top && top != 0 ? static_cast<unsigned>(own_node) : 0xFFFFFFFFu);
    const double left = warp_sum(leaving);
    Step& now = steps[length & 1];
    if (lane == 0) {
      now.key[warp] = top;
      now.node[warp] = first;
      now.mass[warp] = left;
    }
    __syncthreads();
    const std::uint32_t warp_key = lane < warps ? now.key[lane] : 0;
    const std::uint32_t best = __reduce_max_sync(kFullWarp, warp_key);
    const unsigned chosen =
        __reduce_min_sync(kFullWarp, lane < warps && warp_key == best ? now.node[lane] : 0xFFFFFFFFu);
    if (tid == 0 && length > 0) {
      double total = 0.0;
      for (int w = 0; w < warps; ++w) {
        total += now.mass[w];
      }
      batch.search.prefix[slot + length - 1] = total;
    }
    if (best == 0) {
      break;
    }
    const int node = static_cast<int>(chosen);
    leaving = 0.0;
    const long long end = graph.offsets[node + 1];
    for (long long e = graph.offsets[node] + tid; e < end; e += threads) {
      const int j = graph.targets[e];
      if (keys[j] != 0) {
        keys[j] = 0;
        batch.search.left_at[(t.node_offset + j) * batch.samples + sample] = length;
        leaving += mass[j];
      }
    }
    if (tid == 0) {
      keys[node] = 0;
      batch.search.left_at[(t.node_offset + node) * batch.samples + sample] = length;
      leaving += mass[node];
      if constexpr (Weights) {
        weight += t.weighted ? graph.weights[node] : 1.0;
      }
      batch.search.items[slot + length] = node;
      batch.search.variables[slot + length] = node;
    }
    __syncthreads();
  }
  if (tid == 0) {
    batch.search.costs[static_cast<long long>(trajectory) * batch.samples + sample] =
        0.0 - (Weights ? weight : static_cast<double>(length));
    batch.search.lengths[static_cast<long long>(trajectory) * batch.samples + sample] = length;
  }
  if (last_to_arrive(batch.search.arrivals + trajectory * kArrivals + kArriveSample, batch.samples)) {
    finish_apart<Weights>(batch, trajectory);
  }
}

}  // namespace

SetSamplerShape mis_sampler_shape(int max_nodes) {
  SetSamplerShape shape;
  shape.threads = max_nodes <= 2048 ? 256 : max_nodes <= 8192 ? 512 : 1024;
  shape.keys_shared = 4LL * max_nodes <= 200 * 1024;
  shape.shared_bytes = shape.keys_shared ? (4 * max_nodes + 15) / 16 * 16 : 0;
  return shape;
}

void mis_mass(const DeviceBatch& batch, cudaStream_t stream) {
  launch(mis_mass_kernel, batch.trajectories, 1024, 0, stream, batch);
}

void mis_sample(const DeviceBatch& batch, const SetSamplerShape& shape, cudaStream_t stream) {
  launch(batch.sets.weighted ? mis_sample_kernel<true> : mis_sample_kernel<false>, batch.trajectories * batch.samples,
         shape.threads, shape.shared_bytes, stream, batch, shape.keys_shared);
}

}  // namespace moco::cuda

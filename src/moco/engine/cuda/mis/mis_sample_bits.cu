// b independent sets per trajectory by the Gumbel order, as in mis_sample.cu, of graphs of up to 1024 nodes.
//
// Who is a neighbour of whom lies in shared memory as bits, a row per node, and every lane of the warp that chooses
// holds 32 nodes as the bits of a word: a step is a maximum over the lane's keys, one over the warp, and
// a row of bits that is taken out of both. Nothing else lies on the chain of choices; when the sets are known, the
// warps share their steps, find who left at each, and sum the masses that left in a fixed order.
#include <algorithm>
#include <utility>

#include "moco/core/ceil_div.h"
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/kit/tile.cuh"
#include "moco/engine/cuda/mis/mis_advantage.cuh"
#include "moco/engine/cuda/mis/set_kernels.h"
#include "moco/engine/cuda/step/mass.cuh"

namespace moco::cuda {

namespace {

constexpr int kBitThreads = 512;
constexpr int kBitWarps = kBitThreads / 32;
static_assert(kMostBitNodes == 32 * 32);  // a word per lane
constexpr int kKeysApart = 36;            // of two lanes' 32 keys: eight lanes meet all banks once
constexpr int kKeys = 32 * kKeysApart;
constexpr int kMostTogether = 4;  // sets of a thread block

/// Words of a row of bits, so that rows begin at multiples of 16 bytes.
__host__ __device__ constexpr int row_words(int nodes) {
  return (nodes + 127) / 128 * 4;
}

/// Shared memory: rows of bits, masses, θ, then per set its keys and its choices.
__host__ __device__ constexpr int mass_at(int nodes) {
  return 4 * nodes * row_words(nodes);
}
__host__ __device__ constexpr int theta_at(int nodes) {
  return mass_at(nodes) + 8 * nodes;
}
__host__ __device__ constexpr int sets_at(int nodes) {
  return (theta_at(nodes) + 4 * nodes + 15) / 16 * 16;
}
__host__ __device__ constexpr int set_bytes(int nodes) {
  return 4 * kKeys + (2 * nodes + 15) / 16 * 16;
}

__global__ void __launch_bounds__(kThreads) mis_bits_kernel(const __grid_constant__ DeviceBatch batch) {
  __shared__ std::uint32_t row[kMostBitNodes / 32];
  const GraphData graph = batch.graphs[blockIdx.x / kMostBitNodes];
  const int node = static_cast<int>(blockIdx.x) % kMostBitNodes;
  if (node >= graph.nodes) {
    return;
  }
  const int words = row_words(graph.nodes);
  const int tid = static_cast<int>(threadIdx.x);
  if (tid < words) {
    row[tid] = tid == node / 32 ? 1u << (node % 32) : 0u;
  }
  __syncthreads();
  for (long long e = graph.offsets[node] + tid; e < graph.offsets[node + 1]; e += kThreads) {
    atomicOr(row + graph.targets[e] / 32, 1u << (graph.targets[e] % 32));
  }
  __syncthreads();
  if (tid < words) {
    graph.bits[node * words + tid] = row[tid];
  }
}

/// The word of this lane. Lanes count down, so that the first word or bit of some is the highest of a ballot.
__device__ inline int own_word() {
  return 31 - static_cast<int>(threadIdx.x) % 32;
}

/// The bits of this lane's word that are nodes.
__device__ inline std::uint32_t all_nodes(int nodes) {
  const int rest = nodes - own_word() * 32;
  return rest >= 32 ? ~0u : rest > 0 ? (1u << rest) - 1u : 0u;
}

/// This lane's word of a node's row.
__device__ inline std::uint32_t row_word(const std::uint32_t* bits, int words, int node) {
  return own_word() < words ? bits[node * words + own_word()] : 0u;
}

/// 0 where bit J of `row` is set.
template <int J>
__device__ inline void clear_if_set(std::uint32_t& key, std::uint32_t row) {
  // Two instructions; the compiler makes four of a shift, a mask, a comparison and a choice.
  asm("{\n.reg .pred p;\n.reg .b32 t;\nand.b32 t, %1, %2;\nsetp.ne.b32 p, t, 0;\nselp.b32 %0, 0, %0, p;\n}\n"
      : "+r"(key)
      : "r"(row), "n"(1u << J));
}
template <int... J>
__device__ inline void clear_set(std::uint32_t (&keys)[32], std::uint32_t row, std::integer_sequence<int, J...>) {
  (clear_if_set<J>(keys[J], row), ...);
}

/// Chooses a set; its size. One warp.
__device__ int choose(const std::uint32_t* bits, int nodes, const std::uint32_t* keys, std::uint16_t* chosen) {
  const int words = row_words(nodes);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  std::uint32_t own[32];  // 0 for nodes that are not free
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    const uint4 four = reinterpret_cast<const uint4*>(keys + own_word() * kKeysApart)[j];
    own[4 * j] = four.x, own[4 * j + 1] = four.y, own[4 * j + 2] = four.z, own[4 * j + 3] = four.w;
  }
  std::uint32_t free = all_nodes(nodes);
  for (int length = 0;; ++length) {
    std::uint32_t part[4] = {};
#pragma unroll
    for (int j = 0; j < 32; j += 2) {
      part[j / 2 % 4] = max(part[j / 2 % 4], max(own[j], own[j + 1]));
    }
    const std::uint32_t best = max(max(part[0], part[1]), max(part[2], part[3]));
    const std::uint32_t top = __reduce_max_sync(kFullWarp, best);
    if (top == 0) {
      return length;
    }
    const int word = __clz(static_cast<int>(__ballot_sync(kFullWarp, best == top)));
    const std::uint32_t open = __shfl_sync(kFullWarp, free, 31 - word) & 1u << own_word();
    const bool is_top = keys[word * kKeysApart + own_word()] == top && open != 0;
    const int node = 32 * word + __clz(static_cast<int>(__ballot_sync(kFullWarp, is_top)));
    const std::uint32_t row = row_word(bits, words, node);
    free &= ~row;
    clear_set(own, row, std::make_integer_sequence<int, 32>());
    if (lane == 0) {
      chosen[length] = static_cast<std::uint16_t>(node);
    }
  }
}

/// Records who left at steps first … end − 1 of a set, and the mass that left; one warp.
__device__ void record(const DeviceBatch& batch, const TrajectoryData& t, int sample, const std::uint32_t* bits,
                       const double* mass, const std::uint16_t* chosen, int first, int end) {
  const int words = row_words(t.nodes);
  const long long slot = t.node_offset * batch.samples + static_cast<long long>(sample) * t.nodes;
  std::uint32_t free = all_nodes(t.nodes);
#pragma unroll 8
  for (int step = 0; step < first; ++step) {
    free &= ~row_word(bits, words, chosen[step]);
  }
  for (int step = first; step < end; ++step) {
    const int node = chosen[step];
    const std::uint32_t row = row_word(bits, words, node);
    double left = 0.0;
    for (std::uint32_t leaving = free & row; leaving != 0; leaving &= leaving - 1) {
      const int other = 32 * own_word() + __ffs(static_cast<int>(leaving)) - 1;
      batch.search.left_at[(t.node_offset + other) * batch.samples + sample] = step;
      left += mass[other];
    }
    free &= ~row;
    left = warp_sum(left);
    if (threadIdx.x % 32 == 0) {
      batch.search.prefix[slot + step] = left;
      batch.search.items[slot + step] = node;
      batch.search.variables[slot + step] = node;
    }
  }
}

/// Masses of all nodes, by `warps` warps, of which this is number `number`.
__device__ void set_masses(const float* theta, int nodes, int number, int warps, double* mass) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  float top = -INFINITY;
  for (int v = lane; v < nodes; v += 32) {
    top = fmaxf(top, theta[v]);
  }
  top = warp_max(top);
  for (int v = 32 * number + lane; v < nodes; v += 32 * warps) {
    mass[v] = mass_of(theta[v], top);
  }
}

/// What a chosen set weighs; one warp. Sums of weights are exact.
__device__ double weight_of(const double* weights, const std::uint16_t* chosen, int length) {
  __syncwarp();  // the first lane wrote what was chosen
  double sum = 0.0;
  for (int i = static_cast<int>(threadIdx.x) % 32; i < length; i += 32) {
    sum += weights[chosen[i]];
  }
  return warp_sum(sum);
}

/// `Weights`: some graph's nodes have weights.
template <bool Weights>
__global__ void __launch_bounds__(kBitThreads)
    mis_sample_bits_kernel(const __grid_constant__ DeviceBatch batch, int together) {
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ int lengths[kMostTogether];
  const int groups = ceil_div(batch.samples, together);
  const int trajectory = static_cast<int>(blockIdx.x) / groups;
  const int first_sample = static_cast<int>(blockIdx.x) % groups * together;
  const int sets = min(together, batch.samples - first_sample);
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const int n = t.nodes;
  const int tid = static_cast<int>(threadIdx.x);
  const int warp = tid / 32;
  auto* bits = reinterpret_cast<std::uint32_t*>(raw);
  auto* mass = reinterpret_cast<double*>(raw + mass_at(n));
  auto* theta = reinterpret_cast<float*>(raw + theta_at(n));
  const auto keys_of = [&](int set) { return reinterpret_cast<std::uint32_t*>(raw + sets_at(n) + set * set_bytes(n)); };
  const auto chosen_of = [&](int set) { return reinterpret_cast<std::uint16_t*>(keys_of(set) + kKeys); };
  for (int i = tid; i < n * row_words(n) / 4; i += kBitThreads) {
    copy_async16(bits + 4 * i, graph.bits + 4 * i);
  }
  if (!wait_for_previous(batch, trajectory)) {
    wait_async();
    return;
  }

  const auto step = static_cast<std::uint32_t>(batch.search.state[trajectory].step);
  constexpr int kQuads = kMostBitNodes / 4;
  for (int i = tid; i < sets * kQuads; i += kBitThreads) {
    const int set = i / kQuads;
    const int q = i % kQuads;
    std::uint32_t key[4] = {};
    if (4 * q < n) {
      const Philox4 random = philox(static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(first_sample + set), step,
                                    static_cast<std::uint32_t>(Purpose::sample), t.stream);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (4 * q + j < n) {
          const float value = batch.search.theta[t.variable_offset + 4 * q + j];
          key[j] = ordered(value + gumbel(random.v[j]));
          if (set == 0) {
            theta[4 * q + j] = value;
          }
        }
      }
    }
    reinterpret_cast<uint4*>(keys_of(set) + q / 8 * kKeysApart)[q % 8] = make_uint4(key[0], key[1], key[2], key[3]);
  }
  wait_async();
  __syncthreads();
  if (warp < sets) {
    const int length = choose(bits, n, keys_of(warp), chosen_of(warp));
    double weight = length;
    if (Weights && t.weighted) {
      weight = weight_of(graph.weights, chosen_of(warp), length);
    }
    if (tid % 32 == 0) {
      const long long entry = static_cast<long long>(trajectory) * batch.samples + first_sample + warp;
      lengths[warp] = length;
      batch.search.costs[entry] = 0.0 - weight;
      batch.search.lengths[entry] = length;
    }
  } else {
    set_masses(theta, n, warp - sets, kBitWarps - sets, mass);
  }
  __syncthreads();
  for (int v = tid; first_sample == 0 && v < n; v += kBitThreads) {  // for the gradient
    batch.sets.mass[t.variable_offset + v] = mass[v];
  }
  const int warps_each = kBitWarps / sets;
  if (const int set = warp / warps_each; set < sets) {
    const int each = (lengths[set] + warps_each - 1) / warps_each;
    const int first = min(warp % warps_each * each, lengths[set]);
    record(batch, t, first_sample + set, bits, mass, chosen_of(set), first, min(first + each, lengths[set]));
  }
  if (last_to_arrive(batch.search.arrivals + trajectory * kArrivals + kArriveSample, groups)) {
    if constexpr (Weights) {
      finish_apart<true>(batch, trajectory);  // or only one block would fit on a multiprocessor
    } else {
      finish_sets<false>(batch, trajectory);
    }
  }
}

}  // namespace

std::size_t mis_bits_words(int nodes) {
  return static_cast<std::size_t>(nodes) * static_cast<std::size_t>(row_words(nodes));
}

void mis_bits(const DeviceBatch& batch, int graphs, cudaStream_t stream) {
  if (graphs > 0) {
    mis_bits_kernel<<<graphs * kMostBitNodes, kThreads, 0, stream>>>(batch);
    MOCO_CUDA_CHECK(cudaGetLastError());
  }
}

SetSamplerShape mis_bits_shape(int max_nodes, int samples, long long trajectories) {
  SetSamplerShape shape;
  shape.keys_shared = true;
  // As many sets share a copy of the bits as leave two blocks to every multiprocessor.
  const long long sets = trajectories * samples;
  shape.together =
      static_cast<int>(std::clamp<long long>(sets / kMultiprocessors, 1, std::min(kMostTogether, samples)));
  shape.shared_bytes = sets_at(max_nodes) + shape.together * set_bytes(max_nodes);
  return shape;
}

void mis_sample_bits(const DeviceBatch& batch, const SetSamplerShape& shape, cudaStream_t stream) {
  const int groups = (batch.samples + shape.together - 1) / shape.together;
  launch(batch.sets.weighted ? mis_sample_bits_kernel<true> : mis_sample_bits_kernel<false>,
         batch.trajectories * groups, kBitThreads, shape.shared_bytes, stream, batch, shape.together);
}

}  // namespace moco::cuda

// The largest message over the neighbours of every node, column by column: what a block of the GCN takes from a dense
// graph. The messages of a slice of columns [n × W] lie in shared memory, where each is read as often as its node has
// neighbours; gathered from L2 they would be most of the network's time. One thread block per trajectory, slice and
// part of the nodes; a warp per node, W/8 (bf16) or W/4 (float) lanes per neighbour. Beside them, one thread block per
// trajectory does the global update that the next gcn_block needs.
#include <algorithm>

#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/gcn/neighbours.cuh"
#include "moco/engine/cuda/gcn/passes/gcn_kernels.h"
#include "moco/engine/cuda/kit/tile.cuh"
#include "moco/engine/cuda/step/global.cuh"

namespace moco::cuda {

namespace {

constexpr int kMaxThreads = 512;
constexpr long long kSharedLimit = 220 * 1024;
constexpr int kMostParts = 16;   // of the nodes: each stages the slice anew
constexpr double kDense = 32.0;  // mean degree from which a second kernel pays
constexpr double kTargetLimit = 36.0 * 1024.0;

__device__ inline uint4 shuffled(const uint4& x, int offset) {
  return make_uint4(__shfl_xor_sync(kFullWarp, x.x, offset), __shfl_xor_sync(kFullWarp, x.y, offset),
                    __shfl_xor_sync(kFullWarp, x.z, offset), __shfl_xor_sync(kFullWarp, x.w, offset));
}

/// Copies columns of all messages of a trajectory into shared memory. Ends with a barrier.
template <typename T, int W>
__device__ void stage_messages(const T* messages, int nodes, T* shared) {
  constexpr int kChunk = 16 / static_cast<int>(sizeof(T));
  constexpr int kChunks = W / kChunk;
  for (int i = static_cast<int>(threadIdx.x); i < nodes * kChunks; i += static_cast<int>(blockDim.x)) {
    const int row = i / kChunks;
    const int column = i % kChunks * kChunk;
    copy_async16(shared + row * W + column, messages + static_cast<long long>(row) * kHidden + column);
  }
  wait_async();
  __syncthreads();
}

/// Blocks 0 … trajectories − 1 do the global update of the block before, if there is one; nothing here waits for it.
template <typename T, int W>
__global__ void __launch_bounds__(kMaxThreads)
    neighbour_max_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                         int block, int parts, int room) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto* shared = reinterpret_cast<T*>(raw);
  constexpr int kChunk = 16 / static_cast<int>(sizeof(T));
  constexpr int kLanes = W / kChunk;      // of a neighbour
  constexpr int kTogether = 32 / kLanes;  // neighbours
  const int updates = updates_before(net, block) ? batch.trajectories : 0;
  if (static_cast<int>(blockIdx.x) < updates) {
    if (wait_for_previous(batch, static_cast<int>(blockIdx.x))) {
      const TrajectoryData t = batch.trajectory[blockIdx.x];
      auto& scratch = *reinterpret_cast<GlobalScratch*>(raw);
      pool_node_chunks<kMaxThreads>(batch, t, scratch);
      update_global<T, kMaxThreads>(batch, net, static_cast<int>(blockIdx.x), t, block - 1, scratch);
    }
    return;
  }
  const int number = static_cast<int>(blockIdx.x) - updates;
  const int share = number % (kHidden / W * parts);
  const int trajectory = number / (kHidden / W * parts);
  const TrajectoryData t = batch.trajectory[trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const int slice = share / parts * W;
  const int each = (t.nodes + parts - 1) / parts;
  const int begin = min(share % parts * each, t.nodes);
  const int end = min(begin + each, t.nodes);
  const Neighbours<kMaxThreads> neighbours(graph, begin, end, reinterpret_cast<int*>(shared + t.nodes * W), room);
  if (!wait_for_previous(batch, trajectory)) {
    wait_async();
    return;
  }
  const long long offset = t.node_offset * kHidden + slice;
  stage_messages<T, W>(static_cast<const T*>(block % 2 == 0 ? batch.network.sent : batch.network.received) + offset,
                       t.nodes, shared);

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int column = lane % kLanes * kChunk;
  T* out = static_cast<T*>(batch.network.top) + offset + column;
  for (int node = begin + static_cast<int>(threadIdx.x) / 32; node < end; node += warps) {
    int degree = 0;
    const int* targets = neighbours.of(node, degree);
    uint4 top = make_uint4(0u, 0u, 0u, 0u);  // of a node without neighbours
    for (int base = 0; base < degree; base += 32) {
      const int own = targets[min(base + lane, degree - 1)];  // some neighbours twice: the maximum stays
      if (base == 0) {
        top = *reinterpret_cast<const uint4*>(shared + __shfl_sync(kFullWarp, own, 0) * W + column);
      }
#pragma unroll 8
      for (int i = 0; i < min(32, degree - base); i += kTogether) {
        const int neighbour = __shfl_sync(kFullWarp, own, i + lane / kLanes);
        maximum_of<T>(top, *reinterpret_cast<const uint4*>(shared + neighbour * W + column));
      }
    }
#pragma unroll
    for (int step = kLanes; step < 32; step <<= 1) {
      maximum_of<T>(top, shuffled(top, step));
    }
    if (lane < kLanes) {
      *reinterpret_cast<uint4*>(out + static_cast<long long>(node) * kHidden) = top;
    }
  }
}

}  // namespace

NeighbourMaxShape neighbour_max_shape(int max_nodes, double mean_degree, int trajectories, int element_bytes) {
  NeighbourMaxShape shape;
  // Where no more than slices of 8 columns fit, gathering whole rows takes less time: 10 000 nodes, 32 trajectories.
  const bool fits = 16LL * max_nodes * element_bytes <= kSharedLimit;
  if (mean_degree < kDense || trajectories == 0 || !fits) {
    return shape;
  }
  // The widest slices that fit are read without conflicts; narrower ones only where parts of the nodes would not reach
  // most multiprocessors.
  for (const int width : {128, 64, 32, 16, 8}) {
    if (static_cast<long long>(max_nodes) * width * element_bytes > kSharedLimit) {
      continue;
    }
    shape.width = width;
    if (static_cast<long long>(trajectories) * (kHidden / width) * kMostParts * 4 >= kMultiprocessors * 3) {
      break;
    }
  }
  const long long blocks = static_cast<long long>(trajectories) * (kHidden / shape.width);
  shape.shared_bytes = max_nodes * shape.width * element_bytes;
  const long long resident = std::clamp<long long>(kSharedLimit / (shape.shared_bytes + 1024), 1, 4);
  shape.parts = static_cast<int>(std::clamp<long long>(resident * kMultiprocessors / blocks, 1, kMostParts));
  // Narrow slices leave room for the neighbours of a part's nodes; some parts have more than others.
  const auto nodes_each = static_cast<double>((max_nodes + shape.parts - 1) / shape.parts);
  const double wanted = 1.25 * nodes_each * (mean_degree + 1.0) + 64.0;
  if (4.0 * wanted <= kTargetLimit) {
    shape.room = static_cast<int>(wanted);
    shape.shared_bytes += 4 * shape.room;
  }
  shape.shared_bytes = std::max(shape.shared_bytes, static_cast<int>(sizeof(GlobalScratch)));
  return shape;
}

void neighbour_max(const DeviceBatch& batch, const NetworkOffsets& net, const NeighbourMaxShape& shape, bool use_bf16,
                   int block, cudaStream_t stream) {
  const auto run = [&](auto kernel) {
    const int shares = kHidden / shape.width * shape.parts + (updates_before(net, block) ? 1 : 0);
    launch(kernel, batch.trajectories * shares, kMaxThreads, shape.shared_bytes, stream, batch, net, block, shape.parts,
           shape.room);
  };
  const auto by_width = [&]<typename T>(T) {
    switch (shape.width) {
      case 128:
        return run(neighbour_max_kernel<T, 128>);
      case 64:
        return run(neighbour_max_kernel<T, 64>);
      case 32:
        return run(neighbour_max_kernel<T, 32>);
      case 16:
        return run(neighbour_max_kernel<T, 16>);
      default:
        return run(neighbour_max_kernel<T, 8>);
    }
  };
  if (use_bf16) {
    by_width(bf16{});
  } else {
    by_width(float{});
  }
}

}  // namespace moco::cuda

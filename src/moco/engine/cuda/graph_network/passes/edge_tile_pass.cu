// The two passes over the edges of a block in bf16 (edge_pass.cu says what they do). A warpgroup has half of the
// columns of its thread block's edges (edge_tiles.cuh): a column's moments are sums within four threads, and what a
// column needs stays in registers.
#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/graph_network/passes/edge_tiles.cuh"
#include "moco/engine/cuda/graph_network/passes/prefetch.cuh"
#include "moco/engine/cuda/step/global.cuh"
#include "moco/engine/cuda/step/normalisation.cuh"

namespace moco::cuda {

namespace {

constexpr int kAtOnce = 2;  // thread blocks on a multiprocessor
constexpr int kTileWarps = kTileThreads / 32;

template <typename Tiles>
__global__ void __launch_bounds__(kTileThreads, kAtOnce)
    tile_moments_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                        int block) {
  extern __shared__ __align__(kRowAlignment) unsigned char raw[];
  const RowChunk chunk = batch.network.edge_chunks[blockIdx.x];
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const ChunkContext context{batch, net, t, graph, chunk};
  Tiles tiles(context, *reinterpret_cast<typename Tiles::Shared*>(raw));
  tiles.fetch_weights(block);
  if (!wait_for_previous(batch, chunk.trajectory)) {
    wait_async();
    return;
  }
  tiles.begin(block);
  float moments[2][2][2] = {};  // sums and squares of the thread's columns, of even and odd rows
  const unsigned count = context.tiles();
#pragma unroll 1
  for (unsigned tile = 0; tile < count; ++tile) {
    tiles.take(tile);
    ColumnSums u;
    tiles.columns(u);
#pragma unroll
    for (const auto& value : u.value) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        float(&sums)[2] = moments[i / 2][i % 2];
        sums[0] += value[i];
        sums[1] = fmaf(value[i], value[i], sums[1]);
      }
    }
  }
  float* out = batch.network.partials + static_cast<long long>(blockIdx.x) * 2 * kHidden;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int power = 0; power < 2; ++power) {
      float sum = moments[i][0][power] + moments[i][1][power];
      sum += __shfl_xor_sync(kFullWarp, sum, 1);
      sum += __shfl_xor_sync(kFullWarp, sum, 2);
      if (tiles.place().lane % 4 == 0) {
        out[power * kHidden + tiles.place().column(i)] = sum;
      }
    }
  }
  if (last_to_arrive(batch.search.arrivals + chunk.trajectory * kArrivals + kArriveEdge, t.edge_chunks.count)) {
    const float* vectors = vectors_of(batch, t.weights);
    set_normalisation(batch.network.partials, t.edge_chunks, static_cast<double>(t.variables),
                      vectors + net.block[block].edge_scale, vectors + net.block[block].edge_shift,
                      reinterpret_cast<double*>(raw),
                      batch.network.edge_norm + static_cast<long long>(chunk.trajectory) * 2 * kHidden);
  }
}

/// Σ_out of the chunk's nodes: products of a tile with a matrix that says which edge belongs to which node, eight nodes
/// at a time. A warp adds up its own columns.
class OutgoingNodes {
 public:
  static constexpr int kApart = kHidden + 1;  ///< of two nodes, so that a warp meets all banks once
  struct Shared {
    float sum[kMostEdgeNodes * kApart];
  };

  __device__ OutgoingNodes(const ChunkContext& context, const ColumnPlace& place, Shared& shared)
      : at_(context), sum_(shared.sum), columns_{place.column(0), place.column(1)} {
    for (unsigned i = threadIdx.x; i < kMostEdgeNodes * kApart; i += kTileThreads) {
      sum_[i] = 0.0f;
    }
  }

  /// Adds the new h_e of a tile; rows[step]: as of ColumnPlace::rows.
  __device__ void add(unsigned tile, const ColumnPlace& place, const std::uint32_t (&rows)[kTileRows / 16][4]) {
    const int degree = at_.graph.degree;
    const int begin = static_cast<int>(tile) * kTileRows;
    const int end = min(begin + kTileRows, static_cast<int>(at_.edges()));
    const int q = static_cast<int>(place.lane % 4);
    for (int node = static_cast<int>(at_.sender(tile * kTileRows)); node * degree < end; node += 8) {
      // the rows of the lane's node, a bit each
      const int first = (node + static_cast<int>(place.lane / 4)) * degree - begin;
      const int low = max(first, 0);
      const int count = min(first + degree, kTileRows) - low;
      const std::uint64_t own = count > 0 ? ~std::uint64_t{0} >> (kTileRows - count) << low : 0;
      const std::uint64_t bits = own >> (2 * q);  // row 8j + 2q at 8j
      float sum[4] = {};
#pragma unroll
      for (int step = 0; step < kTileRows / 16; ++step) {
        const auto word = static_cast<std::uint32_t>(step < 2 ? bits : bits >> 32) >> (step % 2 * 16);
        multiply_add(sum, rows[step], pair_of_bits<bf16>(word), pair_of_bits<bf16>(word >> 8));
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (const int node_of = node + 2 * q + i % 2; node_of < at_.chunk.rows) {
          sum_[node_of * kApart + columns_[i / 2]] += sum[i];
        }
      }
    }
  }

  /// Stores the sums; after a barrier.
  __device__ void store(float* out) const {
    for (unsigned i = threadIdx.x; i < at_.chunk.rows * kHidden; i += kTileThreads) {
      out[i] = sum_[i / kHidden * kApart + i % kHidden];
    }
  }

 private:
  const ChunkContext& at_;
  float* sum_;
  unsigned columns_[2];
};

/// θ̃ of a tile's edges: every warp adds its columns, then a thread per edge all warps' sums.
class TileDecoder {
 public:
  struct __align__(8) Shared {
    float sum[kTileWarps][kTileRows];
  };

  __device__ TileDecoder(Shared& shared) : shared_(shared) {}

  /// The warp's part; `decoded` of the thread's rows 8j + 2q + i stands at 2j + i.
  __device__ void add(float (&decoded)[kTileRows / 4], unsigned lane) {
    constexpr int kCount = kTileRows / 4;
#pragma unroll
    for (int level = 1; level <= 3; ++level) {
      const unsigned distance = 32 >> level;
      const int width = kCount >> level;
      const bool upper = (lane & distance) != 0;
#pragma unroll
      for (int i = 0; i < kCount / 2; ++i) {
        if (i < width) {
          const float kept = upper ? decoded[i + width] : decoded[i];
          const float given = upper ? decoded[i] : decoded[i + width];
          decoded[i] = kept + __shfl_xor_sync(kFullWarp, given, distance);
        }
      }
    }
    store2(shared_.sum[threadIdx.x / 32] + lane / 4 * 8 + lane % 4 * 2, decoded[0], decoded[1]);
  }

  /// The block's sum for an edge of the tile; after a barrier.
  __device__ float total(unsigned edge) const {
    float sum = 0.0f;
#pragma unroll
    for (int w = 0; w < kTileWarps; ++w) {
      sum += shared_.sum[w][edge];
    }
    return sum;
  }

 private:
  Shared& shared_;
};

template <typename Tiles>
struct AdvanceShared {
  typename Tiles::Shared tiles;
  OutgoingNodes::Shared outgoing;
  TileDecoder::Shared decoder;
};

/// Stores a half of the columns of a tile; the warpgroup that has them.
__device__ inline void store_half(const ChunkContext& context, unsigned tile, unsigned half, HalfTile& from) {
  const unsigned piece = threadIdx.x % HalfTile::kPieces;
  const unsigned first = threadIdx.x % 128 / HalfTile::kPieces;
  constexpr unsigned kAtOnce = 128 / HalfTile::kPieces;
  const unsigned left = context.edges() - tile * kTileRows;
  bf16* h_e = static_cast<bf16*>(context.batch.network.h_e) + context.variable(tile * kTileRows + first) * kHidden +
              half * kHalf + 8 * piece;
  asm volatile("bar.sync %0, 128;\n" ::"r"(1 + half) : "memory");  // its other warps have written
#pragma unroll
  for (unsigned row = 0; row < kTileRows; row += kAtOnce) {
    if (first + row < left) {
      *reinterpret_cast<uint4*>(h_e + row * kHidden) = *reinterpret_cast<const uint4*>(from.at(first + row, piece));
    }
  }
}

template <typename Tiles, bool Last>
__global__ void __launch_bounds__(kTileThreads, kAtOnce)
    tile_advance_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ NetworkOffsets net,
                        int block) {
  extern __shared__ __align__(kRowAlignment) unsigned char raw[];
  auto& shared = *reinterpret_cast<AdvanceShared<Tiles>*>(raw);
  const RowChunk chunk = batch.network.edge_chunks[blockIdx.x];
  const TrajectoryData t = batch.trajectory[chunk.trajectory];
  const GraphData graph = batch.graphs[t.graph];
  const float* vectors = vectors_of(batch, t.weights);
  const ChunkContext context{batch, net, t, graph, chunk};
  Tiles tiles(context, shared.tiles);
  OutgoingNodes outgoing(context, tiles.place(), shared.outgoing);
  TileDecoder decoder(shared.decoder);
  tiles.fetch_weights(block);
  const bool stores = !Last || needs_last_nodes(batch, net);
  if (stores) {  // the nodes are next
    prefetch_matrices(matrices_of<bf16>(batch, t.weights) + net.block[block].node, 3,
                      static_cast<unsigned>(static_cast<int>(blockIdx.x) - t.edge_chunks.first),
                      static_cast<unsigned>(t.edge_chunks.count));
  }
  if (!wait_for_previous(batch, chunk.trajectory)) {
    wait_async();
    return;
  }
  tiles.begin(block);
  const ColumnPlace& place = tiles.place();
  float factor[2];
  float shift[2];
  float weight[2];  // of the decoder
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float* norm =
        batch.network.edge_norm + static_cast<long long>(chunk.trajectory) * 2 * kHidden + place.column(i);
    factor[i] = norm[0];
    shift[i] = norm[kHidden];
    weight[i] = vectors[net.decoder + place.column(i)];
  }
  const unsigned count = context.tiles();
#pragma unroll 1
  for (unsigned tile = 0; tile < count; ++tile) {
    tiles.take(tile);
    const unsigned edge = tile * kTileRows + threadIdx.x;  // that this thread will give θ
    const bool decodes = Last && threadIdx.x < kTileRows && edge < context.edges();
    const float before = decodes ? theta_before(batch, net, context.variable(edge)) : 0.0f;
    ColumnSums u;
    tiles.columns_and_h(u);
    std::uint32_t rows[kTileRows / 16][4];
    float decoded[kTileRows / 4] = {};
#pragma unroll
    for (int step = 0; step < kTileRows / 16; ++step) {
      float2 h[4];
      tiles.read_h(step, h);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int j = 2 * step + i / 2;
        const int own = i % 2;  // of the thread's columns
        const float a = h[i].x + fmaf(u.value[j][2 * own], factor[own], shift[own]);
        const float b = h[i].y + fmaf(u.value[j][2 * own + 1], factor[own], shift[own]);
        rows[step][i] = pack2(a, b);
        if constexpr (Last) {
          decoded[2 * j] = fmaf(a, weight[own], decoded[2 * j]);
          decoded[2 * j + 1] = fmaf(b, weight[own], decoded[2 * j + 1]);
        }
      }
    }
    if (stores) {
#pragma unroll
      for (int step = 0; step < kTileRows / 16; ++step) {
        store_transposed(place.rows(tiles.result(), step), rows[step]);
      }
      outgoing.add(tile, place, rows);
      store_half(context, tile, place.half, tiles.result());
    }
    if constexpr (Last) {
      decoder.add(decoded, place.lane);
      __syncthreads();
      if (decodes) {
        store_decoded(batch, net, context.variable(edge), before,
                      vectors[net.decoder_bias] + decoder.total(threadIdx.x),
                      batch.network.pools_known ? batch.network.theta_divisor + chunk.trajectory : nullptr);
      }
    }
  }
  if (stores) {
    __syncthreads();
    outgoing.store(batch.network.sum_out + (t.node_offset + chunk.first) * kHidden);
  }
}

/// Calls body<Tiles>().
template <typename Body>
void with_tiles(const DeviceBatch& batch, const NetworkOffsets& net, int block, const Body& body) {
  if (block > 0) {
    body.template operator()<LaterTiles>();
  } else if (batch.network.given_rows != nullptr && net.has_global) {
    body.template operator()<FirstTiles<true>>();
  } else {
    body.template operator()<FirstTiles<false>>();
  }
}

}  // namespace

void tile_moments(const DeviceBatch& batch, const NetworkOffsets& net, int chunks, int block, cudaStream_t stream) {
  with_tiles(batch, net, block, [&]<typename Tiles>() {
    constexpr int kBytes = static_cast<int>(sizeof(typename Tiles::Shared));
    launch(tile_moments_kernel<Tiles>, chunks, kTileThreads, kBytes, stream, batch, net, block);
  });
}

void tile_advance(const DeviceBatch& batch, const NetworkOffsets& net, int chunks, int block, cudaStream_t stream) {
  with_tiles(batch, net, block, [&]<typename Tiles>() {
    const bool last = block + 1 == net.blocks;
    const auto kernel = last ? tile_advance_kernel<Tiles, true> : tile_advance_kernel<Tiles, false>;
    constexpr int kBytes = static_cast<int>(sizeof(AdvanceShared<Tiles>));
    launch(kernel, chunks, kTileThreads, kBytes, stream, batch, net, block);
  });
}

}  // namespace moco::cuda

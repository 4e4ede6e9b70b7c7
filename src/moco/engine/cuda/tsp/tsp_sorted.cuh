// A tour of cities with at most 32 neighbours. All keys are drawn before the walk, by all threads of the block, into
// shared memory, where every row is then put into the order of its keys. A step of the walk waits for its row, for the
// marks of the row's cities, and for the first of them that is unvisited.
#pragma once

#include "moco/engine/cuda/tsp/tsp_shared_tour.cuh"

namespace moco::cuda {

/// Bytes of a sorted tour, in the order in which they lie in shared memory, for the largest trajectory of the batch.
struct SortedLayout {
  int marks;  ///< one byte per city
  int moves;  ///< one word per city
  int rows;   ///< one word per place of the rows, and a row's more; later two lengths per city

  __host__ __device__ SortedLayout(int nodes, int places)
      : marks(align16(nodes)),
        moves(align16(4 * nodes)),
        rows(align16(4 * (places + 32 > 4 * nodes ? places + 32 : 4 * nodes))) {}
  __host__ __device__ int bytes() const { return marks + moves + rows; }
  /// Where the lengths of the steps may lie after the walk.
  __host__ __device__ int lengths() const { return marks + moves; }
};

class SortedTour : public SharedTour {
 public:
  using Layout = SortedLayout;
  static constexpr int kMostDegree = 32;

  __device__ SortedTour(unsigned char* shared, SortedLayout layout, const GraphData& graph)
      : SharedTour(shared, shared + layout.marks),
        rows_(kept_shared(reinterpret_cast<std::uint32_t*>(shared + layout.marks + layout.moves))),
        nodes_(graph.nodes),
        degree_(graph.degree),
        width_(4 * row_blocks(graph.degree)),
        looks_(31 - static_cast<int>(threadIdx.x & 31u) < graph.degree) {}

  /// Draws the keys and orders the rows; all threads of the block. Threads take as many whole rows at a time as they
  /// can, four neighbours each.
  __device__ void prepare(const DeviceBatch& batch, const TrajectoryData& t, const GraphData& graph, int step,
                          int sample) const {
    const int tid = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    for (int i = tid; i < nodes_; i += threads) {
      marks_[i] = i == t.start ? 1 : 0;
    }
    const int blocks = row_blocks(degree_);
    if (blocks == 0) {
      return;
    }
    const int cities = threads / blocks;  // at a time
    const int block = tid % blocks;
    for (int first = 0; first < nodes_; first += cities) {
      const int city = first + tid / blocks;
      const bool works = city < nodes_ && tid < cities * blocks;
      const int q = city * blocks + block;
      std::uint32_t key[4] = {};  // integers in the order of the keys; 0 behind a row's end
      std::uint32_t entry[4] = {};
      if (works) {
        const Philox4 random =
            philox(static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(step),
                   static_cast<std::uint32_t>(Purpose::sample), t.stream);
        const int variable = city * degree_ + 4 * block;
        const float* theta = batch.search.theta + t.variable_offset + variable;
        const int* target = graph.targets + variable;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          if (4 * block + j < degree_) {
            key[j] = ordered(theta[j] + gumbel(random.v[j]) + 0.0f);  // −0 and +0 are one key
            entry[j] = static_cast<std::uint32_t>(4 * block + j) << 16 | static_cast<std::uint32_t>(target[j]);
          }
        }
        reinterpret_cast<uint4*>(rows_)[q] = make_uint4(key[0], key[1], key[2], key[3]);
      }
      __syncthreads();
      int rank[4] = {};
      if (works) {
        rank_keys(reinterpret_cast<const uint4*>(rows_) + city * blocks, block, blocks, key, rank);
      }
      __syncthreads();  // all keys of these rows have been read
      if (works) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          if (4 * block + j < degree_) {
            rows_[city * width_ + rank[j]] = entry[j];
          }
        }
      }
    }
  }

  /// The last lane looks at the first of the row, so that the first unvisited one is the highest bit of a ballot.
  __device__ Move best(int here) const {
    const std::uint32_t entry = rows_[here * width_ + 31 - static_cast<int>(threadIdx.x & 31u)];
    __syncwarp();  // marks of the step before
    const unsigned open = __ballot_sync(kFullWarp, looks_ && marks_[entry & 0xFFFFu] == 0);
    const int lane = 31 - __clz(static_cast<int>(open));
    const std::uint32_t first = __shfl_sync(kFullWarp, entry, lane);
    return {open != 0 ? pick_of(first) : -1, city_of(first), lane};
  }

 private:
  /// How many keys of the row stand before each of block number `own`: larger ones, and equal ones of lower places.
  __device__ static void rank_keys(const uint4* row, int own, int blocks, const std::uint32_t (&key)[4],
                                   int (&rank)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < i; ++j) {
        rank[i] += key[j] == key[i] ? 1 : 0;
      }
    }
    for (int other = 0; other < blocks; ++other) {
      const uint4 four = row[other];
      const std::uint32_t equal_counts = other < own ? 1u : 0u;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const std::uint32_t bound = key[i] - equal_counts;
        rank[i] +=
            (four.x > bound ? 1 : 0) + (four.y > bound ? 1 : 0) + (four.z > bound ? 1 : 0) + (four.w > bound ? 1 : 0);
      }
    }
  }

  std::uint32_t* rows_;  ///< keys, then r and city of the neighbours, in half a word each, by falling keys
  int nodes_;
  int degree_;
  int width_;   ///< places of a row
  bool looks_;  ///< whether this lane has a neighbour in every row
};

}  // namespace moco::cuda

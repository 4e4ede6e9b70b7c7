// A tour whose keys are all drawn before the walk, by all threads of the block, into shared memory, for rows too long
// to be sorted (tsp_sorted.cuh); beside them lie the neighbour lists. A step of the walk then waits for four things
// only: its row, the marks of the row's cities, the largest key, the city it belongs to.
#pragma once

#include "moco/engine/cuda/tsp/tsp_shared_tour.cuh"

namespace moco::cuda {

/// Bytes of a prepared tour, in the order in which they lie in shared memory, for the largest trajectory of the batch.
struct PreparedLayout {
  int marks;    ///< one byte per city and one more
  int moves;    ///< one word per city
  int keys;     ///< one word per place of the rows; later two lengths per city
  int targets;  ///< two bytes per place

  __host__ __device__ PreparedLayout(int nodes, int places)
      : marks(align16(nodes + 1)),
        moves(align16(4 * nodes)),
        keys(align16(4 * (places > 4 * nodes ? places : 4 * nodes))),
        targets(align16(2 * places)) {}
  __host__ __device__ int bytes() const { return marks + moves + keys + targets; }
  /// Where the lengths of the steps may lie after the walk.
  __host__ __device__ int lengths() const { return marks + moves; }
};

/// A lane looks at `Entries` neighbours together. `Once`: these are all.
template <int Entries, bool Once>
class PreparedTour : public SharedTour {
 public:
  using Layout = PreparedLayout;

  __device__ PreparedTour(unsigned char* shared, PreparedLayout layout, const GraphData& graph)
      : SharedTour(shared, shared + layout.marks),
        keys_(kept_shared(reinterpret_cast<std::uint32_t*>(shared + layout.marks + layout.moves))),
        targets_(kept_shared(reinterpret_cast<std::uint16_t*>(shared + layout.marks + layout.moves + layout.keys))),
        nodes_(graph.nodes),
        degree_(graph.degree) {}

  /// Draws the keys; all threads of the block. A key is kept as an integer of the same order.
  __device__ void prepare(const DeviceBatch& batch, const TrajectoryData& t, const GraphData& graph, int step,
                          int sample) const {
    const int tid = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    for (int i = tid; i <= nodes_; i += threads) {
      marks_[i] = i == t.start || i == nodes_ ? 1 : 0;
    }
    const int blocks = row_blocks(degree_);
    if (blocks == 0) {
      return;
    }
    const float* theta = batch.search.theta + t.variable_offset;
    // City and block within its row advance with q: a division per block would cost as much as a logarithm.
    const int cities_on = threads / blocks;
    const int blocks_on = threads % blocks;
    int city = tid / blocks;
    int block = tid % blocks;
    for (int q = tid; q < nodes_ * blocks; q += threads) {
      const Philox4 random =
          philox(static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(step),
                 static_cast<std::uint32_t>(Purpose::sample), t.stream);
      const int variable = city * degree_ + 4 * block;
      const float* value_at = theta + variable;
      const int* target_at = graph.targets + variable;
      float value[4] = {};
      std::uint32_t target[4] = {};
      std::uint32_t key[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (j == 0 || 4 * block + j < degree_) {  // nobody looks behind a row's end
          value[j] = value_at[j];
          target[j] = static_cast<std::uint32_t>(target_at[j]);
        }
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        key[j] = ordered(value[j] + gumbel(random.v[j]) + 0.0f);  // −0 and +0 are one key
      }
      reinterpret_cast<uint4*>(keys_)[q] = make_uint4(key[0], key[1], key[2], key[3]);
      reinterpret_cast<uint2*>(targets_)[q] = make_uint2(target[0] | target[1] << 16, target[2] | target[3] << 16);
      city += cities_on;
      block += blocks_on;
      if (block >= blocks) {
        block -= blocks;
        ++city;
      }
    }
  }

  __device__ Move best(int here) const {
    const int lane = static_cast<int>(threadIdx.x & 31u);
    const int row = here * 4 * row_blocks(degree_);
    std::uint32_t top = 0;
    std::uint32_t word = ~0u;  // r and city of the lane's largest key
    for (int first = lane; first == lane || (!Once && first < degree_ + lane); first += 32 * Entries) {
      int target[Entries];
      std::uint32_t key[Entries];
#pragma unroll
      for (int j = 0; j < Entries; ++j) {
        const int r = first + 32 * j;
        target[j] = nodes_;  // no city, but marked
        key[j] = 0;
        if (r < degree_) {
          target[j] = targets_[row + r];
          key[j] = keys_[row + r];
        }
      }
      __syncwarp();  // marks of the step before
#pragma unroll
      for (int j = 0; j < Entries; ++j) {
        if (marks_[target[j]] == 0 && key[j] > top) {
          top = key[j];
          word = static_cast<std::uint32_t>(first + 32 * j) << 16 | static_cast<std::uint32_t>(target[j]);
        }
      }
    }
    const std::uint32_t largest = __reduce_max_sync(kFullWarp, top);
    const std::uint32_t first = __reduce_min_sync(kFullWarp, top == largest ? word : ~0u);
    return {pick_of(first), city_of(first), pick_of(first) & 31};
  }

 private:
  std::uint32_t* keys_;
  std::uint16_t* targets_;
  int nodes_;
  int degree_;
};

}  // namespace moco::cuda

// b tours per trajectory by the Gumbel order: from city i to the unvisited neighbour with the largest key θ_ir +
// Gumbel_ir, ties to the lower r; to the nearest unvisited city, or to the end with a penalty, when no neighbour is
// left.
//
// One thread block per tour. Where the keys [n × k] fit, all threads draw them into shared memory (every row is used
// exactly once), and order short rows by them, then one warp walks; else it draws on the way. Lengths are looked up
// (and scaled) by all threads afterwards, in the place of the keys, and added in step order in double precision, as the
// CPU does.
#include <algorithm>

#include "moco/engine/cuda/batch/launch.cuh"
#include "moco/engine/cuda/step/costs.cuh"
#include "moco/engine/cuda/tsp/tour_kernels.h"
#include "moco/engine/cuda/tsp/tsp_drawn.cuh"
#include "moco/engine/cuda/tsp/tsp_prepared.cuh"
#include "moco/engine/cuda/tsp/tsp_sorted.cuh"

namespace moco::cuda {

namespace {

constexpr int kDrawnThreads = 64;
constexpr int kMostThreads = 512;      // that draw the keys of a tour; with 1024 the walk would lack registers
constexpr long long kMostSorted = 12;  // tours on a multiprocessor, when their rows are ordered
constexpr double kPenalty = 1.4142135623730951;  // per unvisited city, in the unit square

/// Whether a trajectory takes part in this step, by whole samples.
__device__ bool samples_whole(const DeviceBatch& batch, int trajectory) {
  return batch.search.state[trajectory].active != 0 && !batch.tours.changes.have_base(trajectory);
}

/// Mean cost over the samples; for causal gradients the mean cost to go of every step. By the trajectory's last block.
__device__ void finish_trajectory(const DeviceBatch& batch, int trajectory, const TrajectoryData& t) {
  if (threadIdx.x == 0) {
    set_sampled_mean(batch, trajectory);
  }
  if (batch.search.causal) {
    average_to_go(batch, t, t.nodes);
  }
}

/// The tour that a thread block samples.
struct BlockTour {
  int trajectory;
  int sample;
  int step;
  TrajectoryData t;
  GraphData graph;

  __device__ explicit BlockTour(const DeviceBatch& batch)
      : trajectory(static_cast<int>(blockIdx.x) / batch.samples),
        sample(static_cast<int>(blockIdx.x) % batch.samples),
        step(batch.search.state[trajectory].step),
        t(batch.trajectory[trajectory]),
        graph(batch.graphs[t.graph]) {}
  /// Where the tour begins in arrays [b × n].
  __device__ long long slot(const DeviceBatch& batch) const {
    return t.node_offset * batch.samples + static_cast<long long>(sample) * graph.nodes;
  }
};

/// Lengths of the steps, the way home last; later summed up by single threads.
struct StepLengths {
  double* length;  ///< [n]
  double* scaled;  ///< [n × stride] length / cost_scale, for causal gradients
  int stride;
};

/// What step i of a tour costs: the way to the next city, the penalty, or, last of all, the way home.
template <typename Tour>
__device__ double step_length(const BlockTour& at, const Tour& tour, int i, int city, int pick, int dead_at) {
  const GraphData& graph = at.graph;
  const int n = graph.nodes;
  if (pick >= 0) {
    return graph.length[static_cast<long long>(city) * graph.degree + pick];
  }
  if (dead_at == n) {
    return n == 1 ? 0.0 : distance(graph, city, i + 1 < n ? tour.city_after(i) : at.t.start);
  }
  return i == dead_at ? __dmul_rn(__dmul_rn(kPenalty, graph.cost_scale), static_cast<double>(n - 1 - i)) : 0.0;
}

/// Writes the tour and the lengths of its steps; all threads.
template <typename Tour>
__device__ void write_tour(const DeviceBatch& batch, const BlockTour& at, const Tour& tour, const StepLengths& lengths,
                           int dead_at, int closing) {
  const int n = at.graph.nodes;
  int* items = batch.search.items + at.slot(batch);
  int* variables = batch.search.variables + at.slot(batch);
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) {
    const int city = i == 0 ? at.t.start : tour.city_after(i - 1);
    const int pick = i + 1 < n ? tour.pick_at(i) : -1;
    const double length = step_length(at, tour, i, city, pick, dead_at);
    lengths.length[i] = length;
    if (batch.search.causal) {
      lengths.scaled[static_cast<long long>(i) * lengths.stride] = __ddiv_rn(length, at.graph.cost_scale);
    }
    const long long entry = (at.t.node_offset + city) * batch.samples + at.sample;
    batch.search.left_at[entry] = i;
    batch.tours.choice[entry] = pick;
    items[i] = city;
    variables[i] = pick >= 0 ? city * at.graph.degree + pick : i + 1 < n ? -1 : closing;
  }
}

/// Cost of the tour; one thread.
__device__ void add_cost(const DeviceBatch& batch, const BlockTour& at, const StepLengths& lengths) {
  double cost = 0.0;
  in_order<16>(
      at.graph.nodes, [&](int i) { return lengths.length[i]; }, [&](int, double length) { cost += length; });
  const long long entry = static_cast<long long>(at.trajectory) * batch.samples + at.sample;
  batch.search.costs[entry] = cost;
  batch.search.lengths[entry] = at.graph.nodes;
}

/// Costs to go of all steps, by one warp: every lane adds up a stretch of them, from the end.
__device__ void add_to_go(const DeviceBatch& batch, const BlockTour& at, const StepLengths& lengths) {
  const int n = at.graph.nodes;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int each = (n + 31) / 32;
  const int first = min(lane * each, n);
  const int end = min(first + each, n);
  const int answers = n >= 2 ? n - 2 : 0;  // the last choice answers for the way home
  const auto scaled = [&](int i) { return lengths.scaled[static_cast<long long>(i) * lengths.stride]; };
  const double home = scaled(n - 1);
  const auto own = [&](int i) { return (i == n - 1 ? 0.0 : scaled(i)) + (i == answers ? home : 0.0); };
  double sum = 0.0;
  in_order<4>(
      end - first, [&](int back) { return own(end - 1 - back); }, [&](int, double x) { sum += x; });
  double to_go = __shfl_down_sync(kFullWarp, sum_after(sum), 1);  // of the stretches after this one
  to_go = lane < 31 ? to_go : 0.0;
  double* out = batch.search.to_go + at.t.node_offset * batch.samples + at.sample;
  in_order<4>(
      end - first, [&](int back) { return own(end - 1 - back); },
      [&](int back, double x) {
        to_go += x;
        out[static_cast<long long>(end - 1 - back) * batch.samples] = to_go;
      });
}

/// Walks the prepared tour and leaves everything that is known of it; all threads.
template <typename Tour>
__device__ void sample_tour(const DeviceBatch& batch, const BlockTour& at, const Tour& tour,
                            const StepLengths& lengths) {
  __shared__ int dead_shared;
  __shared__ int closing_shared;
  const int n = at.graph.nodes;
  const int tid = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (tid < 32) {
    const int dead_at = walk(tour, batch.graphs[at.t.graph], at.t.start, batch.tours.penalty);
    __syncwarp();
    const int last = n > 1 ? tour.city_after(n - 2) : at.t.start;
    const int closing = dead_at < n ? -1 : closing_variable(at.graph, last, at.t.start);
    if (tid == 0) {
      dead_shared = dead_at;
      closing_shared = closing;
    }
  }
  __syncthreads();
  write_tour(batch, at, tour, lengths, dead_shared, closing_shared);
  __syncthreads();
  if (tid == 0) {
    add_cost(batch, at, lengths);
  }
  if (batch.search.causal && tid / 32 == static_cast<int>(blockDim.x) / 32 - 1) {
    add_to_go(batch, at, lengths);
  }
  if (last_to_arrive(batch.search.arrivals + at.trajectory * kArrivals + kArriveSample, batch.samples)) {
    finish_trajectory(batch, at.trajectory, at.t);
  }
}

template <typename Tour>
__global__ void __launch_bounds__(kMostThreads)
    tsp_prepared_kernel(const __grid_constant__ DeviceBatch batch,
                        const __grid_constant__ typename Tour::Layout layout) {
  extern __shared__ __align__(16) unsigned char raw[];
  if (!samples_whole(batch, static_cast<int>(blockIdx.x) / batch.samples)) {
    return;
  }
  const BlockTour at(batch);
  const Tour tour(raw, layout, at.graph);
  tour.prepare(batch, at.t, at.graph, at.step, at.sample);
  auto* length = reinterpret_cast<double*>(raw + layout.lengths());
  sample_tour(batch, at, tour, {length, length + at.graph.nodes, 1});
}

template <bool MarksShared>
__global__ void __launch_bounds__(kDrawnThreads, 12) tsp_drawn_kernel(const __grid_constant__ DeviceBatch batch) {
  extern __shared__ __align__(16) unsigned char raw[];
  if (!samples_whole(batch, static_cast<int>(blockIdx.x) / batch.samples)) {
    return;
  }
  const BlockTour at(batch);
  const long long slot = at.slot(batch);
  const DrawnTour tour(batch, at.t, at.graph, at.step, at.sample, MarksShared ? raw : batch.tours.visited + slot);
  tour.prepare();
  // The costs to go will replace the scaled lengths.
  double* scaled = batch.search.to_go + at.t.node_offset * batch.samples + at.sample;
  sample_tour(batch, at, tour, {batch.search.prefix + slot, scaled, batch.samples});
}

constexpr long long kSharedLimit = 220 * 1024;

/// Threads that draw the keys of a tour: as many as leave registers to all tours of a multiprocessor, but none without
/// work.
int prepared_threads(int places, long long tours_together) {
  constexpr long long kTogether = 640;  // threads of 96 registers
  int threads = kMostThreads;
  while (threads > 64 && (threads * tours_together > kTogether || threads / 2 >= places / 4)) {
    threads /= 2;
  }
  return threads;
}

}  // namespace

TourSamplerShape tsp_sampler_shape(int max_nodes, int max_variables, int max_degree, long long samples) {
  TourSamplerShape shape;
  shape.max_nodes = max_nodes;
  shape.max_degree = max_degree;
  const long long places =
      std::min(4LL * row_blocks(max_degree) * max_nodes, static_cast<long long>(max_variables) + 3LL * max_nodes);
  // Drawing on the way takes longer, but any number of tours can do it at the same time. Shared memory holds few tours
  // with large rows: these are worth it for the first two rounds.
  if (6 * places + 5LL * max_nodes <= kSharedLimit) {
    shape.places = static_cast<int>(places);
    const long long tours = (samples + kMultiprocessors - 1) / kMultiprocessors;
    const auto fitting = [](int bytes) { return 227LL * 1024 / (bytes + 1024); };  // on a multiprocessor
    // Ordered rows make a walk shorter, and cost more instructions than it saves where many walk at the same time.
    const int sorted_bytes = SortedLayout(max_nodes, shape.places).bytes();
    shape.sorted = max_degree <= SortedTour::kMostDegree && std::min(fitting(sorted_bytes), tours) <= kMostSorted;
    shape.shared_bytes = shape.sorted ? sorted_bytes : PreparedLayout(max_nodes, shape.places).bytes();
    const long long fit = fitting(shape.shared_bytes);
    shape.keys_shared = shape.shared_bytes <= kSharedLimit && (fit >= 4 || tours <= 2 * fit);
    shape.threads = prepared_threads(shape.places, std::min(tours, fit));
  }
  shape.visited_shared = shape.keys_shared || max_nodes <= kSharedLimit;
  if (!shape.keys_shared) {
    shape.threads = kDrawnThreads;
    shape.shared_bytes = shape.visited_shared ? align16(max_nodes) : 0;
  }
  return shape;
}

void tsp_sample(const DeviceBatch& batch, const TourSamplerShape& shape, cudaStream_t stream) {
  // Not before the kernel in front has ended: the tours would gather where it left place first, and take longer.
  const auto run = [&](auto kernel, const auto&... layout) {
    allow_shared(reinterpret_cast<const void*>(kernel), shape.shared_bytes);
    kernel<<<batch.trajectories * batch.samples, shape.threads, shape.shared_bytes, stream>>>(batch, layout...);
    MOCO_CUDA_CHECK(cudaGetLastError());
  };
  const PreparedLayout layout(shape.max_nodes, shape.places);
  if (shape.keys_shared && shape.sorted) {
    run(tsp_prepared_kernel<SortedTour>, SortedLayout(shape.max_nodes, shape.places));
  } else if (shape.keys_shared && shape.max_degree <= 32) {
    run(tsp_prepared_kernel<PreparedTour<1, true>>, layout);
  } else if (shape.keys_shared && shape.max_degree <= 64) {
    run(tsp_prepared_kernel<PreparedTour<2, true>>, layout);
  } else if (shape.keys_shared) {
    run(tsp_prepared_kernel<PreparedTour<4, false>>, layout);
  } else if (shape.visited_shared) {
    run(tsp_drawn_kernel<true>);
  } else {
    run(tsp_drawn_kernel<false>);
  }
}

}  // namespace moco::cuda

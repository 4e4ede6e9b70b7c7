// b tours per trajectory by the Gumbel order: from city i to the unvisited neighbour with the largest key θ_ir +
// Gumbel_ir, ties to the lower r; to the nearest unvisited city, or to the end with a penalty, when no neighbour is
// left.
//
// One thread block per tour. Where the keys [n × k] fit, all threads draw them into shared memory (every row is used
// exactly once), then one warp walks; else it draws on the way. Lengths are looked up (and scaled) by all threads
// afterwards, in the place of the keys, and added in step order in double precision, as the CPU does.
#include <algorithm>

#include "moco/engine/cuda/costs.cuh"
#include "moco/engine/cuda/launch.cuh"
#include "moco/engine/cuda/step_kernels.h"
#include "moco/engine/cuda/tsp_drawn.cuh"
#include "moco/engine/cuda/tsp_prepared.cuh"

namespace moco::cuda {

namespace {

constexpr int kDrawnThreads = 64;
constexpr int kMostThreads = 512;  // that draw the keys of a tour; with 1024 the walk would lack registers
constexpr double kPenalty = 1.4142135623730951;  // per unvisited city, in the unit square

/// Mean cost over the samples; for causal gradients the mean cost to go of every step. By the trajectory's last block.
__device__ void finish_trajectory(const DeviceBatch& batch, int trajectory, const TrajectoryData& t) {
  if (threadIdx.x == 0) {
    set_sampled_mean(batch, trajectory);
  }
  if (batch.causal) {
    average_to_go(batch, t);
  }
}

/// The tour that a thread block samples.
struct Place {
  int trajectory;
  int sample;
  int step;
  TrajectoryData t;
  GraphData graph;

  __device__ explicit Place(const DeviceBatch& batch)
      : trajectory(static_cast<int>(blockIdx.x) / batch.samples),
        sample(static_cast<int>(blockIdx.x) % batch.samples),
        step(batch.state[trajectory].step),
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
__device__ double step_length(const Place& at, const Tour& tour, int i, int city, int pick, int dead_at) {
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
__device__ void write_tour(const DeviceBatch& batch, const Place& at, const Tour& tour, const StepLengths& lengths,
                           int dead_at, int closing) {
  const int n = at.graph.nodes;
  int* items = batch.items + at.slot(batch);
  int* variables = batch.variables + at.slot(batch);
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) {
    const int city = i == 0 ? at.t.start : tour.city_after(i - 1);
    const int pick = i + 1 < n ? tour.pick_at(i) : -1;
    const double length = step_length(at, tour, i, city, pick, dead_at);
    lengths.length[i] = length;
    if (batch.causal) {
      lengths.scaled[static_cast<long long>(i) * lengths.stride] = __ddiv_rn(length, at.graph.cost_scale);
    }
    const long long entry = (at.t.node_offset + city) * batch.samples + at.sample;
    batch.left_at[entry] = i;
    batch.choice[entry] = pick;
    items[i] = city;
    variables[i] = pick >= 0 ? city * at.graph.degree + pick : i + 1 < n ? -1 : closing;
  }
}

/// Cost of the tour; one thread.
__device__ void add_cost(const DeviceBatch& batch, const Place& at, const StepLengths& lengths) {
  double cost = 0.0;
  in_order<8>(
      at.graph.nodes, [&](int i) { return lengths.length[i]; }, [&](int, double length) { cost += length; });
  const long long entry = static_cast<long long>(at.trajectory) * batch.samples + at.sample;
  batch.costs[entry] = cost;
  batch.lengths[entry] = at.graph.nodes;
}

/// Costs to go of all steps; one thread.
__device__ void add_to_go(const DeviceBatch& batch, const Place& at, const StepLengths& lengths) {
  const int n = at.graph.nodes;
  const int answers = n >= 2 ? n - 2 : 0;  // the last choice answers for the way home
  const double home = lengths.scaled[static_cast<long long>(n - 1) * lengths.stride];
  double* out = batch.to_go + at.t.node_offset * batch.samples + at.sample;
  double to_go = 0.0;
  in_order<8>(
      n,
      [&](int back) { return back == 0 ? 0.0 : lengths.scaled[static_cast<long long>(n - 1 - back) * lengths.stride]; },
      [&](int back, double own) {
        const int i = n - 1 - back;
        to_go += i == answers ? __dadd_rn(own, home) : own;
        out[static_cast<long long>(i) * batch.samples] = to_go;
      });
}

/// Walks the prepared tour and leaves everything that is known of it; all threads.
template <typename Tour>
__device__ void sample_tour(const DeviceBatch& batch, const Place& at, const Tour& tour, const StepLengths& lengths) {
  __shared__ int dead_shared;
  __shared__ int closing_shared;
  const int n = at.graph.nodes;
  const int tid = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (tid < 32) {
    const int dead_at = walk(tour, batch.graphs[at.t.graph], at.t.start, batch.penalty);
    __syncwarp();
    const int last = n > 1 ? tour.city_after(n - 2) : at.t.start;
    const int closing = dead_at < n ? -1 : closing_variable(tour, at.graph.degree, last, at.t.start);
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
  if (batch.causal && tid == static_cast<int>(blockDim.x) - 1) {
    add_to_go(batch, at, lengths);
  }
  if (last_to_arrive(batch.arrivals + at.trajectory * kArrivals + kArriveSample, batch.samples)) {
    finish_trajectory(batch, at.trajectory, at.t);
  }
}

template <int Entries, bool Once>
__global__ void __launch_bounds__(kMostThreads)
    tsp_prepared_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ PreparedLayout layout) {
  extern __shared__ __align__(16) unsigned char raw[];
  if (!wait_for_previous(batch, static_cast<int>(blockIdx.x) / batch.samples)) {
    return;
  }
  const Place at(batch);
  const PreparedTour<Entries, Once> tour(raw, layout, at.graph);
  tour.prepare(batch, at.t, at.graph, at.step, at.sample);
  auto* length = reinterpret_cast<double*>(raw + layout.marks + layout.moves);
  sample_tour(batch, at, tour, {length, length + at.graph.nodes, 1});
}

template <bool MarksShared>
__global__ void __launch_bounds__(kDrawnThreads, 12) tsp_drawn_kernel(const __grid_constant__ DeviceBatch batch) {
  extern __shared__ __align__(16) unsigned char raw[];
  if (!wait_for_previous(batch, static_cast<int>(blockIdx.x) / batch.samples)) {
    return;
  }
  const Place at(batch);
  const long long slot = at.slot(batch);
  const DrawnTour tour(batch, at.t, at.graph, at.step, at.sample, MarksShared ? raw : batch.spill_visited + slot);
  tour.prepare();
  // The costs to go will replace the scaled lengths.
  double* scaled = batch.to_go + at.t.node_offset * batch.samples + at.sample;
  sample_tour(batch, at, tour, {batch.prefix + slot, scaled, batch.samples});
}

constexpr long long kSharedLimit = 220 * 1024;

/// Threads that draw the keys of a tour: about 1024 on every multiprocessor, but none without work.
int prepared_threads(int places, long long tours_together) {
  int threads = kMostThreads;
  while (threads > 64 && (threads * tours_together > 1024 || threads / 2 >= places / 4)) {
    threads /= 2;
  }
  return threads;
}

}  // namespace

SamplerShape tsp_sampler_shape(int max_nodes, int max_variables, int max_degree, long long samples) {
  SamplerShape shape;
  shape.max_nodes = max_nodes;
  shape.max_degree = max_degree;
  const long long places =
      std::min(4LL * row_blocks(max_degree) * max_nodes, static_cast<long long>(max_variables) + 3LL * max_nodes);
  // Drawing on the way takes longer, but any number of tours can do it at the same time. Shared memory holds few tours
  // with large rows: these are worth it for the first two rounds.
  if (6 * places + 5LL * max_nodes <= kSharedLimit) {
    shape.places = static_cast<int>(places);
    shape.shared_bytes = PreparedLayout(max_nodes, shape.places).bytes();
    const long long resident = 227 * 1024 / (shape.shared_bytes + 1024);
    const long long tours = (samples + kMultiprocessors - 1) / kMultiprocessors;
    shape.keys_shared = shape.shared_bytes <= kSharedLimit && (resident >= 4 || tours <= 2 * resident);
    shape.threads = prepared_threads(shape.places, std::min(tours, resident));
  }
  shape.visited_shared = shape.keys_shared || max_nodes <= kSharedLimit;
  if (!shape.keys_shared) {
    shape.threads = kDrawnThreads;
    shape.shared_bytes = shape.visited_shared ? align16(max_nodes) : 0;
  }
  return shape;
}

void tsp_sample(const DeviceBatch& batch, const SamplerShape& shape, cudaStream_t stream) {
  const auto run = [&](auto kernel, const auto&... layout) {
    launch(kernel, batch.trajectories * batch.samples, shape.threads, shape.shared_bytes, stream, batch, layout...);
  };
  const PreparedLayout layout(shape.max_nodes, shape.places);
  if (shape.keys_shared && shape.max_degree <= 32) {
    run(tsp_prepared_kernel<1, true>, layout);
  } else if (shape.keys_shared && shape.max_degree <= 64) {
    run(tsp_prepared_kernel<2, true>, layout);
  } else if (shape.keys_shared) {
    run(tsp_prepared_kernel<4, false>, layout);
  } else if (shape.visited_shared) {
    run(tsp_drawn_kernel<true>);
  } else {
    run(tsp_drawn_kernel<false>);
  }
}

}  // namespace moco::cuda

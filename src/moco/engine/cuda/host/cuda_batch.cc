// Host side of a batch. Kernels are enqueued and the host goes on; only questions about results wait.
#include "moco/engine/cuda/host/cuda_batch.h"

#include <algorithm>
#include <cstring>

#include "moco/engine/cuda/host/device_family.h"
#include "moco/engine/features.h"
#include "moco/engine/solution_identity.h"
#include "moco/policy/construction.h"
#include "moco/problem.h"

namespace moco::cuda {

namespace {

constexpr int kRunsBeforeCapture = 4;  // they keep the device busy while a graph is made

template <typename T>
void clear(T* pointer, std::size_t count, cudaStream_t stream) {
  if (count > 0) {
    MOCO_CUDA_CHECK(cudaMemsetAsync(const_cast<void*>(static_cast<const void*>(pointer)), 0, count, stream));
  }
}

/// Whether the fused network takes less time than pass by pass, when so many trajectories run at once: measured for
/// TSP100 and TSP200.
bool fused_pays(const BatchPlan& plan, int at_once) {
  return plan.batch.trajectories <= at_once;
}

}  // namespace

BatchPlan plan_on_device(const BatchSpec& spec, CudaOptions options) {
  const DeviceScope scope(options.device);
  if (device_family(spec.config.family) == DeviceFamily::sets) {
    options.clusters = std::min(options.clusters, fused_gcn_clusters(options.precision == CudaPrecision::bf16));
  }
  BatchPlan plan(spec, options);
  if (plan.network.fused.cluster == 0) {
    return plan;
  }
  const int at_once = fused_networks_at_once(plan.network.fused);
  if (at_once > 0 && (options.fused == FusedUse::always || fused_pays(plan, at_once))) {
    return plan;
  }
  options.fused = FusedUse::never;
  return {spec, options};
}

DeviceSideBatch::DeviceSideBatch(BatchSpec spec, std::shared_ptr<const BaseWeights> bases, const CudaOptions& options,
                                 std::shared_ptr<DeviceContext> context, bool alone)
    : spec_(std::move(spec)),
      bases_(std::move(bases)),
      context_(std::move(context)),
      plan_(plan_on_device(spec_, options)),
      kernels_(spec_, plan_, context_->stream()),
      active_(spec_.trajectories.size(), true),
      last_status_(spec_.trajectories.size()) {
  const DeviceScope scope(context_->device());
  const cudaStream_t stream = context_->stream();
  memory_ = std::make_unique<DeviceBuffer>(plan_.assign(nullptr), stream);
  plan_.assign(memory_->data());
  plan_.batch.alone = alone;
  constants_ = std::make_unique<BatchUpload>(spec_, *bases_, plan_, *context_);
  bases_->let_wait(stream);
  DeviceBatch& batch = plan_.batch;
  clear(plan_.zero_once.data, plan_.zero_once.bytes, stream);
  if (batch.bits != nullptr) {
    mis_bits(batch, static_cast<int>(spec_.graphs.size()), stream);
  }
  if (batch.near != nullptr) {
    near_lists(batch, static_cast<int>(spec_.graphs.size()), plan_.largest_graph, stream);
  }
  if (batch.learned) {
    pack_weights(constants_->weight_sources(), plan_.weight_sets, constants_->pack_entries(),
                 static_cast<int>(plan_.weights.entries.size()), plan_.network.bf16, const_cast<void*>(batch.matrices),
                 batch.matrix_stride, const_cast<float*>(batch.vectors), batch.vector_stride, stream);
    if (batch.is_tsp) {
      for (const NetworkOffsets& net : {plan_.weights.init, plan_.weights.update}) {
        project_embeddings(batch, net, plan_.weight_sets, plan_.network.bf16, !plan_.network.one_kernel(), stream);
      }
    }
  }
}

DeviceSideBatch::~DeviceSideBatch() {
  cudaStreamSynchronize(context_->stream());
}

/// In stream order; ordinary host memory is read before this returns.
template <typename T>
void DeviceSideBatch::upload(T* device, const T* host, std::size_t count) {
  if (count > 0) {
    MOCO_CUDA_CHECK(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, context_->stream()));
  }
}

/// Empty pools, or pools of the warm starts; their items go to the device here.
std::vector<TrajectoryState> DeviceSideBatch::initial_states() {
  std::vector<TrajectoryState> states(spec_.trajectories.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    TrajectoryState& state = states[i];
    std::memset(&state, 0, sizeof state);
    state.active = active_[i] ? 1 : 0;
    const Trajectory& given = spec_.trajectories[i];
    if (given.warm_start == nullptr) {
      continue;
    }
    const DecisionGraph& graph = *spec_.graphs[given.graph];
    const auto construction = graph.instance->problem().construction(graph, spec_.loop.problem);
    SampleSet set;
    set.reshape(1, construction->stride(), graph.nodes, false);
    construction->encode(*given.warm_start, given.start, 0, set);
    const auto length = static_cast<std::size_t>(set.lengths[0]);
    state.pool_size = 1;
    state.pool_cost[0] = set.costs[0];
    state.pool_length[0] = set.lengths[0];
    state.pool_hash[0] = plan_.batch.pool != PoolRule::paper
                             ? solution_hash(set.items.data(), set.variables.data(), set.lengths[0], graph.reversible)
                             : 0;
    const long long base = plan_.trajectories[i].node_offset * kPoolSize;
    upload(plan_.batch.pool_items + base, set.items.data(), length);
    upload(plan_.batch.pool_variables + base, set.variables.data(), length);
  }
  return states;
}

void DeviceSideBatch::begin() {
  const DeviceScope scope(context_->device());
  const cudaStream_t stream = context_->stream();
  const DeviceBatch& batch = plan_.batch;
  steps_ = 0;
  steps_waiting_ = 0;
  update_waits_ = false;
  const std::vector<TrajectoryState> states = initial_states();
  for (std::size_t i = 0; i < states.size(); ++i) {
    last_status_[i] = {states[i].pool_size > 0 ? states[i].pool_cost[0] : 0.0, 0.0, 0.0};
  }
  upload(batch.state, states.data(), states.size());
  clear(plan_.zero_at_begin.data, plan_.zero_at_begin.bytes, stream);
  kernels_.init();
}

/// In one graph: between two of them the device waits, which matters where steps are short.
int DeviceSideBatch::steps_together() const {
  return plan_.network.one_kernel() ? 4 : 1;
}

/// Updates and samples so many times.
void DeviceSideBatch::enqueue_steps(int count) {
  for (int i = 0; i < count; ++i) {
    kernels_.update();
    kernels_.sample();
  }
}

void DeviceSideBatch::run(Phase& phase, const std::function<void()>& enqueue) {
  if (plan_.batch.trajectories == 0) {
    return;
  }
  const DeviceScope scope(context_->device());
  if (++phase.runs <= phase.before_capture) {
    enqueue();
    return;
  }
  if (phase.graph.empty()) {
    phase.graph.capture(context_->stream(), enqueue);
  }
  phase.graph.launch(context_->stream());
}

void DeviceSideBatch::update() {
  if (update_waits_) {
    start_waiting();
  }
  update_waits_ = true;
}

void DeviceSideBatch::sample() {
  ++steps_;
  if (!update_waits_) {
    start_waiting();
    run(sample_phase_, [&] { kernels_.sample(); });
    return;
  }
  update_waits_ = false;
  ++steps_waiting_;
  if (step_phase_.runs < kRunsBeforeCapture) {
    start_waiting();
  } else if (steps_waiting_ == steps_together()) {
    run(steps_phase_, [&] { enqueue_steps(steps_together()); });
    steps_waiting_ = 0;
  }
}

/// Starts whatever has been asked for.
void DeviceSideBatch::start_waiting() {
  for (; steps_waiting_ > 0; --steps_waiting_) {
    run(step_phase_, [&] { enqueue_steps(1); });
  }
  if (update_waits_) {
    run(update_phase_, [&] { kernels_.update(); });
    update_waits_ = false;
  }
}

std::vector<std::vector<TrajectoryStatus>> DeviceSideBatch::advance(int steps) {
  std::vector<std::vector<TrajectoryStatus>> all;
  all.reserve(static_cast<std::size_t>(steps));
  while (steps > 0) {
    const int count = std::min(steps, kStatusRing);
    for (int i = 0; i < count; ++i) {
      update();
      sample();
    }
    last_steps(count, all);
    steps -= count;
  }
  return all;
}

void DeviceSideBatch::last_steps(int count, std::vector<std::vector<TrajectoryStatus>>& out) {
  start_waiting();
  read_ring(steps_ - count, count, out);
}

/// Appends the status of steps first_step … first_step + count − 1 (from 0); waits for them.
void DeviceSideBatch::read_ring(int first_step, int count, std::vector<std::vector<TrajectoryStatus>>& out) {
  const DeviceScope scope(context_->device());
  const std::size_t width = spec_.trajectories.size();
  const std::size_t bytes = width * sizeof(StatusEntry);
  auto* ring = reinterpret_cast<StatusEntry*>(context_->staging(bytes * kStatusRing));
  for (int i = 0; i < count; ++i) {
    const auto slot = static_cast<std::size_t>((first_step + i) % kStatusRing) * width;
    if (bytes > 0 && (i == 0 || slot == 0)) {  // consecutive slots travel together
      const auto together = static_cast<std::size_t>(std::min(count - i, kStatusRing - (first_step + i) % kStatusRing));
      MOCO_CUDA_CHECK(cudaMemcpyAsync(ring + slot, plan_.batch.ring + slot, bytes * together, cudaMemcpyDeviceToHost,
                                      context_->stream()));
    }
  }
  context_->wait();
  for (int i = 0; i < count; ++i) {
    const StatusEntry* entries = ring + static_cast<std::size_t>((first_step + i) % kStatusRing) * width;
    for (std::size_t t = 0; t < width; ++t) {
      if (active_[t]) {
        last_status_[t] = {entries[t].best_cost, entries[t].pool_cost, entries[t].mean_cost, entries[t].entropy};
      }
    }
    out.push_back(last_status_);
  }
}

std::vector<TrajectoryStatus> DeviceSideBatch::status() {
  start_waiting();
  if (steps_ == 0) {
    return last_status_;
  }
  std::vector<std::vector<TrajectoryStatus>> last;
  read_ring(steps_ - 1, 1, last);
  return last.back();
}

template <typename T>
std::vector<T> DeviceSideBatch::fetch(const T* device, std::size_t count) const {
  std::vector<T> values(count);
  if (count > 0) {
    const DeviceScope scope(context_->device());
    context_->wait();
    MOCO_CUDA_CHECK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  }
  return values;
}

TrajectoryState DeviceSideBatch::state(std::size_t trajectory) const {
  return fetch(plan_.batch.state + trajectory, 1).front();
}

Solution DeviceSideBatch::best_solution(std::size_t trajectory) {
  start_waiting();
  const TrajectoryState best = state(trajectory);
  const TrajectoryData& t = plan_.trajectories[trajectory];
  const int slot = best.pool_slot[0];
  const std::vector<Index> items =
      fetch(plan_.batch.pool_items + t.node_offset * kPoolSize + static_cast<long long>(slot) * t.nodes,
            static_cast<std::size_t>(best.pool_length[slot]));
  const DecisionGraph& graph = *spec_.graphs[spec_.trajectories[trajectory].graph];
  const auto construction = graph.instance->problem().construction(graph, spec_.loop.problem);
  return construction->decode(items.data(), static_cast<Index>(items.size()));
}

std::vector<float> DeviceSideBatch::theta(std::size_t trajectory) {
  start_waiting();
  const TrajectoryData& t = plan_.trajectories[trajectory];
  return fetch(plan_.batch.theta + t.variable_offset, static_cast<std::size_t>(t.variables));
}

void DeviceSideBatch::set_theta(std::size_t trajectory, std::span<const float> theta) {
  start_waiting();
  const DeviceScope scope(context_->device());
  const TrajectoryData& t = plan_.trajectories[trajectory];
  upload(plan_.batch.theta + t.variable_offset, theta.data(), theta.size());
}

void DeviceSideBatch::set_features(std::span<const float> rows, std::span<const float> global) {
  const DeviceScope scope(context_->device());
  given_ = std::make_unique<DeviceBuffer>(rows.size_bytes() + global.size_bytes(), context_->stream());
  auto* device = reinterpret_cast<float*>(given_->data());
  upload(device, rows.data(), rows.size());
  upload(device + rows.size(), global.data(), global.size());
  plan_.batch.given_rows = device;
  plan_.batch.given_global = device + rows.size();
}

TrajectorySnapshot DeviceSideBatch::snapshot(std::size_t trajectory) {
  start_waiting();
  const DeviceBatch& batch = plan_.batch;
  const TrajectoryData& t = plan_.trajectories[trajectory];
  const auto variables = static_cast<std::size_t>(t.variables);
  const auto samples = static_cast<std::size_t>(batch.samples);
  const auto nodes = static_cast<std::size_t>(t.nodes);
  const TrajectoryState now = state(trajectory);
  TrajectorySnapshot snapshot;
  snapshot.theta = theta(trajectory);
  snapshot.gradient = fetch(batch.gradient + t.variable_offset, variables);
  for (long long m = 0; m < kMomenta; ++m) {
    const std::vector<float> momentum = fetch(batch.momenta + m * batch.total_variables + t.variable_offset, variables);
    snapshot.momenta.insert(snapshot.momenta.end(), momentum.begin(), momentum.end());
  }
  snapshot.membership = fetch(batch.membership + t.variable_offset, variables);
  snapshot.pool_costs.assign(now.pool_cost, now.pool_cost + now.pool_size);
  snapshot.global_features.resize(kGlobalFeatures);
  global_features(now.pool_cost, now.pool_size, now.previous_best, now.step - 1, batch.steps,
                  snapshot.global_features.data());
  if (spec_.keep_samples && steps_ > 0) {
    snapshot.sample_costs = fetch(batch.found_costs + trajectory * samples, samples);
    const std::vector<int> lengths = fetch(batch.found_lengths + trajectory * samples, samples);
    const std::vector<int> items = fetch(batch.found_items + t.node_offset * batch.samples, samples * nodes);
    for (std::size_t s = 0; s < samples; ++s) {
      const auto first = items.begin() + static_cast<std::ptrdiff_t>(s * nodes);
      snapshot.samples.emplace_back(first, first + lengths[s]);
    }
  }
  return snapshot;
}

void DeviceSideBatch::retire(std::size_t trajectory) {
  if (!active_[trajectory]) {
    return;
  }
  start_waiting();
  const DeviceScope scope(context_->device());
  active_[trajectory] = false;
  clear(&plan_.batch.state[trajectory].active, sizeof(int), context_->stream());
}

void DeviceSideBatch::wait() {
  start_waiting();
  context_->wait();
}

std::vector<std::pair<std::string, float>> DeviceSideBatch::profile() {
  wait();
  const DeviceScope scope(context_->device());
  std::vector<std::pair<std::string, float>> times;
  kernels_.record_times(&times);
  enqueue_steps(1);
  kernels_.record_times(nullptr);
  ++steps_;
  return times;
}

}  // namespace moco::cuda

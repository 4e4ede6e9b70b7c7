// Whatever is asked, steps that wait are started first.
#include "moco/engine/cuda/host/batch_part.h"

#include <algorithm>

#include "moco/engine/cuda/host/elites.h"
#include "moco/engine/cuda/kit/transfers.h"
#include "moco/engine/cuda/step/step_kernels.h"
#include "moco/engine/features.h"

namespace moco::cuda {

namespace {

constexpr int kStepsApart = 4;  // they keep the device busy while a graph is made

}  // namespace

BatchPart::BatchPart(PlannedPart planned, std::shared_ptr<const BaseWeights> bases,
                     std::shared_ptr<DeviceContext> context)
    : planned_(std::move(planned)),
      bases_(std::move(bases)),
      context_(std::move(context)),
      runner_(planned_.plan, batch_, planned_.spec.track_entropy, *context_),
      steps_(runner_, planned_.plan.step().steps_together(), kStepsApart),
      budget_(told_budget(planned_.spec.loop)),
      active_(planned_.spec.trajectories.size(), true),
      last_status_(planned_.spec.trajectories.size()) {
  const DeviceScope scope(context_->device());
  lasting_memory_ = std::make_unique<DeviceBuffer>(planned_.plan.lasting().bytes(), context_->stream());
  clear(*context_, set_up());
}

Region BatchPart::set_up() {
  const BatchPlan& plan = planned_.plan;
  update_memory_ = std::make_unique<DeviceBuffer>(plan.of_update().bytes(), context_->stream());
  Arena lasting(lasting_memory_->data(), plan.lasting());
  Arena of_update(update_memory_->data(), plan.of_update());
  batch_ = plan.place(lasting, of_update);
  cleared_at_begin_ = {lasting.region(Cleared::at_begin), of_update.region(Cleared::at_begin)};
  constants_ = std::make_unique<Constants>(planned_.spec, plan, *bases_, batch_, *context_);
  bases_->let_wait(context_->stream());
  clear(*context_, of_update.region(Cleared::once));
  plan.step().prepare(batch_, constants_->weights(), context_->stream());
  return lasting.region(Cleared::once);
}

void BatchPart::set_model(PlannedPart planned, std::shared_ptr<const BaseWeights> bases) {
  wait();
  const DeviceScope scope(context_->device());
  planned_ = std::move(planned);
  bases_ = std::move(bases);
  runner_.forget();
  steps_.set_together(planned_.plan.step().steps_together());
  set_up();
  clear(*context_, cleared_at_begin_[1]);  // as if the update had begun
  runner_.run_take_over();
}

BatchPart::~BatchPart() {
  cudaStreamSynchronize(context_->stream());
}

void BatchPart::begin() {
  const DeviceScope scope(context_->device());
  steps_.begin();
  std::vector<SearchState> states = first_states(planned_.spec, planned_.plan.layout(), batch_, *context_);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].active = active_[i] ? 1 : 0;
    last_status_[i] = {states[i].elite_size > 0 ? states[i].elite_cost[0] : 0.0, 0.0, 0.0};
  }
  send(*context_, batch_.search.state, states.data(), states.size());
  send(*context_, batch_.search.budget, &budget_, 1);
  for (const Region& region : cleared_at_begin_) {
    clear(*context_, region);
  }
  runner_.run_begin();
}

void BatchPart::sample() {
  steps_.sample();
}

void BatchPart::update() {
  steps_.update();
}

void BatchPart::set_budget(int steps) {
  steps_.start();
  budget_ = steps;
  const DeviceScope scope(context_->device());
  send(*context_, batch_.search.budget, &budget_, 1);
}

std::vector<std::vector<TrajectoryStatus>> BatchPart::last_steps(int count) {
  steps_.start();
  return read_ring(steps_.sampled() - count, count);
}

/// The status of steps first_step … first_step + count − 1 (from 0); waits for them.
std::vector<std::vector<TrajectoryStatus>> BatchPart::read_ring(int first_step, int count) {
  const DeviceScope scope(context_->device());
  const std::size_t width = active_.size();
  const std::size_t bytes = width * sizeof(StatusEntry);
  auto* ring = reinterpret_cast<StatusEntry*>(context_->staging(bytes * kStatusRing));
  for (int i = 0; i < count; ++i) {
    const auto slot = static_cast<std::size_t>((first_step + i) % kStatusRing) * width;
    if (bytes > 0 && (i == 0 || slot == 0)) {  // consecutive slots travel together
      const auto together = static_cast<std::size_t>(std::min(count - i, kStatusRing - (first_step + i) % kStatusRing));
      MOCO_CUDA_CHECK(cudaMemcpyAsync(ring + slot, batch_.search.ring + slot, bytes * together, cudaMemcpyDeviceToHost,
                                      context_->stream()));
    }
  }
  context_->wait();
  std::vector<std::vector<TrajectoryStatus>> steps;
  for (int i = 0; i < count; ++i) {
    const StatusEntry* entries = ring + static_cast<std::size_t>((first_step + i) % kStatusRing) * width;
    for (std::size_t t = 0; t < width; ++t) {
      if (active_[t]) {
        last_status_[t] = {entries[t].best_cost, entries[t].elite_cost, entries[t].mean_cost, entries[t].entropy};
      }
    }
    steps.push_back(last_status_);
  }
  return steps;
}

std::vector<TrajectoryStatus> BatchPart::status() {
  steps_.start();
  return steps_.sampled() == 0 ? last_status_ : read_ring(steps_.sampled() - 1, 1).back();
}

std::vector<Solution> BatchPart::best_solutions(std::size_t trajectory, int most) {
  steps_.start();
  return best_of_elite(planned_.spec, planned_.plan.layout(), batch_, trajectory, most, *context_);
}

std::vector<float> BatchPart::theta(std::size_t trajectory) {
  steps_.start();
  const TrajectoryData& t = planned_.plan.layout().trajectories[trajectory];
  return fetch(*context_, batch_.search.theta + t.variable_offset, static_cast<std::size_t>(t.variables));
}

std::span<float> BatchPart::theta_to_set(std::size_t trajectory, std::size_t values) {
  const TrajectoryData& t = planned_.plan.layout().trajectories[trajectory];
  require_theta_size(values, static_cast<std::size_t>(t.variables));
  steps_.start();
  return {batch_.search.theta + t.variable_offset, values};
}

void BatchPart::set_theta(std::size_t trajectory, std::span<const float> theta) {
  const std::span<float> place = theta_to_set(trajectory, theta.size());
  const DeviceScope scope(context_->device());
  send(*context_, place.data(), theta.data(), theta.size());
  bound_theta(place, context_->stream());
}

void BatchPart::set_theta_from_device(std::size_t trajectory, std::span<const float> theta) {
  const std::span<float> place = theta_to_set(trajectory, theta.size());
  const DeviceScope scope(context_->device());
  MOCO_CUDA_CHECK(
      cudaMemcpyAsync(place.data(), theta.data(), theta.size_bytes(), cudaMemcpyDeviceToDevice, context_->stream()));
  bound_theta(place, context_->stream());
  context_->wait();  // the caller may free what was copied
}

ArrayView BatchPart::array(SearchArray which, std::size_t trajectory) {
  wait();
  const SearchData& search = batch_.search;
  const TrajectoryData& t = planned_.plan.layout().trajectories[trajectory];
  const auto stride = static_cast<std::size_t>(batch_.total_variables);  // of all trajectories
  ArrayView view{.columns = static_cast<std::size_t>(t.variables),
                 .row_stride = stride,
                 .device = context_->device(),
                 .stream = reinterpret_cast<std::uintptr_t>(context_->stream())};
  switch (which) {
    case SearchArray::theta:
      view.data = search.theta + t.variable_offset;
      break;
    case SearchArray::gradient:
      view.data = search.gradient + t.variable_offset;
      break;
    case SearchArray::momenta:
      view.data = search.momenta + t.variable_offset;
      view.rows = kMomenta;
      break;
    case SearchArray::membership:
      view.data = search.membership + t.variable_offset;
      break;
  }
  return view;
}

void BatchPart::set_features(std::span<const float> rows, std::span<const float> global) {
  const DeviceScope scope(context_->device());
  given_ = std::make_unique<DeviceBuffer>(rows.size_bytes() + global.size_bytes(), context_->stream());
  auto* device = reinterpret_cast<float*>(given_->data());
  send(*context_, device, rows.data(), rows.size());
  send(*context_, device + rows.size(), global.data(), global.size());
  batch_.network.given_rows = device;
  batch_.network.given_global = device + rows.size();
}

TrajectorySnapshot BatchPart::snapshot(std::size_t trajectory) {
  steps_.start();
  const SearchData& search = batch_.search;
  const TrajectoryData& t = planned_.plan.layout().trajectories[trajectory];
  const auto variables = static_cast<std::size_t>(t.variables);
  const auto samples = static_cast<std::size_t>(batch_.samples);
  const auto nodes = static_cast<std::size_t>(t.nodes);
  const SearchState now = fetch(*context_, search.state + trajectory, 1).front();
  TrajectorySnapshot snapshot;
  snapshot.theta = theta(trajectory);
  snapshot.gradient = fetch(*context_, search.gradient + t.variable_offset, variables);
  for (long long m = 0; m < kMomenta; ++m) {
    const std::vector<float> momentum =
        fetch(*context_, search.momenta + m * batch_.total_variables + t.variable_offset, variables);
    snapshot.momenta.insert(snapshot.momenta.end(), momentum.begin(), momentum.end());
  }
  snapshot.membership = fetch(*context_, search.membership + t.variable_offset, variables);
  snapshot.elite_costs.assign(now.elite_cost, now.elite_cost + now.elite_size);
  snapshot.global_features.resize(kGlobalFeatures);
  global_features(now.elite_cost, now.elite_size, now.previous_best, now.step - 1, budget_,
                  snapshot.global_features.data());
  if (planned_.spec.keep_samples && steps_.sampled() > 0) {
    snapshot.sample_costs = fetch(*context_, search.found.costs + trajectory * samples, samples);
    const std::vector<int> lengths = fetch(*context_, search.found.lengths + trajectory * samples, samples);
    const std::vector<int> items =
        fetch(*context_, search.found.items + t.node_offset * batch_.samples, samples * nodes);
    for (std::size_t s = 0; s < samples; ++s) {
      const auto first = items.begin() + static_cast<std::ptrdiff_t>(s * nodes);
      snapshot.samples.emplace_back(first, first + lengths[s]);
    }
  }
  return snapshot;
}

void BatchPart::retire(std::size_t trajectory) {
  if (!active_[trajectory]) {
    return;
  }
  steps_.start();
  const DeviceScope scope(context_->device());
  active_[trajectory] = false;
  int* flag = &batch_.search.state[trajectory].active;  // a place on the device
  clear(*context_, {reinterpret_cast<std::byte*>(flag), sizeof(int)});
}

void BatchPart::wait() {
  steps_.start();
  context_->wait();
}

KernelTimes BatchPart::profile() {
  wait();
  steps_.count_step();
  return runner_.profile();
}

}  // namespace moco::cuda

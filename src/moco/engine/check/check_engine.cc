// Comparison after every operation.
#include "moco/engine/check/check_engine.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "moco/engine/cpu/cpu_engine.h"
#include "moco/engine/cuda/cuda_engine.h"
#include "moco/engine/deviation.h"

namespace moco {

namespace {

class CheckBatch final : public Batch {
 public:
  CheckBatch(std::unique_ptr<Batch> cpu, std::unique_ptr<CudaBatch> cuda, std::size_t trajectories, Deviations& seen)
      : cpu_(std::move(cpu)), cuda_(std::move(cuda)), active_(trajectories, true), seen_(seen) {}

  void begin() override {
    cpu_->begin();
    cuda_->begin();
    compare_theta();
  }

  void sample() override {
    cpu_->sample();
    cuda_->sample();
    for (std::size_t t = 0; t < active_.size(); ++t) {
      if (active_[t]) {
        seen_.add_step(cpu_->snapshot(t), cuda_->snapshot(t));
      }
    }
  }

  void update() override {
    cpu_->update();
    cuda_->update();
    compare_theta();
  }

  std::vector<TrajectoryStatus> status() override { return cpu_->status(); }
  Solution best_solution(std::size_t trajectory) override { return cpu_->best_solution(trajectory); }
  std::vector<float> theta(std::size_t trajectory) override { return cpu_->theta(trajectory); }
  TrajectorySnapshot snapshot(std::size_t trajectory) override { return cpu_->snapshot(trajectory); }
  void retire(std::size_t trajectory) override {
    active_[trajectory] = false;
    cpu_->retire(trajectory);
    cuda_->retire(trajectory);
  }

 private:
  void compare_theta() {
    for (std::size_t t = 0; t < active_.size(); ++t) {
      if (active_[t]) {
        const std::vector<float> expected = cpu_->theta(t);
        seen_.add_theta(expected, cuda_->theta(t));
        cuda_->set_theta(t, expected);
      }
    }
  }

  std::unique_ptr<Batch> cpu_;
  std::unique_ptr<CudaBatch> cuda_;
  std::vector<bool> active_;
  Deviations& seen_;
};

class SideBySideEngine final : public CheckEngine {
 public:
  explicit SideBySideEngine(int threads)
      : cuda_(make_cuda_engine({.precision = CudaPrecision::float32})), cpu_(make_cpu_engine(threads)) {}

  std::string_view name() const override {
    name_ = "check (" + seen_.text() + ")";
    return name_;
  }
  std::uint64_t batch_bytes(const BatchSpec& spec) const override { return cuda_->batch_bytes(spec); }
  std::uint64_t available_bytes() const override { return cuda_->available_bytes(); }
  std::uint64_t host_bytes(const BatchSpec& spec) const override {
    return cpu_->host_bytes(spec) + cuda_->host_bytes(spec);
  }
  bool filled_by(std::uint64_t variables) const override { return cpu_->filled_by(variables); }
  std::unique_ptr<Batch> create(BatchSpec spec) override {
    spec.keep_samples = true;
    const std::size_t trajectories = spec.trajectories.size();
    auto cuda = cuda_->create_cuda(spec);
    return std::make_unique<CheckBatch>(cpu_->create(std::move(spec)), std::move(cuda), trajectories, seen_);
  }
  const Deviations& deviations() const override { return seen_; }

 private:
  std::unique_ptr<CudaEngine> cuda_;  // first: it may refuse
  std::unique_ptr<Engine> cpu_;
  Deviations seen_;
  mutable std::string name_;
};

}  // namespace

void Deviations::add_theta(const std::vector<float>& cpu, const std::vector<float>& other) {
  theta = std::max(theta, deviation(cpu, other));
  theta_shape = std::max(theta_shape, theta_deviation(cpu, other).shape);
}

void Deviations::add_step(const TrajectorySnapshot& cpu, const TrajectorySnapshot& other) {
  gradient = std::max(gradient, deviation(cpu.gradient, other.gradient));
  momenta = std::max(momenta, deviation(cpu.momenta, other.momenta));
  costs =
      std::max({costs, deviation(cpu.sample_costs, other.sample_costs), deviation(cpu.pool_costs, other.pool_costs)});
  for (std::size_t s = 0; s < cpu.samples.size(); ++s) {
    ++samples;
    unequal_samples += s < other.samples.size() && cpu.samples[s] == other.samples[s] ? 0 : 1;
  }
  for (std::size_t v = 0; v < cpu.membership.size(); ++v) {
    unequal_members += v < other.membership.size() && cpu.membership[v] == other.membership[v] ? 0 : 1;
  }
}

std::string Deviations::text() const {
  return fmt::format(
      "largest relative deviations: theta {:.2g}, gradient {:.2g}, momenta {:.2g}, costs {:.2g}; {} of {} samples and "
      "{} "
      "pool entries differ",
      theta, gradient, momenta, costs, unequal_samples, samples, unequal_members);
}

std::unique_ptr<CheckEngine> make_check_engine(int threads) {
  return std::make_unique<SideBySideEngine>(threads);
}

}  // namespace moco

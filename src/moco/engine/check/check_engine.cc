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
        compare(cpu_->snapshot(t), cuda_->snapshot(t));
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
        seen_.theta = std::max(seen_.theta, deviation(expected, cuda_->theta(t)));
        cuda_->set_theta(t, expected);
      }
    }
  }

  void compare(const TrajectorySnapshot& cpu, const TrajectorySnapshot& cuda) {
    seen_.gradient = std::max(seen_.gradient, deviation(cpu.gradient, cuda.gradient));
    seen_.momenta = std::max(seen_.momenta, deviation(cpu.momenta, cuda.momenta));
    seen_.costs = std::max(
        {seen_.costs, deviation(cpu.sample_costs, cuda.sample_costs), deviation(cpu.pool_costs, cuda.pool_costs)});
    for (std::size_t s = 0; s < cpu.samples.size(); ++s) {
      ++seen_.samples;
      seen_.unequal_samples += s < cuda.samples.size() && cpu.samples[s] == cuda.samples[s] ? 0 : 1;
    }
    for (std::size_t v = 0; v < cpu.membership.size(); ++v) {
      seen_.unequal_members += v < cuda.membership.size() && cpu.membership[v] == cuda.membership[v] ? 0 : 1;
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
  std::uint64_t batch_bytes(const BatchSpec& spec) const override { return cpu_->batch_bytes(spec); }
  std::uint64_t available_bytes() const override { return cpu_->available_bytes(); }
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

// Comparison after every operation.
#include "moco/engine/check/check_engine.h"

#include <string>
#include <utility>
#include <vector>

#include "moco/engine/cpu/cpu_engine.h"
#include "moco/error.h"

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
    require_agreement();
  }

  void update() override {
    cpu_->update();
    cuda_->update();
    compare_theta();
  }

  void set_budget(int steps) override {
    cpu_->set_budget(steps);
    cuda_->set_budget(steps);
  }

  std::vector<TrajectoryStatus> status() override { return cpu_->status(); }
  Solution best_solution(std::size_t trajectory) override { return cpu_->best_solution(trajectory); }
  std::vector<Solution> elite(std::size_t trajectory) override { return cpu_->elite(trajectory); }
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
    require_agreement();
  }

  void require_agreement() const {
    if (const std::string excess = seen_.excess(); !excess.empty()) {
      throw DeviceError("the CUDA engine departs from the CPU engine: " + excess);
    }
  }

  std::unique_ptr<Batch> cpu_;
  std::unique_ptr<CudaBatch> cuda_;
  std::vector<bool> active_;
  Deviations& seen_;
};

class SideBySideEngine final : public Engine {
 public:
  explicit SideBySideEngine(int threads)
      : cuda_(make_cuda_engine({.precision = CudaPrecision::float32})), cpu_(make_cpu_engine(threads)) {}

  std::string_view name() const override {
    name_ = "check (" + seen_.text() + ")";
    return name_;
  }
  MemoryNeed memory_need(const BatchSpec& spec) const override {
    const MemoryNeed device = cuda_->memory_need(spec);
    return {device.engine, cpu_->memory_need(spec).host + device.host};
  }
  std::uint64_t available_bytes() const override { return cuda_->available_bytes(); }
  bool filled_by(std::uint64_t variables) const override { return cpu_->filled_by(variables); }
  std::unique_ptr<Batch> create(BatchSpec spec) override {
    spec.keep_samples = true;
    const std::size_t trajectories = spec.trajectories.size();
    auto cuda = cuda_->create_cuda(spec);
    return make_check_batch(cpu_->create(std::move(spec)), std::move(cuda), trajectories, seen_);
  }

 private:
  std::unique_ptr<CudaEngine> cuda_;  // first: it may refuse
  std::unique_ptr<Engine> cpu_;
  Deviations seen_;
  mutable std::string name_;
};

}  // namespace

std::unique_ptr<Engine> make_check_engine(int threads) {
  return std::make_unique<SideBySideEngine>(threads);
}

std::unique_ptr<Batch> make_check_batch(std::unique_ptr<Batch> cpu, std::unique_ptr<CudaBatch> cuda,
                                        std::size_t trajectories, Deviations& seen) {
  return std::make_unique<CheckBatch>(std::move(cpu), std::move(cuda), trajectories, seen);
}

}  // namespace moco

// What the check engine makes of a device that departs from the CPU, with a device that is a CPU batch and errs on
// purpose. Needs no device.
#include <gmock/gmock.h>

#include "moco/engine/check/check_engine.h"
#include "moco/error.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

/// A batch of the CPU engine that passes for one of the device.
class PretendedDevice final : public CudaBatch {
 public:
  explicit PretendedDevice(std::unique_ptr<Batch> batch) : batch_(std::move(batch)) {}

  void begin() override { batch_->begin(); }
  void sample() override { batch_->sample(); }
  void update() override { batch_->update(); }
  void set_budget(int steps) override { batch_->set_budget(steps); }
  std::vector<TrajectoryStatus> status() override { return batch_->status(); }
  Solution best_solution(std::size_t trajectory) override { return batch_->best_solution(trajectory); }
  std::vector<Solution> elite(std::size_t trajectory) override { return batch_->elite(trajectory); }
  std::vector<float> theta(std::size_t trajectory) override {
    std::vector<float> theta = batch_->theta(trajectory);
    theta.front() += theta_error;
    return theta;
  }
  TrajectorySnapshot snapshot(std::size_t trajectory) override {
    TrajectorySnapshot snapshot = batch_->snapshot(trajectory);
    snapshot.gradient.front() += gradient_error;
    if (swaps_samples) {
      std::swap(snapshot.samples.front(), snapshot.samples.back());
    }
    return snapshot;
  }
  void retire(std::size_t trajectory) override { batch_->retire(trajectory); }
  void set_theta(std::size_t, std::span<const float>) override {}
  void set_features(std::span<const float>, std::span<const float>) override {}
  void wait() override {}
  std::vector<std::pair<std::string, float>> profile() override { return {}; }

  float theta_error = 0.0f;
  float gradient_error = 0.0f;
  bool swaps_samples = false;

 private:
  std::unique_ptr<Batch> batch_;
};

/// Both batches on one spec.
struct Pair {
  Pair() : setup(config_of("tsp"), LoopOptions{}) {
    setup.spec.loop.samples = 4;
    setup.add(uniform_tsp(12), 2);
    engine = make_cpu_engine(1);
    auto pretended = std::make_unique<PretendedDevice>(engine->create(setup.spec));
    device = pretended.get();
    batch = make_check_batch(engine->create(setup.spec), std::move(pretended), 2, seen);
  }

  TestBatch setup;
  std::unique_ptr<Engine> engine;
  Deviations seen;
  PretendedDevice* device = nullptr;
  std::unique_ptr<Batch> batch;
};

TEST(CheckBatch, EnginesThatAgreePass) {
  Pair pair;
  pair.batch->begin();
  for (int i = 0; i < 3; ++i) {
    pair.batch->sample();
    pair.batch->update();
  }
  EXPECT_EQ(pair.seen.excess(), "");
  EXPECT_EQ(pair.seen.samples, 3 * 2 * 4);
}

TEST(CheckBatch, ShowsNoArraysOfTwoEnginesAtOnce) {
  const Pair pair;
  pair.batch->begin();
  EXPECT_THROW(pair.batch->array(SearchArray::theta, 0), OptionError);
}

/// The error with which a step ends, or nothing.
template <typename Step>
std::string failure_of(const Step& step) {
  try {
    step();
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "";
}

TEST(CheckBatch, AWrongGradientFails) {
  Pair pair;
  pair.batch->begin();
  pair.batch->sample();
  pair.device->gradient_error = 1.0f;
  EXPECT_THAT(failure_of([&] { pair.batch->sample(); }),
              ::testing::StartsWith("the CUDA engine departs from the CPU engine: gradient"));
}

TEST(CheckBatch, AnotherSampleFails) {
  Pair pair;
  pair.batch->begin();
  pair.device->swaps_samples = true;
  EXPECT_THAT(failure_of([&] { pair.batch->sample(); }), ::testing::HasSubstr("different samples 4 (at most 0)"));
}

TEST(CheckBatch, AWrongThetaFailsAtTheStartAndAfterAnUpdate) {
  Pair first;
  first.device->theta_error = 1e6f;
  EXPECT_THAT(failure_of([&] { first.batch->begin(); }), ::testing::HasSubstr("theta"));
  Pair later;
  later.batch->begin();
  later.batch->sample();
  later.device->theta_error = 1e6f;
  EXPECT_THAT(failure_of([&] { later.batch->update(); }), ::testing::HasSubstr("theta"));
}

TEST(CheckBatch, RetiredTrajectoriesAreNotCompared) {
  Pair pair;
  pair.batch->begin();
  pair.batch->sample();
  pair.batch->retire(0);
  pair.batch->retire(1);
  pair.device->gradient_error = 1.0f;
  EXPECT_EQ(failure_of([&] { pair.batch->sample(); }), "");
}

}  // namespace
}  // namespace moco::parity

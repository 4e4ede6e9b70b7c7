// When the device starts what was asked for, seen by a runner that writes everything down.
#include "moco/engine/cuda/host/deferred_steps.h"

#include <string>

#include <gtest/gtest.h>

namespace moco::cuda {
namespace {

/// s: sample, u: update, 1: one step, n: the steps that run together.
class Recorder final : public DeferredSteps::Runner {
 public:
  void run_sample() override { seen += 's'; }
  void run_update() override { seen += 'u'; }
  void run_step() override { seen += '1'; }
  void run_steps() override { seen += 'n'; }

  std::string seen;
};

void advance(DeferredSteps& steps, int count) {
  for (int i = 0; i < count; ++i) {
    steps.update();
    steps.sample();
  }
}

TEST(DeferredSteps, FirstStepsStartAtOnceThenFourTogether) {
  Recorder recorder;
  DeferredSteps steps(recorder, 4, 2);
  steps.begin();
  steps.sample();
  EXPECT_EQ(recorder.seen, "s");
  advance(steps, 2);
  EXPECT_EQ(recorder.seen, "s11");
  advance(steps, 3);
  EXPECT_EQ(recorder.seen, "s11");
  advance(steps, 1);
  EXPECT_EQ(recorder.seen, "s11n");
  advance(steps, 8);
  EXPECT_EQ(recorder.seen, "s11nnn");
  EXPECT_EQ(steps.sampled(), 15);
}

TEST(DeferredSteps, AQuestionStartsWhatWaits) {
  Recorder recorder;
  DeferredSteps steps(recorder, 4, 0);
  advance(steps, 3);
  EXPECT_EQ(recorder.seen, "");
  steps.start();
  EXPECT_EQ(recorder.seen, "111");
  steps.update();
  EXPECT_EQ(recorder.seen, "111");
  steps.start();
  EXPECT_EQ(recorder.seen, "111u");
  steps.start();
  EXPECT_EQ(recorder.seen, "111u");
  steps.sample();  // its update has run
  EXPECT_EQ(recorder.seen, "111us");
  EXPECT_EQ(steps.sampled(), 4);
}

TEST(DeferredSteps, OrderIsKeptWhateverIsAsked) {
  Recorder recorder;
  DeferredSteps steps(recorder, 4, 0);
  advance(steps, 2);
  steps.update();
  steps.update();  // without a sampling in between
  EXPECT_EQ(recorder.seen, "11u");
  steps.sample();
  EXPECT_EQ(recorder.seen, "11u");
  steps.sample();
  EXPECT_EQ(recorder.seen, "11u1s");
}

TEST(DeferredSteps, ASingleStepMayBeAllThatRunsTogether) {
  Recorder recorder;
  DeferredSteps steps(recorder, 1, 2);
  advance(steps, 5);
  EXPECT_EQ(recorder.seen, "11nnn");
}

TEST(DeferredSteps, AnotherSearchForgetsWhatWaits) {
  Recorder recorder;
  DeferredSteps steps(recorder, 4, 0);
  advance(steps, 2);
  steps.update();
  steps.begin();
  EXPECT_EQ(steps.sampled(), 0);
  steps.start();
  EXPECT_EQ(recorder.seen, "");
  advance(steps, 4);
  EXPECT_EQ(recorder.seen, "n");
}

}  // namespace
}  // namespace moco::cuda

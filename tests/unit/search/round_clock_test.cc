// How a search without a number of steps shares out its time, and what networks are told of it.
#include "moco/search/round_clock.h"

#include <gtest/gtest.h>

namespace moco {
namespace {

TEST(RoundClock, OneRoundIsCutToTheTimeThereIs) {
  RoundClock clock(10.0, 200);
  clock.see(1, 0.5);  // time for 20 steps
  EXPECT_EQ(clock.end(), 10.0);
  EXPECT_EQ(clock.expected_steps(), 20);
  clock.see(2, 1.0);
  clock.see(3, 1.5);
  clock.see(10, 2.5);  // steps have become faster
  EXPECT_EQ(clock.end(), 10.0);
  EXPECT_EQ(clock.expected_steps(), 40) << "a quarter of the time is spent";
  EXPECT_EQ(clock.budget(), 40);
}

TEST(RoundClock, RoundsShareTheTimeAfterTheFirstSteps) {
  RoundClock clock(10.0, 200);
  clock.see(1, 1.0);
  EXPECT_EQ(clock.end(), 10.0);
  clock.see(3, 1.02e-2);  // time for some 2940 steps: 15 rounds
  EXPECT_DOUBLE_EQ(clock.end(), 10.0 / 15);
  clock.see(100, 0.5);
  EXPECT_DOUBLE_EQ(clock.end(), 10.0 / 15) << "the plan stands";
  EXPECT_EQ(clock.expected_steps(), 133);
}

TEST(RoundClock, TheBudgetIsNeverLessThanWhatIsDone) {
  RoundClock clock(1.0, 100);
  clock.see(1, 5.0);
  EXPECT_EQ(clock.budget(), 1);
  clock.see(7, 5.5);
  EXPECT_EQ(clock.budget(), 7);
  clock.see(8, 0.0);
  EXPECT_GE(clock.budget(), 8) << "a clock that has not moved";
}

TEST(RoundClock, ABudgetThatIsGivenStands) {
  RoundClock clock(10.0, 200, 50);
  clock.see(4, 1.0);
  EXPECT_EQ(clock.budget(), 50);
  EXPECT_EQ(clock.expected_steps(), 40);
}

}  // namespace
}  // namespace moco

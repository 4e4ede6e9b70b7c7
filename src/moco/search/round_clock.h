// The time of a search that has a clock instead of a number of steps. Such a search goes in rounds of about as many
// steps as a search by number has; they share the time evenly, so that the last one ends with it, and what is spent of
// a round's time is what its networks take for the share of the budget.
#pragma once

namespace moco {

class RoundClock {
 public:
  /// The first of the rounds that fill so many seconds from now on, with about so many steps each. A `budget` other
  /// than 0 is what the networks are told whatever the clock says.
  RoundClock(double seconds, int steps, int budget = 0)
      : seconds_(seconds), steps_(steps), budget_(budget), end_(seconds) {}

  /// The round has done so many steps in so many seconds. The first few of them decide when it ends.
  void see(int step, double seconds);

  /// Seconds from the round's beginning to its end.
  double end() const { return end_; }
  /// The steps that the round will have had if it goes on like this, no fewer than it has.
  int expected_steps() const { return expected_; }
  /// What the networks are told: of those steps they see the share of the time that is spent.
  int budget() const { return budget_ > 0 ? budget_ : expected_; }

 private:
  static constexpr int kStepsToPlan = 3;

  double seconds_;
  int steps_;
  int budget_;
  double end_;
  int expected_ = 1;
};

}  // namespace moco

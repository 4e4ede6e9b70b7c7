// When steps that were asked for are started. An update waits for the sampling after it, and such steps wait for
// others, so that several go to the device as one; whoever asks about results first has everything started.
#pragma once

namespace moco::cuda {

class DeferredSteps {
 public:
  /// Starts work on the device, in the order of the calls.
  class Runner {
   public:
    virtual ~Runner() = default;
    virtual void run_sample() = 0;
    virtual void run_update() = 0;
    /// Update and sample.
    virtual void run_step() = 0;
    /// As many steps as run together.
    virtual void run_steps() = 0;
  };

  /// `together` steps are one piece of work, but the first `apart` ones are started at once, each for itself: they keep
  /// the device busy while that piece is made.
  DeferredSteps(Runner& runner, int together, int apart) : runner_(runner), together_(together), apart_(apart) {}

  /// Forgets what waits; another search begins.
  void begin() {
    sampled_ = 0;
    waiting_ = 0;
    update_waits_ = false;
  }

  void update() {
    if (update_waits_) {
      start();
    }
    update_waits_ = true;
  }

  void sample() {
    ++sampled_;
    if (!update_waits_) {
      start();
      runner_.run_sample();
      return;
    }
    update_waits_ = false;
    ++waiting_;
    if (started_apart_ < apart_) {
      start();
    } else if (waiting_ == together_) {
      runner_.run_steps();
      waiting_ = 0;
    }
  }

  /// From now on so many steps are one piece of work; none may wait.
  void set_together(int together) {
    together_ = together;
    started_apart_ = 0;
  }

  /// Starts everything that waits.
  void start() {
    for (; waiting_ > 0; --waiting_) {
      ++started_apart_;
      runner_.run_step();
    }
    if (update_waits_) {
      update_waits_ = false;
      runner_.run_update();
    }
  }

  /// Counts a step that was started without this.
  void count_step() { ++sampled_; }
  /// Steps sampled since begin(), waiting ones included.
  int sampled() const { return sampled_; }

 private:
  Runner& runner_;
  int together_;
  int apart_;
  int started_apart_ = 0;
  int sampled_ = 0;
  int waiting_ = 0;
  bool update_waits_ = false;
};

}  // namespace moco::cuda

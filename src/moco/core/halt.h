// Telling work that is under way to end: the clock and the user's wish to stop, looked at from inside long loops.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <utility>

namespace moco {

/// Thrown out of work that ends before it is complete. It never leaves the library.
class Halted {};

class Halt {
 public:
  using Clock = std::chrono::steady_clock;

  /// `seconds` from `begin` on, which may be infinite. `interrupted` may be empty; it is called from any thread.
  Halt(Clock::time_point begin, double seconds, std::function<bool()> interrupted = {})
      : begin_(begin), seconds_(seconds), interrupted_(std::move(interrupted)) {}

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  double seconds() const { return seconds_; }
  bool interrupted() const { return interrupted_ && interrupted_(); }
  bool out_of_time() const { return seconds_ < std::numeric_limits<double>::infinity() && elapsed() >= seconds_; }
  bool due() const { return interrupted() || out_of_time(); }
  /// Throws Halted when it is due.
  void check() const {
    if (due()) {
      throw Halted();
    }
  }

 private:
  Clock::time_point begin_;
  double seconds_;
  std::function<bool()> interrupted_;
};

/// Looks at a Halt on one of very many calls: for tight loops, and from inside algorithms that know nothing of it.
class HaltWatch {
 public:
  /// `halt` may be null.
  explicit HaltWatch(const Halt* halt) : halt_(halt) {}

  /// May throw Halted.
  void look() {
    if (++calls_ % kCallsPerLook == 0 && halt_ != nullptr) {
      halt_->check();
    }
  }
  /// A comparison for a sort that ends with the Halt.
  template <typename Less>
  auto with(Less less) {
    return [this, less](const auto& a, const auto& b) {
      look();
      return less(a, b);
    };
  }

 private:
  static constexpr unsigned kCallsPerLook = 1u << 16;

  const Halt* halt_;
  unsigned calls_ = 0;
};

}  // namespace moco
